"""Check that every page of the built documentation fits a phone: ``python docs/widths.py FOLDER``.

Code and wide tables scroll by themselves; a page that is wider than the screen moves everything.
"""  # noqa: INP001  # a program, no package

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "tests" / "support")]

from support_browser import CHROMIUM, OPTIONS  # noqa: E402  # run as a program, it finds the helper first

PHONE: Final = 390
"""Width of a screen in pixels."""


def wide_pages(folder: Path) -> list[tuple[str, int]]:
    """Return the pages that are wider than a phone, with their widths."""
    pages = [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]
    wide = []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS])
        page = browser.new_page(viewport={"width": PHONE, "height": 800})
        for path in pages:
            page.goto(path.resolve().as_uri(), wait_until="load")
            width = page.locator("html").evaluate("element => element.scrollWidth")
            if width > PHONE:
                wide.append((path.relative_to(folder).as_posix(), width))
        browser.close()
    sys.stdout.write(f"{len(pages)} pages, {len(wide)} wider than {PHONE} pixels\n")
    return wide


if __name__ == "__main__":
    too_wide = wide_pages(Path(sys.argv[1]))
    sys.stdout.writelines(f"{name}: {width} pixels\n" for name, width in too_wide)
    sys.exit(bool(too_wide))
