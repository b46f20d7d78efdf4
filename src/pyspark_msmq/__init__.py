"""Makes ``msmq`` a format that Spark knows without a call: Spark imports packages with names like this."""

from __future__ import annotations

from msmq_wire.spark.source import MsmqDataSource as DefaultSource

__all__ = ["DefaultSource"]
