"""Directory replication as a state machine: [MC-MQDSRP] section 3, and enterprises of such machines.

- `machine`: `Machine`, one directory server; `step` takes an event and returns effects.
- `parts`: what a machine is put together of, each testable alone.
- `events`: what happens to it, and what it answers.
- `state`: what it knows, persisted or not.
- `directory`: the objects, behind a small interface, and a directory in memory; `kinds`: their types.
- `readings`: where the document can be read in two ways, and its numbers.
- `simulation`: `Enterprise`, many machines on one clock; `network`: what becomes of their messages.

Nothing here reads a clock or a socket, waits, or draws lots: moments and identifiers come in with events.
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
    "BSCAckTimer",
    "CancelTimer",
    "ChangeCompleted",
    "ChangePropagationTimer",
    "ChangeRemoteObject",
    "ChangeRequestTimer",
    "Command",
    "DeletedObject",
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
    "Network",
    "NextSequenceNumber",
    "OpenQueue",
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
    "ResetTimer",
    "Role",
    "SendMessage",
    "ServerState",
    "Settings",
    "StartTimer",
    "Timer",
    "TimerFired",
]
