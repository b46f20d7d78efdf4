"""The union of the classes that `decode` returns; a module of its own, because it imports all of them."""

from __future__ import annotations

from msmq_wire.documents.mqqb import ConnectionParameters, EstablishConnection, FinalAck, OrderAck, SessionAck
from msmq_wire.documents.user_message import UserMessage

Packet = UserMessage | OrderAck | FinalAck | SessionAck | EstablishConnection | ConnectionParameters
"""The union of the classes that `decode` returns."""
