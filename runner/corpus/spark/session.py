"""A Spark session that prints nothing on the terminal, and is closed whatever happens."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.extras import install_hint
from runner.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA = 17  # what Spark 4 needs
_INSTALL = install_hint("spark")
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
    with tempfile.TemporaryFile() as said, _own_interrupts(), _py4j_silent():
        try:
            yield _start(master, settings, said)
        finally:
            _stop()


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
        with _interrupts_held():
            # Java gets its standard error at once: it warns long before a level of logging can be set
            gateway = launch_gateway(conf, {"stderr": said})
            SparkContext._ensure_initialized(gateway=gateway, conf=conf)
        return SparkSession(SparkContext(gateway=gateway, conf=conf))
    except (PySparkException, Py4JError, OSError) as error:
        raise InputError(diagnostic("FICT795", reason=_why(error, said))) from error


@contextmanager
def _own_interrupts() -> Iterator[None]:
    """Put back the handler of Ctrl-C that PySpark replaces, and that would ask a session that has ended."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def _py4j_silent() -> Iterator[None]:
    """Drop what py4j writes to the root logger, with a traceback, about errors that it raises as well."""

    def of_others(record: logging.LogRecord) -> bool:
        return Path(record.pathname).parent.name != "py4j"

    root = logging.getLogger()
    root.addFilter(of_others)
    try:
        yield
    finally:
        root.removeFilter(of_others)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let the first Ctrl-C wait for the end of the block: PySpark forgets a Java process that it is starting."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []

    def hold(number: int, frame: object) -> None:  # noqa: ARG001
        if held:
            raise KeyboardInterrupt
        held.append(number)

    before = signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


def _stop() -> None:
    """Stop the session and end Java, so that the next session may have other settings; Java may have died."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway = SparkContext._gateway
    if gateway is None:
        return
    with warnings.catch_warnings(), suppress(Py4JError, OSError):
        warnings.simplefilter("ignore", RuntimeWarning)  # that Java has died, which was reported if it mattered
        if SparkContext._active_spark_context is not None:
            SparkContext._active_spark_context.stop()
    with suppress(Py4JError, OSError):
        gateway.shutdown()
    process = gateway.proc
    if process is not None:
        with suppress(OSError):
            process.stdin.close()
        process.wait()
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None


def _why(error: Exception, said: IO[bytes]) -> str:
    from py4j.protocol import Py4JNetworkError

    said.seek(0)
    lines = [line.strip() for line in said.read().decode(errors="replace").splitlines()]
    told = [line for line in lines if re.match(r"(Exception|Error|Caused by|[\w.]+(Exception|Error)):?", line)]
    if told:
        return f"it does not start ({told[-1]})"
    died = isinstance(error, Py4JNetworkError | ConnectionError)
    return f"it does not start ({'its Java process ended' if died else str(error).strip().splitlines()[0]})"
