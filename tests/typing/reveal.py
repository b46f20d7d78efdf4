"""What type checkers tell users: each line reveals a type, which the comment beside it has.

No program: `test_typing` has mypy and pyright read it.  They say the same.
"""

import msmq_wire as mw
from msmq_wire import mqdsrp, mqmq, mqqb, rpc, testing
from msmq_wire.session import Initiator, Message, QueueManager

data = bytes(32)
packet = mw.decode(data)
reveal_type(mw.decode(data, mqmq.BaseHeader))  # BaseHeader
reveal_type(mw.decode_lax(data).headers["UserHeader"])  # UserHeader
reveal_type(mw.decode_lax(data).headers["ConnectionParametersHeader"].WindowSize)  # int
reveal_type(mw.decode_lax(data).headers.get("SessionHeader"))  # SessionHeader | None
reveal_type(mw.decode_lax(data).error)  # DecodeError | None
reveal_type(mw.decode_lax(data).rest)  # bytes
reveal_type(mw.encode(packet))  # bytes
reveal_type(mw.explain(data))  # str
reveal_type(mw.validate(packet)[0].requirement)  # str
reveal_type(mqmq.BaseHeader.decode(data))  # BaseHeader
reveal_type(mqmq.BaseHeader(PacketSize=3).Flags.PR)  # int
reveal_type(mqmq.UserMessage.of(DestinationQueue="DIRECT=OS:a\\b", Label="c"))  # UserMessage
reveal_type(mw.replace(mqmq.SessionHeader(), WindowSize=1))  # SessionHeader
reveal_type(mw.replace(mqmq.SessionHeader(), {"WindowSize": 1}))  # SessionHeader
reveal_type(mw.decode_lax(data, mqmq.BaseHeader).packet)  # BaseHeader | None
reveal_type(mqqb.PingPacket.decode(data).QMGuid)  # GUID
reveal_type(mqdsrp.DirectoryChange(PathName="a").SeqNumber)  # SEQUENCE_NUMBER
if isinstance(packet, mqmq.UserMessage):
    reveal_type(packet.UserHeader.sent_at)  # datetime
    reveal_type(packet.SecurityHeader)  # SecurityHeader | None
    reveal_type(packet.body)  # bytes
    reveal_type(packet.label)  # str
    reveal_type(packet.destination)  # FormatName | None
    reveal_type(packet.typed_body)  # int | float | Decimal | datetime | str | bytes | UUID | tuple
session = Initiator(QueueManager(mw.GUID(bytes(16))), address="10.0.0.1")
reveal_type(session.send(Message("PUBLIC=11111111-2222-3333-4444-555555555555"), 1.0))  # int
reveal_type(session.next_timeout)  # float | None
reveal_type(session.data_to_send())  # bytes
reveal_type(testing.mutate(data, 1).data)  # bytes
reveal_type(next(testing.mutants(data, 5)).path)  # str
reveal_type(rpc.QUEUE_FORMAT.of("PUBLIC=11111111-2222-3333-4444-555555555555").format_name)  # FormatName | None
reveal_type(rpc.PROPVARIANT.of(31, "text"))  # PROPVARIANT
reveal_type(mw.from_dict({}, mqmq.UserMessage))  # UserMessage
