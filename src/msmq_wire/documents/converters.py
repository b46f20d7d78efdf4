"""Converters of other values to the forms of a field.

The builders import this module; each converter imports what it needs when it is first called, because few
records are built from names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from msmq_wire.values.guid import GUID


def queue_form(
    value: Any, hosts: Mapping[str, GUID | None], omitted: tuple[tuple[int, str], ...], inferred: str | None
) -> tuple[Any, int | None, GUID | None]:
    """Convert a queue name, as `queue_names.form_of` does."""
    from .queue_names import form_of  # noqa: PLC0415  # few records are built from names

    return form_of(value, hosts, omitted, inferred)
