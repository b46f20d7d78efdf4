"""The schema of Parquet files on disk, independent of their writer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["WRITER_COLUMNS", "columns_of", "comments_of", "files_of"]

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


def comments_of(file: Path) -> dict[str, str]:
    """The comments of columns, under the key that all writers have in common."""
    text = pq.read_metadata(file).metadata[b"org.apache.spark.sql.parquet.row.metadata"]
    return {field["name"]: field["metadata"]["comment"] for field in json.loads(text)["fields"]}
