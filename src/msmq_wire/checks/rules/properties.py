"""[MS-MQMQ] 2.3: the values of directory properties in changes.

1. `propid.breach` checks the requirements of every property; this module converts its result to a finding.
2. A value of another type than its identifier requires violates the requirement that states the type.  For
   properties without one, it violates the rule of the change that contains it.
3. A blob that should contain a structure must contain it, and the structure is validated too.  An empty blob
   is a property that was not found ([MC-MQDSRP] 3.2.7.8, errata D61); only its type is required.
4. The management properties of 2.3.11 and 2.3.12 do not occur in directory messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.definitions.properties import VARTYPE, Form
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.propid import (
    PROPERTIES,
    acceptance,
    breach,
    by_number,
    is_allowed_by_sdk,
    vartype_name,
)
from msmq_wire.records.record import read, record_class
from msmq_wire.values.errors import DecodeError
from msmq_wire.values.properties.values import type_of
from msmq_wire.values.sid import is_sid, sid_size

from .vocabulary import NAMES_OF_SDK, Embedded, RawViolation, Rule, RuleFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from msmq_wire.records.record import Record
    from msmq_wire.values.properties.values import PropertyValue

_BOOL = int(VARTYPE.VT_BOOL)
_COUNT = 4
_SELF_RELATIVE = 0x80
_SACL_PRESENT, _DACL_PRESENT = 0x10, 0x04
_DESCRIPTOR, _ACL, _ACE = 20, 8, 4
"""Sizes of the fixed parts of a descriptor, of an access control list, and of an entry of it."""
_ACL_REVISIONS = (2, 4)
_TYPE_OF = {"DirectoryChange": "MQDSRP-2.2.4-12", "NotificationUpdate": "MQCN-2.2.6-14"}

_OBEYED = frozenset(
    {"MQMQ-2.3.1.6-01", "MQMQ-2.3.1.7-01", "MQMQ-2.3.2.10-01", "MQMQ-2.3.2.14-01"}  # any number
    | {"MQMQ-2.3.6.5-01", "MQMQ-2.3.9.3-01", "MQMQ-2.3.10.7-01"}  # any GUID
)
"""Requirements that every value of the right type satisfies."""


# ------------------------------------------------------------------------------------------- blobs


def _is_descriptor(data: bytes) -> bool:
    """Return whether bytes have the form of a self-relative SECURITY_DESCRIPTOR, [MS-DTYP] 2.4.6."""
    if len(data) < _DESCRIPTOR or data[0] != 1 or not data[3] & _SELF_RELATIVE:
        return False
    owner, group, sacl, dacl = (
        int.from_bytes(data[at : at + 4], "little") for at in range(4, _DESCRIPTOR, 4)
    )
    return (
        _has_sid(data, owner)
        and _has_sid(data, group)
        and _has_acl(data, sacl, data[2] & _SACL_PRESENT)
        and _has_acl(data, dacl, data[2] & _DACL_PRESENT)
    )


def _has_sid(data: bytes, offset: int) -> bool:
    """Return whether there is a SID at an offset; none is at offset 0."""
    if not _DESCRIPTOR <= offset < len(data) - 1:
        return not offset
    return is_sid(data[offset : offset + sid_size(data, offset)])


def _has_acl(data: bytes, offset: int, is_present: int) -> bool:
    """Return whether there is an ACL at an offset, [MS-DTYP] 2.4.5; none is at offset 0."""
    if not offset or not is_present:
        return not offset
    header = data[offset : offset + _ACL]
    size, count = int.from_bytes(header[2:4], "little"), int.from_bytes(header[4:6], "little")
    end = offset + size
    is_acl = offset >= _DESCRIPTOR and len(header) == _ACL and header[0] in _ACL_REVISIONS
    if not is_acl or header[1] or any(header[6:]) or size < _ACL or end > len(data):
        return False
    at = offset + _ACL
    for _ in range(count):
        length = int.from_bytes(data[at + 2 : at + 4], "little")
        if length < _ACE or length % 4 or at + length > end:
            return False
        at += length
    return True


def _addresses(data: bytes) -> list[tuple[int, Record]]:
    """Decode consecutive addresses, each with its offset.

    Raises:
        DecodeError: The bytes are not addresses.
    """
    addresses = []
    pos = 0
    while pos < len(data):
        address, end = read(structures()["TA_ADDRESS"], data, pos, len(data))
        addresses.append((pos, address))
        pos = end
    return addresses


_STRUCTURES: dict[Form, Callable[[bytes], list[tuple[int, Record]]]] = {
    Form.TA_ADDRESS: _addresses,
    Form.MQDSPUBLICKEYS: lambda data: [(0, record_class("MQDSPUBLICKEYS").decode(data))],
    Form.MQUSERSIGNCERTS: lambda data: [(0, record_class("MQUSERSIGNCERTS").decode(data))],
}


_WITH_STRUCTURES = frozenset(
    definition.number
    for definition in PROPERTIES
    if definition.kind in _STRUCTURES and by_number(definition.number) is definition
)


def _has_form(kind: Form | None, data: bytes) -> bool:
    if kind is Form.SID:
        return is_sid(data)
    if kind is Form.SECURITY_DESCRIPTOR:
        return _is_descriptor(data)
    return _error_in(kind, data) is None


def _error_in(kind: Form | None, data: bytes) -> DecodeError | None:
    """Return the error of bytes that have to be a structure."""
    if kind in _STRUCTURES:
        try:
            _STRUCTURES[kind](data)
        except DecodeError as error:
            return error
    return None


# ------------------------------------------------------------------------------------------- values


def _identifiers(change: Any) -> tuple[int, ...]:
    identifiers: tuple[int, ...] = (
        change.PropertyID if change.layout.name == "DirectoryChange" else change.PropertyId
    )
    return identifiers


def _pairs(change: Any) -> Iterator[tuple[int, int, PropertyValue]]:
    for index, (identifier, value) in enumerate(
        zip(_identifiers(change), change.PropertyValue, strict=False)
    ):
        yield index, identifier, value


class _Quick(dict[int, "tuple[int, Callable[[Any], bool]] | None"]):
    """The type and the quick test of the values of each property, by its identifier, made on first use."""

    def __missing__(self, identifier: int) -> tuple[int, Callable[[Any], bool]] | None:
        definition = by_number(identifier)
        if definition is None:
            return None  # identifiers of the caller are not cached: there may be many
        accepts, kind = acceptance(definition), definition.kind
        entry = None
        if accepts is not None:
            entry = int(definition.vartype), _with_form(accepts, kind) if kind is not None else accepts
        self[identifier] = entry
        return entry


def _with_form(accepts: Callable[[Any], bool], kind: Form) -> Callable[[Any], bool]:
    return lambda value: (
        accepts(value) and (value.__class__ is not bytes or not value or _has_form(kind, value))
    )


_QUICK = _Quick()


def _wrong_values(change: Any) -> Iterator[RawViolation]:
    for index, (identifier, value) in enumerate(
        zip(_identifiers(change), change.PropertyValue, strict=False)
    ):
        quick = _QUICK[identifier]
        if quick is not None and value.vt == quick[0] and quick[1](value.value):
            continue  # the usual case
        fault = _fault(change.layout.name, identifier, value)
        if fault is None:
            continue
        steps = ("PropertyValue", index)
        definition = by_number(identifier)
        if definition is not None and is_allowed_by_sdk(definition, value.value):
            yield RawViolation(
                fault[0],
                steps,
                value.value,
                *fault[1:],
                level="practice",
                erratum="M47",
                practice=NAMES_OF_SDK,
            )
        else:
            yield RawViolation(fault[0], steps, value.value, *fault[1:])


def _fault(owner: str, identifier: int, value: PropertyValue) -> tuple[str, str, str] | None:
    """Return the requirement that a value violates, the allowed values, and a sentence."""
    expected = type_of(identifier)
    definition = by_number(identifier)
    if expected is not None and value.vt != expected:
        requirement = definition.type_requirement if definition else None
        return requirement or _TYPE_OF[owner], f"a value of {vartype_name(expected)}", ""
    if value.vt == _BOOL and value.value not in {0, 0xFFFF}:
        return "MQMQ-2.2.14-01", "0 or 0xffff", ""
    if definition is None:
        return None
    fault = breach(definition, value.value)
    if fault is not None:
        allowed = f"what [MS-MQMQ] {definition.section} allows for {definition.name}"
        return (fault.requirement, allowed, fault.message) if fault.requirement else None
    if isinstance(value.value, bytes) and value.value and not _has_form(definition.kind, value.value):
        requirements, error = definition.value_requirements, _error_in(definition.kind, value.value)
        problem = "" if error is None else f"{definition.name} is no {definition.kind}: {error}"
        return (requirements[0], f"a {definition.kind}", problem) if requirements else None
    return None


def _blobs(change: Any) -> Iterator[tuple[tuple[int, ...], int, Record]]:
    """Yield the structures inside blobs."""
    if _WITH_STRUCTURES.isdisjoint(_identifiers(change)):
        return
    for index, identifier, value in _pairs(change):
        definition = by_number(identifier)
        if definition is not None and definition.kind in _STRUCTURES and isinstance(value.value, bytes):
            try:
                inner = _STRUCTURES[definition.kind](value.value) if value.value else []
            except DecodeError:
                continue  # `_wrong_values` reports this
            for offset, record in inner:
                yield (index,), _COUNT + offset, record


def _unread(change: Any, count: int) -> Iterator[tuple[str, str]]:
    """Yield the structures inside unknown blobs, after the known values."""
    for index, identifier in enumerate(_identifiers(change)[count:], count):
        definition = by_number(identifier)
        if definition is not None and definition.kind in _STRUCTURES:
            yield f"[{index}]", definition.kind.value


RULES: dict[str, tuple[Rule, ...]] = {}
RULE_FUNCTIONS: dict[str, tuple[RuleFunction, ...]] = dict.fromkeys(_TYPE_OF, (_wrong_values,))
EMBEDDED: dict[str, tuple[Embedded, ...]] = dict.fromkeys(
    _TYPE_OF,
    (Embedded("PropertyValue", _blobs, holds=tuple(form.value for form in _STRUCTURES), unread=_unread),),
)

FUNCTION_IDS = (
    frozenset(
        requirement
        for definition in PROPERTIES
        if by_number(definition.number) is definition
        for requirement in (definition.type_requirement, *definition.value_requirements)
        if requirement is not None
    ).union(_TYPE_OF.values(), {"MQMQ-2.2.14-01"})
    - _OBEYED
)
