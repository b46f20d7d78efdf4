"""Keys, signatures and encrypted bodies with `cryptography`; the keys are made here."""

from __future__ import annotations

import copy
import datetime as dt
import importlib
import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

import pytest
import strategies
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis import strategies as st

import msmq_wire as mw
from msmq_wire import crypto, mqmq, mqqb
from msmq_wire.crypto import keys as _crypto_keys
from msmq_wire.packets import signature
from msmq_wire.packets.signature import (
    Forms,
    SecurityError,
    SignatureVersion,
    UnavailableError,
    digest,
    signature_region,
)

if TYPE_CHECKING:
    from collections.abc import Callable

RC2, RC4, AES128, AES192, AES256 = 0x6602, 0x6801, 0x660E, 0x660F, 0x6610
KEYS = {RC2: bytes(range(16)), RC4: bytes(range(16)), AES128: bytes(16), AES192: bytes(24), AES256: bytes(32)}
SHORT = rsa.generate_private_key(65537, 1024)  # noqa: S505  # the size that the documents name
LONG = rsa.generate_private_key(65537, 2048)


def certificate_of(key: Any, public: Any = None) -> x509.Certificate:
    """A certificate that the key itself signs, at no time in particular."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "sender")])
    builder = x509.CertificateBuilder(name, name, public or key.public_key(), 1)
    begin = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
    builder = builder.not_valid_before(begin).not_valid_after(begin.replace(year=2001))
    return builder.sign(key, hashes.SHA256())


CERTIFICATE = certificate_of(LONG)


def message(**properties: Any) -> mqmq.UserMessage:
    """A message in which every field of a region is there."""
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(
            SourceQueueManager="557358d1-9150-9595-4997-b6e611ea26c6",
            DestinationQueue="DIRECT=OS:d\\q",
            AdminQueue="DIRECT=OS:a\\q",
            ResponseQueue="DIRECT=OS:r\\q",
            ConnectorType="00112233-4455-6677-8899-aabbccddeeff",
        ),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(
            **{"Label": "hi\0", "ExtensionData": b"ext", "MessageBody": b"body", **properties}
        ),
        MultiQueueFormatHeader=mqmq.MultiQueueFormatHeader(
            Destination=mw.queue_names.to_wire_list("DIRECT=OS:x\\q,DIRECT=OS:y\\q")
        ),
    )


def again(packet: mqmq.UserMessage) -> mqmq.UserMessage:
    """The message after its way over the wire."""
    decoded = mw.decode(mw.encode(packet))
    assert decoded == packet
    assert isinstance(decoded, mqmq.UserMessage)
    return decoded


def within(packet: mqmq.UserMessage, path: str, value: Any) -> mqmq.UserMessage:
    """The message with one field of one header, or one group of its flags, changed."""
    header, _, field = path.partition(".")
    record: Any = getattr(packet, header)
    name, _, group = field.partition(".")
    if group:
        value = getattr(record, name).replace(**{group: value})
    changes: dict[str, Any] = {header: mw.replace(record, **{name: value})}
    return mw.replace(packet, **changes)


# ------------------------------------------------------------------------------------------- signatures


@pytest.mark.parametrize("key", [SHORT, LONG], ids=["1024", "2048"])
@pytest.mark.parametrize("algorithm", [0x8003, 0x8004, 0x800C, 0x800E])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_sign_and_verify(key: rsa.RSAPrivateKey, algorithm: int, version: int) -> None:
    """What is signed verifies, with the right key and version only, and nothing else has changed."""
    signed = again(crypto.sign(message(), key, version, algorithm=algorithm))
    assert signed.MessagePropertiesHeader.HashAlgorithm == algorithm
    assert crypto.verify(signed, key.public_key(), version)
    assert not crypto.verify(signed, (LONG if key is SHORT else SHORT).public_key(), version)
    assert crypto.authenticate(signed, key.public_key()) is SignatureVersion(version)
    assert crypto.verify(signed, key.public_key())
    assert signature_region(signed, version) == signature_region(message(), version)
    assert signed.UserHeader.Flags.replace(SH=0) == message().UserHeader.Flags
    if version < 3:
        header = signed.SecurityHeader
        assert header is not None
        assert (header.Flags.DE, header.Flags.AI, header.Flags.AU, header.Flags.AS) == (1, 1, 0, 0)
        assert header.SignatureSize == key.key_size // 8
        assert not crypto.verify(signed, key.public_key(), 3 - version)
    else:
        assert signed.SecurityHeader is None
        several = signed.MultiQueueFormatHeader
        assert several is not None
        assert several.Signature.Size == key.key_size // 8


def test_the_signature_is_that_of_pkcs1() -> None:
    """Little-endian RSASSA-PKCS1-v1_5, which `cryptography` itself makes and accepts."""
    signed = crypto.sign(message(), LONG, 2)
    assert signed.SecurityHeader is not None
    assert signed.SecurityHeader.SecurityData is not None
    made = signed.SecurityHeader.SecurityData.Signature
    covered = signature_region(message(), 2).data
    assert made == LONG.sign(covered, PKCS1v15(), hashes.SHA512())[::-1]
    big = crypto.sign(message(), LONG, 2, forms=Forms(byte_order="big"))
    assert big.SecurityHeader is not None
    assert big.SecurityHeader.SecurityData is not None
    assert big.SecurityHeader.SecurityData.Signature == made[::-1]
    assert crypto.verify(big, LONG.public_key(), 2, forms=Forms(byte_order="big"))
    assert not crypto.verify(big, LONG.public_key(), 2)


def test_the_certificate_goes_along() -> None:
    for version in (2, 3):
        signed = again(crypto.sign(message(), LONG, version, certificate=CERTIFICATE))
        assert crypto.sender_certificate(signed) == CERTIFICATE
        assert crypto.verify(signed, crypto.sender_certificate(signed), version)
        assert signed.SecurityHeader is not None
        assert bool(signed.SecurityHeader.Flags.DE) is (version == 2)


@pytest.mark.parametrize("certificate", [None, CERTIFICATE])
def test_a_newer_signature_replaces_an_older_one(certificate: Any) -> None:
    """A receiver verifies one signature only, the one in the SecurityHeader if there is one."""
    older = crypto.sign(message(), LONG, 2, certificate=certificate)
    changed = within(older, "MessagePropertiesHeader.MessageBody", b"new")
    newer = again(crypto.sign(changed, LONG, 3))
    assert crypto.authenticate(newer, LONG.public_key()) == SignatureVersion.MSMQ_3_0
    assert (newer.SecurityHeader is None) is (certificate is None)


def test_version_3_without_a_list_of_queues() -> None:
    """The signature then goes to the SecurityHeader ([MS-MQMQ] 2.2.20.6)."""
    single = mw.replace(message(), MultiQueueFormatHeader=None)
    signed = again(crypto.sign(single, SHORT, 3))
    assert crypto.verify(signed, SHORT.public_key(), 3)
    assert crypto.authenticate(signed, SHORT.public_key()) is None
    default = crypto.sign(single, SHORT)
    assert crypto.authenticate(default, SHORT.public_key()) is SignatureVersion.MSMQ_2_0


def test_what_is_there_stays() -> None:
    """Sender, provider and session key are the caller's; DE stays clear beside a provider."""
    data = mqmq.SecurityData(SecurityID=bytes(16), EncryptionKey=b"key", ProviderInfo=b"\1\0\0\0p\0\0\0")
    flags = mqmq.SecurityHeaderFlags(ST=2, X15=1)
    packet = mw.replace(message(), SecurityHeader=mqmq.SecurityHeader(Flags=flags, SecurityData=data))
    header = again(crypto.sign(packet, SHORT, 1)).SecurityHeader
    assert header is not None
    assert header.SecurityData is not None
    assert mw.replace(header.SecurityData, Signature=b"") == data
    assert (header.Flags.ST, header.Flags.X15, header.Flags.DE) == (2, 1, 0)


