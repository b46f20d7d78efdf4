"""Tools for testing programs that process MSMQ packets: Hypothesis strategies, and a fuzzing toolkit.

1. `records` generates arbitrary records that encode and decode, with reserved bits and unusual texts; they
   may violate requirements.
2. `valid`, and the functions that are named after packets, generate only records without violations.
3. `bent_packets` generates records that violate exactly one requirement, and names it; `near_valid_bytes`
   generates slightly damaged bytes.  `bent_in_context` generates packets that are wrong only together with
   their request.
4. `sessions` and `replication_histories` generate consistent sequences of packets.
5. The module `captures` writes capture files.  It needs the extras ``captures`` and ``testing``.
6. Importing this package registers a strategy for every record class, so that ``st.from_type`` works.
7. `mutate`, `mutants`, `length_mutants`, `minimise`, `mutate_session`, `custom_mutator`, `dictionary`,
   `regressions` and `samples` are for fuzzers and need no other package.  Everything else needs Hypothesis,
   which the extra ``testing`` installs.

All strategies shrink towards absent headers, zeros and empty texts.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from .mutation.corpus import dictionary, seed_corpus
from .mutation.lies import LengthMutant, LengthMutants, length_mutants
from .mutation.minimise import Reproducer, minimise
from .mutation.mutator import (
    WEIGHTS,
    Mutant,
    Mutants,
    SessionMutant,
    Step,
    custom_mutator,
    mutants,
    mutate,
    mutate_session,
    regressions,
    samples,
    session_mutants,
)
from .mutation.operations import Mutation, SessionMutation

if TYPE_CHECKING or find_spec("hypothesis"):
    from .bent.records import BENDABLE, BENDABLE_IN_CONTEXT, bent_in_context, bent_packets
    from .strategies.calls import calls
    from .strategies.calls import register as register_calls
    from .strategies.choices import guids
    from .strategies.directory import notifications, replication_messages
    from .strategies.kinds import near_valid_bytes, records, register, valid
    from .strategies.packets import (
        connection_parameters,
        establish_connections,
        final_acks,
        message_packets,
        order_acks,
        packets,
        pings,
        session_acks,
        user_messages,
    )
    from .strategies.replication import Delivery, replication_histories
    from .strategies.sessions import Direction, sessions

    register()
    register_calls()
else:

    def __getattr__(name: str) -> Any:
        """Raise an error with advice if Hypothesis is not installed."""
        if name in __all__:
            raise ModuleNotFoundError(
                f"msmq_wire.testing.{name} needs Hypothesis: pip install 'msmq_wire[testing]'"
            )
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BENDABLE",
    "BENDABLE_IN_CONTEXT",
    "WEIGHTS",
    "Delivery",
    "Direction",
    "LengthMutant",
    "LengthMutants",
    "Mutant",
    "Mutants",
    "Mutation",
    "Reproducer",
    "SessionMutant",
    "SessionMutation",
    "Step",
    "bent_in_context",
    "bent_packets",
    "calls",
    "connection_parameters",
    "custom_mutator",
    "dictionary",
    "establish_connections",
    "final_acks",
    "guids",
    "length_mutants",
    "message_packets",
    "minimise",
    "mutants",
    "mutate",
    "mutate_session",
    "near_valid_bytes",
    "notifications",
    "order_acks",
    "packets",
    "pings",
    "records",
    "register",
    "regressions",
    "replication_histories",
    "replication_messages",
    "samples",
    "seed_corpus",
    "session_acks",
    "session_mutants",
    "sessions",
    "user_messages",
    "valid",
]


def __dir__() -> list[str]:
    return sorted(__all__)
