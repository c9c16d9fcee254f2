"""Questions to DuckDB inside Spark's executors, a chunk of the store to a task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.corpus.query.engine import Engine, Question, answers
from runner.corpus.spark.failures import told
from runner.corpus.store.limits import Limits
from runner.corpus.store.opening import Store
from runner.readers import real_path

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession


class DuckDbInSpark(Engine):
    """The statements of DuckDB unchanged; Spark hands out the chunks and gathers what is found."""

    dialect = "duckdb"

    def __init__(self, store: Store, spark: SparkSession) -> None:
        super().__init__(store)
        self.layout = store.layout
        self._spark = spark

    def ask(self, question: Question) -> Iterator[pa.Table]:
        """One table a chunk, in order."""
        import pyarrow as pa

        chunks = self.store.info.chunks
        task = _Task(real_path(self.store.path), self.store.key, question)
        with told(self.store.path):
            found = self._spark.sparkContext.parallelize(range(chunks), chunks).map(task).collect()
        for stream in found:
            yield pa.ipc.open_stream(stream).read_all()


@dataclass(frozen=True, slots=True)
class _Task:
    """What an executor does; it opens the store itself, which is where the driver has it."""

    path: Path
    key: str
    question: Question

    def __call__(self, chunk: int) -> bytes:
        """The answer for one chunk, as an Arrow stream."""
        import pyarrow as pa

        store = Store.open(self.path, Limits(threads=1))
        if store.key != self.key:
            raise AssertionError(f"{self.path} is another store on this machine")
        table = pa.concat_tables(answers(store, self.question, [chunk]))
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return bytes(sink.getvalue())
