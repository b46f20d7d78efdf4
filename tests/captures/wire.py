"""Two hosts with TCP stacks of their own, and a wire between them that loses, repeats, swaps and damages.

The hosts are network namespaces of Linux; the wire is a thread that carries frames between their cards.
"""

from __future__ import annotations

import fcntl
import os
import random
import select
import shutil
import struct
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Faults", "Hosts", "can_run"]

_TUNSETIFF, _TAP, _NO_PI = 0x400454CA, 0x0002, 0x1000
_PROGRAM = Path(__file__).with_name("talkers.py")
_TIME_WAIT, _LISTEN = b"06", b"0A"
"""States of sockets in /proc/net/tcp."""
_END = "the last datagram of {}"
_HANGS = 600
"""Seconds that nothing takes; they only end a hang."""
_HOSTS = {"a": ("10.77.0.1", "fd77::1"), "b": ("10.77.0.2", "fd77::2")}


def can_run() -> str:
    """Why real stacks cannot be tried here; empty if they can."""
    if os.geteuid() != 0:
        return "network namespaces need the administrator"
    missing = [name for name in ("ip", "tcpdump") if shutil.which(name) is None]
    if missing:
        return f"{', '.join(missing)} not installed"
    if not Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    name = f"msmq{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return made.stderr.decode().strip()


class Faults(msgspec.Struct, frozen=True, kw_only=True):
    """How often the wire does what, each from 0 to 1."""

    lose: float = 0.0
    repeat: float = 0.0
    swap: float = 0.0
    damage: float = 0.0


