"""The fields that a digital signature covers, and their digest.  `crypto` signs and verifies.

1. The fields and their order are those of [MS-MQMQ] 2.5.1, 2.5.2 and 2.5.3, one list for each version.
2. Numbers are hashed as on the wire, little-endian, with the widths that the section defines.
3. Where the section does not define the form of a field (errata M26), `Forms` selects it.  No document has a
   signed packet, so the defaults are assumptions: each field as in the packet, without padding, and nothing
   for an absent field.
4. The message is hashed as it is, including an encrypted body.  Decrypt it first to compute the digest of its
   sender, who signs before encrypting ([MS-MQQB] 3.1.7.1.4 and 3.1.7.1.5).
5. The hash algorithm is the packet's own `HashAlgorithm` unless another one is given.
"""

from __future__ import annotations

import enum
import hashlib
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from msmq_wire.documents.mqmq import DirectQueueFormatName
from msmq_wire.documents.user_message import MessagePacket, UserMessage
from msmq_wire.values import algorithms
from msmq_wire.values.buffers import as_bytes
from msmq_wire.values.enumerations import ALG_ID
from msmq_wire.values.errors import MsmqWireError, WrongTypeError, need, portable, shortened, wrong_type
from msmq_wire.values.wchar import to_wchars

from .carriers import queue_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "DEFAULT_FORMS",
    "HASHES",
    "Forms",
    "RegionField",
    "SecurityError",
    "SignatureRegion",
    "SignatureVersion",
    "UnavailableError",
    "default_version",
    "digest",
    "hash_of",
    "signature_region",
]


class SecurityError(MsmqWireError):
    """A message cannot be signed, verified, encrypted or decrypted.

    Attributes:
        problem: Description of the problem.
        actual: The value that caused it, or None.
    """

    def __init__(self, problem: str, actual: object = None) -> None:
        self.problem = problem
        self.actual = actual
        super().__init__(problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, portable(self.actual))


class UnavailableError(SecurityError):
    """The documents define this algorithm, but no installed package implements it."""


class SignatureVersion(enum.IntEnum):
    """The versions of digital signatures; the sender of a message chooses one ([MS-MQMQ] 2.2.20.6)."""

    MSMQ_1_0 = 1
    """[MS-MQMQ] 2.5.1."""
    MSMQ_2_0 = 2
    """[MS-MQMQ] 2.5.2."""
    MSMQ_3_0 = 3
    """[MS-MQMQ] 2.5.3, for messages to several destinations; also made by later versions of MSMQ."""


_OPEN: dict[str, tuple[object, ...]] = {
    "label": ("wire", "bare"),
    "queues": ("wire", "padded", "text", "terminated"),
    "byte_order": ("little", "big"),
}


class Forms(msgspec.Struct, frozen=True, kw_only=True):
    """Details of signatures that the documents do not define (errata M26), with default choices.

    Attributes:
        label: ``"wire"``: `Label` with all its WCHARs, terminator included; ``"bare"``: up to the terminator.
        queues: ``"wire"``: a queue name as its structure in the packet, without the padding of direct names
            and list elements; ``"padded"``: with that padding; ``"text"``: as the text of its format name in
            UTF-16, little-endian, with upper-case GUIDs, several names separated by commas; ``"terminated"``:
            that text and a null character.  As text, a `ResponseQueue` that equals the administration queue
            (Flags.RQ 0x1) has that queue's name; in the other forms it is absent.
        absent_queue: The bytes hashed for an absent queue.
        absent_connector_type: The bytes hashed for an absent `ConnectorType`; `bytes(16)` for a null GUID.
        destination_in_3_0: Whether a version 3.0 region ends with `DestinationQueue`, as one of version 2.0
            does; [MS-MQMQ] 2.5.3 does not list it.
        byte_order: Order of the signature's bytes.  ``"little"`` as for the other results of RSA in a
            packet, `SIMPLEBLOB.encryptedKey` and the moduli ([MS-MQQB] 2.4); ``"big"`` as in RFC 8017.
        digest_info: Whether the digest is signed within a DigestInfo (RFC 8017 9.2), or directly.
    """

    label: Literal["wire", "bare"] = "wire"
    queues: Literal["wire", "padded", "text", "terminated"] = "wire"
    absent_queue: bytes = b""
    absent_connector_type: bytes = b""
    destination_in_3_0: bool = False
    byte_order: Literal["little", "big"] = "little"
    digest_info: bool = True

    def __post_init__(self) -> None:
        need("absent_queue", self.absent_queue, bytes, "bytes")
        need("absent_connector_type", self.absent_connector_type, bytes, "bytes")
        for name, allowed in _OPEN.items():
            value = getattr(self, name)
            if value not in allowed:
                raise SecurityError(
                    f"{name} is one of {', '.join(map(str, allowed))}, not {shortened(value)}", value
                )


