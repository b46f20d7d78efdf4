"""Schemas of Spark, as JSON: Parquet files hold them, so that every reader finds comments under one key.

1. Spark's own writer stores its schema under `KEY` in the metadata of a Parquet file, and reads it from
   there.  The other writers of this package store the same text, so that Spark shows their comments too.
2. pyarrow stores comments in its own schema too.  A file that Spark wrote lacks that.
3. PySpark converts Arrow types too, but the local engine does without it.
"""

from __future__ import annotations

import json
from typing import Any, Final

import pyarrow as pa

KEY: Final = "org.apache.spark.sql.parquet.row.metadata"
"""The key of the schema in the metadata of a Parquet file."""

_NAMES: Final = {
    pa.string(): "string", pa.large_string(): "string", pa.binary(): "binary", pa.large_binary(): "binary",
    pa.bool_(): "boolean", pa.int8(): "byte", pa.int16(): "short", pa.int32(): "integer", pa.int64(): "long",
    pa.float32(): "float", pa.float64(): "double", pa.date32(): "date",
}  # fmt: skip


def spark_schema(schema: pa.Schema) -> dict[str, Any]:
    """Return the schema that Spark has for the columns, in its JSON form, with comments.

    Raises:
        TypeError: Spark has no such type.
    """
    return _struct(schema)


def spark_metadata(schema: pa.Schema) -> dict[str, str]:
    """Return the metadata of a Parquet file from which Spark reads types and comments.

    As metadata of an Arrow schema, the file would have them a second time, within that schema.
    """
    return {KEY: json.dumps(spark_schema(schema), separators=(",", ":"))}


def _struct(fields: pa.Schema | pa.StructType) -> dict[str, Any]:
    return {"type": "struct", "fields": [_field(field) for field in fields]}


def _field(field: pa.Field) -> dict[str, Any]:
    comment = (field.metadata or {}).get(b"comment")
    metadata = {"comment": comment.decode()} if comment else {}
    return {"name": field.name, "type": _type(field.type), "nullable": field.nullable, "metadata": metadata}


def _type(kind: pa.DataType) -> Any:
    if pa.types.is_struct(kind):
        return _struct(kind)
    if pa.types.is_map(kind):
        return {
            "type": "map",
            "keyType": _type(kind.key_type),
            "valueType": _type(kind.item_type),
            "valueContainsNull": kind.item_field.nullable,
        }
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        element = kind.value_field
        return {"type": "array", "elementType": _type(element.type), "containsNull": element.nullable}
    if pa.types.is_timestamp(kind):
        return "timestamp" if kind.tz else "timestamp_ntz"
    if kind not in _NAMES:
        raise TypeError(f"Spark has no type for {kind}")
    return _NAMES[kind]
