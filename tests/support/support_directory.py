"""Strategies for property values, directory changes and the messages that carry them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from msmq_wire import GUID, DecodeError, mqcn, mqdsrp
from msmq_wire.definitions.properties import PROPERTIES, VARTYPE
from msmq_wire.documents.propid import by_number
from msmq_wire.values.properties.values import MAX_DEPTH, READERS, PropertyValue
from msmq_wire.values.sequence_number import SEQUENCE_NUMBER

__all__ = [
    "IDENTIFIERS",
    "VARIANTS",
    "changes",
    "facts",
    "guids",
    "messages",
    "notifications",
    "values",
    "values_of",
]

VARIANTS = VARTYPE.VT_VARIANT | VARTYPE.VT_VECTOR
"""The variant type whose elements have variant types of their own."""

_BITS = {
    VARTYPE.VT_I1: -8,
    VARTYPE.VT_UI1: 8,
    VARTYPE.VT_I2: -16,
    VARTYPE.VT_UI2: 16,
    VARTYPE.VT_BOOL: 16,
    VARTYPE.VT_I4: -32,
    VARTYPE.VT_UI4: 32,
    VARTYPE.VT_I8: -64,
    VARTYPE.VT_UI8: 64,
}
IDENTIFIERS = {row.number: int(row.vartype) for row in PROPERTIES if by_number(row.number) is row}
"""Variant types of the directory properties by their identifiers."""


def facts(error: DecodeError) -> tuple[Any, ...]:
    """All attributes of an error."""
    return (
        error.problem,
        error.structure,
        error.path,
        error.offset,
        error.expected,
        error.actual,
        error.limit,
    )


def guids() -> st.SearchStrategy[GUID]:
    return st.binary(min_size=16, max_size=16).map(GUID)


def numbers() -> st.SearchStrategy[SEQUENCE_NUMBER]:
    return st.integers(0, 2**64 - 1).map(SEQUENCE_NUMBER.of)


def texts() -> st.SearchStrategy[str]:
    """Texts without null characters; lone surrogates are among them, pairs of them are not."""
    letters = st.sampled_from("aZ\\é\u0100\u4e00\uffff\U0001f600\ud83d")
    return st.text(letters, max_size=5)


def _scalars(vt: int) -> st.SearchStrategy[Any]:
    bits = _BITS.get(VARTYPE(vt))
    if bits is not None:
        low, high = (0, (1 << bits) - 1) if bits > 0 else (-(1 << -bits - 1), (1 << -bits - 1) - 1)
        return st.sampled_from((low, high)) | st.integers(low, high)
    if vt in {VARTYPE.VT_LPWSTR, VARTYPE.VT_BSTR}:
        return texts()
    if vt == VARTYPE.VT_BLOB:
        return st.binary(max_size=9)
    return guids() if vt == VARTYPE.VT_CLSID else st.none()


def values_of(vt: int, depth: int = 0) -> st.SearchStrategy[PropertyValue]:
    """Values of one variant type."""
    base = vt & ~VARTYPE.VT_VECTOR
    held: st.SearchStrategy[Any]
    if vt == VARIANTS:
        inner = values(depth + 1) if depth + 1 < MAX_DEPTH else values(MAX_DEPTH)
        held = st.lists(inner, max_size=2).map(tuple)
    elif vt == VARTYPE.VT_UI1 | VARTYPE.VT_VECTOR:
        held = st.binary(max_size=5)
    elif base != vt:
        held = st.lists(_scalars(base), max_size=3).map(tuple)
    else:
        held = _scalars(vt)
    return held.map(lambda value: PropertyValue(vt, value))


def values(depth: int = 0) -> st.SearchStrategy[PropertyValue]:
    """Values of any variant type that has a form."""
    types = sorted(vt for vt in READERS if vt != VARIANTS or depth < 2)
    return st.sampled_from(types).flatmap(lambda vt: values_of(vt, depth))


@st.composite
def changes(draw: Any, kind: Any = mqdsrp.DirectoryChange) -> Any:
    """Directory changes, or the updates that are the same bytes."""
    names = kind.layout.by_name
    identifiers = draw(st.lists(st.sampled_from(sorted(IDENTIFIERS)), max_size=4))
    given: dict[str, Any] = {
        "Command": draw(st.integers(0, 255)),
        ("PropertyID" if "PropertyID" in names else "PropertyId"): identifiers,
        "PropertyValue": [draw(values_of(IDENTIFIERS[number])) for number in identifiers],
    }
    if draw(st.booleans()):
        given["PathName"] = draw(texts())
    else:
        given["GuidIdentifier"] = draw(guids())
    if "Reserved" in names:
        given |= {"GuidMasterId": draw(guids()), "Reserved": draw(st.binary(min_size=24, max_size=24))}
    else:
        fields = ("PreviousSeqNumber", "SeqNumber", "PurgedSeqNumber")
        given |= {"PartitionID": draw(guids()), **{name: draw(numbers()) for name in fields}}
    return kind(**given)


@st.composite
def _headers(draw: Any) -> Any:
    return mqdsrp.BaseReplicationHeader(Version=draw(st.integers(0, 255)), SiteID=draw(guids()))


def _records_of(kind: Any, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Records of a class with these fields; `builds` would draw omitted ones."""
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given))


