"""Conversion of records to dictionaries of JSON types, and back.

1. The keys are the field names of the documents, in wire order; nested records are dictionaries, arrays are
   lists, absent headers are None.
2. Numbers are `int`, GUIDs lower-case text, bytes and sequence numbers lower-case hexadecimal, texts `str`
   with terminators and lone surrogates unchanged, flags words dictionaries of all their groups, property
   values dictionaries of their variant type `vt` and their `value`.
3. ``from_dict(to_dict(record)) == record`` for every record, also for an inconsistent one.
4. A missing key or null counts as omitted, and is computed as in the constructor of the record.
5. The keys determine the structure.  Only OrderAck and FinalAck have the same keys; the label and class of
   the message distinguish them, as in `packets.decode`.  An acknowledgment without the label or the class of
   its kind, and all structures of remote calls, have the additional key `STRUCTURE`.
6. For every argument, `from_dict` returns a record or raises an `EncodeError` with the full path.
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

from msmq_wire import mqqb
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.ndr.record import NdrRecord
from msmq_wire.packets.packet import ORDER_LABEL, class_of, kind_by_class
from msmq_wire.packets.partial import LaxResult, nested
from msmq_wire.records.plain import fitting
from msmq_wire.records.record import Flags, Record, record_class
from msmq_wire.values.buffers import no_record
from msmq_wire.values.errors import EncodeError, MsmqWireError
from msmq_wire.values.guid import GUID
from msmq_wire.values.plain import refuse, shown_key
from msmq_wire.values.plain_properties import properties
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

from .calls import from_plain, to_plain

STRUCTURE = "$structure"
"""The key that names the structure, required if the other keys do not determine it."""


# ---------------------------------------------------------------------------------------------- to plain


def to_dict(record: Record | NdrRecord | LaxResult) -> dict[str, Any]:
    """Convert a record to a dictionary of types that `json.dumps` accepts.

    Args:
        record: A packet, a structure of remote calls, or any other record; or a result of `decode_lax`.

    Returns:
        A new dictionary, keys in wire order.  For a truncated or damaged packet it has the decoded fields,
        ``$structure`` if the type of the packet is known, ``$error``, ``$errors``, ``$reached``, ``$cut``
        with the available part of a truncated field, ``$doubtful`` with the fields whose offset is uncertain,
        and ``$left_out`` if elements of arrays were omitted.

    Raises:
        TypeError: The argument is not a record; the error explains how to pass bytes.
    """
    if isinstance(record, NdrRecord):
        return {STRUCTURE: type(record).__name__, **to_plain(record)}
    if isinstance(record, LaxResult):
        return _partial(record)
    if not isinstance(record, Record):
        raise no_record(record)
    plain = record._plain()
    if isinstance(record, (mqqb.OrderAck, mqqb.FinalAck)) and _recognize(plain) is not type(record):
        return {STRUCTURE: type(record).__name__, **plain}
    return plain


def _partial(result: LaxResult) -> dict[str, Any]:
    if result.packet is not None:
        packet = result.packet
        return properties((packet,))[0] if isinstance(packet, PropertyValue) else to_dict(packet)
    kind = result.source and structures().get(result.source.kind)  # None for structures of remote calls
    plain: dict[str, Any] = {} if result.source is None else {STRUCTURE: result.source.kind}
    plain |= nested(result.fields, _by_type, kind)
    plain["$error"] = str(result.error)
    plain["$errors"] = [str(error) for error in result.errors]
    reached, cut = result.reached, result.cut
    plain["$reached"] = None if reached is None else reached._asdict()
    plain["$cut"] = None if cut is None else {**cut._asdict(), "value": _by_type(cut.value)}
    plain["$doubtful"] = nested(result.doubtful, _by_type)
    if result.left_out:
        plain["$left_out"] = result.left_out
    return plain


def _by_type(value: Any) -> Any:
    """Convert a value outside of a record."""
    if isinstance(value, PropertyValue):
        return properties((value,))[0]
    if isinstance(value, Flags):
        return value.to_dict()
    if isinstance(value, (GUID, SEQUENCE_NUMBER)):
        return str(value)
    if isinstance(value, tuple):
        return [_by_type(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


# ------------------------------------------------------------------------------------------ from plain


_Kind = TypeVar("_Kind", bound="Record | NdrRecord")


@overload
def from_dict(plain: Any, kind: type[_Kind]) -> _Kind: ...
@overload
def from_dict(plain: Any, kind: str | None = None) -> Any: ...
def from_dict(plain: Any, kind: type[Any] | str | None = None) -> Any:
    """Convert a dictionary to a record.

    Args:
        plain: A result of `to_dict`, or a dictionary of the same form; missing and None values are computed.
        kind: The record class or its name.  By default the keys determine it.

    Returns:
        A record of that class.

    Raises:
        EncodeError: A key is unknown, a value has the wrong type or does not fit, or the keys do not
            determine the structure.
    """
    if not isinstance(plain, dict):
        name = kind if isinstance(kind, str) else getattr(kind, "__name__", "Record")
        refuse("Record", name, plain, "a dictionary")
    cls = None if kind is None else _class_of(kind)
    if STRUCTURE in plain:
        stated = _class_of(plain[STRUCTURE])
        if cls is not None and cls is not stated:
            raise EncodeError(
                f"expected {cls.__name__}, got {stated.__name__}",
                structure=cls.__name__,
                path=f"{cls.__name__}.{STRUCTURE}",
                expected=cls.__name__,
                actual=stated.__name__,
            )
        cls = stated
        plain = {key: value for key, value in plain.items() if key != STRUCTURE}
    if cls is None:
        cls = _recognize(plain)
    if cls is None:
        raise EncodeError(
            f"the keys do not determine the structure; give kind or {STRUCTURE}",
            structure="Record",
            path="Record",
            expected=f"the field names of one structure, or {STRUCTURE}",
            actual=[shown_key(key) for key in plain],
        )
    if issubclass(cls, NdrRecord):
        try:
            return from_plain(cls, plain, cls.__name__)
        except RecursionError:
            raise EncodeError(
                "is nested too deep", structure=cls.__name__, path=cls.__name__, actual=plain
            ) from None
    return cls._from_plain(plain, cls.__name__)


def _class_of(kind: Any) -> type[Any]:
    try:
        known: type[Any] = class_of(kind)
    except MsmqWireError as error:
        raise EncodeError(
            str(error), structure="Record", path="Record", expected="a record class", actual=kind
        ) from None
    return known


# ------------------------------------------------------------------------------------- telling structures


def _recognize(plain: dict[Any, Any]) -> Any:
    """Return the record class that the keys determine, or None."""
    keys = plain.keys()
    if keys and keys <= mqqb.OrderAck.layout.by_name.keys():
        return _acknowledgment(plain.get("MessagePropertiesHeader"))
    fits = fitting(plain, structures().values())
    return record_class(fits[0].name) if len(fits) == 1 else None


def _acknowledgment(properties: Any) -> Any:
    """Return OrderAck, FinalAck or UserMessage, by the properties of the message ([MS-MQQB] 3.1.5.1.1)."""
    properties = properties if isinstance(properties, dict) else {}
    label, number = properties.get("Label"), properties.get("MessageClass")
    labelled = isinstance(label, str) and label.removesuffix("\0") == ORDER_LABEL.removesuffix("\0")
    return kind_by_class(number) if labelled and isinstance(number, int) else UserMessage
