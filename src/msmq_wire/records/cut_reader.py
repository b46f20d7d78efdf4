"""Reading the header that the bytes of a packet end within, as the slow reader does but quickly.

Only what headers are mostly made of is read here.  Where anything else is met, or anything is wrong but that
bytes are missing, the slow reader is asked; the tests hold the two against each other.
"""

from __future__ import annotations

from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

from msmq_wire.values.wchar import from_wchars

from .model import Bytes, Choice, Count, Field, Fill, Nested, Presence, Structure, Text
from .slow_reader import Cut, fixed_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.values.limits import Limits

__all__ = ["CutReader", "Tail", "Unusual"]


class Unusual(Exception):
    """What was met is for the slow reader."""


class Tail(NamedTuple):
    """Where a header ends early: the field that was not read, its offset, and what there is of it."""

    path: str
    offset: int
    cut: Cut | None


class _One(NamedTuple):
    """A field that always takes as many bytes."""

    name: str
    size: int
    convert: Any
    unpack: Any


class _Step(NamedTuple):
    """Some fields that are read at once, or one of another kind.

    Attributes:
        there: Tells from the fields in front whether they are there; None where they always are.
        ones: The fields that are read at once.
        size: How many bytes they take together.
        unpack: What reads them.
        field: The field of another kind.
    """

    there: Callable[[dict[str, Any]], Any] | None
    ones: tuple[_One, ...]
    size: int
    unpack: Any
    field: Field | None


@cache
def _steps(structure: Structure) -> tuple[_Step, ...]:
    steps: list[_Step] = []
    run: list[tuple[_One, str]] = []
    for field in (*structure.fields, None):
        form = None if field is None or field.known or field.outside else fixed_form(structure, field)
        if run and (form is None or (field and field.present)):
            steps.append(_run(run, None))
            run = []
        if field is None:
            break
        there = _presence(structure, field.present) if field.present else None
        if form is None:
            steps.append(_Step(there, (), 0, None, field))
            continue
        size, convert, code = form
        run.append((_One(field.name, size, convert, Struct(f"<{code}").unpack_from), code))
        if there is not None:
            steps.append(_run(run, there))
            run = []
    return tuple(steps)


def _run(run: list[tuple[_One, str]], there: Callable[[dict[str, Any]], Any] | None) -> _Step:
    whole = Struct("<" + "".join(code for _, code in run))
    return _Step(there, tuple(one for one, _ in run), whole.size, whole.unpack_from, None)


def _presence(structure: Structure, present: Presence) -> Callable[[dict[str, Any]], Any]:
    told = structure.group(present.path)
    if told is None:
        return lambda values: present.test(values.__getitem__, 0)
    word, group = present.path.rpartition(".")[0], told[2]
    mask, means = group.mask, present.means << group.shift
    return lambda values: values[word] & mask == means


class CutReader:
    """Reads one header until the bytes end.

    Args:
        data: The bytes.
        says: Where the packet should end.
        limits: How much to take at most.
        found: The fields by their path, to which those that are read are added.
    """

    def __init__(self, data: bytes, says: int, limits: Limits, found: dict[str, Any]) -> None:
        self.data = data
        self.says = says
        self.limits = limits
        self.found = found

    def read(self, structure: Structure, prefix: str, pos: int, values: dict[str, Any]) -> int | Tail:
        """Read a structure; `values` are the fields that its sizes go by.

        Returns:
            The offset after it, or where the bytes end.

        Raises:
            Unusual: The slow reader has to look at it.
        """
        data, found = self.data, self.found
        end = len(data)
        for there, ones, size, unpack, field in _steps(structure):
            if there is not None and not there(values):
                continue
            if field is not None:
                after = self._field(field, prefix, pos, values)
                if not isinstance(after, int):
                    return after
                pos = after
            elif pos + size <= end:
                for (name, _, convert, _), raw in zip(ones, unpack(data, pos), strict=True):
                    values[name] = found[prefix + name] = raw if convert is None else convert(raw)
                pos += size
            else:
                return self._some(ones, prefix, pos)
        return pos

    def _some(self, ones: tuple[_One, ...], prefix: str, pos: int) -> Tail:
        """Take those fields that are there."""
        data, end = self.data, len(self.data)
        for name, size, convert, unpack in ones:
            path = prefix + name
            if pos + size > end:
                if pos + size > self.says:
                    raise Unusual
                return Tail(path, pos, Cut(path, pos, end - pos, size, data[pos:]) if pos < end else None)
            (raw,) = unpack(data, pos)
            self.found[path] = raw if convert is None else convert(raw)
            pos += size
        raise AssertionError(ones)

    def _field(self, field: Field, prefix: str, pos: int, values: dict[str, Any]) -> int | Tail:
        path, kind = prefix + field.name, field.kind
        match kind:
            case Nested(structure=structure) if structure.extent is None:
                return self.read(structure, f"{path}.", pos, values if structure.scoped else {})
            case Choice(forms=forms):
                word, _, group = kind.selector.partition(".")
                selected = getattr(values[word], group) if group else values[word]
                form = forms.get(selected)
                if form is not None:
                    return self.read(form, f"{path}.", pos, {})
                if selected in forms:
                    return pos
            case Text(count=Count(number=number, per_unit=unit)):
                units, odd = divmod(values[number], unit)
                if units <= self.limits.string_length and not odd:
                    return self._take(path, pos, 2 * units, wide=True)
            case Bytes(count=Count(number=number)):
                return self._take(path, pos, values[number], wide=False)
            case Bytes(count=Fill() as fill):
                return self._take(path, pos, fill.size(values.__getitem__), wide=False)
        raise Unusual

    def _take(self, path: str, pos: int, size: int, *, wide: bool) -> int | Tail:
        """Take a text, or bytes."""
        after = pos + size
        raw = self.data[pos:after]
        if len(raw) == size:
            self.found[path] = from_wchars(raw) if wide else raw
            return after
        if after > self.says:
            raise Unusual
        if not raw:
            return Tail(path, pos, None)
        value = from_wchars(raw[: len(raw) // 2 * 2]) if wide else raw
        return Tail(path, pos, Cut(path, pos, len(raw), size, value))
