"""What values mean, in words: tables of documented values, and texts for times, addresses and names.

1. The tables are keyed by ``Structure.Field`` or ``Structure.Field.Group``, names as on the page.
2. Every text that is made here is one line of printable ASCII, whatever the bytes are; the rest becomes
   escapes.  A backslash stays single, because queue names are full of them: the bytes decide.
3. Every text is short, however long the value.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ._layout import NUL, Flags, Guid, Integer, Numbers, Sequence, Text, Values, enumerations
from ._wchar import from_wchars, wchar_count
from .errors import EncodeError
from .format_names import DirectName, DistributionListName, PrivateName, PublicName
from .guid import GUID
from .propid import by_number, vartype_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._layout import Group, Structure
    from ._walk import Piece

__all__ = [
    "EMBEDDED",
    "EXPECTED",
    "UNITS",
    "VALUES",
    "View",
    "address",
    "date",
    "duration",
    "escape",
    "group",
    "hex_bytes",
    "preview",
    "quote",
    "sequence_numbers",
    "sid",
    "size",
]

_FOR_EVER: Final = 0xFFFF_FFFF
_BYTES_SHOWN = 8
_CHARACTERS_SHOWN = 60
_PREVIEWED = 48
_MOST_AUTHORITIES = 15

_NAMES: Final = {
    kind: {value: name for name, value in members.items()} for kind, members in enumerations().items()
}

_QUEUES: Final = {
    0: "none",
    2: "private queue on the source host",
    3: "private queue on the destination host",
    5: "public queue",
    6: "private queue on another host",
    7: "direct format name",
}

VALUES: Final[dict[str, dict[int, str]]] = {
    "BaseHeader.Flags.PR": {0: "lowest priority", 3: "default priority", 7: "highest priority"},
    "UserHeader.Flags.DM": {0: "express", 1: "recoverable"},
    "UserHeader.Flags.DQ": {key: _QUEUES[key] for key in (0, 3, 5, 7)},
    "UserHeader.Flags.AQ": _QUEUES,
    "UserHeader.Flags.RQ": {
        **_QUEUES,
        1: "the same as AdminQueue",
        4: "private queue on the host of AdminQueue",
    },
    "MessagePropertiesHeader.PrivacyLevel": {
        0: "not encrypted",
        1: "40-bit encryption",
        3: "128-bit encryption",
        5: "AES encryption",
    },
    "SecurityHeader.Flags.ST": {0: "no SecurityID", 1: "SID of the sender", 2: "GUID of the queue manager"},
    "DebugHeader.Flags.QT": {0: "no queue", 1: "public queue"},
    "MQFAddressHeader.HeaderID": {0x64: "Destination", 0xC8: "Administration", 0x12C: "Response"},
    "TransactionHeader.PreviousTxSequenceNumber": {0: "none before it"},
    "InternalHeader.Flags.PT": {1: "SessionAck", 2: "EstablishConnection", 3: "ConnectionParameters"},
    "EstablishConnectionHeader.OperatingSystem.SE": {0: "a ping was sent", 1: "no ping was sent"},
    "EstablishConnectionHeader.OperatingSystem.OS": {0: "no server system", 1: "server system"},
    "ExtendedAddressHeader.AddressType": {0: "no address, ignore this header"},
    "SubqueueHeader.LastMoveTime": {0: "never moved"},
    "BaseReplicationHeader.Operation": {
        0: "ChangePropagationMessage",
        1: "ChangeRequestMessage",
        2: "SyncRequestMessage",
        3: "SyncReplyMessage",
        4: "ChangeReplyMessage",
        5: "AlreadyPurgedMessage",
        6: "PSCAckMessage",
        7: "BSCAckMessage",
    },
    "SubqueueHeader.Flags.AcknowledgementClass": _NAMES["MESSAGE_CLASS_VALUES"],
}
"""Documented values; where a value is not here, the description of the field has to do."""

OPTIONAL: Final = frozenset(
    {
        "BaseHeader.Flags.PR",
        "TransactionHeader.PreviousTxSequenceNumber",
        "ExtendedAddressHeader.AddressType",
        "SubqueueHeader.LastMoveTime",
    }
)
"""Those of `VALUES` that name some values of many; a value that the others do not name is undocumented."""

EXPECTED: Final = {
    "BaseHeader.VersionNumber": 0x10,
    "BaseHeader.Signature": 0x524F494C,
    "MQFSignatureHeader.ID": 0x015E,
    "SoapHeader.HeaderSectionID": 0x0320,
    "SoapHeader.BodySectionID": 0x0384,
    "ExtensionHeader.HeaderSize": 12,
    "SubqueueHeader.HeaderSize": 148,
    "ExtendedAddressHeader.HeaderSize": 28,
    "EstablishConnectionHeader.OperatingSystem.RE": 0x10,
    "PingPacket.Signature": 0x5548,
}
"""The only value that the document allows."""

UNITS: Final = {
    "BaseHeader.TimeToReachQueue": "s",
    "UserHeader.TimeToBeReceived": "s",
    "UserHeader.SentTime": "date",
    "SubqueueHeader.LastMoveTime": "local date",
    "ConnectionParametersHeader.RecoverableAckTimeout": "ms",
    "ConnectionParametersHeader.AckTimeout": "ms",
    "EstablishConnectionHeader.TimeStamp": "ms",
}
"""What a number counts: seconds or milliseconds that pass, or seconds since 1970."""

HEXADECIMAL: Final = frozenset(
    {
        *(path for path in EXPECTED if not path.endswith("Size")),
        "MQFAddressHeader.HeaderID",
        "SessionHeader.RecoverableMsgAckFlags",
        "PingPacket.Cookie",
    }
)
"""Numbers that are no quantities."""

EMBEDDED: Final = {
    "OrderAck.MessagePropertiesHeader.MessageBody": ("OrderAckBody", b""),
    "FinalAck.MessagePropertiesHeader.MessageBody": ("FinalAckBody", b""),
    "SecurityData.EncryptionKey": ("SIMPLEBLOB", b"\x01\x02"),
    "SecurityData.ProviderInfo": ("ProviderInfo", b""),
    "MQDSPUBLICKEY.aBuf": ("PUBLICKEYBLOB", b"\x06\x02"),
}
"""Bytes that hold a structure, and how it begins; by the whole path or by ``Structure.Field``."""


# --------------------------------------------------------------------------------------------- characters


def escape(text: str) -> str:
    """The text with everything but printable ASCII as an escape."""
    return "".join(
        char if " " <= char <= "~" else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def quote(text: str) -> str:
    """The text in quotation marks, escaped, and shortened in the middle if it is long."""
    whole = [escape(char) for char in text[: _CHARACTERS_SHOWN + 1]]
    if sum(map(len, whole)) <= _CHARACTERS_SHOWN:
        return '"' + "".join(whole).replace('"', '\\"') + '"'
    third = _CHARACTERS_SHOWN // 3
    end = [escape(char) for char in reversed(text[-third:])]
    return f"{quote(text[: _fit(whole, 2 * third)])} .. {quote(text[len(text) - _fit(end, third) :])}"


def _fit(pieces: list[str], room: int) -> int:
    """How many of the pieces fit the room together."""
    return sum(total <= room for total in accumulate(map(len, pieces)))


def hex_bytes(data: bytes) -> str:
    """Up to eight bytes, or the first and the last of more."""
    if len(data) <= _BYTES_SHOWN:
        return data.hex(" ")
    half = _BYTES_SHOWN // 2
    return f"{data[:half].hex(' ')} .. {data[1 - half :].hex(' ')}"


def size(count: int) -> str:
    """A number of bytes in words."""
    return f"{count:,} byte{'' if count == 1 else 's'}"


def preview(data: bytes) -> str:
    """Bytes in words: how many, and their beginning where it looks like text."""
    count = size(len(data))
    if data.count(data[:1]) == len(data) and (len(data) > _BYTES_SHOWN or not any(data)):
        return f"{count}, all {data[:1].hex()}"
    start = data[:_PREVIEWED]
    for text, high in ((start[::2], start[1::2]), (start, b"")):
        known = text.rstrip(b"\0")
        if known and not any(high) and all(0x20 <= unit <= 0x7E or unit in b"\t\r\n" for unit in known):
            dots = " .." if len(data) > len(start) else ""
            return f"{count}, {quote(known.decode('ascii'))}{dots}"
    return count


# ----------------------------------------------------------------------------------------------- numbers


def duration(value: int, unit: str) -> str:
    """A number of seconds (`s`) or milliseconds (`ms`) in days, hours, minutes and seconds."""
    if value == _FOR_EVER and unit == "s":
        return "for ever"
    seconds, rest = divmod(value, 1000) if unit == "ms" else (value, 0)
    if seconds < 60:
        return f"{seconds}.{rest:03} s" if rest else f"{seconds} s"
    parts = []
    for size, name in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts)


def date(value: int, zone: str = "UTC") -> str:
    """A number of seconds since 1970 as a date."""
    return f"{datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value):%Y-%m-%d %H:%M:%S} {zone}"


def sequence_numbers(first: int, bits: int) -> str:
    """The numbers that an acknowledgment's bits stand for: ``5-7, 9``."""
    runs: list[list[int]] = []
    for bit in range(bits.bit_length()):
        if bits >> bit & 1:
            if runs and runs[-1][1] == first + bit - 1:
                runs[-1][1] += 1
            else:
                runs.append([first + bit, first + bit])
    return ", ".join(f"{low}-{high}" if low < high else str(low) for low, high in runs)


