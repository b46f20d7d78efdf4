"""The browser of the system, which tests of pages start without a window."""

from __future__ import annotations

import shutil
from typing import Final

__all__ = ["CHROMIUM", "OPTIONS"]

CHROMIUM: Final = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
"""Its path; tests that use it are marked ``needs("chromium|google-chrome")``."""
OPTIONS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Options with which it runs in a container, without dialogs."""
