"""The exceptions of the fast readers."""

from __future__ import annotations

import struct


class Reject(Exception):
    """The bytes do not fit the layout."""


UNREADABLE = (Reject, LookupError, struct.error, OverflowError, UnicodeError)
"""The exceptions of the fast reader of a packet, which leaves some checks to `struct` and the text codec.

In a Python of 32 bits, as in a browser, `struct` raises OverflowError for places of 2 GiB and beyond."""
