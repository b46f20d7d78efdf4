"""Names of queues as values, without their wire form: format names and path names ([MS-MQMQ] 2.1)."""
