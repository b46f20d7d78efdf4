"""The protocols of connections that are not MSMQ, by their pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msmq_wire.arrow.distinct import Distinct
from msmq_wire.captures.schemas import CONNECTION_KEY

from .partial import are_begun

if TYPE_CHECKING:
    import pyarrow as pa

_NAMED_BY: Final = [*CONNECTION_KEY, "direction", "protocol"]


class Protocols:
    """The protocols of connections that are not MSMQ.

    Attributes:
        names: By sensor and connection, the protocol of its first direction that has one, ``->`` before
            ``<-``.
    """

    def __init__(self) -> None:
        self.names: dict[tuple[str, str], str] = {}
        self._by: dict[tuple[str, str], str] = {}  # the directions that have named them
        self._with_packets: set[tuple[str, str]] = set()

    def add(self, pieces: pa.RecordBatch) -> None:
        """Add the next pieces."""
        named = pieces.select(_NAMED_BY).filter(pieces.column("protocol").is_valid())
        for sensor, connection, direction, protocol in Distinct(*named.columns).values:
            key = sensor, connection
            if direction <= self._by.get(key, direction):
                self.names[key], self._by[key] = protocol, direction
        begun = pieces.select(CONNECTION_KEY).filter(are_begun(pieces))
        self._with_packets.update(Distinct(*begun.columns).values)

    def without_packets(self) -> dict[tuple[str, str], str]:
        """Return the protocols of the connections in which no packet begins."""
        return {key: name for key, name in self.names.items() if key not in self._with_packets}
