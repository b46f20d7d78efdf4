"""Whatever a stranger sends to be verified or decrypted, the answer is a value or an error of ours."""

from __future__ import annotations

import datetime as dt
import warnings
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from harness import instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire import crypto, mqmq, mqqb
    from msmq_wire.packets.signature import SecurityError
    from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = ("crypto.messages", "crypto.guard", "crypto.keys")
HEAD = 2
"""What the bytes after are, and a number: the algorithm, or which flags are set."""
_STRUCTURES = {1: "PUBLICKEYBLOB", 2: "SenderCertPublicKey", 3: "SIMPLEBLOB"}
_CHOICES = 7

_P = int(
    "e11eaac03d1020a15a917f48867d159d7f3ea3354b35c39ea40c30a84291442c"
    "a3d0ac9ec6ba9ad84d929d73a0e1c35a03667feeb737728beb538d6f8ba799bd",
    16,
)
_Q = int(
    "c0c9fe62e4dec1e9bf6d6ba7d31b5c456b13266a45d81075605dd9fe8e6b9ca9"
    "d413144f5b80cb21a264a647a7eb9f3527a569680868de59f956592fb40ce3f3",
    16,
)
_E = 65537
_D = pow(_E, -1, (_P - 1) * (_Q - 1))
KEY = rsa.RSAPrivateNumbers(
    _P, _Q, _D, _D % (_P - 1), _D % (_Q - 1), pow(_Q, -1, _P), rsa.RSAPublicNumbers(_E, _P * _Q)
).private_key()
"""The key of these tests; it protects nothing."""
MESSAGE = crypto.sign(
    mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:a\\b"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="a\0", MessageBody=b"body"),
    ),
    KEY,
    2,
)
CIPHERS = tuple(int(number) for number in (0x6602, 0x6801, 0x660E, 0x660F, 0x6610))
SIZES = (16, 5, 16, 24, 32)


def KIND(head: bytes) -> str | None:
    """The structure of a blob; None for what is none."""
    return _STRUCTURES.get(head[0] % _CHOICES)


def check(data: bytes) -> None:
    choice, number, raw = data[0] % _CHOICES if data else 0, data[1] if data[1:] else 0, data[HEAD:]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            _CHECKS[choice](raw, number)
        except MsmqWireError as error:
            assert str(error)
            assert len(str(error)) < 2000
            assert str(error).isprintable()


def _with(**parts: bytes) -> mqmq.UserMessage:
    """The signed message with other parts of its SecurityData."""
    header = MESSAGE.SecurityHeader
    assert header is not None
    assert header.SecurityData is not None
    changed = mw.replace(header, SecurityData=mw.replace(header.SecurityData, **parts))
    return mw.replace(MESSAGE, SecurityHeader=changed)


def _certificate(raw: bytes, _: int) -> None:
    """Each part of a certificate that is returned can be read, now and later."""
    packet = _with(SenderCert=raw)
    certificate = crypto.sender_certificate(packet)
    for name in dir(x509.Certificate):
        if name.startswith("_") or name in {"not_valid_before", "not_valid_after"}:
            continue  # the last two are deprecated
        if name in {"tbs_precertificate_bytes", "fingerprint", "public_bytes", "verify_directly_issued_by"}:
            continue  # the first is for certificates of another kind, the others take arguments
        getattr(certificate, name)
    assert certificate.subject.rfc4514_string() is not None
    assert certificate.issuer.rfc4514_string() is not None
    assert certificate.public_bytes(Encoding.DER)
    assert all(extension.oid for extension in certificate.extensions)
    ours = certificate.public_key() == KEY.public_key()
    assert crypto.verify(packet, certificate) is ours
    assert (crypto.authenticate(packet, certificate) is not None) is ours


def _public(kind: type[Any]) -> Any:
    def check_key(raw: bytes, _: int) -> None:
        blob = kind.decode(raw)
        key = crypto.public_key_from_blob(blob)
        assert crypto.public_key_from_blob(crypto.public_key_to_blob(key)) == key
        assert crypto.public_key_from_blob(crypto.public_key_to_sender_key(key)) == key
        assert crypto.verify(MESSAGE, key) is (key == KEY.public_key())

    return check_key


