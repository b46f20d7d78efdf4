"""Decode and encode the session that [MS-MQQB] 4.1 prints frame by frame; ``--explain`` explains every field.

Run it from anywhere in a checkout: ``python docs/examples/session.py``.
"""  # noqa: INP001  # a script, not a package

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import msmq_wire as mw

VECTORS = Path(__file__).resolve().parents[2] / "specs" / "vectors" / "mqqb-4.1.toml"


def main() -> int:
    """Print every frame; the status is 0 if all of them encode back to the same bytes."""
    frames = [
        vector
        for vector in tomllib.loads(VECTORS.read_text(encoding="utf-8"))["vector"]
        if not vector.get("truncated")
    ]
    total = 0
    for vector in frames:
        data = bytes.fromhex(vector["hex"])
        # A Ping is sent over UDP and has no BaseHeader, so `decode` cannot detect it.
        ping = vector["packet"] == "PingPacket"
        packet = mw.mqqb.PingPacket.decode(data) if ping else mw.decode(data)
        title = f"{vector['section']} {vector['name']}: {vector['direction']}, {vector['transport']}"
        kind = type(packet).__name__
        sys.stdout.write(f"{title}, {kind} of {len(data)} bytes\n")
        if "--explain" in sys.argv[1:]:
            sys.stdout.write(f"\n{mw.explain(packet)}\n\n\n")
        if mw.encode(packet) != data:
            sys.stdout.write(f"{vector['name']} encodes to other bytes\n")
            return 1
        total += len(data)
    sys.stdout.write(f"{len(frames)} frames, {total:,} bytes: all encode back to the same bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
