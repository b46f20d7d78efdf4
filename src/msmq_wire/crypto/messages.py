"""Signatures and encrypted bodies, with the package `cryptography`: the extra ``crypto``.

1. This module and its private parts import `cryptography`; nothing else of the library imports them.
2. Records go in and records come out.  Sizes and flags follow, what is not concerned stays.
3. RSA is PKCS #1 v1.5 for both purposes (RFC 8017 7.2 and 8.2); its numbers are little-endian in the blobs
   ([MS-MQQB] 2.4), in signatures as `Forms.byte_order` says.  No size but the modulus's own is demanded
   of an encrypted key (errata Q5).
4. Bodies: AES and RC2 in CBC mode with a zero initialization vector and PKCS #5 padding, RC4 without any
   ([MS-MQMQ] 2.2.19.3, [MS-MQQB] 3.1.7.1.5).
5. `cryptography` has RC2 with 128-bit keys only.  A 40-bit RC2 key is refused; one that is filled up with
   88 zero bits ([MS-MQQB] 3.1.7.1.5) is a 128-bit key.
6. `cryptography` is called within one boundary only, that of `guard`: it answers a stranger's bytes
   with many exceptions and some warnings, and none of them gets out.
7. Neither the trust in a certificate nor its lifetime is judged here.
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
from msmq_wire.values.enumerations import ALG_ID

from .guard import guarded, load_certificate
from .keys import (
    check_key,
    decrypt,
    encrypt,
    public_key_from_blob,
    public_key_to_blob,
    public_key_to_sender_key,
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
    return bytes([tag, len(content)]) + content  # no content here reaches 128 bytes


def _signed_block(made: bytes, algorithm: int, forms: Forms) -> bytes:
    """What RSA signs: the digest in its DigestInfo, or as it is."""
    if not forms.digest_info:
        return made
    return _der(0x30, _der(0x30, _OIDS[algorithm] + b"\x05\x00") + _der(0x04, made))


def _signature_over(key: RSAPrivateKey, made: bytes, algorithm: int, forms: Forms) -> bytes:
    bits = getattr(key, "key_size", 0)
    with guarded(f"an RSA key of {bits} bits cannot sign a digest of {len(made)} bytes", key):
        if forms.digest_info and algorithm in _PREHASHED:
            result = key.sign(made, PKCS1v15(), utils.Prehashed(_PREHASHED[algorithm]()))
        else:
            plain: Any = getattr(utils, "NoDigestInfo", None)
            if plain is None:
                raise UnavailableError("this form of signature needs a newer version of cryptography")
            result = key.sign(_signed_block(made, algorithm, forms), PKCS1v15(), plain())
    return result[::-1] if forms.byte_order == "little" else result


def _public_key(key: RSAPublicKey | x509.Certificate) -> RSAPublicKey:
    with guarded("the key of the certificate cannot be read", key, tell=True):
        found = key.public_key() if isinstance(key, x509.Certificate) else key
    if not isinstance(found, RSAPublicKey):
        raise SecurityError(f"signatures are made with RSA, not with a {type(found).__name__}", key)
    return found


def _with_security(packet: UserMessage, flags: dict[str, int], parts: dict[str, bytes]) -> UserMessage:
    """The message with some parts of its SecurityData and some flags of its SecurityHeader changed."""
    header = packet.SecurityHeader or SecurityHeader()
    changes: dict[str, Any] = {}
    if parts:
        data = replace(header.SecurityData or SecurityData(), **parts)
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
    """The message with a signature ([MS-MQQB] 3.1.7.1.4).

    A signature of version 3.0 goes to the MultiQueueFormatHeader if there is one; any other goes to the
    SecurityHeader, which is made if need be.  A certificate always goes to the SecurityHeader.  Identity of
    the sender (`SecurityID`) and provider are the caller's; without a provider the flag DE is set.

    Args:
        packet: The message.
        private_key: The sender's key.
        version: 1, 2 or 3; what `default_version` says if left out.
        certificate: The sender's certificate; without it, the certificate of the packet stays as it is.
        algorithm: The packet's new `HashAlgorithm`; if left out, the one that the packet has.
        forms: What the documents leave open.

    Raises:
        SecurityError: The certificate is for another key, the key is too short, or version, hash or packet
            are none.
        UnavailableError: The hash, or the form of signature, is not installed.
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
    made = _signature_over(private_key, covered, properties.HashAlgorithm, forms)
    parts: dict[str, bytes] = {}
    if certificate is not None:
        with guarded("the certificate cannot be written", certificate):
            parts["SenderCert"] = certificate.public_bytes(Encoding.DER)
    several = packet.MultiQueueFormatHeader
    if wanted == SignatureVersion.MSMQ_3_0 and several is not None:
        several = replace(several, Signature=replace(several.Signature, Signature=made))
        packet = replace(packet, MultiQueueFormatHeader=several)
    else:
        parts["Signature"] = made
    return _with_security(packet, {}, parts) if parts else packet