DEFAULT_FORMS = Forms()
"""The default choices."""


class RegionField(NamedTuple):
    """One field of a region.

    Attributes:
        name: The field as [MS-MQMQ] 2.5 writes it.
        data: The bytes that are hashed for it.
    """

    name: str
    data: bytes


class SignatureRegion(NamedTuple):
    """The fields that a signature covers.

    Attributes:
        version: The version of the signature.
        fields: The fields in order.
    """

    version: SignatureVersion
    fields: tuple[RegionField, ...]

    @property
    def data(self) -> bytes:
        """The concatenated bytes of the fields."""
        return b"".join(field.data for field in self.fields)


# ------------------------------------------------------------------------------------------ the region

_FIRST = (
    "MessagePropertiesHeader.CorrelationID",
    "MessagePropertiesHeader.ApplicationTag",
    "MessagePropertiesHeader.MessageBody",
    "MessagePropertiesHeader.Label",
    "UserHeader.ResponseQueue",
    "UserHeader.AdminQueue",
)
_ONLY_3_0 = ("MessagePropertiesHeader.ExtensionData", "MultiQueueFormatHeader.FormatNameList")
_SINCE_2_0 = (
    "UserHeader.SourceQueueManager",
    "UserHeader.Flags.DM",
    "BaseHeader.Flags.PR",
    "UserHeader.Flags.JP << 1 | UserHeader.Flags.JN",
    "MessagePropertiesHeader.Flags & 0x0F",
    "MessagePropertiesHeader.MessageClass",
    "MessagePropertiesHeader.BodyType",
    "UserHeader.ConnectorType",
)
_DESTINATION = "UserHeader.DestinationQueue"

_NAMES = {
    SignatureVersion.MSMQ_1_0: _FIRST,
    SignatureVersion.MSMQ_2_0: (*_FIRST, *_SINCE_2_0, _DESTINATION),
    SignatureVersion.MSMQ_3_0: (*_FIRST, *_ONLY_3_0, *_SINCE_2_0),
}


def _label(packet: UserMessage, forms: Forms) -> bytes:
    text = packet.MessagePropertiesHeader.Label
    return to_wchars(text.partition("\0")[0] if forms.label == "bare" else text)


def _text(name: object, forms: Forms) -> bytes:
    return to_wchars(f"{name}\0" if forms.queues == "terminated" else f"{name}")


_TEXTS = {"ResponseQueue": "response_queue", "AdminQueue": "admin_queue", "DestinationQueue": "destination"}


def _queue(field: str) -> Callable[[UserMessage, Forms], bytes]:
    def read(packet: UserMessage, forms: Forms) -> bytes:
        as_text = forms.queues in {"text", "terminated"}
        name: Any = getattr(packet.UserHeader, _TEXTS[field] if as_text else field)
        if name is None:
            return forms.absent_queue
        if as_text:
            return _text(name, forms)
        data: bytes = name.encode()
        if forms.queues == "wire" and isinstance(name, DirectQueueFormatName):
            return data[: len(data) - len(name.Padding)]
        return data

    return read