COVERED = [
    (1, "MessagePropertiesHeader.CorrelationID", b"x" * 20),
    (1, "MessagePropertiesHeader.ApplicationTag", 9),
    (1, "MessagePropertiesHeader.MessageBody", b"Body"),
    (1, "MessagePropertiesHeader.Label", "ho\0"),
    (1, "UserHeader.ResponseQueue", "DIRECT=OS:R\\q"),
    (1, "UserHeader.AdminQueue", "DIRECT=OS:A\\q"),
    (2, "UserHeader.SourceQueueManager", "557358d1-9150-9595-4997-b6e611ea26c7"),
    (2, "UserHeader.Flags.DM", 1),
    (2, "BaseHeader.Flags.PR", 4),
    (2, "UserHeader.Flags.JP", 1),
    (2, "UserHeader.Flags.JN", 1),
    (2, "MessagePropertiesHeader.Flags.PA", 1),
    (2, "MessagePropertiesHeader.Flags.NR", 1),
    (2, "MessagePropertiesHeader.MessageClass", 1),
    (2, "MessagePropertiesHeader.BodyType", 8),
    (2, "UserHeader.ConnectorType", "00112233-4455-6677-8899-aabbccddeefe"),
    (4, "UserHeader.DestinationQueue", "DIRECT=OS:D\\q"),
    (3, "MessagePropertiesHeader.ExtensionData", b"Ext"),
    (
        3,
        "MultiQueueFormatHeader.Destination",
        mw.replace(mw.queue_names.to_wire_list("DIRECT=OS:x\\q"), HeaderID=100),
    ),
    (0, "UserHeader.QueueManagerAddress", "557358d1-9150-9595-4997-b6e611ea26c6"),
    (0, "UserHeader.MessageID", 5),
    (0, "UserHeader.SentTime", 5),
    (0, "UserHeader.TimeToBeReceived", 5),
    (0, "BaseHeader.TimeToReachQueue", 5),
    (0, "BaseHeader.Flags.TR", 1),
    (0, "UserHeader.Flags.RC", 3),
    (0, "MessagePropertiesHeader.Flags.X", 3),
    (0, "MessagePropertiesHeader.AllocationBodySize", 99),
    (0, "MessagePropertiesHeader.EncryptionAlgorithm", RC2),
]
"""The first version that covers the field; 4: only 2.0, 0: none."""


