"""Records as dictionaries of JSON's own types, and back.

1. The keys are the field names of the page, in page order; nested records are dictionaries, arrays are
   lists, absent parts are None.
2. Numbers are `int`, GUIDs lower-case text, bytes and sequence numbers lower-case hexadecimal, texts `str`
   with terminators and lone surrogates as they are, flags words dictionaries of all their groups, property
   values dictionaries of their variant type `vt` and their `value`.
3. ``from_dict(to_dict(record)) == record`` for every record, also for one that contradicts itself.
4. A key that is missing or null counts as left out and is computed, as in the constructor of the record.
5. The keys tell the structure.  Only OrderAck and FinalAck have the same ones; label and class of the
   message tell these apart as `packets.decode` does.  An acknowledgment that has neither the label nor the
   class of its kind is the one record whose dictionary has a key that is on no page, `STRUCTURE`.
6. Whatever `from_dict` is given, it returns a record or raises an `EncodeError` with the whole path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from msmq_wire import mqqb
from msmq_wire.definitions.properties import VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets import notification as mqcn
from msmq_wire.packets import replication as mqdsrp
from msmq_wire.packets.packet import ORDER_LABEL, kind_by_class
from msmq_wire.records.model import (
    Choice,
    Field,
    Flags,
    Guid,
    Integer,
    Items,
    Nested,
    Numbers,
    Sequence,
    Structure,
    Text,
    Values,
)
from msmq_wire.records.record import Record, record_class
from msmq_wire.values.errors import EncodeError, elsewhere
from msmq_wire.values.guid import GUID
from msmq_wire.values.property_values import MAX_DEPTH, READERS, PropertyValue, type_of
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["STRUCTURE", "from_dict", "to_dict"]

STRUCTURE = "$structure"
"""The key that names the structure where the other keys cannot tell it, and wherever its writer likes."""

_MODULES = (mqcn, mqdsrp, mqqb)  # imported so that all structures are known
_VARIANTS = VARTYPE.VT_VECTOR | VARTYPE.VT_VARIANT
_OCTETS = VARTYPE.VT_VECTOR | VARTYPE.VT_UI1
_MOST_BITS = 64


# ---------------------------------------------------------------------------------------------- to plain


def to_dict(record: Record) -> dict[str, Any]:
    """Everything that a record holds, in types that `json.dumps` takes.

    Args:
        record: A packet or any other record.

    Returns:
        A new dictionary, keys in page order.
    """
    plain = _fields(record)
    if isinstance(record, (mqqb.OrderAck, mqqb.FinalAck)) and _recognize(plain) is not type(record):
        return {STRUCTURE: type(record).__name__, **plain}
    return plain


def _fields(record: Any) -> dict[str, Any]:
    return {field.name: _plain(field, getattr(record, field.name)) for field in record.layout.fields}


def _plain(field: Field, value: Any) -> Any:
    if value is None:
        return None
    match field.kind:
        case Integer():
            return int(value)
        case Flags():
            return value.to_dict()
        case Guid() | Sequence() | Text():
            return str(value)
        case Numbers():
            return list(value)
        case Values():
            return [{"vt": item.vt, "value": _bare(item.vt, item.value)} for item in value]
        case Nested() | Choice():
            return _fields(value)
        case Items():
            return [_fields(item) for item in value]
    return bytes(value).hex()


def _bare(vt: int, value: Any) -> Any:
    """What a property value holds, without its type."""
    if vt == _VARIANTS:
        return [{"vt": item.vt, "value": _bare(item.vt, item.value)} for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if vt & VARTYPE.VT_VECTOR:
        return [_bare(vt & ~VARTYPE.VT_VECTOR, item) for item in value]
    return str(value) if isinstance(value, GUID) else value


# ------------------------------------------------------------------------------------------ from plain


def from_dict(plain: Any, kind: type[Record] | str | None = None) -> Any:
    """The record that a dictionary describes.

    Args:
        plain: What `to_dict` returned, or what a person wrote; what is missing or None is computed.
        kind: The record class or its name.  Without it the keys have to tell.

    Returns:
        A record of that class.

    Raises:
        EncodeError: A key is unknown, a value is of the wrong type or does not fit, or the keys do not tell
            the structure.
    """
    if not isinstance(plain, dict):
        name = kind if isinstance(kind, str) else getattr(kind, "__name__", "Record")
        _refuse("Record", name, plain, "a dictionary")
    cls = None if kind is None else class_of(kind)
    if STRUCTURE in plain:
        said = class_of(plain[STRUCTURE])
        if cls is not None and cls is not said:
            raise EncodeError(
                f"says {said.__name__}, {cls.__name__} is wanted",
                structure=cls.__name__,
                path=f"{cls.__name__}.{STRUCTURE}",
                expected=cls.__name__,
                actual=said.__name__,
            )
        cls = said
        plain = {key: value for key, value in plain.items() if key != STRUCTURE}
    if cls is None:
        cls = _recognize(plain)
    if cls is None:
        raise EncodeError(
            "its keys do not tell which structure it is",
            structure="Record",
            path="Record",
            expected=f"the field names of one structure, or {STRUCTURE}",
            actual=[_key(key) for key in plain],
        )
    return _record(cls, plain, cls.__name__)


def class_of(kind: Any) -> type[Record]:
    """The record class that is meant by a class or a name.

    Raises:
        EncodeError: There is none.
    """
    if isinstance(kind, str) and kind in structures():
        made: type[Record] = record_class(kind)
        return made
    if isinstance(kind, type) and issubclass(kind, Record) and hasattr(kind, "layout"):
        return kind
    shown = kind if isinstance(kind, str) else type(kind).__name__
    raise EncodeError(
        f"{shown} is no structure", structure="Record", path="Record", expected="a record class", actual=kind
    )


def _record(cls: Any, plain: Any, path: str) -> Any:
    structure: Structure = cls.layout
    if not isinstance(plain, dict):
        _refuse(structure.name, path, plain, f"a dictionary of the fields of {structure.name}")
    _know(structure.name, path, plain, structure.by_name)
    given = {
        field.name: _value(cls, field, plain, f"{path}.{field.name}")
        for field in structure.fields
        if plain.get(field.name) is not None
    }
    return _rooted(lambda: cls(**given), structure.name, path)


def _rooted(make: Callable[[], Any], start: str, path: str) -> Any:
    """What `make` returns; its errors get their path from the outermost structure on."""
    try:
        return make()
    except EncodeError as error:
        raise elsewhere(error, path=path + error.path.removeprefix(start)) from None


def _value(cls: Any, field: Field, plain: dict[str, Any], path: str) -> Any:  # a case a kind
    owner, value = cls.__name__, plain[field.name]
    match field.kind:
        case Integer():
            return _number(owner, path, value)
        case Flags():
            return _flags(cls.flags[field.name], value, path)
        case Guid():
            return _guid(owner, path, value)
        case Text():
            return _text(owner, path, value, "text")
        case Nested(structure=structure):
            return _record(record_class(structure.name), value, path)
        case Items(structure=structure):
            element = record_class(structure.name)
            return [_record(element, item, where) for item, where in _each(owner, path, value)]
        case Numbers():
            return [_number(owner, where, item) for item, where in _each(owner, path, value)]
        case Sequence():
            raw = _bytes(owner, path, value)
            return SEQUENCE_NUMBER(raw) if len(raw) == 8 else _refuse(owner, path, value, "16 digits")
        case Values(identifiers=source):
            known = plain.get(source)
            known = known if isinstance(known, (list, tuple)) else ()
            return [
                _property(owner, where, item, known[index] if index < len(known) else None)
                for index, (item, where) in enumerate(_each(owner, path, value))
            ]
        case Choice() as kind:
            return _record(_form(owner, kind, plain, value, path), value, path)
    return _bytes(owner, path, value)


def _property(owner: str, path: str, value: Any, identifier: Any) -> PropertyValue:
    """A property value with its type, or of the type that the property has."""
    vt = type_of(identifier) if isinstance(identifier, int) else None
    if isinstance(value, dict):
        _know(owner, path, value, ("vt", "value"))
        if value.get("vt") is not None:
            vt = _number(owner, f"{path}.vt", value["vt"])
        value = value.get("value")
    if vt not in READERS:
        _refuse(owner, f"{path}.vt", vt, "a known variant type")
    made = PropertyValue(vt, _natural(owner, path, vt, value, 1))
    _rooted(made.encode, "PropertyValue.value", path)
    return made


def _natural(owner: str, path: str, vt: int, value: Any, depth: int) -> Any:
    if vt == _VARIANTS and depth <= MAX_DEPTH:
        made = []
        for item, where in _each(owner, path, value):
            if not isinstance(item, dict):
                _refuse(owner, where, item, "a dictionary of vt and value")
            _know(owner, where, item, ("vt", "value"))
            kind = _number(owner, f"{where}.vt", item.get("vt"))
            made.append(PropertyValue(kind, _natural(owner, where, kind, item.get("value"), depth + 1)))
        return tuple(made)
    if vt == _OCTETS:
        return _bytes(owner, path, value)
    if vt & VARTYPE.VT_VECTOR and vt != _VARIANTS:
        base = vt & ~VARTYPE.VT_VECTOR
        return tuple(_natural(owner, where, base, item, depth) for item, where in _each(owner, path, value))
    match vt:
        case VARTYPE.VT_BLOB:
            return _bytes(owner, path, value)
        case VARTYPE.VT_CLSID:
            return _guid(owner, path, value)
        case VARTYPE.VT_LPWSTR | VARTYPE.VT_BSTR:
            return _text(owner, path, value, "text")
        case VARTYPE.VT_EMPTY | VARTYPE.VT_NULL:
            return value if value is None else _refuse(owner, path, value, "null")
    if vt not in READERS or vt == _VARIANTS:
        _refuse(owner, f"{path}.vt", vt, "a variant type that can stand here")
    return _number(owner, path, value)


def _each(owner: str, path: str, value: Any) -> Iterator[tuple[Any, str]]:
    """The elements of a list, each with its path."""
    if not isinstance(value, (list, tuple)):
        _refuse(owner, path, value, "a list")
    for index, item in enumerate(value):
        yield item, f"{path}[{index}]"


def _flags(kind: Any, value: Any, path: str) -> Any:
    """A whole word if every group is there, else one that remembers which are."""
    start = f"{kind.structure}.{kind.field}"
    if not isinstance(value, dict):
        number = _number(kind.structure, path, value)
        return _rooted(lambda: kind(number), start, path)
    _know(kind.structure, path, value, [group.name for group in kind.kind.groups])
    groups = {
        name: _number(kind.structure, f"{path}.{name}", bits)
        for name, bits in value.items()
        if bits is not None
    }
    word = _rooted(lambda: kind(**groups), start, path)
    return kind(int(word)) if len(groups) == len(kind.kind.groups) else word


def _form(owner: str, kind: Choice, plain: dict[str, Any], value: Any, path: str) -> Any:
    """The form that the keys tell; what the selector says matters only where they leave a choice."""
    forms = {form.name: form for form in kind.forms.values() if form}
    if not isinstance(value, dict):
        _refuse(owner, path, value, "a dictionary of the fields of " + " or ".join(forms))
    fitting = _fitting(value, forms.values())
    if len(fitting) > 1:
        word, _, group = kind.selector.partition(".")
        said = plain.get(word)
        said = said.get(group) if isinstance(said, dict) else said
        chosen = kind.forms.get(said) if isinstance(said, int) else None
        fitting = [form for form in fitting if form is chosen]
    if not fitting:
        raise EncodeError(
            "its keys do not tell which form it has",
            structure=owner,
            path=path,
            expected=", ".join(forms),
            actual=[_key(key) for key in value],
        )
    return record_class(fitting[0].name)


# ------------------------------------------------------------------------------------- telling structures


def _fitting(plain: dict[Any, Any], known: Iterable[Structure]) -> list[Structure]:
    """The structure that has exactly these keys, or else all that have these keys and more."""
    wider = [structure for structure in known if structure.by_name.keys() >= plain.keys()]
    exact = [structure for structure in wider if len(structure.by_name) == len(plain)]
    return exact or wider


def _recognize(plain: dict[Any, Any]) -> Any:
    """The record class that the keys tell, or None."""
    keys = plain.keys()
    if keys and keys <= mqqb.OrderAck.layout.by_name.keys():
        return _acknowledgment(plain.get("MessagePropertiesHeader"))
    fitting = _fitting(plain, structures().values())
    return record_class(fitting[0].name) if len(fitting) == 1 else None


def _acknowledgment(properties: Any) -> Any:
    """OrderAck, FinalAck or UserMessage, by the properties of the message ([MS-MQQB] 3.1.5.1.1)."""
    properties = properties if isinstance(properties, dict) else {}
    label, number = properties.get("Label"), properties.get("MessageClass")
    labelled = isinstance(label, str) and label.removesuffix("\0") == ORDER_LABEL.removesuffix("\0")
    return kind_by_class(number) if labelled and isinstance(number, int) else UserMessage


# ------------------------------------------------------------------------------------------- single values


def _refuse(structure: str, path: str, value: Any, expected: str) -> NoReturn:
    # The value itself stays out of the text: its repr may be huge or fail.
    raise EncodeError(
        f"{type(value).__name__} is not {expected}",
        structure=structure,
        path=path,
        expected=expected,
        actual=value,
    )


def _key(key: Any) -> str:
    return key if isinstance(key, str) else type(key).__name__


def _know(structure: str, path: str, plain: dict[Any, Any], names: Iterable[str]) -> None:
    known = list(names)
    for key in plain:
        if key not in known:
            raise EncodeError(
                "no such field",
                structure=structure,
                path=f"{path}.{_key(key)}",
                expected=", ".join(known),
                actual=key,
            )


def _number(structure: str, path: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _refuse(structure, path, value, "a whole number")
    if value.bit_length() > _MOST_BITS:
        raise EncodeError(
            f"a number of {value.bit_length()} bits does not fit",
            structure=structure,
            path=path,
            expected=f"at most {_MOST_BITS} bits",
            actual=value,
        )
    return value


def _text(structure: str, path: str, value: Any, expected: str) -> str:
    if not isinstance(value, str):
        _refuse(structure, path, value, expected)
    return value


def _bytes(structure: str, path: str, value: Any) -> bytes:
    try:
        return bytes.fromhex(_text(structure, path, value, "hexadecimal text"))
    except EncodeError:
        raise
    except ValueError:
        _refuse(structure, path, value, "hexadecimal text, two digits a byte")


def _guid(structure: str, path: str, value: Any) -> GUID:
    try:
        return GUID.of(_text(structure, path, value, "the text of a GUID"))
    except EncodeError:
        _refuse(structure, path, value, "the text of a GUID")
