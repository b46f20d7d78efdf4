"""The algorithms of messages ([MS-MQMQ] 2.2.19.3), as numbers of ALG_ID."""

from __future__ import annotations

from typing import Final

from .enumerations import ALG_ID

RC: Final = (int(ALG_ID.CALG_RC2), int(ALG_ID.CALG_RC4))
AES: Final = (int(ALG_ID.CALG_AES_128), int(ALG_ID.CALG_AES_192), int(ALG_ID.CALG_AES_256))
CIPHERS: Final = {1: RC, 3: RC, 5: AES}
"""Ciphers, by PrivacyLevel."""
BLOCKS: Final = {RC[0]: 8, **dict.fromkeys(AES, 16)}
"""Bytes of a block, by the algorithm of a body that is padded to whole blocks."""
HASHES: Final = {
    ALG_ID.CALG_MD2: "md2",
    ALG_ID.CALG_MD4: "md4",
    ALG_ID.CALG_MD5: "md5",
    ALG_ID.CALG_SHA1: "sha1",
    ALG_ID.CALG_SHA_256: "sha256",
    ALG_ID.CALG_SHA_512: "sha512",
}
"""The values of `HashAlgorithm` with their names in `hashlib`."""
HASH_NUMBERS: Final = frozenset(map(int, HASHES))
_MD5, _SHA_1, SHA_512 = int(ALG_ID.CALG_MD5), int(ALG_ID.CALG_SHA1), int(ALG_ID.CALG_SHA_512)
DEFAULT_HASHES: Final = {1: _MD5, 2: _MD5, 3: _SHA_1, 4: _SHA_1, 5: SHA_512, 6: SHA_512}
"""The default hash algorithm of each version of MSMQ ([MS-MQMQ] note 7, [MS-MQCN] note 12, errata C7)."""
MODULUS_SIZES: Final = (64, 128, 256)
"""The sizes of the moduli of RSA keys, in bytes."""
