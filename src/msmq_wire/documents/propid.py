"""Property identifiers (PROPIDs): their names, objects, types and permitted values.

1. The definitions are rows of a table, one for each subsection of [MS-MQMQ] 2.3; this module looks them up.
2. A number alone means a directory property.  The management properties of [MS-MQMQ] 2.3.11 and 2.3.12
   share the numbers 1 to 27 and are found only when the object class is given, or by name.
3. A lookup that finds nothing returns None: an unknown identifier is data, not an error.
4. [MC-MQDSRP] 3.1.1.4 derives the object type of a directory change from its first PROPID by arithmetic.
   That rule is separate from the table: it has no type for some identifiers of the table.
5. A deletion starts with PROPID_D_SCOPE, for which the rule gives type 4, an unknown type.  So the class of
   the deleted object is taken from the second value, PROPID_D_OBJTYPE.
6. `check` tests the Python value against the variant type first, then against the constraint.  It does not
   inspect blobs: `Property.kind` names their structure, which has a codec of its own.
"""

from __future__ import annotations

import functools
import re
from ipaddress import IPv4Address, IPv6Address
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msmq_wire.definitions.properties import (
    PROPERTIES,
    VARTYPE,
    AllOf,
    Bits,
    Constraint,
    Form,
    Grammar,
    Item,
    Items,
    Matches,
    MaxLength,
    ObjectClass,
    OneOf,
    Property,
    Range,
    Size,
)
from msmq_wire.names.format_names import (
    DistributionListName,
    FormatName,
    MachineName,
    MulticastName,
    MultipleName,
    QueuePath,
    is_allowed,
)
from msmq_wire.values.errors import in_bytes, need
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties.types import VECTOR, name_of
from msmq_wire.values.violation import Violation
from msmq_wire.values.wchar import wchar_count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "PROPERTIES",
    "PROPID",
    "VARTYPE",
    "AllOf",
    "Bits",
    "Constraint",
    "Form",
    "Grammar",
    "Item",
    "Items",
    "Matches",
    "MaxLength",
    "ObjectClass",
    "OneOf",
    "Property",
    "Range",
    "Size",
    "breach",
    "by_name",
    "by_number",
    "changed_object_class",
    "check",
    "object_class_of",
    "object_type",
    "value_name",
    "vartype_name",
]


def __dir__() -> list[str]:
    return sorted(__all__)


_T = TypeVar("_T")

PROPID: Final[Mapping[str, int]] = MappingProxyType({row.name: row.number for row in PROPERTIES})
"""The number of every property by its name: ``PROPID["PROPID_Q_LABEL"]`` is 108.  [MS-MQMQ] 2.3."""

_MANAGEMENT: Final = (ObjectClass.MANAGEMENT_MACHINE, ObjectClass.MANAGEMENT_QUEUE)
_BY_NAME: Final = {row.name: row for row in PROPERTIES}
_BY_CLASS: Final = {(row.object_class, row.number): row for row in PROPERTIES}
_BY_NUMBER: Final = {row.number: row for row in PROPERTIES if row.object_class not in _MANAGEMENT}

COMMAND_DELETE: Final = 0x02
"""`DirectoryChange.Command` of a deletion ([MC-MQDSRP] 2.2.4)."""
# The table of [MC-MQDSRP] 3.1.1.4; the deleted object (4) is not in it.
_TYPES_OF_RULE: Final[dict[int, ObjectClass]] = {
    int(kind): kind for kind in ObjectClass if kind > 0 and kind is not ObjectClass.DELETED_OBJECT
}


def by_number(number: int, object_class: ObjectClass | None = None) -> Property | None:
    """Look a property up by its PROPID.

    Args:
        number: The PROPID.
        object_class: The kind of object, needed for the management properties of [MS-MQMQ] 2.3.11 and
            2.3.12.  When given, only properties of that class are found.

    Returns:
        The property, or None if the number is not assigned.  Without an object class only directory
        properties are found, among which a number is unique.
    """
    need("number", number, int, "a number")
    if object_class is None:
        return _BY_NUMBER.get(number)
    need("object_class", object_class, int, "an ObjectClass")
    return _BY_CLASS.get((object_class, number))


