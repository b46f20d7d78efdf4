"""Work grows with the input and no faster: every public function against bytes, elements and findings.

Work is counted in events of the interpreter, lines and calls, never in seconds.
"""

from __future__ import annotations

import inspect
import uuid
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from support_hostile import events

import msmq_wire as mw
from msmq_wire import crypto, mqcn, mqdsrp, mqmq, mqqb, propid, queue_names
from msmq_wire.checks.sessions.monitor import SessionMonitor
from msmq_wire.checks.validation import Context, require, requirement_ids
from msmq_wire.documents import directory_properties, notification_text
from msmq_wire.names import format_names
from msmq_wire.packets import carriers, signature
from msmq_wire.packets.reassembly import FlowReader, Origin
from msmq_wire.packets.stream import PacketStream

if TYPE_CHECKING:
    from collections.abc import Callable

CORE = (
    "msmq_wire",
    "msmq_wire.mqmq",
    "msmq_wire.mqqb",
    "msmq_wire.mqrr",
    "msmq_wire.mqdsrp",
    "msmq_wire.mqcn",
    "msmq_wire.checks.validation",
    "msmq_wire.crypto",
    "msmq_wire.documents.directory_properties",
    "msmq_wire.documents.notification_text",
    "msmq_wire.documents.queue_names",
    "msmq_wire.names.format_names",
    "msmq_wire.packets.carriers",
    "msmq_wire.packets.signature",
    "msmq_wire.documents.propid",
)
PARTS: Any = mqmq
SITE = "00112233-4455-6677-8899-aabbccddeeff"
EVERYTHING = mw.Limits(fields=1 << 30, violations=1 << 30)
_TRIES = 3
_SLACK = 400
"""Events that a doubling may cost besides: tables that grow, parts that are met first."""


# ---------------------------------------------------------------------------------------------- inputs


def message(**parts: Any) -> Any:
    return PARTS.UserMessage(UserHeader=PARTS.UserHeader(DestinationQueue="DIRECT=OS:a\\b"), **parts)


def with_properties(**fields: Any) -> Any:
    return message(MessagePropertiesHeader=PARTS.MessagePropertiesHeader(**fields))


def three_lists(count: int, name: str) -> Any:
    element = PARTS.MQFFormatNameElement(FormatName=PARTS.MQFDirectQueueFormatName(name))
    header = PARTS.MQFAddressHeader(FormatNameList=[element] * count)
    lists = PARTS.MultiQueueFormatHeader(Destination=header, Administration=header, Response=header)
    return message(MultiQueueFormatHeader=lists)


def changes(count: int, **fields: Any) -> Any:
    made: Any = mqdsrp
    number = propid.PROPID["PROPID_Q_LABEL"]
    given = {"PathName": "a", "PropertyID": [number], "PropertyValue": [mw.PropertyValue(31, "b")], **fields}
    return made.SyncReplyMessage(DirectoryChanges=[made.DirectoryChange(**given)] * count)


