"""Timeouts of connections in increments, in seconds of the captures."""

from __future__ import annotations

from typing import Final

IDLE: Final = 86_400
"""Default time without a segment after which an open connection ends."""
LINGER: Final = 240
"""The same for a closed connection: twice the maximum segment lifetime of RFC 9293, 3.4.2."""
