"""The options of the source, validated once; errors repeat the user's text."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from msmq_wire.captures.files.reading import MAX_FRAME, ReadLimits
from msmq_wire.captures.files.sources import shown
from msmq_wire.captures.network.frames import Ports
from msmq_wire.captures.network.links import LINK_TYPES
from msmq_wire.values.errors import MsmqWireError
from msmq_wire.values.numbers import PING_PORT, PORT
from msmq_wire.values.paths import is_address

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORMS = ("auto", "pcap", "pcapng", "packets")
_ACCESSES = ("", "own", "spark")
_MIB = 1 << 20
NAMES: Final = (
    "path", "paths", "format", "tcpPorts", "udpPorts", "linkTypes", "maxFrame", "bytesPerPartition",
    "minPartitions", "recursiveFileLookup", "pathGlobFilter", "maxFilesPerTrigger", "maxBytesPerTrigger",
    "access", "pushdown",
)  # fmt: skip
"""The options; names are case-insensitive."""


class Settings(NamedTuple):
    """The options of a source.

    Attributes:
        locations: Paths, URLs and patterns to read.
        form: ``auto``, ``pcap``, ``pcapng`` or ``packets``.
        limits: What to read from a file.
        bytes_per_part: Maximum bytes that a task reads of a file that can be split.
        least_parts: Number of tasks for small inputs.
        recursive: Whether subdirectories are read.
        names: A pattern for the names of files in directories, or None.
        files_per_batch: Maximum number of files in a micro-batch, or None.
        bytes_per_batch: Number of bytes after which a micro-batch takes no more files, or None.
        through_spark: Whether Spark reads the files; the format ``msmq`` opens them itself.
        pushdown: Whether the source applies filters.
    """

    locations: tuple[str, ...]
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
        """Return the target size of a task for this total size."""
        return max(1, min(self.bytes_per_part, -(-total // self.least_parts)))


def settings_of(options: Mapping[str, str]) -> Settings:
    """Return the settings for options.

    Raises:
        MsmqWireError: An option is unknown or has an invalid value, or there is no path.
    """
    given = {name.lower(): value for name, value in options.items()}
    names_by_lower = {name.lower(): name for name in NAMES}
    for name in given:
        if name not in names_by_lower:
            raise MsmqWireError(f"there is no option {name!r}; there are {', '.join(NAMES)}")
    locations = tuple(json.loads(given["paths"])) if "paths" in given else ()
    if "path" in given:
        locations += (given["path"],)
    if not locations:
        raise MsmqWireError("there is no path: use load(path)")
    form = given.get("format", "auto").lower()
    if form not in _FORMS:
        raise MsmqWireError(f"the option format is {form!r}, not one of {', '.join(_FORMS)}")
    ports = Ports(_set(given, "tcpPorts", f"{PORT}", 0xFFFF), _set(given, "udpPorts", f"{PING_PORT}", 0xFFFF))
    links = _set(given, "linkTypes", "any", 0xFFFF)
    if links is not None and not links <= set(LINK_TYPES):
        readable = ", ".join(map(str, LINK_TYPES))
        raise MsmqWireError(f"the option linkTypes is {given['linktypes']!r}; {readable} can be read")
    if "maxfilespertrigger" in given and "maxbytespertrigger" in given:
        raise MsmqWireError("maxFilesPerTrigger and maxBytesPerTrigger exclude each other")
    return Settings(
        locations,
        form,
        ReadLimits(ports, _number(given, "maxFrame", MAX_FRAME) or MAX_FRAME, links),
        _number(given, "bytesPerPartition", 128 * _MIB) or 1,
        _number(given, "minPartitions", 2 * (os.cpu_count() or 1)) or 1,
        _flag(given, "recursiveFileLookup", default=True),
        given.get("pathglobfilter"),
        _number(given, "maxFilesPerTrigger", None),
        _number(given, "maxBytesPerTrigger", None),
        _through_spark(given, locations),
        _flag(given, "pushdown", default=False),
    )


def _through_spark(given: Mapping[str, str], locations: tuple[str, ...]) -> bool:
    """Return whether Spark reads the files: by option, or because a place is a URL of another file system."""
    access = given.get("access", "").lower()
    if access not in _ACCESSES:
        raise MsmqWireError(f"the option access is {given['access']!r}, not one of own, spark")
    elsewhere = any(is_address(location) and not location.startswith("file:") for location in locations)
    return access == "spark" or (not access and elsewhere)


def _number(given: Mapping[str, str], name: str, usual: int | None) -> int | None:
    text = given.get(name.lower())
    if text is None:
        return usual
    if not text.isdecimal() or not 0 < int(text) < 1 << 62:
        raise MsmqWireError(f"the option {name} is {text!r}, not a number above 0")
    return int(text)


def _flag(given: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = given.get(name.lower(), str(default)).lower()
    if text not in {"true", "false"}:
        raise MsmqWireError(f"the option {name} is {text!r}, not true or false")
    return text == "true"


def _set(given: Mapping[str, str], name: str, usual: str, most: int) -> frozenset[int] | None:
    """Parse numbers separated by commas; None for all."""
    text = given.get(name.lower(), usual)
    if text.strip().lower() == "any":
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) <= most for part in parts):
        raise MsmqWireError(f'the option {name} is {text!r}, not a list of numbers up to {most}, or "any"')
    return frozenset(map(int, parts))


def absolute(location: str) -> str:
    """Return a place that does not depend on the current directory; URLs are unchanged."""
    return location if not location or is_address(location) else os.path.abspath(location)  # noqa: PTH100  # with .. resolved


def place_of(path: str) -> str:
    """Convert a path of Spark to the form of the column `file`: as `shown`, local paths without scheme."""
    return shown(re.sub(r"^file:(?://)?(?=/)", "", path))