def many_properties(count: int) -> Any:
    number = propid.PROPID["PROPID_Q_LABEL"]
    values = [mw.PropertyValue(31, "b")] * (count // 4)
    return changes(4, PropertyID=[number] * (count // 4), PropertyValue=values)


def vector(count: int) -> Any:
    number = propid.PROPID["PROPID_QM_SITE_IDS"]
    value = mw.PropertyValue(0x1048, (mw.GUID(bytes(16)),) * count)
    return changes(1, PropertyID=[number], PropertyValue=[value])


def updates(count: int) -> Any:
    made: Any = mqcn
    one = made.NotificationUpdate(PathName="a", PropertyId=[], PropertyValue=[])
    return made.ChangeNotificationMessage(Data=made.NotificationUpdates(Updates=[one] * (count // 4)))


def certificates(count: int) -> Any:
    return PARTS.MQUSERSIGNCERTS(Certificates=[PARTS.MQUSERSIGNCERT(Certificate=b"c")] * count)


def partitions(count: int) -> Any:
    made: Any = mqdsrp
    kind = made.SeqNumberHeader.layout.by_name["PartitionSeqNumbers"].kind.structure.name
    numbers = [mw.Record.class_of(kind)()] * (count // 4)
    return made.SeqNumberHeader(MachineName="a", PartitionSeqNumbers=numbers)


RECORDS: dict[str, Callable[[int], Any]] = {
    "a body": lambda count: with_properties(MessageBody=bytes(100 * count)),
    "an extension": lambda count: with_properties(ExtensionData=bytes(100 * count)),
    "queues": lambda count: three_lists(count // 2, "OS:a\\b"),
    "queues, each with findings": lambda count: three_lists(count // 2, "x"),
    "changes": changes,
    "changes, each with findings": lambda count: changes(count, PathName="\x01" * 4),
    "properties": many_properties,
    "a vector": vector,
    "updates": updates,
    "certificates": certificates,
    "partitions": partitions,
}
"""What records hold more and more of."""


@cache
def record(name: str, count: int) -> Any:
    return RECORDS[name](count)


@cache
def octets(name: str, count: int) -> bytes:
    made = record(name, count)
    return mw.encode(made)


def broken(name: str, count: int) -> bytes:
    return octets(name, count)[:-1]


def decode_any(name: str, data: bytes, **options: Any) -> Any:
    first = record(name, 8)
    module = type(first).__name__
    if isinstance(first, PARTS.UserMessage):
        return mw.decode(data, **options)
    if module == "SyncReplyMessage":
        return mqdsrp.decode(data)
    if module == "ChangeNotificationMessage":
        return mqcn.decode(data)
    return type(first).decode(data)


def kind_of(name: str) -> Any:
    return type(record(name, 8))


def decode_strictly(name: str, data: bytes) -> None:
    made: Any = record(name, 8)
    with suppress(mw.ConformanceError):
        if isinstance(made, PARTS.UserMessage):
            mw.decode(data, strict=True)
        else:
            require(decode_any(name, data))


def decode_laxly(name: str, data: bytes) -> Any:
    kind = kind_of(name).__name__
    reader: Any = {"SyncReplyMessage": mqdsrp.decode_lax, "ChangeNotificationMessage": mqcn.decode_lax}
    return reader.get(kind, mw.decode_lax)(data)


def validate_laxly(name: str, data: bytes) -> Any:
    return mw.validate(decode_laxly(name, data), "should", limits=EVERYTHING)


def replaced(name: str, made: Any) -> Any:
    """The same record with its largest part given anew, so that all that depends on it is worked out."""
    del name
    first = next(field.name for field in made.layout.fields if getattr(made, field.name) is not None)
    return mw.replace(made, **{first: getattr(made, first)})


def stream(data: bytes) -> Any:
    reader = PacketStream(max_skipped=None)
    return reader.feed(data), reader.close(), [skip.error for skip in reader.take_skipped()]


def flow(data: bytes) -> int:
    reader, count = FlowReader(), 0
    for number, at in enumerate(range(0, len(data), 500)):
        count += sum(1 for _ in reader.feed(at, data[at : at + 500], Origin(number, "", number)))
    return count + sum(1 for _ in reader.close())


def session(count: int) -> Any:
    monitor = SessionMonitor()
    packet = mw.decode(mw.encode(with_properties(MessageBody=b"x")))
    return [monitor.feed("->", packet) for _ in range(count)]


# --------------------------------------------------------------------------------------------- functions

OF_BYTES: dict[str, Callable[[str, bytes], Any]] = {
    "decode": decode_any,
    "decode strictly": decode_strictly,
    "decode_lax": decode_laxly,
    "explain": lambda name, data: mw.explain(data, kind_of(name), max_elements=1 << 30),
    "explain everything": lambda name, data: mw.explain(
        data, kind_of(name), max_elements=1 << 30, limits=EVERYTHING
    ),
    "validate what lax reading gave": validate_laxly,
    "changes one by one": lambda name, data: (
        sum(1 for _ in mqdsrp.iter_changes(data)) if kind_of(name).__name__ == "SyncReplyMessage" else None
    ),
    "a stream": lambda _, data: stream(data),
    "a flow": lambda _, data: flow(data),
}
CONTEXT = Context(
    request=mqdsrp.SyncRequestMessage(RequesterName="psc"),
    sender=mw.NULL_GUID,
    receiver=mw.NULL_GUID,
    role="PSC",
    server_class=True,
    receiver_address="10.0.0.1",
    seen_at=0.0,
)
"""Everything that bytes alone do not tell."""
OF_RECORDS: dict[str, Callable[[str, Any], Any]] = {
    "encode": lambda _, made: mw.encode(made),
    "explain": lambda _, made: mw.explain(made, max_elements=1 << 30, limits=EVERYTHING),
    "to_dict": lambda _, made: mw.to_dict(made),
    "from_dict": lambda _, made: mw.from_dict(mw.to_dict(made), type(made)),
    "replace": replaced,
    "validate": lambda _, made: mw.validate(made, "should", limits=EVERYTHING),
    "validate, few findings": lambda _, made: mw.validate(made, limits=mw.Limits(violations=2)),
    "validate, as read remotely by an old version": lambda _, made: mw.validate(
        made, "practice", channel="remote-read", profile="windows-nt-4.0", limits=EVERYTHING
    ),
    "validate, in a context": lambda _, made: mw.validate(
        made, "practice", channel="directory", context=CONTEXT, limits=EVERYTHING
    ),
    "compare": lambda _, made: (made == mw.replace(made), hash(made)),
}


def _events(run: Callable[[int], Any], size: int) -> int:
    return events(lambda _: run(size), b"")


def linear(run: Callable[[int], Any], count: int) -> None:
    """Twice as much takes at most about twice the work, once more than what is always done is left aside."""
    spent: list[int] = []
    for _ in range(_TRIES):  # what is made once, or compiled because it comes often, is not made again
        spent = [_events(run, size) for size in (count, 2 * count, 4 * count)]
        once, twice, four = spent
        if four - twice <= 2.3 * max(twice - once, 0) + _SLACK:
            return
    raise AssertionError(spent)


@pytest.mark.each(12)
@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("function", OF_BYTES)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "broken"])
def test_of_bytes(name: str, function: str, whole: bool) -> None:
    make = octets if whole else broken
    linear(lambda count: OF_BYTES[function](name, make(name, count)), 64)


@pytest.mark.each(12)
@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("function", OF_RECORDS)
def test_of_records(name: str, function: str) -> None:
    linear(lambda count: OF_RECORDS[function](name, record(name, count)), 64)


NAMES = {
    "a long name": lambda count: "DIRECT=OS:" + "a" * 8 * count + "\\b",
    "many dots": lambda count: "DIRECT=OS:" + "a." * 4 * count + "\\private$\\b",
    "many names": lambda count: ",".join(["DIRECT=OS:a\\b"] * count),
    "many names, the last of them wrong": lambda count: ",".join(["DIRECT=OS:a\\b"] * count) + ",x",
    "many separators": lambda count: "DIRECT=OS:a" + "\\" * 4 * count,
    "no name": lambda count: ";" * 8 * count,
    "colons": lambda count: "DIRECT=HTTP://[" + ":" * 8 * count,
}


def refused(run: Callable[..., Any], *given: Any) -> None:
    try:
        run(*given)
    except mw.MsmqWireError as error:
        str(error)  # which locates it


@pytest.mark.each(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "read",
    [
        format_names.parse_format_name,
        format_names.parse_queue_path,
        lambda text: format_names.check(format_names.parse_format_name(text)),
        queue_names.to_wire,
        queue_names.to_element,
        queue_names.to_wire_list,
        lambda text: queue_names.from_wire_list(queue_names.to_wire_list(text)),
        lambda text: queue_names.from_wire(queue_names.to_wire(text)),
        lambda text: str(format_names.parse_format_name(text)),
    ],
)
def test_of_names(name: str, read: Callable[[str], Any]) -> None:
    make: Any = NAMES[name]
    linear(lambda count: refused(read, make(count)), 64)


@pytest.mark.parametrize(
    "make",
    [
        lambda count: ["MQMQ-2.2.19.1-04"] * count,
        lambda count: ["MQMQ-2.2.19.1-04"] * count + ["MQMQ"],
        lambda count: "MQMQ-2" + ".2" * 8 * count,
        lambda count: "MQMQ-2-" + "1" * 8 * count + "x",
    ],
    ids=["many ids", "the last is wrong", "a long section", "a long number"],
)
def test_of_ids_to_ignore(make: Callable[[int], Any]) -> None:
    linear(lambda count: refused(lambda: requirement_ids(make(count))), 64)


VALUES: dict[str, Callable[[int], tuple[int, Any]]] = {
    "a text": lambda count: (31, "a" * 8 * count),
    "bytes": lambda count: (65, bytes(8 * count)),
    "octets": lambda count: (0x1011, bytes(8 * count)),
    "numbers": lambda count: (0x1013, (70_000,) * count),
    "GUIDs": lambda count: (0x1048, (mw.GUID(bytes(16)),) * count),
    "texts": lambda count: (0x101F, ("ab",) * count),
    "variants": lambda count: (0x100C, (mw.PropertyValue(31, "a"), mw.PropertyValue(2, 1)) * (count // 2)),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "broken"])
def test_of_values(name: str, whole: bool) -> None:
    def run(count: int) -> Any:
        vt, given = VALUES[name](count)
        made = mw.PropertyValue.of(vt, given)
        data = made.encode()
        again = mw.PropertyValue.decode(vt, data if whole else data[:-1])
        return again.natural, again == made, hash(again), again.encode(), repr(again)

    linear(lambda count: refused(run, count), 64)


STREAMS = {
    "packets": lambda count: mw.encode(mqqb.SessionAck()) * count,
    "marks": lambda count: b"\x10\xc0\x0b\xffLIOR" * count,
    "junk": lambda count: b"\x10" * 16 * count,
    "headers": lambda count: mw.encode(mqqb.SessionAck())[:8] + bytes(8) * count,
    "packets and junk": lambda count: (mw.encode(mqqb.SessionAck()) + b"LIO") * count,
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("read", [stream, flow])
def test_of_streams(name: str, read: Callable[[bytes], Any]) -> None:
    linear(lambda count: read(STREAMS[name](count)), 128)


def test_of_sessions() -> None:
    linear(session, 64)


def test_of_signatures() -> None:
    """What a signature covers, lists of queues included, and its digest."""

    def run(count: int) -> Any:
        packet = three_lists(count, "OS:a\\b")
        forms = signature.Forms(queues="text")
        return [
            (signature.signature_region(packet, version, forms=forms).data, signature.digest(packet, version))
            for version in (signature.default_version(packet), 1, 2, 3)
        ]

    linear(run, 64)


def test_of_secrets() -> None:
    """What stands around the ciphers and signatures; what `cryptography` does itself is not counted."""
    key = rsa.generate_private_key(65537, 1024)  # noqa: S505  # the size that the documents name

    def run(count: int) -> Any:
        signed = crypto.sign(three_lists(count, "OS:a\\b"), key, 2)
        assert crypto.verify(signed, key.public_key())
        assert crypto.authenticate(signed, key.public_key()) == 2
        secret = crypto.encrypt_body(signed, bytes(32))
        refused(crypto.sender_certificate, signed)
        return crypto.decrypt_body(secret, bytes(32)), carriers.queue_of(secret), carriers.carries(secret)

    linear(run, 64)


def test_of_directory_properties() -> None:
    number = propid.PROPID["PROPID_QM_SITE_IDS"]

    def run(count: int) -> Any:
        value = mw.PropertyValue.of(0x1048, [uuid.UUID(SITE)] * count)
        known = propid.by_number(number)
        assert known is not None
        propid.check(known, value)
        propid.breach(known, value)
        propid.value_name(known, value)
        directory_properties.body_value(0x1048, value.encode())
        directory_properties.pack({number: [uuid.UUID(SITE)] * count})
        return directory_properties.interpret(number, value)

    linear(run, 64)


TEXTS = {
    "a long name": lambda count: "a" * 8 * count,
    "tags": lambda count: "<Notification>" * count,
    "brackets": lambda count: "<" * 8 * count,
}


@pytest.mark.parametrize("name", TEXTS)
def test_of_notifications(name: str) -> None:
    def run(count: int) -> None:
        text = TEXTS[name](count)
        refused(notification_text.parse_notification, text)
        refused(notification_text.notification_text, 1, SITE, text)
        refused(
            lambda: notification_text.parse_notification(notification_text.notification_text(1, SITE, text))
        )

    linear(run, 64)


def test_of_carriers() -> None:
    """A message of the directory within a UserMessage."""

    def run(count: int) -> None:
        packet = mqdsrp.wrap(changes(count), "server", SITE)
        assert packet.directory_message is not None
        mqdsrp.delivery_of(mqdsrp.SyncReplyMessage, SITE)
        mqcn.wrap(updates(count), SITE, SITE)

    linear(run, 64)


# --------------------------------------------------------------------------------------- nothing forgotten

ELSEWHERE = {
    "register_type": "a number",
    "unregister_type": "a number",
    "by_name": "a lookup",
    "by_number": "a lookup",
    "changed_object_class": "numbers",
    "object_class_of": "a number",
    "object_type": "a number",
    "vartype_name": "a number",
    "hash_of": "called by digest",
    "address_of": "called by wrap",
    "carrier": "called by wrap",
    "read_carried": "called by carried_by",
    "default_version": "looks at two fields",
    "encrypt": "called by encrypt_body",
    "decrypt": "called by decrypt_body",
    "decrypted_by": "calls decrypt_body for each key",
    "require": "called by decode strictly",
    "preload": "takes no input",
    "type_of": "a number",
    "carve": "counted in tests/packets/test_carving.py, for bytes and for marks",
    "security_judge": "makes a judge, who calls verify and decrypt_body",
    "public_key_from_blob": "a key",
    "public_key_to_blob": "a key",
    "public_key_to_sender_key": "a key",
    "session_key_from_blob": "a key",
    "session_key_to_blob": "a key",
    "session_key_of": "a key",
}
"""Functions whose work no input can make grow, or that a case above calls by another name."""


def test_every_function_has_a_case() -> None:
    text = inspect.getsource(import_module(__name__)).partition("# nothing forgotten")[0]
    for module in CORE:
        home = import_module(module)
        for name in home.__all__:
            if inspect.isfunction(getattr(home, name)):
                assert name in ELSEWHERE or f"{name}(" in text or f".{name}" in text, (
                    f"{module}.{name} has no case"
                )


def test_the_count_sees_what_is_not_linear() -> None:
    """The measure can fail."""

    def quadratic(count: int) -> int:
        return sum(1 for one in range(count) for two in range(one))

    with pytest.raises(AssertionError):
        linear(quadratic, 64)
    linear(partial(pow, 2), 64)
