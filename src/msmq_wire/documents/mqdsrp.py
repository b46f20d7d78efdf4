"""The record classes of [MC-MQDSRP]; users find them in `mqdsrp`."""

from __future__ import annotations

from msmq_wire.definitions.c_mqdsrp import MQDSRP
from msmq_wire.records import model as _layout
from msmq_wire.records.record import Record

__all__ = [
    "PARTITION_SEQ_NUMBERS",
    "AlreadyPurgedMessage",
    "BSCAckMessage",
    "BaseReplicationHeader",
    "ChangePropagationMessage",
    "ChangeReplyMessage",
    "ChangeRequestHeader",
    "ChangeRequestMessage",
    "DirectoryChange",
    "PSCAckMessage",
    "SeqNumberHeader",
    "SyncReplyHeader",
    "SyncReplyMessage",
    "SyncRequestMessage",
]

_layout.load(MQDSRP)


class PARTITION_SEQ_NUMBERS(Record):
    """How far a directory partition has come."""


class DirectoryChange(Record):
    """One change of one directory object."""


class BaseReplicationHeader(Record):
    """The first header of every replication message: its operation and its sender's site."""


class ChangeRequestHeader(Record):
    """Who asks the object authority for a change."""


class SyncReplyHeader(Record):
    """Which changes a synchronization reply brings."""


class SeqNumberHeader(Record):
    """How far the sender's partitions have come."""


class ChangeRequestMessage(Record):
    """Asks the object authority to change an object (operation 0x01)."""


class ChangeReplyMessage(Record):
    """Says what became of a requested change (operation 0x04)."""


class SyncRequestMessage(Record):
    """Asks for the changes of a partition (operation 0x02)."""


class SyncReplyMessage(Record):
    """Brings the changes of a partition (operation 0x03)."""


class BSCAckMessage(Record):
    """A backup site controller acknowledges to its primary (operation 0x07)."""


class PSCAckMessage(Record):
    """A primary site controller acknowledges to the object authority (operation 0x06)."""


class AlreadyPurgedMessage(Record):
    """Says that the changes asked for are gone (operation 0x05)."""


class ChangePropagationMessage(Record):
    """Brings new changes to the directory's neighbors (operation 0x00)."""
