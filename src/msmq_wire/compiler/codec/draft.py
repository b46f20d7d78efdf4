"""The source of one function that builds a record, shared by its steps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from msmq_wire.compiler.emit import Emitter
from msmq_wire.compiler.expressions import functions_of, simplified
from msmq_wire.definitions import relations
from msmq_wire.records.model import Field, Structure
from msmq_wire.records.plan import open_words, plan_of

if TYPE_CHECKING:
    from msmq_wire.compiler.generate import Compiler


class Draft(Emitter):
    """Collects the source of a function that builds a record; its steps write to it.

    Attributes:
        compiler: The compiler.
        structure: The structure of the record.
        cls: The name of its class.
        plan: The fields that can be computed for it.
    """

    def __init__(self, compiler: Compiler, structure: Structure) -> None:
        super().__init__(compiler.module)
        self.compiler = compiler
        self.structure = structure
        self.cls = compiler.classes[structure.name]
        self.plan = plan_of(structure)

    def path(self, field: Field) -> str:
        return f"{self.structure.name}.{field.name}"

    def is_open(self, word: str, structure: Structure | None = None) -> bool:
        """Return whether groups of a flags word may be computed from other fields."""
        return f"{(structure or self.structure).name}.{word}" in open_words()

    def constant(self, stem: str, value: Any) -> str:
        """Return a name for a value; never a class name, because parameters may hide it."""
        return self.module.constant(stem, value, alias=True)

    def checker(self, function: Any, *more: Any) -> str:
        stem = f"{function.__name__}_{self.structure.name}"
        if more and isinstance(more[0], Field):
            stem += f"_{more[0].name}"
        return self.constant(stem, partial(function, self.structure, *more))

    def call(self, source: str, there: str = "") -> str:
        """Return source of an expression over fields; `there` names a part that is known to be present."""
        for name in functions_of(source):
            self.constant(name, relations.FUNCTIONS[name])
        return simplified(source, there)
