"""The interface of a server's directory, as [MC-MQDSRP] uses it, and a directory in memory.

1. `Directory` is the complete interface: six operations, with an HRESULT if they can fail.
2. An object is found by its GUID, or by its path name if the change has one.
3. Objects that a reset has marked (SeqNumber MIN_SEQ_NUMBER) count as deleted: they are not found, and a new
   object replaces the one with the same name or GUID.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from msmq_wire.definitions.error_codes import NUMBERS
from msmq_wire.documents.directory_objects import Q_SCOPE, carried
from msmq_wire.documents.propid import ObjectClass
from msmq_wire.values.guid import GUID
from msmq_wire.values.properties.values import PropertyValue
from msmq_wire.values.sequence_number import MIN_SEQ_NUMBER, SEQUENCE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MQ_OK = 0
MQ_ERROR = NUMBERS["MQ_ERROR"]
MQ_ERROR_QUEUE_EXISTS = NUMBERS["MQ_ERROR_QUEUE_EXISTS"]
MQDS_OBJECT_NOT_FOUND = 0xC00E050F

_SCOPE_ENTERPRISE = 1


class DirectoryObject(msgspec.Struct, gc=False):
    """One object.

    Attributes:
        ObjectType: One of the seven types of [MC-MQDSRP] 3.1.1.4.
        Identifier: Its GUID.
        PathName: Its path name; None for users and routing links.
        PartitionID: Its partition.
        SeqNumber: Its last change.
        properties: Its properties by PROPID.
    """

    ObjectType: ObjectClass
    Identifier: GUID
    PathName: str | None
    PartitionID: GUID
    SeqNumber: SEQUENCE_NUMBER
    properties: dict[int, PropertyValue]

    def carried(self) -> tuple[tuple[int, ...], tuple[PropertyValue, ...]]:
        """The two arrays of a synchronization of this object, [MC-MQDSRP] 3.2.7.8."""
        numbers, values = zip(*carried(self.ObjectType, self.properties, self.PathName), strict=True)
        return numbers, values


class Directory(Protocol):
    """The interface of a directory; all calls are synchronous.

    The operations return an HRESULT, 0 for success.  An object is named by `path` if that is not None,
    otherwise by `identifier`.
    """

    def create(
        self,
        kind: ObjectClass,
        path: str | None,
        identifier: GUID,
        partition: GUID,
        number: SEQUENCE_NUMBER,
        properties: Mapping[int, PropertyValue],
    ) -> int:
        """Add an object; it replaces one that is marked as deleted."""
        ...

    def update(
        self,
        kind: ObjectClass,
        path: str | None,
        identifier: GUID | None,
        number: SEQUENCE_NUMBER,
        properties: Mapping[int, PropertyValue],
    ) -> int:
        """Set the SeqNumber and some properties of an object; all others are unchanged."""
        ...

    def delete(self, kind: ObjectClass, path: str | None, identifier: GUID | None) -> int:
        """Remove an object."""
        ...

    def read(self, kind: ObjectClass, path: str | None, identifier: GUID | None) -> DirectoryObject | None:
        """The object, or None where there is none (MQDS_OBJECT_NOT_FOUND)."""
        ...

    def lookup(
        self, kind: ObjectClass, partition: GUID, first: SEQUENCE_NUMBER, last: SEQUENCE_NUMBER, scope: int
    ) -> Iterable[DirectoryObject]:
        """The objects of a type in a partition whose SeqNumber is from `first` to `last`.

        A `scope` of 1 omits queues of site scope.
        """
        ...

    def mark(self, partition: GUID) -> int:
        """Reset Directory Partition 1: give every object of a partition SeqNumber MIN_SEQ_NUMBER."""
        ...

    def sweep(self, partition: GUID) -> int:
        """Reset Directory Partition 2: delete the objects of a partition whose SeqNumber is the least."""
        ...


class MemoryDirectory:
    """A `Directory` in memory.

    `lookup` scans all objects of the partition; all other operations take constant time.
    """

    def __init__(self) -> None:
        self._partitions: dict[GUID, dict[tuple[int, GUID], DirectoryObject]] = {}
        self._objects: dict[tuple[int, GUID], DirectoryObject] = {}
        self._paths: dict[tuple[int, str], DirectoryObject] = {}

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[DirectoryObject]:
        return iter(self._objects.values())

    def objects(self, partition: GUID) -> dict[GUID, DirectoryObject]:
        """The objects of a partition by their GUID."""
        return {item.Identifier: item for item in self._partitions.get(partition, {}).values()}

    def read(self, kind: ObjectClass, path: str | None, identifier: GUID | None) -> DirectoryObject | None:
        """The object, or None where there is none or it is marked as deleted."""
        item = None
        if path is not None:
            item = self._paths.get((kind, path))
        elif identifier is not None:
            item = self._objects.get((kind, identifier))
        return None if item is None or item.SeqNumber == MIN_SEQ_NUMBER else item

    def create(
        self,
        kind: ObjectClass,
        path: str | None,
        identifier: GUID,
        partition: GUID,
        number: SEQUENCE_NUMBER,
        properties: Mapping[int, PropertyValue],
    ) -> int:
        """Add an object; it replaces one that is marked as deleted."""
        if (path is not None and self.read(kind, path, None)) or self.read(kind, None, identifier):
            return MQ_ERROR_QUEUE_EXISTS
        same_path = None if path is None else self._paths.get((kind, path))
        for marked in (same_path, self._objects.get((kind, identifier))):
            if marked is not None and self._objects.get((kind, marked.Identifier)) is marked:
                self._drop(marked)
        item = DirectoryObject(kind, identifier, path, partition, number, dict(properties))
        self._objects[kind, identifier] = item
        self._partitions.setdefault(partition, {})[kind, identifier] = item
        if path is not None:
            self._paths[kind, path] = item
        return MQ_OK

    def update(
        self,
        kind: ObjectClass,
        path: str | None,
        identifier: GUID | None,
        number: SEQUENCE_NUMBER,
        properties: Mapping[int, PropertyValue],
    ) -> int:
        """Change some properties of an object."""
        item = self.read(kind, path, identifier)
        if item is None:
            return MQDS_OBJECT_NOT_FOUND
        item.SeqNumber = number
        item.properties.update(properties)
        return MQ_OK

    def delete(self, kind: ObjectClass, path: str | None, identifier: GUID | None) -> int:
        """Remove an object."""
        item = self.read(kind, path, identifier)
        if item is None:
            return MQDS_OBJECT_NOT_FOUND
        self._drop(item)
        return MQ_OK

    def lookup(
        self, kind: ObjectClass, partition: GUID, first: SEQUENCE_NUMBER, last: SEQUENCE_NUMBER, scope: int
    ) -> Iterable[DirectoryObject]:
        """The objects of a type in a partition whose SeqNumber is from `first` to `last`."""
        for item in self._partitions.get(partition, {}).values():
            if item.ObjectType is kind and first <= item.SeqNumber <= last:
                stored_scope = item.properties.get(Q_SCOPE)
                if scope == _SCOPE_ENTERPRISE and stored_scope is not None and stored_scope.value != scope:
                    continue
                yield item

    def mark(self, partition: GUID) -> int:
        """Give every object of a partition SeqNumber MIN_SEQ_NUMBER."""
        for item in self._partitions.get(partition, {}).values():
            item.SeqNumber = MIN_SEQ_NUMBER
        return MQ_OK

    def sweep(self, partition: GUID) -> int:
        """Delete the objects of a partition whose SeqNumber is MIN_SEQ_NUMBER."""
        for item in list(self._partitions.get(partition, {}).values()):
            if item.SeqNumber == MIN_SEQ_NUMBER:
                self._drop(item)
        return MQ_OK

    def _drop(self, item: DirectoryObject) -> None:
        del self._objects[item.ObjectType, item.Identifier]
        del self._partitions[item.PartitionID][item.ObjectType, item.Identifier]
        if item.PathName is not None and self._paths.get((item.ObjectType, item.PathName)) is item:
            del self._paths[item.ObjectType, item.PathName]
