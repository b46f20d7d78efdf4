"""Numbers of the documents that belong to no field, or to several."""

from __future__ import annotations

from typing import Final

__all__ = ["PING_PORT", "PORT"]

PORT: Final = 1801
"""TCP port of queue managers ([MS-MQQB] 2.1)."""
PING_PORT: Final = 3527
"""UDP port for Pings ([MS-MQQB] 2.1.2)."""
