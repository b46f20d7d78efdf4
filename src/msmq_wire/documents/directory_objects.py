"""The object of a directory change: the tables of [MC-MQDSRP] 3.2.7.8, and functions that use them.

1. Each object type has one property with its GUID and, but for users and links, one with its path name.
2. A synchronization carries the properties of the second column; those that are not in the first column have
   an undefined value there, which is written as zero and never read.
"""

from __future__ import annotations

import uuid
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.documents.propid import COMMAND_DELETE, PROPID, VARTYPE, ObjectClass, object_class_of
from msmq_wire.values.guid import GUID, NULL_GUID
from msmq_wire.values.properties.values import PropertyValue, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def _number(name: str) -> int:
    return PROPID[f"PROPID_{name}"]


def _numbers(names: str) -> tuple[int, ...]:
    return tuple(_number(name) for name in names.split())


class ObjectKind(NamedTuple):
    """One row of the table of [MC-MQDSRP] 3.2.7.8, after SEQNUM and identifier.

    Attributes:
        identifier: The property that holds the GUID.
        path: The property that holds the path name; 0 where objects have none.
        changes: DirectoryChangePropID, the properties in a synchronization.
        undefined: Those of `changes` that LookupPropID does not have.
    """

    identifier: int
    path: int
    changes: tuple[int, ...]
    undefined: frozenset[int]


def _kind(identifier: str, path: str, looked_up: str, undefined: str = "") -> ObjectKind:
    return ObjectKind(
        _number(identifier),
        _number(path) if path else 0,
        (*_numbers(looked_up), *_numbers(undefined)),
        frozenset(_numbers(undefined)),
    )


KINDS = {
    ObjectClass.SITE: _kind(
        "S_SITEID", "S_PATHNAME",
        "S_GATES S_INTERVAL1 S_INTERVAL2 S_PATHNAME S_PSC S_PSC_SIGNPK S_SECURITY",
    ),
    ObjectClass.CONNECTED_NETWORK: _kind("CN_GUID", "CN_NAME", "CN_NAME CN_PROTOCOLID CN_SECURITY"),
    ObjectClass.ENTERPRISE: _kind(
        "E_ID", "E_NAME",
        "E_NAME E_NAMESTYLE E_CSP_NAME E_PECNAME E_LONG_LIVE E_VERSION E_SECURITY",
        "E_S_INTERVAL1 E_S_INTERVAL2 E_CRL E_CSP_TYPE E_ENCRYPT_ALG E_SIGN_ALG E_HASH_ALG E_CIPHER_MODE",
    ),
    ObjectClass.USER: _kind("U_ID", "", "U_SID U_DIGEST U_SIGN_CERT"),
    ObjectClass.ROUTING_LINK: _kind("L_ID", "", "L_COST L_NEIGHBOR1 L_NEIGHBOR2"),
    ObjectClass.MACHINE: _kind(
        "QM_MACHINE_ID", "QM_PATHNAME",
        "QM_FOREIGN QM_QUOTA QM_JOURNAL_QUOTA QM_CNS QM_MACHINE_TYPE QM_OS QM_ADDRESS QM_CREATE_TIME"
        " QM_ENCRYPT_PK QM_INFRS QM_MODIFY_TIME QM_OUTFRS QM_PATHNAME QM_SERVICE QM_SIGN_PK QM_SITE_ID"
        " QM_SECURITY",
        "QM_HASHKEY",
    ),
    ObjectClass.QUEUE: _kind(
        "Q_INSTANCE", "Q_PATHNAME",
        "Q_SCOPE Q_QMID Q_TYPE Q_BASEPRIORITY Q_JOURNAL Q_QUOTA Q_JOURNAL_QUOTA Q_CREATE_TIME Q_MODIFY_TIME"
        " Q_PATHNAME Q_LABEL Q_AUTHENTICATE Q_PRIV_LEVEL Q_TRANSACTION Q_SECURITY",
        "Q_HASHKEY Q_LABEL_HASHKEY",
    ),
}  # fmt: skip
ENTERPRISE_TYPES = tuple(KINDS)[:5]
"""The object types of the enterprise partition, [MC-MQDSRP] 3.2.7.3."""
SITE_TYPES = tuple(KINDS)[5:]
"""The object types of a site partition."""

