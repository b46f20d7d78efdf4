"""[MS-MQMQ]: the data structures of Message Queuing; one record class for each structure."""

from __future__ import annotations

from .documents import mqmq as _records
from .documents.mqmq import *  # noqa: F403  # the names of the document
from .documents.user_message import UserMessage
from .values.enumerations import (
    ADDRESS_TYPE,
    ALG_ID,
    MESSAGE_CLASS_VALUES,
    MQCNACCESSMASK,
    MQENTACCESSMASK,
    MQQMACCESSMASK,
    MQQUEUEACCESSMASK,
    MQSITEACCESSMASK,
    PROVIDER_TYPE,
    QUEUE_FORMAT_TYPE,
    QUEUE_SUFFIX_TYPE,
)

__all__ = [
    "ADDRESS_TYPE",
    "ALG_ID",
    "MESSAGE_CLASS_VALUES",
    "MQCNACCESSMASK",
    "MQENTACCESSMASK",
    "MQQMACCESSMASK",
    "MQQUEUEACCESSMASK",
    "MQSITEACCESSMASK",
    "PROVIDER_TYPE",
    "QUEUE_FORMAT_TYPE",
    "QUEUE_SUFFIX_TYPE",
    "UserMessage",
]
__all__ += _records.__all__
