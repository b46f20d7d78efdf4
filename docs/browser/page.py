"""What the page asks of the library; each function answers with JSON."""

import json
from datetime import UTC, datetime
from ipaddress import ip_address

import msmq_wire as mw
from msmq_wire.cli.packet_text import bytes_of_text, text_of

KEPT = []
TCP, UDP, FRAGMENT, SYN = 6, 17, 44, 2
MOST = 2000
FOREIGN = (
    (b"\x0a\x0d\x0d\x0a", "pcapng", "Save it as pcap"),
    (b"\x1f\x8b", "gzip", "Unpack it"),
    (b"\x28\xb5\x2f\xfd", "zstd", "Unpack it"),
)
DERIVED = ("PacketSize", "Size", "Length", "Count", "Padding")


def counted(count, noun, one="", many=""):
    """A number with its noun, and with a verb that agrees with it."""
    return f"{count:,} {noun}{one}" if count == 1 else f"{count:,} {noun}s{many}"


def _hex(data):
    return data.hex(" ")


class Capture:
    """What is in a pcap file of Ethernet frames.

    Attributes:
        datagrams: Time, ends and bytes of datagrams.
        connections: Directions of TCP connections.
        fragments: Number of frames with fragments of datagrams, which are not read here.
    """

    def __init__(self):
        self.datagrams = []
        self.connections = []
        self.fragments = 0
        self.current = {}

    def segment(self, ends, body, time, size):
        """Take a TCP segment; a SYN with another number begins another connection between the same ends."""
        number, flags = int.from_bytes(body[4:8], "big"), body[13]
        header = (body[12] >> 4) * 4
        way = self.current.get(ends)
        if way is None or (flags & SYN and way.syn not in (None, number)):
            way = self.current[ends] = Way(ends, number)
            self.connections.append(way)
        if flags & SYN:
            way.syn = number
        way.add(number + bool(flags & SYN), body[header:], time, max(size - header, 0))


class Way:
    """One direction of a TCP connection: its segments, by their places in it."""

    def __init__(self, ends, number):
        self.ends, self.syn = ends, None
        self.number, self.place = number, 0
        self.segments = []

    def add(self, number, data, time, size):
        """Add a segment; numbers go around after 4 GiB."""
        self.place += (number - self.number + (1 << 31)) % (1 << 32) - (1 << 31)
        self.number = number
        if size:
            self.segments.append((self.place, data, time, size))

    def pieces(self):
        """Yield the packets, and what is none, in order."""
        if not self.segments:
            return
        reader = mw.FlowReader()
        first = min(place for place, *_ in self.segments)
        for place, data, time, size in sorted(self.segments, key=lambda segment: segment[0]):
            yield from reader.feed(place - first, data, mw.Origin(time, "", 0), size)
        yield from reader.close()


def _capture(data):
    """The contents of a pcap file of Ethernet frames; None if it is no pcap file."""
    units = {b"\xd4\xc3\xb2\xa1": 1e6, b"\x4d\x3c\xb2\xa1": 1e9}
    little, unit = data[:4] in units, units.get(data[:4]) or units.get(data[:4][::-1])
    if unit is None:
        return None
    order, capture, at = "little" if little else "big", Capture(), 24
    link = int.from_bytes(data[20:24], order) & 0xFFFF
    if link != 1:
        raise ValueError(
            f"Frames of link type {link} are not read here, only Ethernet: msmq-wire explain reads them."
        )
    while at + 16 <= len(data):
        seconds, parts, size = (
            int.from_bytes(data[at + start : at + start + 4], order) for start in (0, 4, 8)
        )
        frame, at = data[at + 16 : at + 16 + size], at + 16 + size
        kind, start = frame[12:14], 14
        while kind in (b"\x81\x00", b"\x88\xa8"):
            kind, start = frame[start + 2 : start + 4], start + 4
        if kind == b"\x08\x00" and len(frame) > start + 20:
            inner = start + (frame[start] & 15) * 4
            protocol, ways = (
                frame[start + 9],
                (frame[start + 12 : start + 16], frame[start + 16 : start + 20]),
            )
            size = int.from_bytes(frame[start + 2 : start + 4], "big")
            end = start + size if size else len(frame)  # zero if the network card splits the segment
            is_fragment = int.from_bytes(frame[start + 6 : start + 8], "big") & 0x3FFF
        elif kind == b"\x86\xdd" and len(frame) > start + 40:
            inner, protocol = start + 40, frame[start + 6]
            ways = frame[start + 8 : start + 24], frame[start + 24 : start + 40]
            size = int.from_bytes(frame[start + 4 : start + 6], "big")
            end = inner + size if size else len(frame)
            is_fragment = protocol == FRAGMENT
        else:
            continue
        body, time = frame[inner:end], seconds + parts / unit
        if is_fragment:
            capture.fragments += 1
        elif protocol in (TCP, UDP) and len(body) >= (20 if protocol == TCP else 9):
            ends = " > ".join(_end(way, body[at : at + 2]) for way, at in zip(ways, (0, 2), strict=True))
            if protocol == TCP:
                capture.segment(ends, body, time, end - inner)
            else:
                capture.datagrams.append((time, ends, body[8:]))
    return capture


