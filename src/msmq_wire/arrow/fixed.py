"""Structures whose fields all have a fixed size, as columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ._reading.plan import plan_of
from ._reading.steps import Run


def fixed_columns(name: str, data: pa.Array) -> dict[str, pa.Array]:
    """Return the fields of a structure by their paths, as numbers or as bytes.

    Args:
        name: The structure.
        data: Rows of exactly its size.
    """
    (run,) = (step for step in plan_of(name) if isinstance(step, Run))
    rows = data.cast(pa.binary(run.size))
    fields = np.frombuffer(rows.buffers()[1] or b"", run.dtype, len(rows), rows.offset * run.size)
    return {slot.path: _column(np.ascontiguousarray(fields[slot.name])) for slot in run.slots}


def _column(values: np.ndarray[Any, Any]) -> pa.Array:
    if values.dtype.kind != "V":
        return pa.array(values)
    return pa.Array.from_buffers(pa.binary(values.itemsize), len(values), [None, pa.py_buffer(values)])
