"""The pages of the definitions, read once for each module of tests."""

from __future__ import annotations

import pytest

from msmq_wire.compiler.pages import Pages
from msmq_wire.documents.layouts import structures


@pytest.fixture(scope="module")
def pages() -> Pages:
    known = dict(structures())  # reading makes what is read known instead
    read = Pages.read()
    structures().update(known)
    return read
