"""[MS-MQRR] 2.2.5: message packets of a remote read; one record class for each structure."""

from __future__ import annotations

from .documents import mqrr as _records
from .documents.mqrr import *  # noqa: F403  # the names of the document
from .documents.user_message import MessagePacket
from .values.enumerations import SectionType

__all__ = ["MessagePacket", "SectionType"]
__all__ += _records.__all__
