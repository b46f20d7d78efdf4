"""[MS-MQMQ] 2.2.1 to 2.2.18, 2.2.21, 2.2.22: keys, addresses, queue names and certificates.

1. QUEUE_FORMAT and PROPVARIANT are arguments of RPC calls; packets and directory messages do not contain
   them.
2. A name in a list is aligned by its element (errata M13) and has no ``DIRECT=`` (errata M12).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msmq_wire.definitions.relations import md5
from msmq_wire.names.format_names import DirectName, check, is_allowed
from msmq_wire.values.errors import EncodeError
from msmq_wire.values.wchar import wchar_count

from .vocabulary import (
    NAMES_OF_SDK,
    Embedded,
    Explains,
    Rule,
    byte_count,
    count,
    ends_with_null,
    fills,
    fits,
    form,
    identifies,
    inside,
    one_of,
    practice,
    rule,
    size,
    wchar_bytes,
)

_ADDRESSES = {1: 4, 2: 4, 3: 10, 5: 16}
_PUBLICKEYBLOB_BEGINS = b"\x06\x02\x00\x00\x00\xa4\x00\x00"
"""The BLOBHEADER of a public key that is for the exchange of keys."""
_LEAST_PUBLICKEYBLOB = 20
_KEY = "a BLOBHEADER with bType 6, bVersion 2, reserved 0 and aiKeyAlg 0xa400, and an RSAPUBKEY"
_SHORT = 256
_READ_ONLY = (";JOURNAL", ";DEADLETTER", ";DEADXACT")


def direct_name_problem(text: str, *, sdk: bool = False) -> str:
    """Return why neither the first nor the latest version of MSMQ allows the name; empty if one does."""
    return _short_name_problem(text, sdk) if len(text) <= _SHORT else _name_problem(text, sdk)


@lru_cache(maxsize=1024)
def _short_name_problem(text: str, sdk: bool) -> str:
    """Return the same for short names, cached because many messages go to few queues."""
    return _name_problem(text, sdk)


def _name_problem(text: str, sdk: bool) -> str:
    try:
        name = DirectName.from_wire_text(text)
    except EncodeError as error:
        return error.problem
    return "" if is_allowed(name, sdk=sdk) else check(name, sdk=sdk)[0]


def _direct_name(requirement: str) -> tuple[Rule, ...]:
    """Return the rules for a direct name: one by the pages of the SDK, and a stricter one by the document."""

    def allows(*, sdk: bool) -> Explains:
        return Explains(lambda name: direct_name_problem(name.DirectFormatName.removesuffix("\0"), sdk=sdk))

    by_sdk, by_document = (
        fits(requirement, "DirectFormatName", allows(sdk=sdk), "a direct format name")
        for sdk in (True, False)
    )
    return by_sdk, practice(by_document, erratum="M47", known=NAMES_OF_SDK)


def _name_padded(name: Any) -> bool:
    """Return whether the padding goes to the next multiple of 4 bytes; a WCHAR and Count have two each."""
    return len(name.Padding) == (0 if wchar_count(name.DirectFormatName) & 1 else 2)


def _can_be_written_to(name: Any) -> bool:
    """Return whether a name is not that of a journal or of a dead-letter queue, which are only read."""
    return not name.DirectFormatName.upper().endswith(_READ_ONLY)


def _is_key(key: Any) -> bool:
    return len(key.aBuf) >= _LEAST_PUBLICKEYBLOB and key.aBuf.startswith(_PUBLICKEYBLOB_BEGINS)


RULES: dict[str, tuple[Rule, ...]] = {
    "MQDSPUBLICKEY": (
        size("MQMQ-2.2.1-01", "ulKeyLen", "aBuf"),
        wchar_bytes("MQMQ-2.2.1-02", "ulProviderLen", "sProviderName"),
        one_of("MQMQ-2.2.1-04", "ulProviderType", 0x01, 0x18),
        fits("MQMQ-2.2.1-05", "aBuf", _is_key, _KEY),
        ends_with_null("MQMQ-2.2.1-06", "sProviderName"),
    ),
    "MQDSPUBLICKEYS": (
        byte_count("MQMQ-2.2.2-01", "ulLen"),
        count("MQMQ-2.2.2-02", "cNumofKeys", "aPublicKeys"),
    ),
    "TA_ADDRESS": (
        size("MQMQ-2.2.4-01", "AddressLength", "Address"),
        *(
            rule(
                "MQMQ-2.2.4-02",
                "AddressLength",
                "==",
                length,
                "4 for IP, 10 for IPX and 16 for foreign addresses",
                ("AddressType", "==", number),
            )
            for number, length in _ADDRESSES.items()
        ),
        one_of("MQMQ-2.2.4-03", "AddressType", *_ADDRESSES),
    ),
    "MQFFormatNameElement": (
        one_of("MQMQ-2.2.18.1.4-01", "FormatType", 1, 2, 3, 6),
        form("MQMQ-2.2.18.1.4-02", "FormatName", "FormatType"),
    ),
    "MQFDistributionQueueFormatName": (
        identifies("MQMQ-2.2.18.1.4.2-02", "DistributionListIdentifier", "a distribution list"),
    ),
    "PublicQueueFormatName": (identifies("MQMQ-2.2.18.1.7.1-02", "PublicQueueIdentifier", "a public queue"),),
    "PrivateQueueFormatName": (
        identifies("MQMQ-2.2.18.1.7.2-02", "SourceQueueManager", "the queue manager of the queue"),
    ),
    "MQFDirectQueueFormatName": (
        *_direct_name("MQMQ-2.2.18.1.4.1-02"),
        fits(
            "MQMQ-2.1.7-01",
            "DirectFormatName",
            _can_be_written_to,
            "the name of a queue that messages can be sent to",
        ),
    ),
    "DirectQueueFormatName": (
        wchar_bytes("MQMQ-2.2.18.1.5.2-02", "Count", "DirectFormatName"),
        ends_with_null("MQMQ-2.2.18.1.5.2-03", "DirectFormatName"),
        *_direct_name("MQMQ-2.2.18.1.5.2-03"),
        fills("MQMQ-2.2.18.1.5.2-03", "Padding", _name_padded),
    ),
    "MQUSERSIGNCERTS": (count("MQMQ-2.2.21-01", "CertificateCount", "Certificates"),),
    "MQUSERSIGNCERT": (
        fits("MQMQ-2.2.22-01", "Digest", lambda c: c.Digest == md5(c.Certificate), "the MD5 of Certificate"),
        size("MQMQ-2.2.22-02", "CertificateLength", "Certificate"),
    ),
}

EMBEDDED: dict[str, tuple[Embedded, ...]] = {
    "MQDSPUBLICKEY": (inside("aBuf", "PUBLICKEYBLOB", _PUBLICKEYBLOB_BEGINS),),
}
