"""Functions of upper layers that lower layers call.

A lower layer cannot import an upper one, and a module that the records import cannot import the records.  The
package registers the module of each of these functions, and the hook imports it at the first call, so a
program loads only the modules that it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Hook:
    """A function that an upper layer provides."""

    __slots__ = ("_function", "module", "name")

    def __init__(self) -> None:
        self.module = self.name = ""
        self._function: Callable[..., Any] | None = None

    def provide(self, module: str, name: str) -> None:
        """Register the module and the name of the function, without importing it."""
        self.module, self.name, self._function = module, name, None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function."""
        if self._function is None:
            self._function = getattr(import_module(self.module), self.name)
        return self._function(*arguments, **named)


import_layouts = Hook()
"""``import_layouts()``: returns the module with the layouts of all structures."""
import_document = Hook()
"""``import_document(structure, builders)``: imports the module of a structure's record, or of its builder."""
require_conformance = Hook()
"""``require_conformance(record)``: raises `ConformanceError` if the record violates a MUST."""
requirement_of = Hook()
"""``requirement_of(error)``: the id of the requirement that rejected bytes violate, or None."""
from_wire = Hook()
"""``from_wire(name, host=None)``: the format name of a record."""
from_wire_list = Hook()
"""``from_wire_list(header)``: the multiple-element name of a record, or None."""
carried_by = Hook()
"""``carried_by(message)``: the directory message in the body of a UserMessage, or None."""
about_flag = Hook()
"""``about_flag(error, data, limits)``: the error about the misleading field, or the given error."""