def by_name(name: str) -> Property | None:
    """Look a property up by its name, such as ``PROPID_Q_LABEL``.

    Returns:
        The property, or None if no property of [MS-MQMQ] 2.3 has the name.
    """
    need("name", name, str, "text")
    return _BY_NAME.get(name)


def object_type(number: int) -> int:
    """Compute the object type of a PROPID by [MC-MQDSRP] 3.1.1.4, whether or not its table has it."""
    need("number", number, int, "a number")
    return (number - 1000) // 100 if number > 1000 else number // 100


def object_class_of(number: int) -> ObjectClass | None:
    """The class of the object of a PROPID, by the rule of [MC-MQDSRP] 3.1.1.4.

    Only the rule decides: unassigned numbers of a range have a class too.  Those of the deletion notification
    (1401 to 1405), of the settings and of other classes outside the rule have none.  `Property.object_class`
    is the class by the table.

    Returns:
        The class, or None for a type that is not in the table of that section.
    """
    return _TYPES_OF_RULE.get(object_type(number))


def changed_object_class(
    command: int, first_identifier: int, second_value: object = None
) -> ObjectClass | None:
    """The class of the object of a directory change.

    For a creation, an update or a synchronization, the first PROPID determines it ([MC-MQDSRP] 3.1.1.4).  A
    deletion carries PROPID_D_SCOPE and PROPID_D_OBJTYPE instead ([MC-MQDSRP] 3.2.7.3, [MS-MQCN] 3.3.5.2),
    and the second of them holds the object type ([MS-MQMQ] 2.3.13.4).

    Args:
        command: DirectoryChange.Command, or the same field of a change notification.
        first_identifier: PropertyID[0].
        second_value: PropertyValue[1], used only for Command 0x02.

    Returns:
        The class, or None if it is unknown, as it is for object type 4, a deleted object.
    """
    if command != COMMAND_DELETE:
        return object_class_of(first_identifier)
    return _TYPES_OF_RULE.get(second_value) if isinstance(second_value, int) else None


def vartype_name(vartype: int) -> str:
    """Format a variant type: ``VT_CLSID | VT_VECTOR``; an unknown one in hexadecimal."""
    need("vartype", vartype, int, "the number of a variant type")
    return name_of(vartype)


def value_name(prop: Property, value: object) -> str | None:
    """The name of a value of an enumerated property.

    Returns:
        The constant of the document, or a phrase of this library if it has none; names of set bits joined by
        ``|``; None if the property is not enumerated or the value not listed.
    """
    need("prop", prop, Property, "a Property")
    match prop.constraint:
        case OneOf(members=members):
            return next((name for number, name in members if number == value), None)
        case Bits(members=bits) if isinstance(value, int) and not value & ~_mask(bits):
            return " | ".join(name for bit, name in bits if value & bit) or None
    return None


def check(prop: Property, value: object) -> str | None:
    """Check a value against the variant type and the constraint of its property.

    Args:
        prop: The property.
        value: An int or bool for numbers, str for VT_LPWSTR, bytes for VT_BLOB, a GUID for VT_CLSID; for a
            vector a tuple or list of these, or bytes for ``VT_UI1 | VT_VECTOR``.

    Returns:
        A sentence that describes the violation, or None.
    """
    fault = breach(prop, value)
    return None if fault is None else fault.message


def breach(prop: Property, value: object) -> Violation | None:
    """Like `check`, but with the id of the violated requirement.

    Args:
        prop: The property.
        value: As for `check`.

    Returns:
        The first violation, or None.
    """
    need("prop", prop, Property, "a Property")
    fault = type_fault(prop.vartype, value)
    if fault is not None:
        return _violation(prop, prop.type_requirement, value, fault)
    if prop.constraint is None:
        return None
    if isinstance(prop.constraint, Items):
        part_and_fault = _items_fault(prop.constraint, value)
    else:
        fault_of = _first_fault if prop.vartype & VECTOR else _value_fault
        part_and_fault = fault_of(prop.constraint, value)
    if part_and_fault is None:
        return None
    part, fault = part_and_fault
    requirement = prop.value_requirements[part] if 0 <= part < len(prop.value_requirements) else None
    return _violation(prop, requirement, value, fault)


