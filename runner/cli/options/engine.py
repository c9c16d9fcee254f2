"""The options `--engine` and `--spark-*`, and the engine they select."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal

import click

from runner.cli.options.relations import option
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from runner.corpus.query.engine import Engine
    from runner.corpus.store.opening import Store


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """The name of the selected engine, and its Spark settings."""

    name: Literal["duckdb", "spark", "spark-duckdb"]
    master: str | None
    settings: dict[str, str]
    database: str | None

    @contextmanager
    def open(self, store: Store) -> Iterator[Engine]:
        """Yield the engine for a store. If the engine needs Spark, start a session and stop it afterwards."""
        if self.name == "duckdb":
            from runner.corpus.query.engine import LocalEngine

            yield LocalEngine(store)
            return
        from runner.corpus.spark.duckdb_engine import DuckDbInSpark
        from runner.corpus.spark.session import spark_session
        from runner.corpus.spark.sql import SparkSql

        with spark_session(self.master, self.settings) as spark:
            yield SparkSql(store, spark, self.database) if self.name == "spark" else DuckDbInSpark(store, spark)


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the engine options to a command, which receives them as one `EngineChoice` in the argument `engine`."""

    @click.option(
        "--engine",
        type=click.Choice(["duckdb", "spark", "spark-duckdb"]),
        default="duckdb",
        show_default=True,
        help="duckdb: DuckDB in this process. spark: Spark SQL. spark-duckdb: DuckDB in Spark's executors, one chunk "
        "of the store per task. All return the same matches.",
    )
    @option(
        "--spark-master",
        metavar="URL",
        help="The Spark master, for instance spark://host:7077.",
        requires="--engine spark or spark-duckdb",
    )
    @option(
        "--spark-conf",
        metavar="KEY=VALUE",
        multiple=True,
        help="A Spark setting. May be repeated.",
        requires="--engine spark or spark-duckdb",
    )
    @option(
        "--spark-tables",
        metavar="DATABASE",
        help="Read the tables tokens, sentences, misc, meta and enhanced from this database of Spark's catalogue "
        "instead of the files of the store.",
        requires="--engine spark",
    )
    @wraps(command)
    def wrapper(
        *,
        engine: Literal["duckdb", "spark", "spark-duckdb"],
        spark_master: str | None,
        spark_conf: tuple[str, ...],
        spark_tables: str | None,
        **options: object,
    ) -> None:
        limits = options.get("limits")
        if isinstance(limits, Limits) and limits.timeout and engine != "duckdb":
            raise click.UsageError("--timeout requires --engine duckdb; limit Spark jobs with --spark-conf")
        command(engine=EngineChoice(engine, spark_master, _settings(spark_conf), spark_tables), **options)

    return wrapper


def _settings(entries: tuple[str, ...]) -> dict[str, str]:
    settings = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--spark-conf expects KEY=VALUE, such as spark.executor.memory=4g; found {entry}")
        settings[name] = value
    return settings
