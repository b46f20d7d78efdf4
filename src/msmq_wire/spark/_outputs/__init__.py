"""The output: writing tables, and their schemas as Spark types."""