# ----------------------------------------------------------------------------------------------- addresses


def sid(data: bytes) -> str | None:
    """The text of a SID, or None if the bytes have not the shape of one ([MS-DTYP] 2.4.2.2)."""
    if len(data) < 8 or data[0] != 1 or data[1] > _MOST_AUTHORITIES or len(data) != 8 + 4 * data[1]:
        return None
    top = int.from_bytes(data[2:8], "big")
    parts = [str(int.from_bytes(data[at : at + 4], "little")) for at in range(8, len(data), 4)]
    return "-".join(["S-1", str(top) if top < 1 << 32 else f"{top:#014x}", *parts])


def address(kind: int, data: bytes) -> str | None:
    """The text of an address by its ADDRESS_TYPE, or None if that says nothing about it."""
    if kind == 1 and len(data) >= 4:
        return str(IPv4Address(data[:4]))
    if kind == 6 and len(data) >= 8:
        whole = str(IPv6Address(data[:16].ljust(16, b"\0")))
        return whole if len(data) >= 16 else f"{whole} (the rest is not there)"
    if kind == 3 and len(data) >= 10:
        return f"{data[:4].hex()}.{data[4:10].hex()}"
    return None


# -------------------------------------------------------------------------------------------- whole fields


def _clause(doc: str) -> str:
    return doc.partition(";")[0]