@pytest.mark.parametrize(("since", "path", "value"), COVERED, ids=lambda item: str(item)[:60])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_tampering(version: int, since: int, path: str, value: Any) -> None:
    """A change breaks the signature exactly when the field is in the region."""
    signed = crypto.sign(message(), SHORT, version)
    changed = again(within(signed, path, value))
    assert changed != signed
    covered = version == 2 if since == 4 else 0 < since <= version
    assert crypto.verify(changed, SHORT.public_key(), version) is not covered


def test_another_hash_algorithm_breaks_the_signature() -> None:
    signed = crypto.sign(message(), SHORT, 1)
    changed = within(signed, "MessagePropertiesHeader.HashAlgorithm", 0x8004)
    assert not crypto.verify(changed, SHORT.public_key(), 1)


@given(st.data())
def test_damaged_signatures(data: st.DataObject) -> None:
    """No damage to a signature verifies, and none is an error."""
    signed = crypto.sign(message(), SHORT, 1)
    assert signed.SecurityHeader is not None
    assert signed.SecurityHeader.SecurityData is not None
    whole = signed.SecurityHeader.SecurityData.Signature
    other = data.draw(st.binary(min_size=1, max_size=140) | st.sampled_from([whole[:-1], whole + b"\0"]))
    security = mw.replace(signed.SecurityHeader.SecurityData, Signature=other)
    header = mw.replace(signed.SecurityHeader, SecurityData=security)
    assert not crypto.verify(mw.replace(signed, SecurityHeader=header), SHORT.public_key(), 1)


@given(strategies.records("UserMessage"), st.sampled_from([1, 2, 3]))
def test_any_message_can_be_signed(packet: Any, version: int) -> None:
    signed = crypto.sign(packet, SHORT, version, algorithm=0x8003)
    assert crypto.verify(signed, SHORT.public_key(), version)
    assert mqmq.UserMessage.decode(signed.encode()) == signed


def test_digest_without_a_digest_info() -> None:
    forms = Forms(digest_info=False)
    signed = crypto.sign(message(), SHORT, 1, forms=forms)
    assert crypto.verify(signed, SHORT.public_key(), 1, forms=forms)
    assert not crypto.verify(signed, SHORT.public_key(), 1)
    assert signed.SecurityHeader is not None
    assert signed.SecurityHeader.SecurityData is not None
    made = signed.SecurityHeader.SecurityData.Signature[::-1]
    inside = SHORT.public_key().recover_data_from_signature(made, PKCS1v15(), None)
    assert inside == digest(message(), 1)


@pytest.mark.parametrize(("algorithm", "oid"), [(0x8001, "0202"), (0x8002, "0204")])
def test_old_hashes(algorithm: int, oid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """MD2 and MD4 are signed in a DigestInfo too, wherever the hash itself comes from."""
    monkeypatch.setattr(signature, "hash_of", lambda _, __: b"sixteen bytes!!!")
    signed = crypto.sign(message(), SHORT, 1, algorithm=algorithm)
    assert crypto.verify(signed, SHORT.public_key(), 1)
    assert signed.SecurityHeader is not None
    assert signed.SecurityHeader.SecurityData is not None
    made = signed.SecurityHeader.SecurityData.Signature[::-1]
    inside = SHORT.public_key().recover_data_from_signature(made, PKCS1v15(), None)
    assert inside.hex() == f"3020300c06082a864886f70d{oid}05000410" + b"sixteen bytes!!!".hex()


def test_older_versions_of_cryptography(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(utils, "NoDigestInfo")
    assert crypto.verify(crypto.sign(message(), SHORT, 1), SHORT.public_key(), 1)
    with pytest.raises(UnavailableError, match="newer version of cryptography"):
        crypto.sign(message(), SHORT, 1, forms=Forms(digest_info=False))


@rsa.RSAPrivateKey.register
class _Refusing:
    """A private key whose maker does not do this."""

    key_size = 512

    def __init__(self, error: Exception) -> None:
        self.error = error

    def sign(self, *_: object) -> bytes:
        raise self.error


def test_keys_that_cannot_sign() -> None:
    short: Any = _Refusing(ValueError("Digest too large"))
    with pytest.raises(SecurityError, match="RSA key of 512 bits cannot sign a digest of 64 bytes"):
        crypto.sign(message(), short, 1)
    refused: Any = _Refusing(UnsupportedAlgorithm("no"))
    with pytest.raises(UnavailableError, match=r"does not support the algorithm \(no\)"):
        crypto.sign(message(), refused, 1)


def test_nothing_to_verify() -> None:
    public = SHORT.public_key()
    for version in (1, 2, 3):
        with pytest.raises(SecurityError, match="no signature of this version"):
            crypto.verify(message(), public, version)
    with pytest.raises(SecurityError, match=r"has no signature$"):
        crypto.verify(message(), public)
    with pytest.raises(SecurityError, match="no signature of this version"):
        crypto.verify(crypto.sign(message(), SHORT, 3), public, 2)
    with pytest.raises(SecurityError, match="version 1, 2 or 3"):
        crypto.verify(message(), public, 7)
    with pytest.raises(SecurityError, match="has no certificate"):
        crypto.sender_certificate(message())


def test_wrong_certificates() -> None:
    with pytest.raises(SecurityError, match="not for this private key"):
        crypto.sign(message(), SHORT, 1, certificate=CERTIFICATE)
    elliptic = certificate_of(ec.generate_private_key(ec.SECP256R1()))
    with pytest.raises(SecurityError, match="expected an RSA key, got ECPublicKey"):
        crypto.verify(crypto.sign(message(), SHORT, 1), elliptic, 1)
    security = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SenderCert=b"junk"))
    with pytest.raises(SecurityError, match="certificate cannot be read"):
        crypto.sender_certificate(mw.replace(message(), SecurityHeader=security))