def _format_name_list(packet: UserMessage, forms: Forms) -> bytes:
    header = packet.MultiQueueFormatHeader
    if header is None or not header.Destination.FormatNameList:
        return b""
    if forms.queues in {"text", "terminated"}:
        return _text(header.Destination.names, forms)
    if forms.queues == "padded":
        return b"".join(element.encode() for element in header.Destination.FormatNameList)
    return b"".join(
        element.FormatType.to_bytes(2, "little") + element.FormatName.encode()
        for element in header.Destination.FormatNameList
    )


def _connector_type(packet: UserMessage, forms: Forms) -> bytes:
    connector = packet.UserHeader.ConnectorType
    return forms.absent_connector_type if connector is None else connector.bytes_le


def _journaling(packet: UserMessage) -> int:
    return packet.UserHeader.Flags.JP << 1 | packet.UserHeader.Flags.JN


_READ: dict[str, Callable[[UserMessage, Forms], bytes]] = {
    "MessagePropertiesHeader.CorrelationID": lambda p, _: p.MessagePropertiesHeader.CorrelationID,
    "MessagePropertiesHeader.ApplicationTag": (
        lambda p, _: p.MessagePropertiesHeader.ApplicationTag.to_bytes(4, "little")
    ),
    "MessagePropertiesHeader.MessageBody": lambda p, _: p.MessagePropertiesHeader.MessageBody,
    "MessagePropertiesHeader.Label": _label,
    "UserHeader.ResponseQueue": _queue("ResponseQueue"),
    "UserHeader.AdminQueue": _queue("AdminQueue"),
    "MessagePropertiesHeader.ExtensionData": lambda p, _: p.MessagePropertiesHeader.ExtensionData,
    "MultiQueueFormatHeader.FormatNameList": _format_name_list,
    "UserHeader.SourceQueueManager": lambda p, _: p.UserHeader.SourceQueueManager.bytes_le,
    "UserHeader.Flags.DM": lambda p, _: bytes([p.UserHeader.Flags.DM]),
    "BaseHeader.Flags.PR": lambda p, _: bytes([p.BaseHeader.Flags.PR]),
    "UserHeader.Flags.JP << 1 | UserHeader.Flags.JN": lambda p, _: bytes([_journaling(p)]),
    "MessagePropertiesHeader.Flags & 0x0F": (lambda p, _: bytes([p.MessagePropertiesHeader.Flags & 0x0F])),
    "MessagePropertiesHeader.MessageClass": (
        lambda p, _: p.MessagePropertiesHeader.MessageClass.to_bytes(2, "little")
    ),
    "MessagePropertiesHeader.BodyType": lambda p, _: p.MessagePropertiesHeader.BodyType.to_bytes(4, "little"),
    "UserHeader.ConnectorType": _connector_type,
    _DESTINATION: _queue("DestinationQueue"),
}


def _fields(packet: UserMessage, version: SignatureVersion, forms: Forms) -> Iterator[RegionField]:
    for name in _NAMES[version]:
        yield RegionField(name, _READ[name](packet, forms))
    if version is SignatureVersion.MSMQ_3_0 and forms.destination_in_3_0:
        yield RegionField(_DESTINATION, _READ[_DESTINATION](packet, forms))


def require_message(packet: object) -> None:
    """Check that a packet is a UserMessage, the only packet with all fields.

    Raises:
        WrongTypeError: The packet is not a UserMessage.
    """
    if not isinstance(packet, UserMessage):
        told = wrong_type("a UserMessage", packet)
        raise WrongTypeError(f"{told}: use its UserMessage" if isinstance(packet, MessagePacket) else told)


def _version(version: int) -> SignatureVersion:
    try:
        return SignatureVersion(version)
    except ValueError:
        raise SecurityError(
            f"a signature has the version 1, 2 or 3, not {shortened(version)}", version
        ) from None


