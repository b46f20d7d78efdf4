"""Messages of the directory: replication, change notification, and those that a UserMessage carries."""
