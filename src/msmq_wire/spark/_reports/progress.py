"""The progress of a running Spark job, by its tasks."""

from __future__ import annotations

import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

EVERY: Final = 10.0
"""Seconds between two lines."""
_GROUP: Final = "spark.jobGroup.id"
_BAR: Final = "spark.ui.showConsoleProgress"


@contextmanager
def tasks_told(spark: SparkSession, name: str, tell: Callable[[str], None]) -> Iterator[None]:
    """Report the tasks of the jobs that this thread starts, every few seconds.

    Nothing is reported where Spark shows its own bar, and through Spark Connect, which does not know tasks.

    Args:
        spark: The session.
        name: The name of the work, for the lines.
        tell: A function that is called with lines, from another thread.
    """
    context: Any = getattr(spark, "sparkContext", None)
    if context is None or spark.conf.get(_BAR, "false") == "true":
        yield
        return
    given = context.getLocalProperty(_GROUP)
    group = given or f"msmq_wire {name} {time.monotonic_ns()}"
    context.setLocalProperty(_GROUP, group)
    ended = Event()
    note_until = Thread(target=_watch, args=(context.statusTracker(), group, name, tell, ended), daemon=True)
    note_until.start()
    try:
        yield
    finally:
        ended.set()
        note_until.join()
        context.setLocalProperty(_GROUP, given)


def _watch(tracker: Any, group: str, name: str, tell: Callable[[str], None], ended: Event) -> None:
    begun: dict[int, float] = {}
    while not ended.wait(EVERY):
        now = time.monotonic()
        for stage in _running(tracker, group):
            seconds = now - begun.setdefault(stage.stageId, now - EVERY)
            done, tasks = stage.numCompletedTasks, stage.numTasks
            left = f", about {seconds / done * (tasks - done):.0f} s left" if done else ""
            tell(f"{name}: {done:,} of {tasks:,} tasks of stage {stage.stageId}{left}")


def _running(tracker: Any, group: str) -> Iterator[Any]:
    for number in tracker.getJobIdsForGroup(group):
        job = tracker.getJobInfo(number)
        for stage_id in () if job is None or job.status != "RUNNING" else sorted(job.stageIds):
            stage = tracker.getStageInfo(stage_id)
            if stage is not None and stage.numActiveTasks:
                yield stage
