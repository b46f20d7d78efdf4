"""What a user can say about a source, checked once and with the words that they used."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.captures.files.reading import MAX_FRAME, ReadLimits
from msmq_wire.captures.network.frames import LINK_TYPES, Ports
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAMES", "Settings", "place_of", "settings_of"]

_FORMS = ("auto", "pcap", "pcapng", "packets")
_ACCESSES = ("", "own", "spark")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_MIB = 1 << 20
NAMES: Final = (
    "path", "paths", "format", "tcpPorts", "udpPorts", "linkTypes", "maxFrame", "bytesPerPartition",
    "minPartitions", "recursiveFileLookup", "pathGlobFilter", "maxFilesPerTrigger", "maxBytesPerTrigger",
    "access", "pushdown",
)  # fmt: skip
"""The options; upper and lower case are the same."""


class Settings(NamedTuple):
    """The options of a source.

    Attributes:
        places: Paths, addresses and patterns to read.
        form: ``auto``, ``pcap``, ``pcapng`` or ``packets``.
        limits: What to read of a file.
        bytes_per_part: How many bytes a task reads at most, if a file can be cut.
        least_parts: Into how many tasks small inputs are divided.
        recursive: Whether directories within directories are read.
        names: A pattern for the names of files in directories, or None.
        files_per_batch: How many files a micro-batch takes, or None.
        bytes_per_batch: After how many bytes a micro-batch takes no more files, or None.
        through_spark: Whether Spark hands over the bytes of files; the format ``msmq`` opens them itself.
        pushdown: Whether the source takes filters.
    """

    places: tuple[str, ...]
    form: str
    limits: ReadLimits
    bytes_per_part: int
    least_parts: int
    recursive: bool
    names: str | None
    files_per_batch: int | None
    bytes_per_batch: int | None
    through_spark: bool
    pushdown: bool

    def target(self, total: int) -> int:
        """How many bytes a task shall read of so many."""
        return max(1, min(self.bytes_per_part, -(-total // self.least_parts)))


def settings_of(options: Mapping[str, str]) -> Settings:
    """The settings that options stand for.

    Raises:
        MsmqWireError: An option is unknown or has no value that it can have, or there is no path.
    """
    given = {name.lower(): value for name, value in options.items()}
    known = {name.lower(): name for name in NAMES}
    for name in given:
        if name not in known:
            raise MsmqWireError(f"there is no option {name!r}; there are {', '.join(NAMES)}")
    places = tuple(json.loads(given["paths"])) if "paths" in given else ()
    if "path" in given:
        places += (given["path"],)
    if not places:
        raise MsmqWireError("there is no path: say load(path)")
    form = given.get("format", "auto").lower()
    if form not in _FORMS:
        raise MsmqWireError(f"the option format is {form!r}; it is one of {', '.join(_FORMS)}")
    ports = Ports(_set(given, "tcpPorts", "1801", 0xFFFF), _set(given, "udpPorts", "3527", 0xFFFF))
    links = _set(given, "linkTypes", "any", 0xFFFF)
    if links is not None and not links <= set(LINK_TYPES):
        readable = ", ".join(map(str, LINK_TYPES))
        raise MsmqWireError(f"the option linkTypes is {given['linktypes']!r}; {readable} can be read")
    if "maxfilespertrigger" in given and "maxbytespertrigger" in given:
        raise MsmqWireError("of maxFilesPerTrigger and maxBytesPerTrigger, say one")
    return Settings(
        places,
        form,
        ReadLimits(ports, _number(given, "maxFrame", MAX_FRAME) or MAX_FRAME, links),
        _number(given, "bytesPerPartition", 128 * _MIB) or 1,
        _number(given, "minPartitions", 2 * (os.cpu_count() or 1)) or 1,
        _flag(given, "recursiveFileLookup", default=True),
        given.get("pathglobfilter"),
        _number(given, "maxFilesPerTrigger", None),
        _number(given, "maxBytesPerTrigger", None),
        _through_spark(given, places),
        _flag(given, "pushdown", default=False),
    )


def _through_spark(given: Mapping[str, str], places: tuple[str, ...]) -> bool:
    """Whether Spark hands over bytes: if the option says so, or one of the places is an address elsewhere."""
    access = given.get("access", "").lower()
    if access not in _ACCESSES:
        raise MsmqWireError(f"the option access is {given['access']!r}; it is one of own, spark")
    elsewhere = any(_ADDRESS.match(place) and not place.startswith("file:") for place in places)
    return access == "spark" or (not access and elsewhere)


def _number(given: Mapping[str, str], name: str, usual: int | None) -> int | None:
    text = given.get(name.lower())
    if text is None:
        return usual
    if not text.isdecimal() or not 0 < int(text) < 1 << 62:
        raise MsmqWireError(f"the option {name} is {text!r}; it is a number above 0")
    return int(text)


def _flag(given: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = given.get(name.lower(), str(default)).lower()
    if text not in {"true", "false"}:
        raise MsmqWireError(f"the option {name} is {text!r}; it is true or false")
    return text == "true"


def _set(given: Mapping[str, str], name: str, usual: str, most: int) -> frozenset[int] | None:
    """Numbers separated by commas, or None for all."""
    text = given.get(name.lower(), usual)
    if text.strip().lower() == "any":
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) <= most for part in parts):
        raise MsmqWireError(f'the option {name} is {text!r}; it is a list of numbers up to {most}, or "any"')
    return frozenset(map(int, parts))


def place_of(path: str) -> str:
    """A path of Spark's as the column `file` has it: local ones without their scheme."""
    return re.sub(r"^file:(?://)?(?=/)", "", path)
