"""Capture files: container formats, compressed files, parts of large files, rows of segments."""