S_PSC, QM_SERVICE, Q_SCOPE, E_PECNAME = _numbers("S_PSC QM_SERVICE Q_SCOPE E_PECNAME")
D_SCOPE, D_OBJTYPE = _numbers("D_SCOPE D_OBJTYPE")
SERVICE_BSC = 2
_NAMESPACE = uuid.UUID("8b1f9f0e-6d1c-5b0a-9a53-5f3f0f6a1c11")
_SMALLEST = {"CN_PROTOCOLID": 1, "L_COST": 1}
_NOT_ZERO = {_number(name): value for name, value in _SMALLEST.items()}


@cache
def neutral(number: int) -> PropertyValue:
    """The value of a property that an object does not have: zero, or the least permitted one (errata D61)."""
    vartype = type_of(number) or VARTYPE.VT_EMPTY
    value: Any = _NOT_ZERO.get(number, 0)
    if vartype == VARTYPE.VT_LPWSTR:
        value = ""
    elif vartype == VARTYPE.VT_BLOB:
        value = b""
    elif vartype == VARTYPE.VT_CLSID:
        value = NULL_GUID
    elif vartype & VARTYPE.VT_VECTOR:
        value = ()
    return PropertyValue(int(vartype), value)


def type_of_change(command: int, numbers: Sequence[int], values: Sequence[PropertyValue]) -> Any:
    """Object type of a change, [MC-MQDSRP] 3.1.1.4; None if it cannot be derived.

    Only in a deletion it is the second value, because PROPID_D_SCOPE yields no type (errata D23, D59).
    """
    if command == COMMAND_DELETE:
        value = values[1].value if len(values) > 1 else None
        return next((member for member in KINDS if member == value), None)
    value = object_class_of(numbers[0]) if numbers else None
    return value if value in KINDS else None


def property_in(number: int, numbers: Sequence[int], values: Sequence[PropertyValue]) -> Any:
    """Value of a property in the two arrays of a change; None if it is absent."""
    return values[numbers.index(number)].value if number in numbers else None


def identifier_in(kind: Any, numbers: Sequence[int], values: Sequence[PropertyValue]) -> GUID | None:
    """GUID of the object that two arrays of properties describe; None if it is not among them."""
    identifier: GUID | None = property_in(KINDS[kind].identifier, numbers, values)
    return identifier


def path_in(kind: Any, numbers: Sequence[int], values: Sequence[PropertyValue]) -> str | None:
    """Path name of the object that two arrays of properties describe; None if it is not among them."""
    path = KINDS[kind].path
    return property_in(path, numbers, values) if path else None


def chosen_identifier(partition: GUID, number: bytes) -> GUID:
    """GUID for a new object whose creator gave none: the same for the same change of the same partition."""
    return GUID.of(uuid.uuid5(_NAMESPACE, (partition.bytes_le + number).hex()))


def deletion(scope: int, object_type: int) -> tuple[tuple[int, ...], tuple[PropertyValue, ...]]:
    """The two arrays of a deletion, [MC-MQDSRP] 3.2.7.3."""
    return (D_SCOPE, D_OBJTYPE), (
        PropertyValue(VARTYPE.VT_UI1, scope),
        PropertyValue(VARTYPE.VT_UI1, object_type),
    )


def carried(
    kind: Any, properties: Mapping[int, PropertyValue], path: str | None
) -> Iterable[tuple[int, PropertyValue]]:
    """The properties of an object in the form of a synchronization."""
    definition = KINDS[kind]
    for number in definition.changes:
        if number in definition.undefined:
            yield number, neutral(number)
        elif number == definition.path and path is not None:
            yield number, PropertyValue(VARTYPE.VT_LPWSTR, path)
        else:
            yield number, properties.get(number) or neutral(number)
