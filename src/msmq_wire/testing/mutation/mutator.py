"""Structure-aware mutation of packets and sessions, for all kinds of fuzzers.

1. The same arguments give the same bytes, on every machine.
2. No Hypothesis, no atheris and no network: bytes go in and bytes come out.
3. All inputs have mutants: bytes without a known structure are mutated as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingABC
from functools import cache, partial
from hashlib import blake2b
from math import inf
from os import PathLike
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from msmq_wire import GUID, PacketStream, Record, mqmq, mqqb, replace
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.packets.packet import ORDER_LABEL
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.errors import MsmqWireError, WrongTypeError, need, need_within, wrong_type

from .numbers import View, named_structure
from .operations import MUTATIONS, SESSION_MUTATIONS, Mutation, SessionMutation, Subject, change_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_TRIES = 8
WEIGHTS: Final = MappingProxyType(
    dict.fromkeys(Mutation, 4)
    | {
        Mutation.FLIP_PRESENCE: 1,
        Mutation.SELECT_FORM: 1,
        Mutation.SET_KNOWN: 1,
        Mutation.MOVE_BOUNDARY: 1,
        Mutation.CUT_OFF: 1,
        Mutation.CHANGE_BYTES: 8,
    }
)
"""How often a mutation is chosen within a stack: less often if it has few results, so that mutants differ."""
_PATIENCE = 50
"""Number of consecutive attempts without a new mutant, after which there are no more."""


class Step(NamedTuple):
    """One mutation of a mutant.

    Attributes:
        mutation: The kind of mutation.
        path: Path of the mutated field or header, as in `explain` and errors; ``byte N`` if it is not a
            field.
    """

    mutation: Mutation
    path: str


class Mutant(NamedTuple):
    """Mutated bytes, with a description of the mutations.

    Attributes:
        data: The bytes.
        mutation: The kind of the last mutation.
        path: Path of the last mutated field or header, as in `explain` and errors; ``byte N`` if it is not a
            field.
        seed: The seed that reproduces the mutant: ``mutate(..., seed, stacked=len(steps))`` with the same
            other arguments.
        steps: All mutations, in order.
    """

    data: bytes
    mutation: Mutation
    path: str
    seed: int = 0
    steps: tuple[Step, ...] = ()


class SessionMutant(NamedTuple):
    """A mutated session.

    Attributes:
        packets: The packets in order.
        steps: The mutations, in order.
        seed: The seed of the mutant.
    """

    packets: tuple[bytes, ...]
    steps: tuple[SessionMutation, ...]
    seed: int


_M = TypeVar("_M", Mutant, SessionMutant)


def mutate(
    data: bytes,
    seed: int,
    *,
    stacked: int = 1,
    mutation: Mutation | str | None = None,
    kind: type[Record] | str | None = None,
    donors: Iterable[bytes] = (),
    max_size: int | None = None,
    weights: Mapping[Mutation, int] | None = None,
) -> Mutant:
    """Apply one or several mutations to a packet or any other structure.

    Args:
        data: The bytes; they may already be damaged.
        seed: The seed, which determines the mutant.
        stacked: The number of consecutive mutations.
        mutation: The kind of mutation; by default the seed decides.
        kind: The structure of the bytes: a record class, the name of a structure, ``"replication"`` for a
            message of [MC-MQDSRP], ``"notification"`` for one of [MS-MQCN]; by default a packet.
        donors: Other bytes of that kind, whose headers may be inserted; by default built-in samples.
        max_size: The maximum size of the mutant in bytes.
        weights: How often each kind of mutation is chosen, relative to the others; kinds that are missing are
            never chosen.  By default all are chosen equally often, and `WEIGHTS` holds within a stack.

    Returns:
        The mutant.  If `mutation` is not applicable, `CHANGE_BYTES` is used instead, and reported in the
        mutant.  If no kind with a weight is applicable after an earlier step, there are fewer steps.

    Raises:
        WrongTypeError: `data` is not a buffer, or another argument has the wrong type.
        MsmqWireError: There is no such mutation or structure, no kind with a weight is applicable, `stacked`
            is less than 1, or `max_size` is negative.
    """
    check_numbers(seed=seed, stacked=stacked, **_stated(max_size=max_size))
    named_structure(kind)
    data = as_bytes(data)
    original = data
    random = Random(seed)  # noqa: S311  # it must be repeatable, not secure
    others = tuple(View(donor, kind) for donor in buffers("donors", donors)) or _own(kind)
    steps: list[Step] = []
    for number in range(stacked):
        only_wanted = False
        if mutation is not None:
            need("mutation", mutation, str, "the name of a mutation")
            wanted = [Mutation(mutation)]
        else:
            among = _pool(weights if weights is not None or stacked == 1 else WEIGHTS, later=number > 0)
            wanted = random.choices(among, k=_TRIES) if len(among) < _TRIES else random.sample(among, _TRIES)
            if weights is not None and Mutation.CHANGE_BYTES not in among:
                only_wanted = True
                wanted += dict.fromkeys(among)
        bent = _bend(Subject(View(data, kind), others, random), wanted, original, only_wanted=only_wanted)
        if bent is None:
            break
        step, data = bent
        data = data[:max_size]
        steps.append(step)
    if not steps:
        raise MsmqWireError("weights: no mutation with a weight is applicable to these bytes")
    return Mutant(data, *steps[-1], seed, tuple(steps))


_MOST_WEIGHT: Final = 10_000
"""The sum of the weights above which they are reduced; what they are to each other counts."""


def _pool(weights: Mapping[Mutation, int] | None, *, later: bool) -> list[Mutation]:
    """Return each kind of mutation as often as its weight; later ones do not remove earlier ones.

    Raises:
        WrongTypeError: A weight is not a number.
        MsmqWireError: A weight is negative, there is no such mutation, or all weights are zero.
    """
    if weights is None:
        return list(Mutation)
    need("weights", weights, MappingABC, "a mapping of mutations to numbers")
    check_numbers(**{Mutation(name): weight for name, weight in weights.items()})
    scale = max(sum(weights.values()) // _MOST_WEIGHT, 1)
    pool = [
        Mutation(name)
        for name, weight in weights.items()
        for _ in range(max(weight // scale, 1) if weight else 0)
    ]
    if not pool:
        raise MsmqWireError("weights: all of them are zero, so no mutation can be chosen")
    return [name for name in pool if not later or name is not Mutation.CUT_OFF] or pool


_LEAST = {"seed": -inf, "stacked": 1}


def check_numbers(**numbers: int) -> None:
    """Reject a text in place of a number: it would be a valid seed, but not the printed one.

    Raises:
        WrongTypeError: A number is not an integer.
        MsmqWireError: The number is too small.
    """
    for name, number in numbers.items():
        need(name, number, int, "a whole number")
        least = _LEAST.get(name, 0)
        need_within(name, number, least, inf, f"{least} or more")


def _stated(**numbers: int | None) -> dict[str, int]:
    """Return the numbers that are given."""
    return {name: number for name, number in numbers.items() if number is not None}


def buffers(name: str, given: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the bytes of several buffers.

    Raises:
        WrongTypeError: The argument is one buffer or not a collection, or an element is not a buffer.
    """
    if isinstance(given, (str, bytes, bytearray, memoryview)) or not isinstance(given, Iterable):
        raise WrongTypeError(f"{name}: {wrong_type('a collection of packets', given)}")
    return tuple(map(as_bytes, given))