def test_later_signature_in_the_list_alone() -> None:
    """A receiver asks the list of queues only if the SecurityHeader has no signature."""
    both = crypto.sign(crypto.sign(message(), SHORT, 3), LONG, 1)
    assert crypto.authenticate(both, LONG.public_key()) is SignatureVersion.MSMQ_1_0
    assert crypto.authenticate(both, SHORT.public_key()) is None
    assert crypto.verify(both, SHORT.public_key(), 3)
    several = crypto.sign(message(), SHORT, 3)
    assert crypto.authenticate(several, LONG.public_key()) is None


@pytest.mark.parametrize(
    "function",
    [
        lambda packet: crypto.sign(packet, SHORT),
        lambda packet: crypto.sign(packet, SHORT, 1, algorithm=0x8003),
        lambda packet: crypto.verify(packet, SHORT.public_key(), 1),
        lambda packet: crypto.authenticate(packet, SHORT.public_key()),
        crypto.sender_certificate,
        lambda packet: crypto.encrypt_body(packet, bytes(32)),
        lambda packet: crypto.decrypt_body(packet, bytes(32)),
    ],
)
def test_only_messages(function: Callable[[Any], object]) -> None:
    with pytest.raises(mw.WrongTypeError, match="expected a UserMessage, got SessionAck"):
        function(mqqb.SessionAck())


# ------------------------------------------------------------------------------------------------ blobs


@pytest.mark.requirement("MQQB-2.4.1-03")
@pytest.mark.parametrize("key", [SHORT, LONG], ids=["1024", "2048"])
def test_public_keys_as_blobs(key: rsa.RSAPrivateKey) -> None:
    public = key.public_key()
    blob = crypto.public_key_to_blob(public)
    size = key.key_size // 8
    assert blob.encode()[:20].hex() == "0602000000a4000052534131" + (size * 8).to_bytes(4, "little").hex() + (
        "01000100"
    )
    assert int.from_bytes(blob.encode()[20:], "little") == public.public_numbers().n
    assert len(blob.encode()) == 20 + size
    assert crypto.public_key_from_blob(mqqb.PUBLICKEYBLOB.decode(blob.encode())) == public
    sender = crypto.public_key_to_sender_key(public)
    assert sender.encode()[:8].hex() == "0602000000240000"
    assert sender.encode()[8:] == blob.encode()[8:]
    assert crypto.public_key_from_blob(mqmq.SenderCertPublicKey.decode(sender.encode())) == public
    assert crypto.public_key_to_blob(public, 0x2400).encode() == sender.encode()
    assert crypto.public_key_to_sender_key(public, 0xA400).encode() == blob.encode()


def test_modulus_with_zeros_behind() -> None:
    """[MS-MQMQ] 2.2.20.6 fills a modulus up with zeros."""
    sender = crypto.public_key_to_sender_key(SHORT.public_key())
    longer = mw.replace(sender, Modulus=sender.Modulus + bytes(4), LengthInBits=1024)
    assert crypto.public_key_from_blob(longer) == SHORT.public_key()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"bType": 7}, "does not hold a public RSA key"),
        ({"bVersion": 3}, "does not hold a public RSA key"),
        ({"magic": b"RSA2"}, "does not hold a public RSA key"),
        ({"aiKeyAlg": 0x6610}, "does not hold a public RSA key"),
        ({"bitLen": 1023}, "expected a modulus of 1023 bits in the PUBLICKEYBLOB, found 128"),
        ({"bitLen": 2048}, "expected a modulus of 2048 bits in the PUBLICKEYBLOB, found 128"),
        ({"modulus": b"", "bitLen": 0}, "are not an RSA key: ."),
        ({"pubExp": 0}, "are not an RSA key: ."),
        ({"pubExp": 4}, "are not an RSA key: ."),
    ],
)
def test_blobs_that_are_no_keys(changes: dict[str, Any], problem: str) -> None:
    blob = mw.replace(crypto.public_key_to_blob(SHORT.public_key()), **changes)
    with pytest.raises(SecurityError, match=problem) as caught:
        crypto.public_key_from_blob(blob)
    assert caught.value.actual == blob


