"""Directory messages: replication, change notification, and their carriers."""
