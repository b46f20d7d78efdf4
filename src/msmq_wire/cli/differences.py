"""The differences of two packets, field by field.

1. Of a packet that cannot be read whole, only the fields that could be read are compared; those whose offset
   is uncertain are marked.  Fields of the other packet after the last common one were not read.
2. The rest is compared as bytes, from the first place where one of the two packets cannot be read.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.packets.partial import LaxResult
from msmq_wire.views.plain import to_dict
from msmq_wire.views.texts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHORT: Final = 60
_ABSENT, _NOT_READ, _DOUBTFUL = "(absent)", "(not read)", " (doubtful)"

Row = tuple[str, str, str]
"""A path, and the value in each packet."""


def differences(left: tuple[bytes, Any], right: tuple[bytes, Any]) -> Iterator[Row]:
    """Yield the fields in which two packets differ.

    Args:
        left: The bytes of a packet, and its record or `LaxResult`.
        right: The other one.
    """
    sides = left, right
    kinds = [_kind(packet) for _, packet in sides]
    root = kinds[0] if kinds[0] == kinds[1] else "packet"
    fields = [{root: kind, **_fields(root, packet)} for kind, (_, packet) in zip(kinds, sides, strict=True)]
    doubtful = [_doubtful(root, packet) for _, packet in sides]
    unread = [_unread(left[1], *fields), _unread(right[1], *fields[::-1])]
    further = [0, 0]
    for path in dict.fromkeys(chain(*fields)):
        values = [field.get(path) for field in fields]
        if values[0] == values[1]:
            continue
        side = next((side for side in (0, 1) if values[side] is None and path in unread[side]), None)
        if side is not None:
            further[side] += 1
            if further[side] > 1:
                continue
        texts = [
            _NOT_READ if value is None and path in end
            else _ABSENT if value is None
            else _short(value) + _DOUBTFUL * (path in doubts)
            for value, doubts, end in zip(values, doubtful, unread, strict=True)
        ]  # fmt: skip
        yield path, texts[0], texts[1]
    for side, count in enumerate(further):
        if count > 1:
            texts = [_NOT_READ if at == side else "" for at in (0, 1)]
            yield f"{counted(count - 1, 'field')} after it", texts[0], texts[1]
    yield from _rest(sides)


def _kind(packet: Any) -> str:
    whole = packet.packet if isinstance(packet, LaxResult) else packet
    if whole is not None:
        return type(whole).__name__
    return "packet" if packet.source is None else packet.source.kind


def _fields(root: str, packet: Any) -> dict[str, Any]:
    """Return the fields of a packet by path, also those whose offset is uncertain."""
    plain = to_dict(packet)
    certain = {name: value for name, value in plain.items() if not name.startswith("$")}
    return {**dict(_flat(root, certain)), **_doubtful(root, packet)}


def _doubtful(root: str, packet: Any) -> dict[str, Any]:
    if not isinstance(packet, LaxResult):
        return {}
    return dict(_flat(root, to_dict(packet)["$doubtful"])) if packet.doubtful else {}


def _unread(packet: Any, fields: dict[str, Any], other: dict[str, Any]) -> frozenset[str]:
    """Return the fields of the other packet that may be lost in this one because of damage."""
    if not isinstance(packet, LaxResult) or packet.packet is not None:
        return frozenset()
    paths = [*other]
    last = max((at for at, path in enumerate(paths) if path in fields), default=-1)
    return frozenset(paths[last + 1 :])


def _rest(sides: tuple[tuple[bytes, Any], tuple[bytes, Any]]) -> Iterator[Row]:
    """Yield how the packets differ after the fields, and why they cannot be read."""
    results = [packet if isinstance(packet, LaxResult) else None for _, packet in sides]
    if results == [None, None]:
        return
    start = min(
        len(data) - len(result.rest) if result.reached is None else result.reached.offset
        for (data, _), result in zip(sides, results, strict=True)
        if result is not None
    )
    rests = [data[start:] for data, _ in sides]
    if rests[0] != rests[1]:
        at = next(
            (at for at, (left, right) in enumerate(zip(*rests, strict=False)) if left != right),
            min(map(len, rests)),
        )
        texts = [_short(rest[at:].hex()) or "(none)" for rest in rests]
        yield f"bytes from {start + at:,}", texts[0], texts[1]
    errors = ["(read whole)" if result is None else str(result.error or "(read whole)") for result in results]
    if errors[0] != errors[1]:
        yield "error", errors[0], errors[1]


def _flat(name: str, plain: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from _flat(f"{name}.{key}", value)
    elif isinstance(plain, list) and plain:
        for at, value in enumerate(plain):
            yield from _flat(f"{name}[{at}]", value)
    else:
        yield name, plain


def _short(value: Any) -> str:
    text = str(value)
    return (
        text
        if len(text) <= _SHORT
        else f"{text[: _SHORT // 2]}...{text[-_SHORT // 2 :]} ({len(text)} characters)"
    )
