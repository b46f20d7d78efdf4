"""HAND: the best straight-line Python for each sample.

Each function handles the one form of packet that is timed, with every check and every field that the library
has for that form, and refuses everything else.  Its records are the cheapest that Python has: the fields of
the library's records in plain frozen `msgspec` structs outside the garbage collector.
"""

from __future__ import annotations

import codecs
import struct
from typing import Any

import msgspec

from msmq_wire import GUID, NULL_GUID, SEQUENCE_NUMBER, PropertyValue, Record, mqdsrp, mqmq, mqqb

from .codec import Codec
from .samples import IDENTIFIERS, Message

__all__ = ["CODECS", "build_and_encode"]


def _plain(record: type[Record]) -> Any:
    """A record class of the same fields, without anything else; the last ones can be omitted."""
    fields = [(field.name, Any, None) for field in record.layout.fields]
    return msgspec.defstruct(record.__name__, fields, frozen=True, gc=False)


_BaseHeader = _plain(mqmq.BaseHeader)
_UserHeader = _plain(mqmq.UserHeader)
_Direct = _plain(mqmq.DirectQueueFormatName)
_SecurityHeader = _plain(mqmq.SecurityHeader)
_SecurityData = _plain(mqmq.SecurityData)
_Properties = _plain(mqmq.MessagePropertiesHeader)
_UserMessage = _plain(mqmq.UserMessage)
_InternalHeader = _plain(mqqb.InternalHeader)
_EstablishHeader = _plain(mqqb.EstablishConnectionHeader)
_Establish = _plain(mqqb.EstablishConnection)
_Replication = _plain(mqdsrp.BaseReplicationHeader)
_Change = _plain(mqdsrp.DirectoryChange)
_Partition = _plain(mqdsrp.PARTITION_SEQ_NUMBERS)
_Numbers = _plain(mqdsrp.SeqNumberHeader)
_Propagation = _plain(mqdsrp.ChangePropagationMessage)

_base_flags = mqmq.BaseHeader.flags["Flags"].cache
_user_flags = mqmq.UserHeader.flags["Flags"].cache
_security_flags = mqmq.SecurityHeader.flags["Flags"].cache
_properties_flags = mqmq.MessagePropertiesHeader.flags["Flags"].cache
_internal_flags = mqqb.InternalHeader.flags["Flags"].cache
_system_flags = mqqb.EstablishConnectionHeader.flags["OperatingSystem"].cache

_SIGNATURE = 0x524F494C
_read_text = codecs.utf_16_le_decode
_write_text = codecs.utf_16_le_encode

# ------------------------------------------------------------------------------------------- BaseHeader

_base = struct.Struct("<BBHIII")
_read_base, _write_base = _base.unpack_from, _base.pack


def decode_base_header(b: bytes) -> Any:
    if type(b) is not bytes or len(b) != 16:
        raise ValueError
    version, reserved, flags, signature, size, reach = _read_base(b)
    return _BaseHeader(version, reserved, _base_flags[flags], signature, size, reach)


def encode_base_header(r: Any) -> bytes:
    return _write_base(r.VersionNumber, r.Reserved, r.Flags, r.Signature, r.PacketSize, r.TimeToReachQueue)


# ------------------------------------------------------------------------------------------- UserMessage

_head = struct.Struct("<BBHIII16s16sIIIIH")
_read_head, _write_head = _head.unpack_from, _head.pack
_sizes = struct.Struct("<HHHHII")
_read_sizes, _write_sizes = _sizes.unpack_from, _sizes.pack
_facts = struct.Struct("<BBH20sIIIIIIII")
_read_facts, _write_facts = _facts.unpack_from, _facts.pack
_OTHER_BASE_FLAGS = 0x38  # internal, SessionHeader, DebugHeader
_OTHER_USER_FLAGS = 0x12D7E000  # every other header, and queues beside the destination


