"""Conditions for the rows of tables, as in ``--where``.

1. A condition is ``PATH`` (the field is present), ``!PATH``, ``PATH OPERATOR VALUE``,
   ``PATH in (VALUE, ...)`` or ``PATH like PATTERN``.  The operators are ``= != < <= > >=``, and ``~ !~``,
   which search for a regular expression (RE2, case-insensitive).  In the pattern of ``like``, ``%`` stands
   for any characters and ``_`` for one.  The value for an address may be a network.  Severities are in
   their order: ``severity>=warning``.  ``PATH is null`` is ``!PATH``, and ``PATH is not null`` is ``PATH``,
   except for a boolean column: there ``PATH`` is ``PATH=true``, and ``!PATH`` is ``PATH=false``.
2. Conditions are joined by ``or``, ``and`` and ``not``, from the loosest to the tightest, and by parentheses.
3. A value ends before ``or`` and ``and`` if a condition follows, before a parenthesis that it does not open,
   and otherwise at the end.  A value in quotation marks ends with them; in it, a mark is doubled.
4. A condition on a list, or on a field in a list, holds if it holds for one of the elements; a list without
   elements is absent.  A condition on an absent field does not hold, and neither does its negation.
5. A value of a column that has few values, such as a state, has to be one of them; case does not matter.
"""

from __future__ import annotations

import datetime as dt
import decimal
import ipaddress
import re
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.answers.deliveries.fates import PROOFS
from msmq_wire.captures.answers.deliveries.reasons import STATES
from msmq_wire.captures.answers.purposes import ORDER, OUTCOMES, PURPOSES
from msmq_wire.captures.answers.usage import MODES
from msmq_wire.captures.findings.patterns import PATTERNS, SEVERITIES
from msmq_wire.captures.rows.channels import REMOTE_READ
from msmq_wire.packets.kinds import Packet
from msmq_wire.values.enumerations import MESSAGE_CLASS_VALUES
from msmq_wire.values.guid import GUID

from .outcome import OptionError
from .rows import ADDRESSES, column_at, kind_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Test = Callable[[pa.RecordBatch], Any]

_COMPARE: Final[dict[str, Callable[..., Any]]] = {
    "=": pc.equal,
    "==": pc.equal,
    "!=": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}
_ORDERED: Final[dict[str, Sequence[str]]] = {"severity": SEVERITIES}
"""Columns of words that are compared by their order, from the least on."""
_CLASS: Final = "MQMSG_CLASS_"
_CLASSES: Final = tuple(value.name for value in MESSAGE_CLASS_VALUES)
WORDS: Final[dict[str, Sequence[str]]] = {
    "transport": ("tcp", "udp", "raw"),
    "direction": ("->", "<-"),
    "channel": ("session", REMOTE_READ),
    "type": (*(kind.__name__ for kind in get_args(Packet)), "PingPacket"),
    "message_class": _CLASSES,
    "id": tuple(pattern.id for pattern in PATTERNS),
    "purpose": PURPOSES,
    "state": tuple(STATES),
    "class": (*OUTCOMES, ORDER),
    "final_class": _CLASSES,
    "mode": MODES,
    "acknowledgments.class": tuple(OUTCOMES),
    "proof.what": tuple(dict.fromkeys(PROOFS)),
}
"""Columns of few words, all of which are known."""
_COUNTED: Final = {"states": "state"}
"""Columns of counts by the words of others."""
_NUMBERED: Final = frozenset({"message_class", "final_class", "class", "acknowledgments.class"})
"""Those that have a number instead of an unknown word."""
_PATH: Final = re.compile(r"\s*([\w.]+)")
_OPERATOR: Final = re.compile(r"\s*(!=|==|=|!~|~|>=|<=|>|<)\s*")
_WORD: Final = re.compile(r"\s*(not\s+in|not\s+like|in|like)(?=[\s('\"])\s*", re.IGNORECASE)
_JOINED: Final = re.compile(r"\s+(or|and)(?=[\s(!])", re.IGNORECASE)
_NOT: Final = re.compile(r"\s*not(?=[\s(])", re.IGNORECASE)
_QUOTED: Final = re.compile(
    r"""\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)')(?=\s*(?:$|[),])|\s+(?:or|and)\b)""", re.IGNORECASE
)
_NULL: Final = re.compile(r"\s+is(\s+not)?\s+null(?=\s*(?:$|\))|\s+(?:or|and)\b)", re.IGNORECASE)
_BEGINS: Final = re.compile(
    r"\s*(?:[!(]|not[\s(]"
    r"|[\w.]+(?:\s*(?:[=<>~]|!=|!~)|\s+(?:in|like|not|is(?:\s+not)?\s+null)\b))",
    re.IGNORECASE,
)
_DEEPEST: Final = 64


