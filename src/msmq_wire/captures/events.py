"""Rows of tables as events for other tools: Elastic Common Schema (ECS 8), and the logs of Zeek.

1. A column for which ECS or Zeek has a field is in that field.  All other columns are kept under the name of
   this package: ``msmq`` in ECS, and by their own names in Zeek, whose log is called ``msmq`` or
   ``msmq_<table>``.
2. Columns of bytes are left out: both tools index texts.  Absent values are left out, too.
3. Counts by value are lists, because each key of an object would be a field of its own in an index.
4. A log of Zeek is JSON lines, or the text that Zeek writes by default and that ``zeek-cut`` reads: lines
   that begin with ``#`` name the fields and their types, then each row is a line of values between tabs.
"""

from __future__ import annotations

import datetime as dt
import decimal
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from .answers.deliveries.reasons import ARRIVED, UNDELIVERED
from .findings.patterns import SEVERITIES
from .rows.community import community_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Event = dict[str, Any]
    Row = Mapping[str, Any]

ZEEK_TEXT: Final = "zeek-tsv"
"""The schema whose rows are lines of `ZeekLog`; those of the others are JSON."""
EVENT_SCHEMAS: Final = ("ecs", "zeek", ZEEK_TEXT)
ECS_VERSION: Final = "8.17.0"
"""The version of the Elastic Common Schema whose fields are used."""

_BYTES: Final = frozenset({"data", "body"})
"""Columns that are left out."""
_TIMES: Final = ("time", "first_at", "sent_at", "last_at")
"""Columns with the time of an event, the first that has a value counts."""
_ENDS: Final = ("end_time", "last_at")
_KINDS: Final[dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]] = {
    "flows": ("event", ("network",), ("connection",)),
    "sessions": ("event", ("network",), ("connection",)),
    "packets": ("event", ("network",), ("protocol",)),
    "messages": ("event", ("network",), ("protocol",)),
    "violations": ("event", ("network",), ("protocol", "info")),
    "findings": ("alert", ("intrusion_detection", "network"), ("info",)),
    "deliveries": ("event", ("network",), ("protocol",)),
    "queues": ("metric", ("network",), ("info",)),
    "dependencies": ("metric", ("network",), ("info",)),
    "hosts": ("asset", ("host",), ("info",)),
    "directory_changes": ("event", ("configuration",), ("change",)),
    "directory_history": ("event", ("configuration",), ("change",)),
    "directory_objects": ("state", ("configuration",), ("info",)),
    "quarantine": ("pipeline_error", (), ()),
}
"""`event.kind`, `event.category` and `event.type` of rows of a table; those of others are metrics."""
_METRIC: Final[tuple[str, tuple[str, ...], tuple[str, ...]]] = ("metric", (), ())
_OUTCOMES: Final = {
    **dict.fromkeys((*ARRIVED, "complete"), "success"),
    **dict.fromkeys((*UNDELIVERED, "refused"), "failure"),
}
"""`event.outcome` by the state of a delivery or the handshake of a session; else it is unknown."""
_MESSAGES: Final = {"findings": "evidence", "violations": "message", "deliveries": "why", "messages": "label"}
"""The column that is the `message` of an event."""
_CVE: Final = re.compile(r"CVE-\d+-\d+")
_ENDPOINT: Final = re.compile(r"\[?(?P<ip>[0-9A-Fa-f.:]+?)\]?:(?P<port>\d+)")
_FLOW: Final = re.compile(r"(?P<transport>tcp|udp) (?P<opener>\S+) > (?P<acceptor>\S+)(?: .*)?")


def event_of(schema: str, table: str) -> Callable[[Row], Event]:
    """Return the function that makes an event of a row of a table.

    Args:
        schema: ``ecs`` or ``zeek``.
        table: The name of the table.
    """
    maker = _ecs if schema == "ecs" else _zeek
    return lambda row: maker(table, row)


