"""Fuzzing toolkit: named mutations of packets and sessions."""
