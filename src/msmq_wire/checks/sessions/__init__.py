"""Validation of [MS-MQQB] sessions: packets checked against earlier ones."""
