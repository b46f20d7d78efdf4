"""Any bytes are a change notification that encodes to the same bytes, or are refused with their place."""

from __future__ import annotations

from harness import accident, instrumented, main, one_verdict, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqcn
    from msmq_wire.documents.notification_text import notification_text, parse_notification

MODULES = ("packets.directory.notification", "documents.notification_text")
KIND = "notification"
_SENDER = mw.GUID(bytes(range(16)))


def check(data: bytes) -> None:
    lax = mqcn.decode_lax(data)
    assert data.endswith(lax.rest)
    assert all(0 <= found.offset <= len(data) for found in mw.validate(lax, "should"))
    try:
        message = mqcn.decode(data)
    except mw.DecodeError as error:
        placed(error, data)
        assert lax.error is not None or lax.rest
        if lax.error is not None:
            one_verdict(error, lax.error)
        return
    assert (lax.packet, lax.error, lax.rest) == (message, None, b"")
    assert mqcn.encode(message) == data
    _carried(message, data)
    if isinstance(message.Data, mqcn.NotificationBody):
        _written(message.Data.Text, message.NumberOfUpdateNotifications)


def _carried(message: mqcn.ChangeNotificationMessage, data: bytes) -> None:
    """A carrier for every version of MSMQ, and for no other; no record but a notification has one."""
    version = data[-1] % 8
    try:
        carrier = mqcn.wrap(message, _SENDER, _SENDER, msmq_version=version)
    except mw.EncodeError as error:
        accident(error)
    else:
        assert 1 <= version <= 6
        assert carrier.MessagePropertiesHeader.MessageBody[: len(data)] == data
    try:
        mqcn.encode(message.Data)
    except mw.EncodeError as error:
        accident(error)
    else:
        raise AssertionError("a part was taken for the whole")


def _written(text: str, number: int) -> None:
    """What a notification says, and some things that none can say, are written to be read, or refused."""
    said = parse_notification(text)
    names = (said.domain_controller, text[-300:], said.domain_controller[:1] * 300, number)
    identifiers = (said.object_guid, str(said.object_guid), said.object_guid.bytes_le, text[:36])
    events = (said.event, number)
    for choice in range(number % 16, number % 16 + 5):
        name, identifier, event = names[choice % 4], identifiers[choice // 4 % 4], events[choice // 3 % 2]
        try:
            again = notification_text(event, identifier, name)  # type: ignore[arg-type]  # some are no text
        except mw.EncodeError as error:
            accident(error)  # names are read more generously than written
        else:
            assert parse_notification(again)[:3] == (event, said.object_guid, name)


if __name__ == "__main__":
    main(__name__)
