"""Any bytes are a change notification that encodes to the same bytes, or are refused with their place."""

from __future__ import annotations

from harness import accident, instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqcn
    from msmq_wire.notification import notification_text, parse_notification

MODULES = ("mqcn", "notification")
KIND = "notification"
_SENDER = mw.GUID(bytes(range(16)))


def check(data: bytes) -> None:
    lax = mqcn.decode_lax(data)
    assert data.endswith(lax.rest)
    try:
        message = mqcn.decode(data)
    except mw.DecodeError as error:
        placed(error, data)
        assert lax.error is not None or lax.rest
        if lax.error is not None:
            placed(lax.error, data)
        return
    assert (lax.packet, lax.error, lax.rest) == (message, None, b"")
    assert mqcn.encode(message) == data
    try:
        carrier = mqcn.wrap(message, _SENDER, _SENDER)
    except mw.EncodeError as error:
        accident(error)
    else:
        assert carrier.MessagePropertiesHeader.MessageBody[: len(data)] == data
    if isinstance(message.Data, mqcn.NotificationBody):
        said = parse_notification(message.Data.Text)
        try:
            notification_text(message.NumberOfUpdateNotifications, said.object_guid, message.Data.Text[-300:])
        except mw.EncodeError as error:
            accident(error)
        try:
            text = notification_text(said.event, said.object_guid, said.domain_controller)
        except mw.EncodeError as error:
            accident(error)  # names are read more generously than written
        else:
            assert parse_notification(text)[:3] == said[:3]


if __name__ == "__main__":
    main(__name__)
