"""Mistakes that type checkers find: each line that has a comment is one, and nothing else is."""

import msmq_wire as mw
from msmq_wire import mqmq

mqmq.BaseHeader(PacketSize="three")  # wrong type
mqmq.BaseHeader(Bogus=1)  # no such field
mqmq.UserHeader().SentTime = 5  # records do not change
mqmq.UserHeaderFlags(QD=7)  # no such group
mw.decoed(b"")  # no such function
mw.decode("10c0")  # text for bytes
mw.decode_lax(b"").headers["UserHeader"].Sent  # no such field of that header
mw.validate(mqmq.UserMessage(), "musts")  # no such level
mqmq.UserMessage().typed_body.upper()  # a body need not be text
mw.replace(mqmq.BaseHeader(), PacketSiz=3)  # no such field to replace
mw.replace(mqmq.BaseHeader(), PacketSize="three")  # wrong type of a replacement
mw.decode_lax(b"").packet.Bogus  # a packet may be absent, and has no such field
