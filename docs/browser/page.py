"""What the page asks of the library; each function answers with JSON."""

import json
import re
from bisect import bisect_right
from datetime import UTC, datetime
from ipaddress import ip_address

import msmq_wire as mw

KEPT = []
MOST = 2000
DERIVED = ("PacketSize", "Size", "Length", "Count", "Padding")


def _hex(data):
    return data.hex(" ")


def _capture(data):
    """The flows of a pcap file of Ethernet frames: their ends, and the payloads in order, each with its time.

    None if it is no pcap file.
    """
    units = {b"\xd4\xc3\xb2\xa1": 1e6, b"\x4d\x3c\xb2\xa1": 1e9}
    little, unit = data[:4] in units, units.get(data[:4]) or units.get(data[:4][::-1])
    if unit is None:
        return None
    order, flows, at = "little" if little else "big", {}, 24
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
            end = start + int.from_bytes(frame[start + 2 : start + 4], "big")
        elif kind == b"\x86\xdd" and len(frame) > start + 40:
            inner, protocol = start + 40, frame[start + 6]
            ways = frame[start + 8 : start + 24], frame[start + 24 : start + 40]
            end = inner + int.from_bytes(frame[start + 4 : start + 6], "big")
        else:
            continue
        body, time = frame[inner:end], seconds + parts / unit
        ends = " > ".join(_end(way, body[at : at + 2]) for way, at in zip(ways, (0, 2), strict=True))
        if protocol == 6 and len(body) >= 20:
            number = int.from_bytes(body[4:8], "big")
            payload = body[(body[12] >> 4) * 4 :]
            if payload:
                flows.setdefault((ends,), {}).setdefault(number, (payload, time))
        elif protocol == 17 and len(body) > 8:
            flows.setdefault((ends, len(flows)), {})[0] = (body[8:], time)
    return [(ends[0], [part for _, part in sorted(flow.items())]) for ends, flow in flows.items()]


def _end(address, port):
    host = str(ip_address(bytes(address)))
    return (
        f"[{host}]:{int.from_bytes(port, 'big')}" if ":" in host else f"{host}:{int.from_bytes(port, 'big')}"
    )


def _take(data):
    KEPT.clear()
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        problem = "This is a pcapng file. Save it as pcap, or use msmq-wire explain."
        return json.dumps({"status": problem, "packets": []})
    try:
        flows = _capture(data)
    except ValueError as error:
        return json.dumps({"status": str(error), "packets": []})
    listed, skipped = [], 0
    for ends, parts in [("", [(data, None)])] if flows is None else flows:
        flow = b"".join(part for part, _ in parts)
        if len(flow) in (20, 24) and flow[2:4] == b"HU":
            listed.append((parts[0][1], ends, flow[:24]))
            continue
        times, start = [], 0
        for part, time in parts:
            times.append((start, time))
            start += len(part)
        start = 0
        for frame in mw.PacketStream().frames(flow, final=True):
            if hasattr(frame, "packet") or flows is None or frame.data[4:8] == b"LIOR":
                time = times[bisect_right(times, start, key=lambda entry: entry[0]) - 1][1]
                listed.append((time, ends, frame.data))
            else:
                skipped += len(frame.data)
            start += len(frame.data)
    listed.sort(key=lambda entry: entry[0] or 0)
    KEPT.extend(data for _, _, data in listed)
    names = [_line(number, *entry) for number, entry in enumerate(listed[:MOST], 1)]
    count = len(KEPT)
    status = f"{count:,} packet{'' if count == 1 else 's'}." if KEPT else "No packet was found."
    if len(KEPT) > MOST:
        status += f" The first {MOST:,} are listed."
    if skipped:
        status += f" {skipped:,} bytes of the capture's streams are no packet, or a packet with gaps."
    return json.dumps({"status": status, "packets": names})


def _line(number, time, ends, data):
    """A packet in the list: its time, addresses, type, size and label, as far as they are known."""
    when = "" if time is None else f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S.%f} "
    try:
        record = _record(data)
    except mw.DecodeError:
        name, label = "unreadable", ""
    else:
        name = type(record).__name__
        label = getattr(getattr(record, "MessagePropertiesHeader", None), "Label", "").rstrip("\0")
    parts = [f"{number}: {when}{ends} {name}".replace("  ", " "), f"{len(data):,} bytes"]
    return ", ".join([*parts, repr(label)] if label else parts)


def _record(data):
    return mw.mqqb.PingPacket.decode(data) if data[2:4] == b"HU" and data[4:8] != b"LIOR" else mw.decode(data)


def from_text(text):
    lines = [
        re.sub(r"^[0-9a-fA-F]{4,8}:? +((?:[0-9a-fA-F]{2,4} ?){1,16})(?: .*)?$", r"\1", line)
        for line in text.splitlines()
    ]
    digits = re.sub(r"0x|[^0-9a-fA-F]", "", " ".join(lines))
    if len(digits) % 2:
        return json.dumps({"status": "The number of digits is odd.", "packets": []})
    return _take(bytes.fromhex(digits))


def from_file(data):
    raw = data.to_bytes()
    if raw and all(byte in b"0123456789abcdefABCDEF \t\r\n:x" for byte in raw[:4096]):
        return from_text(raw.decode("ascii", "replace"))
    return _take(raw)


def _flat(plain, path=""):
    for key, value in plain.items():
        inner = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from _flat(value, inner)
        elif isinstance(value, (int, str)) and not isinstance(value, bool):
            yield inner, value


def packet(index):
    data = KEPT[index]
    answer = {"listing": mw.explain(data), "violations": [], "fields": [], "bytes": _hex(data)}
    try:
        record = _record(data)
    except mw.DecodeError as error:
        broken = mw.validate(mw.decode_lax(data), level="should", channel="session")
        answer["violations"] = [f"It cannot be read whole: {error}", *map(str, broken)]
    else:
        broken = mw.validate(record, level="should", channel="session")
        answer["violations"] = [*map(str, broken)]
        answer["fields"] = [[path, str(value)] for path, value in _flat(mw.to_dict(record)) if path != "type"]
    return json.dumps(answer)


def change(index, path, text, compute):
    try:
        plain = mw.to_dict(_record(KEPT[index]))
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
