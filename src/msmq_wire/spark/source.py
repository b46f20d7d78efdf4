"""`format("msmq")`: capture files as a source of Spark, to read once or as a stream.

1. A task reads parts of files and yields Arrow batches; the driver only finds files, and cuts large ones.
2. Damage in a file is a row with an error.  A file that cannot be reached is an error of the task, which
   Spark tries again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from msmq_wire.captures.files.segments import SEGMENTS
from msmq_wire.captures.files.sources import files_of, shown
from msmq_wire.captures.files.splits import parts_of, shared
from msmq_wire.values.errors import MsmqWireError

from ._inputs.columns import Columns, Task
from ._inputs.filters import Filters
from ._inputs.options import settings_of
from ._inputs.stream import CaptureStreamReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql.datasource import Filter
    from pyspark.sql.types import StructType

    from ._inputs.options import Settings

__all__ = ["MsmqDataSource"]


class MsmqDataSource(DataSource):
    """Capture files as rows of `SEGMENTS`: TCP segments, UDP datagrams, and what could not be read.

    >>> spark.dataSource.register(MsmqDataSource)
    >>> segments = spark.read.format("msmq").load("captures/")

    Options, whose names may be written in upper or lower case:

    - ``path``: a file, a directory or a pattern; a path or an address that pyarrow knows.
    - ``format``: ``auto`` (the usual), ``pcap``, ``pcapng`` or ``packets``, the last for MSMQ packets one
      behind the other without a capture around them.  Files packed with gzip are unpacked in any case.
    - ``tcpPorts``, ``udpPorts``: ports of which one has to be at either end, separated by commas, or
      ``any``; 1801 and 3527 if not given ([MS-MQQB] 2.1).
    - ``linkTypes``: the link types to read, by number, or ``any``.
    - ``maxFrame``: how many bytes a frame can have; what claims more is damaged.  262144 if not given.
    - ``bytesPerPartition``: how many bytes a task reads of files that can be cut; 128 MiB if not given.
    - ``minPartitions``: into how many tasks inputs are divided that are smaller than that; twice the
      processors of the driver if not given.
    - ``recursiveFileLookup``: whether directories within directories are read; true if not given.
    - ``pathGlobFilter``: a pattern for the names of files in directories.
    - ``access``: ``own``, as this source always opens files itself; `Pipeline` knows ``spark`` too.
    - ``pushdown``: whether filters on file, frame, time, transport, addresses and ports are applied while
      files are read; false if not given.  With it, Spark asks for the setting
      ``spark.sql.python.filterPushdown.enabled``.
    - ``maxFilesPerTrigger``, ``maxBytesPerTrigger``: how much a micro-batch of a stream takes.

    Raises:
        MsmqWireError: An option cannot be understood.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))
        given = {name.lower(): value for name, value in options.items()}
        if given.get("access", "own").lower() != "own":
            raise MsmqWireError("the format msmq opens files itself; access is an option of Pipeline")
        self._settings = settings_of(options)

    @classmethod
    def name(cls) -> str:
        """The name that goes into ``format``."""
        return "msmq"

    def schema(self) -> StructType:
        """The columns of `SEGMENTS`."""
        return from_arrow_schema(SEGMENTS)

    def reader(self, schema: StructType) -> CaptureReader:
        """What reads the files once.

        Args:
            schema: The columns to read: any of `SEGMENTS`, in any order.
        """
        kind = FilteringReader if self._settings.pushdown else CaptureReader
        return kind(self._settings, schema)

    def streamReader(self, schema: StructType) -> CaptureStreamReader:  # Spark's name
        """What reads the files as they come and grow; see `reader`."""
        return CaptureStreamReader(self._settings, schema)


class CaptureReader(DataSourceReader):
    """Reads capture files once."""

    def __init__(self, settings: Settings, schema: StructType) -> None:
        self._columns = Columns(settings, schema)

    def partitions(self) -> list[InputPartition]:
        """Find the files and divide them among tasks."""
        settings = self._columns.settings
        files = files_of(settings.places, names=settings.names, recursive=settings.recursive)
        files = [file for file in files if self._columns.filters.file(shown(file.place))]
        target = settings.target(sum(file.size for file in files))
        parts = parts_of(files, settings.form, settings.limits.most, target)
        return [Task(several) for several in shared(parts, target)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task, in the order of its files."""
        return self._columns.batches(partition)  # type: ignore[arg-type]  # it is one of ours


class FilteringReader(CaptureReader):
    """Reads capture files once, without rows that filters leave out; Spark refuses it if it pushes none."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # Spark's name
        """Take filters; all of them are applied again."""
        self._columns.filters = Filters(filters)
        return filters
