"""Start and stop a Spark session that prints nothing on the terminal."""

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
from fictdsl.installation import install_hint
from runner.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


MIN_JAVA = 17  # required by Spark 4
_INSTALL_HINT = install_hint("spark")
_QUIET_SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_LOCAL_SETTINGS = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_REQUIRED_SETTINGS = {"spark.sql.parser.escapedStringLiterals": "false"}  # required by the generated SQL


@contextmanager
def spark_session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Start a Spark session, and stop it at the end. If `master` is None, Spark's own configuration determines it.

    Raises InputError (FICT795) if pyspark or Java is missing, or if Spark does not start.
    """
    if (reason := missing_requirement()) is not None:
        raise InputError(diagnostic("FICT795", reason=reason, hint=_INSTALL_HINT if "pyspark" in reason else None))
    with tempfile.TemporaryFile() as stderr, _restore_interrupt_handler(), _silence_py4j():
        try:
            yield _start(master, settings, stderr)
        finally:
            _stop()


def missing_requirement() -> str | None:
    try:
        import pyspark  # noqa: F401 - checks only that it is installed
    except ImportError as error:
        return f"pyspark is not installed ({error})"
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or shutil.which(java) is None:
        return f"Java {MIN_JAVA} is not installed" if not home else f"there is no Java in JAVA_HOME ({home})"
    output = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    match = re.search(r'version "(?:1\.)?(\d+)', output)
    if match is None or int(match[1]) < MIN_JAVA:
        version = "cannot be read" if match is None else f"is {match[1]}"
        return f"it needs Java {MIN_JAVA} or newer, and the version of {java} {version}"
    return None


def _start(master: str | None, settings: Mapping[str, str], stderr: IO[bytes]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # it prints errors that are also raised
    os.environ.setdefault("PYSPARK_PYTHON", settings.get("spark.pyspark.python", sys.executable))
    conf = SparkConf(loadDefaults=False)
    local_settings = _LOCAL_SETTINGS if (master or "local").startswith("local") else {}
    for name, value in {
        "spark.app.name": "fictc",
        **_QUIET_SETTINGS,
        **local_settings,
        **settings,
        **_REQUIRED_SETTINGS,
    }.items():
        conf.set(name, value)
    if master is not None:
        conf.setMaster(master)
    try:
        with _defer_interrupt():
            # stderr is redirected at the start, because Java warns before the log level can be set
            gateway = launch_gateway(conf, {"stderr": stderr})
            SparkContext._ensure_initialized(gateway=gateway, conf=conf)
        return SparkSession(SparkContext(gateway=gateway, conf=conf))
    except (PySparkException, Py4JError, OSError) as error:
        raise InputError(diagnostic("FICT795", reason=_start_error(error, stderr))) from error


@contextmanager
def _restore_interrupt_handler() -> Iterator[None]:
    """Restore the handler of Ctrl-C. PySpark replaces it with one that would use the session after its end."""
    old_handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, old_handler)


@contextmanager
def _silence_py4j() -> Iterator[None]:
    """Drop the log records of py4j. They are tracebacks of errors that py4j also raises."""

    def not_py4j(record: logging.LogRecord) -> bool:
        return Path(record.pathname).parent.name != "py4j"

    root = logging.getLogger()
    root.addFilter(not_py4j)
    try:
        yield
    finally:
        root.removeFilter(not_py4j)


@contextmanager
def _defer_interrupt() -> Iterator[None]:
    """Defer the first Ctrl-C to the end of the block. Otherwise, a Java process could keep running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[int] = []

    def defer(number: int, frame: object) -> None:  # noqa: ARG001
        if pending:
            raise KeyboardInterrupt
        pending.append(number)

    old_handler = signal.signal(signal.SIGINT, defer)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old_handler)
    if pending:
        raise KeyboardInterrupt


def _stop() -> None:
    """Stop the session and the Java process, which may have ended, so that the next session can have other settings."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    gateway = SparkContext._gateway
    if gateway is None:
        return
    with warnings.catch_warnings(), suppress(Py4JError, OSError):
        warnings.simplefilter("ignore", RuntimeWarning)  # about a dead Java process, which has been reported already
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


def _start_error(error: Exception, stderr: IO[bytes]) -> str:
    from py4j.protocol import Py4JNetworkError

    stderr.seek(0)
    lines = [line.strip() for line in stderr.read().decode(errors="replace").splitlines()]
    errors = [line for line in lines if re.match(r"(Exception|Error|Caused by|[\w.]+(Exception|Error)):?", line)]
    if errors:
        return f"it does not start ({errors[-1]})"
    has_ended = isinstance(error, Py4JNetworkError | ConnectionError)
    return f"it does not start ({'its Java process ended' if has_ended else str(error).strip().splitlines()[0]})"
