"""[MS-MQCN]: change notifications; one record class for each structure, and the codec."""

from __future__ import annotations

from .packets.directory.notification import *  # noqa: F403  # the same names
from .packets.directory.notification import __all__  # noqa: F401  # likewise
