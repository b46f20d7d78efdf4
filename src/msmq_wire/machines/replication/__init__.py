"""Directory replication as a state machine ([MC-MQDSRP] section 3), and simulations of many servers.

- `machine`: `Machine`, one directory server; `step` takes an event and returns effects.
- `parts`: the parts of a machine, each testable alone.
- `events`: events and effects.
- `state`: the state of a server, persisted or not.
- `directory`: the interface of a directory, and a directory in memory.
- `readings`: switches for ambiguous statements of the document, and its constants.
- `simulation`: `Enterprise`, many machines with one clock; `network`: delivery of their messages.

This package uses no clock, sockets or random numbers: times and identifiers come with the events.
"""

from __future__ import annotations

from .directory import Directory, DirectoryObject, MemoryDirectory
from .events import (
    Acknowledgment,
    BSCAckTimer,
    CancelTimer,
    ChangeCompleted,
    ChangePropagationTimer,
    ChangeRemoteObject,
    ChangeRequestTimer,
    Command,
    Effect,
    Event,
    Initialize,
    MessageReceived,
    NextSequenceNumber,
    OpenQueue,
    PropagateDirectoryChange,
    PropagationScope,
    ReadNextSequenceNumber,
    ResetTimer,
    SendMessage,
    StartTimer,
    Timer,
    TimerFired,
)
from .machine import Machine
from .network import Network, Posting, RandomNetwork, Reliable
from .parts.authority import Authority
from .parts.deletions import Deletions
from .parts.neighbors import Neighbors
from .parts.objects import Objects
from .parts.outbox import Outbox
from .parts.partitions import Partitions
from .parts.replica import Replica
from .parts.replies import Replies
from .parts.requests import Requests
from .readings import AS_PRINTED, Readings, Settings
from .simulation import Enterprise
from .state import (
    PEC_PARTITION_ID,
    DeletedObject,
    DirectoryNeighbor,
    DirectoryPartition,
    PersistentState,
    PurgeState,
    QueueManager,
    Role,
    ServerState,
)

__all__ = [
    "AS_PRINTED",
    "PEC_PARTITION_ID",
    "Acknowledgment",
    "Authority",
    "BSCAckTimer",
    "CancelTimer",
    "ChangeCompleted",
    "ChangePropagationTimer",
    "ChangeRemoteObject",
    "ChangeRequestTimer",
    "Command",
    "DeletedObject",
    "Deletions",
    "Directory",
    "DirectoryNeighbor",
    "DirectoryObject",
    "DirectoryPartition",
    "Effect",
    "Enterprise",
    "Event",
    "Initialize",
    "Machine",
    "MemoryDirectory",
    "MessageReceived",
    "Neighbors",
    "Network",
    "NextSequenceNumber",
    "Objects",
    "OpenQueue",
    "Outbox",
    "Partitions",
    "PersistentState",
    "Posting",
    "PropagateDirectoryChange",
    "PropagationScope",
    "PurgeState",
    "QueueManager",
    "RandomNetwork",
    "ReadNextSequenceNumber",
    "Readings",
    "Reliable",
    "Replica",
    "Replies",
    "Requests",
    "ResetTimer",
    "Role",
    "SendMessage",
    "ServerState",
    "Settings",
    "StartTimer",
    "Timer",
    "TimerFired",
]
