"""`--engine` and the options of Spark, and the engine that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal

import click

from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from runner.corpus.query.engine import Engine
    from runner.corpus.store.opening import Store


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """What is to answer, and what Spark is told."""

    kind: Literal["duckdb", "spark", "spark-duckdb"]
    master: str | None
    settings: dict[str, str]
    database: str | None

    @contextmanager
    def open(self, store: Store) -> Iterator[Engine]:
        """The engine for a store; Spark is started for it and stopped after it."""
        if self.kind == "duckdb":
            from runner.corpus.query.engine import Here

            yield Here(store)
            return
        from runner.corpus.spark.chunks import DuckDbInSpark
        from runner.corpus.spark.session import session
        from runner.corpus.spark.sql import SparkSql

        with session(self.master, self.settings) as spark:
            yield SparkSql(store, spark, self.database) if self.kind == "spark" else DuckDbInSpark(store, spark)


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options, which arrive together as `engine`."""

    @click.option(
        "--engine",
        type=click.Choice(["duckdb", "spark", "spark-duckdb"]),
        default="duckdb",
        show_default=True,
        help="duckdb: in this process. spark: the filter as Spark SQL. spark-duckdb: DuckDB in Spark's executors, "
        "a chunk of the store at a time. All find the same.",
    )
    @click.option("--spark-master", metavar="URL", help="Where Spark runs, for instance spark://host:7077.")
    @click.option("--spark-conf", metavar="KEY=VALUE", multiple=True, help="A setting of Spark; may be repeated.")
    @click.option(
        "--spark-tables",
        metavar="DATABASE",
        help="Read tokens, sentences, misc, meta and enhanced from this database of Spark's catalogue "
        "rather than from the files of the store.",
    )
    @wraps(command)
    def collected(
        *,
        engine: Literal["duckdb", "spark", "spark-duckdb"],
        spark_master: str | None,
        spark_conf: tuple[str, ...],
        spark_tables: str | None,
        **options: object,
    ) -> None:
        given = {"--spark-master": spark_master, "--spark-conf": spark_conf, "--spark-tables": spark_tables}
        for name, value in given.items():
            if value and engine == "duckdb":
                raise click.UsageError(f"{name} is for --engine spark and spark-duckdb")
        if spark_tables and engine != "spark":
            raise click.UsageError("--spark-tables is for --engine spark; DuckDB reads the files of the store")
        limits = options.get("limits")
        if isinstance(limits, Limits) and limits.timeout and engine != "duckdb":
            raise click.UsageError("--timeout is for --engine duckdb; Spark's own settings limit its jobs")
        command(engine=EngineChoice(engine, spark_master, _settings(spark_conf), spark_tables), **options)

    return collected


def _settings(given: tuple[str, ...]) -> dict[str, str]:
    pairs = [entry.partition("=") for entry in given]
    for name, equals, _ in pairs:
        if not (name and equals):
            raise click.UsageError(f"--spark-conf takes KEY=VALUE, for instance spark.executor.memory=4g; found {name}")
    return {name: value for name, _, value in pairs}
