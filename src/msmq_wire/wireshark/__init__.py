"""The dissector for Wireshark: one Lua file, generated from the definitions, and its install location.

`path` returns the path of the file, and `install` copies it to the folder from which Wireshark loads it.  It
needs Wireshark 4.0 or later, and no other file of this package.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

__all__ = ["install", "path", "plugin_folder"]


def __dir__() -> list[str]:
    return sorted(__all__)


_FILE = "msmq.lua"


def path() -> Path:
    """The path of the dissector in this installation."""
    return Path(__file__).with_name(_FILE)


def plugin_folder() -> Path:
    r"""The personal folder that Wireshark loads Lua files from; it need not exist.

    It is ``%APPDATA%\Wireshark\plugins`` on Windows, where ``WIRESHARK_CONFIG_DIR`` may name another folder
    than ``%APPDATA%\Wireshark``, and ``~/.local/lib/wireshark/plugins`` elsewhere.
    """
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming"
        return Path(os.environ.get("WIRESHARK_CONFIG_DIR") or Path(roaming) / "Wireshark") / "plugins"
    return Path.home() / ".local" / "lib" / "wireshark" / "plugins"


def install(folder: Path | str | None = None) -> Path:
    """Copy the dissector to the folder from which Wireshark loads it; an older copy is replaced.

    Args:
        folder: Where to put it; the personal plugin folder if not given.

    Returns:
        The file that was written.

    Raises:
        OSError: The file cannot be written there.
    """
    target = (plugin_folder() if folder is None else Path(folder)) / _FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path(), target)
    return target
