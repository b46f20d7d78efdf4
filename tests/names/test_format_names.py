"""Path names and format names: what is read, what is refused, and what prints as it was."""

from __future__ import annotations

import pickle
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_rows import for_each

from msmq_wire.names.format_names import (
    MAX_FORMAT_NAME_LENGTH,
    QUEUE_FORMAT_TYPE,
    QUEUE_SUFFIX_TYPE,
    ConnectorName,
    DirectName,
    DistributionListName,
    FormatName,
    MachineName,
    MulticastName,
    MultipleName,
    PrivateName,
    PublicName,
    QueuePath,
    check,
    parse_format_name,
    parse_queue_path,
)
from msmq_wire.values.errors import EncodeError
from msmq_wire.values.guid import GUID

G = "557358D1-9150-9595-4997-B6E611EA26C6"
GUID_ = GUID.of(G)
NONE, JOURNAL, DEADLETTER, DEADXACT, XACTONLY, SUBQUEUE = QUEUE_SUFFIX_TYPE
(
    T_UNKNOWN,
    T_PUBLIC,
    T_PRIVATE,
    T_DIRECT,
    T_MACHINE,
    T_CONNECTOR,
    T_DL,
    T_MULTICAST,
    T_SUBQUEUE,
) = QUEUE_FORMAT_TYPE

# Text, the value it means, m_qft, suffix type; and what it prints as, if that differs from the text.
FORMAT_NAMES: list[tuple[str, FormatName, QUEUE_FORMAT_TYPE, QUEUE_SUFFIX_TYPE, str | None]] = [
    (f"PUBLIC={G}", PublicName(GUID_), T_PUBLIC, NONE, None),
    (f"public={G.lower()}", PublicName(GUID_), T_PUBLIC, NONE, f"PUBLIC={G}"),
    (f"PUBLIC={G};JOURNAL", PublicName(GUID_, JOURNAL), T_PUBLIC, JOURNAL, None),
    (f"PRIVATE={G}\\0000000D", PrivateName(GUID_, 13), T_PRIVATE, NONE, None),
    (f"Private={G}\\d", PrivateName(GUID_, 13), T_PRIVATE, NONE, f"PRIVATE={G}\\0000000D"),
    (
        f"PRIVATE={G}\\FFFFFFFF;journal",
        PrivateName(GUID_, 0xFFFFFFFF, JOURNAL),
        T_PRIVATE,
        JOURNAL,
        f"PRIVATE={G}\\FFFFFFFF;JOURNAL",
    ),
    (f"DL={G}", DistributionListName(GUID_), T_DL, NONE, None),
    (f"DL={G}@Example.COM", DistributionListName(GUID_, "Example.COM"), T_DL, NONE, None),
    (f"MACHINE={G}", MachineName(GUID_), T_MACHINE, NONE, None),
    (f"MACHINE={G};JOURNAL", MachineName(GUID_, JOURNAL), T_MACHINE, JOURNAL, None),
    (
        f"MACHINE={G};DEADLETTER",
        MachineName(GUID_, DEADLETTER),
        T_MACHINE,
        DEADLETTER,
        None,
    ),
    (f"MACHINE={G};DEADXACT", MachineName(GUID_, DEADXACT), T_MACHINE, DEADXACT, None),
    (f"CONNECTOR={G}", ConnectorName(GUID_), T_CONNECTOR, NONE, None),
    (
        f"CONNECTOR={G};XACTONLY",
        ConnectorName(GUID_, XACTONLY),
        T_CONNECTOR,
        XACTONLY,
        None,
    ),
    ("MULTICAST=224.0.0.0:0", MulticastName("224.0.0.0", 0), T_MULTICAST, NONE, None),
    (
        "MULTICAST=239.255.255.255:65535",
        MulticastName("239.255.255.255", 65535),
        T_MULTICAST,
        NONE,
        None,
    ),
    (
        "MULTICAST=234.1.10.99:2042",
        MulticastName("234.1.10.99", 2042),
        T_MULTICAST,
        NONE,
        None,
    ),
    (
        f"DIRECT=OS:h\\q,PUBLIC={G},dl={G}",
        MultipleName((DirectName("OS:h\\q"), PublicName(GUID_), DistributionListName(GUID_))),
        T_UNKNOWN,
        NONE,
        f"DIRECT=OS:h\\q,PUBLIC={G},DL={G}",
    ),
    (
        f"MULTICAST=224.1.2.3:4,CONNECTOR={G},PRIVATE={G}\\00000004",
        MultipleName((MulticastName("224.1.2.3", 4), ConnectorName(GUID_), PrivateName(GUID_, 4))),
        T_UNKNOWN,
        NONE,
        None,
    ),
]