def decode_user_message(b: bytes) -> Any:
    n = len(b)
    if type(b) is not bytes or n < 66:
        raise ValueError
    (version, reserved, flags, signature, size, reach,
     source, address, receive, sent, number, options, count) = _read_head(b)  # fmt: skip
    if size != n or signature != _SIGNATURE or version != 16 or flags & _OTHER_BASE_FLAGS:
        raise ValueError
    if options & _OTHER_USER_FLAGS or options >> 10 & 7 != 7 or not options & 0x80000:
        raise ValueError
    q = 66 + count
    p = q + (-(2 + count) & 3)
    if count & 1 or p + 16 > n:
        raise ValueError
    queue = _Direct(count, _read_text(b[66:q], "surrogatepass", True)[0], b[q:p])
    security, s1, s2, s3, s4, s5 = _read_sizes(b, p)
    p += 16
    a1 = p + s1
    b1 = a1 + (-s1 & 3)
    a2 = b1 + s2
    b2 = a2 + (-s2 & 3)
    a3 = b2 + s3
    b3 = a3 + (-s3 & 3)
    a4 = b3 + s4
    b4 = a4 + (-s4 & 3)
    a5 = b4 + s5
    b5 = a5 + (-s5 & 3)
    if b5 + 56 > n or not s1 | s2 | s3 | s4 | s5:
        raise ValueError
    data = _SecurityData(
        b[p:a1], b[a1:b1], b[b1:a2], b[a2:b2], b[b2:a3], b[a3:b3], b[b3:a4], b[a4:b4], b[b4:a5], b[a5:b5]
    )
    (wanted, units, kind, correlation, body_type, tag, body_size, allocated, privacy, hashing, cipher,
     extension) = _read_facts(b, b5)  # fmt: skip
    p = b5 + 56
    e = p + units * 2
    x = e + extension
    y = x + body_size
    if y + (-(units * 2 + extension + body_size) & 3) != n:
        raise ValueError
    text = _read_text(b[p:e], "surrogatepass", True)[0]
    if text == "QM Ordering Ack\0" and not flags:
        raise ValueError  # an acknowledgment
    return _UserMessage(
        _BaseHeader(version, reserved, _base_flags[flags], signature, size, reach),
        _UserHeader(
            GUID(source), GUID(address), receive, sent, number, _user_flags[options], queue, None, None, None
        ),
        None,
        _SecurityHeader(_security_flags[security], s1, s2, s3, s4, s5, data),
        _Properties(
            _properties_flags[wanted], units, kind, correlation, body_type, tag, body_size, allocated,
            privacy, hashing, cipher, extension, text, b[e:x], b[x:y], b[y:n],
        ),
        None, None, None, None, None, None, None, None, None, None,
    )  # fmt: skip


def encode_user_message(m: Any) -> bytes:
    h, u, s, f = m.BaseHeader, m.UserHeader, m.SecurityHeader, m.MessagePropertiesHeader
    if (
        m.TransactionHeader is not None
        or m.DebugHeader is not None
        or m.SRMPEnvelopeHeader is not None
        or m.CompoundMessageHeader is not None
        or m.SoapHeader is not None
        or m.MultiQueueFormatHeader is not None
        or m.ExtensionHeader is not None
        or m.SubqueueHeader is not None
        or m.DeadLetterHeader is not None
        or m.ExtendedAddressHeader is not None
        or m.SessionHeader is not None
        or u.AdminQueue is not None
        or u.ResponseQueue is not None
        or u.ConnectorType is not None
    ):
        raise ValueError
    q, d = u.DestinationQueue, s.SecurityData
    if type(q) is not _Direct:
        raise ValueError
    return b"".join((
        _write_head(
            h.VersionNumber, h.Reserved, h.Flags, h.Signature, h.PacketSize, h.TimeToReachQueue,
            u.SourceQueueManager.bytes_le, u.QueueManagerAddress.bytes_le, u.TimeToBeReceived,
            u.SentTime, u.MessageID, u.Flags, q.Count,
        ),
        _write_text(q.DirectFormatName, "surrogatepass")[0],
        q.Padding,
        _write_sizes(
            s.Flags, s.SenderIdSize, s.EncryptionKeySize, s.SignatureSize, s.SenderCertSize,
            s.ProviderInfoSize,
        ),
        d.SecurityID, d.SecurityIDPadding, d.EncryptionKey, d.EncryptionKeyPadding, d.Signature,
        d.SignaturePadding, d.SenderCert, d.SenderCertPadding, d.ProviderInfo, d.ProviderInfoPadding,
        _write_facts(
            f.Flags, f.LabelLength, f.MessageClass, f.CorrelationID, f.BodyType, f.ApplicationTag,
            f.MessageSize, f.AllocationBodySize, f.PrivacyLevel, f.HashAlgorithm, f.EncryptionAlgorithm,
            f.ExtensionSize,
        ),
        _write_text(f.Label, "surrogatepass")[0], f.ExtensionData, f.MessageBody, f.Padding,
    ))  # fmt: skip