def _places(packet: UserMessage) -> tuple[bytes, bytes]:
    """The signatures in SecurityHeader and MultiQueueFormatHeader, empty where there is none."""
    header, several = packet.SecurityHeader, packet.MultiQueueFormatHeader
    first = b"" if header is None or header.SecurityData is None else header.SecurityData.Signature
    return first, b"" if several is None else several.Signature.Signature


def _fits(
    packet: UserMessage, key: RSAPublicKey, version: SignatureVersion | int, signature: bytes, forms: Forms
) -> bool:
    made = digest(packet, version, forms=forms)
    block = _signed_block(made, packet.MessagePropertiesHeader.HashAlgorithm, forms)
    ordered = signature[::-1] if forms.byte_order == "little" else signature
    with guarded("the signature cannot be compared", signature):
        try:
            # The block is compared as a whole: nothing in it is parsed, so that nothing can be smuggled in.
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
    """Whether a key's owner signed the message as it is.

    A signature of version 3.0 is looked for in the MultiQueueFormatHeader, then in the SecurityHeader; any
    other in the SecurityHeader only.

    Args:
        packet: The message; one with an encrypted body has to be decrypted first.
        key: The sender's key, or the certificate that holds it.
        version: 1, 2 or 3; if left out, whatever `authenticate` tries.
        forms: What the documents leave open.

    Raises:
        SecurityError: There is no signature, the key is no RSA key, or version, hash or packet are none.
        UnavailableError: The hash is not installed, or the algorithm of the certificate's key not known here.
    """
    if version is None:
        return authenticate(packet, key, forms=forms) is not None
    signature_region(packet, version, forms=forms)  # refuses what cannot be signed
    first, second = _places(packet)
    signature = second or first if version == SignatureVersion.MSMQ_3_0 else first
    if not signature:
        raise SecurityError("the message has no signature of this version", packet)
    return _fits(packet, _public_key(key), version, signature, forms)


