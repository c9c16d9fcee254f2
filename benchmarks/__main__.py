"""`python -m benchmarks COMMAND`: figures as Markdown, printed, and with `--page` put into the page that keeps them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import annotate, counting, elsewhere, importing, linting, matching, sizes, writing
from benchmarks.cases import SETS, cases
from benchmarks.data import Data
from benchmarks.machine import described
from benchmarks.page import put

PACKAGES = ("duckdb", "pyarrow", "stanza", "udapi", "spacy", "graphannis", "torch", "transformers")
Tables = Iterator[tuple[str, str, str]]  # the table's name, what its figures are, the table


def filters(given: argparse.Namespace, data: Data) -> Tables:
    """Filters against hand-written SQL and the decoding of the columns that they name."""
    for millions in given.words or [10]:
        for name in given.sets:
            rows = matching.measure(
                cases(name, given.only), data, millions, runs=given.runs, threads=given.threads, peers=given.peers
            )
            yield f"{name} {millions:g}", f"threads: {given.threads}; CPU seconds", matching.render(rows)


def tools(given: argparse.Namespace, data: Data) -> Tables:
    """Udapi, spaCy and graphANNIS, those that are installed."""
    for millions in given.words or [0.5]:
        text = elsewhere.tools(cases("fict15", given.only), data, millions, runs=given.runs)
        yield "tools", f"threads: 1; CPU seconds on {millions:g} million words", text


def stanza(given: argparse.Namespace, data: Data) -> Tables:
    """Loops over pickled Stanza documents; of two sizes fictc alone has the second."""
    small, large = given.words or [0.5, 10]
    text = elsewhere.documents(cases("fict15"), data, small, large, runs=given.runs)
    yield "stanza", "threads: 1; CPU seconds for a million words", text


def count(given: argparse.Namespace, data: Data) -> Tables:
    """`fictc count` with one filter in a new process."""
    for millions in given.words or [10]:
        text = counting.measure(cases("fict15", given.only), data.store(millions), given.runs)
        yield f"count {millions:g}", f"{millions:g} million words", text


def imports(given: argparse.Namespace, data: Data) -> Tables:
    """`fictc import`, its columns alone, and Stanza's `conll2doc`."""
    yield "import", "medians", importing.measure(data, given.words or [1, 10], given.jobs, given.runs)


def write(given: argparse.Namespace, data: Data) -> Tables:
    """The corpora of fifteen filters, written."""
    for millions in given.words or [10]:
        yield f"write {millions:g}", f"{millions:g} million words", writing.measure(data.store(millions), given.runs)


def size(given: argparse.Namespace, data: Data) -> Tables:
    """What a store takes on disk."""
    for millions in given.words or [10]:
        yield f"size {millions:g}", f"{millions:g} million words", sizes.measure(data.store(millions))


def parse(given: argparse.Namespace, data: Data) -> Tables:
    """`fictc annotate` in shards, and Stanza called for each sentence; needs --models."""
    texts = annotate.sentences([data.corpus(0.5)])[: given.sentences]
    text = annotate.measured(texts, given.models, given.package, given.single)
    yield "annotate", "one run; loading the models is not counted", text


def lint(_given: argparse.Namespace, _data: Data) -> Tables:
    """`fictc lint` over 1,000 files."""
    yield "lint", "one run", linting.measure()


def training(given: argparse.Namespace, _data: Data) -> Tables:
    """Training beside a bare loop of torch and transformers' Trainer."""
    from benchmarks.training import measure  # torch is slow to load

    yield "training", "one thread; tokens a CPU second, start-up not counted", measure(given.runs)


COMMANDS: dict[str, Callable[[argparse.Namespace, Data], Tables]] = {
    "filters": filters,
    "tools": tools,
    "stanza": stanza,
    "count": count,
    "import": imports,
    "write": write,
    "size": size,
    "annotate": parse,
    "lint": lint,
    "training": training,
}


def main() -> None:
    """Measure and print."""
    told = "\n".join(f"  {name:8} {command.__doc__}" for name, command in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"{__doc__}\n\n{told}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("--data", type=Path, required=True, help="a folder that keeps corpora and stores")
    parser.add_argument("--treebanks", type=Path, nargs="+", default=[], help="the CoNLL-U files to make them of")
    parser.add_argument("--words", type=float, nargs="+", help="sizes in million words")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of DuckDB, ours and the naive queries' alike")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="processes that import")
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--peers", nargs="*", default=list(matching.PEERS), choices=list(matching.PEERS))
    parser.add_argument("--only", nargs="+", default=[], metavar="FILTER", help="these filters alone")
    parser.add_argument("--models", type=Path, help="Stanza models, for annotate")
    parser.add_argument("--package", default="default", help="which of the models")
    parser.add_argument("--sentences", type=int, default=20_000, help="how many annotate parses")
    parser.add_argument("--single", type=int, default=4_000, help="how many of them one by one")
    parser.add_argument("--page", type=Path, help="the page to put the tables into, for instance docs/performance.md")
    given = parser.parse_args()
    for name, what, text in COMMANDS[given.command](given, Data(given.data, given.treebanks)):
        runs = f"{given.runs} run{'s' if given.runs > 1 else ''}"
        whole = f"{described(PACKAGES)}; {runs}; {what}\n\n{text}"
        print(f"## {name}\n\n{whole}", flush=True)
        if given.page is not None:
            put(given.page, name, whole)


if __name__ == "__main__":
    main()