def _end(address, port):
    host = str(ip_address(bytes(address)))
    return (
        f"[{host}]:{int.from_bytes(port, 'big')}" if ":" in host else f"{host}:{int.from_bytes(port, 'big')}"
    )


def from_bytes(data):
    KEPT.clear()
    for mark, form, advice in FOREIGN:
        if data.startswith(mark):
            problem = f"This is a {form} file. {advice}, or use msmq-wire explain."
            return json.dumps({"status": problem, "packets": []})
    try:
        capture = _capture(data)
    except ValueError as error:
        return json.dumps({"status": str(error), "packets": []})
    listed, counts = [], {"missing": 0, "junk": 0}
    if capture is None:
        is_ping = len(data) in (20, 24) and data[2:4] == b"HU"
        frames = [] if is_ping else mw.PacketStream().frames(data, final=True)
        listed = [(None, "", data)] if is_ping else [(None, "", frame.data) for frame in frames]
    else:
        listed = [entry for entry in capture.datagrams if len(entry[2]) >= 20 and entry[2][2:4] == b"HU"]
        for way in capture.connections:
            for piece in way.pieces():
                if piece.packet is not None or piece.partial is not None:
                    listed.append((piece.first.time, way.ends, piece.data))
                else:
                    counts["missing" if piece.kind == "gap" else "junk"] += piece.size
    listed.sort(key=lambda entry: entry[0] or 0)
    KEPT.extend((data, _context(time, ends)) for time, ends, data in listed)
    names = [_line(number, *entry) for number, entry in enumerate(listed[:MOST], 1)]
    count = len(KEPT)
    status = f"{counted(count, 'packet')}." if KEPT else "No packet was found."
    if len(KEPT) > MOST:
        status += f" The first {MOST:,} are listed."
    if counts["missing"]:
        status += f" {counted(counts['missing'], 'byte', ' was', ' were')} not captured."
    if counts["junk"]:
        status += f" {counted(counts['junk'], 'byte', ' is', ' are')} no packet."
    if capture is not None and capture.fragments:
        fragments = counted(capture.fragments, "fragment", " of datagrams is", " of datagrams are")
        status += f" {fragments} not read here."
    return json.dumps({"status": status, "packets": names})


def _context(time, ends):
    """What the capture shows of a packet beside its bytes."""
    host = ends.rpartition(" > ")[2].rpartition(":")[0].strip("[]")
    return mw.Context(seen_at=time, receiver_address=host or None)


def _line(number, time, ends, data):
    """A packet in the list: its type, size, label, time and addresses, as far as they are known."""
    try:
        record = _record(data)
    except mw.DecodeError:
        source = mw.decode_lax(data).source
        name, label = f"unreadable {'packet' if source is None else source.kind}", ""
    else:
        name = type(record).__name__
        label = getattr(getattr(record, "MessagePropertiesHeader", None), "Label", "").rstrip("\0")
    when = "" if time is None else f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S.%f}"
    parts = f"{number}: {name}", counted(len(data), "byte"), label and repr(label), when, ends
    return ", ".join(filter(None, parts))


def _record(data):
    return mw.mqqb.PingPacket.decode(data) if data[2:4] == b"HU" and data[4:8] != b"LIOR" else mw.decode(data)


def from_text(text):
    try:
        return from_bytes(bytes_of_text(text))
    except mw.MsmqWireError as error:
        return json.dumps({"status": f"{error}.", "packets": []})


def from_file(data):
    raw = data.to_bytes()
    text = text_of(raw)
    return from_bytes(raw) if text is None else from_text(text)


def _flat(plain, path=""):
    for key, value in plain.items():
        inner = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from _flat(value, inner)
        elif isinstance(value, (int, str)) and not isinstance(value, bool):
            yield inner, value


def packet(index):
    data, context = KEPT[index]
    answer = {"listing": mw.explain(data), "violations": [], "fields": [], "bytes": _hex(data)}
    try:
        record = _record(data)
    except mw.DecodeError as error:
        broken = mw.validate(mw.decode_lax(data), level="should", channel="session", context=context)
        answer["violations"] = [f"It cannot be read whole: {error}", *map(str, broken)]
    else:
        broken = mw.validate(record, level="should", channel="session", context=context)
        answer["violations"] = [*map(str, broken)]
        answer["fields"] = [[path, str(value)] for path, value in _flat(mw.to_dict(record)) if path != "type"]
    return json.dumps(answer)


def change(index, path, text, compute):
    try:
        plain = mw.to_dict(_record(KEPT[index][0]))
        steps, place = path.split("."), plain
        for step in steps[:-1]:
            place = place[step]
        old = place[steps[-1]]
        place[steps[-1]] = int(text, 0) if isinstance(old, int) else text
        if compute:
            _forget(plain, path)
        data = mw.encode(mw.from_dict(plain))
    except (mw.MsmqWireError, ValueError) as error:
        return json.dumps({"problem": str(error)})
    return json.dumps({"problem": "", "bytes": _hex(data), "listing": mw.explain(data)})


def _forget(plain, keep, path=""):
    """Leave out what follows from other fields, but the one that was changed."""
    for key in list(plain):
        inner = f"{path}.{key}" if path else key
        if isinstance(plain[key], dict):
            _forget(plain[key], keep, inner)
        elif inner != keep and key.endswith(DERIVED) and key not in {"WindowSize", "AllocationBodySize"}:
            del plain[key]
