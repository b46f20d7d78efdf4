"""Parameters of tests that prove a requirement each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

__all__ = ["proves"]


def proves(requirement: str, *values: Any, also: tuple[str, ...] = ()) -> ParameterSet:
    """The values for a test that proves a requirement, after its id.

    Args:
        requirement: The first value, the id of the test, and the proved requirement.
        values: The other values.
        also: More requirements that the test proves with these values.
    """
    mark = pytest.mark.requirement(requirement, *also)
    return pytest.param(requirement, *values, id=requirement, marks=mark)
