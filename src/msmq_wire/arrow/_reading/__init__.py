"""Vectorised decoding of many packets with the same layout."""
