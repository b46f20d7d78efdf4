"""Private keys from files, with which several messages are decrypted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msmq_wire.packets.signature import SecurityError
from msmq_wire.values.errors import MsmqWireError, need

from .keys import read_private_key
from .messages import decrypt_body

if TYPE_CHECKING:
    from msmq_wire.documents.user_message import UserMessage


class PrivateKey:
    """An RSA private key, which is not shown when it is printed.

    Args:
        data: The contents of a file: PEM, DER (PKCS #8 or PKCS #1), or PKCS #12 without a password.

    Raises:
        SecurityError: The contents are none of these, have a password, or are a key of another kind.
    """

    __slots__ = ("_data", "_key")

    def __init__(self, data: bytes) -> None:
        need("data", data, bytes, "bytes")
        self._data = data
        self._key = read_private_key(data)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the key for another process of the same run."""
        return type(self), (self._data,)

    def __repr__(self) -> str:
        """Return only the size of the key."""
        return f"PrivateKey({self._key.key_size} bits)"

    def decrypt(self, message: UserMessage) -> UserMessage:
        """Return a message with its body decrypted, as `decrypt_body` does.

        Raises:
            SecurityError: The body is not encrypted, or this key does not fit.
            DecodeError: The session key in the message is not a SIMPLEBLOB.
            UnavailableError: The cipher is not installed.
        """
        return decrypt_body(message, self._key)


def decrypted_by(keys: Iterable[PrivateKey], message: UserMessage) -> UserMessage:
    """Return a message with its body decrypted by the first key that fits.

    Raises:
        SecurityError: No key fits; the error has the reason of each.
    """
    reasons = dict[str, None]()
    need("keys", keys, Iterable, "keys")
    for key in keys:
        need("keys", key, PrivateKey, "a PrivateKey")
        try:
            return key.decrypt(message)
        except MsmqWireError as error:
            reasons[str(error)] = None
    raise SecurityError("; ".join(reasons) or "there is no key", message)
