"""Key blobs, and ciphers for bytes: the part of `crypto` that does not depend on packets.

1. RSA numbers and encrypted session keys are little-endian ([MS-MQQB] 2.4).
2. The ALG_ID selects the cipher, which determines the valid key lengths: 40 or 128 bits for RC2 and RC4, the
   standard length for AES ([MS-MQQB] 3.1.7.1.5).
3. `cryptography` is called inside `guarded`, which converts its exceptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4, RC2
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey, RSAPublicNumbers
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.padding import PKCS7
from cryptography.hazmat.primitives.serialization import load_der_private_key, load_pem_private_key
from cryptography.hazmat.primitives.serialization.pkcs12 import load_key_and_certificates

from msmq_wire.documents.mqmq import SenderCertPublicKey
from msmq_wire.documents.mqqb import PUBLICKEYBLOB, SIMPLEBLOB
from msmq_wire.packets.signature import SecurityError, UnavailableError
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.enumerations import ALG_ID
from msmq_wire.values.errors import in_bytes, need, shortened, wrong_type

from .guard import guarded

if TYPE_CHECKING:
    from collections.abc import Callable

KEYX = int(ALG_ID.CALG_RSA_KEYX)
_RSA_KEYS = (int(ALG_ID.CALG_RSA_SIGN), KEYX)

KEY_SIZES: dict[int, tuple[int, ...]] = {
    ALG_ID.CALG_RC2: (5, 16),
    ALG_ID.CALG_RC4: (5, 16),
    ALG_ID.CALG_AES_128: (16,),
    ALG_ID.CALG_AES_192: (24,),
    ALG_ID.CALG_AES_256: (32,),
}
"""Valid key lengths in bytes, by cipher."""


def check_key(key: bytes, algorithm: int) -> None:
    """Check that the documents define a cipher, and that the key has a valid length for it.

    Raises:
        SecurityError: The cipher or the key is invalid.
    """
    sizes = KEY_SIZES.get(algorithm) if isinstance(algorithm, int) else None
    if sizes is None:
        expected = ", ".join(f"{number:#x}" for number in KEY_SIZES)
        shown = f"{algorithm:#x}" if isinstance(algorithm, int) else shortened(algorithm)
        raise SecurityError(f"{shown} is not an encryption algorithm; expected one of {expected}", algorithm)
    need("key", key, (bytes, bytearray, memoryview), "bytes")
    if len(key) not in sizes:
        wanted = " or ".join(str(size) for size in sizes)
        raise SecurityError(
            f"expected a key of {wanted} bytes for {ALG_ID(algorithm).name}, got {len(key)}", len(key)
        )


def read_private_key(data: bytes) -> RSAPrivateKey:
    """Return the RSA private key in the contents of a file.

    Args:
        data: PEM, DER (PKCS #8 or PKCS #1), or PKCS #12 without a password.

    Raises:
        SecurityError: The contents are none of these, have a password, or are a key of another kind.
    """
    readers: tuple[Callable[[bytes], Any], ...] = (
        (lambda text: load_pem_private_key(text, None),)
        if b"-----BEGIN" in data
        else (
            lambda der: load_der_private_key(der, None),
            lambda pfx: load_key_and_certificates(pfx, None)[0],
        )
    )
    problems = []
    for reader in readers:
        try:
            key = reader(data)
        except Exception as error:  # noqa: BLE001  # hostile bytes cause many kinds of exceptions
            problems.append(str(error) or type(error).__name__)
            continue
        if isinstance(key, RSAPrivateKey):
            return key
        raise SecurityError(f"expected an RSA private key, got {type(key).__name__}", None)
    if any("password" in problem.lower() for problem in problems):
        raise SecurityError("the private key has a password: remove it first", None)
    raise SecurityError("expected an RSA private key in PEM, DER or PKCS #12", None)


def refusal(key: Any, kind: type[RSAPrivateKey | RSAPublicKey], action: str) -> str:
    """Return why a key cannot do something: it is another kind of key, or too short."""
    if isinstance(key, kind):
        return f"an RSA key of {key.key_size} bits cannot {action}"
    return wrong_type(f"a {'private' if kind is RSAPrivateKey else 'public'} RSA key", key)


# ------------------------------------------------------------------------------------------ key blobs


def public_key_from_blob(blob: PUBLICKEYBLOB | SenderCertPublicKey) -> RSAPublicKey:
    """Decode the public key in a blob ([MS-MQQB] 2.4.1, [MS-MQMQ] 2.2.20.6).

    Raises:
        SecurityError: A constant of the blob is wrong, the modulus has another length than the blob
            states, or the numbers are not an RSA key.
    """
    need("blob", blob, (PUBLICKEYBLOB, SenderCertPublicKey), "a PUBLICKEYBLOB or SenderCertPublicKey")
    if isinstance(blob, PUBLICKEYBLOB):
        kind, bits, exponent, modulus = blob.aiKeyAlg, blob.bitLen, blob.pubExp, blob.modulus
    else:
        kind, bits, exponent, modulus = blob.KeyType, blob.LengthInBits, blob.PublicExponent, blob.Modulus
    name = type(blob).__name__
    if (blob.bType, blob.bVersion, blob.magic) != (6, 2, b"RSA1") or kind not in _RSA_KEYS:
        raise SecurityError(f"the {name} does not hold a public RSA key", blob)
    number = int.from_bytes(modulus, "little")
    if number.bit_length() > bits or len(modulus) * 8 < bits:
        raise SecurityError(
            f"expected a modulus of {bits} bits in the {name}, found {in_bytes(len(modulus))}", blob
        )
    with guarded(f"the numbers of the {name} are not an RSA key", blob, tell=True):
        return RSAPublicNumbers(exponent, number).public_key()


def _numbers(key: RSAPublicKey) -> tuple[int, int, bytes]:
    """Return bit length, exponent and modulus."""
    with guarded(wrong_type("a public RSA key", key), key):
        numbers, bits = key.public_numbers(), key.key_size
        return bits, numbers.e, numbers.n.to_bytes(-(-bits // 8), "little")


def public_key_to_blob(key: RSAPublicKey, algorithm: int = KEYX) -> PUBLICKEYBLOB:
    """Encode a public key for encryption as a blob ([MS-MQQB] 2.4.1).

    Args:
        key: The key.
        algorithm: CALG_RSA_KEYX; with CALG_RSA_SIGN the blob is like that of a signing key.

    Raises:
        SecurityError: The key is not an RSA key.
        EncodeError: The exponent does not fit 32 bits.
    """
    bits, exponent, modulus = _numbers(key)
    return PUBLICKEYBLOB(aiKeyAlg=algorithm, bitLen=bits, pubExp=exponent, modulus=modulus)


def public_key_to_sender_key(
    key: RSAPublicKey, algorithm: int = int(ALG_ID.CALG_RSA_SIGN)
) -> SenderCertPublicKey:
    """Encode a public key for signatures as a structure ([MS-MQMQ] 2.2.20.6, errata M7).

    Args:
        key: The key.
        algorithm: CALG_RSA_SIGN, or CALG_RSA_KEYX for a key that encrypts.

    Raises:
        SecurityError: The key is not an RSA key.
        EncodeError: The exponent does not fit 32 bits.
    """
    bits, exponent, modulus = _numbers(key)
    return SenderCertPublicKey(KeyType=algorithm, LengthInBits=bits, PublicExponent=exponent, Modulus=modulus)


def session_key_to_blob(key: bytes, algorithm: int, public_key: RSAPublicKey) -> SIMPLEBLOB:
    """Encrypt a session key for the owner of a public key ([MS-MQQB] 2.4.2).

    Args:
        key: The session key.
        algorithm: The cipher for which it is used.
        public_key: The receiver's key.

    Raises:
        SecurityError: There is no such cipher, or the key has the wrong length for it or for the RSA key.
    """
    check_key(key, algorithm)
    with guarded(refusal(public_key, RSAPublicKey, f"encrypt {in_bytes(len(key))}"), public_key):
        encrypted = public_key.encrypt(key, PKCS1v15())
    return SIMPLEBLOB(sessionKeyAlgorithm=algorithm, encryptedKey=encrypted[::-1])


def session_key_from_blob(blob: SIMPLEBLOB, private_key: RSAPrivateKey) -> bytes:
    """Decrypt the session key in a blob ([MS-MQQB] 2.4.2).

    With a wrong private key, some versions of `cryptography` return random bytes instead of an error, so
    that an attacker learns nothing.  Such bytes rarely have a valid length; if they do, decrypting the
    body fails.

    Raises:
        SecurityError: A constant of the blob is wrong, its key has another size than the RSA key, cannot
            be decrypted, or has an invalid length for its cipher.
    """
    need("blob", blob, SIMPLEBLOB, "a SIMPLEBLOB")
    if (blob.bType, blob.bVersion, blob.aiKeyAlg) != (1, 2, KEYX):
        raise SecurityError("the SIMPLEBLOB does not hold a session key encrypted with RSA", blob)
    wrong = "the session key cannot be decrypted with this RSA key"
    with guarded(wrong, blob):
        size = -(-private_key.key_size // 8)
        if len(blob.encryptedKey) != size:
            raise SecurityError(
                f"expected an encrypted session key of {size} bytes, found {len(blob.encryptedKey)}", blob
            )
        key = private_key.decrypt(blob.encryptedKey[::-1], PKCS1v15())
    try:
        check_key(key, blob.sessionKeyAlgorithm)
    except SecurityError as error:
        if blob.sessionKeyAlgorithm not in KEY_SIZES:
            raise
        raise SecurityError(wrong, blob) from error
    return key


# ------------------------------------------------------------------------------------------- ciphers


def _cipher(key: bytes, algorithm: int) -> tuple[Cipher[Any], int]:
    """Return the cipher and its block size in bits; 0 for a stream cipher."""
    if algorithm == ALG_ID.CALG_RC4:
        return Cipher(ARC4(key), None), 0
    if algorithm == ALG_ID.CALG_RC2:
        if len(key) != KEY_SIZES[algorithm][-1]:
            raise UnavailableError(
                "cryptography supports RC2 with keys of 128 bits only, not 40; "
                "if a key of 40 bits is padded with zeros, include the zeros",
                algorithm,
            )
        return Cipher(RC2(key), CBC(bytes(RC2.block_size // 8))), RC2.block_size
    return Cipher(AES(key), CBC(bytes(AES.block_size // 8))), AES.block_size


def encrypt(data: bytes, key: bytes, algorithm: int) -> bytes:
    """Encrypt a body.

    Args:
        data: The plaintext body.
        key: The session key.
        algorithm: A value of `EncryptionAlgorithm`.

    Raises:
        SecurityError: There is no such cipher, or the key has the wrong length for it.
        UnavailableError: The cipher is not installed, or not with keys of this length.
    """
    check_key(key, algorithm)
    data = as_bytes(data)
    with guarded(f"the body cannot be encrypted with {ALG_ID(algorithm).name}", len(data)):
        cipher, block = _cipher(key, algorithm)
        if block:
            padder = PKCS7(block).padder()  # the padding of PKCS #5, for any block size
            data = padder.update(data) + padder.finalize()
        encryptor = cipher.encryptor()
        return encryptor.update(data) + encryptor.finalize()


def decrypt(data: bytes, key: bytes, algorithm: int) -> bytes:
    """Decrypt a body.

    The padding often reveals a wrong key, but not always, and never with RC4.

    Args:
        data: The encrypted body.
        key: The session key.
        algorithm: A value of `EncryptionAlgorithm`.

    Raises:
        SecurityError: There is no such cipher, the key has the wrong length for it, or the body is not
            encrypted with this key.
        UnavailableError: The cipher is not installed, or not with keys of this length.
    """
    check_key(key, algorithm)
    data = as_bytes(data)
    with guarded("the body cannot be decrypted with this key", len(data)):
        cipher, block = _cipher(key, algorithm)
        decryptor = cipher.decryptor()
        clear = decryptor.update(data) + decryptor.finalize()
        if block:
            remover = PKCS7(block).unpadder()
            clear = remover.update(clear) + remover.finalize()
        return clear
