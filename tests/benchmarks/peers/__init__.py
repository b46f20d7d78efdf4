"""Other libraries, each as its documentation would have one write the packets of `samples`.

Each module has `CODECS` by sample.  They read the one form of each packet that is timed; flags stay words,
and GUIDs stay bytes where the library has no type for them, which is to their advantage.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from benchmarks.samples import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.codec import Codec

__all__ = ["CHANGE_VALUES", "by_sample"]

CHANGE_VALUES = tuple(f"Value{index}" for index in range(8))
"""What the peers call the property values of a change."""


def by_sample(base: Codec, message: Codec, establish: Codec, propagation: Codec) -> Mapping[str, Codec]:
    """The codecs in the order of `NAMES`."""
    codecs = (base, message, message, establish, propagation, propagation)
    return MappingProxyType(dict(zip(NAMES, codecs, strict=True)))
