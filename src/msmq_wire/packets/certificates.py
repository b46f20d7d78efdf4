"""The size of the RSA key in a certificate, which is the size of every signature made with it.

1. A certificate is one of X.509 in DER (RFC 3280 4.1), or the key alone, as [MS-MQMQ] 2.2.20.6 prints it.
2. Only the elements on the way to the modulus are read.  The size is unknown for anything else than such a
   certificate, and for other kinds of keys; `crypto` reads certificates whole.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msmq_wire.documents.mqmq import SenderCertPublicKey
from msmq_wire.values.errors import DecodeError

PUBLIC_KEY: Final = b"\x06\x02\x00\x00"
"""First bytes of a certificate of MSMQ 1.0; an X.509 certificate never starts with them."""
_INTEGER, _BIT_STRING, _IDENTIFIER, _SEQUENCE, _VERSION = 0x02, 0x03, 0x06, 0x30, 0xA0
_LONG: Final = 0x80
_MOST_LENGTH: Final = 3
"""Bytes of the length of an element; SenderCertSize is at most 0xFFFF."""
_RSA: Final = bytes.fromhex("2a864886f70d010101")
"""rsaEncryption, 1.2.840.113549.1.1.1."""


@lru_cache(maxsize=64)
def modulus_size(certificate: bytes) -> int | None:
    """Return the size of the RSA modulus of a certificate in bytes; None if unknown."""
    if certificate.startswith(PUBLIC_KEY):
        try:
            key = SenderCertPublicKey.decode(certificate)
        except DecodeError:
            return None
        size = -(-key.LengthInBits // 8)
        return size if size and size == len(key.Modulus) else None
    try:
        return _of_x509(certificate)
    except (IndexError, ValueError):
        return None


def certificate_size(data: bytes, at: int) -> int | None:
    """Return the size of the certificate at an offset, of X.509 or of MSMQ 1.0; None if unknown."""
    if data.startswith(PUBLIC_KEY, at):
        layout = SenderCertPublicKey.layout
        bits = data[at + layout.offset_of("LengthInBits") : at + layout.offset_of("PublicExponent")]
        return layout.least_size + -(-int.from_bytes(bits, "little") // 8)
    try:
        return _inside(data, at, len(data), _SEQUENCE)[1] - at
    except (IndexError, ValueError):
        return None


def _of_x509(data: bytes) -> int | None:
    at, _ = _inside(data, 0, len(data), _SEQUENCE)
    at, end = _inside(data, at, len(data), _SEQUENCE)
    if data[at] == _VERSION:
        at = _inside(data, at, end, _VERSION)[1]
    for tag in (_INTEGER, *[_SEQUENCE] * 4):  # serial number, signature, issuer, validity, subject
        at = _inside(data, at, end, tag)[1]
    at, end = _inside(data, at, end, _SEQUENCE)
    begin, at_key = _inside(data, at, end, _SEQUENCE)
    begin, stop = _inside(data, begin, at_key, _IDENTIFIER)
    if data[begin:stop] != _RSA:
        return None
    at, end = _inside(data, at_key, end, _BIT_STRING)
    at, end = _inside(data, at + 1, end, _SEQUENCE)  # after the number of unused bits
    at, end = _inside(data, at, end, _INTEGER)
    return -(-int.from_bytes(data[at:end], "big").bit_length() // 8) or None


def _inside(data: bytes, at: int, end: int, tag: int) -> tuple[int, int]:
    """Return where the contents of an element begin and end.

    Raises:
        IndexError: The bytes end before it.
        ValueError: It is another element, or goes beyond the one around it.
    """
    if data[at] != tag:
        raise ValueError(tag)
    length, begin = data[at + 1], at + 2
    if length & _LONG:
        size = length & ~_LONG
        if not 1 <= size <= _MOST_LENGTH:
            raise ValueError(size)
        length, begin = int.from_bytes(data[begin : begin + size], "big"), begin + size
    if begin + length > end:
        raise ValueError(length)
    return begin, begin + length
