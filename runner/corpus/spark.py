"""Run queries on Spark, as Spark SQL on a store's files or as DuckDB inside the executors, in a session of its own."""

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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fictdsl.installation import install_hint
from fictdsl.schema import COMPUTED, COMPUTED_NUMBERS, FEATURE_PREFIX, MULTIWORD_LINE, QUERIED, feats_key, identifier
from runner.corpus.engine import Engine, Query, answer_query
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from runner.corpus.store_files import Layer
from runner.corpus.store_tables import COPY_TYPES, SCHEMAS
from runner.errors import InputError
from runner.machine import available_cores
from runner.readers import real_path

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


_DRIVER_ENDED = "its driver process ended while it worked"
_EXCEPTION_NAMES = re.compile(r"^:?\s*(?:[\w.$]*(?:Error|Exception)(?: in thread \"[^\"]*\")?: )+")


@contextmanager
def explain_spark_errors(path: Path) -> Iterator[None]:
    """Raise InputError (FICT746) for errors that Spark has caused; PySpark fails while it converts errors of Java."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except InputError:
        raise
    except Exception as error:
        spark_errors: list[BaseException] = []
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, PySparkException | Py4JError | ConnectionError | EOFError):
                spark_errors.append(cause)
            cause = cause.__cause__ or cause.__context__
        if not spark_errors:
            raise
        raise InputError.of("FICT746", path=path, reason=f"Spark: {_first_reason(spark_errors)}") from error


def _first_reason(errors: list[BaseException]) -> str:
    """Return the reason in the first error with a text. PySpark reads the text from Java, which may have ended."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    for error in errors:
        if isinstance(error, Py4JJavaError | PySparkException):
            try:
                return reason(str(error))
            except Exception:  # noqa: BLE001 - any error here means that there is no text
                continue
    return _DRIVER_ENDED


