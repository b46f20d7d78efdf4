"""Workers: functions from Arrow batches of packets to rows of the tables."""
