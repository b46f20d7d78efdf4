"""The parts of a directory server; each is an object that `Machine` owns and that can be tested alone.

- `outbox`: the effects of one step: messages, timers, answers.
- `partitions`: the state of each partition, its authority, and requests for missing changes.
- `neighbors`: the servers that receive changes, their queues, and their acknowledgments.
- `deletions`: deleted objects that others may not know of yet, and when they are purged.
- `objects`: applies changes to the directory, and updates sites and machines.
- `replica`: changes of others in order, sync replies, full synchronization.
- `authority`: changes of own partitions.
- `replies`: answers to sync requests.
- `requests`: change requests that wait for their reply.

They share a `ServerState`; a part uses only parts above it in this list.
"""
