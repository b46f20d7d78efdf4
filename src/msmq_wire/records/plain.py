"""Takes the values of a record from a dictionary of JSON types: the shared part of the generated functions.

A missing key or a null value means omitted, as in the constructor of the record.  The path of an error starts
at the outermost structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.values import plain as values
from msmq_wire.values.errors import EncodeError

from .model import Choice
from .registry import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .model import Structure


class FieldSource:
    """The fields of one record in a dictionary.

    Raises:
        EncodeError: The value is not a dictionary, or has a key that is not a field.
    """

    def __init__(self, structure: Structure, plain: Any, path: str) -> None:
        self.structure = structure
        self.plain = plain
        self.path = path
        name = structure.name
        if not isinstance(plain, dict):
            values.refuse(name, path, plain, f"a dictionary of the fields of {name}")
        values.know(name, path, plain, structure.by_name, structure.owner_of)

    def make(self, cls: Callable[..., Any], **given: Any) -> Any:
        """Create the record; the paths of errors start at the outermost structure."""
        return values.rooted(lambda: cls(**given), self.structure.name, self.path)

    def value(self, name: str, read: Callable[[str, str, Any], Any]) -> Any:
        """Read a single value."""
        value = self.plain.get(name)
        return None if value is None else read(self.structure.name, f"{self.path}.{name}", value)

    def each(self, name: str, read: Callable[[str, str, Any], Any]) -> Any:
        """Read an array of single values."""
        value = self.plain.get(name)
        if value is None:
            return None
        owner = self.structure.name
        return [read(owner, where, item) for item, where in values.each(owner, f"{self.path}.{name}", value)]

    def properties(self, name: str, identifiers: str) -> Any:
        """Read property values; the identifiers determine types that are not given."""
        from msmq_wire.values.plain_properties import property_value  # noqa: PLC0415  # few records have them

        value, numbers = self.plain.get(name), self.plain.get(identifiers)
        if value is None:
            return None
        numbers = numbers if isinstance(numbers, (list, tuple)) else ()
        owner = self.structure.name
        return [
            property_value(owner, where, item, numbers[index] if index < len(numbers) else None)
            for index, (item, where) in enumerate(values.each(owner, f"{self.path}.{name}", value))
        ]

    def part(self, name: str, read: Callable[[Any, str], Any]) -> Any:
        """Read a nested record."""
        value = self.plain.get(name)
        return None if value is None else read(value, f"{self.path}.{name}")

    def parts(self, name: str, read: Callable[[Any, str], Any]) -> Any:
        """Read an array of records."""
        value = self.plain.get(name)
        if value is None:
            return None
        where = values.each(self.structure.name, f"{self.path}.{name}", value)
        return [read(item, path) for item, path in where]

    def flags(self, name: str) -> Any:
        """Read a flags word; if some groups are missing, it stores which were given."""
        value, path = self.plain.get(name), f"{self.path}.{name}"
        if value is None:
            return None
        owner = self.structure.name
        kind = CLASSES[owner].flags[name]
        start = f"{owner}.{name}"
        if not isinstance(value, dict):
            number = values.number(owner, path, value)
            return values.rooted(lambda: kind(number), start, path)
        values.know(owner, path, value, [group.name for group in kind.kind.groups])
        groups = {
            group: values.number(owner, f"{path}.{group}", bits)
            for group, bits in value.items()
            if bits is not None
        }
        word = values.rooted(lambda: kind(**groups), start, path)
        return kind(int(word)) if len(groups) == len(kind.kind.groups) else word

    def form(self, name: str) -> Any:
        """Read the form that matches the keys; if several match, use the selector."""
        value, path = self.plain.get(name), f"{self.path}.{name}"
        if value is None:
            return None
        kind = self.structure.by_name[name].kind_as(Choice)
        forms = kind.structures
        if isinstance(value, str):
            return value  # the constructor accepts the name of a queue
        if not isinstance(value, dict):
            wanted = "a dictionary of the fields of " + " or ".join(form.name for form in forms)
            values.refuse(self.structure.name, path, value, wanted)
        fitting_forms = fitting(value, forms)
        if len(fitting_forms) > 1:
            word, _, group = kind.selector.partition(".")
            selected = self.plain.get(word)
            selected = selected.get(group) if isinstance(selected, dict) else selected
            chosen = kind.forms.get(selected) if isinstance(selected, int) else None
            fitting_forms = [form for form in fitting_forms if form is chosen]
        if not fitting_forms:
            raise EncodeError(
                "the keys do not determine the form",
                structure=self.structure.name,
                path=path,
                expected=", ".join(form.name for form in forms),
                actual=[values.shown_key(key) for key in value],
            )
        return CLASSES[fitting_forms[0].name]._from_plain(value, path)


def fitting(plain: dict[Any, Any], structures: Iterable[Structure]) -> list[Structure]:
    """Return the structure with exactly these keys, or else all structures that have these keys and more."""
    wider = [structure for structure in structures if structure.by_name.keys() >= plain.keys()]
    exact = [structure for structure in wider if len(structure.by_name) == len(plain)]
    return exact or wider
