"""Endpoints of the binary protocol, [MS-MQQB] section 3.1: `Initiator`, `Acceptor`, Pings.

They live in `machines.session`; this is the name that users import.
"""

from __future__ import annotations

from .machines.session import *  # noqa: F403  # the same names
from .machines.session import __all__  # noqa: F401  # likewise