def test_exponent_too_large() -> None:
    public = rsa.RSAPublicNumbers((1 << 32) + 1, SHORT.public_key().public_numbers().n).public_key()
    for make in (crypto.public_key_to_blob, crypto.public_key_to_sender_key):
        with pytest.raises(mw.EncodeError, match="expected 0 to 4294967295, got"):
            make(public)


@pytest.mark.parametrize("key", [SHORT, LONG], ids=["1024", "2048"])
@pytest.mark.parametrize("algorithm", [*KEYS])
def test_session_keys_as_blobs(key: rsa.RSAPrivateKey, algorithm: int) -> None:
    """As long as the modulus (errata Q5), little-endian."""
    blob = crypto.session_key_to_blob(KEYS[algorithm], algorithm, key.public_key())
    assert blob.encode()[:12].hex() == f"01020000{algorithm.to_bytes(4, 'little').hex()}00a40000"
    assert len(blob.encode()) == 12 + key.key_size // 8
    assert key.decrypt(blob.encryptedKey[::-1], PKCS1v15()) == KEYS[algorithm]
    assert crypto.session_key_from_blob(mqqb.SIMPLEBLOB.decode(blob.encode()), key) == KEYS[algorithm]


def test_session_key_for_512_bits() -> None:
    """The keys of the base provider ([MS-MQQB] 3.1.7.1.5)."""
    public = rsa.RSAPublicNumbers(65537, (1 << 511) + 1).public_key()
    assert len(crypto.session_key_to_blob(bytes(5), RC4, public).encryptedKey) == 64


def test_session_keys_that_do_not_fit() -> None:
    public = SHORT.public_key()
    with pytest.raises(SecurityError, match="expected a key of 32 bytes for CALG_AES_256, got 16"):
        crypto.session_key_to_blob(bytes(16), AES256, public)
    with pytest.raises(SecurityError, match="expected a key of 5 or 16 bytes for CALG_RC4, got 0"):
        crypto.session_key_to_blob(b"", RC4, public)
    with pytest.raises(SecurityError, match="0x8003 is not an encryption algorithm; expected one of 0x6602"):
        crypto.session_key_to_blob(bytes(16), 0x8003, public)
    number: Any = "AES"
    with pytest.raises(SecurityError, match="'AES' is not an encryption algorithm"):
        crypto.session_key_to_blob(bytes(16), number, public)
    tiny = rsa.RSAPublicNumbers(65537, (1 << 255) + 1).public_key()
    with pytest.raises(SecurityError, match="RSA key of 256 bits cannot encrypt 32 bytes"):
        crypto.session_key_to_blob(bytes(32), AES256, tiny)


def test_session_key_blobs_that_are_none() -> None:
    blob = crypto.session_key_to_blob(bytes(32), AES256, SHORT.public_key())
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"bType": 2}, "not hold a session key encrypted with RSA"),
        ({"bVersion": 1}, "not hold a session key encrypted with RSA"),
        ({"aiKeyAlg": 0x2400}, "not hold a session key encrypted with RSA"),
        ({"encryptedKey": bytes(256)}, "expected an encrypted session key of 128 bytes, found 256"),
        ({"encryptedKey": b"\xff" * 128}, "cannot be decrypted with this RSA key"),
        ({"sessionKeyAlgorithm": AES128}, "cannot be decrypted with this RSA key"),
        ({"sessionKeyAlgorithm": 1}, "0x1 is not an encryption algorithm"),
    ]
    for changes, problem in wrong:
        with pytest.raises(SecurityError, match=problem):
            crypto.session_key_from_blob(mw.replace(blob, **changes), SHORT)


# ----------------------------------------------------------------------------------------------- bodies

# RFC 2268 5, RFC 6229 2, FIPS 197 C; of block ciphers the first block, as the vector is zero.
KNOWN = [
    (RC2, "88bca90e90875a7f0f79c384627bafb2", "0000000000000000", "2269552ab0f85ca6"),
    (RC4, "0102030405", "00" * 16, "b2396305f03dc027ccc3524a0a1118a8"),
    (RC4, "0102030405060708090a0b0c0d0e0f10", "00" * 16, "9ac7cc9a609d1ef7b2932899cde41b97"),
    (
        AES128,
        "000102030405060708090a0b0c0d0e0f",
        "00112233445566778899aabbccddeeff",
        "69c4e0d86a7b0430d8cdb78070b4c55a",
    ),
    (
        AES192,
        "000102030405060708090a0b0c0d0e0f1011121314151617",
        "00112233445566778899aabbccddeeff",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
    ),
    (
        AES256,
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "00112233445566778899aabbccddeeff",
        "8ea2b7ca516745bfeafc49904b496089",
    ),
]


