"""Dividing the text of queue names into parts, and checking the parts.

All functions take time linear in the length of the text.  Errors have the part and the index of a character.
"""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msmq_wire.values.enumerations import QUEUE_SUFFIX_TYPE
from msmq_wire.values.errors import EncodeError, need, shortened, wrong_value
from msmq_wire.values.guid import GUID
from msmq_wire.values.refusals import Problem, say

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_FORMAT_NAME_LENGTH = 65_535
"""The default maximum number of characters for `parse`."""

QueueKind: TypeAlias = Literal["public", "private", "system"]
"""Kinds of queues: registered in the directory, local to one computer, or created by the service."""


def keyword_of(suffix: QUEUE_SUFFIX_TYPE) -> str:
    """Return the text of a suffix."""
    return suffix.name.removeprefix("QUEUE_SUFFIX_TYPE_")


NONE, JOURNAL = QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_NONE, QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_JOURNAL
_LONGEST_SHOWN = 120
READ_ONLY = (
    JOURNAL,
    QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_DEADLETTER,
    QUEUE_SUFFIX_TYPE.QUEUE_SUFFIX_TYPE_DEADXACT,
)
PROTOCOLS = ("TCP", "SPX", "IPX", "OS", "HTTP", "HTTPS")

# No pattern can match the same text in two ways, so each takes linear time.
HEX_GUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
HEX_NUMBER = re.compile(r"[0-9A-Fa-f]{1,8}")
OCTETS = re.compile(r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})")
PORT = re.compile(r"0|[1-9][0-9]{0,4}")
SLASH = re.compile(r"[/\\]")
BACKSLASH = re.compile(r"\\")
IPX = re.compile(r"[0-9A-Fa-f]{1,8}[.:][0-9A-Fa-f]{1,12}")
HTTP_HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]+)(?::[0-9]*)?")
NOT_IN_HOST = re.compile(r"[\x00-\x20\x7F]")  # a computer name may use any script, 2.1.2
SPX = re.compile(r"[0-9A-Fa-f]{8}[.:][0-9A-Fa-f]{12}")  # [MS-MQQB] 2.2.4
NOT_VCHAR = re.compile(r"[^\x21-\x7E]")
NOT_QUEUE_1 = re.compile(r"[^\x21-\x3A\x3C-\x5B\x5D-\x7F]")
NOT_QUEUE_2 = re.compile(r"[^\x21\x23-\x2A\x2D-\x3A\x3C-\x5B\x5D-\x7F]")
NOT_QUEUE_1_SDK = re.compile(r"[\\;\r\n\0]")  # the pages of the SDK allow any other character (errata M47)
NOT_QUEUE_2_SDK = re.compile(r'[\\;+,"\r\n\0]')


class DirectParts(NamedTuple):
    """The parts of a direct name."""

    protocol: str
    address: str
    kind: QueueKind
    queue: str
    subqueue: str | None
    suffix: QUEUE_SUFFIX_TYPE


def split_direct(text: str, base: int) -> DirectParts:
    """Divide a direct name without its keyword."""
    protocol = next((name for name in PROTOCOLS if starts(text, 0, name + ":")), None)
    if protocol is None:
        hint = " (without DIRECT=)" if starts(text, 0, "DIRECT=") else ""
        protocols = ", ".join(PROTOCOLS)
        raise broken("DirectName.protocol", text, 0, base, f"one of {protocols} and a colon{hint}")
    start = len(protocol) + 1
    slash = SLASH if protocol in ("HTTP", "HTTPS") else BACKSLASH
    end = slash.search(text, start if slash is BACKSLASH else end_of_host(text, start, base))
    if end is None or end.start() == start:
        hint = " (a backslash, not a slash)" if slash is BACKSLASH and "/" in text else ""
        raise broken("DirectName.address", text, start, base, f"an address and a separator{hint}")
    address, at = text[start : end.start()], end.end()
    if starts(text, at, "SYSTEM$;"):
        for suffix in READ_ONLY:
            if is_keyword(text[at + 8 :], keyword_of(suffix)):
                return DirectParts(protocol, address, "system", "", None, suffix)
        raise broken("DirectName.suffix", text, at + 8, base, "JOURNAL, DEADLETTER or DEADXACT")
    kind: QueueKind = "public"
    if starts(text, at, "PRIVATE$") and slash.match(text, at + 8):
        kind, at = "private", at + 9
    journal = is_keyword(text[-8:], ";JOURNAL")
    queue, subqueue = split_queue("DirectName", text, at, len(text) - 8 * journal, base)
    return DirectParts(protocol, address, kind, queue, subqueue, JOURNAL if journal else NONE)