def _time(row: Row, names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _placed(row: Row) -> Row:
    """Return the place where a row was captured: the row itself, or the first hop of a message."""
    for hop in (row.get("hops") or ())[:1]:
        flow = _FLOW.fullmatch(hop["flow"] or "")
        return {**flow.groupdict(), "connection": hop["connection"], "sensor": hop["sensor"]} if flow else row
    return row


def _ends(row: Row) -> tuple[Any, Any, Any, Any]:
    """Return the address and the port of the sender and of the receiver of a row; None where it has none."""
    if "src" in row:
        return row["src"], row["src_port"], row["dst"], row["dst_port"]
    opener, acceptor = (_ENDPOINT.fullmatch(row.get(name) or "") for name in ("opener", "acceptor"))
    if opener and acceptor:
        return opener["ip"], int(opener["port"]), acceptor["ip"], int(acceptor["port"])
    return row.get("host"), None, None, None


# ----------------------------------------------------------------------------------------------- ECS


def _ecs(table: str, row: Row) -> Event:
    kind, category, types = _KINDS.get(table, _METRIC)
    source = _placed(row)
    src, src_port, dst, dst_port = _ends(source)
    transport = source.get("transport")
    severity = row.get("severity")
    if severity == SEVERITIES[0]:
        kind = "event"
    state = row.get("state") or row.get("handshake")
    begin = _time(row, _TIMES)
    event: Event = {
        "@timestamp": begin,
        "ecs": {"version": ECS_VERSION},
        "message": row.get(_MESSAGES.get(table, "")),
        "event": {
            "kind": kind,
            "category": [*category],
            "type": [*types],
            "module": "msmq",
            "dataset": f"msmq.{table}",
            "action": row.get("type") or row.get("message_class") or row.get("command_name"),
            "start": begin,
            "end": _time(row, _ENDS),
            "outcome": _OUTCOMES.get(state, "unknown") if state else None,
            "severity": SEVERITIES.index(severity) + 1 if severity else None,
            "reason": row.get(_MESSAGES[table]) if table in {"findings", "deliveries"} else None,
        },
        "source": {"address": src, "ip": src, "port": src_port},
        "destination": {"address": dst, "ip": dst, "port": dst_port},
        "network": {
            "transport": transport if transport in {"tcp", "udp"} else None,
            "protocol": "msmq",
            "community_id": community_id(transport, src, src_port, dst, dst_port),
            "bytes": row.get("bytes"),
        },
        "observer": {"name": source.get("sensor"), "type": "sensor" if source.get("sensor") else None},
        "log": {"file": {"path": row.get("file")}},
        "related": {"ip": sorted({address for address in (src, dst) if address})},
        "host": {"name": row["machine"], "ip": row["addresses"]} if table == "hosts" else None,
        "rule": _rule(table, row),
        "vulnerability": _vulnerability(row),
        "error": {"message": row.get("error")},
        "msmq": {name: value for name, value in row.items() if name not in _BYTES},
    }
    return _bare(event) or {}


def _rule(table: str, row: Row) -> Event | None:
    if table == "findings":
        references = [text for text in row["references"] or () if not _CVE.fullmatch(text)]
        return {"id": row["id"], "name": row["name"], "reference": ", ".join(references) or None}
    if table == "violations":
        return {"id": row["requirement"], "name": row["message"], "category": row["level"]}
    return None


def _vulnerability(row: Row) -> Event | None:
    cves = [text for text in row.get("references") or () if _CVE.fullmatch(text)]
    return {"id": cves[0], "enumeration": "CVE"} if cves else None


def _bare(value: Any) -> Any:
    """Return a value for JSON: counts by value as lists, and None for what is left out."""
    match value:
        case dict():
            items = ((name, _bare(item)) for name, item in value.items())
            return {name: item for name, item in items if item is not None} or None
        case list() if value and all(isinstance(item, tuple) for item in value):
            return [{"value": str(name), "count": _bare(item)} for name, item in value]
        case list():
            return [item for item in map(_bare, value) if item is not None] or None
        case bytes():
            return None
    return scalar(value)


def scalar(value: Any) -> Any:
    """Return a value for JSON: a time as ISO 8601, a decimal as a number, any other unchanged."""
    match value:
        case dt.datetime():
            return value.isoformat()
        case decimal.Decimal():
            return int(value)
    return value


# ---------------------------------------------------------------------------------------------- Zeek


def _zeek(table: str, row: Row) -> Event:
    source = _placed(row)
    src, src_port, dst, dst_port = _ends(source)
    if not any(name in row for name in _ENDPOINTS):  # `host` of a dependency is no connection
        src = None
    back = row.get("direction") == "<-"
    if back or (
        source is not row and src_port < dst_port
    ):  # it is unknown who opened the connection of a hop
        src, src_port, dst, dst_port = dst, dst_port, src, src_port
    connection, transport = source.get("connection"), source.get("transport")
    event: Event = {
        "_path": _path(table),
        "ts": _time(row, _TIMES),
        "uid": None if connection is None else _uid(f"{source.get('sensor')} {connection}"),
        "id.orig_h": src,
        "id.orig_p": src_port,
        "id.resp_h": dst,
        "id.resp_p": dst_port,
        "proto": transport,
        "is_orig": None if row.get("direction") is None else not back,
        "community_id": community_id(transport, src, src_port, dst, dst_port),
    }
    event |= {_RENAMED.get(name, name): value for name, value in row.items() if name not in _SHOWN}
    flat: Event = {}
    for name, value in event.items():
        _flatten(name, value, flat)
    return flat


def _path(table: str) -> str:
    return "msmq" if table == "packets" else f"msmq_{table}"


_SHOWN: Final = frozenset(
    {*_BYTES, "time", "transport", "direction", "src", "src_port", "dst", "dst_port", "community_id"}
)
"""Columns whose whole content is in Zeek's fields; they are left out, too."""
_RENAMED: Final = {"id": "pattern"}
"""Columns whose name is the beginning of a field of Zeek."""
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_UID: Final = 17
"""Letters of an identifier of a connection after the ``C``, about as many as Zeek's have."""


def _uid(name: str) -> str:
    """Return an identifier of a connection that looks like Zeek's; Zeek itself draws another one."""
    number = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:16], "big")
    letters = []
    for _ in range(_UID):
        number, index = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[index])
    return "C" + "".join(letters)