def _bend(
    subject: Subject, wanted: list[Mutation], original: bytes, *, only_wanted: bool
) -> tuple[Step, bytes] | None:
    """Apply one of the mutations, or else change bytes; a later mutation does not undo the earlier ones."""
    for name in wanted * _TRIES:
        change = MUTATIONS[name](subject)
        if change is not None and change.data not in (subject.view.data, original):
            return Step(name, change.path), change.data
    if only_wanted:
        return None
    change = change_bytes(subject)
    while change.data in (subject.view.data, original):  # a byte may be given the value that it has
        change = change_bytes(subject)
    return Step(Mutation.CHANGE_BYTES, change.path), change.data


class Mutants(Iterator[_M]):
    """An iterator over distinct mutants of one input; the result of `mutants` and `session_mutants`.

    Attributes:
        duplicates: The number of duplicates omitted so far.
    """

    __slots__ = ("_left", "_make", "_seed", "digests", "duplicates")

    def __init__(
        self, make: Callable[[int], _M], n: int, seed: int, original: bytes | tuple[bytes, ...]
    ) -> None:
        """Create the iterator; use `mutants` or `session_mutants`."""
        self._make: Callable[[int], _M] = make
        self._left = n
        self._seed = seed
        self.digests = {_mark(original)}
        self.duplicates = 0

    def __next__(self) -> _M:
        """Create the next mutant."""
        if self._left <= 0:
            raise StopIteration
        for _ in range(_PATIENCE):
            mutant = self._make(self._seed)
            self._seed += 1
            mark = _mark(mutant[0])
            if mark not in self.digests:
                self.digests.add(mark)
                self._left -= 1
                return mutant
            self.duplicates += 1
        self._left = 0
        raise StopIteration


