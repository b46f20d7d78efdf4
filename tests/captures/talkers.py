"""The two ends of a real connection, as programs: each sends bytes of a file and keeps what it receives."""

from __future__ import annotations

import random
import socket
import sys
import threading
from pathlib import Path


def talk(link: socket.socket, own: bytes, received: Path, seed: int) -> None:
    """Send in pieces of any size, and keep what comes until the other side has ended."""
    dice = random.Random(seed)  # noqa: S311  # a seed, not a secret

    def send() -> None:
        at = 0
        while at < len(own):
            size = dice.choice((1, 7, 100, 536, 1460, 5000, 20000))
            link.sendall(own[at : at + size])
            at += size
        link.shutdown(socket.SHUT_WR)

    sender = threading.Thread(target=send)
    sender.start()
    with received.open("wb") as file:
        while data := link.recv(65536):
            file.write(data)
    sender.join()
    link.close()


def main() -> None:
    """``serve HOST PORT FOLDER COUNT`` or ``call HOST PORT FOLDER COUNT SOURCE_PORT``."""
    what, host, port, folder, count, *more = sys.argv[1:]
    place = Path(folder)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if what == "serve":
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 16)
        listener.bind((host, int(port)))
        listener.listen(16)
        print("ready", flush=True)  # noqa: T201  # whoever started this waits for it
        for number in range(int(count)):
            link, _ = listener.accept()
            talk(link, (place / f"back{number}").read_bytes(), place / f"got-there{number}", number)
        return
    for number in range(int(count)):
        link = socket.socket(family)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        link.bind(("", int(more[0]) + number))
        own = (place / f"there{number}").read_bytes()
        link.connect((host, int(port)))
        talk(link, own, place / f"got-back{number}", number + 1000)


if __name__ == "__main__":
    main()