def authenticate(
    packet: UserMessage, key: RSAPublicKey | x509.Certificate, *, forms: Forms = DEFAULT_FORMS
) -> SignatureVersion | None:
    """Which version of signature fits the message, as a receiver finds out ([MS-MQQB] 3.1.5.8.3).

    A signature in the SecurityHeader is tried as version 2.0, then as 1.0; only without one is that in the
    MultiQueueFormatHeader tried, as 3.0.

    Args:
        packet: The message; one with an encrypted body has to be decrypted first.
        key: The sender's key, or the certificate that holds it.
        forms: What the documents leave open.

    Returns:
        The version, or None if no version fits.

    Raises:
        SecurityError: There is no signature, the key is no RSA key, or hash or packet are none.
        UnavailableError: The hash is not installed, or the algorithm of the certificate's key not known here.
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
    """The certificate that the message brings along.

    It proves who signed only to those who trust it for another reason.  Each of its parts was read, so that
    none of them raises an exception later.

    Raises:
        SecurityError: There is none, or a part of it cannot be read.
        UnavailableError: The algorithm of its key or its signature is not known here.
    """
    require_message(packet)
    header = packet.SecurityHeader
    raw = b"" if header is None or header.SecurityData is None else header.SecurityData.SenderCert
    if not raw:
        raise SecurityError("the message has no certificate", packet)
    return load_certificate(raw)


# -------------------------------------------------------------------------------------------- bodies

_OLD = (ALG_ID.CALG_RC2, ALG_ID.CALG_RC4)
_NEW = (ALG_ID.CALG_AES_128, ALG_ID.CALG_AES_192, ALG_ID.CALG_AES_256)
_LEVELS: dict[int, tuple[ALG_ID, ...]] = {1: _OLD, 3: _OLD, 5: _NEW}


def _check_level(level: int, algorithm: int) -> None:
    if level not in _LEVELS:
        raise SecurityError(f"PrivacyLevel {level} is no level of encryption; there are 1, 3 and 5", level)
    if algorithm not in _LEVELS[level]:
        names = ", ".join(known.name for known in _LEVELS[level])
        raise SecurityError(f"PrivacyLevel {level} goes with {names}, not {algorithm:#x}", algorithm)


def encrypt_body(
    packet: UserMessage,
    key: bytes,
    algorithm: int = ALG_ID.CALG_AES_256,
    *,
    privacy_level: int | None = None,
    public_key: RSAPublicKey | None = None,
) -> UserMessage:
    """The message with its body encrypted ([MS-MQQB] 3.1.7.1.5).

    `MessageBody`, its two sizes, `PrivacyLevel`, `EncryptionAlgorithm` and the flag EB change; with a public
    key, `EncryptionKey` too.  Signatures stay as they are: sign first.

    Args:
        packet: The message; one without a SecurityHeader gets one.
        key: The session key: 5 or 16 bytes for RC4, 16 for RC2, 16, 24 or 32 for AES.
        algorithm: The cipher.
        privacy_level: 1, 3 or 5; if left out, 5 for AES, 1 for a key of 40 bits, otherwise 3.
        public_key: The receiver's key, which encrypts the session key into a SIMPLEBLOB for the message.

    Raises:
        SecurityError: The body is encrypted already, there is no such cipher or level, they do not go
            together, or the session key has the wrong length.
        UnavailableError: The cipher is not installed, or not with keys of this length.
    """
    require_message(packet)
    properties = packet.MessagePropertiesHeader
    if packet.SecurityHeader is not None and packet.SecurityHeader.Flags.EB:
        raise SecurityError("the body is encrypted already", packet)
    check_key(key, algorithm)
    level = privacy_level
    if level is None:
        level = 5 if algorithm in _NEW else 1 if len(key) == 5 else 3
    _check_level(level, algorithm)
    made = replace(
        properties,
        MessageBody=encrypt(properties.MessageBody, key, algorithm),
        PrivacyLevel=level,
        EncryptionAlgorithm=algorithm,
    )
    parts: dict[str, bytes] = {}
    if public_key is not None:
        parts["EncryptionKey"] = session_key_to_blob(key, algorithm, public_key).encode()
    return _with_security(replace(packet, MessagePropertiesHeader=made), {"EB": 1}, parts)


def session_key_of(packet: UserMessage, private_key: RSAPrivateKey) -> bytes:
    """The session key that a message brings along.

    Raises:
        SecurityError: There is none, it is for another cipher than the body's, or does not decrypt.
        DecodeError: It is no SIMPLEBLOB.
        UnavailableError: The cipher is not installed, or not with keys of this length.
    """
    require_message(packet)
    header = packet.SecurityHeader
    raw = b"" if header is None or header.SecurityData is None else header.SecurityData.EncryptionKey
    if not raw:
        raise SecurityError("the message has no session key", packet)
    blob = SIMPLEBLOB.decode(raw)
    if blob.sessionKeyAlgorithm != packet.MessagePropertiesHeader.EncryptionAlgorithm:
        raise SecurityError("the session key is for another cipher than the body's", blob)
    return session_key_from_blob(blob, private_key)


def decrypt_body(packet: UserMessage, key: bytes | RSAPrivateKey) -> UserMessage:
    """The message with its body in clear ([MS-MQQB] 3.1.5.8.3).

    `MessageBody` and its two sizes change; `PrivacyLevel` and the flag EB become zero.
    `EncryptionAlgorithm` and `EncryptionKey` stay.

    Args:
        packet: The message.
        key: The session key, or the receiver's private key to decrypt the message's SIMPLEBLOB with.

    Raises:
        SecurityError: The body is not encrypted, does not decrypt with this key, or `PrivacyLevel` and
            `EncryptionAlgorithm` do not go together; the message brings no session key along.
        DecodeError: The session key that the message brings along is no SIMPLEBLOB.
        UnavailableError: The cipher is not installed, or not with keys of this length.
    """
    require_message(packet)
    header, properties = packet.SecurityHeader, packet.MessagePropertiesHeader
    if header is None or not header.Flags.EB:
        raise SecurityError("the body is not encrypted", packet)
    _check_level(properties.PrivacyLevel, properties.EncryptionAlgorithm)
    if isinstance(key, RSAPrivateKey):
        key = session_key_of(packet, key)
    clear = decrypt(properties.MessageBody, key, properties.EncryptionAlgorithm)
    made = replace(properties, MessageBody=clear, PrivacyLevel=0)
    return _with_security(replace(packet, MessagePropertiesHeader=made), {"EB": 0}, {})
