"""The browser of the system, which tests of pages start without a window, and the module of the page."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, Final

from support_specs import SPECS

__all__ = ["CHROMIUM", "OPTIONS", "browser_page"]

CHROMIUM: Final = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
"""Its path; tests that use it are marked ``needs("chromium|google-chrome")``."""
OPTIONS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Options with which it runs in a container, without dialogs."""


@cache
def browser_page() -> Any:
    """The module that the page runs in the browser."""
    spec = spec_from_file_location("page", SPECS.parent / "docs" / "browser" / "page.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
