"""Ports of this host for tests."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

__all__ = ["closed_port"]

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port of this host at which nobody listens, and nobody else can while the test runs."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
