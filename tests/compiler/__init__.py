"""Tests of the compiler, which read the pages of the definitions once for each module."""