class Where:
    """Conditions that all hold.

    Args:
        conditions: Their texts.
        schema: The columns of the table.

    Raises:
        OptionError: A condition is invalid.
    """

    def __init__(self, conditions: Sequence[str], schema: pa.Schema) -> None:
        self._tests = [_Parser(text, schema).parsed() for text in conditions]

    def filter(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows for which all conditions hold."""
        for test in self._tests:
            batch = batch.filter(pc.fill_null(test(batch), False))
        return batch


class _Parser:
    """Reads one condition, by recursive descent."""

    def __init__(self, text: str, schema: pa.Schema) -> None:
        self._text = text
        self._schema = schema
        self._at = 0
        self._depth = 0

    def parsed(self) -> Test:
        """Return the test of the whole text."""
        test = self._any()
        if self._text[self._at :].strip():
            raise self._wrong()
        return test

    def _wrong(self) -> OptionError:
        return OptionError(
            f"expected a condition such as 'type=UserMessage' or 'label~order', got {self._text!r}"
        )

    def _takes(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _joins(self, word: str) -> bool:
        match = _JOINED.match(self._text, self._at)
        if match is None or match[1].lower() != word:
            return False
        self._at = match.end()
        return True

    def _any(self) -> Test:
        tests = [self._all()]
        while self._joins("or"):
            tests.append(self._all())
        return _together(tests, pc.or_kleene)

    def _all(self) -> Test:
        tests = [self._one()]
        while self._joins("and"):
            tests.append(self._one())
        return _together(tests, pc.and_kleene)

    def _one(self) -> Test:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise OptionError(f"expected at most {_DEEPEST} nested conditions, got {self._text!r}")
        try:
            if self._takes(_NOT):
                inner = self._one()
                return lambda batch: pc.invert(inner(batch))
            if self._takes(re.compile(r"\s*\(")):
                inner = self._any()
                if not self._takes(re.compile(r"\s*\)")):
                    raise OptionError(f"expected ) at the end of a parenthesis, got {self._text!r}")
                return inner
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> Test:
        absent = self._takes(re.compile(r"\s*!")) is not None
        path = self._takes(_PATH)
        if path is None:
            raise self._wrong()
        name = path[1]
        column, _, key = name.partition(".")
        if key and column in _COUNTED and column in self._schema.names:
            _word(WORDS[_COUNTED[column]], key, column)
        null = None if absent else self._takes(_NULL)
        operator = None if absent or null else self._takes(_OPERATOR) or self._takes(_WORD)
        if operator is None:
            if self._text[self._at :].strip() and not re.match(
                r"\s*\)|\s+(?:or|and)\b", self._text[self._at :]
            ):
                raise self._wrong()
            is_flag = pa.types.is_boolean(kind_at(self._schema, name))
            if is_flag and null is None:
                return lambda batch: pc.equal(column_at(batch, name), not absent)
            absent = absent or (null is not None and null[1] is None)
            return lambda batch: _is_present(column_at(batch, name), absent=absent)
        kind = kind_at(self._schema, name)
        while pa.types.is_list(kind):
            kind = kind.value_type
        test = self._on_values(kind, " ".join(operator[1].lower().split()), name)
        return lambda batch: _any_element(column_at(batch, name), test)

    def _on_values(self, kind: pa.DataType, operator: str, path: str) -> Callable[[Any], Any]:
        word = operator.removeprefix("not ")
        test: Callable[[Any], Any]
        if word == "in":
            values = self._list()
            tests = [_on_values(kind, "=", value, path) for value in values]
            test = lambda column: reduce(pc.or_kleene, (matches(column) for matches in tests))  # noqa: E731  # one of two
        else:
            test = _on_values(kind, word, self._value(), path)
        return (lambda column: pc.invert(test(column))) if operator.startswith("not ") else test

    def _list(self) -> list[str]:
        """Return the values of a list in parentheses."""
        if not self._takes(re.compile(r"\s*\(")):
            raise self._wrong()
        values = []
        while True:
            match = self._takes(_QUOTED) or self._takes(re.compile(r"\s*([^,)]*?)\s*(?=[,)])"))
            if match is None:
                raise self._wrong()
            values.append(_unquoted(match))
            if self._takes(re.compile(r"\s*\)")):
                return values
            self._takes(re.compile(r"\s*,"))

    def _value(self) -> str:
        """Return the value of a comparison."""
        match = self._takes(_QUOTED)
        if match is not None:
            return _unquoted(match)
        text, start, open_ = self._text, self._at, 0
        if text[start:].lstrip()[:1] in {"'", '"'}:
            raise OptionError(
                f"expected a value that ends with its quotation mark, got {text[start:].strip()!r}"
            )
        while self._at < len(text):
            if text[self._at] == "(":
                open_ += 1
            elif text[self._at] == ")":
                if not open_ and self._depth > 1:
                    break
                open_ -= 1
            elif (joined := _JOINED.match(text, self._at)) and self._begins(joined.end()):
                break
            self._at += 1
        return text[start : self._at].strip()

    def _begins(self, at: int) -> bool:
        """Return whether a condition begins at a place: with an operator, or with a field."""
        if _BEGINS.match(self._text, at):
            return True
        path = _PATH.match(self._text, at)
        try:
            return path is not None and kind_at(self._schema, path[1]) is not None
        except OptionError:
            return False


def _unquoted(match: re.Match[str]) -> str:
    """Return the value of a match that may be in quotation marks."""
    if match.re is not _QUOTED:
        return match[1]
    return match[2].replace("''", "'") if match[1] is None else match[1].replace('""', '"')


def _together(tests: list[Test], join: Callable[..., Any]) -> Test:
    if len(tests) == 1:
        return tests[0]
    return lambda batch: reduce(join, (test(batch) for test in tests))


def _any_element(column: Any, test: Callable[[Any], Any]) -> Any:
    """Return for which values, or for one of the elements of which lists, a test holds."""
    if not pa.types.is_list(column.type):
        return test(column)
    holds = np.zeros(len(column), np.bool_)
    parents = pc.list_parent_indices(column)
    inner = _any_element(pc.list_flatten(column), test)
    holds[parents.filter(pc.fill_null(inner, False)).to_numpy()] = True
    return pa.array(holds)


def _is_present(column: Any, *, absent: bool) -> Any:
    present = _any_element(column, pc.is_valid)
    return pc.invert(present) if absent else present


def _on_values(kind: pa.DataType, operator: str, value: str, path: str) -> Callable[[Any], Any]:
    if operator in {"~", "!~"}:
        if not pa.types.is_string(kind):
            raise OptionError(f"{path} is not text, but {operator} searches in text")
        pattern, absent = value, operator == "!~"
        try:
            pc.match_substring_regex(pa.array([""]), pattern)
        except pa.ArrowInvalid as error:
            raise OptionError(f"{value!r} is not a regular expression: {error}") from None

        def look(column: Any) -> Any:
            mask = pc.match_substring_regex(column, pattern, ignore_case=True)
            return pc.invert(mask) if absent else mask

        return look
    if operator == "like":
        if not pa.types.is_string(kind):
            raise OptionError(f"{path} is not text, but like compares text")
        return lambda column: pc.match_like(column, value)
    is_equality = operator in {"=", "==", "!="}
    if path in ADDRESSES and is_equality:
        if "/" in value:
            return _in_network(value, operator)
        value = _address(value, path)
    if path in _ORDERED:
        return _by_rank(_ORDERED[path], operator, value, path)
    if path in WORDS and is_equality and not (path in _NUMBERED and value.isdigit()):
        value = _word(WORDS[path], value, path)
    wanted = _value(kind, value, path)
    return lambda column: _COMPARE[operator](column, wanted)


def _by_rank(words: Sequence[str], operator: str, value: str, path: str) -> Callable[[Any], Any]:
    """Create a test of words that have an order.

    Raises:
        OptionError: The value is not one of the words.
    """
    rank = words.index(_word(words, value, path))
    order = pa.array(words)
    return lambda column: _COMPARE[operator](pc.index_in(column, order), rank)


def _word(words: Sequence[str], value: str, path: str) -> str:
    """Return the word that equals a text, in any case, and without the prefix of classes.

    Raises:
        OptionError: The text is not one of the words.
    """
    wanted = value.lower()
    for word in words:
        if wanted in {word.lower(), word.removeprefix(_CLASS).lower()}:
            return word
    raise OptionError(f"expected {', '.join(words[:-1])} or {words[-1]} for {path}, got {value!r}")


def _address(text: str, path: str) -> str:
    """Return an address as the columns have it.

    Raises:
        OptionError: The text is not an address.
    """
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise OptionError(f"expected an address or a network for {path}, got {text!r}") from None


def _in_network(text: str, operator: str) -> Callable[[Any], Any]:
    """Create a test whether addresses are, or are not, in a network.

    Raises:
        OptionError: The text is not a network.
    """
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise OptionError(f"expected a network such as 10.0.0.0/8, got {text!r}") from None
    inside: dict[str | None, bool | None] = {None: None}

    def look(column: Any) -> Any:
        for address in column.unique().to_pylist():
            if address not in inside:
                inside[address] = (ipaddress.ip_address(address) in network) == (operator != "!=")
        return pa.array([inside[address] for address in column.to_pylist()], pa.bool_())

    return look


def _value(kind: pa.DataType, text: str, path: str) -> pa.Scalar:
    """Convert a text to a value of a column.

    Raises:
        OptionError: The text is not a value of the column.
    """
    try:
        if pa.types.is_boolean(kind):
            return pa.scalar({"true": True, "1": True, "false": False, "0": False}[text.lower()])
        if pa.types.is_integer(kind):
            return pa.scalar(int(text, 0), pa.int64() if kind.bit_width < 64 else kind)
        if pa.types.is_decimal(kind):
            return pa.scalar(decimal.Decimal(int(text, 0)), kind)
        if pa.types.is_timestamp(kind):
            time = dt.datetime.fromisoformat(text)
            return pa.scalar(time if time.tzinfo else time.replace(tzinfo=dt.UTC), kind)
        if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
            guid = text.count("-") == 4
            return pa.scalar(GUID.of(text).bytes_le if guid else bytes.fromhex(text), kind)
        if pa.types.is_string(kind):
            return pa.scalar(text, kind)
    except (ValueError, KeyError, OverflowError, pa.ArrowException):
        raise OptionError(f"expected {_description(kind)} for {path}, got {text!r}") from None
    if pa.types.is_map(kind):
        raise OptionError(f"{path} has a value for each key; expected a path such as {path}.KEY")
    raise OptionError(
        f"{path} is a structure; expected one of its fields, such as {path}.{kind.field(0).name}"
    )


def _description(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "true or false"
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return "an integer"
    return (
        "a time such as 2024-05-31T22:13:20"
        if pa.types.is_timestamp(kind)
        else "hexadecimal digits or a GUID"
    )
