"""Columns that are being filled, and those that are made of others."""