def join_direct(parts: DirectParts) -> str:
    """Join parts to a text; dividing it returns the same parts if they form a name."""
    slash = "/" if parts.protocol in ("HTTP", "HTTPS") else "\\"
    marker, tail = "", subqueue_text(parts.subqueue) + suffix_text(parts.suffix)
    if parts.kind == "private":
        marker = f"PRIVATE${slash}"
    elif parts.kind == "system":
        marker, tail = f"SYSTEM$;{keyword_of(parts.suffix)}", ""
    return f"{parts.protocol}:{parts.address}{slash}{marker}{parts.queue}{tail}"


def end_of_host(text: str, start: int, base: int) -> int:
    """Find where the directory of a URL begins."""
    if not text.startswith("//", start):
        raise broken("DirectName.address", text, start, base, "// at the beginning of a URL")
    end = SLASH.search(text, start + 2)
    if end is None or end.start() == start + 2:
        raise broken("DirectName.address", text, start + 2, base, "a host and a directory")
    return end.end()


def split_queue(structure: str, text: str, at: int, end: int, base: int) -> tuple[str, str | None]:
    queue, semicolon, subqueue = text[at:end].partition(";")
    if not queue:
        raise broken(f"{structure}.queue", text, at, base, "a queue name")
    if semicolon and not subqueue:
        raise broken(f"{structure}.subqueue", text, end, base, "a subqueue name after the semicolon")
    return queue, subqueue if semicolon else None


def read_guid(path: str, text: str, at: int, base: int) -> tuple[GUID, int]:
    """Parse a GUID with hyphens and without braces; return it and its end."""
    if HEX_GUID.match(text, at):
        return GUID.of(text[at : at + 36]), at + 36
    for char, model in zip(text[at : at + 36], "h" * 8 + "-hhhh-hhhh-hhhh-" + "h" * 12, strict=False):
        if char not in ("-" if model == "-" else "0123456789abcdefABCDEF"):
            break
        at += 1
    raise broken(path, text, at, base, "a GUID of 8-4-4-4-12 hexadecimal digits without braces")


def read_suffix(
    path: str, text: str, at: int, base: int, allowed: tuple[QUEUE_SUFFIX_TYPE, ...]
) -> QUEUE_SUFFIX_TYPE:
    """Parse the rest of the text, which is empty or a suffix."""
    if at == len(text):
        return NONE
    for suffix in allowed[1:]:
        if is_keyword(text[at:], suffix_text(suffix)):
            return suffix
    names = " or ".join(map(suffix_text, allowed[1:]))
    raise broken(path, text, at, base, f"{names} or the end")


def suffix_text(suffix: QUEUE_SUFFIX_TYPE) -> str:
    return f";{keyword_of(suffix)}" if suffix else ""


def subqueue_text(subqueue: str | None) -> str:
    return "" if subqueue is None else f";{subqueue}"


def upper(guid: GUID) -> str:
    return str(guid).upper()


def is_keyword(text: str, keyword: str) -> bool:
    # Without the ASCII test, a long s would match S, and a dotless i would match I.
    return len(text) == len(keyword) and text.isascii() and text.upper() == keyword


def starts(text: str, at: int, keyword: str) -> bool:
    return is_keyword(text[at : at + len(keyword)], keyword)


def is_ipv4(text: str) -> bool:
    return OCTETS.fullmatch(text) is not None and all(int(octet) < 256 for octet in text.split("."))


