"""Schemas as Spark says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

__all__ = ["spark_type"]


def spark_type(schema: pa.Schema) -> StructType:
    """The schema as Spark says it, with the comments."""
    from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415  # workers do without
    from pyspark.sql.types import StructField, StructType  # noqa: PLC0415  # as above

    made = from_arrow_schema(schema)
    comments = [(field.metadata or {}).get(b"comment") for field in schema]
    return StructType(
        [
            StructField(own.name, own.dataType, own.nullable, {"comment": text.decode()} if text else None)
            for own, text in zip(made.fields, comments, strict=True)
        ]
    )
