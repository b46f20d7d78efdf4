"""Reading and writing the property values of a change by the list of its identifiers.

1. Messages repeat few lists of identifiers.  For a list that comes often, straight-line functions are
   generated; until then, and for all others, its values are read and written one by one.
2. Senders choose the lists: only so many are remembered, and only so many are ever compiled.
3. A generated writer does what it is sure of and leaves the rest to the writer of single values.
"""

from __future__ import annotations

import struct
from codecs import utf_16_le_decode, utf_16_le_encode
from typing import TYPE_CHECKING, Any

from msmq_wire.compiler.emit import Emitter, Reject

from .guid import GUID
from .property_forms import NUMBERS
from .property_forms import READERS as READERS_BY_TYPE
from .property_types import (
    BLOBS,
    CLSID,
    FORMATS,
    IDENTIFIERS,
    NOTHING,
    TEXTS,
    VECTORS,
    type_of,
    when_types_change,
)
from .property_values import (
    SHORT,
    PackedVector,
    PropertyValue,
    from_wire,
    read_values,
    text_value,
    write_one,
    write_values,
)
from .wchar import find_terminator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Read = Callable[[bytes, int, int], tuple[tuple[PropertyValue, ...], int]]
    Write = Callable[[tuple[PropertyValue, ...]], bytes]

__all__ = ["READERS", "WRITERS"]

_REMEMBERED = 128
_COMPILED = 64
_LONGEST = 64
_OFTEN = 64
"""How many lists are remembered, how many compiled; how long they may be; after how many uses."""
_HESITATIONS = (Reject, struct.error, TypeError, ValueError, AttributeError)


class _Functions(dict[Any, tuple[Any, Any]]):
    """By the bytes of a list of identifiers: the list and a reader.  By the list: its bytes and a writer."""

    def __init__(self, generate: Callable[[Sequence[int]], Any], single: Callable[..., Any]) -> None:
        self.generate = generate
        self.single = single
        self.compiled = 0

    def __missing__(self, key: Any) -> tuple[Any, Any]:
        count = len(key) // 4 if type(key) is bytes else len(key)
        form = struct.Struct(f"<{count}I")
        other: Any = form.unpack(key) if type(key) is bytes else form.pack(*key)
        if type(key) is bytes:
            other = tuple(map(IDENTIFIERS.get, other, other))
        identifiers = other if type(key) is bytes else key
        uses = 0

        def function(*args: Any) -> Any:
            nonlocal uses
            uses += 1
            if uses == _OFTEN:
                self._compile(key, other, identifiers)
            return self.single(identifiers, *args)

        if count <= _LONGEST:
            if len(self) >= _REMEMBERED:
                kept = {known: entry for known, entry in self.items() if hasattr(entry[1], "source")}
                self.clear()
                self.update(kept)
            self[key] = other, function
        return other, function

    def _compile(self, key: Any, other: Any, identifiers: Sequence[int]) -> None:
        types = [vt for vt in map(type_of, identifiers) if vt is not None]
        if key in self and self.compiled < _COMPILED and len(types) == len(identifiers):
            self.compiled += 1
            self[key] = other, self.generate(types)

    def forget(self) -> None:
        """Begin anew, because types have changed."""
        self.clear()
        self.compiled = 0


