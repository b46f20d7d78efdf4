"""Signatures, key blobs and encrypted bodies, with the package `cryptography`: the extra ``crypto``.

- `messages`: signs, verifies, encrypts and decrypts messages.
- `keys`: keys and their blobs.
- `private_keys`: private keys from files.
- `judging`: the security checks of a receiver.
"""

from __future__ import annotations

from .messages import (
    authenticate,
    decrypt,
    decrypt_body,
    encrypt,
    encrypt_body,
    public_key_from_blob,
    public_key_to_blob,
    public_key_to_sender_key,
    sender_certificate,
    session_key_from_blob,
    session_key_of,
    session_key_to_blob,
    sign,
    verify,
)

from .private_keys import PrivateKey, decrypted_by  # isort: skip

# after `messages`, whose error explains how to install `cryptography`
from .judging import security_judge  # isort: skip

__all__ = [
    "PrivateKey",
    "authenticate",
    "decrypt",
    "decrypt_body",
    "decrypted_by",
    "encrypt",
    "encrypt_body",
    "public_key_from_blob",
    "public_key_to_blob",
    "public_key_to_sender_key",
    "security_judge",
    "sender_certificate",
    "session_key_from_blob",
    "session_key_of",
    "session_key_to_blob",
    "sign",
    "verify",
]


def __dir__() -> list[str]:
    return sorted(__all__)
