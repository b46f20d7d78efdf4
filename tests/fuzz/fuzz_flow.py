"""Whatever segments a capture has of a flow, its pieces follow one another without a hole."""

from __future__ import annotations

from harness import instrumented, main, placed

with instrumented():
    import msmq_wire as mw
    from msmq_wire.packets.reassembly import FlowReader, Kind, Origin, Piece

MODULES = ("packets.reassembly", "packets.overlaps")
KIND = "stream"
HEAD = 24
"""So many bytes say how the flow was cut into segments and what became of them; the flow is after them."""


def check(data: bytes) -> None:
    plan, flow = data[:HEAD], data[HEAD:]
    segments = _segments(plan, flow)
    reader = FlowReader(1 << 16)
    pieces: list[Piece] = []
    for number, (offset, raw, length) in enumerate(segments):
        captured = number ^ plan[-1] if plan else number  # in another order than that of the offsets
        pieces += reader.feed(offset, raw, Origin(0, "capture", captured), length)
    pieces += reader.close(len(flow) if plan[:1] > b"\x7f" else 0)
    at = 0
    for piece in pieces:
        if piece.kind.in_stream:
            assert piece.offset == at
            at += piece.size
        assert len(piece.data) == (0 if piece.kind is Kind.GAP else piece.size)
        if piece.kind is Kind.PACKET:
            assert piece.packet is not None
            assert mw.encode(piece.packet) == piece.data
        if piece.error is not None:
            placed(piece.error, bytes(reader.end))
    assert at == reader.end == reader.position
    assert sum(piece.kind is Kind.CONFLICT for piece in pieces) <= 3 * len(segments)
    if all(flow[offset : offset + len(raw)] == raw for offset, raw, _ in segments):
        assert Kind.CONFLICT not in {piece.kind for piece in pieces}
        assert all(flow[piece.offset : piece.offset + len(piece.data)] == piece.data for piece in pieces)


def _segments(plan: bytes, flow: bytes) -> list[tuple[int, bytes, int]]:
    """The flow in segments: some lost, some twice, some overlapping, some cut or changed by the capture."""
    found = []
    at = 0
    for number in range(64):
        if at >= len(flow):
            break
        choice = plan[number % len(plan)] if plan else 0
        size = (choice >> 3) * (choice >> 3) + 1 if choice < 248 else len(flow)
        raw = flow[at : at + size]
        match choice & 7:
            case 1:
                pass  # lost
            case 2:
                found += [(at, raw, size)] * 2
            case 3:
                start = max(at - size // 2, 0)
                found.append((start, flow[start : at + size], at + size - start))
            case 4:
                found.append((at, raw[: len(raw) // 2], len(raw)))
            case 5:
                found += [(at, raw, size), (at, bytes(byte ^ 1 for byte in raw), size)]
            case 6:
                start = max(at - (number << 3), 0)
                found.append(
                    (start, bytes(byte ^ number for byte in flow[start : at + size]), at + size - start)
                )
            case _:
                found.append((at, raw, len(raw)))
        at += size
    found.sort(key=lambda segment: segment[0])
    return found


if __name__ == "__main__":
    main(__name__)
