"""Single values as JSON types, and back.

1. All input is checked: an `EncodeError` has the structure and the whole path.
2. Error messages do not contain the value, because its repr may be huge or fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from .errors import EncodeError, elsewhere, wrong_type, wrong_value
from .guid import GUID
from .hints import did_you_mean
from .sequence_number import SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MOST_BITS = 64


def each(owner: str, path: str, value: Any) -> Iterator[tuple[Any, str]]:
    """The elements of a list, each with its path."""
    if not isinstance(value, (list, tuple)):
        refuse(owner, path, value, "a list")
    for index, item in enumerate(value):
        yield item, f"{path}[{index}]"


def rooted(make: Callable[[], Any], start: str, path: str) -> Any:
    """Call `make`; extend the path of its errors up to the outermost structure."""
    try:
        return make()
    except EncodeError as error:
        raise elsewhere(error, path=path + error.path.removeprefix(start)) from None


def refuse(structure: str, path: str, value: Any, expected: str) -> NoReturn:
    """Raise the error for a value that is not the one expected; of a text, it shows the beginning."""
    raise EncodeError(
        wrong_value(expected, value) if isinstance(value, str) else wrong_type(expected, value),
        structure=structure,
        path=path,
        expected=expected,
        actual=value,
    )


def know(
    structure: str,
    path: str,
    plain: dict[Any, Any],
    names: Iterable[str],
    owner_of: Callable[[str], str] = lambda _: "",
) -> None:
    """Raise an error for keys that are not field names; `owner_of` ends it if no name is similar."""
    field_names = list(names)
    for key in plain:
        if key not in field_names:
            raise EncodeError(
                f"no such field{did_you_mean(str(key), field_names) or owner_of(str(key))}",
                structure=structure,
                path=f"{path}.{shown_key(key)}",
                expected=", ".join(field_names),
                actual=key,
            )


def number(structure: str, path: str, value: Any) -> int:
    """An integer with at most as many bits as the largest field."""
    if not isinstance(value, int) or isinstance(value, bool):
        refuse(structure, path, value, "a whole number")
    if value.bit_length() > _MOST_BITS:
        raise EncodeError(
            wrong_value(f"at most {_MOST_BITS} bits", value),
            structure=structure,
            path=path,
            expected=f"at most {_MOST_BITS} bits",
            actual=value,
        )
    return value


def text(structure: str, path: str, value: Any, expected: str = "text") -> str:
    """A text."""
    if not isinstance(value, str):
        refuse(structure, path, value, expected)
    return value


def octets(structure: str, path: str, value: Any) -> bytes:
    """Bytes from hexadecimal digits."""
    digits = text(structure, path, value, "hexadecimal text")
    try:
        return bytes.fromhex(digits)
    except ValueError:
        refuse(structure, path, value, "hexadecimal text, two digits a byte")


def guid(structure: str, path: str, value: Any) -> GUID:
    """A GUID from its text."""
    try:
        return GUID.of(text(structure, path, value, "the text of a GUID"))
    except EncodeError:
        refuse(structure, path, value, "the text of a GUID")


def sequence(structure: str, path: str, value: Any) -> SEQUENCE_NUMBER:
    """A sequence number from its sixteen hexadecimal digits."""
    raw = octets(structure, path, value)
    return SEQUENCE_NUMBER(raw) if len(raw) == 8 else refuse(structure, path, value, "16 digits")


def shown_key(key: Any) -> str:
    """Format a key for an error message."""
    return key if isinstance(key, str) else type(key).__name__
