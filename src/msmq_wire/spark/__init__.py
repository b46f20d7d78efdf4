"""Captures to tables with Apache Spark; needs the extra ``spark`` and Java 17 or later.

1. `format("msmq")`, implemented by `MsmqDataSource`, reads capture files as rows of TCP segments and UDP
   datagrams.
2. `Pipeline` makes all tables in one pass, with the functions of `msmq_wire.captures`;
   `python -m msmq_wire.spark` is the job.
3. `register` registers the data source and the functions for columns of bytes with a session, for SQL too.
4. Everything that does not need Spark is in modules without Spark, and tested without it.

Each name is imported on first use, so that workers import only the modules that they need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from msmq_wire.values.extras import needed

if TYPE_CHECKING:
    from msmq_wire.captures.files.segments import SEGMENTS
    from msmq_wire.captures.table_builder import ImbalanceError

    from .functions import decode_directory, decode_messages, decode_packets, explain, register, validate
    from .pipeline import TABLES, Pipeline
    from .source import MsmqDataSource

__all__ = [
    "SEGMENTS",
    "TABLES",
    "ImbalanceError",
    "MsmqDataSource",
    "Pipeline",
    "decode_directory",
    "decode_messages",
    "decode_packets",
    "explain",
    "register",
    "validate",
]

_HOMES = {
    "SEGMENTS": "msmq_wire.captures.files.segments",
    "TABLES": ".pipeline",
    "ImbalanceError": "msmq_wire.captures.table_builder",
    "MsmqDataSource": ".source",
    "Pipeline": ".pipeline",
    "decode_directory": ".functions",
    "decode_packets": ".functions",
    "explain": ".functions",
    "decode_messages": ".functions",
    "register": ".functions",
    "validate": ".functions",
}
"""The module of each public name."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = import_module(_HOMES[name], __name__)
    except ModuleNotFoundError as error:
        raise needed("spark", error) from None
    value = globals()[name] = getattr(home, name)
    return value