def _sequences() -> st.SearchStrategy[Any]:
    partition = _records_of(
        mqdsrp.PARTITION_SEQ_NUMBERS, PartitionID=guids(), LastSeqNumber=numbers(), PurgedSeqNumber=numbers()
    )
    some = st.lists(partition, min_size=1, max_size=3)
    full = _records_of(mqdsrp.SeqNumberHeader, MachineName=texts(), PartitionSeqNumbers=some)
    return full | st.just(mqdsrp.SeqNumberHeader())


def _words() -> st.SearchStrategy[int]:
    return st.integers(0, 0xFFFFFFFF)


def messages() -> st.SearchStrategy[Any]:
    """The eight replication messages."""
    many = st.lists(changes(), max_size=3)
    header, number, octet, name = _headers(), numbers(), st.integers(0, 255), texts()
    request = _records_of(
        mqdsrp.ChangeRequestHeader,
        BaseReplicationHeader=header,
        PartitionID=guids(),
        RequestIdentifier=_words(),
        RequesterName=name,
        PSCName=st.none() | name,
    )
    reply = _records_of(
        mqdsrp.SyncReplyHeader,
        BaseReplicationHeader=header,
        PartitionID=guids(),
        FromSeqNumber=number,
        ToSeqNumber=number,
        PurgedSeqNumber=number,
        CompleteSync0=_words(),
    )
    return st.one_of(
        _records_of(
            mqdsrp.ChangePropagationMessage,
            BaseReplicationHeader=header,
            Flush=octet,
            DirectoryChanges=many,
            SeqNumberHeader=_sequences(),
        ),
        _records_of(mqdsrp.ChangeRequestMessage, ChangeRequestHeader=request, DirectoryChange=changes()),
        _records_of(
            mqdsrp.SyncRequestMessage,
            BaseReplicationHeader=header,
            PartitionID=guids(),
            FromSeqNumber=number,
            ToSeqNumber=number,
            KnownPurgedSeqNumber=number,
            IsSync0=octet,
            Scope=octet,
            RequesterName=name,
        ),
        _records_of(mqdsrp.SyncReplyMessage, SyncReplyHeader=reply, DirectoryChanges=many),
        _records_of(
            mqdsrp.ChangeReplyMessage,
            BaseReplicationHeader=header,
            RequestIdentifier=_words(),
            Result=_words(),
            RequesterName=name,
        ),
        _records_of(
            mqdsrp.AlreadyPurgedMessage,
            BaseReplicationHeader=header,
            PartitionID=guids(),
            PurgedSeqNumber=number,
        ),
        _records_of(
            mqdsrp.PSCAckMessage,
            BaseReplicationHeader=header,
            PSCSiteID=guids(),
            AckedPartitionID=guids(),
            AckedSeqNumber=number,
            PSCName=name,
        ),
        _records_of(mqdsrp.BSCAckMessage, BaseReplicationHeader=header, BSCMachineID=guids(), BSCName=name),
    )


def notifications() -> st.SearchStrategy[Any]:
    """Change notifications of both versions, with and without the byte that a sender adds."""
    visible = "".join(chr(code) for code in range(0x21, 0x7F) if code != ord("<"))
    name = st.text(st.sampled_from(visible), min_size=1, max_size=12)
    body = st.builds(mqcn.NotificationBody.of, st.sampled_from(mqcn.NotificationEvent), guids(), name)
    odd = st.binary(max_size=1)
    text = st.builds(
        lambda made, end, unused: mqcn.NotificationBody(Text=made.Text + end, Unused=unused),
        body,
        st.sampled_from(("", "\0")),
        odd,
    )
    updates = _records_of(
        mqcn.NotificationUpdates, Updates=st.lists(changes(mqcn.NotificationUpdate), max_size=3), Unused=odd
    )
    return _records_of(mqcn.ChangeNotificationMessage, Data=text | updates)
