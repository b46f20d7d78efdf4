"""Any bytes are a replication message and its bytes again, or refused; three readers agree."""

from __future__ import annotations

from harness import accident, instrumented, main, one_verdict, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import mqdsrp

MODULES = ("packets.directory.replication", "packets.directory.pieces")
KIND = "replication"
_SENDER = mw.GUID(bytes(range(16)))


def check(data: bytes) -> None:
    verdict, changes = _one_by_one(data)
    lax = mqdsrp.decode_lax(data)
    assert data.endswith(lax.rest)
    assert all(0 <= found.offset <= len(data) for found in mw.validate(lax, "should"))
    try:
        message = mqdsrp.decode(data)
    except mw.DecodeError as error:
        placed(error, data)
        assert str(error) == verdict
        assert lax.error is not None or lax.rest
        if lax.error is not None:
            one_verdict(error, lax.error)
        return
    assert verdict == ""
    assert (lax.packet, lax.error, lax.rest) == (message, None, b"")
    assert mqdsrp.encode(message) == data
    assert changes == list(getattr(message, "DirectoryChanges", [])) or len(changes) == 1
    for destination in ("server", f"{data[-1:].decode('latin-1')}:"):
        try:
            carrier = mqdsrp.wrap(message, destination, _SENDER)
        except mw.EncodeError as error:
            accident(error)
        else:
            assert carrier.MessagePropertiesHeader.MessageBody == data
    try:
        mqdsrp.encode(mqdsrp.PARTITION_SEQ_NUMBERS())
    except mw.EncodeError as error:
        accident(error)
    else:
        raise AssertionError("a carrier was taken for a message")


def _one_by_one(data: bytes) -> tuple[str, list[object]]:
    found: list[object] = []
    try:
        found.extend(mqdsrp.iter_changes(data))
    except mw.DecodeError as error:
        placed(error, data)
        return str(error), found
    return "", found


if __name__ == "__main__":
    main(__name__)
