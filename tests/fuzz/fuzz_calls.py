"""Any octets are what a call carries, which is written and read as itself, or are refused."""

from __future__ import annotations

from harness import accident, instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire import rpc
    from msmq_wire.ndr.model import structures

MODULES = (
    "ndr.model",
    "ndr.transfer",
    "ndr.record",
    "ndr.readings",
    "ndr.sections",
    "views.calls",
    "checks.calls",
)
KIND = None
HEAD = 1
"""One byte chooses the structure and the alignment of unions; the octets are after it."""
NAMES = (*sorted(structures()), "sections")
_SMALL = mw.Limits(elements=3, string_length=5, packet_size=100)


def check(data: bytes) -> None:
    if not data:
        return
    name, ms_union, raw = NAMES[data[0] % len(NAMES)], data[0] >= 0x80, data[HEAD:]
    if name == "sections":
        _sections(raw)
        return
    cls = getattr(rpc, name)
    try:
        record = cls.decode(raw, ms_union=ms_union)
    except mw.DecodeError as error:
        placed(error, raw)
        if not ms_union:
            assert str(error).encode("unicode_escape", "surrogatepass").decode() in mw.explain(raw, name)
        return
    assert cls.decode(record.encode(ms_union=ms_union), ms_union=ms_union) == record
    assert len(record.encode(ms_union=ms_union)) == len(raw)
    assert mw.from_dict(mw.to_dict(record)) == record
    assert hash(record) == hash(cls.decode(raw, ms_union=ms_union))
    shown = mw.explain(record)
    assert "error" not in shown.splitlines()[-1]
    assert shown.isascii()
    for violation in mw.validate(record, "should"):
        assert 0 <= violation.offset < max(len(raw), 1)
    _meanings(name, record)
    try:
        assert cls.decode(raw, ms_union=ms_union, limits=_SMALL) == record
    except mw.DecodeError as error:
        placed(error, raw)
        assert error.limit.startswith("Limits.")


def _meanings(name: str, record: rpc.NdrRecord) -> None:
    """What a record means is a record again, or is refused."""
    try:
        if isinstance(record, rpc.QUEUE_FORMAT):
            if record.format_name is not None:
                again = rpc.QUEUE_FORMAT.of(record.format_name)
                assert again.format_name == record.format_name
        elif isinstance(record, rpc.PROPVARIANT):
            value = record.property_value
            assert rpc.PROPVARIANT.of(value).property_value == value
        elif isinstance(record, rpc.SectionBuffer):
            assert 0 <= record.missing <= 0xFFFFFFFF
    except mw.EncodeError as error:
        accident(error)
        assert name == "QUEUE_FORMAT"


def _sections(raw: bytes) -> None:
    """Sections of a message are a message packet, or are refused."""
    try:
        sections, end = rpc.decode_sections(raw)
    except mw.DecodeError as error:
        placed(error, raw)
        return
    assert rpc.decode_sections(rpc.encode_sections(sections))[0] == sections
    assert end <= len(raw)
    try:
        read = rpc.join_sections(sections)
    except mw.DecodeError as error:
        assert error.path
        return
    assert read.packet.encode()
    assert len(read.body) <= len(raw)


if __name__ == "__main__":
    main(__name__)
