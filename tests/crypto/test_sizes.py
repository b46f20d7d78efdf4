"""Signatures that the key of their certificate cannot have made, which `validate` reports without RSA."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from test_crypto import CERTIFICATE, LONG, certificate_of

import msmq_wire as mw
from msmq_wire import crypto, mqmq
from msmq_wire.checks.validation import validate
from msmq_wire.packets.certificates import modulus_size

DER = CERTIFICATE.public_bytes(Encoding.DER)
SIZE = LONG.key_size // 8
FIRST, SEVERAL = "MQQB-3.1.7.1.4-01", "MQQB-3.1.7.1.4-02"


def message(**parts: Any) -> mqmq.UserMessage:
    return mqmq.UserMessage(
        UserHeader=mqmq.UserHeader(DestinationQueue="DIRECT=OS:host\\queue"),
        MessagePropertiesHeader=mqmq.MessagePropertiesHeader(Label="label\0", MessageBody=b"body"),
        **parts,
    )


def size_violations(packet: Any) -> list[tuple[str, str]]:
    violations = validate(packet)
    return [(one.requirement, one.path) for one in violations if one.requirement in {FIRST, SEVERAL}]


def _with(signature: bytes, certificate: bytes) -> Any:
    return message(
        SecurityHeader=mqmq.SecurityHeader(
            SecurityData=mqmq.SecurityData(Signature=signature, SenderCert=certificate)
        )
    )


@pytest.mark.parametrize("bits", [1024, 1025, 2048])
def test_the_size_of_a_key(bits: int) -> None:
    """Of X.509, and of the key alone."""
    key = rsa.generate_private_key(65537, bits)
    certificate = certificate_of(key).public_bytes(Encoding.DER)
    assert modulus_size(certificate) == -(-bits // 8)
    assert modulus_size(crypto.public_key_to_sender_key(key.public_key()).encode()) == -(-bits // 8)


def test_keys_of_unknown_size() -> None:
    other = certificate_of(ec.generate_private_key(ec.SECP256R1())).public_bytes(Encoding.DER)
    for certificate in (
        other,
        b"",
        b"certificate",
        b"\x30\x80" + DER[2:],
        b"\x30\x84" + bytes(60),
        b"\x06\x02\0\0",
    ):
        assert modulus_size(certificate) is None
        assert size_violations(_with(bytes(7), certificate)) == []
    for size in range(len(DER)):
        assert modulus_size(DER[:size]) in {None, SIZE}
    assert modulus_size(DER) == SIZE


def test_any_damage_is_no_error() -> None:
    for at in range(len(DER)):
        for byte in (0, 0x30, 0x7F, 0x80, 0x83, 0xFF):
            size = modulus_size(DER[:at] + bytes([byte]) + DER[at + 1 :])
            assert size is None or 0 < size <= len(DER)


@pytest.mark.requirement(FIRST)
def test_a_signature_is_as_long_as_its_key() -> None:
    signed = crypto.sign(message(), LONG, 2, certificate=CERTIFICATE)
    assert size_violations(signed) == []
    for size in (SIZE - 1, SIZE + 1, 20):
        path = "UserMessage.SecurityHeader.SecurityData.Signature"
        assert size_violations(_with(bytes(size), DER)) == [(FIRST, path)]
    assert (
        size_violations(_with(bytes(SIZE), DER))
        == size_violations(_with(b"", DER))
        == size_violations(_with(bytes(20), b""))
        == []
    )


@pytest.mark.requirement(SEVERAL)
def test_a_signature_to_several_destinations_is_as_long_as_its_key() -> None:
    lists = mqmq.MultiQueueFormatHeader(
        Destination=mw.queue_names.to_wire_list("DIRECT=OS:a\\b,DIRECT=OS:c\\d")
    )
    signed: Any = crypto.sign(message(MultiQueueFormatHeader=lists), LONG, 3, certificate=CERTIFICATE)
    assert size_violations(signed) == []
    path = "MultiQueueFormatHeader.Signature.Signature"
    wrong = mw.replace(signed, {path: bytes(SIZE - 4)})
    assert size_violations(wrong) == [(SEVERAL, f"UserMessage.{path}")]
    assert size_violations(mw.replace(wrong, SecurityHeader=None)) == []


def test_a_wrong_signature_of_the_right_size_is_for_crypto() -> None:
    """Forms that no document states decide whether it is right (errata M26), so no rule says that."""
    packet = _with(bytes(SIZE), DER)
    assert size_violations(packet) == []
    assert crypto.authenticate(packet, crypto.sender_certificate(packet)) is None
