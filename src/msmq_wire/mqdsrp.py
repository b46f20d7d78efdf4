"""[MC-MQDSRP]: directory replication; one record class for each structure, and the codec."""

from __future__ import annotations

from .packets.directory.replication import *  # noqa: F403  # the same names
from .packets.directory.replication import __all__  # noqa: F401  # likewise