def _mark(contents: bytes | tuple[bytes, ...]) -> bytes:
    """Return a digest of the bytes of a mutant, or of the packets of one."""
    data = contents if isinstance(contents, bytes) else b"".join(map(_mark, contents))
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
    weights: Mapping[Mutation, int] | None = None,
) -> Mutants[Mutant]:
    """Make many distinct mutants of one input, all different from the input.

    Args:
        data: The bytes.
        n: The number of mutants.  There are fewer if 50 consecutive attempts give duplicates.
        stacked: The number of mutations of each; `mutate` needs the same to reproduce one.
        seed: The first seed; it is incremented for each attempt.
        mutation: As for `mutate`.
        kind: As for `mutate`.
        donors: As for `mutate`.
        max_size: As for `mutate`.
        weights: As for `mutate`.

    Returns:
        A lazy iterator that counts `duplicates`, and that can be pickled.  It stores a digest of 16 bytes for
        each mutant.

    Raises:
        WrongTypeError: `data` is not a buffer, or another argument has the wrong type.
        MsmqWireError: `stacked` is less than 1, or another number is negative; on the first iteration, there
            is no such mutation or structure, or no kind with a weight is applicable.

    Examples:
        >>> from msmq_wire import mqqb
        >>> data = mqqb.SessionAck().encode()
        >>> found = list(mutants(data, 100))
        >>> len({mutant.data for mutant in found})
        100
        >>> mutate(data, found[7].seed, stacked=len(found[7].steps)) == found[7]
        True
    """
    check_numbers(n=n, stacked=stacked, seed=seed, **_stated(max_size=max_size))
    data, kept = as_bytes(data), buffers("donors", donors)

    make = partial(
        mutate,
        data,
        stacked=stacked,
        mutation=mutation,
        kind=kind,
        donors=kept,
        max_size=max_size,
        weights=weights,
    )
    return Mutants(make, n, seed, data)


def regressions(directory: str | PathLike[str]) -> dict[str, bytes]:
    """Read the findings of a fuzzer, so that one line tests all of them.

    Args:
        directory: A folder of files as atheris, libFuzzer and AFL write them, or one such file.  All files of
            the folder are read, but none of its subfolders.  Files ``*.hex``, in any case, have hexadecimal
            digits, and all others are read as they are.

    Returns:
        The bytes by file name, in the order of the names.

    Raises:
        OSError: There is no such folder or file.
        MsmqWireError: A file ``*.hex`` contains other characters.

    Examples:
        A line for pytest, ``found`` being the folder::

            @pytest.mark.parametrize("data", mt.regressions("found").values())
            def test_found(data): check(data)
    """
    need("directory", directory, (str, PathLike), "a path")
    given = Path(directory)
    files = [given] if given.is_file() else sorted(path for path in given.iterdir() if path.is_file())
    return {path.name: _finding(path) for path in files}


