"""Run a benchmark, print its table as Markdown and, with `--page`, write it to the documentation."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import annotate, counting, elsewhere, exploring, importing, linting, matching, rewriting, sizes, writing
from benchmarks.cases import SETS, cases
from benchmarks.data import Data
from benchmarks.machine import describe_machine
from benchmarks.page import replace_table

PACKAGES = ("duckdb", "pyarrow", "stanza", "udapi", "spacy", "graphannis", "torch", "transformers")
Tables = Iterator[tuple[str, str, str]]  # the table's name, a note on its figures, the table


def filters(options: argparse.Namespace, data: Data) -> Tables:
    """Compare filters with hand-written SQL and with reading the columns that they name."""
    for millions in options.words or [10]:
        for name in options.sets:
            rows = matching.measure(
                cases(name, options.only),
                data,
                millions,
                runs=options.runs,
                threads=options.threads,
                peers=options.peers,
            )
            yield f"{name} {millions:g}", f"threads: {options.threads}; CPU seconds", matching.render(rows)


def tools(options: argparse.Namespace, data: Data) -> Tables:
    """Compare filters with those of Udapi, spaCy and graphANNIS that are installed."""
    for millions in options.words or [0.5]:
        text = elsewhere.tools(cases("fict15", options.only), data, millions, runs=options.runs)
        yield "tools", f"threads: 1; CPU seconds on {millions:g} million words", text


def stanza(options: argparse.Namespace, data: Data) -> Tables:
    """Compare filters with loops over pickled Stanza documents; the second size is for fictc only."""
    millions = options.words or [0.5, 10]
    if len(millions) != 2:
        raise SystemExit("stanza takes two sizes: --words SMALL LARGE")
    small_size, large_size = millions
    text = elsewhere.documents(cases("fict15"), data, small_size, large_size, runs=options.runs)
    yield "stanza", "threads: 1; CPU seconds per million words", text


def count(options: argparse.Namespace, data: Data) -> Tables:
    """Measure `fictc count` with one filter in a new process."""
    for millions in options.words or [10]:
        text = counting.measure(cases("fict15", options.only), data.store(millions), options.runs)
        yield f"count {millions:g}", f"{millions:g} million words", text


def explore(options: argparse.Namespace, data: Data) -> Tables:
    """Measure the first page of matches in `fictc explore`, for filters of --sets and queries as users type them."""
    queries = exploring.queries([case for name in options.sets for case in cases(name, options.only)])
    for millions in options.words or [10]:
        note = f"{millions:g} million words; 50 matches a page"
        yield f"explore {millions:g}", note, exploring.measure(queries, data.store(millions), options.runs)


def imports(options: argparse.Namespace, data: Data) -> Tables:
    """Measure `fictc import`, reading only the columns of CoNLL-U, and Stanza's `conll2doc`."""
    yield "import", "medians", importing.measure(data, options.words or [1, 10], options.jobs, options.runs)


def write(options: argparse.Namespace, data: Data) -> Tables:
    """Measure writing the corpora of fifteen filters."""
    for millions in options.words or [10]:
        yield f"write {millions:g}", f"{millions:g} million words", writing.measure(data.store(millions), options.runs)


def rewrite(options: argparse.Namespace, data: Data) -> Tables:
    """Compare rewriting all sentences with loops over trees, and rewriting few sentences with removing them."""
    sizes = options.words or [1, 8]
    words = round(sizes[0] * 1_000_000)
    note = f"threads: 1; {sizes[0]:g} million words"
    yield "reorder", note, rewriting.reorder(data.corpus(sizes[0]), data.store(sizes[0]), words, options.runs)
    yield "change few", "threads: 1", rewriting.change_few({size: data.store(size) for size in sizes}, options.runs)


def size(options: argparse.Namespace, data: Data) -> Tables:
    """Measure the size of a store on disk."""
    for millions in options.words or [10]:
        yield f"size {millions:g}", f"{millions:g} million words", sizes.measure(data.store(millions))


def parse(options: argparse.Namespace, data: Data) -> Tables:
    """Compare `fictc annotate` with one call of Stanza per sentence; needs --models."""
    texts = annotate.sentences([data.corpus(0.5)])[: options.sentences]
    text = annotate.measure(texts, options.models, options.package, options.single)
    yield "annotate", "one run; loading the models is not counted", text


def lint(_options: argparse.Namespace, _data: Data) -> Tables:
    """Measure `fictc lint` on 1,000 files."""
    yield "lint", "one run", linting.measure()


def training(options: argparse.Namespace, _data: Data) -> Tables:
    """Compare training with a bare torch loop and transformers' Trainer."""
    from benchmarks.training import measure  # torch is slow to load

    yield "training", "one thread; tokens per CPU second, start-up not counted", measure(options.runs)


COMMANDS: dict[str, Callable[[argparse.Namespace, Data], Tables]] = {
    "filters": filters,
    "tools": tools,
    "stanza": stanza,
    "count": count,
    "explore": explore,
    "import": imports,
    "write": write,
    "rewrite": rewrite,
    "size": size,
    "annotate": parse,
    "lint": lint,
    "training": training,
}


def main() -> None:
    """Run the command of the command line."""
    commands = "\n".join(f"  {name:8} {command.__doc__}" for name, command in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"{__doc__}\n\n{commands}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument(
        "--data", type=Path, required=True, help="folder for corpora and stores, which later runs reuse"
    )
    parser.add_argument(
        "--treebanks", type=Path, nargs="+", default=[], help="CoNLL-U files that corpora are made from"
    )
    parser.add_argument("--words", type=float, nargs="+", help="sizes in million words")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="threads of DuckDB, for fictc and for naive queries")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="numbers of processes for import")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--peers", nargs="*", default=list(matching.PEERS), choices=list(matching.PEERS))
    parser.add_argument("--only", nargs="+", default=[], metavar="FILTER", help="only these filters")
    parser.add_argument("--models", type=Path, help="Stanza models, for annotate")
    parser.add_argument("--package", default="default", help="package of the models")
    parser.add_argument("--sentences", type=int, default=20_000, help="number of sentences for annotate")
    parser.add_argument("--single", type=int, default=4_000, help="number of sentences parsed one by one")
    parser.add_argument("--page", type=Path, help="page to write the tables to, such as docs/performance.md")
    options = parser.parse_args()
    for name, note, text in COMMANDS[options.command](options, Data(options.data, options.treebanks)):
        runs = f"{options.runs} run{'s' if options.runs > 1 else ''}"
        section = f"{describe_machine(PACKAGES)}; {runs}; {note}\n\n{text}"
        print(f"## {name}\n\n{section}", flush=True)
        if options.page is not None:
            replace_table(options.page, name, section)


if __name__ == "__main__":
    main()
