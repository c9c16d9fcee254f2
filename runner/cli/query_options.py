"""The options of a query: filters, word lists, a corpus, its limits and its engine; shell completion of filters."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.shell_completion import CompletionItem

from fictdsl.syntax.files import NO_OVERRIDES, TAB, ListOverrides, read_list, single_word_lists
from fictdsl.words import counted
from runner.cli.options import FOLDER, PATH, BoundedFloat, F, Workers, combined, gathered, relations, shown_value
from runner.cli.terminal import print_message, size_of
from runner.corpus import limits as corpus_limits
from runner.corpus.limits import Limits
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.corpus.engine import Engine
    from runner.corpus.store import Store


_MAX_SECONDS = 31 * 24 * 3600
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}  # of 1,000 for KB and so on, of 1,024 for KiB
_MIN_BYTES, _MAX_BYTES = 16_000_000, 10**15  # within the range that DuckDB accepts


class Size(click.ParamType["int"]):
    """A size in bytes, such as `2GB`, `512MiB`, `1.5G`, or `60%` of the memory available to the process."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:(%)|([KMGT]?)(?:(i)?B)?)", str(value).strip(), re.IGNORECASE)
        if match is None:
            self.fail(f"{shown_value(value)} is not a size such as 2GB, 512MB or 60%", param, ctx)
        number = float(match[1])
        if match[2] and number > 100:
            self.fail(f"{shown_value(value)} is more than the available memory", param, ctx)
        size = number * (
            corpus_limits.available_memory() / 100
            if match[2]
            else (1024 if match[4] else 1000) ** _POWERS[match[3].upper()]
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


def _spark_settings(_: click.Context, __: click.Parameter, entries: tuple[str, ...]) -> dict[str, str]:
    settings = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not (name and equals):
            raise click.UsageError(f"--spark-conf expects KEY=VALUE, such as spark.executor.memory=4g; found {entry}")
        settings[name] = value
    return settings


engine_options = combined(
    click.option(
        "--engine",
        type=click.Choice(["duckdb", "spark", "spark-duckdb"]),
        default="duckdb",
        help="duckdb: DuckDB in this process. spark: Spark SQL. spark-duckdb: DuckDB in Spark's executors, one chunk "
        "of the store per task. All return the same matches.",
    ),
    click.option("--spark-master", metavar="URL", help="The Spark master, for instance spark://host:7077."),
    click.option(
        "--spark-conf",
        metavar="KEY=VALUE",
        multiple=True,
        callback=_spark_settings,
        help="A Spark setting. May be repeated.",
    ),
    click.option(
        "--spark-tables",
        metavar="DATABASE",
        help="Read the tables tokens, sentences, misc, meta and enhanced from this database of Spark's catalogue "
        "instead of the files of the store.",
    ),
    relations(
        "--spark-master, --spark-conf requires --engine spark or spark-duckdb",
        "--spark-tables requires --engine spark",
        "--timeout requires --engine duckdb",
    ),
    gathered(
        "engine",
        EngineChoice,
        name="engine",
        master="spark_master",
        settings="spark_conf",
        database="spark_tables",
    ),
)


def complete_paths(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    paths = list(_paths(incomplete))
    while len(paths) == 1 and paths[0].endswith(os.sep) and (children := list(_paths(paths[0]))):
        paths = children  # a shell would end the word at a lone candidate, so descend into it
    return [CompletionItem(path) for path in paths]


def complete_filters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [*complete_paths(ctx, param, incomplete), *_shipped(incomplete)]


def complete_filters_and_codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [*complete_filters(ctx, param, incomplete), *(complete_codes(ctx, param, incomplete) if incomplete else [])]


def complete_codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    import fictdsl.lint.rules  # noqa: F401 - adds the codes of lint rules to the catalogue
    from fictdsl.diagnostics.codes import CATALOGUE

    preceding, comma, prefix = incomplete.rpartition(",")
    return [
        CompletionItem(f"{preceding}{comma}{code}", help=entry.name)
        for code, entry in CATALOGUE.items()
        if code.startswith(prefix.upper())
    ]


def _paths(incomplete: str) -> Iterator[str]:
    folder, prefix = os.path.split(incomplete)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 - keeps the path as typed
            names = sorted((entry.name, entry.is_dir()) for entry in entries)
    except OSError:
        return
    for name, is_folder in names:
        is_hidden = name.startswith(".") and not prefix.startswith(".")
        if name.startswith(prefix) and not is_hidden and (is_folder or name.endswith(".fict")):
            yield os.path.join(folder, name) + (os.sep if is_folder else "")  # noqa: PTH118 - keeps `./`


def _shipped(incomplete: str) -> Iterator[CompletionItem]:
    from fictdsl.installation import filter_library

    files = filter_library()
    names = [f"{path.parent.name}/{path.stem}" for path in files]
    for name in [*dict.fromkeys(path.parent.name for path in files), *names]:
        if name.startswith(incomplete) and (incomplete or "/" not in name):
            yield CompletionItem(name, help="shipped with fictc")


def _read_lists(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> ListOverrides:
    if not values or context.resilient_parsing:  # shell completion
        return NO_OVERRIDES
    problems = []
    lists = {}
    for value in values:
        name, separator, file = value.partition("=")
        if not (name and separator and file):
            raise click.BadParameter(f"{value!r} is not NAME=FILE, such as sv_nouns=words.txt.", param=parameter)
        if name in lists:
            raise click.BadParameter(f"{name} is given twice.", param=parameter)
        lists[name], diagnostics = read_list(name, Path(file), file)
        problems += diagnostics if lists[name] is None else []
    if problems:
        raise InputError(problems)
    return {name: words for name, words in lists.items() if words is not None}


lists_option = click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="NAME=FILE",
    callback=_read_lists,
    help="Replace the word list NAME with the words of FILE, one per line. May be repeated.",
)


QUERY_HELP = """\b
      'V -[nsubj]-> S'   a query: the clauses of a match block; it contains a space or one of [ < > ~"""
FILTER_HELP = """\b
    FILTER is one of
      FILE               all filters of a .fict file
      FILE::name         one filter (for a family: all its members)
      FILE::name.value   one member of a family
      FOLDER             all filters of all .fict files in a folder
      fict15             a folder shipped with fictc; fict15/passive is a file in it"""


required_filters = click.argument(
    "filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=complete_filters
)
optional_filters = click.argument(
    "filter", nargs=-1, metavar="[FILTER]...", default=(".",), shell_complete=complete_filters
)


def load_filters(
    arguments: Iterable[str],
    lists: ListOverrides = NO_OVERRIDES,
    *,
    allow_queries: bool = False,
    with_matches: bool = False,
) -> list[CompiledFilter]:
    """With `allow_queries`, an argument may be a query; with `with_matches`, the match of a rewrite is a filter too."""
    from runner.corpus import filter_arguments

    load = filter_arguments.load_matching if with_matches else filter_arguments.load_filters
    filters = load(arguments, lists, bodies=allow_queries)
    check_lists(filters, lists)
    if queries := [compiled for compiled in filters if compiled.path is None]:
        for names in filter(None, map(filter_arguments.bare_names, queries)):
            print_message(f"note: {filter_arguments.bare_names_note(names)}", err=True)
    return filters


def load_rewrites(
    arguments: Iterable[str], lists: ListOverrides = NO_OVERRIDES, *, required: bool = False
) -> list[CompiledRewrite]:
    """Compile the rewrites. Their lists are checked only if `required`, else together with the filters of a command."""
    from runner.corpus import filter_arguments

    rewrites = filter_arguments.load_rewrites(arguments, lists, required=required)
    if required:
        check_lists([rewrite.matching for rewrite in rewrites], lists)
    return rewrites


def note_filters_beside(rewrites: Sequence[CompiledRewrite], arguments: Iterable[str], lists: ListOverrides) -> None:
    from runner.corpus import filter_arguments

    matching = {(rewrite.matching.path, rewrite.name) for rewrite in rewrites}
    named = filter_arguments.load_matching(arguments, lists)
    if names := [compiled.name for compiled in named if (compiled.path, compiled.name) not in matching]:
        print_message(f"note: {', '.join(names)}: not a rewrite, and ignored", err=True)


def check_lists(filters: Sequence[CompiledFilter], lists: ListOverrides) -> None:
    if not lists:
        return
    from fictdsl.compiler import unknown_lists
    from fictdsl.semantics.resolve import reachable

    modules = [compiled.module for compiled in filters]
    if problems := unknown_lists(modules, lists):
        raise InputError(list(problems.values()))
    used = {word_list.name for compiled in filters for word_list in compiled.lists}
    for name in lists:
        if name not in used:
            click.echo(f"note: none of these filters uses the list {name}, so --list {name}=… has no effect", err=True)
    for name in sorted(used & single_word_lists(each.file for module in modules for each in reachable(module))):
        if row := next((entry for entry in lists[name].entries if TAB in entry), None):
            entry = f"an entry with a tab, such as `{row.expandtabs(4)}`, matches no word"
            print_message(f"note: --list {name}=…: {entry}; leave only the column of the words", err=True)


def note_absent_labels(store: Store, filters: Sequence[CompiledFilter]) -> None:
    from runner.corpus.lint_facts import absent_labels

    for label in absent_labels(store, filters):
        print_message(f"note: {label}", err=True)


@dataclass(frozen=True, slots=True)
class Query:
    arguments: tuple[str, ...]
    paths: tuple[Path, ...]
    lists: ListOverrides
    limits: Limits

    def filters(self, *, with_matches: bool = False) -> list[CompiledFilter]:
        return load_filters(self.arguments, self.lists, allow_queries=True, with_matches=with_matches)

    def open_corpus(self, filters: Sequence[CompiledFilter] = ()) -> Store:
        store = open_corpus(self.paths, self.limits)
        note_absent_labels(store, filters)
        return store


# gives FILTER, --corpus, --list and the limits to the command as one `Query`
takes_query = gathered("query", Query, arguments="filter", paths="corpus")


def labelled(filters: Sequence[CompiledFilter]) -> list[CompiledFilter]:
    from runner.corpus.filter_arguments import filter_labels

    return [replace(compiled, name=label) for label, compiled in zip(filter_labels(filters), filters, strict=True)]
