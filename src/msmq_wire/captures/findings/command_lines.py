"""Bodies that are command lines: a program that starts others or loads code, and an argument for it.

A word alone proves nothing: texts may begin with the name of a program.  So what follows has to look like an
argument that the program takes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow.compute as pc

from msmq_wire.arrow.arrays import marks

if TYPE_CHECKING:
    import pyarrow as pa

_HEAD: Final = 1024
"""The first bytes of a body that are searched; a path of Windows has up to 260 characters."""
_END: Final = r"(?=[\s\"',;]|$)"
_GAP: Final = r"\s+(?=\S)"
"""Space before an argument; it is matched in one way only, so that much of it takes no time."""
_DASHED: Final = rf"--?[a-z?][\w:=-]*{_END}"
_SLASHED: Final = rf"//?[a-z?](?:[\w:=-]*{_END}|\w*:\S)"
_CODE: Final = (
    r"\S*\.(?:bat|cmd|com|cpl|csproj|dll|exe|hta|inf|jse?|msi|ocx|ps1|psm1|sct|sh|vbe|vbs|wsf|xml|xsl)"
    rf"{_END}"
)
"""A file that has code, by its suffix."""
_ADDRESS: Final = r"(?:https?|ftp|file)://[^\s/]|(?:about|javascript|vbscript):\S"
_PATH: Final = r"(?:[a-z]:|%\w+%|\\)\\[^\s\\]"
_OPERAND: Final = rf"[\"']?(?:{_DASHED}|{_CODE}|{_ADDRESS}|{_PATH})"
_ARGUMENT: Final = rf"{_OPERAND}|{_SLASHED}"
_POWERSHELL_OPTIONS: Final = (
    "command", "configurationname", "custompipename", "ec", "encodedcommand", "ep", "executionpolicy", "file",
    "help", "inputformat", "interactive", "login", "mta", "noexit", "nologo", "noninteractive", "noprofile",
    "outputformat", "psconsolefile", "settingsfile", "sta", "version", "wd", "windowstyle",
    "workingdirectory",
)  # fmt: skip
_BEGINNINGS: Final = sorted(
    {name[:length] for name in _POWERSHELL_OPTIONS for length in range(1, len(name) + 1)}, reverse=True
)
"""PowerShell takes an option by its beginning; ``PowerShell -Training`` has none."""
_VERBS: Final = (
    "add|clear|compress|copy|disable|enable|expand|get|import|install|invoke|move|new|out|register|remove|"
    "rename|restart|set|start|stop|test|unblock|write"
)
_NOUNS: Final = (
    "acl|ad|archive|bits|child|cim|command|computer|content|event|execution|expression|file|host|item|job|local|"
    "module|mp|net|object|output|process|ps|rest|scheduled|service|variable|web|win|wmi"
)
"""Beginnings of the nouns of cmdlets: a text may have ``PowerShell start-up``."""
_CMDLET: Final = (
    rf"[\"']?(?:&\s*[{{(\"'$]|[&({{\s]*"
    rf"(?:(?:{_VERBS})-(?:{_NOUNS})\w*|iex\b|iwr\b|\$[a-z]\w*\s*[:.=]|\[[\w.]+\]::))"
)
_DASHES: Final = r"-\u2013\u2014\u2015"
"""PowerShell takes long dashes for hyphens; an editor of texts may have made them."""
_POWERSHELL: Final = (
    rf"{_GAP}(?:[\"']?[{_DASHES}/](?:\?|{'|'.join(_BEGINNINGS)})(?=[\s\"',;:]|$)"
    rf"|[\"']?(?:{_CODE}|{_ADDRESS}|{_PATH})|{_CMDLET})"
)
_CMD: Final = r"\s*[\"']?(?:(?:/[adefqstuv])+/[ckr]|/[acdefkqrstuvx])(?=[\s:\"]|$)"
_USUAL: Final = rf"{_GAP}(?:{_ARGUMENT})"
_SHELL: Final = (
    rf"{_GAP}(?:-[a-z]*c\s+\S|-[a-z]*i\s*\d*[<>&]|--[a-z][\w-]*\s+\S|{_CODE}"
    r"|/(?:bin|dev|etc|home|opt|tmp|usr|var)/\S)"
)
_FETCH: Final = rf"{_GAP}(?:{_OPERAND}|\d{{1,3}}(?:\.\d{{1,3}}){{3}}[:/])"
_WMIC: Final = (
    rf"{_GAP}(?:{_ARGUMENT}|path\s+\w"
    r"|(?:computersystem|os|process|product|service|shadowcopy|startup|useraccount)\s+"
    r"(?:call|create|delete|get|list|set|where)(?!\w))"
)
_ARGUMENTS: Final = {
    "bash": _SHELL,
    "bitsadmin": _USUAL,
    "certutil": _USUAL,
    "cmd": _CMD,
    "%comspec%": _CMD,
    "cscript": _USUAL,
    "curl": _FETCH,
    "forfiles": _USUAL,
    "installutil": _USUAL,
    "msbuild": _USUAL,
    "mshta": _USUAL,
    "msiexec": _USUAL,
    "powershell": _POWERSHELL,
    "pwsh": _POWERSHELL,
    "regasm": _USUAL,
    "regsvcs": _USUAL,
    "regsvr32": _USUAL,
    "rundll32": rf"{_GAP}(?:{_ARGUMENT}|[\w.]+,#?\w)",
    "schtasks": _USUAL,
    "sh": _SHELL,
    "wget": _FETCH,
    "wmic": _WMIC,
    "wscript": _USUAL,
}
"""What follows the name of a program in a command line, as patterns of texts in any case."""
PROGRAMS_WITH_ARGUMENTS: Final = tuple(_ARGUMENTS)
"""The programs, in words."""

_NAMES: Final = "|".join(map(re.escape, sorted(_ARGUMENTS, key=len, reverse=True)))
_FIRST_WORD: Final = re.compile(
    rf"\s*(?=\S)(?:\"(?:[^\"\r\n]*[\\/])?(?P<quoted>{_NAMES})(?:\.exe)?\""
    rf"|(?:(?:[a-z]:|%\w+%)?[^\s\":]*[\\/])?(?P<bare>{_NAMES})(?:\.exe)?)(?=[\s/])",
    re.IGNORECASE,
)
"""The first word of a body: a program, which may have a path, quotes, and the suffix .exe."""
_REST: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _ARGUMENTS.items()}
_ENCODINGS: Final = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8"))


def _wide(name: str) -> str:
    return r"\x00?".join(map(re.escape, name))


_ANY_NAME: Final = f"(?i){'|'.join(map(_wide, _ARGUMENTS))}"
"""A pattern for bytes in which the name of a program is, in any of the encodings."""


def rows_with_names(bodies: pa.Array) -> list[int]:
    """Return the rows of bodies that may be command lines."""
    has_name = pc.match_substring_regex(pc.binary_slice(bodies, 0, _HEAD), _ANY_NAME)
    rows: list[int] = np.flatnonzero(marks(has_name)).tolist()
    return rows


def command_line(body: bytes) -> str | None:
    """Return what a body is, if it begins as a command line; otherwise None."""
    head = body[:_HEAD]
    encoding = next((name for mark, name in _ENCODINGS if head.startswith(mark)), None)
    if encoding is None:
        encoding = "utf-16-le" if head[1:2] == b"\0" else "utf-16-be" if head[:1] == b"\0" else "utf-8"
    text = head.decode(encoding, "replace").removeprefix("\ufeff")
    first = _FIRST_WORD.match(text)
    if first is None:
        return None
    name = (first["quoted"] or first["bare"]).lower()
    return f"a command line for {name}" if _REST[name].match(text, first.end()) else None