@pytest.mark.parametrize(("algorithm", "key", "clear", "first"), KNOWN)
def test_published_vectors(algorithm: int, key: str, clear: str, first: str) -> None:
    made = crypto.encrypt(bytes.fromhex(clear), bytes.fromhex(key), algorithm)
    assert made.hex().startswith(first)
    assert len(made) == len(first) // 2 + {RC2: 8, RC4: 0}.get(algorithm, 16)


@given(st.binary(max_size=100), st.sampled_from([*KEYS]), st.data())
def test_ciphers_go_both_ways(body: bytes, algorithm: int, data: st.DataObject) -> None:
    size = len(KEYS[algorithm])
    key = data.draw(st.binary(min_size=size, max_size=size))
    made = crypto.encrypt(body, key, algorithm)
    assert crypto.decrypt(made, key, algorithm) == body


@pytest.mark.parametrize(("algorithm", "level"), [(RC2, 3), (RC4, 3), (AES128, 5), (AES192, 5), (AES256, 5)])
@pytest.mark.parametrize("body", [b"", b"body", bytes(16), bytes(1000)])
def test_bodies(algorithm: int, level: int, body: bytes) -> None:
    packet = message(MessageBody=body)
    made = again(crypto.encrypt_body(packet, KEYS[algorithm], algorithm, public_key=SHORT.public_key()))
    properties, header = made.MessagePropertiesHeader, made.SecurityHeader
    assert properties.MessageBody == crypto.encrypt(body, KEYS[algorithm], algorithm)
    assert properties.MessageSize == properties.AllocationBodySize == len(properties.MessageBody)
    assert (properties.PrivacyLevel, properties.EncryptionAlgorithm) == (level, algorithm)
    assert header is not None
    assert (header.Flags.EB, header.Flags.AI, header.EncryptionKeySize) == (1, 1, 140)
    for key in (KEYS[algorithm], SHORT):
        clear = again(crypto.decrypt_body(made, key))
        expected = mw.replace(packet.MessagePropertiesHeader, EncryptionAlgorithm=algorithm)
        assert clear.MessagePropertiesHeader == expected
        assert clear.SecurityHeader is not None
        assert clear.SecurityHeader.Flags.EB == 0
        assert clear.SecurityHeader.SecurityData == header.SecurityData


def test_sign_then_encrypt() -> None:
    """The signature covers the body in clear, so it verifies after decryption."""
    signed = crypto.sign(message(), LONG, 2, certificate=CERTIFICATE)
    sent = again(crypto.encrypt_body(signed, KEYS[AES256], public_key=SHORT.public_key()))
    assert not crypto.verify(sent, CERTIFICATE, 2)
    assert crypto.verify(crypto.decrypt_body(sent, SHORT), CERTIFICATE, 2)


def test_privacy_levels() -> None:
    made = crypto.encrypt_body(message(), bytes(5), RC4)
    assert made.MessagePropertiesHeader.PrivacyLevel == 1
    assert crypto.decrypt_body(made, bytes(5)).MessagePropertiesHeader.MessageBody == b"body"
    filled = crypto.encrypt_body(message(), b"12345" + bytes(11), RC2, privacy_level=1)
    assert filled.MessagePropertiesHeader.PrivacyLevel == 1
    assert crypto.decrypt_body(filled, b"12345" + bytes(11)).MessagePropertiesHeader.MessageBody == b"body"
    for level, algorithm in [(5, RC4), (1, AES256), (3, AES256)]:
        with pytest.raises(SecurityError, match=f"expected CALG.* for PrivacyLevel {level}, got 0x"):
            crypto.encrypt_body(message(), KEYS[algorithm], algorithm, privacy_level=level)
    with pytest.raises(SecurityError, match="expected a PrivacyLevel of 1, 3 or 5, got 2"):
        crypto.encrypt_body(message(), KEYS[RC4], RC4, privacy_level=2)
    bent = within(made, "MessagePropertiesHeader.PrivacyLevel", 0)
    with pytest.raises(SecurityError, match="expected a PrivacyLevel of 1, 3 or 5, got 0"):
        crypto.decrypt_body(bent, bytes(5))


def test_short_keys_for_rc2() -> None:
    """`cryptography` has no effective key length; the error says what to do."""
    with pytest.raises(UnavailableError, match="keys of 128 bits only, not 40"):
        crypto.encrypt_body(message(), bytes(5), RC2)
    made = crypto.encrypt_body(message(), bytes(16), RC2)
    with pytest.raises(UnavailableError, match="keys of 128 bits only, not 40"):
        crypto.decrypt_body(made, bytes(5))


