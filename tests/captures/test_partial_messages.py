"""Messages that a capture has cut are rows of `messages` with what is known of them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest

import msmq_wire as mw
from msmq_wire import captures, mqmq
from msmq_wire.arrow.messages import MESSAGES
from msmq_wire.testing.captures import write_captures

if TYPE_CHECKING:
    from pathlib import Path

SNAP = 220
KNOWN = (
    *("sent_at", "destination", "admin_queue", "response_queue", "message_class", "priority", "recoverable"),
    *("transactional", "time_to_be_received", "time_to_reach_queue", "body_type", "application_tag"),
)


Tables = dict[str, list[dict[str, Any]]]


def tables_of(path: Path, *names: str) -> Tables:
    return {name: table.read_all().to_pylist() for name, table in captures.tables(path, names).items()}


def rows(path: Path, name: str) -> list[dict[str, Any]]:
    return tables_of(path, name)[name]


def snapped(raw: bytes, length: int) -> bytes:
    """A capture as it would be with a snap length."""
    parts, pos = [raw[:24]], 24
    while pos < len(raw):
        seconds, fraction, size, on_wire = struct.unpack_from("<4I", raw, pos)
        frame = raw[pos + 16 : pos + 16 + size][:length]
        parts.append(struct.pack("<4I", seconds, fraction, len(frame), on_wire) + frame)
        pos += 16 + size
    return b"".join(parts)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tables, Tables]:
    """The tables of a capture, and of the same with a snap length."""
    place = tmp_path_factory.mktemp("cut")
    whole = write_captures(place / "whole", 250, seed=3, managers=6, files=1).captures[0]
    cut = place / "cut.pcap"
    cut.write_bytes(snapped(whole.read_bytes(), SNAP))
    names = ("messages", "packets", "quarantine", "balance")
    return tables_of(whole, *names), tables_of(cut, *names)


def test_a_snap_length(both: tuple[Tables, Tables]) -> None:
    whole = {row["message"]: row for row in both[0]["messages"]}
    assert not any(row["partial"] for row in whole.values())
    found = both[1]["messages"]
    assert len(found) >= len(whole) * 0.9
    compared = 0
    for row in found:
        assert row["partial"]
        assert row["error"].startswith("expected a size of at most ")
        assert row["packet_size"] > row["size"]
        assert row["reached"]
        assert row["message"]
        known = whole.get(row["message"])
        if known is None:
            continue  # an acknowledgment, as which it cannot be told without its label
        for name in KNOWN:
            assert row[name] is None or row[name] == known[name], name
            compared += row[name] is not None
        assert (known["label"] or "").startswith(row["label"] or "")
    assert compared > 1000
    assert sum(row["destination"] is not None for row in found) > len(found) // 2
    assert all(row["difference"] == 0 for row in both[1]["balance"])


def test_packets_have_rows_too(both: tuple[Tables, Tables]) -> None:
    """Of each part of a packet the headers are there as far as they go, beside those of whole packets."""
    whole = both[0]["packets"]
    assert not any(row["partial"] for row in whole)
    known = {number: row for row in whole if (number := numbered(row)) is not None}
    found = both[1]["packets"]
    parts = [row for row in found if row["partial"]]
    assert len(parts) > len(whole) // 2
    assert {row["type"] for row in parts} == {"UserMessage", "EstablishConnection"}
    compared = 0
    for row in parts:
        assert row["error"].startswith("expected a size of at most ")
        assert row["reached"]
        assert row["data"] == row["data"][: row["size"]]
        assert row["BaseHeader"]["PacketSize"] > row["size"]
        number = numbered(row)
        header = None if number is None else known.get(number)
        if header is not None:
            compared += 1
            assert row["BaseHeader"] == header["BaseHeader"]
            assert row["UserHeader"]["MessageID"] == header["UserHeader"]["MessageID"]
    assert compared > 100
    quarantine = {(row["flow"], row["offset"], row["size"]) for row in both[1]["quarantine"]}
    assert {(row["flow"], row["offset"], row["size"]) for row in parts} <= quarantine
    messages = {(row["flow"], row["offset"]) for row in both[1]["messages"] if row["partial"]}
    assert messages <= {(row["flow"], row["offset"]) for row in parts}


def numbered(row: dict[str, Any]) -> tuple[bytes, int] | None:
    """What names a message, in a row of `packets`."""
    header = row["UserHeader"]
    if header is None or header["MessageID"] is None:
        return None
    return header["SourceQueueManager"], header["MessageID"]


def test_damage_and_names_that_are_none(tmp_path: Path) -> None:
    def message(queue: str) -> bytearray:
        header = mqmq.UserHeader(
            DestinationQueue=mqmq.DirectQueueFormatName(DirectFormatName=queue + "\0"), MessageID=7
        )
        properties = mqmq.MessagePropertiesHeader(Label="an order", MessageBody=b"body" * 9)
        return bytearray(mqmq.UserMessage(UserHeader=header, MessagePropertiesHeader=properties).encode())

    good = message("OS:a\\b")
    damaged = message("OS:a\\b")
    at = bytes(damaged).index(b"body") - 2 * len("an order\0") - 56 + 32
    damaged[at : at + 2] = b"\xff\xff"  # MessageSize: more than there is
    nameless = message("nothing")[:-10]
    path = tmp_path / "some.packets"
    path.write_bytes(bytes(good + damaged + good + nameless))
    found = [row for row in rows(path, "messages") if row["partial"]]
    assert [row["message"].rpartition("\\")[2] for row in found] == ["7", "7"]
    assert found[0]["destination"] == "DIRECT=OS:a\\b"
    assert found[1]["destination"] is None
    assert found[1]["problems"][0].startswith("destination: ")
    assert found[1]["body"] == b"body" * 7
    assert found[1]["label"] == "an order"


@pytest.mark.parametrize("several", [False, True])
def test_destinations_of_a_part(several: bool, tmp_path: Path) -> None:
    """A message has one destination, unless its flags announce a list of them, which was not captured."""
    queue = mqmq.DirectQueueFormatName(DirectFormatName="OS:a\\b\0")
    lists = mqmq.MultiQueueFormatHeader(
        Destination=mqmq.MQFAddressHeader(), Administration=mqmq.MQFAddressHeader(),
        Response=mqmq.MQFAddressHeader(), Signature=mqmq.MQFSignatureHeader(),
    )  # fmt: skip
    message = mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue=queue),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(MessageBody=bytes(100)),
        MultiQueueFormatHeader=lists if several else None,
    )
    path = tmp_path / "some.packets"
    path.write_bytes(message.encode()[:200])
    (row,) = rows(path, "messages")
    assert (row["partial"], row["destination"]) == (True, "DIRECT=OS:a\\b")
    assert row["destinations"] == (None if several else ["DIRECT=OS:a\\b"])


def test_all_columns_of_a_part(tmp_path: Path) -> None:
    """Of a message that is cut in its body, all that stands before the body is known."""
    destination, admin = (mqmq.DirectQueueFormatName(DirectFormatName=f"OS:a\\{name}\0") for name in "bc")
    message = mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=5), TimeToReachQueue=90),
        UserHeader=mqmq.UserHeader(
            DestinationQueue=destination, AdminQueue=admin, MessageID=9, SentTime=1000, TimeToBeReceived=300
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Label="an order", MessageBody=bytes(100), BodyType=8, ApplicationTag=77, MessageClass=0x4000
        ),
    ).encode()
    path = tmp_path / "some.packets"
    path.write_bytes(message[:-30])
    (row,) = rows(path, "messages")
    assert [row[name] for name in ("packet_size", "priority", "body_type", "application_tag")] == [
        *(len(message), 5, 8, 77)
    ]
    assert row["sent_at"].timestamp() == 1000
    assert (row["time_to_reach_queue"], row["time_to_be_received"]) == (90, 300)
    assert (row["destination"], row["admin_queue"]) == ("DIRECT=OS:a\\b", "DIRECT=OS:a\\c")
    assert (row["response_queue"], row["label"]) == (None, "an order")
    assert row["message_class"] == "MQMSG_CLASS_ACK_RECEIVE"


def test_a_message_of_which_only_the_type_is_certain(tmp_path: Path) -> None:
    """It is in `packets` and `messages`, but not in `deliveries`, which need an identifier."""
    header = mqmq.BaseHeader(PacketSize=136).encode()
    path = tmp_path / "some.packets"
    path.write_bytes(header + bytes(136 - len(header)))
    (packet,) = rows(path, "packets")
    (row,) = rows(path, "messages")
    assert (packet["type"], packet["partial"], row["partial"]) == ("UserMessage", True, True)
    assert (row["size"], row["packet_size"], row["error"]) == (136, 136, packet["error"])
    reasons = {text.partition(": ")[2]: text.partition(": ")[0].split(", ") for text in row["problems"]}
    uncertain = {"source_queue_manager", "message_number", "destination", "label"}
    assert uncertain <= {*reasons["at an uncertain offset"]}
    assert {"number_in_sequence", "sender"} <= {*reasons["not read"]}
    assert (row["priority"], row["message"]) == (3, None)
    assert rows(path, "deliveries") == []


IN_PART = {"label", "body", "text", "body_form", "body_types"}


def message_with_all_headers() -> Any:
    def queue(name: str) -> Any:
        return mqmq.DirectQueueFormatName(DirectFormatName=f"OS:{name}\0")

    secured = mqmq.SecurityData(SecurityID=bytes.fromhex("010100000000000512000000"), Signature=b"s" * 12)
    listed = [
        mqmq.MQFFormatNameElement(FormatName=mqmq.MQFDirectQueueFormatName(DirectFormatName=f"OS:{name}"))
        for name in ("x\\y", "v\\w")
    ]
    return mqmq.UserMessage(
        BaseHeader=mqmq.BaseHeader(Flags=mqmq.BaseHeaderFlags(PR=6), TimeToReachQueue=11),
        UserHeader=mqmq.UserHeader(
            SourceQueueManager="11111111-2222-3333-4444-555555555501",
            QueueManagerAddress="11111111-2222-3333-4444-555555555502",
            Flags=mqmq.UserHeaderFlags(DM=1, JN=1, JP=1), MessageID=9, SentTime=1000, TimeToBeReceived=300,
            DestinationQueue=queue("a\\b"), AdminQueue=queue("c\\d"), ResponseQueue=queue("e\\f"),
        ),
        TransactionHeader=mqmq.TransactionHeader(
            TxSequenceID=mqmq.TxSequenceID(Ordinal=3, TimeStamp=0x655F1C2A),
            TxSequenceNumber=5, PreviousTxSequenceNumber=4,
        ),
        SecurityHeader=mqmq.SecurityHeader(Flags=mqmq.SecurityHeaderFlags(ST=1), SecurityData=secured),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            Flags=mqmq.MessagePropertiesHeaderFlags(PA=1), MessageClass=0x8003, Label="an order",
            CorrelationID=b"\1" * 20, BodyType=8, ApplicationTag=77, MessageBody="body".encode("utf-16-le"),
        ),
        MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(
            Destination=mqmq.MQFAddressHeader(FormatNameList=listed), Administration=mqmq.MQFAddressHeader(),
            Response=mqmq.MQFAddressHeader(), Signature=mqmq.MQFSignatureHeader(),
        ),
    )  # fmt: skip


def test_any_part(tmp_path: Path) -> None:
    """Each column of a part is known when the headers that it depends on are there, and never wrong.

    All others are in `problems`.
    """
    message = message_with_all_headers()
    data = message.encode()
    (tmp_path / "whole.packets").write_bytes(data)
    for size in range(8, len(data)):
        (tmp_path / f"{size:04}.packets").write_bytes(data[:size])
    by_size = {row["size"]: row for row in rows(tmp_path, "messages")}
    whole = by_size[len(data)]
    assert not whole["partial"]
    assert [*sorted(by_size)] == [*range(8, len(data) + 1)]
    # 16 bytes of the BaseHeader, two GUIDs and three numbers of the UserHeader
    assert min(size for size, row in by_size.items() if row["message"] is not None) == 60
    assert whole["problems"] == []
    for row in by_size.values():
        if row["partial"]:
            told = {name for text in row["problems"] for name in text.removesuffix(": not read").split(", ")}
            lost = {name for name in MESSAGES.schema.names if row[name] is None}
            assert {name for name in lost - IN_PART if whole[name] is not None} <= told <= lost
    assert whole["destinations"] == ["DIRECT=OS:a\\b", "DIRECT=OS:x\\y", "DIRECT=OS:v\\w"]
    assert (whole["sequence"], whole["number_in_sequence"]) == ("655f1c2a00000003", 5)
    assert (whole["dead_letter"], whole["journal"], whole["sender"]) == (True, True, "S-1-5-18")
    differences = []
    own = {*whole} - {
        "problems",
        "size",
        "file",
        "last_file",
        "flow",
        "connection",
        "partial",
        "packet_size",
        "reached",
        "error",
    }
    for size, row in by_size.items():
        headers = mw.decode_lax(data[:size]).headers
        differences += [
            (size, name, row[name])
            for name in own - IN_PART
            if row[name] is not None and row[name] != whole[name]
        ]
        for column in MESSAGES.columns:
            needed = {path.partition(".")[0] for path in MESSAGES.fields_of(column)}
            if needed and needed <= headers.keys() and row[column.name] != whole[column.name]:
                differences.append((size, column.name, row[column.name]))
        assert whole["label"].startswith(row["label"] or "")
        assert whole["body"].startswith(row["body"] or b"")
    assert not differences
    assert all(whole[column.name] is not None for column in MESSAGES.columns if column.name not in OF_OTHERS)


OF_OTHERS = {"body_types", "acknowledged_in_session", "carries"}
"""Columns that are null in this message."""
