"""[MS-MQQB]: the binary protocol.  One record class a structure, named as on the page."""

from __future__ import annotations

from msmq_wire.records.record import Record

__all__ = [
    "PUBLICKEYBLOB",
    "SIMPLEBLOB",
    "ConnectionParameters",
    "ConnectionParametersHeader",
    "EstablishConnection",
    "EstablishConnectionHeader",
    "EstablishConnectionHeaderOperatingSystem",
    "FinalAck",
    "FinalAckBody",
    "InternalHeader",
    "InternalHeaderFlags",
    "OrderAck",
    "OrderAckBody",
    "PingPacket",
    "PingPacketFlags",
    "SessionAck",
]


class InternalHeader(Record):
    """What kind of internal packet this is."""


class ConnectionParametersHeader(Record):
    """Timeouts and window of a session."""


class ConnectionParameters(Record):
    """Offers or confirms the parameters of a session."""


class EstablishConnectionHeader(Record):
    """Who wants a session with whom."""


class EstablishConnection(Record):
    """Asks for a session, or answers that."""


class OrderAckBody(Record):
    """Which transactional message arrived in order; the body of an OrderAck."""


class OrderAck(Record):
    """Acknowledges transactional messages that arrived in order."""


class FinalAckBody(Record):
    """Which transactional message met its end; the body of a FinalAck."""


class FinalAck(Record):
    """Says what became of a transactional message."""


class SessionAck(Record):
    """Acknowledges messages received on a session."""


class PingPacket(Record):
    """Asks over UDP whether a session would be accepted, or answers that."""


class PUBLICKEYBLOB(Record):
    """A public RSA key for key exchange."""


class SIMPLEBLOB(Record):
    """A session key, encrypted for its receiver."""


InternalHeaderFlags = InternalHeader.flags["Flags"]
EstablishConnectionHeaderOperatingSystem = EstablishConnectionHeader.flags["OperatingSystem"]
PingPacketFlags = PingPacket.flags["Flags"]
