"""Kaitai Struct: the reader that its compiler generates from ``specs/msmq.ksy``.  It cannot write."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from kaitaistruct import KaitaiStream
from support_kaitai import compiled, module

from benchmarks.codec import Codec
from msmq_wire.exports.kaitai import identifier

from . import by_sample

__all__ = ["CODECS"]

_READER = module(compiled(Path(mkdtemp(prefix="kaitai-")), "python")).Msmq


def _part(node: Any, name: str) -> Any:
    return _value(getattr(node, identifier(name), None))


def _value(value: Any) -> Any:
    """Return a value without the types that Kaitai needs for GUIDs, texts and values of properties."""
    if isinstance(value, list):
        return list(map(_value, value))
    if isinstance(value, _READER.Guid):
        return struct.pack("<IHH", value.data1, value.data2, value.data3) + value.data4
    if isinstance(value, (_READER.CountedText, _READER.TerminatedText)):
        return value.text
    if isinstance(value, _READER.PropertyValue):
        return _value(value.variant.value)
    return value


def _codec(kind: Any) -> Codec:
    return Codec(lambda data: kind(KaitaiStream(io.BytesIO(data))), None, _part)


CODECS = by_sample(
    _codec(_READER.BaseHeader),
    _codec(_READER.UserMessage),
    _codec(_READER.EstablishConnection),
    _codec(_READER.ChangePropagationMessage),
)
"""Kaitai Struct by sample."""