class Hosts:
    """Two hosts and the wire; a context."""

    def __init__(self, place: Path, faults: Faults, seed: int) -> None:
        self._place = place
        self._faults = faults
        self._dice = random.Random(seed)  # noqa: S311  # a seed, not a secret
        self._cards: dict[str, int] = {}
        self._names = {host: f"msmq{os.getpid()}{host}" for host in _HOSTS}
        self._over = threading.Event()
        self._news = threading.Condition()
        self._wire = threading.Thread(target=self._carry)
        self._copying: list[threading.Thread] = []
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        for host, addresses in _HOSTS.items():
            name, card = self._names[host], f"m{os.getpid()}{host}"
            _run("ip", "netns", "add", name)
            handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(handle, _TUNSETIFF, struct.pack("16sH22x", card.encode(), _TAP | _NO_PI))
            self._cards[host] = handle
            _run("ip", "link", "set", card, "netns", name)
            for one in addresses:
                bits, more = ("64", ("nodad",)) if ":" in one else ("24", ())
                self._in(host, "ip", "addr", "add", f"{one}/{bits}", "dev", card, *more)
            self._in(host, "ip", "link", "set", card, "up")
            self._in(host, "ip", "link", "set", "lo", "up")
        for host in _HOSTS:
            capture = self._start(
                host, "tcpdump", "-i", f"m{os.getpid()}{host}", "-U", "-w", "-",
                "-s", "4000", "-B", "32768", "-Z", "root",
            )  # fmt: skip
            assert capture.stderr is not None
            while b"listening" not in capture.stderr.readline():
                pass
            self._copying.append(threading.Thread(target=self._copy, args=(capture, self.capture(host))))
            self._copying[-1].start()
        self._wire.start()
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if error is None:
            self._wait()
        for process in self._started:
            process.terminate()
        for thread in self._copying:
            thread.join()
        for process in self._started:
            process.communicate()
        self._over.set()
        if self._wire.ident:
            self._wire.join()
        for handle in self._cards.values():
            os.close(handle)
        for name in self._names.values():
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)

    def capture(self, host: str) -> Path:
        """The capture at a host's card."""
        return self._place / host / "capture.pcap"

    def talk(self, count: int, port: int, *, six: bool = False) -> None:
        """Have host a call host b so many times: ``there0`` and so on go to b, ``back0`` and so on to a."""
        address = _HOSTS["b"][six]
        common = (address, str(port), str(self._place), str(count))
        serving = self._start("b", sys.executable, str(_PROGRAM), "serve", *common)
        assert serving.stdout is not None
        assert serving.stdout.readline() == b"ready\n"
        self._in("a", sys.executable, str(_PROGRAM), "call", *common, "40001")
        assert serving.wait(_HANGS) == 0

    def _wait(self) -> None:
        """Wait until all connections are closed at both hosts, and what they sent is in both captures."""
        for host in _HOSTS:
            self._until(partial(self._closed, host))
        for number, host in enumerate(_HOSTS):
            address = [*_HOSTS.values()][1 - number][0]
            self._in(host, "bash", "-c", f"echo {_END.format(host)} > /dev/udp/{address}/9")
        ends = [_END.format(host).encode() for host in _HOSTS]
        for host in _HOSTS:
            self._until(partial(self._has, host, ends))

    def _until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds; it can change when a frame was carried or captured."""
        with self._news:
            while not holds():
                assert self._news.wait(_HANGS)

    def _has(self, host: str, ends: list[bytes]) -> bool:
        data = self.capture(host).read_bytes()
        return all(end in data for end in ends)

    def _closed(self, host: str) -> bool:
        """Whether a host has no connection that is not over."""
        sockets = self._in(host, "cat", "/proc/net/tcp", "/proc/net/tcp6").splitlines()
        states = {line.split()[3] for line in sockets if b":" in line.split()[0]}
        return states <= {_TIME_WAIT, _LISTEN}

    def _start(self, host: str, *command: str) -> subprocess.Popen[bytes]:
        self.capture(host).parent.mkdir(exist_ok=True)
        made = subprocess.Popen(
            ["ip", "netns", "exec", self._names[host], *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._started.append(made)
        return made

    def _in(self, host: str, *command: str) -> bytes:
        return _run("ip", "netns", "exec", self._names[host], *command)

    def _copy(self, capture: subprocess.Popen[bytes], path: Path) -> None:
        """Copy what tcpdump writes to a file, until it ends."""
        assert capture.stdout is not None
        with path.open("wb", buffering=0) as file:
            while chunk := os.read(capture.stdout.fileno(), 1 << 16):
                file.write(chunk)
                self._tell()

    def _tell(self) -> None:
        with self._news:
            self._news.notify_all()

    # ------------------------------------------------------------------------------------------ the wire

    def _carry(self) -> None:
        """Carry frames until it is over."""
        other = {self._cards["a"]: self._cards["b"], self._cards["b"]: self._cards["a"]}
        held: dict[int, bytes] = {}
        while not self._over.is_set():
            ready, _, _ = select.select(list(other), [], [], 0.02)
            if not ready:
                for card, frame in held.items():
                    os.write(other[card], frame)
                    self._tell()
                held.clear()
            for card in ready:
                frame = os.read(card, 65536)
                for one in self._met(card, frame, held):
                    os.write(other[card], one)
                self._tell()

    def _met(self, card: int, frame: bytes, held: dict[int, bytes]) -> list[bytes]:
        """What becomes of a frame, and of one that was held back before it."""
        faults, roll = self._faults, self._dice.random()
        is_tcp = (frame[12:14] == b"\x08\0" and frame[23] == 6) or (
            frame[12:14] == b"\x86\xdd" and frame[20] == 6
        )
        before = [held.pop(card)] if card in held else []
        if not is_tcp:
            return [frame, *before]
        for share, found in (
            (faults.lose, []),
            (faults.repeat, [frame, frame]),
            (faults.damage, [_damaged(frame, self._dice)]),
        ):
            if roll < share:
                return [*found, *before]
            roll -= share
        if roll < faults.swap and not before:
            held[card] = frame
            return []
        return [frame, *before]


def _damaged(frame: bytes, dice: random.Random) -> bytes:
    """A bit of the payload is another one, if there is payload."""
    header = 54 if frame[12:14] == b"\x08\0" else 74
    start = header + (frame[header - 20 + 12] >> 4) * 4 - 20
    if start >= len(frame):
        return frame
    at = dice.randrange(start, len(frame))
    return frame[:at] + bytes([frame[at] ^ 1 << dice.randrange(8)]) + frame[at + 1 :]


def _run(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True, timeout=_HANGS).stdout
