"""Decrypts the bodies of messages while captures are read; the keys are kept in memory only.

1. A message has its session key, encrypted for the receiver.  Each private key is tried until one fits.
2. A body that no key fits stays encrypted, and `problems` reports it.
3. `encrypted` stays true for a decrypted message; the columns of the body describe the decrypted body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from msmq_wire.arrow.bodies import read_body
from msmq_wire.mqmq import UserMessage
from msmq_wire.values.errors import MsmqWireError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msmq_wire.crypto import PrivateKey

_OF_BODIES: Final = ("body", "body_form", "text", "body_types")


class Decrypter:
    """Decrypts the bodies in rows of `messages`."""

    def __init__(self, keys: Sequence[PrivateKey]) -> None:
        self._keys = keys

    def rows(self, rows: pa.RecordBatch, packets: pa.Array) -> pa.RecordBatch:
        """Return rows with the bodies that can be decrypted.

        Args:
            rows: Rows of `messages`, all complete.
            packets: The bytes of their packets.
        """
        from msmq_wire.crypto import decrypted_by  # noqa: PLC0415  # needs an extra, as the keys do

        encrypted = np.flatnonzero(rows.column("encrypted").to_numpy(zero_copy_only=False)).tolist()
        if not encrypted:
            return rows
        columns = {name: rows.column(name).to_pylist() for name in (*_OF_BODIES, "problems")}
        for row in encrypted:
            try:
                message = decrypted_by(self._keys, UserMessage.decode(packets[row].as_py()))
            except MsmqWireError as error:
                problem = f"the body stays encrypted: {error}"
                columns["problems"][row] = [*(columns["problems"][row] or ()), problem]
                continue
            body = message.MessagePropertiesHeader.MessageBody
            meaning = read_body(message.MessagePropertiesHeader.BodyType, body)
            for name, value in zip(_OF_BODIES, (body, *meaning), strict=True):
                columns[name][row] = value
        for name, values in columns.items():
            index = rows.schema.get_field_index(name)
            rows = rows.set_column(
                index, rows.schema.field(index), pa.array(values, rows.schema.field(index).type)
            )
        return rows
