"""Whether a codec reads the same values as msmq_wire and writes the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire import GUID, SEQUENCE_NUMBER, Flags, PropertyValue, Record

if TYPE_CHECKING:
    from .codec import Codec
    from .samples import Sample

__all__ = ["disagreements"]


def disagreements(codec: Codec, sample: Sample) -> list[str]:
    """Where a codec differs from msmq_wire; empty if it agrees."""
    node = codec.decode(sample.data)
    found = _compare(codec, sample.record, node, sample.name)
    if codec.encode and codec.encode(codec.prepared(node)) != sample.data:
        found.append(f"{sample.name}: other bytes")
    return found


def _compare(codec: Codec, ours: Any, theirs: Any, path: str) -> list[str]:
    if isinstance(ours, Record):
        names = [field.name for field in ours.layout.fields]
        return [
            problem
            for name in names
            for problem in _compare(codec, getattr(ours, name), codec.part(theirs, name), f"{path}.{name}")
        ]
    if isinstance(ours, Flags) and not isinstance(theirs, int):
        groups = {name: codec.part(theirs, name) for name in ours.to_dict()}
        return [] if groups == ours.to_dict() else [f"{path}: {ours.to_dict()} is read as {groups}"]
    if isinstance(ours, tuple):
        if len(ours) != len(theirs):
            return [f"{path}: {len(ours)} elements are read as {len(theirs)}"]
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [problem for i, (a, b) in pairs for problem in _compare(codec, a, b, f"{path}[{i}]")]
    plain, other = _plain(ours), _plain(theirs)
    return [] if plain == other else [f"{path}: {plain!r} is read as {other!r}"]


def _plain(value: Any) -> Any:
    """A value without the classes that say the same in other words."""
    if isinstance(value, PropertyValue):
        return _plain(value.value)
    if isinstance(value, GUID):
        return value.bytes_le
    if isinstance(value, SEQUENCE_NUMBER):
        return value.raw
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return int(value) if isinstance(value, int) else value
