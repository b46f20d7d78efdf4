"""Kaitai Struct: the reader that its compiler generates from `msmq.ksy`.  It cannot write."""

from __future__ import annotations

import io
import re
from typing import Any

from kaitaistruct import KaitaiStream

from benchmarks.codec import Codec

from . import CHANGE_VALUES, by_sample
from .kaitai_msmq import KaitaiMsmq

__all__ = ["CODECS"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+")


def _part(node: Any, name: str) -> Any:
    if name == "PropertyValue":
        return [getattr(node, key.lower()) for key in CHANGE_VALUES]
    return getattr(node, "_".join(_WORD.findall(name)).lower(), None)


def _codec(kind: Any) -> Codec:
    return Codec(lambda data: kind(KaitaiStream(io.BytesIO(data))), None, _part)


CODECS = by_sample(
    _codec(KaitaiMsmq.BaseHeader),
    _codec(KaitaiMsmq.UserMessage),
    _codec(KaitaiMsmq.EstablishConnection),
    _codec(KaitaiMsmq.ChangePropagationMessage),
)
"""Kaitai Struct by sample."""
