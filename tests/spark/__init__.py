"""Tests of the extra spark; those that need a session share one, and need Java."""
