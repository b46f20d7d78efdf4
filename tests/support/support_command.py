"""The fixture that runs the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from msmq_wire.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command with some arguments; return its status, standard output and standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call
