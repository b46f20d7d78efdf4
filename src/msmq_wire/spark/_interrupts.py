"""Interrupts of the job: work runs in a thread, and an interrupt ends it at a safe point.

An exception in the midst of arbitrary code, such as a call into Java or a destructor, would leave a
connection in an unknown state, or would be printed and lost.  So the main thread only waits, for the end of
the work or for an interrupt, and the work checks regularly whether it should end.
"""

from __future__ import annotations

import signal
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable

_AGAIN: Final = 0.5
"""Seconds between two checks of the main thread, needed only where signals do not end its waiting."""


class Interrupts:
    """Takes SIGINT from its creation until the context is left.

    Args:
        is_process: Whether the process ends with the context: SIGTERM is then an interrupt, too, and later
            ones are ignored, because the exit status is known.

    Attributes:
        is_process: As given.
        cancel: Cancels a call that the work is waiting for; called repeatedly, from the main thread.
        on_interrupt: Called once, at the first interrupt.
    """

    def __init__(self, *, is_process: bool = False) -> None:
        self.is_process = is_process
        self._after: Any = signal.SIG_IGN if is_process else None
        self._requested = Event()
        # Its `put` may interrupt its `get`, unlike that of other queues and of `Event`.
        self._news: SimpleQueue[tuple[int, BaseException | None] | None] = SimpleQueue()
        takes = (signal.SIGINT, signal.SIGTERM) if is_process else (signal.SIGINT,)
        self._takes = takes if current_thread() is main_thread() else ()
        self.cancel: Callable[[], None] = lambda: None
        self.on_interrupt: Callable[[], None] = lambda: None

    def __enter__(self) -> Self:
        for taken in self._takes:
            before = signal.signal(taken, lambda *_: self._news.put(None))
            self._after = self._after or before
        return self

    def __exit__(self, *_: object) -> None:
        for taken in self._takes if self._after is not None else ():
            signal.signal(taken, self._after)

    @property
    def is_requested(self) -> bool:
        """Whether there was an interrupt."""
        return self._requested.is_set()

    def check(self) -> None:
        """Raise KeyboardInterrupt if there was an interrupt; the work calls it at safe points."""
        if self._requested.is_set():
            raise KeyboardInterrupt

    def wait(self, seconds: float) -> None:
        """Wait; an interrupt raises KeyboardInterrupt at once."""
        if self._requested.wait(seconds):
            raise KeyboardInterrupt

    def run(self, work: Callable[[], int]) -> int:
        """Run the work in a thread, and return its result.

        Raises:
            KeyboardInterrupt: There was an interrupt, and the work has ended; a second interrupt does not
                wait for this end.
            BaseException: What the work raises.
        """
        Thread(target=self._work, args=(work,), name="msmq_wire", daemon=True).start()
        while True:
            try:
                news = self._news.get(timeout=_AGAIN)
            except Empty:
                if self._requested.is_set():
                    with suppress(Exception):  # there may be nothing left to cancel
                        self.cancel()
                continue
            if news is not None and not self._requested.is_set():
                result, error = news
                if error is not None:
                    raise error
                return result
            if news is not None or self._requested.is_set():
                raise KeyboardInterrupt
            self._requested.set()
            self.on_interrupt()

    def _work(self, work: Callable[[], int]) -> None:
        try:
            result: tuple[int, BaseException | None] = work(), None
        except BaseException as error:  # noqa: BLE001  # the main thread raises it
            result = 1, error
        self._news.put(result)
