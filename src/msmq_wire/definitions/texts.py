"""The C texts of all documents; each uses only those before it."""

from __future__ import annotations

from typing import Final, NamedTuple

from .c_mqcn import MQCN
from .c_mqdsrp import MQDSRP
from .c_mqmq import MQMQ
from .c_mqqb import MQQB
from .c_mqrr import MQRR
from .c_user_message import USER_MESSAGE


class CText(NamedTuple):
    """A C text.

    Attributes:
        text: The C source.
        about: A sentence about its contents.
    """

    text: str
    about: str


TEXTS: Final = {
    "mqmq": CText(MQMQ, "[MS-MQMQ]: the data structures of Message Queuing."),
    "mqrr": CText(MQRR, "[MS-MQRR] 2.2.5: headers of the message packets of a remote read."),
    "user_message": CText(
        USER_MESSAGE,
        "[MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.",
    ),
    "mqqb": CText(MQQB, "[MS-MQQB]: the packets of the binary protocol."),
    "mqdsrp": CText(MQDSRP, "[MC-MQDSRP] 2.2: the messages of directory replication."),
    "mqcn": CText(MQCN, "[MS-MQCN] 2.2: change notifications."),
}
"""The C texts, by the module of `documents` with their records; each is in ``c_<name>.py``."""