def _flatten(name: str, value: Any, flat: Event) -> None:
    """Add a value to an event: the fields of structs by their paths, times in seconds since 1970."""
    match value:
        case None | bytes():
            return
        case dict():
            for inner, item in value.items():
                _flatten(f"{name}.{inner}", item, flat)
        case list() if value and all(isinstance(item, tuple) for item in value):
            flat[name] = [f"{key}={count}" for key, count in value]
        case list():
            flat[name] = [_listed(item) for item in value]
        case dt.datetime():
            flat[name] = round(value.timestamp(), 6)
        case decimal.Decimal():
            flat[name] = int(value)
        case _:
            flat[name] = value


def _listed(value: Any) -> Any:
    """Return an item of a list, of structs as an object."""
    flat: Event = {}
    _flatten("", value, flat)
    if isinstance(value, dict):
        return {path.removeprefix("."): item for path, item in flat.items()}
    return flat.get("")


_MARKS: Final = {"set_separator": ",", "empty_field": "(empty)", "unset_field": "-"}
"""The texts for separators and absent values in a log of Zeek; its header states them."""
_ENDPOINTS: Final = ("src", "opener", "hops")
"""Columns that a table with both ends of a connection has one of."""
_OWN_FIELDS: Final = (
    ("ts", "time", _TIMES),
    ("uid", "string", ("connection", "hops")),
    ("id.orig_h", "addr", _ENDPOINTS),
    ("id.orig_p", "port", _ENDPOINTS),
    ("id.resp_h", "addr", _ENDPOINTS),
    ("id.resp_p", "port", _ENDPOINTS),
    ("proto", "enum", ("transport", "hops")),
    ("is_orig", "bool", ("direction",)),
    ("community_id", "string", ("transport", "hops")),
)
"""The fields of Zeek, their types, and the columns of which a table has one if the field has values."""


