"""Times: the epoch, and the units of capture times, which are counted in microseconds."""

from __future__ import annotations

import datetime as dt
from typing import Final

EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
"""What times count from, those of packets in seconds ([MS-MQMQ] 2.2.19.2) and those of captures."""
SECOND: Final = 1_000_000
"""A second in microseconds."""
MINUTE: Final = 60 * SECOND
"""A minute in microseconds."""
