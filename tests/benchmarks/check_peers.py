"""The peers agree with msmq_wire.  Named so that only ``nox -s bench`` runs it, where they are installed."""

from __future__ import annotations

import pytest

from .agreement import disagreements
from .samples import NAMES, sample
from .sections import PEERS, contenders


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", NAMES)
def test_peers_agree(peer: str, name: str) -> None:
    """They read the same values and write the same bytes."""
    assert disagreements(contenders()[peer][name], sample(name)) == []
