"""Strategies of the tests beside those of `msmq_wire.testing`: names, pinned packets, damaged records.

1. `records` builds through the record classes: every optional part on or off, every form of a choice, any
   number, text with lone surrogates, property values of every type, any reserved bit and any padding byte.
2. `packets` is the same for the packets of `msmq_wire.decode`, `messages` for the messages of
   `mqdsrp.decode`, and `notifications` for those of `mqcn.decode`.
3. `near_valid` takes the bytes of such a record and damages them.

Not every variant type has a published property identifier, so a private one is registered for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from msmq_wire import GUID, mqcn, mqdsrp
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.notification_text import notification_text
from msmq_wire.testing.strategies.any_record import damaged, drafts, property_values
from msmq_wire.values.properties.values import READERS, register_type

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ALONE",
    "DIRECTORY_ALONE",
    "DIRECTORY_DOCUMENTS",
    "DIRECTORY_NAMES",
    "DOCUMENTS",
    "NAMES",
    "PACKET_NAMES",
    "UNSHRUNK",
    "damaged",
    "examples_of",
    "messages",
    "near_valid",
    "notifications",
    "packets",
    "property_values",
    "records",
]

UNSHRUNK = settings(
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""Settings for examples that are only drawn, the same in each run; failures are not shrunk."""


def examples_of(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """So many of Hypothesis, the same each time."""
    drawn: list[Any] = []

    @settings(UNSHRUNK, max_examples=count)
    @given(strategy)
    def take(example: Any) -> None:
        drawn.append(example)

    take()
    return drawn


DOCUMENTS = ("MS-MQMQ", "MS-MQQB", "MS-MQRR")
"""The documents of messages between queue managers."""
DIRECTORY_DOCUMENTS = ("MC-MQDSRP", "MS-MQCN")
"""The documents of the directory protocols, whose structures are loaded when their modules are."""
NAMES = tuple(name for name, structure in structures().items() if structure.document in DOCUMENTS)
"""Every structure of these documents."""
ALONE = tuple(name for name in NAMES if not structures()[name].scoped)
"""Every structure that can be read by itself."""
DIRECTORY_NAMES = tuple(
    name for name, structure in structures().items() if structure.document in DIRECTORY_DOCUMENTS
)
"""Every structure of the directory protocols."""
DIRECTORY_ALONE = tuple(name for name in DIRECTORY_NAMES if not structures()[name].scoped)
"""Every structure of these that can be read by itself."""
PACKET_NAMES = ("UserMessage", "OrderAck", "FinalAck", "SessionAck", "EstablishConnection",
                "ConnectionParameters")  # fmt: skip
"""Every structure that `msmq_wire.decode` returns."""

_PRIVATE = 0xFFF00000
for _vt in READERS:
    register_type(_PRIVATE + _vt, _vt)


def records(
    name: str, *, tidy: bool = False, pins: Mapping[str, int] | None = None
) -> st.SearchStrategy[Any]:
    """Records of a structure that can be written and read again."""
    return drafts(structures()[name], tidy=tidy, pins=tuple((pins or {}).items()))


_ALL = {"BaseHeader.VersionNumber": 0x10, "BaseHeader.Signature": 0x524F494C}
_PINS: dict[str, dict[str, int]] = {
    "UserMessage": {**_ALL, "BaseHeader.Flags.IN": 0},
    "SessionAck": {**_ALL, "BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 1},
    "EstablishConnection": {**_ALL, "BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 2},
    "ConnectionParameters": {**_ALL, "BaseHeader.Flags.IN": 1, "InternalHeader.Flags.PT": 3},
}


def packets() -> st.SearchStrategy[Any]:
    """Packets that `msmq_wire.decode` returns as they are; the two acknowledgments have their own tests."""
    kinds = [records(name, pins=pins) for name, pins in _PINS.items()]
    return st.one_of(*kinds, kinds[0], kinds[0])


_MESSAGES: tuple[type[Any], ...] = (
    mqdsrp.ChangePropagationMessage,
    mqdsrp.ChangeRequestMessage,
    mqdsrp.SyncRequestMessage,
    mqdsrp.SyncReplyMessage,
    mqdsrp.ChangeReplyMessage,
    mqdsrp.AlreadyPurgedMessage,
    mqdsrp.PSCAckMessage,
    mqdsrp.BSCAckMessage,
)
"""The messages by their operation, [MC-MQDSRP] 2.2.5.1."""


def messages() -> st.SearchStrategy[Any]:
    """Messages that `mqdsrp.decode` returns as they are."""
    return st.one_of(
        *(
            records(cls.__name__, pins={"BaseReplicationHeader.Operation": operation})
            for operation, cls in enumerate(_MESSAGES)
        )
    )


@st.composite
def notifications(draw: Any) -> Any:
    """Messages that `mqcn.decode` returns as they are."""
    odd = draw(st.binary(max_size=1))
    several: Any = mqcn.NotificationUpdates
    body: Any = mqcn.NotificationBody
    message: Any = mqcn.ChangeNotificationMessage
    if draw(st.booleans()):
        updates = draw(st.lists(records("NotificationUpdate"), max_size=3))
        return message(Data=several(Updates=updates, Unused=odd))
    text = notification_text(
        draw(st.integers(1, 4)),
        GUID(draw(st.binary(min_size=16, max_size=16))),
        draw(st.text(st.sampled_from("!dc.1;>~"), min_size=1, max_size=8)),
    )
    text += draw(st.sampled_from(("", "\0")))
    return message(Data=body(Text=text, Unused=odd))


def near_valid(name: str, *, tidy: bool = False) -> st.SearchStrategy[bytes]:
    """Damaged bytes of a record."""
    return records(name, tidy=tidy).flatmap(lambda record: damaged(record.encode()))
