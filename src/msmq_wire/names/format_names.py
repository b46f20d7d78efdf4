"""Path names and format names of queues: immutable values, parsed from text and printed as text.

1. A value exists only if its text parses to the same value; constructors reject all others.
2. `parse` rejects text that lacks a part or cannot be divided into parts.  Text that can be divided but
   violates a maximum length, a character set or the form of an address is kept unchanged; `check` lists such
   violations, and `validate` reports them.
3. Keywords are case-insensitive and printed in upper case, except ``private$`` and ``system$`` of a path
   name, which are printed in lower case.  GUIDs are printed in upper case, private queue numbers with eight
   digits.
4. A direct name preserves its wire text exactly; all other attributes are derived from that text.
5. Commas separate the elements of a multiple-element name; only the `parse` of a specific class accepts a
   comma as part of a queue name (MSMQ 1.0) or of a domain.
6. Every error is an `EncodeError` whose path is the part of the name and whose message has the index of
   the character, counted from 0.  Parsing takes time linear in the length of the text.
"""

# ruff: noqa: SLF001  # the classes of this module share their private methods

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

import msgspec

from msmq_wire.values.enumerations import QUEUE_FORMAT_TYPE, QUEUE_SUFFIX_TYPE
from msmq_wire.values.guid import GUID

from .grammar import (
    HEX_NUMBER,
    JOURNAL,
    MAX_FORMAT_NAME_LENGTH,
    NONE,
    NOT_VCHAR,
    PORT,
    READ_ONLY,
    DirectParts,
    QueueKind,
    address_problems,
    broken,
    check_length,
    is_ipv4,
    join_direct,
    queue_problems,
    read_guid,
    read_suffix,
    require,
    require_guid,
    require_number,
    require_suffix,
    split_direct,
    starts,
    suffix_text,
    text_problems,
    upper,
)
from .path_names import QueuePath

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


def __dir__() -> list[str]:
    return sorted(__all__)


