"""The schema of Parquet files on disk, independent of their writer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["WRITER_COLUMNS", "columns_of", "files_of"]

WRITER_COLUMNS = {"batch", "open", "date", "sensor"}
"""Columns that increments have as names of folders."""


def files_of(table: Path) -> list[Path]:
    """The Parquet files of a table."""
    return sorted(path for path in table.rglob("*.parquet") if "_temporary" not in path.parts)


def columns_of(file: Path) -> dict[str, tuple[Any, ...]]:
    """Of each leaf column: physical type, meaning, and the levels of optional and repeated elements."""
    schema = pq.ParquetFile(file).schema
    leaves = (schema.column(index) for index in range(len(schema)))
    return {
        leaf.path: (
            leaf.physical_type,
            str(leaf.logical_type),
            leaf.max_definition_level,
            leaf.max_repetition_level,
        )
        for leaf in leaves
    }
