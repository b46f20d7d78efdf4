"""Functions for columns of bytes, in DataFrames and in SQL.

1. Each function processes whole Arrow batches; there is no call for each row.
2. The contents of the bytes raise no exceptions: a null gives a null, and invalid bytes give an error value.
   For truncated or damaged bytes, `decode_packets` has the fields that could be decoded.  A column of another
   type, or a level or channel that does not exist, raises `MsmqWireError`.
3. They are plain DataFrame functions, so that they work through Spark Connect too.  The workers need
   `msmq_wire` on their Python path; those on one machine run the interpreter of the program.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # the usual name
from pyspark.sql.pandas.functions import arrow_udf
from pyspark.sql.pandas.types import from_arrow_type

from msmq_wire import arrow
from msmq_wire.captures.rows.packets import VIOLATION, violation_row
from msmq_wire.checks import validation
from msmq_wire.checks.rules import CHANNELS, LEVELS
from msmq_wire.packets.kinds import record_of
from msmq_wire.values.errors import MsmqWireError, need_one_of
from msmq_wire.views import explanation

from ._python import share_interpreter

if TYPE_CHECKING:
    from collections.abc import Collection

    from pyspark.sql import Column

_VIOLATIONS: Final = pa.list_(VIOLATION)


def _decode_packets(data: pa.Array) -> pa.Array:
    return arrow.decode_packets(_of_bytes(data), spark=True, text="utf8")


def _decode_directory(data: pa.Array) -> pa.Array:
    return arrow.decode_directory(_of_bytes(data), spark=True, text="utf8")


def _decode_messages(data: pa.Array) -> pa.Array:
    return arrow.decode_messages(_of_bytes(data))


def _validate(data: pa.Array, level: pa.Array = None, channel: pa.Array = None) -> pa.Array:
    count = len(data)
    levels = _names("level", level, LEVELS) or ["must"] * count
    channels = _names("channel", channel, CHANNELS) or ["session"] * count
    each = zip(_of_bytes(data).to_pylist(), levels, channels, strict=True)
    return pa.array([_violations(*packet) for packet in each], _VIOLATIONS)


def _violations(data: bytes | None, level: Any, channel: Any) -> list[dict[str, Any]] | None:
    """Return the violations of a packet; null for a null, and for bytes that are not a packet."""
    if data is None or level is None or channel is None:
        return None
    try:
        violations = validation.validate(record_of(data), level, channel=channel)
    except MsmqWireError:
        return None
    return [violation_row(violation) for violation in violations]


def _explain(data: pa.Array) -> pa.Array:
    lines = (
        None if packet is None else explanation.explain(packet) for packet in _of_bytes(data).to_pylist()
    )
    return pa.array([text and text.encode("utf-8", "replace") for text in lines], pa.string())


def _of_bytes(data: pa.Array) -> pa.Array:
    """Return a column of bytes; the type of ``NULL`` in SQL is void.

    Raises:
        MsmqWireError: It is a column of another type.
    """
    if pa.types.is_null(data.type):
        return data.cast(pa.binary())
    if not (pa.types.is_binary(data.type) or pa.types.is_large_binary(data.type)):
        raise MsmqWireError(
            f"expected a column of the type binary, found {from_arrow_type(data.type).simpleString()}"
        )
    return data


def _names(name: str, values: pa.Array | None, allowed: Collection[str]) -> list[str | None] | None:
    """Return the levels or channels of rows.

    Raises:
        MsmqWireError: One of them does not exist.
    """
    if values is None:
        return None
    for text in pc.unique(values).to_pylist():
        if text is not None:
            need_one_of(name, text, allowed)
    names: list[str | None] = values.to_pylist()
    return names


_FUNCTIONS: Final = {
    "decode_packets": (_decode_packets, arrow.packet_type(spark=True, text="utf8")),
    "decode_directory": (_decode_directory, arrow.directory_type(spark=True, text="utf8")),
    "decode_messages": (_decode_messages, arrow.message_type()),
    "validate": (_validate, _VIOLATIONS),
    "explain": (_explain, pa.string()),
}


def _udf(name: str) -> Any:
    """Return the Spark function; created for each call, because it depends on the kind of session."""
    function, returns = _FUNCTIONS[name]
    # Spark evaluates the annotations as types, so they must not be strings.
    function.__annotations__ = dict.fromkeys([*signature(function).parameters, "return"], pa.Array)
    function.__name__ = name  # which columns are named after
    udf: Any = arrow_udf  # its type requires the kind of function, but passing it causes a warning
    return udf(function, from_arrow_type(returns))


def decode_packets(data: Column | str) -> Column:
    """Decode packets: a struct of headers, with `kind`, and with `error` for invalid bytes."""
    return _call("decode_packets", data)


def decode_directory(data: Column | str) -> Column:
    """Decode replication messages ([MC-MQDSRP] 2.2.6): a struct with `kind`, and with `error`."""
    return _call("decode_directory", data)


def decode_messages(data: Column | str) -> Column:
    """Interpret messages: a struct of the columns of `msmq_wire.arrow.message_type`, or an `error`."""
    return _call("decode_messages", data)


def validate(data: Column | str, level: Column | str = "must", channel: Column | str = "session") -> Column:
    """List the requirements that a packet or a Ping violates; null for other bytes.

    Args:
        data: The packets.
        level: As for `msmq_wire.validate`, or a column of levels.
        channel: As for `msmq_wire.validate`, or a column of channels.
    """
    return _call(
        "validate",
        data,
        *(F.lit(argument) if isinstance(argument, str) else argument for argument in (level, channel)),
    )


def explain(data: Column | str) -> Column:
    """Explain bytes field by field, as lines of text."""
    return _call("explain", data)


def _call(name: str, *columns: Column | str) -> Column:
    share_interpreter(SparkSession.getActiveSession())
    called: Column = _udf(name)(*columns)
    return called


def register(spark: SparkSession) -> None:
    """Register the source ``msmq`` and the functions with a session, for SQL too.

    Args:
        spark: The session, also of Spark Connect.
    """
    from .source import MsmqDataSource  # noqa: PLC0415  # the functions do without

    share_interpreter(spark)
    spark.dataSource.register(MsmqDataSource)
    for name in _FUNCTIONS:
        spark.udf.register(name, _udf(name))
