"""msmq_wire as one of the contenders."""

from __future__ import annotations

from msmq_wire import decode, encode, mqdsrp, mqmq

from .codec import Codec

__all__ = ["CODECS"]

_PACKET = Codec(decode, encode)
_PROPAGATION = Codec(mqdsrp.decode, mqdsrp.encode)
CODECS = {
    "BaseHeader": Codec(mqmq.BaseHeader.decode, encode),
    "UserMessage": _PACKET,
    "UserMessage, frame 7": _PACKET,
    "EstablishConnection": _PACKET,
    "ChangePropagation, 1 change": _PROPAGATION,
    "ChangePropagation, 100 changes": _PROPAGATION,
}
"""The public functions of msmq_wire by sample."""
