"""What the page asks of the library; each function answers with JSON."""

import json
import re

import msmq_wire as mw

KEPT = []
MOST = 2000
DERIVED = ("PacketSize", "Size", "Length", "Count", "Padding")


def _hex(data):
    return data.hex(" ")


def _capture(data):
    """The payloads of a pcap file of Ethernet frames, each flow in order; None if it is none."""
    little = data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1")
    if not little and data[:4] not in (b"\xa1\xb2\xc3\xd4", b"\xa1\xb2\x3c\x4d"):
        return None
    order, flows, at = "little" if little else "big", {}, 24
    link = int.from_bytes(data[20:24], order) & 0xFFFF
    if link != 1:
        raise ValueError(
            f"Frames of link type {link} are not read here, only Ethernet: msmq-wire explain reads them."
        )
    while at + 16 <= len(data):
        size = int.from_bytes(data[at + 8 : at + 12], order)
        frame, at = data[at + 16 : at + 16 + size], at + 16 + size
        kind, start = frame[12:14], 14
        while kind in (b"\x81\x00", b"\x88\xa8"):
            kind, start = frame[start + 2 : start + 4], start + 4
        if kind == b"\x08\x00" and len(frame) > start + 20:
            inner = start + (frame[start] & 15) * 4
            protocol, way = frame[start + 9], frame[start + 12 : start + 20]
            end = start + int.from_bytes(frame[start + 2 : start + 4], "big")
        elif kind == b"\x86\xdd" and len(frame) > start + 40:
            inner, protocol, way = start + 40, frame[start + 6], frame[start + 8 : start + 40]
            end = inner + int.from_bytes(frame[start + 4 : start + 6], "big")
        else:
            continue
        body = frame[inner:end]
        if protocol == 6 and len(body) >= 20:
            number = int.from_bytes(body[4:8], "big")
            payload = body[(body[12] >> 4) * 4 :]
            if payload:
                flows.setdefault((way, body[:4]), {}).setdefault(number, payload)
        elif protocol == 17 and len(body) > 8:
            flows.setdefault((way, body[:4], len(flows)), {})[0] = body[8:]
    return [b"".join(part for _, part in sorted(flow.items())) for flow in flows.values()]


def _take(data):
    KEPT.clear()
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        problem = "This is a pcapng file. Save it as pcap, or use msmq-wire explain."
        return json.dumps({"status": problem, "packets": []})
    try:
        flows = _capture(data)
    except ValueError as error:
        return json.dumps({"status": str(error), "packets": []})
    skipped = 0
    for flow in [data] if flows is None else flows:
        if len(flow) in (20, 24) and flow[2:4] == b"HU":
            KEPT.append(flow[:24])
            continue
        for found in mw.PacketStream().frames(flow, final=True):
            if hasattr(found, "packet") or flows is None:
                KEPT.append(found.data)
            else:
                skipped += len(found.data)
    names = [f"{number}: {_name(data)}, {len(data):,} bytes" for number, data in enumerate(KEPT[:MOST], 1)]
    status = f"{len(KEPT):,} found." if KEPT else "No packet was found."
    if len(KEPT) > MOST:
        status += f" The first {MOST:,} are listed."
    if skipped:
        status += f" {skipped:,} bytes of the capture's streams are no packet, or a packet with gaps."
    return json.dumps({"status": status, "packets": names})


def _record(data):
    return mw.mqqb.PingPacket.decode(data) if data[2:4] == b"HU" and data[4:8] != b"LIOR" else mw.decode(data)


def _name(data):
    try:
        return type(_record(data)).__name__
    except mw.DecodeError:
        return "cannot be read"


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
        answer["violations"] = [f"It cannot be read: {error}"]
    else:
        answer["violations"] = [
            str(found) for found in mw.validate(record, level="should", channel="session")
        ]
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