def _session_key(raw: bytes, number: int) -> None:
    """The receiver's key over a SIMPLEBLOB, alone and in a message."""
    cipher = CIPHERS[number % len(CIPHERS)]
    size = SIZES[number % len(SIZES)]
    made = _with(EncryptionKey=raw)
    made = crypto.encrypt_body(made, bytes(size), cipher)
    clear = crypto.decrypt_body(made, KEY)
    assert clear.MessagePropertiesHeader.PrivacyLevel == 0
    key = crypto.session_key_from_blob(mqqb.SIMPLEBLOB.decode(raw), KEY)
    assert len(key) in SIZES


def _body(raw: bytes, number: int) -> None:
    """What decrypts encrypts to the same bytes."""
    cipher, size = CIPHERS[number % len(CIPHERS)], SIZES[number % len(SIZES)]
    if number & 128:
        size = number & 31
    clear = crypto.decrypt(raw, bytes(size), cipher)
    assert crypto.encrypt(clear, bytes(size), cipher) == raw


def _signature(raw: bytes, number: int) -> None:
    """No signature but the one that was made fits."""
    packet = _with(Signature=raw)
    header = MESSAGE.SecurityHeader
    assert header is not None
    assert header.SecurityData is not None
    ours = raw == header.SecurityData.Signature
    assert crypto.verify(packet, KEY.public_key(), number % 5 or None) is (ours and number % 5 in {0, 2})


def _packet(raw: bytes, _: int) -> None:
    """Everything at once, over a packet that came in whole."""
    packet = mw.decode(raw)
    if not isinstance(packet, mqmq.UserMessage):
        return
    asked = (
        crypto.sender_certificate,
        lambda message: crypto.verify(message, KEY.public_key()),
        lambda message: crypto.decrypt_body(message, KEY),
        lambda message: crypto.decrypt_body(message, bytes(16)),
        lambda message: crypto.encrypt_body(message, bytes(16), CIPHERS[2]),
        lambda message: crypto.sign(message, KEY),
    )
    for ask in asked:
        try:
            assert ask(packet) is not None
        except SecurityError:
            continue


_CHECKS = (
    _certificate,
    _public(mqqb.PUBLICKEYBLOB),
    _public(mqmq.SenderCertPublicKey),
    _session_key,
    _body,
    _signature,
    _packet,
)


def certificates() -> Iterator[bytes]:
    """Certificates of the kinds that there are, with names and extensions of several kinds."""
    begin = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
    names = x509.Name(
        [
            x509.NameAttribute(x509.NameOID.COMMON_NAME, "sender"),
            x509.NameAttribute(x509.NameOID.COUNTRY_NAME, "NZ"),
            x509.NameAttribute(x509.NameOID.EMAIL_ADDRESS, "a@example.org"),
        ]
    )
    extensions: tuple[x509.ExtensionType, ...] = (
        x509.BasicConstraints(ca=True, path_length=1),
        x509.SubjectAlternativeName(
            [x509.DNSName("a.example"), x509.RegisteredID(x509.ObjectIdentifier("1.2.3"))]
        ),
        x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.CLIENT_AUTH]),
        x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\5\0"),
    )
    keys: tuple[Any, ...] = (
        KEY,
        ec.generate_private_key(ec.SECP256R1()),
        dsa.generate_private_key(1024),  # noqa: S505  # small on purpose
        ed25519.Ed25519PrivateKey.generate(),
    )
    for key in keys:
        for count in range(len(extensions) + 1):
            builder = x509.CertificateBuilder(names, names, key.public_key(), 1 + count)
            builder = builder.not_valid_before(begin).not_valid_after(begin.replace(year=2001))
            for extension in extensions[:count]:
                builder = builder.add_extension(extension, critical=False)
            digest = None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
            yield builder.sign(key, digest).public_bytes(Encoding.DER)


if __name__ == "__main__":
    main(__name__)
