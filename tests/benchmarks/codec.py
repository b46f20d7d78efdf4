"""What hand-written code, peers and msmq_wire have in common here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Codec"]


def _same(value: Any) -> Any:
    return value


class Codec(NamedTuple):
    """How one library reads and writes one sample.

    Attributes:
        decode: Bytes to whatever the library makes of them, with every field read.
        encode: From that to bytes, the lengths as they stand there; None if the library cannot write it.
        part: A field of what `decode` returned, by the page's name: a number, bytes, text, an object with
            parts of its own, a sequence of these, or None.
        prepared: What `encode` takes, made of what `decode` returned.
    """

    decode: Callable[[bytes], Any]
    encode: Callable[[Any], bytes] | None
    part: Callable[[Any, str], Any] = getattr
    prepared: Callable[[Any], Any] = _same