class FormatName(msgspec.Struct, frozen=True, gc=False):
    """The base class of all format names ([MS-MQMQ] 2.1.2 to 2.1.7).

    ``type(name).parse(str(name)) == name`` holds for every name.
    """

    _keyword: ClassVar[str] = ""
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_UNKNOWN

    @classmethod
    def parse(cls, text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> Self:
        """Parse a format name of this class; `FormatName` itself parses every kind.

        Args:
            text: The name with its keyword, such as ``PUBLIC=``.
            max_length: The maximum number of characters.

        Raises:
            EncodeError: The text is not such a name.
        """
        check_length(text, "FormatName", max_length)
        if not starts(text, 0, cls._keyword):
            raise broken("FormatName", text, 0, 0, cls._keyword)
        return cast("Self", cls._read(text, 0))

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        """Parse a name after its keyword; it starts at character `base` of the whole text."""
        return MultipleName._read(text, base) if "," in text else _read_single(text, base)

    @property
    def queue_format_type(self) -> QUEUE_FORMAT_TYPE:
        """The m_qft of [MS-MQMQ] 2.2.7; UNKNOWN for a multiple-element name."""
        return self._type

    @property
    def queue_suffix_type(self) -> QUEUE_SUFFIX_TYPE:
        """The suffix type of [MS-MQMQ] 2.2.7."""
        return cast("QUEUE_SUFFIX_TYPE", getattr(self, "suffix", NONE))

    @property
    def read_only(self) -> bool:
        """Whether this is a journal or dead-letter queue, to which no messages can be sent."""
        return self.queue_suffix_type in READ_ONLY

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:  # noqa: ARG002  # for subclasses
        yield from ()


class _GuidName(FormatName, frozen=True, gc=False):
    """A name of keyword, GUID and suffix: the base class of three kinds of names."""

    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = ()

    guid: GUID
    suffix: QUEUE_SUFFIX_TYPE = NONE

    def __post_init__(self) -> None:
        require_guid(f"{type(self).__name__}.guid", self.guid)
        require_suffix(f"{type(self).__name__}.suffix", self.suffix, self._suffixes)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        guid, at = read_guid(f"{cls.__name__}.guid", text, len(cls._keyword), base)
        return cls(guid, read_suffix(f"{cls.__name__}.suffix", text, at, base, cls._suffixes))

    def __str__(self) -> str:
        return f"{self._keyword}{upper(self.guid)}{suffix_text(self.suffix)}"


class PublicName(_GuidName, frozen=True, gc=False):
    """``PUBLIC=guid``, [MS-MQMQ] 2.1.3.

    Attributes:
        guid: Identifier of the queue object in the directory.
        suffix: NONE or JOURNAL.  The grammar has no suffix here, but 2.2.7 allows this one.
    """

    _keyword: ClassVar[str] = "PUBLIC="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_PUBLIC
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (NONE, JOURNAL)


class MachineName(_GuidName, frozen=True, gc=False):
    """``MACHINE=guid``, [MS-MQMQ] 2.1.6: the journal or a dead-letter queue of a computer.

    Attributes:
        guid: Identifier of the computer.
        suffix: JOURNAL, DEADLETTER or DEADXACT, as 2.2.7 requires; or NONE, which the grammar allows and
            `check` reports.
    """

    _keyword: ClassVar[str] = "MACHINE="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_MACHINE
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (NONE, *READ_ONLY)

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:  # noqa: ARG002  # the same in all
        if not self.suffix:
            yield "2.2.7 suffix: expected JOURNAL, DEADLETTER or DEADXACT, found none"


class ConnectorName(_GuidName, frozen=True, gc=False):
    """``CONNECTOR=guid``, [MS-MQMQ] 2.1.6.

    Attributes:
        guid: Identifier of the connector queue.
        suffix: NONE, or XACTONLY for the transacted one of the two queues.
    """

    _keyword: ClassVar[str] = "CONNECTOR="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_CONNECTOR
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (NONE, QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_XACTONLY)


class PrivateName(FormatName, frozen=True, gc=False):
    r"""``PRIVATE=guid\number``, [MS-MQMQ] 2.1.4.

    Attributes:
        computer: Identifier of the computer that has the queue.
        identifier: Number of the queue on that computer, 0 to 0xFFFFFFFF.
        suffix: NONE or JOURNAL.
    """

    _keyword: ClassVar[str] = "PRIVATE="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_PRIVATE
    _suffixes: ClassVar[tuple[QUEUE_SUFFIX_TYPE, ...]] = (NONE, JOURNAL)

    computer: GUID
    identifier: int
    suffix: QUEUE_SUFFIX_TYPE = NONE

    def __post_init__(self) -> None:
        require_guid("PrivateName.computer", self.computer)
        require_number("PrivateName.identifier", self.identifier, 0xFFFFFFFF)
        require_suffix("PrivateName.suffix", self.suffix, self._suffixes)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        guid, at = read_guid("PrivateName.computer", text, len(cls._keyword), base)
        if text[at : at + 1] != "\\":
            raise broken("PrivateName", text, at, base, "a backslash after the GUID")
        number = HEX_NUMBER.match(text, at + 1)
        if number is None:
            raise broken("PrivateName.identifier", text, at + 1, base, "one to eight hexadecimal digits")
        suffix = read_suffix("PrivateName.suffix", text, number.end(), base, cls._suffixes)
        return cls(guid, int(number.group(), 16), suffix)

    def __str__(self) -> str:
        return f"{self._keyword}{upper(self.computer)}\\{self.identifier:08X}{suffix_text(self.suffix)}"


class DirectName(FormatName, frozen=True, gc=False):
    r"""``DIRECT=protocol:address\queue``, [MS-MQMQ] 2.1.2.

    The text is the value: it round-trips unchanged, and two spellings are two values.

    Attributes:
        wire_text: The name without ``DIRECT=``, as it is on the wire.
    """

    _keyword: ClassVar[str] = "DIRECT="

    wire_text: str

    def __post_init__(self) -> None:
        require(isinstance(self.wire_text, str), "DirectName.wire_text", "text", self.wire_text)
        split_direct(self.wire_text, 0)

    @classmethod
    def from_wire_text(cls, wire_text: str) -> Self:
        """Create a name from its text in a packet, which has no ``DIRECT=``.

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
        suffix: QUEUE_SUFFIX_TYPE = NONE,
    ) -> Self:
        """Create a name from its parts.

        Args:
            protocol: TCP, SPX, IPX, OS, HTTP or HTTPS.
            address: The address; for HTTP and HTTPS with slashes and directory: ``//host:port/MSMQ``.
            queue: Name of the queue; empty for kind ``system``.
            kind: ``public``, ``private`` or, for the journal and dead-letter queues of a computer,
                ``system``.
            subqueue: Name of the subqueue, if any.
            suffix: NONE or JOURNAL; for kind ``system`` JOURNAL, DEADLETTER or DEADXACT.

        Raises:
            EncodeError: The parts do not form a name, or form one with other parts.
        """
        parts = DirectParts(protocol, address, kind, queue, subqueue, suffix)
        for part, value in zip(DirectParts._fields[:5], (*parts[:4], subqueue or ""), strict=True):
            require(isinstance(value, str), f"DirectName.{part}", "text", value)
        require_suffix("DirectName.suffix", suffix, (NONE, *READ_ONLY))
        name = cls(join_direct(parts))
        require(name._parts == parts, "DirectName", "parts whose text has the same parts", tuple(parts))
        return name

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        start = len(cls._keyword)
        wire_text = text[start:]
        split_direct(wire_text, base + start)  # only here the position in the whole text is known
        return cls(wire_text)

    @property
    def _parts(self) -> DirectParts:
        return split_direct(self.wire_text, 0)

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
            NONE if parts.subqueue is None else QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_SUBQUEUE
        )

    def __str__(self) -> str:
        return f"{self._keyword}{self.wire_text}"

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:
        parts = self._parts
        yield from address_problems(parts.protocol, parts.address)
        yield from queue_problems(parts.queue, parts.subqueue, version, sdk)


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
        require_guid("DistributionListName.guid", self.guid)
        given = self.domain is None or (isinstance(self.domain, str) and self.domain != "")
        require(given, "DistributionListName.domain", "None, or text that is not empty", self.domain)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        guid, at = read_guid("DistributionListName.guid", text, len(cls._keyword), base)
        if at == len(text):
            return cls(guid)
        if text[at] != "@" or at + 1 == len(text):
            raise broken(
                "DistributionListName.domain", text, at, base, "@ and a domain after the GUID, or the end"
            )
        return cls(guid, text[at + 1 :])

    def __str__(self) -> str:
        return f"{self._keyword}{upper(self.guid)}" + ("" if self.domain is None else f"@{self.domain}")

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:  # noqa: ARG002  # the same in all
        if self.domain is not None:
            yield from text_problems("2.1.5 DomainName", self.domain, 255, NOT_VCHAR)


class MulticastName(FormatName, frozen=True, gc=False):
    """``MULTICAST=address:port``, [MS-MQMQ] 2.1.6.

    Attributes:
        address: Four numbers 0 to 255 without leading zeros, with dots; `check` reports addresses outside
            224.0.0.0 to 239.255.255.255.
        port: 0 to 65535.
    """

    _keyword: ClassVar[str] = "MULTICAST="
    _type: ClassVar[QUEUE_FORMAT_TYPE] = QUEUE_FORMAT_TYPE.QUEUE_FORMAT_TYPE_MULTICAST

    address: str
    port: int

    def __post_init__(self) -> None:
        is_valid = isinstance(self.address, str) and is_ipv4(self.address)
        require(is_valid, "MulticastName.address", "the text of an IPv4 address", self.address)
        require_number("MulticastName.port", self.port, 0xFFFF)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        start = len(cls._keyword)
        address, colon, port = text[start:].partition(":")
        if not is_ipv4(address):
            raise broken("MulticastName.address", text, start, base, "an IPv4 address and a colon")
        at = start + len(address)
        if not colon:
            raise broken("MulticastName.port", text, at, base, "a colon and a port")
        if not PORT.fullmatch(port) or int(port) > 0xFFFF:
            raise broken("MulticastName.port", text, at + 1, base, "a port of 0 to 65535")
        return cls(address, int(port))

    def __str__(self) -> str:
        return f"{self._keyword}{self.address}:{self.port}"

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:  # noqa: ARG002  # has no queue's name
        if not 224 <= int(self.address.partition(".")[0]) <= 239:
            yield f"2.1.6 Address: expected 224.0.0.0 to 239.255.255.255, found {self.address}"
        if version < 3:
            yield "2.1.6 Multicast: MSMQ 3.0 introduced multicast names"


class MultipleName(FormatName, frozen=True, gc=False):
    """Names separated by commas, [MS-MQMQ] 2.1.7.

    Attributes:
        elements: One or more names, none of them a machine name, a multiple-element name, a read-only
            queue, or a name with a comma.
    """

    elements: tuple[FormatName, ...]

    def __post_init__(self) -> None:
        several = isinstance(self.elements, tuple) and len(self.elements) > 0
        require(several, "MultipleName.elements", "a tuple of at least one name", self.elements)
        for index, element in enumerate(self.elements):
            problem = _element_problem(element)
            require(problem is None, f"MultipleName.elements[{index}]", f"{problem}", element)

    @classmethod
    def _read(cls, text: str, base: int) -> FormatName:
        elements = []
        for index, piece in enumerate(text.split(",")):
            element = _read_single(piece, base)
            if problem := _element_problem(element):
                raise broken(f"MultipleName.elements[{index}]", piece, 0, base, problem)
            elements.append(element)
            base += len(piece) + 1
        return cls(tuple(elements))

    def __str__(self) -> str:
        return ",".join(map(str, self.elements))

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:
        for index, element in enumerate(self.elements):
            for problem in element._problems(version, sdk):
                yield f"element {index}: {problem}"


def parse_format_name(text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> FormatName:
    r"""Parse a format name of any kind.

    The form of an address is left to `check`, and in packets to `validate`: ``DIRECT=TCP:localhost\q`` is
    parsed, although TCP needs an IP address.

    Args:
        text: The name; a name with a comma is a `MultipleName`.
        max_length: The maximum number of characters.

    Raises:
        EncodeError: The text is not a format name.
    """
    return FormatName.parse(text, max_length=max_length)


def parse_queue_path(text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> QueuePath:
    """Parse a path name; the same as `QueuePath.parse`."""
    return QueuePath.parse(text, max_length=max_length)


def is_allowed(name: FormatName | QueuePath, *, sdk: bool = False) -> bool:
    """Return whether the first or the latest version of MSMQ allows a name.

    The versions differ in the characters of a queue's name, and a name does not say which version made it.

    Args:
        name: The name.
        sdk: As for `check`.
    """
    return not check(name, sdk=sdk) or not check(name, version=1, sdk=sdk)


def check(name: FormatName | QueuePath, *, version: int = 6, sdk: bool = False) -> tuple[str, ...]:
    """List the violations of a name: lengths, characters, addresses.

    A slash instead of a backslash in HTTP names, SPX, and an IPX address with a dot are not violations.

    Args:
        name: The name.
        version: Major version of MSMQ, 1 to 6, whose rules apply.
        sdk: Whether to go by the pages of the SDK, which allow spaces and characters of any script in the
            names of queues, instead of by [MS-MQMQ] 2.1.1, which allows visible ASCII characters (errata
            M47).

    Returns:
        One line for each violation: the section of [MS-MQMQ], the part, and the problem.

    Raises:
        EncodeError: `name` is not a name, or there is no such version.
    """
    require(isinstance(name, (FormatName, QueuePath)), "name", "a format name or a path name", name)
    require(version in range(1, 7), "version", "a major version of MSMQ, 1 to 6", version)
    return tuple(name._problems(version, sdk))


_CLASSES: tuple[type[FormatName], ...] = (
    PublicName,
    PrivateName,
    DirectName,
    DistributionListName,
    MachineName,
    ConnectorName,
    MulticastName,
)


_PREFIXES = {"FORMATNAME:": "System.Messaging", "MSMQ.FORMATNAME:": "Windows Communication Foundation"}
"""What programs write before format names, and which."""


def _read_single(text: str, base: int) -> FormatName:
    for kind in _CLASSES:
        if starts(text, 0, kind._keyword):
            return kind._read(text, base)
    keywords = ", ".join(kind._keyword for kind in _CLASSES)
    hint = " (write a path name after DIRECT=OS:)" if "\\" in text else ""
    for prefix, program in _PREFIXES.items():
        if starts(text, 0, prefix):
            hint = f" ({program} writes {prefix} before a format name: leave it out)"
    raise broken("FormatName", text, 0, base, f"one of {keywords}{hint}")


def _element_problem(element: object) -> str | None:
    """Return the condition that an element of a multiple-element name violates ([MS-MQMQ] 2.1.7), or None."""
    if not isinstance(element, _CLASSES) or isinstance(element, MachineName):
        return "a public, private, direct, distribution list, connector or multicast name"
    if element.read_only:
        return "a queue that is not read-only"
    return "a name without a comma" if "," in str(element) else None
