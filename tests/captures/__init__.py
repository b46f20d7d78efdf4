"""Tests of reading captures without a cluster."""