class _Reader(Emitter):
    """The body of ``read(data, pos, end)`` for values of these types."""

    def __init__(self, types: Iterable[int]) -> None:
        super().__init__({"Reject": Reject, "GUID": GUID, "PropertyValue": PropertyValue})
        self.namespace |= {"utf16": utf_16_le_decode, "find_terminator": find_terminator}
        self.namespace |= {"PackedVector": PackedVector, "text_value": text_value, "NUMBERS": NUMBERS}
        self.here = "pos"
        self.run: list[tuple[str, str]] = []
        values = [self.value(vt) for vt in types]
        self.flush()
        self.emit(f"return ({', '.join(values)},), {self.here}" if values else "return (), pos")

    def flush(self) -> None:
        if self.run:
            form = struct.Struct("<" + "".join(code for code, _ in self.run))
            after = self.fresh("p")
            self.emit(f"{after} = {self.here}+{form.size}")
            self.emit(f"if {after} > end: raise Reject")
            names = ", ".join(name for _, name in self.run)
            self.emit(f"{names}, = {self.constant('unpack', form.unpack_from)}(data, {self.here})")
            self.here = after
            self.run = []

    def value(self, vt: int) -> str:
        """Source of the value that comes next."""
        name = self.fresh("v")
        if vt in FORMATS:
            self.run.append((FORMATS[vt].format[1:], name))
            if FORMATS[vt].size == 2:
                shared = f"NUMBERS[{name} >> 8][{name} & 0xFF]"
                return f"PropertyValue({vt}, {name} if -6 < {name} < 257 else {shared})"
            return f"PropertyValue({vt}, {name})"
        if vt == CLSID:
            self.run.append(("16s", name))
            return f"PropertyValue({vt}, GUID({name}))"
        if vt in BLOBS:
            self.run.append(("I", size := self.fresh("n")))
            self.flush()
            after = self.fresh("p")
            self.emit(f"{after} = {self.here}+{size}")
            self.emit(f"if {after} > end: raise Reject")
            self.emit(f"{name} = data[{self.here}:{after}]")
            self.here = after
            return f"PropertyValue({vt}, {name})"
        self.flush()
        if vt in NOTHING:
            return self.constant("nothing", from_wire(vt, None))
        after = self.fresh("p")
        if vt in TEXTS:
            self.emit(f"{name} = find_terminator(data, {self.here}, end)")
            self.emit(f"if {name} < 0: raise Reject")
            self.emit(f"{after} = {name}+2")
            self.emit(f'{name} = utf16(data[{self.here}:{name}], "surrogatepass", True)[0]')
            self.here = after
            plain = f"len({name}) > {SHORT} or {name}.isascii()"
            return f"PropertyValue({vt}, {name}) if {plain} else text_value({vt}, {name})"
        self.emit(f"{name}, {after} = {self.constant('read', READERS_BY_TYPE[vt])}(data, {self.here}, end)")
        self.here = after
        return f"PackedVector({vt}, {name})"


class _Writer(Emitter):
    """The body of ``write(values)`` for values of these types."""

    def __init__(self, types: Sequence[int]) -> None:
        super().__init__({"utf16": utf_16_le_encode, "join": b"".join, "Reject": Reject, "GUID": GUID})
        self.namespace |= {"hesitations": _HESITATIONS, "write_values": write_values, "write_one": write_one}
        self.run: list[tuple[str, str]] = []
        self.parts: list[str] = []
        self.emit("try:")
        self.indent += 1
        names = [self.fresh("v") for _ in types]
        self.emit(f"{', '.join(names)}, = values" if names else "() = values")
        for name, vt in zip(names, types, strict=True):
            self.emit(f"if {name}.vt != {vt}: raise Reject")
            self.value(vt, name)
        self.flush()
        self.emit(f"return join(({', '.join(self.parts)},))" if names else 'return b""')
        self.indent -= 1
        self.emit("except hesitations:")
        self.emit("    return write_values(values)")

    def flush(self) -> None:
        if self.run:
            form = struct.Struct("<" + "".join(code for code, _ in self.run))
            sources = ", ".join(source for _, source in self.run)
            self.parts.append(f"{self.constant('pack', form.pack)}({sources})")
            self.run = []

    def value(self, vt: int, name: str) -> None:
        if vt in VECTORS:
            self.flush()
            self.parts.append(f"write_one({name})")
            return
        self.emit(f"{name} = {name}.value")
        if vt in FORMATS:
            self.run.append((FORMATS[vt].format[1:], name))
        elif vt == CLSID:
            self.emit(f"if {name}.__class__ is not GUID or len({name}.bytes_le) != 16: raise Reject")
            self.run.append(("16s", f"{name}.bytes_le"))
        elif vt in BLOBS:
            self.emit(f"if {name}.__class__ is not bytes: raise Reject")
            self.run.append(("I", f"len({name})"))
            self.flush()
            self.parts.append(name)
        elif vt in TEXTS:
            self.emit(f'if "\\0" in {name}: raise Reject')
            self.flush()
            self.parts += [f'utf16({name}, "surrogatepass")[0]', 'b"\\0\\0"']
        else:
            self.emit(f"if {name} is not None: raise Reject")
            self.parts.append('b""')


def _reader(types: Sequence[int]) -> Read:
    return _Reader(types).function("read", "data, pos, end")  # type: ignore[no-any-return]  # made by exec


def _writer(types: Sequence[int]) -> Write:
    return _Writer(types).function("write", "values")  # type: ignore[no-any-return]  # made by exec


READERS = _Functions(_reader, read_values)
WRITERS = _Functions(_writer, lambda _, values: write_values(values))
"""What is known of lists of identifiers; never empty-handed, whatever the key."""


def _forget() -> None:
    READERS.forget()
    WRITERS.forget()


when_types_change(_forget)
