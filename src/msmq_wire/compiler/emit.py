"""What the generators of decoders and encoders share."""

from __future__ import annotations

from typing import Any

__all__ = ["Emitter", "Reject"]


class Reject(Exception):
    """The bytes do not fit the layout."""


class Emitter:
    """Source lines of one function, and the values that they refer to."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.lines: list[str] = []
        self.indent = 1
        self.count = 0

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def constant(self, stem: str, value: Any) -> str:
        """A name for a value in the function's namespace."""
        for name, known in self.namespace.items():
            if known is value:
                return name
        name = f"{stem}_{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def function(self, name: str, parameters: str) -> Any:
        """The function itself, with its source as an attribute."""
        source = "\n".join([f"def {name}({parameters}):", *self.lines, ""])
        code = compile(source, f"<msmq_wire layout compiler: {name}>", "exec")
        exec(code, self.namespace)  # noqa: S102  # the source comes from our own layouts
        function = self.namespace.pop(name)
        function.source = source
        return function
