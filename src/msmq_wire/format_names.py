"""Path names and format names of queues: immutable values that are read from text and print as text.

1. A value exists only if its text reads back as the same value; a constructor refuses any other.
2. `parse` refuses text that lacks a part or cannot be divided into parts.  Text that can be divided but
   breaks a length or a character set is kept as it is; `check` lists such breaches.
3. Keywords are read in any case and printed in upper case, except ``private$`` and ``system$`` of a path
   name, which print in lower case.  GUIDs print in upper case, private queue numbers with eight digits.
4. A direct name is its wire text, letter for letter; everything else about it is derived from that text.
5. Commas separate the elements of a multiple-element name; only the `parse` of the class itself takes a
   comma for a part of a queue name (MSMQ 1.0) or of a domain.
6. Every error is an `EncodeError` whose path is the part of the name and whose message has the index of
   the character, counted from 0.  Reading takes time linear in the length of the text.
"""

# ruff: noqa: SLF001 - the classes of this module share their private methods

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, cast

import msgspec

from ._enumerations import QUEUE_FORMAT_TYPE, QUEUE_SUFFIX_TYPE
from .errors import EncodeError
from .guid import GUID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

__all__ = [
    "MAX_FORMAT_NAME_LENGTH",
    "QUEUE_FORMAT_TYPE",
    "QUEUE_SUFFIX_TYPE",
    "ConnectorName",
    "DirectName",
    "DistributionListName",
    "FormatName",
    "MachineName",
    "MulticastName",
    "MultipleName",
    "PrivateName",
    "PublicName",
    "QueueKind",
    "QueuePath",
    "check",
    "parse_format_name",
    "parse_queue_path",
]

MAX_FORMAT_NAME_LENGTH = 65_535
"""The most characters that `parse` reads unless its caller gives another limit."""

QueueKind: TypeAlias = Literal["public", "private", "system"]
"""Where a queue is: in the directory, on one computer only, or one that the service makes for itself."""


def _keyword_of(suffix: QUEUE_SUFFIX_TYPE) -> str:
    """The word that stands for a suffix in text."""
    return suffix.name.removeprefix("QUEUE_SUFFIX_TYPE_")


_NONE, _JOURNAL = QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_NONE, QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_JOURNAL
_READ_ONLY = (
    _JOURNAL,
    QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_DEADLETTER,
    QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_DEADXACT,
)
_PROTOCOLS = ("TCP", "SPX", "IPX", "OS", "HTTP", "HTTPS")

# No pattern can match one stretch of text in two ways, so each takes linear time.
_HEX_GUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_HEX_NUMBER = re.compile(r"[0-9A-Fa-f]{1,8}")
_OCTETS = re.compile(r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})")
_PORT = re.compile(r"0|[1-9][0-9]{0,4}")
_SLASH = re.compile(r"[/\\]")
_BACKSLASH = re.compile(r"\\")
_IPX = re.compile(r"[0-9A-Fa-f]{1,8}[.:][0-9A-Fa-f]{1,12}")
_HTTP_HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]+)(?::[0-9]*)?")
_NOT_VCHAR = re.compile(r"[^\x21-\x7E]")
_NOT_QUEUE_1 = re.compile(r"[^\x21-\x3A\x3C-\x5B\x5D-\x7F]")
_NOT_QUEUE_2 = re.compile(r"[^\x21\x23-\x2A\x2D-\x3A\x3C-\x5B\x5D-\x7F]")


