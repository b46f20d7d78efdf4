"""Mutating packets and sessions with knowledge of their structure; for fuzzers of any kind.

1. The same arguments give the same bytes, on every machine.
2. No Hypothesis, no atheris and no network: bytes go in and bytes come out.
3. Whatever the bytes, there is a mutant: bytes without structure have theirs changed as bytes.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire import PacketStream, Record, mqmq, mqqb
from msmq_wire.packets import notification as mqcn
from msmq_wire.packets import replication as mqdsrp
from msmq_wire.packets.packet import ORDER_LABEL

from .numbers import View
from .operations import MUTATIONS, SESSION_MUTATIONS, Mutation, SessionMutation, Subject, change_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Mutant", "custom_mutator", "mutate", "mutate_session", "samples"]

_TRIES = 8


class Mutant(NamedTuple):
    """Bytes that were mutated, and how.

    Attributes:
        data: The bytes.
        mutation: What was done.
        path: Path of the field or part that it was done to, as `explain` and errors have it; empty where it
            was done to the whole.
    """

    data: bytes
    mutation: Mutation
    path: str


def mutate(
    data: bytes,
    seed: int,
    *,
    mutation: Mutation | str | None = None,
    kind: type[Record] | str | None = None,
    donors: Iterable[bytes] = (),
    max_size: int | None = None,
) -> Mutant:
    """Bend a packet, or any other structure, in one place.

    Args:
        data: The bytes; they may be damaged already.
        seed: Which of the many mutants.
        mutation: What to do; without it the seed decides.
        kind: What the bytes are: a record class, the name of a structure, ``"replication"`` for a message of
            [MC-MQDSRP], ``"notification"`` for one of [MS-MQCN]; without it a packet.
        donors: Other bytes of that kind, whose parts may be taken; without them some of our own.
        max_size: How many bytes to return at most.

    Returns:
        The mutant.  Where `mutation` has nothing to work on, `CHANGE_BYTES` takes its place, and the mutant
        says so.

    Raises:
        ValueError: There is no such mutation or structure.
    """
    random = Random(seed)  # noqa: S311  # it has to be repeatable, not secret
    others = tuple(View(donor, kind) for donor in donors) or _own(kind)
    subject = Subject(View(data, kind), others, random)
    wanted = [Mutation(mutation)] if mutation is not None else random.sample(list(Mutation), _TRIES)
    for name in wanted * _TRIES:
        change = MUTATIONS[name](subject)
        if change is not None and change.data != data:
            return Mutant(change.data[:max_size], name, change.path)
    change = change_bytes(subject)
    return Mutant(change.data[:max_size], Mutation.CHANGE_BYTES, change.path)


def mutate_session(
    session: Sequence[bytes],
    seed: int,
    *,
    mutation: SessionMutation | str | None = None,
    donors: Sequence[bytes] = (),
) -> tuple[list[bytes], SessionMutation]:
    """Bend the order of the packets of a session, or one of its packets.

    Args:
        session: The packets in order, of one direction or of both.
        seed: Which of the many mutants.
        mutation: What to do; without it the seed decides.
        donors: Packets of another session, for `INTERLEAVE`.

    Returns:
        The packets of the mutant, and what was done.

    Raises:
        ValueError: There is no such mutation, or there is no packet.
    """
    if not session:
        raise ValueError("a session without packets has no mutants")
    random = Random(seed)  # noqa: S311  # it has to be repeatable, not secret
    done = random.choice(list(SessionMutation)) if mutation is None else SessionMutation(mutation)
    packets = list(session)
    if done is SessionMutation.MUTATE_PACKET:
        at = random.randrange(len(packets))
        packets[at] = mutate(packets[at], random.getrandbits(32), donors=donors or packets).data
    else:
        SESSION_MUTATIONS[done](packets, donors, random)
    return packets, done


def custom_mutator(kind: type[Record] | str | None = None) -> Callable[[bytes, int, int], bytes]:
    """A mutator as atheris takes it: ``atheris.Setup(..., custom_mutator=custom_mutator())``.

    Args:
        kind: As for `mutate`; or ``"stream"`` for a session of several packets as one run of bytes.

    Returns:
        A function of data, greatest size and seed.
    """

    def mutate_bytes(data: bytes, max_size: int, seed: int) -> bytes:
        if kind == "stream":
            session = [item.data for item in PacketStream().frames(data, final=True)]
            if session:
                return b"".join(mutate_session(session, seed)[0])[:max_size]
        return mutate(data, seed, kind=None if kind == "stream" else kind, max_size=max_size).data

    return mutate_bytes


# ---------------------------------------------------------------------------------------------- own packets


@cache
def _own(kind: Any) -> tuple[View, ...]:
    return tuple(View(sample, kind) for sample in samples(kind))


def samples(kind: type[Record] | str | None = None) -> tuple[bytes, ...]:
    """A few conformant packets that between them have every header, or a few of another kind of bytes.

    Args:
        kind: As for `mutate`.  Other structures than packets and directory messages have no samples.
    """
    parts: Any = mqmq
    if kind in (None, "packet"):
        optional = [field.name for field in mqmq.UserMessage.layout.fields if field.present]
        headers = {name: Record.class_of(name)() for name in optional}
        direct = parts.MQFDirectQueueFormatName("OS:a\\b")
        headers["MultiQueueFormatHeader"] = parts.MultiQueueFormatHeader(
            Destination=parts.MQFAddressHeader(FormatNameList=[parts.MQFFormatNameElement(FormatName=direct)])
        )
        headers["SecurityHeader"] = parts.SecurityHeader(
            SecurityData=parts.SecurityData(SecurityID=bytes(16), Signature=bytes(16), SenderCert=b"cert")
        )
        full = parts.UserMessage(
            UserHeader=parts.UserHeader(DestinationQueue="DIRECT=OS:a\\b"),
            MessagePropertiesHeader=parts.MessagePropertiesHeader(
                Label="label\0", ExtensionData=b"extension", MessageBody=b"body"
            ),
            **headers,
        )
        body: Any = mqqb.OrderAckBody()
        properties = parts.MessagePropertiesHeader(
            Label=ORDER_LABEL, MessageClass=0xFF, MessageBody=body.encode()
        )
        head = parts.UserHeader(DestinationQueue="PRIVATE=00000000-0000-0000-0000-000000000000\\00000004")
        made: tuple[Any, ...] = (
            parts.UserMessage(),
            full,
            mqqb.OrderAck(UserHeader=head, MessagePropertiesHeader=properties),
            mqqb.EstablishConnection(),
            mqqb.ConnectionParameters(),
            mqqb.SessionAck(),
        )
    elif kind == "replication":
        change: Any = mqdsrp.DirectoryChange(PathName="a", PropertyID=[104, 108], PropertyValue=[1, "ab"])
        made = (
            mqdsrp.ChangePropagationMessage(DirectoryChanges=[change, change]),
            mqdsrp.SyncReplyMessage(DirectoryChanges=[change]),
            mqdsrp.ChangeRequestMessage(DirectoryChange=change),
            mqdsrp.SyncRequestMessage(RequesterName="a"),
            mqdsrp.ChangeReplyMessage(RequesterName="a"),
            mqdsrp.AlreadyPurgedMessage(),
            mqdsrp.PSCAckMessage(PSCName="a"),
            mqdsrp.BSCAckMessage(BSCName="a"),
        )
    elif kind == "notification":
        update: Any = mqcn.NotificationUpdate(PathName="a", PropertyId=[104], PropertyValue=[1])
        made = (mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=[update])),)
    else:
        made = ()
    return tuple(record.encode() for record in made)