# Wire text, then protocol, address, kind, queue, subqueue, suffix, m_qft, suffix type.
DIRECT_NAMES: list[
    tuple[str, tuple[str, str, str, str, str | None, QUEUE_SUFFIX_TYPE], QUEUE_FORMAT_TYPE, int]
] = [
    ("OS:a04bm02\\q", ("OS", "a04bm02", "public", "q", None, NONE), T_DIRECT, NONE),
    ("os:.\\Private$\\Q", ("OS", ".", "private", "Q", None, NONE), T_DIRECT, NONE),
    (
        "TCP:10.1.2.3\\private$\\order_queue$",
        ("TCP", "10.1.2.3", "private", "order_queue$", None, NONE),
        T_DIRECT,
        NONE,
    ),
    ("TCP:fe80::1%4\\q", ("TCP", "fe80::1%4", "public", "q", None, NONE), T_DIRECT, NONE),
    (
        "TCP:[2001:db8::1]\\q",
        ("TCP", "[2001:db8::1]", "public", "q", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "SPX:0000002A.00A0C9123456\\PRIVATE$\\order_queue$",
        ("SPX", "0000002A.00A0C9123456", "private", "order_queue$", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "IPX:2A:A0C9123456\\q",
        ("IPX", "2A:A0C9123456", "public", "q", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "HTTP://host:8080/msmq/queue",
        ("HTTP", "//host:8080/msmq", "public", "queue", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "HTTPS://host/msmq/private$/q",
        ("HTTPS", "//host/msmq", "private", "q", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "https://[::1]:443/MSMQ\\PRIVATE$\\a/b",
        ("HTTPS", "//[::1]:443/MSMQ", "private", "a/b", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "http://h/MSMQ/system$;deadxact",
        ("HTTP", "//h/MSMQ", "system", "", None, DEADXACT),
        T_DIRECT,
        DEADXACT,
    ),
    ("OS:h\\q;JOURNAL", ("OS", "h", "public", "q", None, JOURNAL), T_DIRECT, JOURNAL),
    (
        "OS:h\\private$\\q;Journal",
        ("OS", "h", "private", "q", None, JOURNAL),
        T_DIRECT,
        JOURNAL,
    ),
    ("OS:h\\q;sub", ("OS", "h", "public", "q", "sub", NONE), T_SUBQUEUE, SUBQUEUE),
    (
        "OS:h\\q;DEADLETTER",
        ("OS", "h", "public", "q", "DEADLETTER", NONE),
        T_SUBQUEUE,
        SUBQUEUE,
    ),
    (
        "OS:h\\private$\\q;s;journal",
        ("OS", "h", "private", "q", "s", JOURNAL),
        T_SUBQUEUE,
        JOURNAL,
    ),
    ("OS:h\\SYSTEM$;JOURNAL", ("OS", "h", "system", "", None, JOURNAL), T_DIRECT, JOURNAL),
    (
        "OS:h\\System$;DeadLetter",
        ("OS", "h", "system", "", None, DEADLETTER),
        T_DIRECT,
        DEADLETTER,
    ),
    ("OS:h\\SYSTEM$", ("OS", "h", "public", "SYSTEM$", None, NONE), T_DIRECT, NONE),
    ("OS:h\\PRIVATE$", ("OS", "h", "public", "PRIVATE$", None, NONE), T_DIRECT, NONE),
    (
        "OS:h\\PR\u0131VATE$\\q",
        ("OS", "h", "public", "PR\u0131VATE$\\q", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "OS:h/x\\private$/q",
        ("OS", "h/x", "public", "private$/q", None, NONE),
        T_DIRECT,
        NONE,
    ),
    (
        "OS:\u00fc b,c\\\U0001f600\ud800\0",
        ("OS", "\u00fc b,c", "public", "\U0001f600\ud800\0", None, NONE),
        T_DIRECT,
        NONE,
    ),
]

# Text, path of the error, index of the character, and a piece of the message.
NO_FORMAT_NAMES: list[tuple[str, str, int, str]] = [
    ("", "FormatName", 0, "expected one of PUBLIC=, PRIVATE=, DIRECT="),
    ("nonsense", "FormatName", 0, "found 'nonsense'"),
    (f"PUBLIC ={G}", "FormatName", 0, "expected one of"),
    (f" PUBLIC={G}", "FormatName", 0, "expected one of"),
    ("OS:h\\q", "FormatName", 0, "DIRECT="),
    ("PUBLIC=", "PublicName.guid", 7, "found the end"),
    (f"PUBLIC={{{G}}}", "PublicName.guid", 7, "without braces"),
    (f"PUBLIC={G.replace('-', '')}", "PublicName.guid", 15, "8-4-4-4-12"),
    (f"PUBLIC={G[:-1]}", "PublicName.guid", 42, "found the end"),
    (f"PUBLIC={G[:-1]}\u0664", "PublicName.guid", 42, "\u0664"),
    (f"PUBLIC={G[:-1]}G", "PublicName.guid", 42, "'G'"),
    (f"PUBLIC={G}0", "PublicName.suffix", 43, ";JOURNAL or the end"),
    (f"PUBLIC={G};DEADXACT", "PublicName.suffix", 43, ";JOURNAL or the end"),
    (f"PUBLIC={G};JOURNALS", "PublicName.suffix", 43, "';JOURNALS'"),
    (f"PRIVATE={G}", "PrivateName", 44, "a backslash after"),
    (f"PRIVATE={G}/4", "PrivateName", 44, "'/4'"),
    (f"PRIVATE={G}\\", "PrivateName.identifier", 45, "found the end"),
    (f"PRIVATE={G}\\0x4", "PrivateName.suffix", 46, "'x4'"),
    (f"PRIVATE={G}\\000000004", "PrivateName.suffix", 53, "'4'"),
    (f"PRIVATE={G}\\ 4", "PrivateName.identifier", 45, "one to eight hexadecimal digits"),
    (f"PRIVATE={G}\\4;DEADLETTER", "PrivateName.suffix", 46, ";JOURNAL or the end"),
    (f"DL={G};JOURNAL", "DistributionListName.domain", 39, "@ and a domain"),
    (f"DL={G}@", "DistributionListName.domain", 39, "'@'"),
    ("DL=x", "DistributionListName.guid", 3, "'x'"),
    (f"MACHINE={G};XACTONLY", "MachineName.suffix", 44, ";JOURNAL or ;DEADLETTER or ;DEADXACT or the end"),
    (f"CONNECTOR={G};JOURNAL", "ConnectorName.suffix", 46, ";XACTONLY or the end"),
    ("MULTICAST=host:1", "MulticastName.address", 10, "an IPv4 address"),
    ("MULTICAST=224.0.0.256:1", "MulticastName.address", 10, "an IPv4 address"),
    ("MULTICAST=224.0.0.01:1", "MulticastName.address", 10, "an IPv4 address"),
    ("MULTICAST=224.0.0.1", "MulticastName.port", 19, "found the end"),
    ("MULTICAST=224.0.0.1:", "MulticastName.port", 20, "found the end"),
    ("MULTICAST=224.0.0.1:65536", "MulticastName.port", 20, "0 to 65535"),
    ("MULTICAST=224.0.0.1:080", "MulticastName.port", 20, "'080'"),
    ("MULTICAST=224.0.0.1:1;JOURNAL", "MulticastName.port", 20, "0 to 65535"),
    ("DIRECT=", "DirectName.protocol", 7, "TCP, SPX, IPX, OS, HTTP, HTTPS"),
    ("DIRECT=FOO:h\\q", "DirectName.protocol", 7, "'FOO:h"),
    ("DIRECT=O\u017f:h\\q", "DirectName.protocol", 7, "HTTPS and a colon"),
    ("DIRECT=OS", "DirectName.protocol", 7, "'OS'"),
    ("DIRECT=OS:h", "DirectName.address", 10, "an address and a separator"),
    ("DIRECT=OS:h/private$/q", "DirectName.address", 10, "a separator (a backslash, not a slash)"),
    (
        "msmq.formatname:DIRECT=OS:h\\q",
        "FormatName",
        0,
        "MSMQ.FORMATNAME: before a format name: leave it out",
    ),
    ("FormatName:DIRECT=OS:h\\q", "FormatName", 0, "FORMATNAME: before a format name: leave it out"),
    ("DIRECT=OS:\\q", "DirectName.address", 10, "an address and a separator"),
    ("DIRECT=OS:h\\", "DirectName.queue", 12, "expected a queue name"),
    ("DIRECT=OS:h\\private$\\", "DirectName.queue", 21, "expected a queue name"),
    ("DIRECT=OS:h\\;JOURNAL", "DirectName.queue", 12, "expected a queue name"),
    ("DIRECT=OS:h\\private$\\;JOURNAL", "DirectName.queue", 21, "expected a queue name"),
    ("DIRECT=OS:h\\q;", "DirectName.subqueue", 14, "a subqueue name after"),
    ("DIRECT=OS:h\\q;;JOURNAL", "DirectName.subqueue", 14, "a subqueue name after"),
    ("DIRECT=OS:h\\SYSTEM$;", "DirectName.suffix", 20, "JOURNAL, DEADLETTER or DEADXACT"),
    ("DIRECT=OS:h\\SYSTEM$;XACTONLY", "DirectName.suffix", 20, "'XACTONLY'"),
    ("DIRECT=HTTP:host/msmq/q", "DirectName.address", 12, "// at the beginning"),
    ("DIRECT=HTTP://host", "DirectName.address", 14, "a host and a directory"),
    ("DIRECT=HTTP:///msmq/q", "DirectName.address", 14, "a host and a directory"),
    ("DIRECT=HTTP://host/msmq", "DirectName.address", 12, "an address and a separator"),
    ("DIRECT=HTTP://host/msmq/", "DirectName.queue", 24, "expected a queue name"),
    (f"PUBLIC={G},", "FormatName", 44, "found the end"),
    (f",PUBLIC={G}", "FormatName", 0, "found the end"),
    ("DIRECT=OS:h\\a,b", "FormatName", 14, "found 'b'"),
    (f"PUBLIC={G}, PUBLIC={G}", "FormatName", 44, "expected one of"),
    (f"DIRECT=OS:h\\q,PUBLIC={G[:-1]}", "PublicName.guid", 56, "found the end"),
    ("DIRECT=OS:h\\q,DIRECT=OS:h", "DirectName.address", 24, "an address and a separator"),
    (f"DIRECT=OS:h\\q,MACHINE={G};JOURNAL", "MultipleName.elements[1]", 14, "or multicast name"),
    (f"PUBLIC={G};JOURNAL,DIRECT=OS:h\\q", "MultipleName.elements[0]", 0, "not read-only"),
    ("DIRECT=OS:h\\q,DIRECT=OS:h\\q;JOURNAL", "MultipleName.elements[1]", 14, "not read-only"),
    ("DIRECT=OS:h\\q,DIRECT=OS:h\\SYSTEM$;DEADXACT", "MultipleName.elements[1]", 14, "not read-only"),
]

# Text, the value it means, and what it prints as, if that differs from the text.
QUEUE_PATHS: list[tuple[str, QueuePath, str | None]] = [
    ("host\\q", QueuePath("host", "q"), None),
    (".\\private$\\Q", QueuePath(".", "Q", "private"), None),
    (".\\PRIVATE$\\Q", QueuePath(".", "Q", "private"), ".\\private$\\Q"),
    ("h\\System$;DEADXACT", QueuePath("h", "DEADXACT", "system"), "h\\system$;DEADXACT"),
    ("h\\q;sub", QueuePath("h", "q", "public", "sub"), None),
    ("h\\private$\\q;JOURNAL", QueuePath("h", "q", "private", "JOURNAL"), None),
    ("h\\private$", QueuePath("h", "private$"), None),
    ("h\\a,b\\c", QueuePath("h", "a,b\\c"), None),
]

NO_QUEUE_PATHS: list[tuple[str, str, int]] = [
    ("", "QueuePath.computer", 0),
    ("host", "QueuePath.computer", 0),
    ("\\q", "QueuePath.computer", 0),
    ("h\\", "QueuePath.queue", 2),
    ("h\\private$\\", "QueuePath.queue", 11),
    ("h\\system$;", "QueuePath.queue", 10),
    ("h\\;s", "QueuePath.queue", 2),
    ("h\\q;", "QueuePath.subqueue", 4),
]

# What cannot be a value, and the path of the error.
NO_VALUES: list[tuple[type[Any], tuple[Any, ...], str]] = [
    (PublicName, (G,), "PublicName.guid"),
    (PublicName, (GUID(b"short"),), "PublicName.guid"),
    (PublicName, (GUID_, DEADXACT), "PublicName.suffix"),
    (PublicName, (GUID_, 1), "PublicName.suffix"),
    (PrivateName, (None, 1), "PrivateName.computer"),
    (PrivateName, (GUID_, -1), "PrivateName.identifier"),
    (PrivateName, (GUID_, 1 << 32), "PrivateName.identifier"),
    (PrivateName, (GUID_, 10**5000), "PrivateName.identifier"),
    (PrivateName, (GUID_, "1"), "PrivateName.identifier"),
    (PrivateName, (GUID_, 1, XACTONLY), "PrivateName.suffix"),
    (MachineName, (GUID_, XACTONLY), "MachineName.suffix"),
    (ConnectorName, (GUID_, JOURNAL), "ConnectorName.suffix"),
    (DirectName, (b"OS:h\\q",), "DirectName.wire_text"),
    (DirectName, ("h\\q",), "DirectName.protocol"),
    (DistributionListName, (None,), "DistributionListName.guid"),
    (DistributionListName, (GUID_, ""), "DistributionListName.domain"),
    (DistributionListName, (GUID_, 1), "DistributionListName.domain"),
    (MulticastName, (224, 1), "MulticastName.address"),
    (MulticastName, ("224.0.0", 1), "MulticastName.address"),
    (MulticastName, ("224.0.0.1", 65536), "MulticastName.port"),
    (MulticastName, ("224.0.0.1", True), "MulticastName.port"),
    (MultipleName, ((),), "MultipleName.elements"),
    (MultipleName, ([PublicName(GUID_)],), "MultipleName.elements"),
    (MultipleName, (("PUBLIC=",),), "MultipleName.elements[0]"),
    (MultipleName, ((PublicName(GUID_), MachineName(GUID_)),), "MultipleName.elements[1]"),
    (MultipleName, ((MultipleName((PublicName(GUID_),)),),), "MultipleName.elements[0]"),
    (MultipleName, ((FormatName(),),), "MultipleName.elements[0]"),
    (MultipleName, ((PrivateName(GUID_, 1, JOURNAL),),), "MultipleName.elements[0]"),
    (MultipleName, ((DirectName("OS:h\\a,b"),),), "MultipleName.elements[0]"),
    (QueuePath, (1, "q"), "QueuePath.computer"),
    (QueuePath, ("h", None), "QueuePath.queue"),
    (QueuePath, ("h", "q", []), "QueuePath.kind"),
    (QueuePath, ("h", "q", "local"), "QueuePath"),
    (QueuePath, ("h", "private$\\q"), "QueuePath"),
    (QueuePath, ("h\\x", "q"), "QueuePath"),
    (QueuePath, ("h", "a;b"), "QueuePath"),
    (QueuePath, ("h", "q", "public", 10**5000), "QueuePath.subqueue"),
    (QueuePath, ("h", "q", "public", ""), "QueuePath.subqueue"),
    (QueuePath, ("h", "q", "public", 0), "QueuePath"),
]

# Name, version, and a piece of each line that `check` gives.
BREACHES: list[tuple[FormatName | QueuePath, int, list[str]]] = [
    (PublicName(GUID_), 6, []),
    (PublicName(GUID_, JOURNAL), 6, []),
    (PrivateName(GUID_, 1), 1, []),
    (ConnectorName(GUID_), 6, []),
    (MachineName(GUID_, DEADXACT), 6, []),
    (MachineName(GUID_), 6, ["2.2.7 suffix: expected JOURNAL"]),
    (DistributionListName(GUID_), 6, []),
    (DistributionListName(GUID_, "d" * 255), 6, []),
    (
        DistributionListName(GUID_, "d" * 256),
        6,
        ["2.1.5 DomainName: expected at most 255 characters, found 256"],
    ),
    (DistributionListName(GUID_, "a b"), 6, ["DomainName: character ' ' at index 1"]),
    (MulticastName("224.0.0.1", 1), 3, []),
    (MulticastName("239.0.0.1", 1), 2, ["MSMQ 3.0 introduced"]),
    (MulticastName("223.0.0.1", 1), 6, ["224.0.0.0 to 239.255.255.255"]),
    (MulticastName("240.0.0.1", 1), 6, ["224.0.0.0 to 239.255.255.255"]),
    (
        MultipleName((PublicName(GUID_), DirectName("TCP:x\\q"), DirectName('OS:h\\"'))),
        6,
        [
            "element 1: 2.1.2 TCP address: expected an IPv4 or IPv6 address (a host name follows OS:), found",
            "element 2: 2.1.1 QueueName",
        ],
    ),
    (QueuePath("h" * 256, "q" * 124, "private", "s" * 32), 6, []),
    (
        QueuePath("h" * 257, "q" * 125, "private", "s" * 33),
        6,
        [
            "Computer: expected at most 256",
            "QueueName: expected at most 124 characters, found 125",
            "found 33",
        ],
    ),
    (QueuePath("h", "q", "system", "s"), 4, []),
    (QueuePath("h", "q", "public", "s"), 3, ["MSMQ 4.0 introduced subqueues"]),
    (QueuePath("h", 'a"+,\x7f'), 1, []),
    (QueuePath("h", "a\x7f"), 2, []),
    (QueuePath("h", 'a"'), 2, ["QueueName: character '\"' at index 1"]),
    (QueuePath("h", "a+"), 2, ["'+'"]),
    (QueuePath("h", "a,"), 6, ["','"]),
    (QueuePath("h", "a\\b"), 1, ["'\\\\'"]),
    (QueuePath("h", "a b"), 1, ["' '"]),
    (QueuePath("h", "q", "public", "s;t"), 6, ["Subqueue: character ';' at index 1"]),
    (QueuePath("h\x7f", "q"), 6, ["Computer: character '\\x7f'"]),
    (QueuePath("h", "\u00fc"), 6, ["'\u00fc' at index 0"]),
    (DirectName("OS:h\\q"), 1, []),
    (
        DirectName("OS:" + "h" * 257 + "\\q"),
        6,
        ["2.1.2 OS address: expected at most 256 characters, found 257"],
    ),
    (DirectName("OS:a b\\q"), 6, ["2.1.2 OS address: character ' '"]),
    (DirectName("OS:h\\privat$\\q"), 6, ["'\\\\' at index 7 is not allowed (it may follow private$ only)"]),
    (DirectName("OS:h\\SYSTEM$;JOURNAL"), 6, []),
    (DirectName("OS:h\\q;s"), 3, ["MSMQ 4.0 introduced subqueues"]),
    (DirectName("OS:h\\q;s;t"), 6, ["Subqueue: character ';'"]),
    (DirectName("TCP:10.1.2.3\\q"), 6, []),
    (DirectName("TCP:fe80::1\\q"), 6, []),
    (DirectName("TCP:[fe80::1]\\q"), 6, []),
    (DirectName("TCP:[fe80::1\\q"), 6, ["expected an IPv4 or IPv6 address"]),
    (DirectName("TCP:10.1.2.256\\q"), 6, ["expected an IPv4 or IPv6 address"]),
    (DirectName("IPX:0000002A:00A0C9123456\\q"), 6, []),
    (DirectName("SPX:0000002A.00A0C9123456\\q"), 6, []),
    (DirectName("IPX:2A-1\\q"), 6, ["2.1.2 IPX address"]),
    (DirectName("SPX:123456789.1\\q"), 6, ["2.1.2 SPX address"]),
    (DirectName("IPX:2A.1\\q"), 6, []),
    (DirectName("SPX:2A.1\\q"), 6, ["2.1.2 SPX address"]),
    (DirectName("HTTP://h/MSMQ\\q"), 6, []),
    (DirectName("HTTP://h:/msmq/q"), 6, []),
    (DirectName("HTTPS://[::1]:443\\Msmq/private$/q"), 6, []),
    (DirectName("HTTP://h:80x/msmq/q"), 6, ["//host:port/MSMQ"]),
    (DirectName("HTTP://h/other/q"), 6, ["//host:port/MSMQ"]),
    (DirectName("HTTP://h/xmsmq/q"), 6, ["//host:port/MSMQ"]),
    (DirectName("HTTP://" + "h" * 256 + "/msmq/q"), 6, []),
    (DirectName("HTTP://" + "h" * 257 + "/msmq/q"), 6, ["HTTP address, Host: expected at most 256"]),
    (DirectName("HTTPS://a b/msmq/q"), 6, ["2.1.2 HTTPS address, Host: character ' '"]),
]


@for_each(("text", "name", "kind", "suffix", "printed"), lambda: FORMAT_NAMES)
def test_format_name(
    text: str, name: FormatName, kind: QUEUE_FORMAT_TYPE, suffix: QUEUE_SUFFIX_TYPE, printed: str | None
) -> None:
    assert parse_format_name(text) == name
    assert FormatName.parse(text) == name
    assert type(name).parse(text) == name
    assert str(name) == (text if printed is None else printed)
    assert name.queue_format_type is kind
    assert name.queue_suffix_type is suffix
    assert name.read_only is (suffix in (JOURNAL, DEADLETTER, DEADXACT))
    assert pickle.loads(pickle.dumps(name)) == name  # noqa: S301  # pickled one line above
    assert len({name, parse_format_name(text)}) == 1


@for_each(("wire_text", "parts", "kind", "suffix"), lambda: DIRECT_NAMES)
def test_direct_name(
    wire_text: str, parts: tuple[Any, ...], kind: QUEUE_FORMAT_TYPE, suffix: QUEUE_SUFFIX_TYPE
) -> None:
    name = DirectName.from_wire_text(wire_text)
    assert (name.protocol, name.address, name.kind, name.queue, name.subqueue, name.suffix) == parts
    assert (name.queue_format_type, name.queue_suffix_type) == (kind, suffix)
    assert name.wire_text == wire_text
    assert str(name) == f"DIRECT={wire_text}"
    assert DirectName.parse(f"direct={wire_text}") == name
    protocol, address, kind_, queue, subqueue, suffix_ = parts
    again = DirectName.of(protocol, address, queue, kind=kind_, subqueue=subqueue, suffix=suffix_)
    again_parts = (again.protocol, again.address, again.kind, again.queue, again.subqueue, again.suffix)
    assert again_parts == parts


def test_direct_name_from_parts_is_spelled_as_in_the_grammar() -> None:
    assert DirectName.of("OS", "h", "q", kind="private", suffix=JOURNAL).wire_text == (
        "OS:h\\PRIVATE$\\q;JOURNAL"
    )
    assert DirectName.of("TCP", "::1", "q", subqueue="s").wire_text == "TCP:::1\\q;s"
    assert DirectName.of("OS", "h", kind="system", suffix=DEADXACT).wire_text == "OS:h\\SYSTEM$;DEADXACT"
    assert DirectName.of("HTTP", "//h/MSMQ", "q", kind="private").wire_text == "HTTP://h/MSMQ/PRIVATE$/q"


@pytest.mark.parametrize(
    ("parts", "more", "path"),
    [
        (("OS", "h", "a;b"), {}, "DirectName"),
        (("OS", "h\\x", "q"), {}, "DirectName"),
        (("os", "h", "q"), {}, "DirectName"),
        (("OS", "h", "private$\\q"), {}, "DirectName"),
        (("OS", "h", "q"), {"kind": "local"}, "DirectName"),
        (("OS", "h", "q"), {"suffix": DEADXACT}, "DirectName"),
        (("OS", "h", "q"), {"subqueue": "journal"}, "DirectName"),
        (("OS", "h", "q"), {"kind": "system", "suffix": JOURNAL}, "DirectName.suffix"),
        (("OS", "h"), {"kind": "system"}, "DirectName.suffix"),
        (("OS", "h"), {"kind": "system", "suffix": JOURNAL, "subqueue": "s"}, "DirectName"),
        (("OS", "h", "q"), {"suffix": XACTONLY}, "DirectName.suffix"),
        (("OS", "h", "q"), {"suffix": 0}, "DirectName.suffix"),
        (("OS", "h"), {}, "DirectName.queue"),
        (("HTTP", "//h", "q"), {}, "DirectName.address"),
        ((None, "h", "q"), {}, "DirectName.protocol"),
        (("OS", "h", "q"), {"kind": []}, "DirectName.kind"),
        (("OS", "h", "q"), {"subqueue": 10**5000}, "DirectName.subqueue"),
    ],
)
def test_direct_name_from_wrong_parts(parts: tuple[Any, ...], more: dict[str, Any], path: str) -> None:
    with pytest.raises(EncodeError) as caught:
        DirectName.of(*parts, **more)
    assert (caught.value.path, caught.value.structure) == (path, "DirectName")


@for_each(("text", "path", "index", "piece"), lambda: NO_FORMAT_NAMES)
def test_no_format_name(text: str, path: str, index: int, piece: str) -> None:
    with pytest.raises(EncodeError) as caught:
        parse_format_name(text)
    error = caught.value
    assert error.path == path
    assert error.structure == path.partition(".")[0]
    assert piece in error.problem
    assert error.problem.endswith(f"(character {index})")


def test_an_error_has_the_beginning_of_what_is_wrong() -> None:
    with pytest.raises(EncodeError) as caught:
        parse_format_name("X" * 121)
    assert caught.value.actual == "X" * 120


def test_a_class_refuses_the_names_of_another() -> None:
    with pytest.raises(EncodeError, match="expected PRIVATE=, found 'PUBLIC="):
        PrivateName.parse(f"PUBLIC={G}")


def test_a_multiple_element_name_of_one_element() -> None:
    one = MultipleName((PublicName(GUID_),))
    assert MultipleName.parse(str(one)) == one
    assert parse_format_name(str(one)) == PublicName(GUID_)


def test_a_comma_belongs_to_the_name_where_the_class_is_known() -> None:
    assert DirectName.parse("DIRECT=OS:h\\a,b").queue == "a,b"
    assert DistributionListName.parse(f"DL={G}@a,b").domain == "a,b"


@for_each(("text", "path", "printed"), lambda: QUEUE_PATHS)
def test_queue_path(text: str, path: QueuePath, printed: str | None) -> None:
    assert parse_queue_path(text) == path
    assert QueuePath.parse(text) == path
    assert str(path) == (text if printed is None else printed)
    assert parse_queue_path(str(path)) == path


@for_each(("text", "path", "index"), lambda: NO_QUEUE_PATHS)
def test_no_queue_path(text: str, path: str, index: int) -> None:
    with pytest.raises(EncodeError) as caught:
        parse_queue_path(text)
    assert caught.value.path == path
    assert f"(character {index})" in caught.value.problem


@for_each(("kind", "fields", "path"), lambda: NO_VALUES)
def test_no_value(kind: type[Any], fields: tuple[Any, ...], path: str) -> None:
    with pytest.raises(EncodeError) as caught:
        kind(*fields)
    assert caught.value.path == path
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", [PublicName(GUID_), DirectName("OS:h\\q"), QueuePath("h", "q")])
def test_values_do_not_change(name: Any) -> None:
    for field in name.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(name, field, None)


@for_each(("name", "version", "pieces"), lambda: BREACHES)
def test_check(name: FormatName | QueuePath, version: int, pieces: list[str]) -> None:
    found = check(name, version=version)
    assert len(found) == len(pieces), found
    for line, piece in zip(found, pieces, strict=True):
        assert piece in line


def test_check_goes_by_the_newest_version_unless_told() -> None:
    assert check(QueuePath("h", "a,b", "public", "s")) == check(
        QueuePath("h", "a,b", "public", "s"), version=6
    )


@pytest.mark.parametrize(("name", "version", "path"), [("x", 6, "name"), (QueuePath("h", "q"), 7, "version")])
def test_check_refuses(name: Any, version: int, path: str) -> None:
    with pytest.raises(EncodeError) as caught:
        check(name, version=version)
    assert caught.value.path == path


@pytest.mark.parametrize("parse", [parse_format_name, parse_queue_path])
@pytest.mark.parametrize("value", [None, b"DIRECT=OS:h\\q", 5])
def test_only_text_is_parsed(parse: Any, value: object) -> None:
    with pytest.raises(EncodeError, match="expected text"):
        parse(value)


def test_the_length_is_limited() -> None:
    stem = "DIRECT=OS:h\\"
    longest = stem + "q" * (MAX_FORMAT_NAME_LENGTH - len(stem))
    assert str(parse_format_name(longest)) == longest
    assert str(parse_format_name(longest + "q", max_length=MAX_FORMAT_NAME_LENGTH + 1)) == longest + "q"
    with pytest.raises(EncodeError, match="at most 65535 characters, got 65536"):
        parse_format_name(longest + "q")
    with pytest.raises(EncodeError, match="at most 3 characters, got 4"):
        parse_queue_path("h\\qq", max_length=3)


# Long input made of what the patterns and searches look for, again and again.
PIECES = [
    "A",
    "\\",
    "/",
    ";",
    ",",
    ":",
    "=",
    "-",
    "0",
    ".",
    "PRIVATE$\\",
    "\\private$",
    "0.0",
    "//",
    "[",
    ";JOURNAL",
]
HEADS = [
    "",
    "PUBLIC=",
    f"PUBLIC={G}",
    "PRIVATE=",
    f"PRIVATE={G}\\",
    f"MACHINE={G};",
    "MULTICAST=",
    "MULTICAST=224.0.0.1:",
    "DIRECT=",
    "DIRECT=HTTP://",
    "DIRECT=OS:h\\SYSTEM$;",
]


@for_each("head", lambda: HEADS)
@for_each("piece", lambda: PIECES)
def test_a_megabyte_of_garbage_is_refused(head: str, piece: str) -> None:
    text = head + piece * (1_000_000 // len(piece)) + ",\n"
    for limit in (MAX_FORMAT_NAME_LENGTH, 2_000_000):
        with pytest.raises(EncodeError) as caught:
            parse_format_name(text, max_length=limit)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("head", ["TCP:", "OS:", "IPX:", "HTTP://", "HTTP://h/msmq/"])
@for_each("piece", lambda: PIECES)
def test_a_megabyte_is_checked(head: str, piece: str) -> None:
    text = f"{head}{piece * (1_000_000 // len(piece))}x\\q/q\\q"
    try:
        name = DirectName.from_wire_text(text)
    except EncodeError as error:
        assert error.path.startswith("DirectName.")  # noqa: PT017  # which of the two depends on the text
    else:
        assert name.wire_text == text
        assert check(name)


def test_many_elements() -> None:
    text = ",".join(["MULTICAST=224.0.0.1:1"] * 20_000)
    name = parse_format_name(text, max_length=len(text))
    assert isinstance(name, MultipleName)
    assert len(name.elements) == 20_000
    assert str(name) == text


guids = st.binary(min_size=16, max_size=16).map(GUID)
words = st.text(min_size=1, max_size=40)
legal = st.text(string.ascii_letters + string.digits + "!#$%._-{}/:", min_size=1, max_size=32)
spelled = st.sampled_from([str.upper, str.lower, str.title])


def _one_of(*suffixes: QUEUE_SUFFIX_TYPE) -> st.SearchStrategy[QUEUE_SUFFIX_TYPE]:
    return st.sampled_from(suffixes)


@st.composite
def direct_texts(draw: st.DrawFn) -> str:
    """Wire texts in any spelling, with names that need not conform."""
    spell = draw(spelled)
    protocol = draw(st.sampled_from(["TCP", "SPX", "IPX", "OS", "HTTP", "HTTPS"]))
    word = words.filter(lambda text: not set(text) & set("\\/;"))
    slash = draw(st.sampled_from("/\\")) if protocol[0] == "H" else "\\"
    address = f"//{draw(word)}{slash}{draw(word)}" if protocol[0] == "H" else draw(word)
    tail = draw(
        st.one_of(
            word,
            word.map(lambda text: spell("PRIVATE$") + slash + text),
            st.tuples(word, word).map(";".join),
            word.map(lambda text: text + spell(";JOURNAL")),
            st.sampled_from(["JOURNAL", "DEADLETTER", "DEADXACT"]).map(
                lambda text: spell("SYSTEM$;") + spell(text)
            ),
        )
    )
    return f"{spell(protocol)}:{address}{slash}{tail}"


elements = st.one_of(
    st.builds(PublicName, guids),
    st.builds(PrivateName, guids, st.integers(0, 0xFFFFFFFF)),
    st.builds(DistributionListName, guids, st.none() | legal),
    st.builds(ConnectorName, guids, _one_of(NONE, XACTONLY)),
    st.builds(MulticastName, st.ip_addresses(v=4, network="224.0.0.0/4").map(str), st.integers(0, 0xFFFF)),
    direct_texts().map(DirectName).filter(lambda name: not name.read_only and "," not in name.wire_text),
)
names = st.one_of(
    elements,
    st.builds(PublicName, guids, _one_of(NONE, JOURNAL)),
    st.builds(PrivateName, guids, st.integers(0, 0xFFFFFFFF), _one_of(NONE, JOURNAL)),
    st.builds(MachineName, guids, _one_of(NONE, JOURNAL, DEADLETTER, DEADXACT)),
    st.builds(DistributionListName, guids, st.none() | words),
    direct_texts().map(DirectName),
    st.lists(elements, min_size=1, max_size=5).map(lambda many: MultipleName(tuple(many))),
)


@given(names)
def test_what_is_printed_reads_back(name: FormatName) -> None:
    text = str(name)
    assert type(name).parse(text) == name
    one = isinstance(name, MultipleName) and len(name.elements) == 1
    if not one and ("," not in text or isinstance(name, MultipleName)):
        assert parse_format_name(text) == name
    assert all(isinstance(line, str) for version in range(1, 7) for line in check(name, version=version))


@given(direct_texts())
def test_wire_text_stays_as_it_was(text: str) -> None:
    assert DirectName.from_wire_text(text).wire_text == text
    assert str(DirectName.parse("Direct=" + text)) == "DIRECT=" + text


@given(
    st.sampled_from(["OS", "TCP"]),
    words,
    words,
    st.sampled_from(["public", "private"]),
    st.none() | words,
    _one_of(*QUEUE_SUFFIX_TYPE),
)
def test_parts_come_back_or_are_refused(
    protocol: str, address: str, queue: str, kind: Any, subqueue: str | None, suffix: QUEUE_SUFFIX_TYPE
) -> None:
    try:
        name = DirectName.of(protocol, address, queue, kind=kind, subqueue=subqueue, suffix=suffix)
    except EncodeError:
        assert suffix not in (NONE, JOURNAL) or set("\\;") & set(address + queue + (subqueue or ""))
    else:
        assert (name.protocol, name.address, name.queue) == (protocol, address, queue)
        assert (name.kind, name.subqueue, name.suffix) == (kind, subqueue, suffix)


@given(legal, legal, st.sampled_from(["public", "private", "system"]), st.none() | legal)
def test_legal_paths_read_back(computer: str, queue: str, kind: Any, subqueue: str | None) -> None:
    path = QueuePath(computer, queue, kind, subqueue)
    assert parse_queue_path(str(path)) == path
    assert check(path) == ()


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from([*HEADS, *PIECES, G, "q", "msmq", "OS:", "SYSTEM$;", "\x00", "\u0131"]), max_size=8
    ).map("".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_format_name, parse_queue_path, DirectName.from_wire_text, MultipleName.parse):
        try:
            value: Any = parse(text)
        except EncodeError as error:
            assert error.path  # noqa: PT017  # both outcomes are right; other exceptions are not
        else:
            assert type(value).parse(str(value)) == value


@pytest.mark.parametrize(
    "kind",
    [PublicName, PrivateName, DirectName, DistributionListName, MachineName, ConnectorName, MulticastName],
)
def test_a_name_of_another_kind_is_wrong_from_its_beginning(kind: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        kind.parse("nothing=1")
    error = caught.value
    assert error.problem.endswith("(character 0)")
    assert (error.path, error.actual) == ("FormatName", "nothing=1")