_NO_CORRELATION = bytes(20)
_PADDINGS = (b"", b"\0\0\0", b"\0\0", b"\0")
_BASE_WORD = _base_flags[0x0003]
_USER_WORD = _user_flags[0x281C00]
_PROPERTIES_WORD = _properties_flags[0]


def build_and_encode(m: Message) -> bytes:
    """Check what an application says, make the records with all lengths, and write them."""
    source, queue, sid, label, body, body_type, number, sent = m
    if type(source) is not GUID or type(source.bytes_le) is not bytes or len(source.bytes_le) != 16:
        raise ValueError
    if type(queue) is not str or type(label) is not str or type(sid) is not bytes or type(body) is not bytes:
        raise ValueError
    if type(body_type) is not int or type(number) is not int or type(sent) is not int:
        raise ValueError
    if not (0 <= body_type <= 0xFFFFFFFF and 0 <= number <= 0xFFFFFFFF and 0 <= sent <= 0xFFFFFFFF):
        raise ValueError
    if queue and queue[-1] != "\0":
        queue += "\0"
    if label and label[-1] != "\0":
        label += "\0"
    name, text = _write_text(queue, "surrogatepass")[0], _write_text(label, "surrogatepass")[0]
    if not queue.isascii():
        queue = _read_text(name, "surrogatepass", True)[0]
    if not label.isascii():
        label = _read_text(text, "surrogatepass", True)[0]
    count, units, body_size, sid_size = len(name), len(text) // 2, len(body), len(sid)
    if count > 0xFFFF or units > 0xFF or body_size > 0xFFFFFFFF or not 0 < sid_size <= 0xFFFF:
        raise ValueError
    name_padding = _PADDINGS[count + 2 & 3]
    sid_padding = _PADDINGS[sid_size & 3]
    padding = _PADDINGS[units * 2 + body_size & 3]
    is_sid = sid_size >= 8 and sid[0] == 1 and sid_size == 8 + 4 * sid[1]
    word = _security_flags[0x81 if is_sid else 0x82]
    size = (
        66 + count + len(name_padding) + 16 + sid_size + len(sid_padding) + 56 + units * 2 + body_size
        + len(padding)
    )  # fmt: skip
    if size > 0xFFFFFFFF:
        raise ValueError
    record = _UserMessage(
        _BaseHeader(16, 0, _BASE_WORD, _SIGNATURE, size, 0xFFFFFFFF),
        _UserHeader(
            source, NULL_GUID, 0xFFFFFFFF, sent, number, _USER_WORD, _Direct(count, queue, name_padding),
            None, None, None,
        ),
        None,
        _SecurityHeader(
            word, sid_size, 0, 0, 0, 0,
            _SecurityData(sid, sid_padding, b"", b"", b"", b"", b"", b"", b"", b""),
        ),
        _Properties(
            _PROPERTIES_WORD, units, 0, _NO_CORRELATION, body_type, 0, body_size, body_size, 0, 0x800E,
            0x6801, 0, label, b"", body, padding,
        ),
        None, None, None, None, None, None, None, None, None, None,
    )  # fmt: skip
    return encode_user_message(record)


