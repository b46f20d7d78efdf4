"""Signatures and encrypted bodies, with the package `cryptography`: the extra ``crypto``.

1. Only the modules of this package import `cryptography`.
2. The functions take records and return changed copies.  They compute sizes and flags; all other fields are
   unchanged.
3. RSA is PKCS #1 v1.5 for both purposes (RFC 8017 7.2 and 8.2).  RSA numbers are little-endian in the blobs
   ([MS-MQQB] 2.4); in signatures, `Forms.byte_order` determines the order.  An encrypted key must have the
   size of the modulus; there is no other condition on its size (errata Q5).
4. Bodies: AES and RC2 in CBC mode with a zero initialization vector and PKCS #5 padding, RC4 without any
   ([MS-MQMQ] 2.2.19.3, [MS-MQQB] 3.1.7.1.5).
5. `cryptography` supports RC2 with 128-bit keys only.  A 40-bit RC2 key is rejected; one that is padded with
   88 zero bits ([MS-MQQB] 3.1.7.1.5) is a 128-bit key.
6. All calls of `cryptography` are made inside `guarded`, because hostile bytes cause many kinds of exceptions
   and warnings; none of them reaches the caller.
7. This module does not check whether a certificate is trusted or has expired.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import utils
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
    from cryptography.hazmat.primitives.serialization import Encoding
except ImportError as error:
    raise ImportError(
        "msmq_wire.crypto needs the package cryptography: pip install 'msmq_wire[crypto]'"
    ) from error

from msmq_wire.documents.mqmq import SecurityData, SecurityHeader
from msmq_wire.documents.mqqb import SIMPLEBLOB
from msmq_wire.documents.readings import is_encrypted
from msmq_wire.packets.signature import (
    DEFAULT_FORMS,
    Forms,
    SecurityError,
    SignatureVersion,
    UnavailableError,
    default_version,
    digest,
    require_message,
    signature_region,
)
from msmq_wire.records.record import replace
from msmq_wire.values.algorithms import AES, CIPHERS
from msmq_wire.values.enumerations import ALG_ID
from msmq_wire.values.errors import in_bytes, wrong_type, wrong_value

from .guard import guarded, load_certificate
from .keys import (
    check_key,
    decrypt,
    encrypt,
    public_key_from_blob,
    public_key_to_blob,
    public_key_to_sender_key,
    refusal,
    session_key_from_blob,
    session_key_to_blob,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from msmq_wire.documents.user_message import UserMessage

__all__ = [
    "authenticate",
    "decrypt",
    "decrypt_body",
    "encrypt",
    "encrypt_body",
    "public_key_from_blob",
    "public_key_to_blob",
    "public_key_to_sender_key",
    "sender_certificate",
    "session_key_from_blob",
    "session_key_of",
    "session_key_to_blob",
    "sign",
    "verify",
]


# ---------------------------------------------------------------------------------------- signatures

_PREHASHED: dict[int, Callable[[], hashes.HashAlgorithm]] = {
    ALG_ID.CALG_MD5: hashes.MD5,
    ALG_ID.CALG_SHA1: hashes.SHA1,
    ALG_ID.CALG_SHA_256: hashes.SHA256,
    ALG_ID.CALG_SHA_512: hashes.SHA512,
}

# RFC 8017 B.1 and RFC 1320: the object identifiers of the hashes, as DER.
_OIDS: dict[int, bytes] = {
    ALG_ID.CALG_MD2: bytes.fromhex("06082a864886f70d0202"),
    ALG_ID.CALG_MD4: bytes.fromhex("06082a864886f70d0204"),
    ALG_ID.CALG_MD5: bytes.fromhex("06082a864886f70d0205"),
    ALG_ID.CALG_SHA1: bytes.fromhex("06052b0e03021a"),
    ALG_ID.CALG_SHA_256: bytes.fromhex("0609608648016503040201"),
    ALG_ID.CALG_SHA_512: bytes.fromhex("0609608648016503040203"),
}


def _der(tag: int, content: bytes) -> bytes:
    return bytes([tag, len(content)]) + content  # contents are always shorter than 128 bytes


def _signed_block(hashed: bytes, algorithm: int, forms: Forms) -> bytes:
    """Return the bytes that RSA signs: the digest in a DigestInfo, or the bare digest."""
    if not forms.digest_info:
        return hashed
    return _der(0x30, _der(0x30, _OIDS[algorithm] + b"\x05\x00") + _der(0x04, hashed))


def _signature_over(key: RSAPrivateKey, hashed: bytes, algorithm: int, forms: Forms) -> bytes:
    with guarded(refusal(key, RSAPrivateKey, f"sign a digest of {in_bytes(len(hashed))}"), key):
        if forms.digest_info and algorithm in _PREHASHED:
            result = key.sign(hashed, PKCS1v15(), utils.Prehashed(_PREHASHED[algorithm]()))
        else:
            plain: Any = getattr(utils, "NoDigestInfo", None)
            if plain is None:
                raise UnavailableError("this form of signature needs a newer version of cryptography")
            result = key.sign(_signed_block(hashed, algorithm, forms), PKCS1v15(), plain())
    return result[::-1] if forms.byte_order == "little" else result


def _public_key(key: RSAPublicKey | x509.Certificate) -> RSAPublicKey:
    with guarded("the key of the certificate cannot be read", key, tell=True):
        public = key.public_key() if isinstance(key, x509.Certificate) else key
    if not isinstance(public, RSAPublicKey):
        raise SecurityError(wrong_type("an RSA key", public), key)
    return public


def _with_security(packet: UserMessage, flags: dict[str, int], parts: dict[str, bytes]) -> UserMessage:
    """Return the message with changed parts of its SecurityData and flags of its SecurityHeader."""
    header = packet.SecurityHeader or SecurityHeader()
    changes: dict[str, Any] = {}
    if parts:
        data = replace(header.SecurityData or SecurityData(), **parts)
        if not data.encode():
            return replace(packet, SecurityHeader=None)
        flags = {"AI": 1, **flags}
        if data.Signature:
            flags.setdefault("DE", int(not data.ProviderInfo))
        changes["SecurityData"] = data
    return replace(packet, SecurityHeader=replace(header, Flags=header.Flags.replace(**flags), **changes))


def sign(
    packet: UserMessage,
    private_key: RSAPrivateKey,
    version: SignatureVersion | int | None = None,
    *,
    certificate: x509.Certificate | None = None,
    algorithm: int | None = None,
    forms: Forms = DEFAULT_FORMS,
) -> UserMessage:
    """Sign a message ([MS-MQQB] 3.1.7.1.4).

    A signature of version 3.0 is stored in the MultiQueueFormatHeader if there is one, any other in the
    SecurityHeader, which is added if necessary.  An older one in the SecurityHeader is removed, because a
    receiver would verify that one.  A certificate is always stored in the SecurityHeader.  The
    caller sets the identity of the sender (`SecurityID`) and the provider; without a provider the flag DE is
    set.

    Args:
        packet: The message.
        private_key: The sender's key.
        version: 1, 2 or 3; by default the result of `default_version`.
        certificate: The sender's certificate; by default the certificate of the packet is unchanged.
        algorithm: The packet's new `HashAlgorithm`; by default unchanged.
        forms: Choices for undocumented details.

    Returns:
        A copy of the message with the signature.

    Raises:
        SecurityError: The certificate is for another key, the key is too short, or version or hash are
            invalid.
        UnavailableError: The hash, or the form of signature, is not installed.
        WrongTypeError: The packet is not a UserMessage.
    """
    wanted = default_version(packet) if version is None else version
    if certificate is not None:
        public = _public_key(certificate)
        with guarded("certificate and private key cannot be compared", certificate):
            if public.public_numbers() != private_key.public_key().public_numbers():
                raise SecurityError("the certificate is not for this private key", certificate)
    covered = digest(packet, wanted, algorithm, forms=forms)
    properties = packet.MessagePropertiesHeader
    if algorithm is not None:
        properties = replace(properties, HashAlgorithm=algorithm)
        packet = replace(packet, MessagePropertiesHeader=properties)
    signature = _signature_over(private_key, covered, properties.HashAlgorithm, forms)
    parts: dict[str, bytes] = {}
    if certificate is not None:
        with guarded("the certificate cannot be written", certificate):
            parts["SenderCert"] = certificate.public_bytes(Encoding.DER)
    several = packet.MultiQueueFormatHeader
    if wanted == SignatureVersion.MSMQ_3_0 and several is not None:
        several = replace(several, Signature=replace(several.Signature, Signature=signature))
        packet = replace(packet, MultiQueueFormatHeader=several)
        if _places(packet)[0]:  # a receiver would look at this one only
            parts["Signature"] = b""
    else:
        parts["Signature"] = signature
    return _with_security(packet, {}, parts) if parts else packet


def _places(packet: UserMessage) -> tuple[bytes, bytes]:
    """Return the signatures in SecurityHeader and MultiQueueFormatHeader, empty if absent."""
    header, several = packet.SecurityHeader, packet.MultiQueueFormatHeader
    first = b"" if header is None or header.SecurityData is None else header.SecurityData.Signature
    return first, b"" if several is None else several.Signature.Signature


def _fits(
    packet: UserMessage, key: RSAPublicKey, version: SignatureVersion | int, signature: bytes, forms: Forms
) -> bool:
    hashed = digest(packet, version, forms=forms)
    block = _signed_block(hashed, packet.MessagePropertiesHeader.HashAlgorithm, forms)
    ordered = signature[::-1] if forms.byte_order == "little" else signature
    with guarded("the signature cannot be compared", signature):
        try:
            # The whole block is compared and nothing in it is parsed, so no extra bytes can be hidden in it.
            return key.recover_data_from_signature(ordered, PKCS1v15(), None) == block
        except InvalidSignature:
            return False


def verify(
    packet: UserMessage,
    key: RSAPublicKey | x509.Certificate,
    version: SignatureVersion | int | None = None,
    *,
    forms: Forms = DEFAULT_FORMS,
) -> bool:
    """Verify the signature of a message.

    A signature of version 3.0 is read from the MultiQueueFormatHeader, or else from the SecurityHeader; any
    other from the SecurityHeader only.

    Args:
        packet: The message; one with an encrypted body must be decrypted first.
        key: The sender's key, or the certificate that holds it.
        version: 1, 2 or 3; by default all versions that `authenticate` tries.
        forms: Choices for undocumented details.

    Raises:
        SecurityError: There is no signature, the key is not an RSA key, or version or hash are invalid.
        UnavailableError: The hash is not installed, or the algorithm of the certificate's key is not
            supported.
        WrongTypeError: The packet is not a UserMessage.
    """
    if version is None:
        return authenticate(packet, key, forms=forms) is not None
    signature_region(packet, version, forms=forms)  # raises an error if the fields cannot be signed
    first, second = _places(packet)
    signature = second or first if version == SignatureVersion.MSMQ_3_0 else first
    if not signature:
        raise SecurityError("the message has no signature of this version", packet)
    return _fits(packet, _public_key(key), version, signature, forms)


def authenticate(
    packet: UserMessage, key: RSAPublicKey | x509.Certificate, *, forms: Forms = DEFAULT_FORMS
) -> SignatureVersion | None:
    """Find the version of a valid signature, as a receiver does ([MS-MQQB] 3.1.5.8.3).

    A signature in the SecurityHeader is verified as version 2.0, then as 1.0.  Without such a signature, the
    one in the MultiQueueFormatHeader is verified as 3.0.

    Args:
        packet: The message; one with an encrypted body must be decrypted first.
        key: The sender's key, or the certificate that holds it.
        forms: Choices for undocumented details.

    Returns:
        The version, or None if the signature is valid in no version.

    Raises:
        SecurityError: There is no signature, the key is not an RSA key, or the hash is invalid.
        UnavailableError: The hash is not installed, or the algorithm of the certificate's key is not
            supported.
        WrongTypeError: The packet is not a UserMessage.
    """
    require_message(packet)
    first, second = _places(packet)
    public = _public_key(key)
    if first:
        tried = (SignatureVersion.MSMQ_2_0, SignatureVersion.MSMQ_1_0)
        return next((version for version in tried if _fits(packet, public, version, first, forms)), None)
    if second:
        last = SignatureVersion.MSMQ_3_0
        return last if _fits(packet, public, last, second, forms) else None
    raise SecurityError("the message has no signature", packet)


def sender_certificate(packet: UserMessage) -> x509.Certificate:
    """Return the certificate in a message.

    It proves the identity of the signer only if it is trusted.  All of its parts are parsed, so that none of
    them raises an exception later.

    Raises:
        SecurityError: There is no certificate, or a part of it cannot be parsed.
        UnavailableError: The algorithm of its key or its signature is not supported.
        WrongTypeError: The packet is not a UserMessage.
    """
    require_message(packet)
    header = packet.SecurityHeader
    raw = b"" if header is None or header.SecurityData is None else header.SecurityData.SenderCert
    if not raw:
        raise SecurityError("the message has no certificate", packet)
    return load_certificate(raw)


# -------------------------------------------------------------------------------------------- bodies


def _check_level(level: int, algorithm: int) -> None:
    if not isinstance(level, int) or level not in CIPHERS:
        raise SecurityError(wrong_value("a PrivacyLevel of 1, 3 or 5", level), level)
    if algorithm not in CIPHERS[level]:
        names = ", ".join(ALG_ID(cipher).name for cipher in CIPHERS[level])
        raise SecurityError(f"expected {names} for PrivacyLevel {level}, got {algorithm:#x}", algorithm)


def encrypt_body(
    packet: UserMessage,
    key: bytes,
    algorithm: int = ALG_ID.CALG_AES_256,
    *,
    privacy_level: int | None = None,
    public_key: RSAPublicKey | None = None,
) -> UserMessage:
    """Encrypt the body of a message ([MS-MQQB] 3.1.7.1.5).

    `MessageBody`, its two sizes, `PrivacyLevel`, `EncryptionAlgorithm` and the flag EB change; with a public
    key, `EncryptionKey` too.  Signatures are unchanged: sign first.  The caller sets `ProviderInfo`, the name
    of the provider whose public key it is, as the document requires.

    Args:
        packet: The message; one without a SecurityHeader gets one.
        key: The session key: 5 or 16 bytes for RC4, 16 for RC2, 16, 24 or 32 for AES.
        algorithm: The cipher.
        privacy_level: 1, 3 or 5; by default 5 for AES, 1 for a key of 40 bits, otherwise 3.
        public_key: The receiver's key, which encrypts the session key into a SIMPLEBLOB for the message.

    Raises:
        SecurityError: The body is already encrypted, there is no such cipher or level, they do not match, or
            the session key has the wrong length.
        UnavailableError: The cipher is not installed, or not with keys of this length.
        WrongTypeError: The packet is not a UserMessage.
    """
    require_message(packet)
    properties = packet.MessagePropertiesHeader
    if is_encrypted(packet):
        raise SecurityError("the body is already encrypted", packet)
    check_key(key, algorithm)
    level = privacy_level
    if level is None:
        level = 5 if algorithm in AES else 1 if len(key) == 5 else 3
    _check_level(level, algorithm)
    encrypted = replace(
        properties,
        MessageBody=encrypt(properties.MessageBody, key, algorithm),
        PrivacyLevel=level,
        EncryptionAlgorithm=algorithm,
    )
    parts: dict[str, bytes] = {}
    if public_key is not None:
        parts["EncryptionKey"] = session_key_to_blob(key, algorithm, public_key).encode()
    return _with_security(replace(packet, MessagePropertiesHeader=encrypted), {"EB": 1}, parts)


def session_key_of(packet: UserMessage, private_key: RSAPrivateKey) -> bytes:
    """Decrypt the session key in a message.

    Raises:
        SecurityError: There is no session key, it is for a different cipher than the body, or it cannot be
            decrypted.
        DecodeError: The session key is not a SIMPLEBLOB.
        UnavailableError: The cipher is not installed, or not with keys of this length.
        WrongTypeError: The packet is not a UserMessage.
    """
    require_message(packet)
    header = packet.SecurityHeader
    raw = b"" if header is None or header.SecurityData is None else header.SecurityData.EncryptionKey
    if not raw:
        raise SecurityError("the message has no session key", packet)
    blob = SIMPLEBLOB.decode(raw)
    if blob.sessionKeyAlgorithm != packet.MessagePropertiesHeader.EncryptionAlgorithm:
        raise SecurityError("the session key is for a different cipher than the body", blob)
    return session_key_from_blob(blob, private_key)


def decrypt_body(packet: UserMessage, key: bytes | RSAPrivateKey) -> UserMessage:
    """Decrypt the body of a message ([MS-MQQB] 3.1.5.8.3).

    `MessageBody` and its two sizes change; `PrivacyLevel` and the flag EB become zero.
    `EncryptionAlgorithm` and `EncryptionKey` are unchanged.

    Args:
        packet: The message.
        key: The session key, or the receiver's private key, which decrypts the SIMPLEBLOB of the message.

    Raises:
        SecurityError: The body is not encrypted or cannot be decrypted with this key, `PrivacyLevel` and
            `EncryptionAlgorithm` do not match, or the message has no session key.
        DecodeError: The session key in the message is not a SIMPLEBLOB.
        UnavailableError: The cipher is not installed, or not with keys of this length.
        WrongTypeError: The packet is not a UserMessage.
    """
    require_message(packet)
    properties = packet.MessagePropertiesHeader
    if not is_encrypted(packet):
        raise SecurityError("the body is not encrypted", packet)
    _check_level(properties.PrivacyLevel, properties.EncryptionAlgorithm)
    if isinstance(key, RSAPrivateKey):
        key = session_key_of(packet, key)
    clear = decrypt(properties.MessageBody, key, properties.EncryptionAlgorithm)
    decrypted = replace(properties, MessageBody=clear, PrivacyLevel=0)
    return _with_security(replace(packet, MessagePropertiesHeader=decrypted), {"EB": 0}, {})
