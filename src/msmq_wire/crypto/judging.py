"""The security checks of a receiver ([MS-MQQB] 3.1.5.8.3), as a judge for `msmq_wire.session`.

1. An encrypted body is decrypted before the signature is verified, because the signature covers the clear
   body (errata Q22).
2. Nothing is cached: each message has its own session key and certificate.
3. The caller decides to whom a certificate belongs, and who may write to a queue.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, TypeAlias

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

import msmq_wire.values.errors as e
from msmq_wire.documents.user_message import UserMessage
from msmq_wire.packets.signature import DEFAULT_FORMS, Forms, SecurityError, UnavailableError
from msmq_wire.values.enumerations import ALG_ID, MESSAGE_CLASS_VALUES
from msmq_wire.values.errors import need, wrong_type

from .messages import authenticate, decrypt_body, sender_certificate, session_key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cryptography import x509

    from msmq_wire.documents.mqmq import SecurityHeader

Known: TypeAlias = "Callable[[UserMessage, x509.Certificate], bool]"
"""A function that returns whether the certificate of a message belongs to the sender in its SecurityID."""

_ENHANCED = 3
_PADDING = bytes(11)
"""The 88 zero bits that pad a 40-bit key."""


def security_judge(
    private_key: RSAPrivateKey | None = None,
    *,
    first: Callable[[UserMessage], int | None] | None = None,
    known: Known | None = None,
    may_write: Callable[[UserMessage], bool] | None = None,
    refuses_short_keys: bool = False,
    forms: Forms = DEFAULT_FORMS,
    then: Callable[[UserMessage], int | None] | None = None,
) -> Callable[[UserMessage], int | None]:
    """Create a judge that rejects messages with invalid signatures, encryption or access rights.

    Args:
        private_key: The receiver's key, for encrypted bodies; without it they are all rejected.
        first: A judge that is called first: for the existence and kind of the queue ([MS-MQQB] 3.1.5.8.2).
        known: Whether a certificate belongs to the sender; without it every certificate is accepted.
        may_write: Whether the sender may write to the queue; without it every sender may.
        refuses_short_keys: `RejectEnhancedRC2Using40BitKeys`.
        forms: Choices for undocumented details.
        then: A judge for messages that pass: for the quota of the queue ([MS-MQQB] 3.1.5.8.8).

    Returns:
        A function for `QueueManager(judge=...)`: it returns None for an accepted message,
        MQMSG_CLASS_NACK_BAD_ENCRYPTION, MQMSG_CLASS_NACK_BAD_SIGNATURE or MQMSG_CLASS_NACK_ACCESS_DENIED, or
        the result of the other judges.

    Raises:
        WrongTypeError: An argument has the wrong type.
    """
    for name, function in {"first": first, "known": known, "may_write": may_write, "then": then}.items():
        if function is not None and not callable(function):
            raise e.WrongTypeError(f"{name}: {wrong_type('a function or None', function)}")
    need("private_key", private_key, (RSAPrivateKey, NoneType), "an RSA private key or None")
    need("refuses_short_keys", refuses_short_keys, bool, "True or False")
    need("forms", forms, Forms, "Forms")

    def judge(packet: UserMessage) -> int | None:
        need("packet", packet, UserMessage, "a UserMessage")
        refused = first(packet) if first is not None else None
        if refused is not None:
            return refused
        header = packet.SecurityHeader
        if header is not None:
            clear = packet
            if header.Flags.EB:
                try:
                    clear = _decrypted(packet, private_key, refuses_short_keys=refuses_short_keys)
                except (SecurityError, UnavailableError, e.DecodeError):
                    return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_ENCRYPTION
            if not _is_authentic(clear, header, known, forms):
                return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_BAD_SIGNATURE
            if may_write is not None and not may_write(packet):
                return MESSAGE_CLASS_VALUES.MQMSG_CLASS_NACK_ACCESS_DENIED
        return then(packet) if then is not None else None

    return judge


def _decrypted(
    packet: UserMessage, private_key: RSAPrivateKey | None, *, refuses_short_keys: bool
) -> UserMessage:
    if private_key is None:
        raise SecurityError("the receiver has no key to decrypt the body", packet)
    key = session_key_of(packet, private_key)
    properties = packet.MessagePropertiesHeader
    short = properties.EncryptionAlgorithm == ALG_ID.CALG_RC2 and key.endswith(_PADDING)
    if refuses_short_keys and short and properties.PrivacyLevel == _ENHANCED:
        raise SecurityError("the session key has 40 bits", packet)
    return decrypt_body(packet, key)


def _is_authentic(packet: UserMessage, header: SecurityHeader, known: Known | None, forms: Forms) -> bool:
    data, several = header.SecurityData, packet.MultiQueueFormatHeader
    signed = (data is not None and data.Signature) or (several is not None and several.Signature.Signature)
    if not signed:
        return True
    try:
        certificate = sender_certificate(packet)
        if authenticate(packet, certificate, forms=forms) is None:
            return False
    except (SecurityError, UnavailableError):
        return False
    return not header.Flags.ST or known is None or known(packet, certificate)
