"""The enumerations of the C texts as `IntEnum` classes.

Record fields stay plain numbers: they compare equal to the members here, and a number without a name is
data like any other.
"""

from __future__ import annotations

from enum import IntEnum

from msmq_wire.records.model import enumerations

__all__ = [
    "ADDRESS_TYPE",
    "ALG_ID",
    "ENUMERATIONS",
    "MESSAGE_CLASS_VALUES",
    "PROVIDER_TYPE",
    "QUEUE_FORMAT_TYPE",
    "QUEUE_SUFFIX_TYPE",
]

_MODULE = "msmq_wire.mqmq"

ENUMERATIONS = {name: IntEnum(name, members, module=_MODULE) for name, members in enumerations().items()}
"""Every enumeration by its name."""

ADDRESS_TYPE = ENUMERATIONS["ADDRESS_TYPE"]
ALG_ID = ENUMERATIONS["ALG_ID"]
MESSAGE_CLASS_VALUES = ENUMERATIONS["MESSAGE_CLASS_VALUES"]
PROVIDER_TYPE = ENUMERATIONS["PROVIDER_TYPE"]
QUEUE_FORMAT_TYPE = ENUMERATIONS["QUEUE_FORMAT_TYPE"]
QUEUE_SUFFIX_TYPE = ENUMERATIONS["QUEUE_SUFFIX_TYPE"]
