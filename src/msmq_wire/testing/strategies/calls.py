"""Strategies for RPC structures: any record of `msmq_wire.rpc`, generated from its layout."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from msmq_wire import rpc
from msmq_wire.ndr.model import Array, Embedded, Guid, Packed, Pointer, Scalar, String, Union, structures
from msmq_wire.records.registry import CLASSES

from .choices import guids
from .kinds import records, structure_name

if TYPE_CHECKING:
    from msmq_wire.ndr.model import Type
    from msmq_wire.ndr.record import NdrRecord

_MOST = 3
_MOST_OCTETS = 20
_DEPTH = 2
_LOADED = rpc  # importing it registers its layouts


def calls(kind: type[NdrRecord] | str) -> st.SearchStrategy[Any]:
    r"""Generate arbitrary structures of remote calls that encode and decode.

    Args:
        kind: A record class of `msmq_wire.rpc`, or its name.

    Raises:
        WrongTypeError: The argument is neither.
        MsmqWireError: There is no such structure.

    Examples:
        >>> from hypothesis import find
        >>> from msmq_wire import rpc
        >>> find(calls(rpc.BLOB), lambda blob: blob.cbSize > 1)
        BLOB(cbSize=2, pBlobData=b'\x00\x00')
    """
    return records_of(structure_name(kind, structures()), _DEPTH)


@cache
def records_of(name: str, depth: int) -> st.SearchStrategy[Any]:
    """Generate records of a structure; values within values are at most this deep."""
    layout = structures()[name]
    union = layout.fields[-1].type
    fixed = {
        field.name: values_of(field.type, depth)
        for field in layout.fields
        if field.name not in layout.counts and not isinstance(field.type, Union)
    }
    if not isinstance(union, Union):
        return _built(name, fixed)
    forms = []
    for value, arm in union.arms.items():
        if arm is not None and isinstance(arm.type, Embedded) and not depth and _nests(arm.type.name):
            continue
        arm_value = st.none() if arm is None else values_of(arm.type, depth)
        fixed_fields = {**fixed, union.selector: st.just(int(value)), layout.fields[-1].name: arm_value}
        forms.append(_built(name, fixed_fields))
    return st.one_of(forms)


def _built(name: str, fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(fields).map(lambda drawn: CLASSES[name](**drawn))


def _nests(name: str) -> bool:
    """Return whether a structure is an array of values that may contain such arrays."""
    kind = structures()[name].fields[-1].type
    return isinstance(kind, Pointer) and isinstance(kind.to, Array) and isinstance(kind.to.element, Embedded)


def values_of(kind: Type | String | Array, depth: int) -> st.SearchStrategy[Any]:
    """Generate values of a type."""
    match kind:
        case Scalar():
            return st.integers(*kind.bounds)
        case Guid():
            return guids()
        case Packed():
            return records(kind.name)
        case Embedded():
            return records_of(kind.name, depth)
        case String():
            return st.text(st.characters(exclude_characters="\0"), max_size=_MOST_OCTETS)
        case Pointer():
            return st.none() | values_of(kind.to, depth)
        case Array(element=Scalar(size=1)):
            return st.binary(max_size=_MOST_OCTETS)
        case Array():
            element = kind.element
            inner = depth - 1 if isinstance(element, Embedded) else depth
            return st.lists(values_of(element, inner), max_size=_MOST).map(tuple)
        case Union():
            raise AssertionError(kind)


def register() -> None:
    """Register the strategy `calls` for every record class with Hypothesis, when the package is imported."""
    for name in structures():
        st.register_type_strategy(CLASSES[name], records_of(name, _DEPTH))
