"""Conversion of queue names between wire forms and format names.

1. A wire form that names its queue completely converts in both directions.
2. A `PrivateQueueFormatNameId` does not have the host; the caller has to provide it.
3. On the wire, direct names have no ``DIRECT=`` (errata M12).
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
from msmq_wire.values.errors import EncodeError, need, shortened
from msmq_wire.values.guid import NULL_GUID

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

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from msmq_wire.values.guid import GUID

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


def __dir__() -> list[str]:
    return sorted(__all__)


def from_wire(name: WireName, *, host: GUID | None = None) -> FormatName:
    """Convert a wire form to a format name.

    Args:
        name: The wire form.
        host: Queue manager that hosts the queue, for a `PrivateQueueFormatNameId`.

    Raises:
        EncodeError: The text on the wire is not a direct name, or the host is required and missing.
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
        else "is not a wire form of a queue name",
        structure=type(wire).__name__,
        path=type(wire).__name__,
        expected="the host's GUID" if host is None else "a wire form",
        actual=wire,
    )


def to_wire(name: FormatName | str, *, host: GUID | None = None) -> WireName:
    """Convert a format name to its wire form in a UserHeader.

    Args:
        name: The name, or its text.
        host: If this queue manager hosts the queue, a private name is shortened to its number.

    Raises:
        EncodeError: The text is not a format name, or a UserHeader has no form for such names.
    """
    format_name = parse_format_name(name) if isinstance(name, str) else name
    match format_name:
        case PublicName(guid=guid) if not format_name.queue_suffix_type:
            return PublicQueueFormatName(guid)
        case PrivateName(computer=computer, identifier=identifier) if not format_name.queue_suffix_type:
            if computer == host:
                return PrivateQueueFormatNameId(identifier)
            return PrivateQueueFormatName(computer, identifier)
        case DirectName():
            # The terminator is explicit, because a name that ends with a null character seems to have one.
            return DirectQueueFormatName(DirectFormatName=f"{format_name.wire_text}\0")
    raise _no_form(format_name, "UserHeader")


def to_element(name: FormatName | str) -> MQFFormatNameElement:
    """Convert a format name to an element of an MQFAddressHeader; the list recomputes its padding.

    Raises:
        EncodeError: The text is not a format name, or a list has no form for such names.
    """
    format_name = parse_format_name(name) if isinstance(name, str) else name
    form: Any
    match format_name:
        case PublicName() | PrivateName() if not format_name.queue_suffix_type:
            form = to_wire(format_name)
        case DirectName():
            form = MQFDirectQueueFormatName(format_name.wire_text)
        case DistributionListName(guid=guid, domain=None):
            form = MQFDistributionQueueFormatName(guid)
        case _:
            raise _no_form(format_name, "MQFFormatNameElement")
    return MQFFormatNameElement(FormatName=form)


def from_wire_list(header: MQFAddressHeader) -> MultipleName | None:
    """Convert an MQFAddressHeader to a multiple-element name; None for an empty list.

    Raises:
        EncodeError: The text of an element is not a direct name, or cannot be part of a multiple-element
            name.
        WrongTypeError: `header` is not an MQFAddressHeader.
    """
    need("header", header, MQFAddressHeader, "an MQFAddressHeader")
    names = tuple(from_wire(element) for element in header.FormatNameList)
    return MultipleName(names) if names else None


def to_wire_list(name: FormatName | str) -> MQFAddressHeader:
    """Convert a format name of one or more elements to an MQFAddressHeader, without its HeaderID.

    Raises:
        EncodeError: The text is not a format name, or a list has no form for an element.
    """
    format_name = parse_format_name(name) if isinstance(name, str) else name
    elements = format_name.elements if isinstance(format_name, MultipleName) else (format_name,)
    return MQFAddressHeader(FormatNameList=tuple(to_element(element) for element in elements))


def _no_form(name: FormatName, structure: str) -> EncodeError:
    lists = " or distribution list" if structure != "UserHeader" else ""
    return EncodeError(
        f"{name if isinstance(name, FormatName) else shortened(name)} has no form in a {structure}",
        structure=structure,
        path=structure,
        expected=f"a public, private or direct name{lists}",
        actual=name,
    )


def form_of(
    value: Any, hosts: Mapping[str, GUID | None], left_out: Iterable[tuple[int, str]], inferred: str | None
) -> tuple[Any, int | None, GUID | None]:
    """Convert a format name to its wire form; a private queue of a known host gets its short form.

    Args:
        value: A format name, as text or as a value; anything else is returned unchanged.
        hosts: The hosts in the record, by field; None for an omitted one.
        left_out: The selectors of short forms, and the host that each omits.
        inferred: The field of the host that the name itself determines if it was omitted.

    Returns:
        The form, its selector, and the host that the name determines.
    """
    if not isinstance(value, (str, FormatName)):
        return value, None, None
    hosts_by_name = {name: NULL_GUID if host is None else host for name, host in hosts.items()}
    computer = None
    if inferred is not None and hosts.get(inferred, NULL_GUID) is None:
        # The name of a private queue determines the destination queue manager of the message.
        name = parse_format_name(value) if isinstance(value, str) else value
        computer = hosts_by_name[inferred] = getattr(name, "computer", NULL_GUID)
    wire: Any = None
    for number, host in left_out:
        wire = to_wire(value, host=hosts_by_name[host])
        if type(wire).__name__ == "PrivateQueueFormatNameId":
            return wire, number, computer
    return wire, None, computer
