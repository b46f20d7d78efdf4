"""The C texts of all documents; each uses only those before it."""

from __future__ import annotations

from typing import Final, NamedTuple

from .c_mqcn import MQCN
from .c_mqdsrp import MQDSRP
from .c_mqmq import MQMQ, USER_MESSAGE
from .c_mqqb import MQQB
from .c_mqrr import MQRR


class CText(NamedTuple):
    """A C text.

    Attributes:
        text: The C source.
        about: A sentence about its contents.
        file: The module of `definitions` that it is in.
    """

    text: str
    about: str
    file: str


TEXTS: Final = {
    "mqmq": CText(MQMQ, "[MS-MQMQ]: the data structures of Message Queuing.", "c_mqmq.py"),
    "mqrr": CText(MQRR, "[MS-MQRR] 2.2.5: headers of the message packets of a remote read.", "c_mqrr.py"),
    "user_message": CText(
        USER_MESSAGE,
        "[MS-MQMQ] 2.2.20 and [MS-MQRR] 2.2.5: whole messages, made of the headers of both documents.",
        "c_mqmq.py",
    ),
    "mqqb": CText(MQQB, "[MS-MQQB]: the packets of the binary protocol.", "c_mqqb.py"),
    "mqdsrp": CText(MQDSRP, "[MC-MQDSRP] 2.2: the messages of directory replication.", "c_mqdsrp.py"),
    "mqcn": CText(MQCN, "[MS-MQCN] 2.2: change notifications.", "c_mqcn.py"),
}
"""The C texts, by the module of `documents` with their records."""
