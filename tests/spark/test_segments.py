"""The schema of segments is one that Spark takes as it is."""

from __future__ import annotations

from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from msmq_wire.spark import SEGMENTS


def test_spark_has_the_same_schema() -> None:
    assert to_arrow_schema(from_arrow_schema(SEGMENTS), timezone="UTC").equals(SEGMENTS)


def test_every_column_is_explained() -> None:
    assert all(field.metadata[b"comment"].endswith(b".") for field in SEGMENTS)