def group(structure: Structure, field: str, bits: Group, value: int) -> str:
    """What a group of bits means; empty where it is clear and that means nothing."""
    path = f"{structure.name}.{field}.{bits.name}"
    known = VALUES.get(path, {})
    if path in EXPECTED:
        return "" if value == EXPECTED[path] else f"should be {EXPECTED[path]:#x}"
    if value in known and (value or path not in OPTIONAL):
        return known[value]
    if not value:
        return ""
    return _clause(bits.doc) if not known or path in OPTIONAL else "not a documented value"


class View(NamedTuple):
    """All that was found in some bytes, so that one field can be seen in the light of others.

    Attributes:
        data: The bytes.
        pieces: What was found, by path.
    """

    data: bytes
    pieces: Mapping[str, Piece]

    def value(self, path: str) -> Any:
        """The value at a path, or None."""
        piece = self.pieces.get(path)
        return piece.value if piece else None

    def describe(self, piece: Piece) -> tuple[str, str]:
        """Value and meaning of a field, as texts."""
        if piece.field is None:
            return self._property(piece)
        match piece.field.kind:
            case Integer() as kind:
                return self._number(piece, kind)
            case Flags() as kind:
                return f"{int(piece.value):#0{2 + 2 * kind.size}x}", ""
            case Guid():
                return str(piece.value), self._guid(piece)
            case Text() as kind:
                return _text(piece.value, kind)
            case Sequence():
                return str(piece.value), _clause(piece.field.doc)
            case Numbers():
                more = " .." if len(piece.value) > _BYTES_SHOWN else ""
                return " ".join(map(str, piece.value[:_BYTES_SHOWN])) + more, f"{len(piece.value)} numbers"
        return self._bytes(piece)

    def _property(self, piece: Piece) -> tuple[str, str]:
        """A property value, and the name of its property."""
        path, _, index = piece.path.removesuffix("]").rpartition("[")
        parent, _, field = path.rpartition(".")
        kind = piece.structure.by_name[field].kind
        assert isinstance(kind, Values)  # noqa: S101  # no other array has elements that are no structures
        identifiers = self.value(f"{parent}.{kind.identifiers}")
        known = by_number(identifiers[int(index)])
        name = f"{known.name if known else identifiers[int(index)]}, {vartype_name(piece.value.vt)}"
        value = piece.value.value
        if isinstance(value, str):
            return quote(value), name
        if isinstance(value, bytes):
            return preview(value), name
        if isinstance(value, tuple):
            return f"{len(value)} element{'' if len(value) == 1 else 's'}", name
        return "nothing" if value is None else str(value), name

    def _number(self, piece: Piece, kind: Integer) -> tuple[str, str]:
        assert piece.field  # noqa: S101  # see describe
        name, value = f"{piece.structure.name}.{piece.field.name}", piece.value
        wide = f"{value:#0{2 + 2 * kind.size}x}"
        shown = wide if kind.enumeration or name in HEXADECIMAL else str(value)
        if piece.field.is_filler:
            return shown, ""
        if name in EXPECTED:
            wanted = f"{EXPECTED[name]:#x}" if name in HEXADECIMAL else EXPECTED[name]
            return shown, "as documented" if value == EXPECTED[name] else f"should be {wanted}"
        if value in VALUES.get(name, {}):
            return shown, VALUES[name][value]
        if kind.enumeration:
            return shown, _NAMES[kind.enumeration].get(value, f"not in {kind.enumeration}")
        if name in VALUES and name not in OPTIONAL:
            return shown, "not a documented value"
        if name in UNITS:
            return shown, self._time(piece.path, value, UNITS[name])
        if name == "MessagePropertiesHeader.BodyType":
            return shown, vartype_name(value)
        if name == "SessionHeader.RecoverableMsgAckFlags":
            first = self.value(piece.path.replace("AckFlags", "AckSeqNumber"))
            numbers = sequence_numbers(first or 0, value)
            return shown, f"on disk: {numbers}" if numbers else "none"
        return shown, _clause(piece.field.doc)

    def _time(self, path: str, value: int, unit: str) -> str:
        if "date" in unit:
            return date(value, "UTC" if unit == "date" else "local time")
        # In a remote read the time to reach the queue has become the time at which it ends.
        if path.startswith("MessagePacket.") and path.endswith("TimeToReachQueue") and value != _FOR_EVER:
            return f"until {date(value)}"
        return duration(value, unit)

    def _guid(self, piece: Piece) -> str:
        assert piece.field  # noqa: S101  # see describe
        if not piece.value:
            return "null"
        parent = piece.path.rpartition(".")[0]
        if piece.path.startswith("MessagePacket.") and piece.field.name == "QueueManagerAddress":
            kind, raw = int.from_bytes(piece.value.bytes_le[2:4], "little"), piece.value.bytes_le[8:]
            flags = self.value(f"{parent}.Flags")
            if flags is not None and flags.DQ == 7:
                return f"sent by {address(kind, raw) or 'a host of unknown address'}"
            return "host that sent it"
        return _clause(piece.field.doc)

    def _bytes(self, piece: Piece) -> tuple[str, str]:
        assert piece.field  # noqa: S101  # see describe
        name, value = piece.field.name, piece.value
        parent = piece.path.rpartition(".")[0]
        shown = preview(value)
        if piece.field.is_filler or not any(value):
            return shown, ""
        told = None
        if name == "SecurityID":
            told = sid(value) or (str(GUID(value)) if len(value) == 16 else None)
        elif name == "Address":
            told = address(self.value(f"{parent}.AddressType"), value)
        elif name == "CorrelationID" and self.value(f"{parent}.MessageClass"):
            told = f"message {GUID(value[:16])}\\{int.from_bytes(value[16:], 'little')}"
        elif name.endswith("SubqueueName"):
            return quote(from_wchars(value).partition("\0")[0]), ""
        return shown, told or ""

    # -- names of queues

    def queue(self, piece: Piece) -> str:
        """The format name that a structure holds, or nothing."""
        path = piece.path
        match piece.structure.name:
            case "MQFFormatNameElement":
                inner = self.pieces.get(f"{path}.FormatName")
                return self.queue(inner) if inner else ""
            case "DirectQueueFormatName" | "MQFDirectQueueFormatName":
                return _direct(self.value(f"{path}.DirectFormatName"))
            case "PublicQueueFormatName":
                guid = self.value(f"{path}.PublicQueueIdentifier")
                return str(PublicName(guid)) if guid is not None else ""
            case "MQFDistributionQueueFormatName":
                guid = self.value(f"{path}.DistributionListIdentifier")
                return str(DistributionListName(guid)) if guid is not None else ""
            case "PrivateQueueFormatName" | "PrivateQueueFormatNameId":
                host = self.value(f"{path}.SourceQueueManager") or self._host(path)
                number = self.value(f"{path}.PrivateQueueIdentifier")
                if number is None:
                    return ""
                return str(PrivateName(host, number)) if host else f"PRIVATE=?\\{number:08X}"
        return ""

    def _host(self, path: str) -> GUID | None:
        """The computer of a private queue whose name has only a number ([MS-MQMQ] 2.2.19.2)."""
        header, _, field = path.rpartition(".")
        flags = self.value(f"{header}.Flags")
        form = {"DestinationQueue": "DQ", "AdminQueue": "AQ", "ResponseQueue": "RQ"}.get(field)
        if flags is None or form is None:
            return None
        where = getattr(flags, form)
        if where == 4:
            admin = f"{header}.AdminQueue"
            return self.value(f"{admin}.SourceQueueManager") or self._host(admin)
        source = {2: "SourceQueueManager", 3: "QueueManagerAddress"}.get(where)
        return self.value(f"{header}.{source}") or None


def _text(value: str, kind: Text) -> tuple[str, str]:
    whole = value.removesuffix("\0") if kind.count != NUL else value
    units = wchar_count(value)
    count = f"{units:,} WCHARs" if units * 2 > _BYTES_SHOWN else ""
    lacking = "no terminator" if kind.count != NUL and whole == value else ""
    return quote(whole), ", ".join(part for part in (count, lacking) if part)


def _direct(text: str | None) -> str:
    if text is None:
        return ""
    name = text.removesuffix("\0")
    shown = "DIRECT=" + quote(name)[1:-1]
    if len(name) > _CHARACTERS_SHOWN:
        return shown
    try:
        DirectName.from_wire_text(name)
    except EncodeError:
        return f"{shown} (no format name)"
    return shown
