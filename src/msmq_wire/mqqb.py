"""[MS-MQQB]: the packets of the binary protocol; one record class a structure, named as on the page."""

from __future__ import annotations

from .documents import mqqb as _records
from .documents.mqqb import *  # noqa: F403  # its names are those of the page

__all__: list[str] = []
__all__ += _records.__all__