def _finding(path: Path) -> bytes:
    if path.suffix.lower() != ".hex":
        return path.read_bytes()
    try:
        return bytes.fromhex(path.read_text("ascii"))
    except ValueError as error:
        raise MsmqWireError(f"{path} does not contain only hexadecimal digits: {error}") from None


def mutate_session(
    session: Sequence[bytes],
    seed: int,
    *,
    mutation: SessionMutation | str | None = None,
    donors: Sequence[bytes] = (),
) -> tuple[list[bytes], SessionMutation]:
    """Mutate the order of the packets of a session, or one of its packets.

    Args:
        session: The packets in order, of one direction or of both.
        seed: The seed, which determines the mutant.
        mutation: The kind of mutation; by default the seed decides.
        donors: Packets of another session, for `INTERLEAVE`.

    Returns:
        The packets of the mutant, which differ from those of the session, and the kind of mutation.  If
        `mutation` changes nothing, such as the order of equal packets, `MUTATE_PACKET` is used instead.

    Raises:
        WrongTypeError: `session` or `donors` is not a sequence of buffers, or another argument has the wrong
            type.
        MsmqWireError: There is no such mutation, or there is no packet.
    """
    check_numbers(seed=seed)
    need("mutation", mutation, (str, type(None)), "the name of a mutation")
    original, donors = buffers("session", session), buffers("donors", donors)
    if not original:
        raise MsmqWireError("a session without packets has no mutants")
    random = Random(seed)  # noqa: S311  # it must be repeatable, not secure
    for _ in range(_PATIENCE):
        packets = list(original)
        done = random.choice(list(SessionMutation)) if mutation is None else SessionMutation(mutation)
        if done is SessionMutation.MUTATE_PACKET:
            break
        SESSION_MUTATIONS[done](packets, donors, random)
        if tuple(packets) != original:
            return packets, done
    at = random.randrange(len(original))
    changed = mutate(original[at], random.getrandbits(32), donors=donors or original).data
    return [*original[:at], changed, *original[at + 1 :]], SessionMutation.MUTATE_PACKET


def session_mutants(
    session: Sequence[bytes], n: int, *, stacked: int = 2, seed: int = 0, donors: Sequence[bytes] = ()
) -> Mutants[SessionMutant]:
    """Make distinct mutants of a session, each with several mutations: refused, restarted, out of order.

    Args:
        session: The packets in order, of one direction or of both.
        n: The number of mutants.  There are fewer if 50 consecutive attempts give duplicates.
        stacked: The number of mutations of each.
        seed: The first seed; it is incremented for each attempt.
        donors: Packets of another session, for `SessionMutation.INTERLEAVE`.

    Returns:
        A lazy iterator as that of `mutants`; all mutants differ from the session.

    Raises:
        WrongTypeError: `session` or `donors` is not a sequence of buffers, or a number is not an integer.
        MsmqWireError: `stacked` is less than 1, another number is negative, or there is no packet.

    Examples:
        >>> from msmq_wire import mqqb
        >>> handshake = [mqqb.EstablishConnection().encode(), mqqb.ConnectionParameters().encode()]
        >>> mutant = next(session_mutants(handshake, 10, seed=3))
        >>> len(mutant.steps)
        2
    """
    check_numbers(n=n, stacked=stacked, seed=seed)
    original = buffers("session", session)
    if not original:
        raise MsmqWireError("a session without packets has no mutants")
    make = partial(_session_mutant, original, stacked, buffers("donors", donors))
    return Mutants(make, n, seed, original)


