"""What a fuzzer starts from: a seed corpus and a dictionary, both made when asked for.

1. The dictionary has every constant that the layouts, their defaults and the property table know, in the
   bytes that it has on the wire; its form is that of libFuzzer and AFL.
2. Seeds come from the strategies, always the same ones, and from packets of the caller's own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msmq_wire.definitions import relations
from msmq_wire.definitions.properties import PROPERTIES, VARTYPE
from msmq_wire.documents.layouts import structures
from msmq_wire.packets.directory import notification as mqcn
from msmq_wire.packets.directory import replication as mqdsrp
from msmq_wire.records.model import Choice, Flags, Structure
from msmq_wire.values.enumerations import enumerations

from .mutator import mutate, samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from msmq_wire import Record

__all__ = ["dictionary", "seed_corpus"]

_LOADED = (mqcn, mqdsrp)  # their structures are known once they are imported
_TEXTS = (
    "DIRECT=", "PUBLIC=", "PRIVATE=", "MACHINE=", "CONNECTOR=", "DL=", "MULTICAST=", "TCP:", "SPX:", "IPX:",
    "OS:", "HTTP://", "HTTPS://", "PRIVATE$\\", "SYSTEM$;", ";JOURNAL", ";DEADLETTER",
    ";DEADXACT", ";XACTONLY", "QM Ordering Ack\0", "\\private$\\order_queue$\0", "<Notification>",
    "<Event>", "<ObjectGuid>", "<DomainController>", "</Notification>",
)  # fmt: skip
"""Words of texts; the layouts say nothing about these."""
_NUMBERS = {"0": 0, "1": 1, "7f": 0x7FFF_FFFF, "80": 0x8000_0000, "ff": 0xFFFF_FFFF}
_LONG = {"ALG_ID", *(name for name in enumerations() if name.endswith("ACCESSMASK"))}
_NAME = re.compile(r"\W+")


def dictionary() -> str:
    r"""Every constant of the protocol, one line ``name="\xNN..."`` each, as libFuzzer and AFL read it."""
    seen: dict[bytes, str] = {}
    for name, raw in _constants():
        seen.setdefault(raw, _NAME.sub("_", name).strip("_"))
    used: dict[str, int] = {}
    lines = []
    for raw, name in seen.items():
        used[name] = used.get(name, 0) + 1
        unique = name if used[name] == 1 else f"{name}_{used[name]}"
        lines.append(f'{unique}="{_escaped(raw)}"')
    return "\n".join(lines) + "\n"


def _escaped(raw: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in raw)


def _constants() -> Iterator[tuple[str, bytes]]:
    for path, value in relations.DEFAULTS.items():
        if isinstance(value, bytes):
            yield path, value[:16]
        elif isinstance(value, int) and path.count(".") == 1:
            yield path, _in(_field(path).kind, value)
    for name, members in enumerations().items():
        for member, value in members.items():
            yield f"{name}_{member}", value.to_bytes(4 if name in _LONG else 2, "little")
    for structure in structures().values():
        yield from _structure_constants(structure)
    for vt in VARTYPE:
        yield vt.name, int(vt).to_bytes(2, "little")
        yield f"{vt.name}_vector", int(vt | VARTYPE.VT_VECTOR).to_bytes(2, "little")
    for row in PROPERTIES:
        yield row.name, row.number.to_bytes(4, "little")
    for text in _TEXTS:
        yield f"text {text}", text.encode()
        yield f"wide {text}", text.encode("utf-16-le")
    for size in (1, 2, 4):
        for name, number in _NUMBERS.items():
            yield (
                f"number{size * 8}_{name}",
                (number >> 32 - size * 8 if number > 1 else number).to_bytes(size, "little"),
            )


def _structure_constants(structure: Structure) -> Iterator[tuple[str, bytes]]:
    for field in structure.fields:
        path = f"{structure.name}.{field.name}"
        if isinstance(field.kind, Flags):
            for group in field.kind.groups:
                yield f"{path}.{group.name}", group.mask.to_bytes(field.kind.size, "little")
        for value in field.known or ():
            yield f"{path}_{value}", _in(field.kind, value)
        if isinstance(field.kind, Choice):
            owner, _, bits = field.kind.selector.partition(".")
            kind = structure.by_name[owner].kind
            for value in field.kind.forms if not bits else ():
                yield f"{structure.name}.{owner}_{value}", _in(kind, value)
    for path, value in relations.FIXED.get(structure.name, {}).items():
        if isinstance(value, int) and "Flags" not in path:
            part, _, name = path.partition(".")
            inner: Any = structure.by_name[part].kind
            yield f"{path}_{value}", _in(inner.structure.by_name[name].kind, value)


def _field(path: str) -> Any:
    name, _, field = path.partition(".")
    return structures()[name].by_name[field]


def _in(kind: Any, value: int) -> bytes:
    return value.to_bytes(kind.size, "little")


def seed_corpus(
    kind: type[Record] | str | None = None, *, count: int = 100, packets: Iterable[bytes] = ()
) -> tuple[bytes, ...]:
    """What a fuzzer may start from: conformant bytes, some of them bent in one place, and bytes of your own.

    Needs Hypothesis, whose strategies make the conformant ones; without it there are fewer.

    Args:
        kind: As for `mutate`; also ``"stream"``, whole sessions as one run of bytes each.
        count: How many to draw from the strategies; one in four is bent.
        packets: Bytes of your own to add, such as published vectors or captured packets.

    Returns:
        The seeds, each once, shortest first; the same for the same arguments, version of Hypothesis and
        registered property identifiers.
    """
    found = {*packets, *samples(None if kind == "stream" else kind)}
    made = _drawn(kind, count)
    found.update(made)
    if kind != "stream":
        found.update(mutate(data, seed, kind=kind).data for seed, data in enumerate(made[::4]))
    return tuple(sorted(found, key=lambda data: (len(data), data)))


def _drawn(kind: type[Record] | str | None, count: int) -> list[bytes]:
    """Bytes of what the strategies make, always the same."""
    try:
        from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: PLC0415  # works without, too
    except ModuleNotFoundError:
        return []
    strategy, encode = _source(kind)
    drawn: list[bytes] = []

    @seed(0)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        drawn.append(encode(value))

    collect()
    return drawn


def _source(kind: type[Record] | str | None) -> tuple[Any, Callable[[Any], bytes]]:
    """A strategy, and how what it makes is encoded."""
    from msmq_wire.testing.strategies import directory, kinds, packets, sessions  # noqa: PLC0415  # need Hypothesis

    match kind:
        case "stream":
            return sessions.sessions(), lambda session: b"".join(packet.encode() for _, packet in session)
        case None | "packet":
            return packets.packets(), _encoded
        case "replication":
            return directory.replication_messages(), _encoded
        case "notification":
            return directory.notifications(), _encoded
    return kinds.records(kind), _encoded


def _encoded(record: Record) -> bytes:
    return record.encode()
