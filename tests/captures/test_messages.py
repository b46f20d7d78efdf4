"""The columns of messages in tables are those of `decode_messages`, whatever the messages are."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, parquet

import msmq_wire as mw
from msmq_wire import captures, mqmq
from msmq_wire import testing as mt
from msmq_wire.arrow import decode_messages, decode_packets, message_type
from msmq_wire.arrow.bodies import read_bodies, read_body
from msmq_wire.arrow.messages import FIELDS
from msmq_wire.captures.rows.messages import MESSAGES, PASSED, SHARED, messages
from msmq_wire.captures.rows.readings import READ, read_headers
from msmq_wire.documents.queue_names import to_wire_list

from .segments import GOLDEN, MESSAGE

if TYPE_CHECKING:
    from pathlib import Path

PLACED = {*PASSED}


def rows_of(data: list[bytes]) -> list[dict[str, Any]]:
    """What columns say of these messages, whoever asks."""
    rows = _worker_rows(data)
    found: list[dict[str, Any]] = decode_messages(pa.array(data, pa.binary())).to_pylist()
    passed = PLACED | {"partial", "packet_size", "reached", "error"}
    own = [{name: value for name, value in row.items() if name not in passed} for row in rows]
    assert [{**row, "error": None} for row in own] == found
    return rows


def _worker_rows(data: list[bytes]) -> list[dict[str, Any]]:
    """What the worker makes of them."""
    packets = decode_packets(pa.array(data, pa.binary()), spark=True, text="utf8")
    columns = {name: pa.nulls(len(data), MESSAGES.field(name).type) for name in PASSED}
    headers = read_headers(packets)
    columns |= {name: headers[name] for name in SHARED if name in READ.schema.names}
    columns |= {path: pc.struct_field(packets, path.split(".")) for path in FIELDS}
    (batch,) = messages()([pa.RecordBatch.from_pydict(columns)])
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


@given(st.lists(mt.user_messages(), min_size=1, max_size=4))
def test_readings(drawn: list[Any]) -> None:
    """The worker and `decode_messages` agree, and columns that say the same of a body or of queues do."""
    for row in rows_of([mw.encode(message) for message in drawn]):
        assert row["destination"] == next(iter(row["destinations"]), None)
        assert (row["body_form"] == "encrypted") == row["encrypted"]
        assert (row["text"] is None) == (row["body_form"] in {"encrypted", "empty", "bytes", ".NET binary"})
        assert (row["body_types"] is None) == (row["body_form"] != ".NET binary")
        assert [row[name] for name in ("partial", "packet_size", "reached", "error")] == [False, *[None] * 3]


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr("word/document.xml", "<a/>")
    return file.getvalue()


@pytest.mark.each(15)
@pytest.mark.parametrize(
    ("kind", "body", "form", "text"),
    [
        (8, "Grüße".encode("utf-16-le") + b"\0\0", "VT_BSTR", "Grüße"),
        (8, "a\0b".encode("utf-16-le"), "VT_BSTR", "a\0b"),
        (8, b"odd", "UTF-8", "odd"),
        (31, "a\0b\0".encode("utf-16-le"), "bytes", None),
        (31, "ab".encode("utf-16-le"), "VT_LPWSTR", "ab"),
        (30, b"text", "VT_LPSTR", "text"),
        (30, b"te\0xt\0", "bytes", None),
        (3, b"\1\0\0\0", "VT_I4", "1"),
        (3, b"\1\0", "bytes", None),
        (4113, b"hello", "UTF-8", "hello"),
        (999, b"hello", "UTF-8", "hello"),
        (999, b"", "empty", None),
        (0, b"", "empty", None),
        (0, b"<?xml version='1.0'?><a>\xc3\xbc</a>", "UTF-8 XML", "<?xml version='1.0'?><a>ü</a>"),
        (0, b"\xef\xbb\xbf<a/>", "UTF-8 XML", "<a/>"),
        (0, "<a/>\0".encode("utf-16-le"), "UTF-16", "<a/>"),
        (0, b"<a>\xff</a>", "bytes", None),
        (0, bytes.fromhex("0001000000ffffffff0100000000000000") + b"rest", ".NET binary", None),
        (0, "Grüße aus Köln".encode("latin-1"), "Latin-1 (guess)", "Grüße aus Köln"),
        (0, "café for 5 €\0".encode("cp1252"), "Latin-1 (guess)", "café for 5 €"),
        (0, b"Gr\xfc\xdfe aus Berlin\x01", "bytes", None),
        (0, gzip.compress(b"text", mtime=0), "gzip", None),
        (0, bz2.compress(b"text"), "bzip2", None),
        (0, lzma.compress(b"text"), "xz", None),
        (0, archive(), "ZIP", None),
        (0, b"%PDF-1.7\n", "PDF", None),
        (0, b"\x89PNG\r\n\x1a\n" + bytes(9), "PNG", None),
        (0, b"\x1f\x8b\x08", "bytes", None),
        (0, b"\0\0\1\0\1\0\x10\x10\0\0\1\0", "bytes", None),
        (0, b"\xff\xd8\xff\xe0" + bytes(9), "JPEG", None),
        (0, b"GIF89a" + b"\1\0" * 5, "GIF", None),
        (0, b"MZ" + bytes(58) + b"\x40\0\0\0" + b"PE\0\0", "PE", None),
        (0, b"MZ" + bytes(range(3, 73)), "bytes", None),
        (0, b"\x7fELF\2\1" + bytes(20), "ELF", None),
        (0, b"BM" + bytes(range(3, 73)), "bytes", None),
        (0, b"BM" + struct.pack("<IIII", 58, 0, 54, 40) + bytes(40), "BMP", None),
        (0, b"BM" + struct.pack("<IIII", 0, 0, 26, 12) + b"\1\0" * 4, "BMP", None),
        (0, b"BM" + struct.pack("<IIII", 58, 0, 54, 40) + bytes(30), "bytes", None),
        (0, b"BM" + struct.pack("<IIII", 58, 0, 53, 40) + bytes(40), "bytes", None),
        (0, b"BM" + struct.pack("<IIII", 58, 1, 54, 40) + bytes(40), "bytes", None),
        (0, b"BM\1" + bytes(60), "bytes", None),
        (0, b"BM\1\0\0\0\0", "bytes", None),
        (0, b"BM 4711", "UTF-8", "BM 4711"),
        (0, "BM 4711, größer".encode(), "UTF-8", "BM 4711, größer"),
        (0, "BM 4711".encode("utf-16-le"), "UTF-16", "BM 4711"),
        (0, b"8BPS\0\1" + bytes(20), "PSD", None),
        (0, b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC", None),
        (0, bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + b"\xec\xa5\xc1\0", "DOC", None),
        (
            0,
            bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + bytes.fromhex("0908100000060500") + b"\0",
            "XLS",
            None,
        ),
        (0, bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "bytes", None),
        (0, b"name".ljust(257, b"\0") + b"ustar\x0000" + bytes(248), "TAR", None),
        (0, bytes.fromhex("04224d18") + bytes(9), "lz4", None),
        (0, b"SQLite format 3\0\x10\0", "SQLite", None),
        (0, b"!<arch>\n" + b"\1\0" * 9, "AR", None),
        (0, b"\x1f\x9d\x90" + bytes(9), "bytes", None),
        (0, b"%!\0\1" + bytes(9), "bytes", None),
        (0, b"MZ is a name", "UTF-8", "MZ is a name"),
        (0, b"GIF89a is a format", "UTF-8", "GIF89a is a format"),
        (0, b"abcdefgh\xff\xfe\xfd\xfc\xfb", "bytes", None),
        (0, b"anything", "UTF-8", "anything"),
        (0, "Grüße\r\n\0".encode(), "UTF-8", "Grüße\r\n"),
        (0, "Grüße 1\0".encode("utf-16-le"), "UTF-16", "Grüße 1"),
        (0, "\ud55c\uae00".encode("utf-16-le"), "bytes", None),
        (0, "😀😀😀".encode("utf-16-le"), "UTF-16", "😀😀😀"),
        (0, "😀😀😀".encode("utf-16-be"), "UTF-16", "😀😀😀"),
        (0, "\x80\x81".encode("utf-16-le"), "bytes", None),
        (0, "left\u202eright".encode(), "bytes", None),
        (0, b"two\0parts", "bytes", None),
        (0, b" \n", "bytes", None),
        (0, b"7\0\0\0", "bytes", None),
        (0, b"7", "bytes", None),
        (0, b"77\0\0", "UTF-8", "77"),
        (0, b" ~", "bytes", None),
        (0, b" ~~ ", "UTF-8", " ~~ "),
        (0, b"\tab\n", "UTF-8", "\tab\n"),
        (0, b"ab\x1f", "bytes", None),
        (0, b"ab\x7f", "bytes", None),
        (0, "\u0100\u013f".encode(), "UTF-8", "\u0100\u013f"),
        (0, "\xff\xff".encode("utf-16-le"), "UTF-16", "\xff\xff"),
        (0, "odd".encode("utf-16-le") + b"\0", "bytes", None),
        (0, b"\xff\xfe" + "<a/>".encode("utf-16-le"), "UTF-16", "<a/>"),
        (0, "<a/>".encode("utf-16-le") + b">", "bytes", None),
        (0, "hello world text".encode("utf-16"), "UTF-16", "hello world text"),
        (0, b"\xfe\xff" + "Привет\0".encode("utf-16-be"), "UTF-16", "Привет"),
        (0, b"\xff\xfe", "bytes", None),
        (0, b"\xff\xfe\0\xd8", "bytes", None),
        (0, "Привет, мир €".encode("utf-16-le"), "UTF-16", "Привет, мир €"),
        (0, "Привет, мир".encode("utf-16-be"), "UTF-16", "Привет, мир"),
        (0, "你好世界".encode("utf-16-le"), "UTF-16", "你好世界"),
        (0, "こんにちは世界".encode("utf-16-le"), "UTF-16", "こんにちは世界"),
        (0, "नमस्ते दुनिया".encode("utf-16-le"), "UTF-16", "नमस्ते दुनिया"),
        (0, "\u200fשלח לי".encode("utf-16-le"), "UTF-16", "\u200fשלח לי"),
        (0, "party \U0001f389\U0001f38a".encode("utf-16-le"), "UTF-16", "party \U0001f389\U0001f38a"),
        (0, "hello".encode("utf-8-sig"), "UTF-8", "hello"),
        (0, b"".join(n.to_bytes(2, "little") for n in range(0x1A1, 0x7A0, 0x50)), "bytes", None),
        (0, b"\r\n <a/>", "UTF-8 XML", "\r\n <a/>"),
        (0, b"\x07\0\0\0", "bytes", None),
        (0, bytes(4), "bytes", None),
        (3, b"\x07\0\0\0", "VT_I4", "7"),
        (5, bytes.fromhex("0000000000000440"), "VT_R8", "2.5"),
        (6, bytes.fromhex("c01dfeffffffffff"), "VT_CY", "-12.3456"),
        (7, bytes.fromhex("000000000000f43f"), "VT_DATE", "1899-12-31 06:00:00"),
        (30, b"Gr\xc3\xbc\xc3\x9fe\0", "VT_LPSTR", "Gr\xfc\xdfe"),
    ],
)
def test_bodies(kind: int, body: bytes, form: str, text: str | None) -> None:
    """What a body is follows from its BodyType, or from how it begins."""
    message: Any = mw.decode(GOLDEN["frame-7-user-message-completed"])
    properties = mw.mqmq.MessagePropertiesHeader(BodyType=kind, MessageBody=body)
    (row,) = rows_of([mw.encode(mw.replace(message, MessagePropertiesHeader=properties))])
    assert (row["body_form"], row["text"]) == (form, text)


UNITS = st.lists(st.sampled_from(["a", "ü", "\0", "\ud83d", "\udca9", "\U0001f389"]), max_size=6)
BODIES_OF_ALL_TYPES = st.tuples(
    st.sampled_from([None, 0, 3, 8, 30, 31, 0x2011]),
    st.sampled_from([None, False, True]),
    st.none()
    | st.binary(max_size=9)
    | UNITS.map(lambda units: "".join(units).encode("utf-16-le", "surrogatepass")),
)


@given(rows=st.lists(BODIES_OF_ALL_TYPES, max_size=9))
def test_bodies_together(rows: list[tuple[int | None, bool | None, bytes | None]]) -> None:
    """Many bodies are what each of them is; nothing is said of one of which something is unknown."""
    columns: list[Any] = [*zip(*rows, strict=True)] or [()] * 3
    kinds, encrypted, bodies = map(pa.array, columns, (pa.int64(), pa.bool_(), pa.binary()))
    together = zip(*(column.to_pylist() for column in read_bodies(kinds, encrypted, bodies)), strict=True)
    for (kind, hidden, body), described in zip(rows, together, strict=True):
        if kind is None or hidden is None or body is None:
            assert described == (None, None, None)
        else:
            assert described == (("encrypted", None, None) if hidden else read_body(kind, body))


def test_requested_acknowledgments() -> None:
    """In words, those of arrival first, and of success before failure."""
    words = {"PA": "delivered", "PR": "retrieved", "NA": "not delivered", "NR": "not retrieved"}
    wanted = [[], *([flag] for flag in words), ["PA", "NR"], ["PR", "NA"], list(words)]
    data = []
    for flags in wanted:
        made = mw.mqmq.MessagePropertiesHeaderFlags(**dict.fromkeys(flags, 1))
        header = mw.mqmq.MessagePropertiesHeader(Flags=made)
        data.append(mw.mqmq.UserMessage(MessagePropertiesHeader=header).encode())
    found = [row["acknowledgments"] for row in rows_of(data)]
    assert found == [[words[flag] for flag in flags] for flags in wanted]


@pytest.mark.parametrize("size", [0, 1, 20])
def test_signatures_of_any_size(size: int) -> None:
    secured = mw.mqmq.SecurityData(SecurityID=b"\1\0" + bytes(6), Signature=b"s" * size)
    security = mw.mqmq.SecurityHeader(SecurityData=secured)
    several = mw.mqmq.MultiQueueFormatHeader(Signature=mw.mqmq.MQFSignatureHeader(Signature=b"s" * size))
    data = [
        mw.mqmq.UserMessage(**parts).encode()
        for parts in ({"SecurityHeader": security}, {"MultiQueueFormatHeader": several}, {})
    ]
    assert [row["signed"] for row in rows_of(data)] == [size > 0, size > 0, False]


def test_queues_in_lists() -> None:
    """A queue that only a list names is in its column, in the words of `FormatName`."""
    names = {
        "destination": "PUBLIC=557358D1-9150-9595-4997-B6E611EA26C6",
        "admin_queue": "DL=557358D1-9150-9595-4997-B6E611EA26C7",
        "response_queue": "PRIVATE=557358D1-9150-9595-4997-B6E611EA26C8\\00000009",
    }
    destination, administration, response = map(to_wire_list, names.values())
    header = mqmq.MultiQueueFormatHeader(
        Destination=destination, Administration=administration, Response=response
    )
    message = mqmq.UserMessage(MultiQueueFormatHeader=header)
    (row,) = rows_of([message.encode()])
    assert {name: row[name] for name in names} == names


@pytest.mark.parametrize("label", ["", "plain", "\0in\0ner", "trailing\0\0"])
def test_labels_hide_nothing(label: str, tmp_path: Path) -> None:
    """A null character within a text does not end it, in a record, in columns and of a partial message."""
    header = mqmq.MessagePropertiesHeader(Label=f"{label}\0", MessageBody=b"body")
    data = mqmq.UserMessage(MessagePropertiesHeader=header).encode()
    (tmp_path / "a.packets").write_bytes(data + data[:-2])
    rows = captures.tables(tmp_path / "a.packets", ["messages"])["messages"].read_all().to_pylist()
    assert [row["label"] for row in (*rows_of([data]), *rows)] == [label.rstrip("\0")] * 3
    assert header.label == mw.decode(data, mqmq.UserMessage).label == label.rstrip("\0")


def test_captured() -> None:
    data = [one for one in GOLDEN.values() if type(mw.decode(one)).__name__ == "UserMessage"]
    for row in rows_of(data):
        assert row["message"] == "557358d1-9150-9595-4997-b6e611ea26c6\\2286"
        assert (row["signed"], row["encrypted"]) == (False, False)
    assert rows_of([]) == []


def test_what_is_no_message_says_why() -> None:
    rows = pa.array([MESSAGE, b"HTTP/1.1 200 OK\r\n", None, mw.mqqb.SessionAck().encode(), MESSAGE[:80]])
    found = decode_messages(rows)
    assert found.type == message_type()
    assert found.is_valid().to_pylist() == [True, True, False, True, True]
    whole, *others = found.field("error").to_pylist()
    assert whole is None
    assert others[0].startswith("expected 0x524f494c, found 0x312e312f")
    assert others[2] == "is a packet of another kind: SessionAck"
    assert "at most 80 bytes, found 2224" in others[3]
    values = [row for row in found.to_pylist()[1:] if row is not None]
    assert all(row[name] is None for row in values for name in row if name != "error")
    assert decode_messages(pa.array([], pa.binary())).to_pylist() == []
    assert decode_messages(pa.chunked_array([[MESSAGE], [MESSAGE]])).field("error").to_pylist() == [
        None,
        None,
    ]


def test_what_null_means_is_said() -> None:
    """Of each column that is null in some message, its comment says why."""
    plain = mw.mqmq.UserMessage(MessagePropertiesHeader=mw.mqmq.MessagePropertiesHeader(MessageBody=b"\0\1"))
    (row,) = decode_messages(pa.array([plain.encode()])).to_pylist()
    for field in message_type():
        comment = field.metadata[b"comment"].decode()
        assert (row[field.name] is None) <= ("null" in comment), field.name
    assert row["destination"] is None
    assert row["text"] is None
    assert row["body_form"] == "bytes"


@pytest.mark.parametrize("form", ["parquet", "feather", "duckdb", "polars"])
def test_readings_can_be_written(form: str, tmp_path: Path) -> None:
    table = pa.Table.from_struct_array(decode_messages(pa.array([MESSAGE, b"", MESSAGE])))
    labels = table["label"].to_pylist()
    if form == "parquet":
        parquet.write_table(table, tmp_path / "messages.parquet")
        assert parquet.read_table(tmp_path / "messages.parquet").equals(table)
    elif form == "feather":
        feather.write_feather(table, tmp_path / "messages.feather")
        assert feather.read_table(tmp_path / "messages.feather").equals(table)
    elif form == "duckdb":
        with pytest.importorskip("duckdb").connect() as connection:
            connection.register("messages", table)
            assert [
                label for (label,) in connection.execute("from messages select label").fetchall()
            ] == labels
    else:
        assert pytest.importorskip("polars").from_arrow(table)["label"].to_list() == labels


def test_classes_of_a_serialized_body() -> None:
    """By name, as `dotnet-object` lists them; nothing is created."""
    body = (
        bytes.fromhex("0001000000ffffffff0100000000000000")
        + b"\x0c\2\0\0\0\1a\5\1\0\0\0\1B\0\0\0\0\2\0\0\0\x0b"
    )
    data = [mqmq.UserMessage.of(MessageBody=own).encode() for own in (body, b"plain")]
    assert [row["body_types"] for row in decode_messages(pa.array(data)).to_pylist()] == [["B"], None]
