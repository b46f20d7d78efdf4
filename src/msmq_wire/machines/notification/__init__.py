"""Change notification as pure functions: [MS-MQCN] section 3.

- `machine`: preparing and processing notifications.
- `effects`: the effects of a receiver.
"""

from __future__ import annotations

from .machine import *  # noqa: F403  # the same names
from .machine import __all__  # noqa: F401  # likewise
