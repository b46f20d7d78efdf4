"""Segments to flows, and flows to packets."""
