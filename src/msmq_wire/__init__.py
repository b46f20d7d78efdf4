"""A pure, zero-I/O codec for the wire formats of Microsoft Message Queuing (MSMQ).

>>> import msmq_wire as mw
>>> packet = mw.decode(data)
>>> packet.MessagePropertiesHeader.Label
"""

from __future__ import annotations

from . import mqmq, mqqb, mqrr
from ._record import Record, replace
from .errors import ConformanceError, DecodeError, EncodeError, MsmqWireError
from .guid import GUID, NULL_GUID
from .packets import LaxResult, decode, decode_lax, encode

__all__ = [
    "GUID",
    "NULL_GUID",
    "ConformanceError",
    "DecodeError",
    "EncodeError",
    "LaxResult",
    "MsmqWireError",
    "Record",
    "decode",
    "decode_lax",
    "encode",
    "mqmq",
    "mqqb",
    "mqrr",
    "replace",
]