class ZeekLog:
    """A table as a log in the text format of Zeek.

    There are no lines ``#open`` and ``#close``, so that the same rows are the same bytes at any time.

    Attributes:
        fields: The types of the fields, by name.
        header: The lines that name the fields and their types.
    """

    def __init__(self, table: str, columns: pa.Schema) -> None:
        """Initialize the log of a table.

        Args:
            table: The name of the table.
            columns: The columns of its rows.
        """
        self._event = event_of("zeek", table)
        fields = {name: kind for name, kind, needs in _OWN_FIELDS if {*needs} & {*columns.names}}
        for column in columns:
            if column.name not in _SHOWN:
                fields |= _fields(_RENAMED.get(column.name, column.name), column.type)
        self.fields = fields
        lines = [
            [r"#separator \x09"],
            *([f"#{name}", mark] for name, mark in _MARKS.items()),
            ["#path", _path(table)],
            ["#fields", *fields],
            ["#types", *fields.values()],
        ]
        self.header = "".join("\t".join(line) + "\n" for line in lines)

    def line(self, row: Row) -> str:
        """Return the line of a row."""
        event = self._event(row)
        line = "\t".join(_text(event.get(name)) for name in self.fields)
        return (rf"\x23{line[1:]}" if line.startswith("#") else line) + "\n"


def _fields(name: str, kind: pa.DataType) -> Iterator[tuple[str, str]]:
    """Yield the fields of Zeek for a column, and their types; none for bytes."""
    if pa.types.is_struct(kind):
        for field in kind:
            yield from _fields(f"{name}.{field.name}", field.type)
    elif pa.types.is_map(kind):
        yield name, "vector[string]"
    elif pa.types.is_list(kind):
        inner = dict(_fields("", kind.value_type)).get("", "string")
        yield name, "vector[string]" if inner.startswith("vector") else f"vector[{inner}]"
    elif not (pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind)):
        yield name, _scalar(kind)


def _scalar(kind: pa.DataType) -> str:
    if pa.types.is_timestamp(kind):
        return "time"
    if pa.types.is_boolean(kind):
        return "bool"
    if pa.types.is_floating(kind):
        return "double"
    if pa.types.is_unsigned_integer(kind) or pa.types.is_decimal(kind):  # decimals: 8 bytes without a sign
        return "count"
    return "int" if pa.types.is_integer(kind) else "string"


def _text(value: Any) -> str:
    """Return a value of a log: booleans as ``T`` and ``F``, items of lists between commas."""
    if value is None:
        return _MARKS["unset_field"]
    if isinstance(value, list):
        return _MARKS["set_separator"].join(map(_item, value)) or _MARKS["empty_field"]
    return _plain_text(value)


def _item(value: Any) -> str:
    return _plain_text(value).replace(_MARKS["set_separator"], r"\x2c") if value is not None else _text(None)


def _plain_text(value: Any) -> str:
    match value:
        case bool():
            return "T" if value else "F"
        case float():
            return f"{value:.6f}"
        case dict() | list():
            value = json.dumps(value, ensure_ascii=False)
    text = str(value)
    if not text.isprintable() or "\\" in text:
        text = "".join(map(_escaped, text))
    if text in {_MARKS["unset_field"], _MARKS["empty_field"]}:
        return rf"\x{ord(text[0]):02x}{text[1:]}"
    return text or _MARKS["empty_field"]


def _escaped(character: str) -> str:
    r"""Return a character as it stands in a log: its UTF-8 bytes as ``\xHH`` if it cannot be printed."""
    if character.isprintable() and character != "\\":
        return character
    return "".join(rf"\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
