"""The folders of partitions, named as Spark names them."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.captures.writing import OPEN

if TYPE_CHECKING:
    from collections.abc import Iterable

_NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
"""The name of the partition of rows without a value, or with an empty one."""
_ESCAPED: Final = re.compile(
    r"""[\x01-\x1f\x7f"#%'*/:=?\\{\[\]^""" + (" <>|]" if sys.platform == "win32" else "]")
)


def has_texts(kind: pa.DataType) -> bool:
    """Return whether Spark and Arrow have the same texts for the values of a type."""
    types = pa.types
    return any(has(kind) for has in (types.is_string, types.is_integer, types.is_boolean, types.is_date32))


def folders_of(rows: pa.Table, columns: Iterable[str]) -> pa.Array:
    """Return the folder of each row, relative to the table.

    Args:
        rows: The rows.
        columns: Partition columns, of types that have texts.
    """
    names = []
    for column in columns:
        coded = rows.column(column).cast(pa.string()).combine_chunks().dictionary_encode()
        texts = [_folder(column, text) for text in (*coded.dictionary.to_pylist(), None)]
        names.append(pa.array(texts).take(coded.indices.fill_null(len(texts) - 1)))
    return pc.binary_join_element_wise(*names, "/") if names else pa.repeat("", rows.num_rows)


def folder_of_none(columns: Iterable[str]) -> str:
    """Return the folder for the only file of a table without rows."""
    return "/".join(_folder(column, "0" if column == OPEN else None) for column in columns)


def _folder(column: str, text: str | None) -> str:
    value = _ESCAPED.sub(lambda match: f"%{ord(match.group()):02X}", text) if text else _NO_VALUE
    return f"{column}={value}"
