"""Run DuckDB inside Spark's executors, one chunk of the store per task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.corpus.query.engine import Engine, Query, answer_query
from runner.corpus.spark.failures import explain_spark_errors
from runner.corpus.store.limits import Limits
from runner.corpus.store.opening import Store
from runner.machine import available_cores
from runner.readers import real_path

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession


class DuckDbInSpark(Engine):
    """An engine on Spark. Spark distributes the chunks; each executor runs DuckDB on its chunks."""

    dialect = "duckdb"

    def __init__(self, store: Store, spark: SparkSession) -> None:
        super().__init__(store)
        self.layout = store.layout
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
    """The task of an executor, which opens the store at the same path as the driver."""

    path: Path
    key: str
    query: Query
    limits: Limits

    def __call__(self, chunk: int) -> bytes:
        """Return the result for one chunk, as an Arrow stream."""
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
    """Return the limits of one task on this machine, given those of the driver.

    An executor runs a task on each of its cores. Unless the user has set a memory limit, each task therefore gets an
    equal share of the default limit.
    """
    memory = limits.bytes_of_memory() // available_cores() if limits.memory is None else limits.memory
    return Limits(memory, threads=1, spill=limits.spill)
