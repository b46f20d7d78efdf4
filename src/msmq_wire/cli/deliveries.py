"""Rows of `deliveries` for the subcommands `deliveries` and `follow`; needs the extra ``captures``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from msmq_wire.captures.reports.stories import delivery_line, story

from .captured import table_of
from .outcome import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .outcome import Outcome

__all__ = ["deliveries_of", "delivery_line", "followed", "story"]


def deliveries_of(paths: Mapping[str, str], outcome: Outcome, where: Sequence[str]) -> Any:
    """Return the rows of `deliveries` in the order of time; arguments and errors are those of `table_of`."""
    rows = table_of(paths, "deliveries", outcome, where)
    first = pc.coalesce(rows.column("first_at"), rows.column("last_at"))
    order = rows.select(["message", "variant"]).append_column("first", first)
    return rows.take(
        pc.sort_indices(order, [(name, "ascending") for name in ("first", "message", "variant")])
    )


def followed(paths: Mapping[str, str], outcome: Outcome, wanted: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of the messages with an identifier, or with a text in their label.

    Args:
        paths: The captures, as `captured.whole` yields them.
        outcome: Records unreadable parts.
        wanted: The identifier, as the column `message` has it or with braces around the GUID, or a part of a
            label; case does not matter.

    Raises:
        OptionError: The text is empty.
    """
    if not wanted:
        raise OptionError("expected the identifier of a message, or a part of its label, got ''")
    rows = deliveries_of(paths, outcome, ())
    bare = re.sub(r"^\{([0-9a-f-]+)\}", r"\1", wanted.lower())
    named = pc.equal(pc.utf8_lower(rows.column("message")), bare)
    labelled = pc.match_substring(rows.column("label"), wanted, ignore_case=True)
    yield from rows.filter(pc.or_kleene(named, labelled)).to_pylist()
