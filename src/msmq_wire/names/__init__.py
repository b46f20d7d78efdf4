"""Queue names as values, without their wire forms: format names and path names ([MS-MQMQ] 2.1)."""