def test_wrong_keys() -> None:
    made = crypto.encrypt_body(message(), bytes(32), public_key=SHORT.public_key())
    with pytest.raises(SecurityError, match="body cannot be decrypted with this key"):
        crypto.decrypt_body(made, b"\1" * 32)
    with pytest.raises(SecurityError, match="expected a key of 32 bytes for CALG_AES_256, got 16"):
        crypto.decrypt_body(made, bytes(16))
    with pytest.raises(SecurityError, match="expected an encrypted session key of 256 bytes, found 128"):
        crypto.decrypt_body(made, LONG)
    for size in (0, 3, 15, 17):
        cut = within(made, "MessagePropertiesHeader.MessageBody", bytes(size))
        with pytest.raises(SecurityError, match="body cannot be decrypted with this key"):
            crypto.decrypt_body(cut, bytes(32))


def test_nothing_to_decrypt() -> None:
    with pytest.raises(SecurityError, match="body is not encrypted"):
        crypto.decrypt_body(message(), bytes(32))
    made = crypto.encrypt_body(message(), bytes(32))
    with pytest.raises(SecurityError, match="has no session key"):
        crypto.decrypt_body(made, SHORT)
    with pytest.raises(SecurityError, match="already encrypted"):
        crypto.encrypt_body(made, bytes(32))
    security = mqmq.SecurityHeader(
        Flags=mqmq.SecurityHeaderFlags(EB=1), SecurityData=mqmq.SecurityData(EncryptionKey=b"short")
    )
    with pytest.raises(mw.DecodeError):
        crypto.decrypt_body(mw.replace(made, SecurityHeader=security), SHORT)
    blob = crypto.session_key_to_blob(bytes(16), AES128, SHORT.public_key()).encode()
    data = mqmq.SecurityData(EncryptionKey=blob)
    assert made.SecurityHeader is not None
    other = mw.replace(made, SecurityHeader=mw.replace(made.SecurityHeader, SecurityData=data))
    with pytest.raises(SecurityError, match="for a different cipher"):
        crypto.decrypt_body(other, SHORT)


def test_ciphers_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Absent:
        def encryptor(self) -> Any:
            raise UnsupportedAlgorithm("no")

        decryptor = encryptor

    monkeypatch.setattr(_crypto_keys, "Cipher", lambda *_: Absent())
    for function in (crypto.encrypt, crypto.decrypt):
        with pytest.raises(UnavailableError, match="cryptography does not support the algorithm"):
            function(b"", KEYS[RC4], RC4)


# ------------------------------------------------------------------------------------------ the boundary


def with_certificate(raw: bytes) -> mqmq.UserMessage:
    security = mqmq.SecurityHeader(SecurityData=mqmq.SecurityData(SenderCert=raw))
    return mw.replace(crypto.sign(message(), SHORT, 3), SecurityHeader=security)


DER = CERTIFICATE.public_bytes(Encoding.DER)
_VERSION = DER.index(bytes.fromhex("a003020102"))
_RSA = bytes.fromhex("06092a864886f70d010101")
_SHA_256 = bytes.fromhex("06092a864886f70d01010b")
_EXPONENT = bytes.fromhex("0203010001")
_NAME = b"\x0c\x06sender"


@pytest.mark.parametrize(
    ("raw", "kind", "problem"),
    [
        (DER.replace(bytes.fromhex("a003020102"), bytes.fromhex("a003020142")), SecurityError, "66 is not"),
        (DER.replace(_RSA, _RSA[:-1] + b"\x31"), UnavailableError, "Unknown key type"),
        (DER.replace(_EXPONENT, bytes.fromhex("0203010000")), SecurityError, "e must be odd"),
        (DER.replace(_SHA_256, _SHA_256[:-1] + b"\x7f"), UnavailableError, "not recognized"),
        (DER.replace(_NAME, b"\x03\x06sender"), SecurityError, "certificate cannot be read"),
        (DER.replace(_NAME, b"\x0c\x06sende\xff"), SecurityError, "certificate cannot be read"),
        (DER[:-1], SecurityError, "certificate cannot be read"),
        (DER + b"\0", SecurityError, "certificate cannot be read"),
    ],
    ids=["version", "key-type", "exponent", "hash", "name-type", "name-text", "short", "long"],
)
@pytest.mark.parametrize("ask", ["sender_certificate", "verify", "authenticate"])
def test_damaged_certificates_are_one_error(
    raw: bytes, kind: type[SecurityError], problem: str, ask: str
) -> None:
    """All that `cryptography` raises for a certificate is ours, and it raises nothing later."""
    packet = with_certificate(raw)

    def call() -> object:
        certificate = crypto.sender_certificate(packet)
        return ask != "sender_certificate" and getattr(crypto, ask)(packet, certificate)

    with pytest.raises(SecurityError, match=problem) as caught:
        call()
    assert type(caught.value) is kind
    assert str(caught.value).isprintable()


def test_a_certificate_of_the_callers_can_be_damaged_too() -> None:
    loaded = x509.load_der_x509_certificate(DER.replace(_EXPONENT, bytes.fromhex("0203010000")))
    signed = crypto.sign(message(), SHORT, 1)
    for ask in (crypto.verify, crypto.authenticate):
        with pytest.raises(SecurityError, match="key of the certificate cannot be read: e must be odd"):
            ask(signed, loaded)
    with pytest.raises(SecurityError, match="key of the certificate cannot be read: e must be odd"):
        crypto.sign(message(), SHORT, 1, certificate=loaded)