def _session_mutant(
    session: tuple[bytes, ...], stacked: int, donors: Sequence[bytes], seed: int
) -> SessionMutant:
    random = Random(seed)  # noqa: S311  # it must be repeatable, not secure
    packets, steps = list(session), []
    for _ in range(stacked):
        packets, step = mutate_session(packets or session, random.getrandbits(32), donors=donors)
        steps.append(step)
    return SessionMutant(tuple(packets), tuple(steps), seed)


def custom_mutator(kind: type[Record] | str | None = None) -> Callable[[bytes, int, int], bytes]:
    """Create a mutator for atheris: ``atheris.Setup(..., custom_mutator=custom_mutator())``.

    Args:
        kind: As for `mutate`; or ``"stream"`` for the bytes of several packets.

    Returns:
        A function of data, maximum size and seed.

    Raises:
        WrongTypeError: `kind` is neither a class nor a name.
        MsmqWireError: There is no such structure.
    """
    if kind != "stream":
        named_structure(kind)  # raises now rather than within the fuzzer

    def mutate_bytes(data: bytes, max_size: int, seed: int) -> bytes:
        check_numbers(max_size=max_size, seed=seed)
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
    """A few conformant packets and one with every header, or samples of another structure.

    The one with every header, the second, also has those of HTTP, which occur in remote reads only, and so it
    violates MQMQ-2.2.19.2-31.

    Args:
        kind: As for `mutate`.  Other structures than packets and directory messages have no samples.

    Raises:
        WrongTypeError: `kind` is neither a class nor a name.
        MsmqWireError: There is no such structure.
    """
    named_structure(kind)
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
        manager = GUID(b"\x11" * 16)
        head = parts.UserHeader(QueueManagerAddress=manager, DestinationQueue=f"PRIVATE={manager}\\00000004")
        records: tuple[Any, ...] = (
            parts.UserMessage(),
            full,
            mqqb.OrderAck(UserHeader=head, MessagePropertiesHeader=properties),
            mqqb.EstablishConnection(),
            mqqb.ConnectionParameters(),
            mqqb.SessionAck(),
        )
    elif kind == "replication":
        change: Any = mqdsrp.DirectoryChange(PathName="a", PropertyID=[104, 108], PropertyValue=[1, "ab"])
        first = replace(change, SeqNumber=1)
        second = replace(change, PreviousSeqNumber=1, SeqNumber=2)
        deletion = mqdsrp.DirectoryChange(
            Command=2, GuidIdentifier=GUID(b"\x11" * 16), PropertyID=[1403, 1404], PropertyValue=[1, 3]
        )
        site = GUID(b"\x22" * 16)
        sent: Any = {"BaseReplicationHeader": mqdsrp.BaseReplicationHeader(SiteID=site)}
        records = (
            mqdsrp.ChangePropagationMessage(DirectoryChanges=[first, second], **sent),
            mqdsrp.SyncReplyMessage(
                SyncReplyHeader=mqdsrp.SyncReplyHeader(**sent), DirectoryChanges=[deletion]
            ),
            mqdsrp.ChangeRequestMessage(
                ChangeRequestHeader=mqdsrp.ChangeRequestHeader(**sent), DirectoryChange=change
            ),
            mqdsrp.SyncRequestMessage(RequesterName="a", **sent),
            mqdsrp.ChangeReplyMessage(RequesterName="a", **sent),
            mqdsrp.AlreadyPurgedMessage(**sent),
            mqdsrp.PSCAckMessage(PSCSiteID=site, PSCName="a", **sent),
            mqdsrp.BSCAckMessage(BSCMachineID=site, BSCName="a", **sent),
        )
    elif kind == "notification":
        update: Any = mqcn.NotificationUpdate(PathName="a", PropertyId=[104], PropertyValue=[1])
        records = (mqcn.ChangeNotificationMessage(Data=mqcn.NotificationUpdates(Updates=[update])),)
    else:
        records = ()
    return tuple(record.encode() for record in records)
