"""Settings into a Spark session that says nothing on the terminal, and is closed whatever happens."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.extras import how_to_install
from runner.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA = 17  # what Spark 4 needs
_INSTALL = how_to_install("spark")
_QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_ON_ONE_MACHINE = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_MEANT = {"spark.sql.parser.escapedStringLiterals": "false"}  # statements are written for these values


@contextmanager
def session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """A session of a Spark application of its own; `master` None leaves the choice to Spark's own configuration.

    Raises InputError (FICT795) where pyspark or Java is missing, or where Spark does not start.
    """
    if (reason := missing()) is not None:
        raise InputError(diagnostic("FICT795", reason=reason, hint=_INSTALL if "pyspark" in reason else None))
    with tempfile.TemporaryFile() as said:
        made = _start(master, settings, said)
        try:
            yield made
        finally:
            made.stop()
            _end_java()


def missing() -> str | None:
    """What keeps Spark from running here, if anything does."""
    try:
        import pyspark  # noqa: F401 - whether it is there is all that is asked
    except ImportError as error:
        return f"pyspark is not installed ({error})"
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or shutil.which(java) is None:
        return f"Java {JAVA} is not installed" if not home else f"there is no Java in JAVA_HOME ({home})"
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    if found is None or int(found[1]) < JAVA:
        version = "cannot be read" if found is None else f"is {found[1]}"
        return f"it needs Java {JAVA} or newer, and the version of {java} {version}"
    return None


def _start(master: str | None, settings: Mapping[str, str], said: IO[bytes]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # it prints errors that are raised as well
    os.environ.setdefault("PYSPARK_PYTHON", settings.get("spark.pyspark.python", sys.executable))
    conf = SparkConf(loadDefaults=False)
    local = _ON_ONE_MACHINE if (master or "local").startswith("local") else {}
    for name, value in {"spark.app.name": "fictc", **_QUIET, **local, **settings, **_MEANT}.items():
        conf.set(name, value)
    if master is not None:
        conf.setMaster(master)
    try:
        # the Java process is told at once where to write: it warns long before a level of logging can be set
        gateway = launch_gateway(conf, {"stderr": said})
        context = SparkContext(gateway=gateway, conf=conf)
    except (PySparkException, Py4JError, OSError) as error:
        _end_java()
        raise InputError(diagnostic("FICT795", reason=_why(error, said))) from error
    return SparkSession(context)


def _end_java() -> None:
    """Close the pipe that keeps Java alive, so that the next session may have other settings."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None:
        return
    gateway.shutdown()
    process = gateway.proc
    if process is not None:
        process.stdin.close()
        process.wait()
    SparkContext._gateway = SparkContext._jvm = None


def _why(error: Exception, said: IO[bytes]) -> str:
    said.seek(0)
    lines = [line.strip() for line in said.read().decode(errors="replace").splitlines()]
    told = [line for line in lines if re.match(r"(Exception|Error|Caused by|[\w.]+(Exception|Error)):?", line)]
    return f"it does not start ({told[-1] if told else str(error).strip().splitlines()[0]})"