# ---------------------------------------------------------------------------------- EstablishConnection

_establish = struct.Struct("<BBHIIIHH16s16sIHH512s")
_read_establish, _write_establish = _establish.unpack_from, _establish.pack


def decode_establish_connection(b: bytes) -> Any:
    if type(b) is not bytes or len(b) != 572:
        raise ValueError
    (version, reserved, flags, signature, size, reach, internal, kind, client, server, stamp, system, rest,
     padding) = _read_establish(b)  # fmt: skip
    if size != 572 or signature != _SIGNATURE or version != 16 or not flags & 8 or kind & 15 != 2:
        raise ValueError
    return _Establish(
        _BaseHeader(version, reserved, _base_flags[flags], signature, size, reach),
        _InternalHeader(internal, _internal_flags[kind]),
        _EstablishHeader(GUID(client), GUID(server), stamp, _system_flags[system], rest, padding),
    )


def encode_establish_connection(m: Any) -> bytes:
    h, i, e = m.BaseHeader, m.InternalHeader, m.EstablishConnectionHeader
    return _write_establish(
        h.VersionNumber, h.Reserved, h.Flags, h.Signature, h.PacketSize, h.TimeToReachQueue, i.Reserved,
        i.Flags, e.ClientGuid.bytes_le, e.ServerGuid.bytes_le, e.TimeStamp, e.OperatingSystem, e.Reserved,
        e.Padding,
    )  # fmt: skip


# ------------------------------------------------------------------------------------- ChangePropagation

_opening = struct.Struct("<B16sBBH")
_read_opening, _write_opening = _opening.unpack_from, _opening.pack
_change = struct.Struct("<16s8s8s8sB32s16s16s")
_read_change, _write_change = _change.unpack_from, _change.pack
_middle = struct.Struct("<BIh")
_read_middle, _write_middle = _middle.unpack_from, _middle.pack
_length = struct.Struct("<I")
_read_length, _write_length = _length.unpack_from, _length.pack
_count = struct.Struct("<H")
_read_count, _write_count = _count.unpack_from, _count.pack
_numbers = struct.Struct("<16s8s8s")
_read_numbers, _write_numbers = _numbers.unpack_from, _numbers.pack
_IDENTIFIER_BYTES = struct.pack("<8I", *IDENTIFIERS)
_TYPES = (72, 72, 31, 17, 19, 2, 31, 65)


def _terminator(b: bytes, start: int, end: int) -> int:
    found = b.find(b"\0\0", start, end)
    while found >= 0 and found - start & 1:
        found = b.find(b"\0\0", found + 1, end)
    if found < 0:
        raise ValueError
    return found