def signature_region(
    packet: UserMessage, version: SignatureVersion | int, *, forms: Forms = DEFAULT_FORMS
) -> SignatureRegion:
    """The fields that a signature covers, in order ([MS-MQMQ] 2.5.1 to 2.5.3).

    Args:
        packet: The message.
        version: 1, 2 or 3, for MSMQ 1.0, 2.0 or 3.0.
        forms: Choices for undocumented details.

    Raises:
        SecurityError: There is no such version.
        EncodeError: A queue name is hashed as text, and the packet does not hold a valid name.
        WrongTypeError: The packet is not a UserMessage, or `forms` are no Forms.
    """
    need("forms", forms, Forms, "Forms")
    require_message(packet)
    checked = _version(version)
    return SignatureRegion(checked, tuple(_fields(packet, checked, forms)))


def default_version(packet: UserMessage) -> SignatureVersion:
    """The version that the sender of a message would use.

    3.0 for a message to several destinations ([MS-MQQB] 3.1.7.1.4); 1.0 for a message to a directory queue,
    by [MC-MQDSRP] 3.1.7.2.1 (errata D26); otherwise 2.0, which a receiver tries first
    ([MS-MQQB] 3.1.5.8.3).

    Raises:
        WrongTypeError: The packet is not a UserMessage.
    """
    require_message(packet)
    if packet.MultiQueueFormatHeader is not None:
        return SignatureVersion.MSMQ_3_0
    return SignatureVersion.MSMQ_2_0 if queue_of(packet) is None else SignatureVersion.MSMQ_1_0


# ------------------------------------------------------------------------------------------ the digest

HASHES = algorithms.HASHES
"""The values of `HashAlgorithm` ([MS-MQMQ] 2.2.19.3) with their names in `hashlib`."""


def hash_of(data: bytes, algorithm: int) -> bytes:
    """Hash bytes.

    MD5, SHA-1, SHA-256 and SHA-512 are part of Python.  MD4 and MD2 are taken from `hashlib` if the
    interpreter has them, otherwise from the package pycryptodome if it is installed.

    Args:
        data: The bytes to hash.
        algorithm: A value of `HashAlgorithm`.

    Raises:
        SecurityError: The documents have no such hash algorithm.
        UnavailableError: Neither the interpreter nor pycryptodome offers it.
    """
    data = as_bytes(data)
    try:
        name = HASHES[ALG_ID(algorithm)]
    except (KeyError, ValueError):
        expected = ", ".join(f"{number.value:#x} ({text.upper()})" for number, text in HASHES.items())
        shown = f"{algorithm:#x}" if isinstance(algorithm, int) else shortened(algorithm)
        raise SecurityError(
            f"{shown} is not a hash algorithm; expected one of {expected}", algorithm
        ) from None
    try:
        return hashlib.new(name, data, usedforsecurity=False).digest()
    except ValueError:
        pass
    for package in ("Cryptodome", "Crypto"):
        try:
            module: Any = import_module(f"{package}.Hash.{name.upper()}")
        except ImportError:
            continue
        digest: bytes = module.new(data).digest()
        return digest
    raise UnavailableError(
        f"{name.upper()} is not offered by this interpreter; install pycryptodome for MD2 and MD4", algorithm
    )


def digest(
    packet: UserMessage,
    version: SignatureVersion | int | None = None,
    algorithm: int | None = None,
    *,
    forms: Forms = DEFAULT_FORMS,
) -> bytes:
    """Hash the fields that a signature covers.

    Args:
        packet: The message.
        version: 1, 2 or 3; by default the result of `default_version`.
        algorithm: A value of `HashAlgorithm`; by default the packet's own.
        forms: Choices for undocumented details.

    Raises:
        SecurityError: There is no such version or algorithm.
        UnavailableError: The algorithm is not installed.
        EncodeError: A queue name is hashed as text, and the packet does not hold a valid name.
        WrongTypeError: The packet is not a UserMessage.
    """
    wanted = default_version(packet) if version is None else version
    region = signature_region(packet, wanted, forms=forms)
    number = packet.MessagePropertiesHeader.HashAlgorithm if algorithm is None else algorithm
    return hash_of(region.data, number)
