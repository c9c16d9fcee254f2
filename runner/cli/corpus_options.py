"""The options that name a corpus, limit its queries and select the engine that runs them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from fictdsl.words import counted
from runner.cli.options import FOLDER, PATH, BoundedFloat, F, Workers, combined, gathered, relations, shown_value
from runner.cli.terminal import print_message, size_of
from runner.corpus.limits import Limits

if TYPE_CHECKING:
    from runner.corpus.engine import Engine
    from runner.corpus.store import Store


_MAX_SECONDS = 31 * 24 * 3600
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}  # of 1,000 for KB and so on, of 1,024 for KiB
_MIN_BYTES, _MAX_BYTES = 16_000_000, 10**15  # within the range that DuckDB accepts


class Size(click.ParamType["int"]):
    """A size in bytes, such as `2GB`, `512MiB`, `1.5G`, or `60%` of the memory available to the process."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from runner.corpus.limits import available_memory

        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:(%)|([KMGT]?)(?:(i)?B)?)", str(value).strip(), re.IGNORECASE)
        if match is None:
            self.fail(f"{shown_value(value)} is not a size such as 2GB, 512MB or 60%", param, ctx)
        number = float(match[1])
        if match[2] and number > 100:
            self.fail(f"{shown_value(value)} is more than the available memory", param, ctx)
        size = number * (
            available_memory() / 100 if match[2] else (1024 if match[4] else 1000) ** _POWERS[match[3].upper()]
        )
        if size < _MIN_BYTES:
            self.fail(f"{shown_value(value)} is too small; the minimum is 16MB", param, ctx)
        if size > _MAX_BYTES:
            self.fail(f"{shown_value(value)} is too large; the maximum is 1000TB", param, ctx)
        return int(size)


def limits_options(timeout: float = 0.0) -> Callable[[F], F]:
    """Add the options, which a command receives as one `Limits`; `timeout` is the default of `--timeout`."""
    return combined(
        click.option(
            "--memory",
            type=Size(),
            metavar="SIZE",
            help="Maximum memory of the database, such as 2GB [default: 60% of the memory available to this process].",
        ),
        click.option("--threads", type=Workers(), metavar="N", help="Number of threads [default: one per processor]."),
        click.option(
            "--spill",
            type=FOLDER,
            metavar="FOLDER",
            help="Directory for temporary files when a query does not fit into memory "
            "[default: the system's temporary directory].",
        ),
        click.option(
            "--timeout",
            type=BoundedFloat(0, _MAX_SECONDS, "a month; 0 means no limit"),
            default=timeout,
            metavar="SECONDS",
            help="Maximum seconds per query; 0 means no limit.",
        ),
        gathered("limits", Limits),
    )


def corpus_option(*, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--corpus",
        "-c",
        required=required,
        multiple=True,
        type=PATH,
        metavar="STORE",
        help="The corpus store, made by `fictc import` or `fictc annotate`; or a CoNLL-U file or a folder of them, "
        "which is imported into the cache once. Repeat the option for several stores or files, which are merged there.",
    )


def open_corpus(paths: Sequence[Path], limits: Limits) -> Store:
    """Open a store, or the cached store of CoNLL-U files; of several stores, their merged store in the cache."""
    from runner.corpus.store import Store

    if len(paths) == 1 and (paths[0] / "store.json").is_file():
        return Store.open(paths[0], limits)
    from runner.corpus.import_conllu import is_conllu

    conllu_files = [path for path in paths if is_conllu(path)]
    if len(conllu_files) == len(paths):
        return _open_conllu(paths, limits)
    stores = [Store.open(path, limits) for path in paths if path not in conllu_files]
    if len(paths) == 1:
        return stores[0]
    from runner.cli.progress import counting_bar
    from runner.corpus.store_copies import cached_merge

    if conllu_files:
        stores.append(_open_conllu(conllu_files, limits))
    total = sum(store.info.sentences for store in stores)
    with counting_bar("Merging", unit="sentences", total=total) as count:
        return cached_merge(stores, limits, count)


def _open_conllu(paths: Sequence[Path], limits: Limits) -> Store:
    from runner.cli.progress import progress_bar
    from runner.corpus.import_conllu import cached_store

    def print_note(store: Store) -> None:
        sources = counted(len(store.info.sources), "source")
        print_message(f"note: imported {size_of(store.info)}, from {sources} into the cache", err=True)

    with progress_bar("Importing", unit="bytes") as advance:
        return cached_store(paths, limits, advance, print_note)


@dataclass(frozen=True, slots=True)
class EngineChoice:
    name: Literal["duckdb", "spark", "spark-duckdb"]
    master: str | None
    settings: dict[str, str]
    database: str | None

    @contextmanager
    def open(self, store: Store) -> Iterator[Engine]:
        if self.name == "duckdb":
            from runner.corpus.engine import LocalEngine

            yield LocalEngine(store)
            return
        from runner.corpus.spark import DuckDbInSpark, SparkSql, spark_session

        with spark_session(self.master, self.settings) as spark:
            yield SparkSql(store, spark, self.database) if self.name == "spark" else DuckDbInSpark(store, spark)


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    @click.option(
        "--engine",
        type=click.Choice(["duckdb", "spark", "spark-duckdb"]),
        default="duckdb",
        help="duckdb: DuckDB in this process. spark: Spark SQL. spark-duckdb: DuckDB in Spark's executors, one chunk "
        "of the store per task. All return the same matches.",
    )
    @click.option("--spark-master", metavar="URL", help="The Spark master, for instance spark://host:7077.")
    @click.option("--spark-conf", metavar="KEY=VALUE", multiple=True, help="A Spark setting. May be repeated.")
    @click.option(
        "--spark-tables",
        metavar="DATABASE",
        help="Read the tables tokens, sentences, misc, meta and enhanced from this database of Spark's catalogue "
        "instead of the files of the store.",
    )
    @relations(
        "--spark-master, --spark-conf requires --engine spark or spark-duckdb", "--spark-tables requires --engine spark"
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
