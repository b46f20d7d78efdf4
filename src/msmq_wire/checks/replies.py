"""The requirements that a message violates only beside the message that it answers.

1. The rules are those of `checks.rules` that need `Context.request`; `validate` applies them.
2. A directory message names its request by fields that it repeats.  Without these fields, another request is
   the right one, so that rules about them are violated only where the caller knows the request.
3. Most replies fit, and asking these rules alone costs less than to validate a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msmq_wire.packets.directory.carried import carried_by
from msmq_wire.values.errors import DecodeError

from .rules import RULES, Context
from .validation import validate

if TYPE_CHECKING:
    from collections.abc import Collection

    from msmq_wire.values.violation import Violation

BESIDE_REQUESTS: Final = {
    name: rules
    for name, rows in RULES.items()
    if (rules := tuple(row for row in rows if row.needs == "request"))
}
"""The rules that need the request, by structure."""
NAMING: Final = frozenset(
    {
        *("MQDSRP-2.2.6.3-03", "MQDSRP-2.2.6.3-06"),
        *("MQDSRP-3.2.7.3-05", "MQDSRP-3.2.7.3-19", "MQDSRP-3.2.7.3-20", "MQDSRP-3.2.7.7-04"),
    }
)
"""The requirements about fields by which a directory message names its request."""


def carried(message: Any) -> Any:
    """Return the directory message in a UserMessage; None if there is none, or if it cannot be read."""
    try:
        return carried_by(message)
    except DecodeError:
        return None


def names(reply: Any, request: Any) -> bool:
    """Return whether a directory message repeats all fields by which it names its request.

    Args:
        reply: The directory message.
        request: A directory message that asks for such a reply.
    """
    context, rows = Context(request=request), BESIDE_REQUESTS[type(reply).__name__]
    return all(row.value(reply, context) for row in rows if row.requirement in NAMING)


def fits(reply: Any, request: Any) -> bool:
    """Return whether a UserMessage has no `violations_beside` its request; the arguments are the same."""
    context = Context(request=request)
    return all(
        row.value(record, context)
        for record in (reply, carried(reply))
        for row in BESIDE_REQUESTS.get(type(record).__name__, ())
    )


def violations_beside(reply: Any, request: Any, ignored: Collection[str] = ()) -> list[Violation]:
    """Return the violations of a UserMessage that are none without its request, in their order.

    Args:
        reply: An acknowledgment or a report, or the carrier of a directory message that is a reply.
        request: The UserMessage that it acknowledges, reports or answers.
        ignored: Ids of requirements that are not reported.
    """
    alone = {(violation.requirement, violation.path) for violation in validate(reply, ignore=ignored)}
    violations = validate(reply, context=Context(request=request), ignore=ignored)
    return [violation for violation in violations if (violation.requirement, violation.path) not in alone]
