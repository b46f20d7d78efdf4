"""How long connections are waited for in increments, in seconds of the captures."""

from __future__ import annotations

from typing import Final

__all__ = ["IDLE", "LINGER"]

IDLE: Final = 86_400
"""After how long without a segment a connection that nobody has ended is over, by default."""
LINGER: Final = 240
"""The same of one that was ended: twice the maximum segment lifetime of RFC 9293, 3.4.2."""
