"""One Spark session for all tests that need one, which serves Spark Connect too; without Java they fail."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support_spark import SOCKETS

from msmq_wire.spark._java import complaint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

HOOKS = Path(__file__).parent / "hooks"
QUIET = """
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n
"""
JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""Options with which Java starts fast: its own classes and those of Spark need no verification."""
FEW_ROWS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
}
"""Settings without compilation of queries, which takes longer than a query over the few rows of a test."""
OPTIONS = {
    **SOCKETS,
    **FEW_ROWS,
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """The session; tests leave it as they found it."""
    trouble = complaint()
    if trouble:
        pytest.fail(trouble)
    from pyspark.sql import SparkSession  # noqa: PLC0415  # not before Java is known to be there

    directory = tmp_path_factory.mktemp("spark")
    wrong = directory / "python3"  # the interpreter of workers for which nobody names another one
    wrong.write_text("#!/bin/sh\necho the wrong python >&2\nexit 1\n")
    wrong.chmod(0o755)
    (directory / "log4j2.properties").write_text(QUIET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_CONF_DIR", str(directory))
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", str(HOOKS), prepend=os.pathsep)
        builder = SparkSession.builder.master("local[2]").appName("msmq_wire tests")
        settings = {
            **OPTIONS,
            "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": "0",
            "spark.sql.warehouse.dir": str(directory / "warehouse"),
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        with patch.context() as for_java:
            for_java.setenv("PATH", str(directory), prepend=os.pathsep)
            session = builder.getOrCreate()
        yield session
        session.stop()


@contextmanager
def usual_settings(spark: SparkSession) -> Iterator[SparkSession]:
    """The session, with the settings that Spark has by itself in place of `FEW_ROWS`."""
    for name in FEW_ROWS:
        spark.conf.unset(name)
    assert spark.conf.get("spark.sql.adaptive.enabled") == "true"
    yield spark
    for name, value in FEW_ROWS.items():
        spark.conf.set(name, value)


@pytest.fixture
def usual(spark: SparkSession) -> Iterator[SparkSession]:
    """The session with `usual_settings`."""
    with usual_settings(spark):
        yield spark


@pytest.fixture(scope="session")
def server(spark: SparkSession) -> str:
    """Where clients of Spark Connect reach the session's server."""
    java: Any = spark.sparkContext._jvm
    service = getattr(java, "org.apache.spark.sql.connect.service.SparkConnectService$")
    return f"sc://127.0.0.1:{getattr(service, 'MODULE$').localPort()}"
