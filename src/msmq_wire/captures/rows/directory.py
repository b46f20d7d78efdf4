"""The rows of directory changes, decoded from whole arrays of directory messages."""

from __future__ import annotations

import hashlib
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from msmq_wire.arrow import decode_directory, directory_type
from msmq_wire.arrow.schema import described
from msmq_wire.captures.schemas import plain, schema_of
from msmq_wire.documents import propid
from msmq_wire.documents.layouts import structures
from msmq_wire.values.guid import GUID

from .packets import CARRIED, POSITION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MESSAGE: Final = directory_type(spark=True, text="utf8")
_CHANGE: Final = _MESSAGE.field("DirectoryChange").type
_LISTED: Final = ("PropertyID", "PropertyValue", "NumberOfProperties", "PartitionID")
_FIELDS: Final = [field for field in _CHANGE if field.name not in _LISTED]
_VALUE: Final = _CHANGE.field("PropertyValue").type.value_type
_PASSED: Final = [*POSITION, "server", "carries"]
_IDENTIFIERS: Final = {
    propid.PROPID[name]
    for name in (
        "PROPID_Q_INSTANCE",
        "PROPID_QM_MACHINE_ID",
        "PROPID_S_SITEID",
        "PROPID_CN_GUID",
        "PROPID_E_ID",
        "PROPID_U_ID",
        "PROPID_L_ID",
        "PROPID_D_IDENTIFIER",
    )
}
"""Properties that contain the identifier of the object itself."""

CHANGES: Final = pa.schema(
    [
        *schema_of(
            [
                *CARRIED,
                ("server", pa.string(), "GUID of the queue manager that sent the message."),
                ("carries", pa.string(), "``REPLICATION`` or ``NOTIFICATION``."),
                ("type", pa.string(), "Name of the message's structure."),
                ("site", pa.string(), "GUID of the site of the server; null for a notification."),
                ("index", pa.int32(), "Index of the change in the message, from 0."),
                ("object_class", pa.string(), "Class of the changed object; null if unknown."),
                ("identifier", pa.string(), "GUID of the object, from the change or its properties."),
                ("PartitionID", pa.string(), "GUID of the directory partition of the object."),
            ]
        ),
        *described(_FIELDS, [structures()["DirectoryChange"]]),
        *schema_of(
            [
                (
                    "properties",
                    pa.map_(pa.string(), _VALUE),
                    "The values by name of the property, or its number.",
                ),
                ("path", pa.string(), "`PathName` in lower case; paths are case-insensitive."),
                (
                    "content",
                    pa.string(),
                    "SHA-256 of the contents on which servers have to agree, independent of order.",
                ),
            ]
        ),
    ]
)
"""The columns of changes, before `directory_changes` is made from them."""


def changes() -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the worker that creates rows from the changes in directory messages."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            message = decode_directory(batch.column("body"), spark=True, text="utf8")
            lists = message.field("DirectoryChanges")
            single = message.field("DirectoryChange")
            alone = np.flatnonzero(single.is_valid().to_numpy(zero_copy_only=False))
            parents = np.concatenate([pc.list_parent_indices(lists).to_numpy(), alone])
            change = pa.concat_arrays([pc.list_flatten(lists), single.take(pa.array(alone))])
            passed = batch.select(_PASSED).take(pa.array(parents))
            kinds = pc.if_else(
                pc.equal(passed.column("carries"), "NOTIFICATION"),
                "ChangeNotificationMessage",
                message.field("kind").take(pa.array(parents)),
            )
            site = pc.if_else(pc.equal(batch.column("carries"), "REPLICATION"), _site(message), None)
            columns = [
                *passed.columns,
                kinds,
                pa.array(_texts(site.take(pa.array(parents))), pa.string()),
                pa.array(places_of(parents), pa.int32()),
                pa.array(_classes(change), pa.string()),
                pa.array(_identifiers(change), pa.string()),
                pa.array(_texts(change.field("PartitionID")), pa.string()),
                *(change.field(field.name) for field in _FIELDS),
                _properties(change),
            ]
            columns += _contents(change, columns[-1])
            yield pa.RecordBatch.from_arrays(columns, schema=plain(CHANGES))

    return run


def _site(message: Any) -> Any:
    """Return the site of the sender, whose field depends on the kind of message."""
    nested = ("SyncReplyHeader", "ChangeRequestHeader")
    inner = [pc.struct_field(message, [name, "BaseReplicationHeader", "SiteID"]) for name in nested]
    return pc.coalesce(pc.struct_field(message, ["BaseReplicationHeader", "SiteID"]), *inner)


def places_of(parents: Any) -> list[int]:
    """Return the index of each change in its message; the changes of a message are consecutive."""
    indices: list[int] = []
    before = -1
    for parent in parents.tolist():
        indices.append(indices[-1] + 1 if parent == before else 0)
        before = parent
    return indices


def _classes(change: Any) -> list[str | None]:
    """Return the class of the object of each change."""
    classes = []
    for command, numbers, values in zip(
        change.field("Command").to_pylist(),
        change.field("PropertyID").to_pylist(),
        change.field("PropertyValue").to_pylist(),
        strict=True,
    ):
        second = values[1]["integer"] if len(values) > 1 else None
        object_class = propid.changed_object_class(command, numbers[0], second) if numbers else None
        classes.append(object_class.name if object_class else None)
    return classes


def _texts(guids: Any) -> list[str | None]:
    """Return GUIDs as text."""
    return [None if guid is None else str(GUID(guid)) for guid in guids.to_pylist()]


def _identifiers(change: Any) -> list[str | None]:
    """Return the GUID of the object of each change, from the change or from its properties."""
    identifiers = []
    for identifier, numbers, values in zip(
        _texts(change.field("GuidIdentifier")),
        change.field("PropertyID").to_pylist(),
        change.field("PropertyValue").to_pylist(),
        strict=True,
    ):
        pairs = zip(numbers, values, strict=False)
        guids = [value["guid"] for number, value in pairs if number in _IDENTIFIERS and value["guid"]]
        identifiers.append(identifier or (str(GUID(guids[0])) if guids else None))
    return identifiers


def _contents(change: Any, properties: Any) -> list[Any]:
    """Return paths in lower case, and a hash that is equal for changes with equal contents."""
    paths = [None if path is None else path.lower() for path in change.field("PathName").to_pylist()]
    names = ("Command", "GuidIdentifier", "PreviousSeqNumber")
    rows = zip(
        *(change.field(name).to_pylist() for name in names), paths, properties.to_pylist(), strict=True
    )
    texts = [
        hashlib.sha256(
            repr((*row, sorted(values, key=itemgetter(0)))).encode("utf-8", "surrogatepass")
        ).hexdigest()
        for *row, values in rows
    ]
    return [pa.array(paths, pa.string()), pa.array(texts, pa.string())]


def _properties(change: Any) -> Any:
    """Return the values by name; if a property occurs twice, the first is used."""
    offsets, names, indices = [0], [], []
    index = 0
    for numbers in change.field("PropertyID").to_pylist():
        numbers_before: set[int] = set()
        for number in numbers:
            if number not in numbers_before:
                numbers_before.add(number)
                definition = propid.by_number(number)
                names.append(definition.name if definition else str(number))
                indices.append(index)
            index += 1
        offsets.append(len(names))
    values = pc.list_flatten(change.field("PropertyValue")).take(pa.array(indices, pa.int64()))
    return pa.MapArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(names, pa.string()), values)