def decode_propagation(b: bytes) -> Any:
    n = len(b)
    if type(b) is not bytes or n < 21:
        raise ValueError
    version, site, operation, flush, count = _read_opening(b)
    if operation or count * 43 > n - 21:
        raise ValueError
    changes = []
    p = 21
    for _ in range(count):
        if p + 2 > n:
            raise ValueError
        command, form = b[p], b[p + 1]
        if form:
            raise ValueError
        p += 2
        t = _terminator(b, p, n)
        name = _read_text(b[p:t], "surrogatepass", True)[0]
        p = t + 107
        if p > n:
            raise ValueError
        partition, before, number, purged, properties, identifiers, instance, kind = _read_change(b, t + 2)
        if properties != 8 or identifiers != _IDENTIFIER_BYTES:
            raise ValueError
        t = _terminator(b, p, n)
        path = _read_text(b[p:t], "surrogatepass", True)[0]
        p = t + 9
        if p > n:
            raise ValueError
        journal, quota, priority = _read_middle(b, t + 2)
        t = _terminator(b, p, n)
        label = _read_text(b[p:t], "surrogatepass", True)[0]
        p = t + 6
        if p > n:
            raise ValueError
        p += _read_length(b, t + 2)[0]
        if p > n:
            raise ValueError
        changes.append(
            _Change(
                command, form, name, None, GUID(partition), SEQUENCE_NUMBER(before), SEQUENCE_NUMBER(number),
                SEQUENCE_NUMBER(purged), properties, IDENTIFIERS,
                (
                    PropertyValue(72, GUID(instance)), PropertyValue(72, GUID(kind)), PropertyValue(31, path),
                    PropertyValue(17, journal), PropertyValue(19, quota), PropertyValue(2, priority),
                    PropertyValue(31, label), PropertyValue(65, b[t + 6 : p]),
                ),
            )
        )  # fmt: skip
    if p + 2 > n:
        raise ValueError
    (partitions,) = _read_count(b, p)
    p += 2
    if not partitions:
        raise ValueError
    t = _terminator(b, p, n)
    machine = _read_text(b[p:t], "surrogatepass", True)[0]
    p = t + 2
    if p + partitions * 32 != n:
        raise ValueError
    found = []
    for at in range(p, n, 32):
        partition, last, purged = _read_numbers(b, at)
        found.append(_Partition(GUID(partition), SEQUENCE_NUMBER(last), SEQUENCE_NUMBER(purged)))
    return _Propagation(
        _Replication(version, GUID(site), operation), flush, count, tuple(changes),
        _Numbers(partitions, machine, tuple(found)),
    )  # fmt: skip


def encode_propagation(m: Any) -> bytes:
    r, s = m.BaseReplicationHeader, m.SeqNumberHeader
    parts = [_write_opening(r.Version, r.SiteID.bytes_le, r.Operation, m.Flush, m.Count)]
    add = parts.append
    for c in m.DirectoryChanges:
        i, k, path, journal, quota, priority, label, blob = c.PropertyValue
        types = (i.vt, k.vt, path.vt, journal.vt, quota.vt, priority.vt, label.vt, blob.vt)
        if c.GuidIdentifier is not None or c.PropertyID != IDENTIFIERS or types != _TYPES:
            raise ValueError
        if "\0" in path.value or "\0" in label.value:
            raise ValueError
        add(bytes((c.Command, c.UseGuid)))
        add(_write_text(c.PathName, "surrogatepass")[0])
        add(b"\0\0")
        add(
            _write_change(
                c.PartitionID.bytes_le, c.PreviousSeqNumber.raw, c.SeqNumber.raw, c.PurgedSeqNumber.raw,
                c.NumberOfProperties, _IDENTIFIER_BYTES, i.value.bytes_le, k.value.bytes_le,
            )
        )  # fmt: skip
        add(_write_text(path.value, "surrogatepass")[0])
        add(b"\0\0")
        add(_write_middle(journal.value, quota.value, priority.value))
        add(_write_text(label.value, "surrogatepass")[0])
        add(b"\0\0")
        add(_write_length(len(blob.value)))
        add(blob.value)
    add(_write_count(s.Count))
    add(_write_text(s.MachineName, "surrogatepass")[0])
    add(b"\0\0")
    for p in s.PartitionSeqNumbers:
        add(_write_numbers(p.PartitionID.bytes_le, p.LastSeqNumber.raw, p.PurgedSeqNumber.raw))
    return b"".join(parts)


_MESSAGE = Codec(decode_user_message, encode_user_message)
_PROPAGATION = Codec(decode_propagation, encode_propagation)
CODECS = {
    "BaseHeader": Codec(decode_base_header, encode_base_header),
    "UserMessage": _MESSAGE,
    "UserMessage, frame 7": _MESSAGE,
    "EstablishConnection": Codec(decode_establish_connection, encode_establish_connection),
    "ChangePropagation, 1 change": _PROPAGATION,
    "ChangePropagation, 100 changes": _PROPAGATION,
}
"""HAND by sample."""
