"""Properties that interpret structures of remote calls, and class methods that create them from values."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any

from msmq_wire.names import format_names
from msmq_wire.names.grammar import READ_ONLY, suffix_text
from msmq_wire.records.registry import CLASSES
from msmq_wire.values.enumerations import QUEUE_FORMAT_TYPE, QUEUE_SUFFIX_TYPE, SectionType
from msmq_wire.values.errors import EncodeError, WrongTypeError, wrong_type
from msmq_wire.values.guid import NULL_GUID
from msmq_wire.values.properties.types import BLOBS, CLSID, TEXTS, VARIANTS, VECTOR, name_of
from msmq_wire.values.properties.values import PropertyValue

from .model import Embedded
from .record import NdrRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.values import enumerations

_SYSTEM = 0x80


# ------------------------------------------------------------------------------------------ QUEUE_FORMAT


def suffix(record: Any) -> enumerations.QUEUE_SUFFIX_TYPE | int:
    """From `m_SuffixAndFlags`: the suffix type; unknown values are returned as `int`."""
    number: int = record.m_SuffixAndFlags & 0xF
    return QUEUE_SUFFIX_TYPE(number) if number in set(QUEUE_SUFFIX_TYPE) else number


def is_system(record: Any) -> bool:
    """From `m_SuffixAndFlags`: whether the queue is a system queue."""
    return bool(record.m_SuffixAndFlags & _SYSTEM)


def format_name(record: Any) -> format_names.FormatName | None:
    """The format name; None for QUEUE_FORMAT_TYPE_UNKNOWN.

    Raises:
        EncodeError: The value is not a format name, such as one with an invalid suffix.
    """
    kind, value = record.m_qft, record._union  # noqa: SLF001  # a name of the document
    suffix_type: Any = suffix(record)
    match kind:
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_PUBLIC:
            return format_names.PublicName(value, suffix_type)
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_PRIVATE:
            return format_names.PrivateName(value.Lineage, value.Uniquifier, suffix_type)
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_DIRECT | QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_SUBQUEUE:
            name = format_names.DirectName.from_wire_text(value or "")
            if suffix_type in READ_ONLY and not name.suffix:
                name = format_names.DirectName.from_wire_text(f"{value}{suffix_text(suffix_type)}")
            if suffix_type in READ_ONLY and name.suffix != suffix_type:  # it would name another queue
                raise EncodeError(
                    f"{value} cannot have the suffix {suffix_type.name}",
                    structure="QUEUE_FORMAT",
                    path="QUEUE_FORMAT.m_SuffixAndFlags",
                    expected=name.suffix,
                    actual=suffix_type,
                )
            return name
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_MACHINE:
            return format_names.MachineName(value, suffix_type)
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_CONNECTOR:
            return format_names.ConnectorName(value, suffix_type)
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_DL:
            return format_names.DistributionListName(value.m_DlGuid, value.m_pwzDomain or None)
        case QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_MULTICAST:
            address = IPv4Address(value.m_address.to_bytes(4, "little"))
            return format_names.MulticastName(str(address), value.m_port)
    return None


def queue_format(cls: Any, name: format_names.FormatName | str) -> Any:
    """Create a QUEUE_FORMAT from a format name, or from its text, such as ``PUBLIC=`` and a GUID.

    Raises:
        EncodeError: The text is not a format name, or one of several elements, which calls cannot carry.
        WrongTypeError: `name` is neither; the format name of a queue in a header is its `format_name`.
    """
    if isinstance(name, str):
        name = format_names.parse_format_name(name)
    if not isinstance(name, format_names.FormatName):
        told = f"name: {wrong_type('a format name or its text', name)}"
        raise WrongTypeError(f"{told}: use its format_name" if hasattr(name, "format_name") else told)
    value: Any
    match name:
        case format_names.PublicName() | format_names.MachineName() | format_names.ConnectorName():
            value = name.guid
        case format_names.PrivateName():
            value = CLASSES["OBJECTID"](Lineage=name.computer, Uniquifier=name.identifier)
        case format_names.DirectName():
            value = name.wire_text
        case format_names.DistributionListName():
            value = CLASSES["DL_ID"](m_DlGuid=name.guid, m_pwzDomain=name.domain)
        case format_names.MulticastName():
            address = int.from_bytes(IPv4Address(name.address).packed, "little")
            value = CLASSES["MULTICAST_ID"](m_address=address, m_port=name.port)
        case _:
            raise EncodeError(
                f"{type(name).__name__} has no queue format type",
                structure="QUEUE_FORMAT",
                path="QUEUE_FORMAT.m_qft",
                expected="a format name of one queue",
                actual=name,
            )
    suffix_type = name.queue_suffix_type
    flags = _SYSTEM if suffix_type in READ_ONLY else 0
    return cls(m_qft=int(name.queue_format_type), m_SuffixAndFlags=suffix_type | flags, _union=value)


# ------------------------------------------------------------------------------------------- PROPVARIANT


def property_value(record: Any) -> PropertyValue:
    """The value and its type, without reserved fields, counts and pointers.

    A null pointer is an empty text, vector or BLOB, or a null GUID.

    Raises:
        EncodeError: There is no such value.
    """
    vt, value = record.vt, record._varUnion  # noqa: SLF001  # a name of the document
    if isinstance(value, NdrRecord):
        array = value.layout.fields[-1].name
        value = getattr(value, array)
        if value is None:
            value = b"" if vt in BLOBS else ()
        elif vt == VARIANTS:
            value = tuple(map(property_value, value))
        elif vt & ~VECTOR in TEXTS:
            value = tuple(item or "" for item in value)
    elif value is None and vt in TEXTS:
        value = ""
    elif value is None and vt == CLSID:
        value = NULL_GUID
    return PropertyValue.of(vt, value)


def propvariant(cls: Any, vt: int | PropertyValue, value: Any = None) -> Any:
    """Create a PROPVARIANT from a `PropertyValue`, or from arguments of `PropertyValue.of`.

    Raises:
        EncodeError: The value does not fit its type, or calls cannot carry the type.
    """
    given = vt if isinstance(vt, PropertyValue) else PropertyValue.of(vt, value)
    number, content = int(given.vt), given.value
    arms = cls.layout.fields[-1].type.arms
    if number not in arms:
        raise EncodeError(
            f"remote calls cannot carry {name_of(number)}",
            structure="PROPVARIANT",
            path="PROPVARIANT.vt",
            expected=tuple(arms),
            actual=number,
        )
    arm = arms[number]
    if number == VARIANTS:
        content = tuple(propvariant(cls, item) for item in content)
    if arm is not None and isinstance(arm.type, Embedded):
        owner = CLASSES[arm.type.name]
        content = owner(**{owner.layout.fields[-1].name: content})
    return cls(vt=number, _varUnion=content)


# ----------------------------------------------------------------------------------------- SectionBuffer


def section_type(record: Any) -> enumerations.SectionType | int:
    """From `SectionBufferType`: which section this is; unknown values are returned as `int`."""
    number: int = record.SectionBufferType
    return SectionType(number) if number in set(SectionType) else number


def missing(record: Any) -> int:
    """Bytes of the body that were not returned: `SectionSizeAlloc` beyond `SectionSize`."""
    return max(int(record.SectionSizeAlloc) - int(record.SectionSize), 0)


READINGS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "QUEUE_FORMAT": {"suffix": suffix, "is_system": is_system, "format_name": format_name},
    "PROPVARIANT": {"property_value": property_value},
    "SectionBuffer": {"section_type": section_type, "missing": missing},
}
"""Properties by the name of the record class, then by the name of the property."""

MAKERS: dict[str, dict[str, Callable[..., Any]]] = {
    "QUEUE_FORMAT": {"of": queue_format},
    "PROPVARIANT": {"of": propvariant},
}
"""Class methods that create records, by class and name."""
