"""Helpers of the replication tests: messages of a run in short form, and checks that hold for every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire import mqdsrp, validate
from msmq_wire.machines.replication import Enterprise, MessageReceived, Settings
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msmq_wire.machines.replication import Effect, Machine, Posting

__all__ = ["QUICK", "check_messages", "deliver", "names", "no", "of_kind", "sent", "talk", "three_sites"]

QUICK = Settings(empty_propagations=False)
"""The document's settings, without empty propagations."""


def no(value: int) -> SEQUENCE_NUMBER:
    return SEQUENCE_NUMBER.of(value)


def names(postings: Iterable[Posting]) -> list[tuple[str, str, str]]:
    """Sender, receiver and message of each sent message."""
    return [
        (posting.sender, posting.sent.Destination, type(posting.sent.ReplicationMessage).__name__)
        for posting in postings
    ]


def talk(enterprise: Enterprise, seconds: float) -> list[tuple[str, str, str]]:
    """The messages that are sent in a period of time."""
    before = len(enterprise.log)
    enterprise.run(seconds)
    return names(enterprise.log[before:])


def sent(effects: Iterable[Effect]) -> list[Any]:
    """The messages among effects."""
    return [message.ReplicationMessage for message in effects if hasattr(message, "ReplicationMessage")]


def of_kind(enterprise: Enterprise, kind: type[Any], sender: str = "") -> list[Any]:
    """The messages of a kind that were sent, by anyone or by one server."""
    return [
        posting.sent.ReplicationMessage
        for posting in enterprise.log
        if isinstance(posting.sent.ReplicationMessage, kind) and posting.sender.startswith(sender)
    ]


def deliver(machine: Machine, message: Any, **given: Any) -> list[Effect]:
    return machine.step(MessageReceived(message, **given))


def check_messages(postings: Iterable[Posting]) -> int:
    """No message violates a rule, and each has the same bytes after decoding and encoding."""
    count = 0
    for posting in postings:
        message = posting.sent.ReplicationMessage
        assert validate(message, "should") == ()
        assert mqdsrp.decode(mqdsrp.encode(message)) == message
        assert 0 <= posting.sent.Priority <= 7
        count += 1
    return count


def three_sites(**options: Any) -> Enterprise:
    """The enterprise of [MC-MQDSRP] 4, figure 11: three sites, BSCs in the first and the last."""
    enterprise = Enterprise(**{"settings": QUICK, "keep_log": True, **options})
    enterprise.run(15)
    for number in (1, 2):
        enterprise.add_site(f"PSC{number}", f"site{number}")
        enterprise.run(15)
    for bsc, site in (("BSC01", "site0"), ("BSC02", "site0"), ("BSC21", "site2")):
        enterprise.add_bsc(bsc, site)
        enterprise.run(15)
    return enterprise
