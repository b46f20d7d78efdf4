"""Converts Arrow schemas to Spark schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import StructType

from msmq_wire.captures.spark_schema import spark_schema

if TYPE_CHECKING:
    import pyarrow as pa


def spark_type(schema: pa.Schema) -> StructType:
    """Return the Spark schema, with comments."""
    return StructType.fromJson(spark_schema(schema))