class FormatName(msgspec.Struct, frozen=True, gc=False):
    """The base of all format names, [MS-MQMQ] 2.1.2 to 2.1.7.

    ``type(name).parse(str(name)) == name`` holds for every name.
    """

    _keyword: ClassVar[str] = ""
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_UNKNOWN

    @classmethod
    def parse(cls, text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> Self:
        """Read a format name of this class; `FormatName` itself reads every kind.

        Args:
            text: The name with its keyword, such as ``PUBLIC=``.
            max_length: The most characters to accept.

        Raises:
            EncodeError: The text is no such name.
        """
        _limit(text, "FormatName", max_length)
        if not _starts(text, 0, cls._keyword):
            raise _broken("FormatName", text, 0, 0, f"{cls.__name__} starts with {cls._keyword}")
        return cast("Self", cls._read(text, 0))

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        """Read a name whose keyword was seen, and which starts at character `base` of the whole text."""
        return MultipleName._read(text, base) if "," in text else _read_single(text, base)

    @property
    def queue_format_type(self) -> QUEUE_FORMAT_TYPE:
        """The m_qft of [MS-MQMQ] 2.2.7; UNKNOWN for a multiple-element name, which has none."""
        return self._type

    @property
    def queue_suffix_type(self) -> QUEUE_SUFFIX_TYPE:
        """The suffix type of [MS-MQMQ] 2.2.7."""
        return cast("QUEUE_SUFFIX_TYPE", getattr(self, "suffix", _NONE))

    @property
    def read_only(self) -> bool:
        """Whether this is a journal or a dead-letter queue, to which nobody can send."""
        return self.queue_suffix_type in _READ_ONLY

    def _problems(self, version: int) -> Iterator[str]:  # noqa: ARG002 - for those that need it
        yield from ()


class _GuidName(FormatName, frozen=True, gc=False):
    """Keyword, GUID and suffix: what three kinds of names have in common."""

    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = ()

    guid: GUID
    suffix: QUEUE_SUFFIX_TYPE = _NONE

    def __post_init__(self) -> None:
        _require_guid(f"{type(self).__name__}.guid", self.guid)
        _require_suffix(f"{type(self).__name__}.suffix", self.suffix, self._suffixes)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        guid, at = _read_guid(f"{cls.__name__}.guid", text, len(cls._keyword), base)
        return cls(guid, _read_suffix(f"{cls.__name__}.suffix", text, at, base, cls._suffixes))

    def __str__(self) -> str:
        return f"{self._keyword}{_upper(self.guid)}{_suffix_text(self.suffix)}"


class PublicName(_GuidName, frozen=True, gc=False):
    """``PUBLIC=guid``, [MS-MQMQ] 2.1.3.

    Attributes:
        guid: Identifier of the queue object in the directory.
        suffix: NONE or JOURNAL.  The grammar has no suffix here, but 2.2.7 allows this one.
    """

    _keyword: ClassVar[str] = "PUBLIC="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_PUBLIC
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (_NONE, _JOURNAL)


class MachineName(_GuidName, frozen=True, gc=False):
    """``MACHINE=guid``, [MS-MQMQ] 2.1.6: the journal or a dead-letter queue of a computer.

    Attributes:
        guid: Identifier of the computer.
        suffix: JOURNAL, DEADLETTER or DEADXACT, as 2.2.7 demands; or NONE, as the grammar has it, which
            `check` reports.
    """

    _keyword: ClassVar[str] = "MACHINE="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_MACHINE
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (_NONE, *_READ_ONLY)

    def _problems(self, version: int) -> Iterator[str]:  # noqa: ARG002 - the same in all versions
        if not self.suffix:
            yield "2.2.7 suffix: a machine name needs JOURNAL, DEADLETTER or DEADXACT"


class ConnectorName(_GuidName, frozen=True, gc=False):
    """``CONNECTOR=guid``, [MS-MQMQ] 2.1.6.

    Attributes:
        guid: Identifier of the connector queue.
        suffix: NONE, or XACTONLY for the transacted one of the two queues.
    """

    _keyword: ClassVar[str] = "CONNECTOR="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_CONNECTOR
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (_NONE, QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_XACTONLY)


class PrivateName(FormatName, frozen=True, gc=False):
    r"""``PRIVATE=guid\number``, [MS-MQMQ] 2.1.4.

    Attributes:
        computer: Identifier of the computer that has the queue.
        identifier: Number of the queue on that computer, 0 to 0xFFFFFFFF.
        suffix: NONE or JOURNAL.
    """

    _keyword: ClassVar[str] = "PRIVATE="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_PRIVATE
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (_NONE, _JOURNAL)

    computer: GUID
    identifier: int
    suffix: QUEUE_SUFFIX_TYPE = _NONE

    def __post_init__(self) -> None:
        _require_guid("PrivateName.computer", self.computer)
        _require_number("PrivateName.identifier", self.identifier, 0xFFFFFFFF)
        _require_suffix("PrivateName.suffix", self.suffix, self._suffixes)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        guid, at = _read_guid("PrivateName.computer", text, 8, base)
        if text[at : at + 1] != "\\":
            raise _broken("PrivateName", text, at, base, "a backslash follows the GUID")
        number = _HEX_NUMBER.match(text, at + 1)
        if number is None:
            raise _broken(
                "PrivateName.identifier", text, at + 1, base, "one to eight hexadecimal digits belong here"
            )
        suffix = _read_suffix("PrivateName.suffix", text, number.end(), base, cls._suffixes)
        return cls(guid, int(number.group(), 16), suffix)

    def __str__(self) -> str:
        return f"PRIVATE={_upper(self.computer)}\\{self.identifier:08X}{_suffix_text(self.suffix)}"


class _Direct(NamedTuple):
    """The parts of a direct name."""

    protocol: str
    address: str
    kind: QueueKind
    queue: str
    subqueue: str | None
    suffix: QUEUE_SUFFIX_TYPE


class DirectName(FormatName, frozen=True, gc=False):
    r"""``DIRECT=protocol:address\queue``, [MS-MQMQ] 2.1.2.

    The text is the value: what came over the wire goes back unchanged, and two spellings are two values.

    Attributes:
        wire_text: The name without ``DIRECT=``, as it is on the wire.
    """

    _keyword: ClassVar[str] = "DIRECT="

    wire_text: str

    def __post_init__(self) -> None:
        _require(isinstance(self.wire_text, str), "DirectName.wire_text", "text", self.wire_text)
        _split_direct(self.wire_text, 0)

    @classmethod
    def from_wire_text(cls, wire_text: str) -> Self:
        """Make a name of the text that a packet holds, which has no ``DIRECT=``.

        Raises:
            EncodeError: The text cannot be divided into protocol, address and queue.
        """
        return cls(wire_text)

    @classmethod
    def of(
        cls,
        protocol: str,
        address: str,
        queue: str = "",
        *,
        kind: QueueKind = "public",
        subqueue: str | None = None,
        suffix: QUEUE_SUFFIX_TYPE = _NONE,
    ) -> Self:
        """Put a name together from its parts.

        Args:
            protocol: TCP, SPX, IPX, OS, HTTP or HTTPS.
            address: The address; for HTTP and HTTPS with slashes and directory: ``//host:port/MSMQ``.
            queue: Name of the queue; empty for kind ``system``.
            kind: ``public``, ``private`` or, for the journal and dead-letter queues of a computer,
                ``system``.
            subqueue: Name of the subqueue, if any.
            suffix: NONE or JOURNAL; for kind ``system`` JOURNAL, DEADLETTER or DEADXACT.

        Raises:
            EncodeError: The parts do not make a name, or make one that has other parts.
        """
        parts = _Direct(protocol, address, kind, queue, subqueue, suffix)
        for part, value in zip(_Direct._fields[:5], (*parts[:4], subqueue or ""), strict=True):
            _require(isinstance(value, str), f"DirectName.{part}", "text", value)
        _require_suffix("DirectName.suffix", suffix, (_NONE, *_READ_ONLY))
        slash = "/" if protocol in ("HTTP", "HTTPS") else "\\"
        marker = {"private": f"PRIVATE${slash}", "system": f"SYSTEM$;{_keyword_of(suffix)}"}.get(kind, "")
        tail = "" if kind == "system" else _subqueue_text(subqueue) + _suffix_text(suffix)
        name = cls(f"{protocol}:{address}{slash}{marker}{queue}{tail}")
        _require(name._parts == parts, "DirectName", "parts that their own text gives back", tuple(parts))
        return name

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        wire_text = text[7:]
        _split_direct(wire_text, base + 7)  # first, because only here the place in the whole text is known
        return cls(wire_text)

    @property
    def _parts(self) -> _Direct:
        return _split_direct(self.wire_text, 0)

    @property
    def protocol(self) -> str:
        """TCP, SPX, IPX, OS, HTTP or HTTPS, in upper case."""
        return self._parts.protocol

    @property
    def address(self) -> str:
        """The address as spelled; for HTTP and HTTPS with slashes and directory: ``//host:port/msmq``."""
        return self._parts.address

    @property
    def kind(self) -> QueueKind:
        """Whether the queue is public, private, or (a computer's journal or dead letters) system."""
        return self._parts.kind

    @property
    def queue(self) -> str:
        """Name of the queue as spelled, without subqueue and suffix; empty for kind ``system``."""
        return self._parts.queue

    @property
    def subqueue(self) -> str | None:
        """Name of the subqueue as spelled, or None."""
        return self._parts.subqueue

    @property
    def suffix(self) -> QUEUE_SUFFIX_TYPE:
        """NONE, JOURNAL, or for kind ``system`` also DEADLETTER and DEADXACT."""
        return self._parts.suffix

    @property
    def queue_format_type(self) -> QUEUE_FORMAT_TYPE:
        """SUBQUEUE if there is a subqueue, else DIRECT."""
        return (
            QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_DIRECT
            if self.subqueue is None
            else QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_SUBQUEUE
        )

    @property
    def queue_suffix_type(self) -> QUEUE_SUFFIX_TYPE:
        """The suffix, or SUBQUEUE if there is a subqueue and no suffix."""
        parts = self._parts
        return parts.suffix or (
            _NONE if parts.subqueue is None else QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_SUBQUEUE
        )

    def __str__(self) -> str:
        return f"DIRECT={self.wire_text}"

    def _problems(self, version: int) -> Iterator[str]:
        parts = self._parts
        yield from _address_problems(parts.protocol, parts.address)
        yield from _queue_problems(parts.queue, parts.subqueue, version)


class DistributionListName(FormatName, frozen=True, gc=False):
    """``DL=guid`` or ``DL=guid@domain``, [MS-MQMQ] 2.1.5.

    Attributes:
        guid: Identifier of the group object in the directory.
        domain: Name of the directory domain, not empty; or None.
    """

    _keyword: ClassVar[str] = "DL="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_DL

    guid: GUID
    domain: str | None = None

    def __post_init__(self) -> None:
        _require_guid("DistributionListName.guid", self.guid)
        given = self.domain is None or (isinstance(self.domain, str) and self.domain != "")
        _require(given, "DistributionListName.domain", "None, or text that is not empty", self.domain)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        guid, at = _read_guid("DistributionListName.guid", text, 3, base)
        if at == len(text):
            return cls(guid)
        if text[at] != "@" or at + 1 == len(text):
            raise _broken(
                "DistributionListName.domain", text, at, base, "only @ and a domain can follow the GUID"
            )
        return cls(guid, text[at + 1 :])

    def __str__(self) -> str:
        return f"DL={_upper(self.guid)}" + ("" if self.domain is None else f"@{self.domain}")

    def _problems(self, version: int) -> Iterator[str]:  # noqa: ARG002 - the same in all versions
        if self.domain is not None:
            yield from _text_problems("2.1.5 DomainName", self.domain, 255, _NOT_VCHAR)


class MulticastName(FormatName, frozen=True, gc=False):
    """``MULTICAST=address:port``, [MS-MQMQ] 2.1.6.

    Attributes:
        address: Four numbers 0 to 255 without leading zeros, with dots; `check` reports what is outside
            224.0.0.0 to 239.255.255.255.
        port: 0 to 65535.
    """

    _keyword: ClassVar[str] = "MULTICAST="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_MULTICAST

    address: str
    port: int

    def __post_init__(self) -> None:
        known = isinstance(self.address, str) and _is_ipv4(self.address)
        _require(known, "MulticastName.address", "the text of an IPv4 address", self.address)
        _require_number("MulticastName.port", self.port, 0xFFFF)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        address, colon, port = text[10:].partition(":")
        if not _is_ipv4(address):
            raise _broken("MulticastName.address", text, 10, base, "an IPv4 address and a colon belong here")
        at = 10 + len(address)
        if not colon:
            raise _broken("MulticastName.port", text, at, base, "a colon and a port belong here")
        if not _PORT.fullmatch(port) or int(port) > 0xFFFF:
            raise _broken("MulticastName.port", text, at + 1, base, "a port of 0 to 65535 belongs here")
        return cls(address, int(port))

    def __str__(self) -> str:
        return f"MULTICAST={self.address}:{self.port}"

    def _problems(self, version: int) -> Iterator[str]:
        if not 224 <= int(self.address.partition(".")[0]) <= 239:
            yield f"2.1.6 Address: {self.address} is no multicast address (224.0.0.0 to 239.255.255.255)"
        if version < 3:
            yield "2.1.6 Multicast: MSMQ 3.0 introduced multicast names"


class MultipleName(FormatName, frozen=True, gc=False):
    """Names separated by commas, [MS-MQMQ] 2.1.7.

    Attributes:
        elements: One or more names, none of them a machine name, a multiple-element name, a read-only
            queue, or a name that has a comma in it.
    """

    elements: tuple[FormatName, ...]

    def __post_init__(self) -> None:
        several = isinstance(self.elements, tuple) and len(self.elements) > 0
        _require(several, "MultipleName.elements", "a tuple of at least one name", self.elements)
        for index, element in enumerate(self.elements):
            problem = _element_problem(element)
            _require(problem is None, f"MultipleName.elements[{index}]", f"{problem}", element)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        elements = []
        for index, piece in enumerate(text.split(",")):
            element = _read_single(piece, base)
            if problem := _element_problem(element):
                raise _broken(f"MultipleName.elements[{index}]", piece, 0, base, f"expected {problem}")
            elements.append(element)
            base += len(piece) + 1
        return cls(tuple(elements))

    def __str__(self) -> str:
        return ",".join(map(str, self.elements))

    def _problems(self, version: int) -> Iterator[str]:
        for index, element in enumerate(self.elements):
            for problem in element._problems(version):
                yield f"element {index}: {problem}"


class QueuePath(msgspec.Struct, frozen=True, gc=False):
    r"""``computer\queue``, ``computer\private$\queue`` or ``computer\system$;queue``, [MS-MQMQ] 2.1.1.

    Attributes:
        computer: Name of the computer; ``.`` is this one.
        queue: Name of the queue.
        kind: Which of the three forms this is.
        subqueue: What follows a semicolon after the queue name, or None; ``JOURNAL`` too, because path
            names know no other suffix.
    """

    computer: str
    queue: str
    kind: QueueKind = "public"
    subqueue: str | None = None

    def __post_init__(self) -> None:
        parts = (self.computer, self.queue, self.kind, self.subqueue)
        texts = (*parts[:3], self.subqueue or "")
        for part, value in zip(self.__struct_fields__, texts, strict=True):
            _require(isinstance(value, str), f"QueuePath.{part}", "text", value)
        same = _split_path(str(self)) == parts
        _require(same, "QueuePath", "parts that their own text gives back", parts)

    @classmethod
    def parse(cls, text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> Self:
        """Read a path name.

        Args:
            text: The path name.
            max_length: The most characters to accept.

        Raises:
            EncodeError: The text is no path name.
        """
        _limit(text, "QueuePath", max_length)
        return cls(*_split_path(text))

    def __str__(self) -> str:
        marker = {"private": "private$\\", "system": "system$;"}.get(self.kind, "")
        return f"{self.computer}\\{marker}{self.queue}{_subqueue_text(self.subqueue)}"

    def _problems(self, version: int) -> Iterator[str]:
        yield from _text_problems("2.1.1 Computer", self.computer, 256, _NOT_VCHAR)
        yield from _queue_problems(self.queue, self.subqueue, version)


def parse_format_name(text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> FormatName:
    """Read a format name of any kind.

    Args:
        text: The name; with a comma in it, it is a `MultipleName`.
        max_length: The most characters to accept.

    Raises:
        EncodeError: The text is no format name.
    """
    return FormatName.parse(text, max_length=max_length)


def parse_queue_path(text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> QueuePath:
    """Read a path name; the same as `QueuePath.parse`."""
    return QueuePath.parse(text, max_length=max_length)


def check(name: FormatName | QueuePath, *, version: int = 6) -> tuple[str, ...]:
    """List what a name that can be read has against the documents: lengths, characters, addresses.

    A slash instead of a backslash in HTTP names, SPX, and an IPX address with a dot are no breaches.

    Args:
        name: The name.
        version: Major version of MSMQ, 1 to 6, by whose rules to go.

    Returns:
        One line for each breach: the section of [MS-MQMQ], the part, and what is wrong.

    Raises:
        EncodeError: `name` is no name, or there is no such version.
    """
    _require(isinstance(name, (FormatName, QueuePath)), "name", "a format name or a path name", name)
    _require(version in range(1, 7), "version", "a major version of MSMQ, 1 to 6", version)
    return tuple(name._problems(version))


_CLASSES: tuple[type[FormatName], ...] = (
    PublicName,
    PrivateName,
    DirectName,
    DistributionListName,
    MachineName,
    ConnectorName,
    MulticastName,
)


def _read_single(text: str, base: int) -> FormatName:
    for kind in _CLASSES:
        if _starts(text, 0, kind._keyword):
            return kind._read(text, base)
    keywords = ", ".join(kind._keyword for kind in _CLASSES)
    raise _broken("FormatName", text, 0, base, f"a format name starts with one of {keywords}")


def _split_direct(text: str, base: int) -> _Direct:
    """Divide a direct name without its keyword."""
    protocol = next((name for name in _PROTOCOLS if _starts(text, 0, name + ":")), None)
    if protocol is None:
        raise _broken(
            "DirectName.protocol", text, 0, base, f"one of {', '.join(_PROTOCOLS)} and : belong here"
        )
    start = len(protocol) + 1
    slash = _SLASH if protocol in ("HTTP", "HTTPS") else _BACKSLASH
    end = slash.search(text, start if slash is _BACKSLASH else _end_of_host(text, start, base))
    if end is None or end.start() == start:
        raise _broken("DirectName.address", text, start, base, "an address and a separator belong here")
    address, at = text[start : end.start()], end.end()
    if _starts(text, at, "SYSTEM$;"):
        for suffix in _READ_ONLY:
            if _same(text[at + 8 :], _keyword_of(suffix)):
                return _Direct(protocol, address, "system", "", None, suffix)
        raise _broken("DirectName.suffix", text, at + 8, base, "JOURNAL, DEADLETTER or DEADXACT belongs here")
    kind: QueueKind = "public"
    if _starts(text, at, "PRIVATE$") and slash.match(text, at + 8):
        kind, at = "private", at + 9
    journal = _same(text[-8:], ";JOURNAL")
    queue, subqueue = _split_queue("DirectName", text, at, len(text) - 8 * journal, base)
    return _Direct(protocol, address, kind, queue, subqueue, _JOURNAL if journal else _NONE)


def _end_of_host(text: str, start: int, base: int) -> int:
    """Find where the directory of a URL begins."""
    if not text.startswith("//", start):
        raise _broken("DirectName.address", text, start, base, "the address of a URL starts with //")
    end = _SLASH.search(text, start + 2)
    if end is None or end.start() == start + 2:
        raise _broken("DirectName.address", text, start + 2, base, "a host and a directory belong here")
    return end.end()


def _split_path(text: str) -> tuple[str, str, QueueKind, str | None]:
    computer, backslash, _ = text.partition("\\")
    at = len(computer) + 1
    if not computer or not backslash:
        raise _broken("QueuePath.computer", text, 0, 0, "a computer name and a backslash belong here")
    kind: QueueKind = "public"
    if _starts(text, at, "PRIVATE$\\"):
        kind, at = "private", at + 9
    elif _starts(text, at, "SYSTEM$;"):
        kind, at = "system", at + 8
    queue, subqueue = _split_queue("QueuePath", text, at, len(text), 0)
    return computer, queue, kind, subqueue


def _split_queue(structure: str, text: str, at: int, end: int, base: int) -> tuple[str, str | None]:
    queue, semicolon, subqueue = text[at:end].partition(";")
    if not queue:
        raise _broken(f"{structure}.queue", text, at, base, "a queue name belongs here")
    if semicolon and not subqueue:
        raise _broken(f"{structure}.subqueue", text, end, base, "a subqueue name follows the semicolon")
    return queue, subqueue if semicolon else None


def _read_guid(path: str, text: str, at: int, base: int) -> tuple[GUID, int]:
    """Read a GUID with hyphens and without braces; return it and where it ends."""
    if _HEX_GUID.match(text, at):
        return GUID.of(text[at : at + 36]), at + 36
    for char, model in zip(text[at : at + 36], "h" * 8 + "-hhhh-hhhh-hhhh-" + "h" * 12, strict=False):
        if char not in ("-" if model == "-" else "0123456789abcdefABCDEF"):
            break
        at += 1
    raise _broken(path, text, at, base, "a GUID of 8-4-4-4-12 hexadecimal digits without braces belongs here")


def _read_suffix(
    path: str, text: str, at: int, base: int, allowed: tuple[QUEUE_SUFFIX_TYPE, ...]
) -> QUEUE_SUFFIX_TYPE:
    """Read what is left of the text, which is nothing or a suffix."""
    if at == len(text):
        return _NONE
    for suffix in allowed[1:]:
        if _same(text[at:], _suffix_text(suffix)):
            return suffix
    names = " or ".join(map(_suffix_text, allowed[1:]))
    raise _broken(path, text, at, base, f"only {names} can follow")


def _suffix_text(suffix: QUEUE_SUFFIX_TYPE) -> str:
    return f";{_keyword_of(suffix)}" if suffix else ""


def _subqueue_text(subqueue: str | None) -> str:
    return "" if subqueue is None else f";{subqueue}"


def _upper(guid: GUID) -> str:
    return str(guid).upper()


def _same(text: str, keyword: str) -> bool:
    # Without the ASCII test a long s would pass for an S, and a dotless i for an I.
    return len(text) == len(keyword) and text.isascii() and text.upper() == keyword


def _starts(text: str, at: int, keyword: str) -> bool:
    return _same(text[at : at + len(keyword)], keyword)


def _is_ipv4(text: str) -> bool:
    return _OCTETS.fullmatch(text) is not None and all(int(octet) < 256 for octet in text.split("."))


def _element_problem(element: object) -> str | None:
    """What an element of a multiple-element name has to be and is not, [MS-MQMQ] 2.1.7."""
    if not isinstance(element, _CLASSES) or isinstance(element, MachineName):
        return "a public, private, direct, distribution list, connector or multicast name"
    if element.read_only:
        return "a queue that is not read-only"
    return "a name without a comma" if "," in str(element) else None


def _text_problems(part: str, text: str, limit: int, forbidden: re.Pattern[str]) -> Iterator[str]:
    if len(text) > limit:
        yield f"{part}: {len(text)} characters, at most {limit} are allowed"
    if bad := forbidden.search(text):
        yield f"{part}: character {bad.group()!r} at index {bad.start()} is not allowed"


def _queue_problems(queue: str, subqueue: str | None, version: int) -> Iterator[str]:
    yield from _text_problems("2.1.1 QueueName", queue, 124, _NOT_QUEUE_1 if version == 1 else _NOT_QUEUE_2)
    if subqueue is not None:
        if version < 4:
            yield "2.1.1 Subqueue: MSMQ 4.0 introduced subqueues"
        yield from _text_problems("2.1.1 Subqueue", subqueue, 32, _NOT_QUEUE_2)


def _address_problems(protocol: str, address: str) -> Iterator[str]:
    part = f"2.1.2 {protocol} address"
    if protocol == "OS":
        yield from _text_problems(part, address, 256, _NOT_VCHAR)
    elif protocol == "TCP":
        if not _is_ip_address(address):
            yield f"{part}: {_short(address)} is no IP address"
    elif protocol in ("IPX", "SPX"):
        if not _IPX.fullmatch(address):
            yield f"{part}: {_short(address)} is not network and host number, hexadecimal with : or . between"
    else:
        host = _HTTP_HOST.fullmatch(address[2:-5])
        if host is None or not _same(address[-4:], "MSMQ") or not _SLASH.match(address, len(address) - 5):
            yield f"{part}: {_short(address)} is not of the form //host:port/MSMQ"
        else:
            yield from _text_problems(f"{part}, Host", host.group(1), 256, _NOT_VCHAR)


def _is_ip_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text)
    except ValueError:
        return False
    return True


def _limit(text: str, path: str, max_length: int) -> None:
    _require(isinstance(text, str), path, "text", text)
    _require(len(text) <= max_length, path, f"at most {max_length} characters", len(text))


def _require(condition: bool, path: str, expected: str, actual: object) -> None:
    if not condition:
        raise _refused(path, expected, actual)


def _require_guid(path: str, value: object) -> None:
    _require(isinstance(value, GUID) and len(value.bytes_le) == 16, path, "a GUID of 16 bytes", value)


def _require_number(path: str, value: object, limit: int) -> None:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit
    _require(known, path, f"an integer of 0 to {limit}", value)


def _require_suffix(path: str, value: object, allowed: tuple[QUEUE_SUFFIX_TYPE, ...]) -> None:
    known = isinstance(value, QUEUE_SUFFIX_TYPE) and value in allowed
    _require(known, path, "the suffix " + " or ".join(_keyword_of(suffix) for suffix in allowed), value)


def _short(value: object) -> str:
    # Python refuses to print an integer of thousands of digits in decimal.
    text = f"{value:#x}" if isinstance(value, int) and value.bit_length() > 64 else repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _refused(path: str, expected: str, actual: object) -> EncodeError:
    problem = f"expected {expected}, got {_short(actual)}"
    return EncodeError(problem, structure=path.partition(".")[0], path=path, expected=expected, actual=actual)


def _broken(path: str, text: str, at: int, base: int, expected: str) -> EncodeError:
    """Make the error for text that is wrong at `at`; the whole text starts `base` characters earlier."""
    found = f"there is {_short(text[at : at + 60])}" if at < len(text) else "the name ends"
    return EncodeError(
        f"{expected}, but {found} (character {base + at})",
        structure=path.partition(".")[0],
        path=path,
        expected=expected,
        actual=text[at : at + 60],
    )