def text_problems(part: str, text: str, limit: int, forbidden: re.Pattern[str]) -> Iterator[str]:
    if len(text) > limit:
        yield f"{part}: expected at most {limit} characters, found {len(text)}"
    if bad := forbidden.search(text):
        hint = " (it may follow private$ only)" if bad.group() == "\\" else ""
        yield f"{part}: character {bad.group()!r} at index {bad.start()} is not allowed{hint}"


def queue_problems(queue: str, subqueue: str | None, version: int, sdk: bool) -> Iterator[str]:
    first, later = (NOT_QUEUE_1_SDK, NOT_QUEUE_2_SDK) if sdk else (NOT_QUEUE_1, NOT_QUEUE_2)
    yield from text_problems("2.1.1 QueueName", queue, 124, first if version == 1 else later)
    if subqueue is not None:
        if version < 4:
            yield "2.1.1 Subqueue: MSMQ 4.0 introduced subqueues"
        yield from text_problems("2.1.1 Subqueue", subqueue, 32, later)


def is_subqueue_name(text: str) -> bool:
    """Return whether the pages of the SDK allow a name for a subqueue."""
    return not any(queue_problems("", text, 4, sdk=True))


def address_problems(protocol: str, address: str) -> Iterator[str]:
    part = f"2.1.2 {protocol} address"
    if protocol == "OS":
        yield from text_problems(part, address, 256, NOT_IN_HOST)
    elif protocol == "TCP":
        if not is_ip_address(address):
            expected = "an IPv4 or IPv6 address (a host name follows OS:)"
            yield f"{part}: expected {expected}, found {shortened(address)}"
    elif protocol in ("IPX", "SPX"):
        if not (SPX if protocol == "SPX" else IPX).fullmatch(address):
            numbers = "hexadecimal network and host numbers with : or . between"
            yield f"{part}: expected {numbers}, found {shortened(address)}"
    else:
        host = HTTP_HOST.fullmatch(address[2:-5])
        if host is None or not is_keyword(address[-4:], "MSMQ") or not SLASH.match(address, len(address) - 5):
            yield f"{part}: expected //host:port/MSMQ, found {shortened(address)}"
        else:
            yield from text_problems(f"{part}, Host", host.group(1), 256, NOT_IN_HOST)


def is_ip_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text)
    except ValueError:
        return False
    return True


def check_length(text: str, path: str, max_length: int) -> None:
    need("max_length", max_length, int, "a number")
    require(isinstance(text, str), path, "text", text)
    require(len(text) <= max_length, path, f"at most {max_length} characters", len(text))


def require(condition: bool, path: str, expected: str, actual: object) -> None:
    if not condition:
        raise EncodeError(
            wrong_value(expected, actual),
            structure=path.partition(".")[0],
            path=path,
            expected=expected,
            actual=actual,
        )


def require_guid(path: str, value: object) -> None:
    require(isinstance(value, GUID) and len(value.bytes_le) == 16, path, "a GUID of 16 bytes", value)


def require_number(path: str, value: object, limit: int) -> None:
    is_valid = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit
    require(is_valid, path, f"an integer of 0 to {limit}", value)


def require_suffix(path: str, value: object, allowed: tuple[QUEUE_SUFFIX_TYPE, ...]) -> None:
    is_valid = isinstance(value, QUEUE_SUFFIX_TYPE) and value in allowed
    require(is_valid, path, "the suffix " + " or ".join(keyword_of(suffix) for suffix in allowed), value)


def broken(path: str, text: str, at: int, base: int, expected: str) -> EncodeError:
    """Return the error for a text that is wrong at `at`; the name starts `base` characters earlier."""
    rest = shortened(text[at : at + _LONGEST_SHOWN]) if at < len(text) else "the end"
    return EncodeError(
        say(Problem.VALUE, expected, f"{rest} (character {base + at})"),
        structure=path.partition(".")[0],
        path=path,
        expected=expected,
        actual=text[at : at + _LONGEST_SHOWN],
    )