def test_warnings_about_bytes_do_not_get_out() -> None:
    """A certificate with a serial number of zero is read, and nobody is told by `cryptography`."""
    serial = DER.index(bytes.fromhex("020101"), _VERSION)
    raw = DER[:serial] + bytes.fromhex("020100") + DER[serial + 3 :]
    with pytest.warns(match="serial number"):
        plain = x509.load_der_x509_certificate(raw)
    with pytest.warns(match="serial number"):
        assert plain.serial_number == 0
    filters = list(warnings.filters)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        certificate = crypto.sender_certificate(with_certificate(raw))
        assert certificate.serial_number == 0
        assert certificate.public_bytes(Encoding.DER) == raw
        assert isinstance(certificate, x509.Certificate)
        again = crypto.sender_certificate(with_certificate(raw))
        assert again == certificate
        assert hash(again) == hash(certificate)
        assert copy.copy(certificate) == certificate
        assert repr(certificate).startswith("<Certificate(subject=")
        assert plain == certificate
        assert certificate != CERTIFICATE
        signed = crypto.sign(message(), LONG, 1, certificate=certificate)
        assert crypto.verify(signed, crypto.sender_certificate(signed))
    assert (told, list(warnings.filters)) == ([], filters)
    with pytest.raises(AttributeError):
        _ = certificate.nothing  # type: ignore[attr-defined]  # what is not there


@rsa.RSAPrivateKey.register
@rsa.RSAPublicKey.register
class _Panicking:
    """A key whose maker falls over, in the ways that it does."""

    key_size = 1024

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def sign(self, *_: object) -> bytes:
        raise self.error

    decrypt = encrypt = sign


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a\nb"),
        TypeError("a"),
        AttributeError("a"),
        OverflowError(),
        x509.InvalidVersion("a", 3),
        type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})("a"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_exception_of_the_package_is_ours(error: BaseException) -> None:
    key: Any = _Panicking(error)
    blob = crypto.session_key_to_blob(bytes(32), AES256, SHORT.public_key())
    with pytest.raises(SecurityError, match="cannot sign") as caught:
        crypto.sign(message(), key, 1)
    assert caught.value.__cause__ is error
    with pytest.raises(SecurityError, match="cannot encrypt"):
        crypto.session_key_to_blob(bytes(32), AES256, key)
    with pytest.raises(SecurityError, match="cannot be decrypted"):
        crypto.session_key_from_blob(blob, key)


@pytest.mark.parametrize("length", range(110, 130))
def test_what_the_package_says_is_shortened(length: int) -> None:
    """The rest of a text is replaced by dots, and only if there is a rest."""
    told = "x" * length
    key: Any = _Refusing(UnsupportedAlgorithm(told))
    with pytest.raises(UnavailableError) as caught:
        crypto.sign(message(), key, 1)
    shown = str(caught.value).partition("(")[2].removesuffix(")")
    assert len(shown) < 130
    assert shown == told or (shown.endswith("...") and len(shown.removesuffix("...")) < length)


def test_what_stops_a_program_is_not_caught() -> None:
    key: Any = _Panicking(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        crypto.sign(message(), key, 1)


def test_what_is_no_key_is_refused() -> None:
    nothing: Any = object()
    for ask in (crypto.public_key_to_blob, crypto.public_key_to_sender_key):
        with pytest.raises(SecurityError, match="expected a public RSA key, got"):
            ask(nothing)
    elliptic: Any = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(SecurityError, match=r"^expected a private RSA key, got ECPrivateKey$"):
        crypto.sign(message(), elliptic, 1)
    with pytest.raises(SecurityError, match=r"^expected a private RSA key, got object$"):
        crypto.sign(message(), nothing, 1)
    with pytest.raises(SecurityError, match=r"^expected a public RSA key, got ECPublicKey$"):
        crypto.session_key_to_blob(bytes(32), AES256, elliptic.public_key())
    with pytest.raises(SecurityError, match="cannot be decrypted"):
        crypto.session_key_from_blob(mqqb.SIMPLEBLOB(encryptedKey=bytes(16)), nothing)


# -------------------------------------------------------------------------------------------- the extra


def test_the_extra_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for name in [name for name in sys.modules if name.startswith("msmq_wire.crypto")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"msmq_wire\[crypto\]"):
        importlib.import_module("msmq_wire.crypto")


def test_the_core_does_not_import_it() -> None:
    text = (
        "import sys, msmq_wire.packets.signature as s;"
        "print('cryptography' in sys.modules, s.DEFAULT_FORMS.label)"
    )
    done = subprocess.run(  # noqa: S603  # our own interpreter and our own text
        [sys.executable, "-c", text], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("False wire\n", "")
