"""Mutating packets and sessions with knowledge of their structure; for fuzzers of any kind.

1. The same arguments give the same bytes, on every machine.
2. No Hypothesis, no atheris and no network: bytes go in and bytes come out.
3. Whatever the bytes, there is a mutant: bytes without structure have theirs changed as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire import PacketStream, Record, mqmq, mqqb
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.packet import ORDER_LABEL
from msmq_wire.values.buffers import as_bytes

from .numbers import View
from .operations import MUTATIONS, SESSION_MUTATIONS, Mutation, SessionMutation, Subject, change_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike

__all__ = [
    "Mutant",
    "Mutants",
    "Step",
    "custom_mutator",
    "mutants",
    "mutate",
    "mutate_session",
    "regressions",
    "samples",
]

_TRIES = 8
_FEW = frozenset({Mutation.FLIP_PRESENCE, Mutation.SELECT_FORM, Mutation.SET_KNOWN, Mutation.MOVE_BOUNDARY})
"""Mutations with few outcomes: a stack of bends draws them less often after the first."""
_LATER = tuple(
    mutation
    for mutation in Mutation
    if mutation is not Mutation.CUT_OFF  # it would undo the bends before it
    for _ in range(1 if mutation in _FEW else 4)
)
_PATIENCE = 50
"""Duplicates in a row after which there are taken to be no more mutants."""


class Step(NamedTuple):
    """One of the bends of a mutant.

    Attributes:
        mutation: What was done.
        path: Path of the field or part that it was done to, as `explain` and errors have it; empty where it
            was done to the whole.
    """

    mutation: Mutation
    path: str


class Mutant(NamedTuple):
    """Bytes that were mutated, and how.

    Attributes:
        data: The bytes.
        mutation: What was done; of several bends, the last.
        path: Path of the field or part that it was done to, as `explain` and errors have it; empty where it
            was done to the whole.
        seed: The seed, which makes it again.
        steps: All bends, in their order.
    """

    data: bytes
    mutation: Mutation
    path: str
    seed: int = 0
    steps: tuple[Step, ...] = ()


def mutate(
    data: bytes,
    seed: int,
    *,
    stacked: int = 1,
    mutation: Mutation | str | None = None,
    kind: type[Record] | str | None = None,
    donors: Iterable[bytes] = (),
    max_size: int | None = None,
) -> Mutant:
    """Bend a packet, or any other structure, in one place or several.

    Args:
        data: The bytes; they may be damaged already.
        seed: Which of the many mutants.
        stacked: How many bends, one after another.
        mutation: What to do; without it the seed decides.
        kind: What the bytes are: a record class, the name of a structure, ``"replication"`` for a message of
            [MC-MQDSRP], ``"notification"`` for one of [MS-MQCN]; without it a packet.
        donors: Other bytes of that kind, whose parts may be taken; without them some of our own.
        max_size: How many bytes to return at most.

    Returns:
        The mutant.  Where `mutation` has nothing to work on, `CHANGE_BYTES` takes its place, and the mutant
        says so.

    Raises:
        TypeError: `data` is no buffer.
        ValueError: There is no such mutation or structure, or there are no bends.
    """
    if stacked < 1:
        raise ValueError(f"stacked is {stacked}, not 1 or more")
    data = as_bytes(data)
    random = Random(seed)  # noqa: S311  # it has to be repeatable, not secret
    others = tuple(View(donor, kind) for donor in donors) or _own(kind)
    steps: list[Step] = []
    for number in range(stacked):
        if mutation is not None:
            wanted = [Mutation(mutation)]
        else:
            wanted = random.sample(_LATER if number else list(Mutation), _TRIES)
        step, data = _bend(Subject(View(data, kind), others, random), wanted)
        data = data[:max_size]
        steps.append(step)
    return Mutant(data, *steps[-1], seed, tuple(steps))


def _bend(subject: Subject, wanted: list[Mutation]) -> tuple[Step, bytes]:
    """Do one of the mutations, or else change bytes."""
    for name in wanted * _TRIES:
        change = MUTATIONS[name](subject)
        if change is not None and change.data != subject.view.data:
            return Step(name, change.path), change.data
    change = change_bytes(subject)
    return Step(Mutation.CHANGE_BYTES, change.path), change.data


class Mutants(Iterator[Mutant]):
    """Mutants of one input, each unlike the others; what `mutants` returns.

    Attributes:
        duplicates: How many were left out so far because they had come before.
    """

    __slots__ = ("_left", "_make", "_seed", "_seen", "duplicates")

    def __init__(self, make: Callable[[int], Mutant], n: int, seed: int, original: bytes) -> None:
        """Begin; use `mutants`."""
        self._make = make
        self._left = n
        self._seed = seed
        self._seen = {_mark(original)}
        self.duplicates = 0

    def __next__(self) -> Mutant:
        """Make the next one."""
        if self._left <= 0:
            raise StopIteration
        for _ in range(_PATIENCE):
            made = self._make(self._seed)
            self._seed += 1
            mark = _mark(made.data)
            if mark not in self._seen:
                self._seen.add(mark)
                self._left -= 1
                return made
            self.duplicates += 1
        self._left = 0
        raise StopIteration


def _mark(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


def mutants(
    data: bytes,
    n: int,
    *,
    stacked: int = 2,
    seed: int = 0,
    mutation: Mutation | str | None = None,
    kind: type[Record] | str | None = None,
    donors: Iterable[bytes] = (),
    max_size: int | None = None,
) -> Mutants:
    """Make many mutants of one input, no two of them alike, and none like the input.

    Args:
        data: The bytes.
        n: How many.  There are fewer where 50 attempts in a row give nothing new.
        stacked: How many bends each has.
        seed: The first seed; seeds are counted up.
        mutation: As for `mutate`.
        kind: As for `mutate`.
        donors: As for `mutate`.
        max_size: As for `mutate`.

    Returns:
        An iterator that makes one after another and counts `duplicates`.  It remembers 16 bytes of each.

    Raises:
        TypeError: `data` is no buffer.
        ValueError: There are no bends; when the first one is made, there is no such mutation or structure.

    Examples:
        >>> from msmq_wire import mqqb
        >>> found = mutants(mqqb.SessionAck().encode(), 100)
        >>> len({mutant.data for mutant in found})
        100
    """
    if stacked < 1:
        raise ValueError(f"stacked is {stacked}, not 1 or more")
    data, kept = as_bytes(data), tuple(donors)

    def make(number: int) -> Mutant:
        return mutate(
            data, number, stacked=stacked, mutation=mutation, kind=kind, donors=kept, max_size=max_size
        )

    return Mutants(make, n, seed, data)


def regressions(directory: str | PathLike[str]) -> dict[str, bytes]:
    """The inputs that a fuzzer has found, so that one line tests all of them for ever.

    Args:
        directory: A folder of files as atheris, libFuzzer and AFL write them.  A file ``*.hex`` has digits.

    Returns:
        The bytes by file name, in the order of the names.

    Raises:
        OSError: There is no such folder.
        ValueError: A file ``*.hex`` has something else.

    Examples:
        A line for pytest, ``found`` being the folder::

            @pytest.mark.parametrize("data", mt.regressions("found").values())
            def test_found(data): check(data)
    """
    files = sorted(path for path in Path(directory).iterdir() if path.is_file())
    return {
        path.name: bytes.fromhex(path.read_text("ascii")) if path.suffix == ".hex" else path.read_bytes()
        for path in files
    }


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
