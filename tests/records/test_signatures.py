"""What `help()` and editors show of a record class is what calling it does; strict reading everywhere."""

from __future__ import annotations

import inspect
import pydoc
from typing import Any

import pytest
from support_rows import for_each

import msmq_wire as mw
from msmq_wire import EncodeError, mqcn, mqdsrp, mqmq, mqrr, rpc
from msmq_wire.ndr.record import NdrRecord
from msmq_wire.records.registry import CLASSES

_LOADED = (mqcn, mqdsrp)


@for_each("name", lambda: sorted(name for name in CLASSES if issubclass(CLASSES[name], mw.Record)))
def test_signature(name: str) -> None:
    """Fields in page order with their types; what is omitted becomes the default that is shown."""
    cls = CLASSES[name]
    parameters = inspect.signature(cls).parameters
    assert list(parameters) == [field.name for field in cls.layout.fields]
    assert all(parameter.annotation == cls.__annotations__[key] for key, parameter in parameters.items())
    try:
        made = cls()
    except EncodeError:
        return  # it cannot be made of nothing
    for key, parameter in parameters.items():
        if parameter.default is not ...:
            assert getattr(made, key) == parameter.default


def test_records_of_calls() -> None:
    """Their signatures can be shown too."""
    records = [getattr(rpc, name) for name in rpc.__all__]
    shown = [
        cls
        for cls in records
        if isinstance(cls, type) and issubclass(cls, NdrRecord) and cls is not NdrRecord
    ]
    assert len(shown) > 10
    for cls in shown:
        assert list(inspect.signature(cls).parameters) == [field.name for field in cls.layout.fields]


def test_what_a_person_sees() -> None:
    shown = pydoc.plain(pydoc.render_doc(mqmq.BaseHeader)).replace("'", "")  # quotes go with Python 3.14
    assert "VersionNumber: int = 16" in shown
    assert "TimeToReachQueue: int = 4294967295" in shown
    assert inspect.signature(mw.Record).parameters == {}


def _refused(read: Any, data: bytes) -> None:
    read(data)
    with pytest.raises(mw.ConformanceError):
        read(data, strict=True)


def test_strict_record() -> None:
    sound = mqmq.BaseHeader(PacketSize=16)
    assert mqmq.BaseHeader.decode(sound.encode(), strict=True) == sound
    _refused(mqmq.BaseHeader.decode, mw.replace(sound, Reserved=1, Signature=0).encode())


def test_strict_kind() -> None:
    data = mqmq.BaseHeader(PacketSize=16, Signature=0).encode()
    _refused(lambda raw, strict=False: mw.decode(raw, "BaseHeader", strict=strict), data)


def test_strict_replication() -> None:
    sound = mqdsrp.PSCAckMessage()
    broken = mw.replace(
        sound,
        BaseReplicationHeader=mw.replace(sound.BaseReplicationHeader, Version=9),
    )
    _refused(mqdsrp.decode, broken.encode())


def test_strict_notification() -> None:
    update = mqcn.NotificationUpdate(Command=99, UseGuid=1, GuidIdentifier=mw.NULL_GUID)
    sound = mqcn.ChangeNotificationMessage(Version=1, Data=mqcn.NotificationUpdates(Updates=(update,)))
    _refused(mqcn.decode, sound.encode())


def test_strict_packets_are_judged_as_packets_of_a_session() -> None:
    """But a message packet as one of a remote read, which has the sender's address where others have none."""
    header = mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b", QueueManagerAddress=mw.GUID(bytes([1] * 16)))
    sent = mqmq.UserMessage(UserHeader=header)
    assert [found.requirement for found in mw.validate(sent)] == ["MQMQ-2.2.19.2-04"]
    for kind in (None, "UserMessage"):
        with pytest.raises(mw.ConformanceError, match=r"MQMQ-2\.2\.19\.2-04"):
            mw.decode(sent.encode(), kind, strict=True)
    read = mqrr.MessagePacket(UserMessage=sent, ExtensionHeader=mqrr.ExtensionHeader())
    with pytest.raises(mw.ConformanceError, match=r"MQRR-2\.2\.5\.1-02") as caught:
        mw.decode(read.encode(), "MessagePacket", strict=True)
    assert "MQMQ-2.2.19.2-04" not in str(caught.value)