def _violation(prop: Property, requirement: str | None, value: object, fault: str) -> Violation:
    return Violation(requirement or "", prop.name, 0, value, "", f"{prop.name} {fault}")


def acceptance(prop: Property) -> Callable[[Any], bool] | None:
    """Return a quick test of the values of a property; values that it does not accept need `breach`.

    None for vectors, truth values and types without constraints of their own, which have no such test.
    """
    wanted: Any = _TYPES.get(int(prop.vartype), (None,))[0]
    parts = prop.constraint.parts if isinstance(prop.constraint, AllOf) else (prop.constraint,)
    tests = [_ACCEPTED[type(part)](part) for part in parts if type(part) in _ACCEPTED]
    if wanted is None or len(tests) != len(parts) or prop.vartype == VARTYPE.VT_BOOL:
        return None
    low, high = _RANGES.get(int(prop.vartype), (0, 0))
    first, *others = tests

    is_number, is_text = wanted is int, wanted is str

    def accepts(value: Any) -> bool:
        if value.__class__ is not wanted:
            return False
        if is_number:
            if not low <= value <= high:
                return False
        elif is_text and "\0" in value:
            return False
        return bool(first(value)) and (not others or all(test(value) for test in others))

    return accepts


def _accepts_range(part: Range) -> Callable[[Any], Any]:
    return lambda value: part.low <= value <= part.high


def _accepts_members(part: OneOf) -> Callable[[Any], Any]:
    members = frozenset(number for number, _ in part.members)
    return lambda value: value in members


def _accepts_bits(part: Bits) -> Callable[[Any], Any]:
    other = ~_mask(part.members)
    return lambda value: not value & other


def _accepts_length(part: MaxLength) -> Callable[[Any], Any]:
    most = part.characters
    return lambda value: wchar_count(value) <= most


def _accepts_grammar(part: Matches) -> Callable[[Any], Any]:
    grammar = part.grammar
    return lambda value: _has_form(grammar, value)


_ACCEPTED: Final[dict[type, Callable[[Any], Callable[[Any], Any]]]] = {
    type(None): lambda _: lambda _: True,
    Range: _accepts_range,
    OneOf: _accepts_members,
    Bits: _accepts_bits,
    MaxLength: _accepts_length,
    Matches: _accepts_grammar,
}
"""Makes the test of a constraint, for values of its type; every other constraint is left to `breach`."""


def is_allowed_by_sdk(prop: Property, value: object) -> bool:
    """Return whether the pages of the SDK allow the path name of a queue as a value (errata M47).

    Args:
        prop: The property.
        value: As for `check`.
    """
    constraint = prop.constraint
    if not isinstance(constraint, Matches) or not isinstance(value, str):
        return False
    if constraint.grammar not in {Grammar.QUEUE_PATH_NAME, Grammar.DNS_QUEUE_PATH_NAME}:
        return False
    name = _read(QueuePath.parse, value)
    return name is not None and is_allowed(name, sdk=True)


# Plain numbers: an enumeration's members are slow to reach and to compare.
_UI1: Final = int(VARTYPE.VT_UI1)
_RANGES: Final[dict[int, tuple[int, int]]] = {
    int(VARTYPE.VT_I1): (-0x80, 0x7F),
    int(VARTYPE.VT_I2): (-0x8000, 0x7FFF),
    int(VARTYPE.VT_I4): (-0x80000000, 0x7FFFFFFF),
    int(VARTYPE.VT_I8): (-0x8000000000000000, 0x7FFFFFFFFFFFFFFF),
    int(VARTYPE.VT_UI1): (0, 0xFF),
    int(VARTYPE.VT_UI2): (0, 0xFFFF),
    int(VARTYPE.VT_UI4): (0, 0xFFFFFFFF),
    int(VARTYPE.VT_UI8): (0, 0xFFFFFFFFFFFFFFFF),
}
_TYPES: Final[dict[int, tuple[type, str]]] = {
    int(VARTYPE.VT_BOOL): (int, "a truth value"),
    int(VARTYPE.VT_LPWSTR): (str, "text"),
    int(VARTYPE.VT_BLOB): (bytes, "bytes"),
    int(VARTYPE.VT_CLSID): (GUID, "a GUID"),
    **dict.fromkeys(_RANGES, (int, "a number")),
}


