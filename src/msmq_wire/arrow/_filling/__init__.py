"""Columns that are filled with decoded values."""
