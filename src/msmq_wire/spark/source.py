"""`format("msmq")`: capture files as a Spark data source, for batch and streaming reads.

1. A task reads parts of files and yields Arrow batches; the driver only finds files and divides large ones.
2. Damage in a file is a row with an error.  A file that cannot be opened fails the task, which Spark retries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
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
from ._python import share_interpreter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql.datasource import Filter
    from pyspark.sql.types import StructType

    from ._inputs.options import Settings


class MsmqDataSource(DataSource):
    """Capture files as rows of `SEGMENTS`: TCP segments, UDP datagrams, and unreadable parts.

    >>> spark.dataSource.register(MsmqDataSource)
    >>> segments = spark.read.format("msmq").load("captures/")

    Registered with a local session, it makes the workers run the interpreter of the program, as `register`
    does.  Elsewhere, and where Spark finds the format by itself, the workers need an interpreter that has
    `msmq_wire`: the variable ``PYSPARK_PYTHON`` names it.

    The names of options are case-insensitive:

    - ``path``: a file, a directory or a pattern; a path or a URL that pyarrow supports.
    - ``format``: ``auto`` (the default), ``pcap``, ``pcapng`` or ``packets``, the last for MSMQ packets back
      to back.  Compressed files are always decompressed.
    - ``tcpPorts``, ``udpPorts``: ports separated by commas, one of which an endpoint has to have, or ``any``;
      the defaults are 1801 and 3527 ([MS-MQQB] 2.1).
    - ``linkTypes``: the link types to read, by number, or ``any``.
    - ``maxFrame``: the maximum size of a frame in bytes; larger frames are damage.  The default is 262144.
    - ``bytesPerPartition``: the bytes that a task reads of divisible files; the default is 128 MiB.
    - ``minPartitions``: the number of tasks for smaller inputs; the default is twice the number of processors
      of the driver.
    - ``recursiveFileLookup``: whether subdirectories are read; the default is true.
    - ``pathGlobFilter``: a pattern for the names of files in directories.
    - ``access``: ``own``, because this source always opens files itself; `Pipeline` supports ``spark`` too.
    - ``pushdown``: whether filters on file, frame, time, transport, addresses and ports are applied while
      files are read; the default is false.  It requires the setting
      ``spark.sql.python.filterPushdown.enabled``.
    - ``maxFilesPerTrigger``, ``maxBytesPerTrigger``: the maximum size of a micro-batch of a stream.

    Raises:
        MsmqWireError: An option is invalid.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(dict(options))
        given = {name.lower(): value for name, value in options.items()}
        if given.get("access", "own").lower() != "own":
            raise MsmqWireError("the format msmq opens files itself; access is an option of Pipeline")
        self._settings = settings_of(options)

    @classmethod
    def name(cls) -> str:
        """The name that goes into ``format``.

        Spark asks for it to register the source, before it notes the interpreter of its workers.
        """
        share_interpreter(SparkSession.getActiveSession())
        return "msmq"

    def schema(self) -> StructType:
        """The columns of `SEGMENTS`."""
        return from_arrow_schema(SEGMENTS)

    def reader(self, schema: StructType) -> CaptureReader:
        """Create the batch reader.

        Args:
            schema: The columns to read: any of `SEGMENTS`, in any order.
        """
        kind = FilteringReader if self._settings.pushdown else CaptureReader
        return kind(self._settings, schema)

    def streamReader(self, schema: StructType) -> CaptureStreamReader:  # Spark's name
        """Create the reader for new and growing files; see `reader`."""
        return CaptureStreamReader(self._settings, schema)


class CaptureReader(DataSourceReader):
    """Reads capture files once."""

    def __init__(self, settings: Settings, schema: StructType) -> None:
        self._columns = Columns(settings, schema)

    def partitions(self) -> list[InputPartition]:
        """Find the files and divide them among tasks."""
        settings = self._columns.settings
        files = files_of(settings.locations, names=settings.names, recursive=settings.recursive)
        files = [file for file in files if self._columns.filters.file(shown(file.location))]
        target = settings.target(sum(file.size for file in files))
        parts = parts_of(files, settings.form, settings.limits.most, target)
        return [Task(several) for several in shared(parts, target)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a task, in the order of its files."""
        # Spark passes a task of this source.
        return self._columns.batches(partition)  # type: ignore[arg-type]


class FilteringReader(CaptureReader):
    """Reads capture files once, with filters; Spark rejects this reader if it accepts no filters."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # Spark's name
        """Take filters; Spark applies all of them again."""
        self._columns.filters = Filters(filters)
        return filters