def type_fault(vartype: int, value: object) -> str | None:
    """The predicate of a sentence about the wrong type, as in "is 'x', not a number"."""
    base = vartype & ~VECTOR
    if vartype & VECTOR:
        if isinstance(value, bytes) and base == _UI1:
            return None
        if not isinstance(value, (tuple, list)):
            return f"is {_show(value)}, not a tuple"
        for index, element in enumerate(value):
            fault = type_fault(base, element)
            if fault is not None:
                return f"has an element {index} that {fault}"
        return None
    wanted, noun = _TYPES.get(base, (object, ""))
    if not isinstance(value, wanted):
        return f"is {_show(value)}, not {noun}"
    if isinstance(value, int) and base in _RANGES:
        low, high = _RANGES[base]
        if not low <= value <= high:
            return f"is {_show(value)}, outside {low} to {high} ({vartype_name(base)})"
    if isinstance(value, str) and "\0" in value:
        return f"is {_show(value)}, with a null character inside"
    return None


def _first_fault(constraint: Constraint, values: Any) -> tuple[int, str] | None:
    """Apply a constraint to each element of a vector, whose type was checked."""
    for index, element in enumerate(values):
        fault = _value_fault(constraint, element)
        if fault is not None:
            return fault[0], f"has an element {index} that {fault[1]}"
    return None


def _value_fault(constraint: Constraint, value: object) -> tuple[int, str] | None:
    """The violated part of the constraint, and the predicate of a sentence about it."""
    if isinstance(constraint, AllOf):
        for part, simple in enumerate(constraint.parts):
            fault = _simple_fault(simple, value)
            if fault is not None:
                return part, fault
        return None
    fault = _simple_fault(constraint, value)
    return None if fault is None else (0, fault)


def _simple_fault(constraint: Constraint, value: object) -> str | None:
    match constraint, value:
        case Range(low=low, high=high), int() if not low <= value <= high:
            return f"is {_show(value)}, outside {low} to {high}"
        case OneOf(members=members), _ if all(value != number for number, _ in members):
            return f"is {_show(value)}, not one of {', '.join(_show(number) for number, _ in members)}"
        case Bits(members=bits), int() if value & ~_mask(bits):
            return f"is {_show(value)}, with bits outside 0x{_mask(bits):08X}"
        case MaxLength(characters=most), str() if wchar_count(value) > most:
            return f"has {wchar_count(value)} characters, more than {most}"
        case Size(bytes=size), bytes() if len(value) != size:
            return f"has {in_bytes(len(value))}, not {size}"
        case Size(bytes=size), GUID(bytes_le=raw) if len(raw) != size:
            return f"has {in_bytes(len(raw))}, not {size}"
        case Matches(grammar=grammar), str() if not _has_form(grammar, value):
            return f"is {_show(value)}, not {grammar}"
    return None


def _items_fault(constraint: Items, value: Any) -> tuple[int, str] | None:
    """Apply the constraints of arrays in a vector, whose type was checked, to each of them."""
    if len(value) != len(constraint.items):
        return -1, f"has {len(value)} arrays, not {len(constraint.items)}"
    part = 0
    for item, array in zip(constraint.items, value, strict=True):
        flat = _flat(array) if item.nested else array
        fault = type_fault(item.vartype, flat)
        if fault is not None:
            return -1, f"has an array {item.name!r} that {fault}"
        if item.constraint is not None:
            part_fault = _first_fault(item.constraint, flat)
            if part_fault is not None:
                return part, f"has an array {item.name!r} that {part_fault[1]}"
            part += 1
    return None


def _flat(array: object) -> object:
    if not isinstance(array, (tuple, list)):
        return array
    return tuple(
        item for element in array for item in (element if isinstance(element, (tuple, list)) else (element,))
    )


def _mask(bits: tuple[tuple[int, str], ...]) -> int:
    return functools.reduce(int.__or__, (bit for bit, _ in bits), 0)


def _show(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > 64:  # Python refuses to print thousands of digits
            return "a number of more than 64 bits"
        return f"{int(value)}" if value < 256 else f"{int(value)} (0x{value:X})"
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) <= 40 else f"{value[:40]!r}..."
    return f"a {type(value).__name__}"


