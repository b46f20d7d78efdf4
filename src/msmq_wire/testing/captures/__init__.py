"""Capture files of an enterprise, with the ground truth beside them; needs the extra ``captures``.

- `files`: writes the captures and the truth.
- `enterprise`, `connections`, `wire`, `donors`: who talks to whom, and what happens to it on the way.
- `truth`, `message_truth`, `session_truth`: what the captures hold, stated by who makes them.
"""

from __future__ import annotations

from msmq_wire.values.extras import needed

try:
    import numpy as np  # noqa: F401  # it is looked for here
    import pyarrow as pa  # noqa: F401  # likewise
except ModuleNotFoundError as error:
    raise needed("captures", error, "testing.captures") from None

from .files import (
    DIRECTORY,
    MESSAGES,
    SESSIONS,
    TRUTH,
    VIOLATIONS,
    Breach,
    Change,
    Faults,
    Form,
    Frame,
    Message,
    Party,
    Session,
    Span,
    Written,
    events,
    main,
    write_captures,
)

__all__ = [
    "DIRECTORY",
    "MESSAGES",
    "SESSIONS",
    "TRUTH",
    "VIOLATIONS",
    "Breach",
    "Change",
    "Faults",
    "Form",
    "Frame",
    "Message",
    "Party",
    "Session",
    "Span",
    "Written",
    "events",
    "main",
    "write_captures",
]
