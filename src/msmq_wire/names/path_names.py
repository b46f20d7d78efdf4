"""Path names of queues ([MS-MQMQ] 2.1.1): values that are parsed from text and printed as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from .grammar import (
    MAX_FORMAT_NAME_LENGTH,
    NOT_IN_HOST,
    NOT_VCHAR,
    QueueKind,
    broken,
    check_length,
    queue_problems,
    require,
    split_queue,
    starts,
    subqueue_text,
    text_problems,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self


class QueuePath(msgspec.Struct, frozen=True, gc=False):
    r"""``computer\queue``, ``computer\private$\queue`` or ``computer\system$;queue``, [MS-MQMQ] 2.1.1.

    Attributes:
        computer: Name of the computer; ``.`` is the local computer.
        queue: Name of the queue.
        kind: The form of the name.
        subqueue: The text after a semicolon after the queue name, or None; also ``JOURNAL``, because path
            names have no other suffix.
    """

    computer: str
    queue: str
    kind: QueueKind = "public"
    subqueue: str | None = None

    def __post_init__(self) -> None:
        parts = (self.computer, self.queue, self.kind, self.subqueue)
        texts = (*parts[:3], self.subqueue or "")
        for part, value in zip(self.__struct_fields__, texts, strict=True):
            require(isinstance(value, str), f"QueuePath.{part}", "text", value)
        same = _split(str(self)) == parts
        require(same, "QueuePath", "parts whose text has the same parts", parts)

    @classmethod
    def parse(cls, text: str, *, max_length: int = MAX_FORMAT_NAME_LENGTH) -> Self:
        """Parse a path name.

        Args:
            text: The path name.
            max_length: The maximum number of characters.

        Raises:
            EncodeError: The text is not a path name.
        """
        check_length(text, "QueuePath", max_length)
        return cls(*_split(text))

    def __str__(self) -> str:
        marker = {"private": "private$\\", "system": "system$;"}.get(self.kind, "")
        return f"{self.computer}\\{marker}{self.queue}{subqueue_text(self.subqueue)}"

    def _problems(self, version: int, sdk: bool) -> Iterator[str]:
        yield from text_problems("2.1.1 Computer", self.computer, 256, NOT_IN_HOST if sdk else NOT_VCHAR)
        yield from queue_problems(self.queue, self.subqueue, version, sdk)


def _split(text: str) -> tuple[str, str, QueueKind, str | None]:
    """Divide a path name into computer (up to the first backslash, errata M40), queue, kind and subqueue."""
    computer, backslash, _ = text.partition("\\")
    at = len(computer) + 1
    if not computer or not backslash:
        raise broken("QueuePath.computer", text, 0, 0, "a computer name and a backslash")
    kind: QueueKind = "public"
    if starts(text, at, "PRIVATE$\\"):
        kind, at = "private", at + 9
    elif starts(text, at, "SYSTEM$;"):
        kind, at = "system", at + 8
    queue, subqueue = split_queue("QueuePath", text, at, len(text), 0)
    return computer, queue, kind, subqueue
