"""Converts Arrow schemas to Spark schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructField, StructType

if TYPE_CHECKING:
    import pyarrow as pa


def spark_type(schema: pa.Schema) -> StructType:
    """Return the Spark schema, with comments."""
    converted = from_arrow_schema(schema)
    comments = [(field.metadata or {}).get(b"comment") for field in schema]
    return StructType(
        [
            StructField(
                field.name, field.dataType, field.nullable, {"comment": text.decode()} if text else None
            )
            for field, text in zip(converted.fields, comments, strict=True)
        ]
    )


def file_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema of a Parquet file from which Spark reads the types and comments of `spark_type`."""
    return schema.with_metadata({"org.apache.spark.sql.parquet.row.metadata": spark_type(schema).json()})
