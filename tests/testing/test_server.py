"""The command of the queue manager for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msmq_wire.testing import server

if TYPE_CHECKING:
    import pytest


def test_queues_of_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each queue is transactional or not; an option that is given several times has all its values."""
    made: list[Any] = []

    def stopped(*arguments: Any) -> None:
        made.append(arguments)
        raise OSError("no socket here")

    monkeypatch.setattr(server, "QueueServer", stopped)
    words = ["--queue", "a", "--transactional-queue", "b", "--queue", "c"]
    assert server.main(words) == 1
    assert server.main([]) == 1
    assert [queues for _, _, queues, _ in made] == [{"a": False, "c": False, "b": True}, None]
    assert capsys.readouterr().err == "no socket here\n" * 2
