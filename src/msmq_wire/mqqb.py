"""[MS-MQQB]: the packets of the binary protocol; one record class for each structure."""

from __future__ import annotations

from .documents import mqqb as _records
from .documents.mqqb import *  # noqa: F403  # the names of the document

__all__: list[str] = []
__all__ += _records.__all__
