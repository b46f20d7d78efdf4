"""The interpreter of Spark's workers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_UNCONFIGURED: Final = "python3"


def share_interpreter(spark: SparkSession | None) -> None:
    """Make the workers of a local session run this interpreter, unless another one is configured.

    Spark's default is the first ``python3`` of the PATH, where this library may not be installed.
    """
    context: Any = getattr(spark, "sparkContext", None)  # Spark Connect has none
    if context is not None and context.pythonExec == _UNCONFIGURED and context.master.startswith("local"):
        context.pythonExec = sys.executable