_USUAL_PATH: Final = re.compile(r"[A-Za-z0-9.-]{1,64}\\(?:private\$\\)?[A-Za-z0-9._-]{1,100}")
"""Path names that every version allows, to parse the other ones only."""


def _has_form(grammar: Grammar, text: str) -> bool:
    """Whether the whole text matches the grammar.  Literals of an ABNF are case-insensitive."""
    match grammar:
        case Grammar.QUEUE_PATH_NAME:
            return _USUAL_PATH.fullmatch(text) is not None or _name_is_valid(QueuePath.parse, text)
        case Grammar.DNS_QUEUE_PATH_NAME:
            host = text.partition("\\")[0]
            return _name_is_valid(QueuePath.parse, text) and _has_form(Grammar.FQDN, host)
        case Grammar.FORMAT_NAME:
            return _name_is_valid(FormatName.parse, text)
        case Grammar.QUEUE_FORMAT_NAME:
            return _name_is_valid(FormatName.parse, text, (DistributionListName, MultipleName))
        case Grammar.MULTICAST_ADDRESS:
            # One port, 0 to 65535: [MS-MQMQ] 2.3.1.23 adds one to an Address that has one already.
            return _read(MulticastName.parse, f"MULTICAST={text}") is not None
        case Grammar.CLASS_D:
            return _name_is_valid(MulticastName.parse, f"MULTICAST={text}")
        case Grammar.NEXT_HOP:
            protocol, _, address = text.partition("=")
            if protocol.upper() == "IPV6":
                return "%" not in address and _read(IPv6Address, address) is not None
            if protocol.upper() == "IP":
                return _read(IPv4Address, address) is not None
    return _pattern(grammar).fullmatch(text) is not None


def _name_is_valid(
    parse: Callable[[str], FormatName | QueuePath], text: str, refused: tuple[type, ...] = ()
) -> bool:
    """Whether the rules of the first or of the latest version of MSMQ allow the name.

    The versions differ in the characters of a queue name; a directory does not state which version wrote it.
    """
    name = _read(parse, text)
    if name is None or isinstance(name, refused):
        return False
    if isinstance(name, MachineName):
        return True  # [MS-MQMQ] 2.1.6 has it without a suffix, 2.2.7 with one
    return is_allowed(name)


def _read(parse: Callable[[str], _T], text: str) -> _T | None:
    try:
        return parse(text)
    except ValueError:  # of ours and of ipaddress
        return None


@functools.cache
def _pattern(grammar: Grammar) -> re.Pattern[str]:
    """The regular expression of a grammar, compiled on demand."""
    escape = r'\\(?:[\\"+,;<> #=]|[0-9A-F]{2})'
    attribute = (
        r"(?:[A-Z][A-Z0-9-]*|[0-9]+(?:\.[0-9]+)+)=(?:#(?:[0-9A-F]{2})+|"
        rf'(?:[^ #"+,;<>\\\0]|{escape})(?:(?:[^"+,;<>\\\0]|{escape})*(?:[^ "+,;<>\\\0]|{escape}))?|)'
    )
    url = r"(?:[A-Z0-9\-._~:/#\[\]@!$&'()*+,;=]|%[0-9A-F]{2})*"
    patterns = {
        Grammar.DISTINGUISHED_NAME: f"(?:{attribute}(?:[,+]{attribute})*)?",
        Grammar.DS_SERVER: r"\\\\[^,\0]+",
        Grammar.FQDN: r"(?=.{1,255}\Z)[^\s.]{1,63}(?:\.[^\s.]{1,63})*\.?",
        Grammar.HISTORY_ADDRESS: r"\\\\[A-Z]+|[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
        Grammar.LDAP_URL: rf"ldap://(?:[A-Z0-9\-._~!$&'()*+,;=%\[\]:]*)(?:/{url}(?:\?{url}){{0,4}})?",
        Grammar.NEXT_HOP: "FOREIGN=[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}",
        Grammar.SAM_ACCOUNT: r"[^\0]{1,19}\$",
        Grammar.SUBQUEUE: r"[!#-*\--:<-\[\]-\x7f]{1,32}",
    }
    return re.compile(patterns[grammar], re.IGNORECASE | re.ASCII | re.DOTALL)
