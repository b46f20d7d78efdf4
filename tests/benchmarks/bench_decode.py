"""How fast packets decode, as ratios to hand-written straight-line Python in the same run.

Run as a program.  HAND reads the one form of UserMessage that is timed, with every check and every field
that the library has for it, into records of its own that cost least.  Equality comes before timing; rounds
of all contenders alternate, and the ratios are medians of ratios within a round.
"""

from __future__ import annotations

import codecs
import statistics
import struct
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from dissect.cstruct import cstruct

import msmq_wire as mw
from msmq_wire import mqmq
from msmq_wire.c_mqmq import MQMQ
from msmq_wire.c_mqqb import MQQB
from msmq_wire.c_mqrr import MQRR

sys.path.insert(0, str(Path(__file__).parent.parent))

from support_specs import load_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 11
SECONDS_A_ROUND = 0.1


def _plain(name: str) -> Any:
    """A record class of the same fields, without anything else."""
    fields = [(field.name, Any) for field in getattr(mqmq, name).layout.fields]
    return msgspec.defstruct(name, fields, frozen=True, gc=False)


def hand_written() -> Callable[[bytes], Any]:
    """The best straight-line decoder of a UserMessage with a direct queue name and a SecurityHeader."""
    base_header, user_header, direct, security_header, security_data, properties, user_message = map(
        _plain,
        (
            "BaseHeader",
            "UserHeader",
            "DirectQueueFormatName",
            "SecurityHeader",
            "SecurityData",
            "MessagePropertiesHeader",
            "UserMessage",
        ),
    )
    guid = mw.GUID
    base_flags = mqmq.BaseHeader.flags["Flags"].seen
    user_flags = mqmq.UserHeader.flags["Flags"].seen
    security_flags = mqmq.SecurityHeader.flags["Flags"].seen
    properties_flags = mqmq.MessagePropertiesHeader.flags["Flags"].seen
    head = struct.Struct("<BBHIII16s16sIIII").unpack_from
    count_of = struct.Struct("<H").unpack_from
    sizes_of = struct.Struct("<HHHHII").unpack_from
    facts_of = struct.Struct("<BBH20sIIIIIIII").unpack_from
    utf16 = codecs.utf_16_le_decode

    def decode(b: bytes) -> Any:
        n = len(b)
        if n < 64:
            raise ValueError
        version, reserved, flags, signature, size, reach, source, address, receive, sent, number, options = (
            head(b, 0)
        )
        if size > n or signature != 0x524F494C or version != 16 or flags & 0x38 or options & 0x12D7E000:
            raise ValueError
        if options >> 10 & 7 != 7 or size < 66:
            raise ValueError
        (count,) = count_of(b, 64)
        q = 66 + count
        if count & 1 or q > size:
            raise ValueError
        p = q + (-(2 + count) & 3)
        queue = direct(count, utf16(b[66:q], "surrogatepass", True)[0], b[q:p])
        if not options & 0x80000 or p + 16 > size:
            raise ValueError
        security, s1, s2, s3, s4, s5 = sizes_of(b, p)
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
        if b5 + 56 > size or not s1 | s2 | s3 | s4 | s5:
            raise ValueError
        data = security_data(
            b[p:a1], b[a1:b1], b[b1:a2], b[a2:b2], b[b2:a3], b[a3:b3], b[b3:a4], b[a4:b4], b[b4:a5], b[a5:b5]
        )
        f = facts_of(b, b5)
        p = b5 + 56
        e = p + f[1] * 2
        x = e + f[11]
        y = x + f[6]
        z = y + (-(f[1] * 2 + f[11] + f[6]) & 3)
        if z != size or z != n:
            raise ValueError
        text = utf16(b[p:e], "surrogatepass", True)[0]
        return user_message(
            base_header(version, reserved, base_flags[flags], signature, size, reach),
            user_header(
                guid(source), guid(address), receive, sent, number,
                user_flags[options], queue, None, None, None,
            ),
            None,
            security_header(security_flags[security], s1, s2, s3, s4, s5, data),
            properties(properties_flags[f[0]], *f[1:], text, b[e:x], b[x:y], b[y:z]),
            None, None, None, None, None, None, None, None, None, None,
        )  # fmt: skip

    return decode


def same(one: Any, other: Any) -> bool:
    """Whether two records of different classes hold the same."""
    if not hasattr(one, "__struct_fields__") or isinstance(one, mw.GUID):
        return bool(one == other)
    fields = one.__struct_fields__
    return all(same(getattr(one, name), getattr(other, name)) for name in fields)


def measure(contenders: dict[str, tuple[Callable[[Any], Any], Any]]) -> dict[str, list[float]]:
    """Microseconds a call of each contender, round by round."""
    counts = {}
    for name, (function, argument) in contenders.items():
        start = time.perf_counter()
        for _ in range(100):
            function(argument)
        counts[name] = max(1, int(SECONDS_A_ROUND / (time.perf_counter() - start) * 100))
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, (function, argument) in contenders.items():
            start = time.perf_counter()
            for _ in range(counts[name]):
                function(argument)
            found[name].append((time.perf_counter() - start) / counts[name] * 1e6)
    return found


def report(title: str, base: str, found: dict[str, list[float]]) -> None:
    """Print the medians, and the median of the ratios to one contender."""
    print(title)
    for name, times in found.items():
        ratio = statistics.median(a / b for a, b in zip(times, found[base], strict=True))
        print(f"  {name:<28}{statistics.median(times):>9.2f} us {ratio:>8.2f} x {base}")


def main() -> None:
    """Check that all contenders agree, then time them."""
    frames = {vector.name: vector.data for vector in load_vectors()}
    message = frames["frame-7-user-message-completed"]
    connection = frames["frame-3-establish-connection-request"]
    raw = cstruct()
    for text in (MQMQ, MQRR, MQQB):
        raw.load(text)
    hand = hand_written()
    packet = mw.decode(message)
    assert same(hand(message), packet)
    assert raw.EstablishConnection(connection).dumps() == mw.encode(mw.decode(connection)) == connection
    report(
        "UserMessage, frame 7 completed (2224 bytes)",
        "HAND",
        measure({"HAND": (hand, message), "decode": (mw.decode, message), "encode": (mw.encode, packet)}),
    )
    report(
        "EstablishConnection, frame 3 (572 bytes)",
        "decode",
        measure(
            {"decode": (mw.decode, connection), "dissect.cstruct": (raw.EstablishConnection, connection)}
        ),
    )


if __name__ == "__main__":
    main()
