"""The layout compiler: straight-line decoders and encoders, generated once from the layouts.

1. A function is generated when it is first needed and kept; importing the package generates none.
2. A decoder only accepts or raises `Reject`.  Which field was wrong is found by `_walk`, which reads the
   same layout slowly and knows all places.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any

from .builder import BuildEmitter
from .decoder import DecoderEmitter
from .emit import Reject
from .encoder import EncoderEmitter
from .sizes import SizeEmitter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msmq_wire.records.model import Structure
    from msmq_wire.values.limits import Limits

__all__ = ["Compiler", "Functions", "Reject"]


class _Arrays(dict[int, Any]):
    """Methods of the `struct.Struct` for so many numbers of one format, made when first needed."""

    LIMIT = 1024

    def __init__(self, method: str, code: str) -> None:
        self.method = method
        self.code = code

    def __missing__(self, count: int) -> Any:
        made = getattr(Struct(f"<{count}{self.code}"), self.method)
        if len(self) < self.LIMIT:
            self[count] = made
        return made


class Functions(dict[Any, Any]):
    """Compiled functions by structure or class, made when first needed."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make = make

    def __missing__(self, key: Any) -> Any:
        made = self[key] = self.make(key)
        return made


class Compiler:
    """Makes the functions of each structure when they are first asked for.

    Attributes:
        structures: The layouts by name.
        classes: The record classes by name.
        limits: The bounds that its decoders have built in.
    """

    def __init__(
        self, structures: Mapping[str, Structure], classes: Mapping[str, Any], limits: Limits
    ) -> None:
        self.structures = structures
        self.classes = classes
        self.limits = limits
        self._unpackers: dict[str, Any] = {}
        self._packers: dict[str, Any] = {}
        self._array_readers: dict[str, _Arrays] = {}
        self._array_writers: dict[str, _Arrays] = {}
        self._decoders: dict[str, Any] = {}
        self._element_decoders: dict[tuple[str, str], Any] = {}
        self._encoders: dict[str, Any] = {}
        self._encoders_by_class = Functions(lambda record: self.encoder(record.__name__))
        self._sizes: dict[str, Any] = {}
        self._sizes_by_class = Functions(lambda record: self.size(record.__name__))

    def unpacker(self, formats: str) -> Any:
        """The shared `unpack_from` of a format."""
        return self._unpackers.setdefault(formats, Struct(formats).unpack_from)

    def packer(self, formats: str) -> Any:
        """The shared `pack` of a format."""
        return self._packers.setdefault(formats, Struct(formats).pack)

    def array_readers(self, code: str) -> _Arrays:
        """`unpack_from` by count of numbers."""
        return self._array_readers.setdefault(code, _Arrays("unpack_from", code))

    def array_writers(self, code: str) -> _Arrays:
        """`pack` by count of numbers."""
        return self._array_writers.setdefault(code, _Arrays("pack", code))

    def encoders_by_class(self) -> dict[type[Any], Callable[[Any], bytes]]:
        """Encoders by record class."""
        return self._encoders_by_class

    def decoder(self, name: str) -> Callable[[bytes, int, int], tuple[Any, int]]:
        """``decode(data, pos, end)`` of a structure: the record and where it ended, or `Reject`."""
        if name not in self._decoders:
            emitter = DecoderEmitter(self, self.structures[name])
            self._decoders[name] = emitter.function(f"decode_{name}", "data, pos, end")
        return self._decoders[name]  # type: ignore[no-any-return]  # made by exec

    def element_decoder(
        self, around: Structure, name: str
    ) -> Callable[[bytes, int, int, int], tuple[Any, int]]:
        """``decode(data, pos, end, origin)`` of an element of an array whose owner starts at `origin`."""
        key = (around.name, name)
        if key not in self._element_decoders:
            emitter = DecoderEmitter(self, self.structures[name], around=around)
            made = emitter.function(f"decode_{name}_in_{around.name}", "data, pos, end, origin")
            self._element_decoders[key] = made
        return self._element_decoders[key]  # type: ignore[no-any-return]  # made by exec

    def packet_decoder(self, name: str, *, thrifty: bool = False) -> Callable[[bytes, int], Any]:
        """``decode(data, end)`` of a packet that fills `data`: the record, or `Reject`."""
        emitter = DecoderEmitter(self, self.structures[name], packet=True, thrifty=thrifty)
        return emitter.function(f"decode_packet_{name}", "data, end")  # type: ignore[no-any-return]  # made by exec

    def size(self, name: str) -> Callable[[Any], int]:
        """``size(record)`` of a structure: how many bytes it takes."""
        if name not in self._sizes:
            self._sizes[name] = SizeEmitter(self, self.structures[name]).function(f"size_{name}", "record")
        return self._sizes[name]  # type: ignore[no-any-return]  # made by exec

    def sizes_by_class(self) -> dict[type[Any], Callable[[Any], int]]:
        """Functions for sizes by record class."""
        return self._sizes_by_class

    def builder(self, name: str) -> Callable[..., Any]:
        """``build(FieldName=..., ...)`` of a structure: the record, with what was left out worked out."""
        emitter = BuildEmitter(self, self.structures[name])
        return emitter.function(f"build_{name}", emitter.parameters)  # type: ignore[no-any-return]  # made by exec

    def encoder(self, name: str) -> Callable[[Any], bytes]:
        """``encode(record)`` of a structure: its bytes."""
        if name not in self._encoders:
            emitter = EncoderEmitter(self, self.structures[name])
            made = emitter.function(f"encode_{name}", "record")
            self._encoders[name] = self._encoders_by_class[self.classes[name]] = made
        return self._encoders[name]  # type: ignore[no-any-return]  # made by exec
