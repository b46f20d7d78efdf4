"""Generated capture files of an enterprise with their ground truth.

This package needs the extras ``captures`` and ``testing``.

- `files`: writes the captures and the ground truth.
- `enterprise`, `connections`, `wire`, `donors`: generate the traffic and its faults.
- `rehearsal`, `network`, `statements`, `replication`, `remote_reads`: days of an enterprise of session
  endpoints, and the fates of its messages.
- `truth`, `message_truth`, `session_truth`: the ground truth of packets, messages and sessions.
"""

from __future__ import annotations

from msmq_wire.values.extras import needed

try:
    import hypothesis  # noqa: F401  # it is looked for here
    import numpy as np  # noqa: F401  # likewise
    import pyarrow as pa  # noqa: F401  # likewise
except ModuleNotFoundError as error:
    raise needed("captures,testing", error, "testing.captures") from None

from .files import *  # noqa: F403  # the same names
from .files import __all__  # noqa: F401  # likewise
