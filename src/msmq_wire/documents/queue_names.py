"""Queue names on the wire and as format names.

1. A wire form that names its queue completely converts both ways without help.
2. A `PrivateQueueFormatNameId` leaves out the host; whoever converts it has to say which host is meant.
3. Direct names stand on the wire without their ``DIRECT=`` (errata M12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msmq_wire.names.format_names import (
    DirectName,
    DistributionListName,
    FormatName,
    MultipleName,
    PrivateName,
    PublicName,
    parse_format_name,
)
from msmq_wire.values.errors import EncodeError
from msmq_wire.values.guid import NULL_GUID

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from msmq_wire.values.guid import GUID

    from .mqmq import (
        DirectQueueFormatName,
        MQFAddressHeader,
        MQFDirectQueueFormatName,
        MQFDistributionQueueFormatName,
        MQFFormatNameElement,
        PrivateQueueFormatName,
        PrivateQueueFormatNameId,
        PublicQueueFormatName,
    )

    WireName: TypeAlias = (
        PublicQueueFormatName
        | PrivateQueueFormatName
        | PrivateQueueFormatNameId
        | DirectQueueFormatName
        | MQFDirectQueueFormatName
        | MQFDistributionQueueFormatName
        | MQFFormatNameElement
    )

__all__ = ["from_wire", "from_wire_list", "to_element", "to_wire", "to_wire_list"]


def from_wire(name: WireName, *, host: GUID | None = None) -> FormatName:
    """The format name that a wire form stands for.

    Args:
        name: The wire form.
        host: Queue manager that hosts the queue, for a `PrivateQueueFormatNameId`.

    Raises:
        EncodeError: The text on the wire is no direct name, or the host is needed and was not given.
    """
    wire: Any = name
    match type(wire).__name__:
        case "PublicQueueFormatName":
            return PublicName(wire.PublicQueueIdentifier)
        case "PrivateQueueFormatName":
            return PrivateName(wire.SourceQueueManager, wire.PrivateQueueIdentifier)
        case "DirectQueueFormatName" | "MQFDirectQueueFormatName":
            return DirectName.from_wire_text(wire.DirectFormatName.removesuffix("\0"))
        case "MQFDistributionQueueFormatName":
            return DistributionListName(wire.DistributionListIdentifier)
        case "MQFFormatNameElement":
            return from_wire(wire.FormatName, host=host)
        case "PrivateQueueFormatNameId" if host is not None:
            return PrivateName(host, wire.PrivateQueueIdentifier)
    raise EncodeError(
        f"a {type(wire).__name__} does not name its host"
        if host is None
        else "is no wire form of a queue name",
        structure=type(wire).__name__,
        path=type(wire).__name__,
        expected="the host's GUID" if host is None else "a wire form",
        actual=wire,
    )


def to_wire(name: FormatName | str, *, host: GUID | None = None) -> WireName:
    """The wire form of a UserHeader for a format name.

    Args:
        name: The name, or its text.
        host: When this queue manager hosts the queue, a private name shortens to its number.

    Raises:
        EncodeError: The text is no format name, or a UserHeader has no form for such names.
    """
    from . import mqmq  # noqa: PLC0415  # records build themselves with this module

    known = parse_format_name(name) if isinstance(name, str) else name
    match known:
        case PublicName(guid=guid) if not known.queue_suffix_type:
            return mqmq.PublicQueueFormatName(guid)
        case PrivateName(computer=computer, identifier=identifier) if not known.queue_suffix_type:
            if computer == host:
                return mqmq.PrivateQueueFormatNameId(identifier)
            return mqmq.PrivateQueueFormatName(computer, identifier)
        case DirectName():
            # Its own terminator, for a name that ends with a null character would be taken to have one.
            return mqmq.DirectQueueFormatName(DirectFormatName=f"{known.wire_text}\0")
    raise _no_form(known, "UserHeader")


def to_element(name: FormatName | str) -> MQFFormatNameElement:
    """The element of an MQFAddressHeader for a format name; a list pads it anew, as its place there asks for.

    Raises:
        EncodeError: The text is no format name, or a list has no form for such names.
    """
    from . import mqmq  # noqa: PLC0415  # records build themselves with this module

    known = parse_format_name(name) if isinstance(name, str) else name
    form: Any
    match known:
        case PublicName() | PrivateName() if not known.queue_suffix_type:
            form = to_wire(known)
        case DirectName():
            form = mqmq.MQFDirectQueueFormatName(known.wire_text)
        case DistributionListName(guid=guid, domain=None):
            form = mqmq.MQFDistributionQueueFormatName(guid)
        case _:
            raise _no_form(known, "MQFFormatNameElement")
    return mqmq.MQFFormatNameElement(FormatName=form)


def from_wire_list(header: MQFAddressHeader) -> MultipleName | None:
    """The multiple-element name that an MQFAddressHeader stands for; None for an empty list.

    Raises:
        EncodeError: An element's text is no direct name, or is one that no multiple-element name can have.
    """
    names = tuple(from_wire(element) for element in header.FormatNameList)
    return MultipleName(names) if names else None


def to_wire_list(name: FormatName | str) -> MQFAddressHeader:
    """The MQFAddressHeader for a format name of one or more elements; its HeaderID is left open.

    Raises:
        EncodeError: The text is no format name, or a list has no form for an element.
    """
    from . import mqmq  # noqa: PLC0415  # records build themselves with this module

    known = parse_format_name(name) if isinstance(name, str) else name
    elements = known.elements if isinstance(known, MultipleName) else (known,)
    return mqmq.MQFAddressHeader(FormatNameList=tuple(to_element(element) for element in elements))


def _no_form(name: FormatName, structure: str) -> EncodeError:
    lists = " or distribution list" if structure != "UserHeader" else ""
    return EncodeError(
        f"{name} has no form in a {structure}",
        structure=structure,
        path=structure,
        expected=f"a public, private or direct name{lists}",
        actual=name,
    )


def form_of(
    value: Any, hosts: Mapping[str, GUID | None], left_out: Iterable[tuple[int, str]], told: str | None
) -> tuple[Any, int | None, GUID | None]:
    """The wire form of a format name; a private queue of a known host takes its short form.

    Args:
        value: A format name, as text or as a value; anything else is handed back.
        hosts: The hosts that the record has, by field; None where one was left out.
        left_out: The selectors of short forms, and the host that each leaves out.
        told: The host that the name itself tells, if its maker left that out.

    Returns:
        The form, the selector that it asks for, and the host that the name tells.
    """
    if not isinstance(value, (str, FormatName)):
        return value, None, None
    known = {name: NULL_GUID if host is None else host for name, host in hosts.items()}
    computer = None
    if told is not None and hosts.get(told, NULL_GUID) is None:
        # The name of a private queue says which queue manager the message goes to.
        name = parse_format_name(value) if isinstance(value, str) else value
        computer = known[told] = getattr(name, "computer", NULL_GUID)
    wire: Any = None
    for number, host in left_out:
        wire = to_wire(value, host=known[host])
        if type(wire).__name__ == "PrivateQueueFormatNameId":
            return wire, number, computer
    return wire, None, computer
