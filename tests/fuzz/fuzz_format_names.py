"""Any text is a name that prints as text of the same name, or is refused with the part and the place."""

from __future__ import annotations

from harness import accident, instrumented, main

with instrumented():
    import msmq_wire as mw
    from msmq_wire import format_names, mqmq, queue_names
    from msmq_wire.names.grammar import READ_ONLY

MODULES = ("names.format_names", "names.path_names", "names.grammar", "documents.queue_names")
KIND = None
HEAD = 1
"""One byte chooses the reader; the text in UTF-8 is after it."""
READERS = (
    format_names.parse_format_name,
    format_names.parse_queue_path,
    format_names.MultipleName.parse,
    format_names.DirectName.parse,
    format_names.DirectName.from_wire_text,
    format_names.QueuePath.parse,
    format_names.FormatName.parse,
)
_HOST = mw.GUID(bytes(range(16)))


def check(data: bytes) -> None:
    text = data[HEAD:].decode("utf-8", "surrogateescape")
    reader = READERS[data[0] % len(READERS)] if data else READERS[0]
    try:
        name = reader(text)
    except mw.EncodeError as error:
        accident(error)
        assert len(str(error)) < 2000
        return
    assert type(name).parse(str(name)) == name
    for version in (1, 6):
        assert all(isinstance(problem, str) for problem in format_names.check(name, version=version))
    if isinstance(name, format_names.FormatName):
        assert name.read_only == (name.queue_suffix_type in READ_ONLY)
        assert bool(name.queue_format_type) or isinstance(name, format_names.MultipleName)
        _listed(name)
    if isinstance(name, format_names.FormatName) and not isinstance(name, format_names.MultipleName):
        _written(name)


def _written(name: format_names.FormatName) -> None:
    if isinstance(name, format_names.DirectName):
        _put_together(name)
    for host in (_HOST, None):
        try:
            wire = queue_names.to_wire(_said(name), host=host)
        except mw.EncodeError as error:
            accident(error)
            continue
        assert wire == queue_names.to_wire(name, host=host)
        assert queue_names.from_wire(wire, host=_HOST) == name
        assert type(wire).decode(wire.encode()) == wire
        _without_host(wire, name)


def _said(name: format_names.FormatName) -> format_names.FormatName | str:
    """The text of a name; the name, where a comma in it would begin another one."""
    return name if "," in str(name) else str(name)


def _without_host(wire: queue_names.WireName, name: format_names.FormatName) -> None:
    """Only the number of a private queue needs to be told its host."""
    try:
        assert queue_names.from_wire(wire) == name
    except mw.EncodeError as error:
        accident(error)
        assert isinstance(wire, mqmq.PrivateQueueFormatNameId)


def _put_together(name: format_names.DirectName) -> None:
    parts = (name.protocol, name.address, name.queue)
    try:
        again = format_names.DirectName.of(
            *parts, kind=name.kind, subqueue=name.subqueue, suffix=name.queue_suffix_type
        )
    except mw.EncodeError as error:
        accident(error)
    else:
        assert (again.protocol, again.address, again.queue) == parts


def _listed(name: format_names.FormatName) -> None:
    try:
        header = queue_names.to_wire_list(_said(name))
    except mw.EncodeError as error:
        accident(error)
        return
    assert header == queue_names.to_wire_list(name)
    names = name.elements if isinstance(name, format_names.MultipleName) else (name,)
    try:
        assert queue_names.from_wire_list(header) == format_names.MultipleName(names)
    except mw.EncodeError as error:
        accident(error)
        # Nobody can send to a read-only queue, and after a comma another name would begin.
        assert name.read_only or "," in str(name)
    for element, one in zip(header.FormatNameList, names, strict=True):
        assert queue_names.from_wire(element) == one
        # How much padding an element has depends on its place in the list.
        alone = queue_names.to_element(_said(one))
        assert (alone.FormatType, alone.FormatName) == (element.FormatType, element.FormatName)


if __name__ == "__main__":
    main(__name__)
