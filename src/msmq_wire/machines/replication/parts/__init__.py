"""The parts of a directory server, each an object that `Machine` holds and that can be tried alone.

- `outbox`: what one step wants done: messages, timers, answers.
- `partitions`: how far each partition has come, whose it is, and asking for what is missing.
- `neighbors`: the servers that changes go to, what waits for them, what they acknowledge.
- `deletions`: deleted objects that others may have to learn of, and when they are purged.
- `objects`: what a change does to the directory, and what sites and machines mean for the protocol.
- `replica`: changes of others in their order, sync replies, full synchronization.
- `authority`: changes of own partitions.
- `replies`: answers to sync requests.
- `requests`: change requests that wait for their reply.

They share a `ServerState`; arrows go from a part to those above it in this list.
"""
