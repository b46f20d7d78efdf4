"""Endpoints of the binary protocol, [MS-MQQB] section 3.1: `Initiator`, `Acceptor`, Pings.

This module is the public name of `machines.session`.
"""

from __future__ import annotations

from .machines.session import *  # noqa: F403  # the same names
from .machines.session import __all__  # likewise


def __dir__() -> list[str]:
    return sorted(__all__)
