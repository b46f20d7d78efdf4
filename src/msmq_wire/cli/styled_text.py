"""Lines with colours, for terminals and browsers."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, Final

from msmq_wire.views.texts import position_of, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Parts = list[tuple[str, str]]
"""The parts of a line: the kind of each, a key of `ANSI` or empty, and its text."""

_MARK: Final = re.compile(r"<-- .*")
ANSI: Final = {
    "title": "\x1b[1;4m",
    "location": "\x1b[2m",
    "bytes": "\x1b[36m",
    "field": "\x1b[1m",
    "error": "\x1b[1;31m",
}
"""The colours of a terminal."""
_RESET: Final = "\x1b[0m"


def line_of(parts: Parts, *, colours: bool) -> str:
    """Return a printable line."""
    printed = [(kind, printable(text)) for kind, text in parts]
    return _dyed(printed) if colours else "".join(text for _, text in printed) + "\n"


def _dyed(parts: Parts) -> str:
    return (
        "".join(f"{ANSI[kind]}{text}{_RESET}" if kind and text.strip() else text for kind, text in parts)
        + "\n"
    )


def violation_parts(row: Mapping[str, Any], where: str) -> Parts:
    """Return the line of a violation."""
    other = row.get("other")
    also = ""
    if other is not None:
        also = f"; the other message: {position_of(other)}"
    return [
        ("error", row["level"]),
        ("location", f"  {where}"),
        ("", f": {row['message']} ("),
        ("field", row["requirement"]),
        ("", f", byte {row['field_offset']}{also})"),
    ]


def finding_parts(row: Mapping[str, Any], where: str, sentence: str) -> Parts:
    """Return the line of a finding."""
    return [
        ("error" if row["severity"] == "alert" else "field", row["severity"]),
        ("field", f"  {row['id']}"),
        ("location", f"  {where}"),
        ("", f": {sentence}"),
    ]


def delivery_parts(state: str, line: str) -> Parts:
    """Return the line of a message and its state."""
    time, gap, rest = line.partition("  ")
    bad = state in {"refused", "expired"}
    return [("error" if bad else "field", f"{state:<8}"), ("location", f"  {time}{gap}"), ("", rest)]


def session_parts(line: str) -> Parts:
    """Divide one of the lines that describe a session."""
    if line.startswith(" "):
        return [("error" if line.lstrip().startswith("violation:") else "", line)]
    time, gap, rest = line.partition("  ")
    return [("location", time + gap), ("field", rest)]


# ------------------------------------------------------------------------------------------ explanations


def _parts(text: str) -> Iterator[Parts]:
    """Split the lines of an explanation into parts, each with its kind."""
    lines = text.splitlines()
    title = next((line for line in lines if line.startswith("offset")), "")
    columns = [title.find(name) for name in ("bytes", "field", "value")]
    listed = False
    for line in lines:
        if line.startswith(("== ", "offset ")):
            listed = line.startswith("offset ")
            yield [("title", line)]
        elif line.startswith(("error:", "stopped:")):
            yield [("error", line)]
        elif not listed or -1 in columns:
            yield [("", line)]
        else:
            start, field, value = columns
            rest, mark = line[value:], _MARK.search(line[value:])
            cut = mark.start() if mark else len(rest)
            yield [
                ("location", line[:start]),
                ("bytes", line[start:field]),
                ("field", line[field:value]),
                ("", rest[:cut]),
                ("error", rest[cut:]),
            ]


def coloured(text: str) -> str:
    """Colour an explanation for a terminal; the text must be printable."""
    return "".join(map(_dyed, _parts(text)))


_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1rem; }
h1 { font-size: 1.2rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; border-radius: 6px; }
.title { font-weight: 600; } .location { opacity: .55; }
.bytes { color: #0a7c86; } .field { font-weight: 600; }
.error { color: #c62828; font-weight: 600; display: inline-block; max-width: 100%; vertical-align: top; }
.error { white-space: pre-wrap; overflow-wrap: anywhere; }
"""


def page_of(title: str, explanations: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Yield a self-contained HTML page, in parts.

    Args:
        title: The title of the page.
        explanations: A heading and an explanation for each packet.
    """
    name = html.escape(printable(title))
    yield (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name}</title><style>{_STYLE}</style></head><body>\n<h1>{name}</h1>\n"
    )
    for heading, text in explanations:
        yield f"<h2>{html.escape(printable(heading))}</h2>\n<pre>"
        for parts in _parts(text):
            yield "".join(
                f'<span class="{kind}">{html.escape(part)}</span>'
                if kind and part.strip()
                else html.escape(part)
                for kind, part in parts
            )
            yield "\n"
        yield "</pre>\n"
    yield "</body></html>\n"
