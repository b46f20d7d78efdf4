"""Strategies by structure: any record, a valid record, slightly damaged bytes.

1. A kind is a record class or the name of its structure.
2. A structure without requirements, such as a pair of numbers, is always valid.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, overload

from hypothesis import strategies as st

from msmq_wire import Record
from msmq_wire.checks.rules import RULES
from msmq_wire.documents.layouts import structures
from msmq_wire.values.errors import MsmqWireError, need
from msmq_wire.values.hints import no_structure
from msmq_wire.views.calls import call_class

from . import directory as _directory
from . import headers as _headers
from . import packets as _packets
from .any_record import damaged, drafts
from .generic import maker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from .choices import Dice

_R = TypeVar("_R", bound=Record)
MAKERS: dict[str, Callable[[Dice], Any]] = {
    **_headers.MAKERS,
    **_packets.MAKERS,
    **_directory.MAKERS,
}


def structure_name(kind: type[Any] | str, names: Collection[str] | None = None) -> str:
    """Return the name of the structure of a record class, or check a name.

    Args:
        kind: The class or name.
        names: The names of all structures; those of the documents by default.

    Raises:
        WrongTypeError: The argument is neither.
        MsmqWireError: There is no such structure.
    """
    need("kind", kind, (str, type), "a record class, or the name of a structure")
    name = kind if isinstance(kind, str) else kind.__name__
    if names is None and call_class(kind) is not None:
        raise MsmqWireError(f"{name} is a structure of remote calls: use calls({name!r})")
    names = structures() if names is None else names
    if name not in names:
        raise MsmqWireError(no_structure(kind, names))
    return name


@overload
def records(kind: type[_R], *, well_formed: bool = False) -> st.SearchStrategy[_R]: ...
@overload
def records(kind: str, *, well_formed: bool = False) -> st.SearchStrategy[Any]: ...
def records(kind: Any, *, well_formed: bool = False) -> st.SearchStrategy[Any]:
    """Generate arbitrary records of a structure that encode and decode; they may violate requirements.

    Records of some structures can only be decoded within the structure that has their sizes or counts:
    SecurityData in a SecurityHeader, NotificationUpdates in a ChangeNotificationMessage.

    Args:
        kind: A record class, or the name of a structure.
        well_formed: Whether texts are well-formed UTF-16; otherwise they may have lone surrogates.

    Raises:
        MsmqWireError: There is no such structure.

    Examples:
        >>> from hypothesis import find
        >>> from msmq_wire import mqmq
        >>> find(records(mqmq.TxSequenceID), lambda sequence: sequence.Ordinal > 0)
        TxSequenceID(Ordinal=1, TimeStamp=0)
    """
    return drafts(structures()[structure_name(kind)], tidy=well_formed)


@overload
def valid(kind: type[_R]) -> st.SearchStrategy[_R]: ...
@overload
def valid(kind: str) -> st.SearchStrategy[Any]: ...
def valid(kind: Any) -> st.SearchStrategy[Any]:
    """Generate records of a structure without violations on the levels must and should.

    As those of `records`, some can only be decoded within another structure.

    Args:
        kind: A record class, or the name of a structure.

    Raises:
        WrongTypeError: The argument is neither.
        MsmqWireError: There is no such structure.

    Examples:
        >>> from hypothesis import find
        >>> from msmq_wire import mqmq
        >>> find(valid(mqmq.DebugHeader), lambda header: True)
        DebugHeader(Flags=DebugHeaderFlags(0))
    """
    return _valid(structure_name(kind))


@cache
def _valid(name: str) -> st.SearchStrategy[Any]:
    make = MAKERS.get(name) or (maker(name) if name in RULES else None)
    return drafts(structures()[name], tidy=True) if make is None else _packets.from_dice(make)


def near_valid_bytes(kind: type[Record] | str) -> st.SearchStrategy[bytes]:
    """Generate the bytes of a conformant record with one to three changes.

    Bits are flipped, bytes are set, incremented, dropped or inserted, and the end is truncated or extended.

    Args:
        kind: A record class, or the name of a structure.

    Raises:
        MsmqWireError: There is no such structure.
    """
    return valid(kind).flatmap(lambda record: damaged(record.encode()))


def register() -> None:
    """Tell Hypothesis the strategy `valid` for every record class; done when this package is imported.

    Examples:
        >>> from hypothesis import find, strategies as st
        >>> from msmq_wire import mqqb
        >>> find(st.from_type(mqqb.PingPacket), lambda ping: True).Signature
        21832
    """
    for name in structures():
        st.register_type_strategy(Record.class_of(name), _valid(name))
