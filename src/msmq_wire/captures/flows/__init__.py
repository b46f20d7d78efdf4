"""Reassembly: segments to flows, and flows to packets."""
