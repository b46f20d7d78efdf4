"""What the compiler has against the definitions, the relations and the rules, in one failure."""

from __future__ import annotations

import pytest

from msmq_wire.compiler.checks.mistakes import Mistakes
from msmq_wire.compiler.generate import write
from msmq_wire.documents.layouts import structures


@pytest.mark.tables(0)
def test_the_compiler_accepts_the_tables_and_its_modules_are_not_stale() -> None:
    before = dict(structures())
    try:
        assert write(check=True) == []
    except Mistakes as error:
        pytest.fail(str(error), pytrace=False)
    finally:
        structures().update(before)  # records know these, not those that the compiler read anew
