"""A machine and messages that nobody expected: there is no exception, and what it says is conformant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_machines import (
    BAD_SIGNATURE,
    INTER,
    INTRA,
    NACK,
    S0,
    S1,
    S2,
    E,
    machine,
    part,
    request,
)
from support_replication import deliver, no, sent

from msmq_wire import EncodeError, PropertyValue, mqdsrp, replace, validate
from msmq_wire import testing as mt
from msmq_wire.machines.replication import (
    ChangePropagationTimer,
    ChangeRemoteObject,
    Command,
    PropagateDirectoryChange,
    Settings,
    TimerFired,
)

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("PEC0", "PSC1", "PSC2", "BSC1a", "PSC9")


@given(name=st.sampled_from(["PEC0", "PSC1", "BSC1a"]), data=st.data())
def test_any_message(name: str, data: st.DataObject) -> None:
    """Whatever conformant message comes, also with the names and partitions of the enterprise: no exception.

    What the server says to it can be written, breaks no requirement, and is not a flood.
    """
    made = machine(name, settings=Settings(purge_buffer=1, purge_interval=1, ack_interval=1, pending=2))
    for _ in range(data.draw(st.integers(1, 6))):
        message = data.draw(mt.replication_messages())
        message = familiar(message, lambda choices: data.draw(st.sampled_from(choices)))
        effects = deliver(made, message, Class=data.draw(st.sampled_from([0, 0, 0, NACK, BAD_SIGNATURE])))
        assert len(effects) <= 40
        for said in sent(effects):
            assert validate(message) or validate(said) == ()  # a request goes on as it came
            assert mqdsrp.decode(mqdsrp.encode(said)) == said
    for timer in (ChangePropagationTimer("PEC0", INTER), ChangePropagationTimer("BSC1a", INTRA)):
        for said in sent(made.step(TimerFired(timer, 1))):
            assert mqdsrp.decode(mqdsrp.encode(said)) == said


def familiar(record: Any, pick: Callable[[Any], Any]) -> Any:
    """The record with partitions, numbers and machines that the server knows."""
    changed: dict[str, Any] = {}
    for field in record.layout.fields:
        value = getattr(record, field.name)
        if field.name == "PartitionID":
            changed[field.name] = pick((E, S0, S1, S2))
        elif field.name in {"RequesterName", "BSCName"} or (field.name == "PSCName" and value):
            changed[field.name] = pick(NAMES)
        elif field.name.endswith("SeqNumber"):
            changed[field.name] = no(pick((0, 1, 2, 3, 4, (1 << 64) - 1)))
        elif hasattr(value, "layout"):
            changed[field.name] = familiar(value, pick)
        elif isinstance(value, tuple) and value and hasattr(value[0], "layout"):
            changed[field.name] = tuple(familiar(item, pick) for item in value)
    return replace(record, **changed)


def test_properties_that_do_not_fit() -> None:
    """More identifiers than values, and no room for one more property."""
    made = machine()
    event: dict[str, Any] = {
        "Operation": Command.UPDATE,
        "PartitionID": S1,
        "PathName": "C\\q",
        "PropertyID": (108,),
    }
    assert made.step(PropagateDirectoryChange(SeqNumber=no(1), **event)) == []
    assert part(made, S1).LastSeqNumber == no(0)
    with pytest.raises(EncodeError):
        made.step(ChangeRemoteObject(RequestIdentifier=1, **event))
    asked = request()
    full = replace(
        asked.DirectoryChange, PropertyID=(108,) * 255, PropertyValue=(PropertyValue(31, "x"),) * 255
    )
    (answer,) = sent(deliver(made, replace(asked, DirectoryChange=full)))
    assert answer.Result == 0xC00E0001
