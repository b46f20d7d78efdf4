"""What all fuzz targets share: instrumented imports, the main function, and what an error has to carry.

A target is a module `fuzz_*.py` with a function `check`, which takes any bytes and raises AssertionError if
the invariant in the first line of the module does not hold.  Run as a program it is driven by atheris;
imported, it needs no atheris, and the tests drive the same function.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msmq_wire as mw

__all__ = ["accident", "instrumented", "main", "one_verdict", "placed"]

_STRUCTURED = 16
"""One mutation in so many knows the structure; the others are atheris's own, which are far quicker."""

_APART = ("__main__", "arrow", "captures", "crypto", "scapy", "spark", "testing")
"""Parts that need extras, or are not what a fuzzer is after."""


def _is_program() -> bool:
    return Path(getattr(sys.modules["__main__"], "__file__", None) or "").stem.startswith("fuzz_")


@contextmanager
def instrumented() -> Iterator[None]:
    """Imports within are instrumented if a target runs as a program; else they are just imports."""
    if not _is_program():
        yield
        return
    import atheris  # noqa: PLC0415  # nobody else needs it

    with atheris.instrument_imports(include=["msmq_wire"]):
        yield


def placed(error: mw.DecodeError, data: bytes) -> None:
    """Every refusal says what, where in the structure and where in the bytes."""
    assert error.problem
    assert error.structure
    assert error.path
    assert error.limit
    assert 0 <= error.offset <= len(data), error
    assert (error.source_path is None) is (error.source_offset is None)
    assert error.source_offset is None or 0 <= error.source_offset <= len(data)
    assert len(str(error)) < 2000


def one_verdict(error: mw.DecodeError, lax: mw.DecodeError) -> None:
    """The strict and the lax reader say the same about the same bytes, word for word."""
    facts = (
        "problem",
        "structure",
        "path",
        "offset",
        "expected",
        "actual",
        "limit",
        "source_path",
        "source_offset",
    )
    assert [(name, getattr(lax, name)) for name in facts] == [(name, getattr(error, name)) for name in facts]


def accident(error: mw.EncodeError) -> None:
    """Every refusal of a value says what it is about."""
    assert error.problem
    assert error.structure
    assert error.path


def main(target: str) -> None:
    """Fuzz a target until told to stop; the options of the command line are libFuzzer's.

    Args:
        target: The name of a target's module.  It has `check`, the property; `KIND`, what the bytes are, for
            the mutator that knows structures: None for no structure, or a function of the bytes that stand
            in front; and `HEAD`, how many these are, if any.
    """
    import atheris  # noqa: PLC0415  # nobody else needs it

    _import_all()
    from msmq_wire.testing import custom_mutator  # noqa: PLC0415  # not instrumented: it is no target

    module: Any = sys.modules[target]
    head: int = getattr(module, "HEAD", 0)

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        if seed % _STRUCTURED or module.KIND is None or len(data) < head:
            return bytes(atheris.Mutate(data, max_size))
        kind = module.KIND(data[:head]) if callable(module.KIND) else module.KIND
        return data[:head] + custom_mutator(kind)(data[head:], max_size - head, seed)

    atheris.Setup(_arguments(), module.check, custom_mutator=mutate)
    atheris.Fuzz()


def _import_all() -> None:
    """Import every module of the package that a target could reach, instrumented."""
    import msmq_wire  # noqa: PLC0415  # the target has imported it

    with instrumented():
        for module in pkgutil.walk_packages(msmq_wire.__path__, "msmq_wire."):
            if module.name.split(".")[1] not in _APART:
                importlib.import_module(module.name)


def _arguments() -> list[str]:
    """The command line, with the dictionary and limits beside the program if it names none."""
    given = sys.argv
    defaults = {"-timeout": "10", "-rss_limit_mb": "1024", "-max_len": "4096"}
    dictionary = Path(given[0]).with_suffix(".dict")
    if dictionary.exists():
        defaults["-dict"] = str(dictionary)
    named = {argument.partition("=")[0] for argument in given}
    return [*given, *(f"{name}={value}" for name, value in defaults.items() if name not in named)]