def reason(text: str) -> str:
    """Return the most specific line of the text of an error, without the names of exceptions."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("An error occurred while calling ")]
    python_errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]
    if python_errors and "Traceback" in text:
        return _EXCEPTION_NAMES.sub("", python_errors[-1])
    causes = [line.removeprefix("Caused by: ") for line in lines if re.match(r"Caused by: .*: ", line)]
    reasons = [_EXCEPTION_NAMES.sub("", line) for line in (*lines[:1], *causes)]
    classified = [line for line in reasons if line.startswith("[")]
    return (classified or reasons or ["no reason was given"])[-1]


class SparkSql(Engine):
    dialect = "spark"

    def __init__(self, store: Store, spark: SparkSession, database: str | None = None) -> None:
        super().__init__(store)
        self._spark = spark.newSession()  # separates views and settings from those of other engines
        self._database = database
        if database is None:  # names of columns in the store's files may differ only by case
            self._spark.conf.set("spark.sql.caseSensitive", "true")
        self.layout = replace(store.layout, copies=frozenset(self._copies()), sorted_copies=())
        self._views_created = False

    def run(self, query: Query) -> Iterator[pa.Table]:
        """Yield one table, because Spark sorts the complete result."""
        with explain_spark_errors(self.store.path):
            for table in ("tokens",) if self._views_created else QUERIED:  # only `tokens` depends on the query
                self._view(table, query.features).createOrReplaceTempView(table)
            self._views_created = True
            for table in COMPUTED.keys() & set(query.tables):
                (self._token_table() if table == "token" else self._feats_table()).createOrReplaceTempView(table)
            if query.matches is not None:
                self._spark.sql(query.matches).createOrReplaceTempView("matches")
            result = self._spark.sql(query.text).toArrow()
        yield result

    def _copies(self) -> Iterable[str]:
        if self._database is None:
            return self.store.info.copies
        with explain_spark_errors(self.store.path):
            columns = set(self._catalogue_table(self._database, "tokens").columns)
        return columns.intersection(self.store.info.copies)

    def _copies_in(self, table: str) -> list[str]:
        return sorted(self.layout.copies) if table == "tokens" else []

    def _view(self, table: str, features: tuple[str, ...]) -> DataFrame:
        from pyspark.sql import functions
        from pyspark.sql.types import StringType

        requested_features = features if table == "tokens" else ()
        layers = [] if self._database is not None else [layer for layer in self.store.info.layers if layer.columns]
        layer_features = {name for layer in layers for name in layer.columns}
        column_by_feature = {
            name: self.store.info.features.get(name) for name in requested_features if name not in layer_features
        }
        # Parquet does not declare sid and id NOT NULL, and NOT IN with nullable columns compares all pairs of rows
        columns = [
            functions.coalesce(name, functions.lit(-1)).alias(name) if name in ("sid", "id") else functions.col(name)
            for name in (*SCHEMAS[table].names, *self._copies_in(table))
        ]
        if table == "tokens":
            columns += [
                functions.expr(sql.format(source)).alias(name) for name, (source, sql) in COMPUTED_NUMBERS.items()
            ]
        for name, column_name in column_by_feature.items():
            source = functions.lit(None) if column_name is None else functions.col(_quote_name(column_name))
            columns.append(source.cast(StringType()).alias(identifier(FEATURE_PREFIX + name)))
        rows = self._rows(table, sorted(filter(None, column_by_feature.values()))).select(*columns)
        for layer in layers:
            layer_columns = {name: layer.columns[name] for name in requested_features if name in layer.columns}
            if layer_columns:
                rows = rows.join(self._annotations(layer, layer_columns), ["sid", "id"], "left")
        return rows

    def _token_table(self) -> DataFrame:
        """Return the table that `database.create_token_view` makes in DuckDB."""
        import unicodedata

        from pyspark.sql import functions
        from pyspark.sql.types import StringType

        nfc = functions.udf(lambda text: unicodedata.normalize("NFC", text), StringType())
        pattern = functions.lit(MULTIWORD_LINE)
        line = functions.explode(functions.regexp_extract_all("conllu", pattern, functions.lit(1)))
        cells = functions.split("line", "\t")
        ends = functions.split(cells[0], "-").cast("array<int>")
        lines = self._rows("raw", []).select("sid", line.alias("line"))
        ids = functions.explode(functions.sequence(ends[0], ends[1]))
        return lines.select("sid", ids.alias("id"), nfc(cells[1]).alias("value"))

    def _feats_table(self) -> DataFrame:
        """Return the table that `database.create_feats_view` makes in DuckDB."""
        from pyspark.sql import functions

        layer_features = {name for layer in self.store.info.layers for name in layer.columns}
        names = sorted(self.store.info.features.keys() - layer_features, key=feats_key)
        columns = {name: self.store.info.features[name] for name in names}
        entries = [
            functions.concat(functions.lit(f"{name}="), functions.col(_quote_name(column)))
            for name, column in columns.items()
        ]
        value = functions.concat_ws("|", *entries).alias("value")
        return self._rows("tokens", sorted(columns.values())).select("sid", "id", value).where("value <> ''")

    def _catalogue_table(self, database: str, table: str) -> DataFrame:
        name = f"{database}.{table}"
        if not self._spark.catalog.tableExists(name):
            purpose = ", which tests of `token` read" if table == "raw" else ""
            hint = "`--spark-tables` names a database with the tables of the store; docs/scaling.md lists them"
            raise InputError.of("FICT795", reason=f"the catalogue has no table {name}{purpose}", hint=hint)
        return self._spark.table(name)

    def _rows(self, table: str, feature_columns: list[str]) -> DataFrame:
        import pyarrow as pa

        if self._database is not None:
            return self._catalogue_table(self._database, table)
        copies = [pa.field(name, COPY_TYPES[name]) for name in self._copies_in(table)]
        layers = [layer for layer in self.store.info.layers if layer.kind == table]
        files = [*self.store.parquet(table), *(path for layer in layers for path in self._files(layer))]
        return self._read([*SCHEMAS[table], *copies], feature_columns, files)

    def _annotations(self, layer: Layer, features: dict[str, str]) -> DataFrame:
        from pyspark.sql import functions

        keys = ("sid", "id")
        fields = [SCHEMAS["tokens"].field(name) for name in keys]
        rows = self._read(fields, sorted(features.values()), self._files(layer))
        columns = [
            functions.col(_quote_name(column_name)).alias(identifier(FEATURE_PREFIX + name))
            for name, column_name in features.items()
        ]
        return rows.select(*keys, *columns)

    def _files(self, layer: Layer) -> list[Path]:
        return [self.store.file(layer.file(chunk)) for chunk in range(self.store.info.chunks)]

    def _read(self, fields: list[pa.Field], feature_columns: list[str], files: list[Path]) -> DataFrame:
        """Read the files of a table. The schema adds the columns of features that do not occur in a chunk."""
        import pyarrow as pa
        from pyspark.sql.pandas.types import from_arrow_schema
        from pyspark.sql.types import StringType

        schema = from_arrow_schema(pa.schema(fields))
        for name in feature_columns:
            schema = schema.add(name, StringType())
        paths = [f"file://{real_path(path).as_posix()}" for path in files]
        # without this option, [ and * in a path are patterns
        return self._spark.read.option("__globPaths__", "false").schema(schema).parquet(*paths)


def _quote_name(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


class DuckDbInSpark(Engine):
    """An engine on Spark. Spark distributes the chunks; each executor runs DuckDB on its chunks."""

    dialect = "duckdb"

    def __init__(self, store: Store, spark: SparkSession) -> None:
        super().__init__(store)
        self._spark = spark

    def run(self, query: Query) -> Iterator[pa.Table]:
        """Yield one table per chunk, in order. The results of all chunks are collected first."""
        import pyarrow as pa

        chunks = self.store.info.chunks
        task = _Task(real_path(self.store.path), self.store.key, query, self.store.limits)
        with explain_spark_errors(self.store.path):
            streams = self._spark.sparkContext.parallelize(range(chunks), chunks).map(task).collect()
        for stream in streams:
            yield pa.ipc.open_stream(stream).read_all()


@dataclass(frozen=True, slots=True)
class _Task:
    """The task of an executor, which opens the store at the same path as the driver, on a chunk."""

    path: Path
    key: str
    query: Query
    limits: Limits

    def __call__(self, chunk: int) -> bytes:
        import pyarrow as pa

        store = Store.open(self.path, limits_of_task(self.limits))
        if store.key != self.key:
            raise AssertionError(f"{self.path} is not the store that the driver opened")
        table = pa.concat_tables(answer_query(store, self.query, [chunk]))
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return bytes(sink.getvalue())


def limits_of_task(limits: Limits) -> Limits:
    """Return the limits of one task on this machine: a core and, unless the user limits memory, its share of memory."""
    memory = limits.bytes_of_memory() // available_cores() if limits.memory is None else limits.memory
    return Limits(memory, threads=1, spill=limits.spill)


MIN_JAVA = 17  # required by Spark 4
_DEFAULT_SETTINGS = {
    "spark.app.name": "fictc",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
_LOCAL_SETTINGS = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_REQUIRED_SETTINGS = {"spark.sql.parser.escapedStringLiterals": "false"}  # required by the generated SQL


@contextmanager
def spark_session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Raises InputError (FICT795) if pyspark or Java is missing, or if Spark does not start."""
    if (reason := missing_requirement()) is not None:
        raise InputError.of("FICT795", reason=reason, hint=install_hint("spark") if "pyspark" in reason else None)
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
    conf.setAll([*(_DEFAULT_SETTINGS | local_settings | dict(settings) | _REQUIRED_SETTINGS).items()])
    if master is not None:
        conf.setMaster(master)
    try:
        with _defer_interrupt():
            # stderr is redirected at the start, because Java warns before the log level can be set
            gateway = launch_gateway(conf, {"stderr": stderr})
            SparkContext._ensure_initialized(gateway=gateway, conf=conf)
        return SparkSession(SparkContext(gateway=gateway, conf=conf))
    except (PySparkException, Py4JError, OSError) as error:
        raise InputError.of("FICT795", reason=_start_error(error, stderr)) from error


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
