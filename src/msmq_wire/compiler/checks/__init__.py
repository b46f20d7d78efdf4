"""Mistakes in definitions and rules, and the emitter of verdicts."""
