"""Run a benchmark, print its table as Markdown and, with `--page`, write it to the documentation."""

from __future__ import annotations

import argparse
from argparse import ArgumentError
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import annotate, counting, elsewhere, exploring, importing, linting, matching, rewriting, sizes, writing
from benchmarks.cases import SETS, Case, cases
from benchmarks.corpora import NoSentencesError
from benchmarks.data import Data
from benchmarks.machine import describe_machine
from benchmarks.page import replace_table
from fictdsl.diagnostics.suggest import nearest

PACKAGES = ("duckdb", "pyarrow", "stanza", "udapi", "spacy", "graphannis", "torch", "transformers")
Tables = Iterator[tuple[str, str, str]]  # the table's name, a note on its figures, the table


def selected_cases(sets: Sequence[str], only: Sequence[str]) -> dict[str, list[Case]]:
    """Return the filters of each set that `only` names, or all. Sets without such a filter are omitted.

    Raises ArgumentError if no set has a filter of that name.
    """
    all_cases = {name: cases(name) for name in sets}
    names = [case.name for set_cases in all_cases.values() for case in set_cases]
    for name in only:
        if name not in names:
            suggestion = nearest(name, names)
            hint = f"; the nearest is {suggestion}" if suggestion else ""
            raise ArgumentError(None, f"--only: no filter {name} in {', '.join(sets)}{hint}")
    selected = {
        name: [case for case in set_cases if not only or case.name in only] for name, set_cases in all_cases.items()
    }
    return {name: set_cases for name, set_cases in selected.items() if set_cases}


def filters(options: argparse.Namespace, data: Data) -> Tables:
    """Compare filters with hand-written SQL and with reading the columns that they name."""
    for millions in options.words or [10]:
        for name, set_cases in selected_cases(options.sets, options.only).items():
            rows = matching.measure(
                set_cases,
                data,
                millions,
                runs=options.runs,
                threads=options.threads,
                peers=options.peers,
            )
            yield f"{name} {millions:g}", f"threads: {options.threads}; CPU seconds", matching.render(rows)


def tools(options: argparse.Namespace, data: Data) -> Tables:
    """Compare filters with those of Udapi, spaCy and graphANNIS that are installed."""
    sizes = options.words or [0.5]
    for millions in sizes:
        text = elsewhere.tools(selected_cases(["fict15"], options.only)["fict15"], data, millions, runs=options.runs)
        name = "tools" if len(sizes) == 1 else f"tools {millions:g}"
        yield name, f"threads: 1; CPU seconds on {millions:g} million words", text


def stanza(options: argparse.Namespace, data: Data) -> Tables:
    """Compare filters with loops over pickled Stanza documents; the loops run on the first size only."""
    millions = options.words or [0.5, 10]
    if len(millions) != 2:
        raise ArgumentError(None, "stanza takes two sizes: --words SMALL LARGE")
    small_size, large_size = millions
    text = elsewhere.documents(cases("fict15"), data, small_size, large_size, runs=options.runs)
    yield "stanza", "threads: 1; CPU seconds per million words", text


def count(options: argparse.Namespace, data: Data) -> Tables:
    """Measure `fictc count` with one filter in a new process."""
    for millions in options.words or [10]:
        text = counting.measure(selected_cases(["fict15"], options.only)["fict15"], data.store(millions), options.runs)
        yield f"count {millions:g}", f"{millions:g} million words", text


def explore(options: argparse.Namespace, data: Data) -> Tables:
    """Measure the first page of matches in `fictc explore`, for filters of --sets and queries as users type them."""
    selected = selected_cases(options.sets, options.only)
    queries = exploring.queries([case for set_cases in selected.values() for case in set_cases])
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
    """Compare rewriting all sentences with loops over trees (first size only), and few sentences with removing them."""
    sizes = options.words or [1, 8]
    words = round(sizes[0] * 1_000_000)
    note = f"threads: 1; {sizes[0]:g} million words"
    yield "reorder", note, rewriting.reorder(data.corpus(sizes[0]), data.store(sizes[0]), words, options.runs)
    yield "change few", "threads: 1", rewriting.change_few({size: data.store(size) for size in sizes}, options.runs)


def size(options: argparse.Namespace, data: Data) -> Tables:
    """Measure the size of a store on disk, in bytes and bytes per word."""
    for millions in options.words or [10]:
        yield f"size {millions:g}", f"{millions:g} million words", sizes.measure(data.store(millions))


def parse(options: argparse.Namespace, data: Data) -> Tables:
    """Compare `fictc annotate` with one call of Stanza per sentence."""
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


OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "data": {"type": Path, "required": True, "help": "folder for corpora and stores, which later runs reuse"},
    "treebanks": {"type": Path, "nargs": "+", "default": [], "help": "CoNLL-U files that corpora are made from"},
    "words": {"type": float, "nargs": "+", "help": "sizes in million words"},
    "runs": {"type": int, "default": 3, "help": "number of rounds"},
    "threads": {"type": int, "default": 1, "help": "threads of DuckDB, for fictc and for naive queries"},
    "jobs": {"type": int, "nargs": "+", "default": [1, 2], "help": "numbers of processes"},
    "sets": {"nargs": "+", "default": list(SETS), "choices": list(SETS), "help": "sets of filters"},
    "peers": {"nargs": "*", "default": list(matching.PEERS), "choices": list(matching.PEERS), "help": "other ways"},
    "only": {"nargs": "+", "default": [], "metavar": "FILTER", "help": "only these filters"},
    "models": {"type": Path, "required": True, "help": "Stanza models"},
    "package": {"default": annotate.DEFAULT_PACKAGE, "help": "package of the models"},
    "sentences": {"type": int, "default": 20_000, "help": "number of sentences"},
    "single": {"type": int, "default": 4_000, "help": "number of sentences parsed one by one"},
}
CORPUS = ("data", "treebanks")
# each command with the options that it uses, apart from --page
COMMANDS: dict[str, tuple[Callable[[argparse.Namespace, Data], Tables], Sequence[str]]] = {
    "filters": (filters, (*CORPUS, "words", "runs", "threads", "sets", "peers", "only")),
    "tools": (tools, (*CORPUS, "words", "runs", "only")),
    "stanza": (stanza, (*CORPUS, "words", "runs")),
    "count": (count, (*CORPUS, "words", "runs", "only")),
    "explore": (explore, (*CORPUS, "words", "runs", "sets", "only")),
    "import": (imports, (*CORPUS, "words", "runs", "jobs")),
    "write": (write, (*CORPUS, "words", "runs")),
    "rewrite": (rewrite, (*CORPUS, "words", "runs")),
    "size": (size, (*CORPUS, "words")),
    "annotate": (parse, (*CORPUS, "models", "package", "sentences", "single")),
    "lint": (lint, ()),
    "training": (training, ("runs",)),
}


def argument_parser() -> argparse.ArgumentParser:
    """Return a parser with a subcommand for each benchmark, which accepts only the options that it uses."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.set_defaults(data=Path(), treebanks=[])  # for the benchmarks without a corpus
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (command, used_options) in COMMANDS.items():
        subparser = commands.add_parser(name, help=command.__doc__, description=command.__doc__)
        for option in used_options:
            subparser.add_argument(f"--{option}", **OPTIONS[option])
        subparser.add_argument("--page", type=Path, help="page to write the tables to, such as docs/performance.md")
    return parser


def main() -> None:
    """Run the command of the command line."""
    parser = argument_parser()
    options = parser.parse_args()
    command, used_options = COMMANDS[options.command]
    runs = f"{options.runs} run{'s' if options.runs > 1 else ''}; " if "runs" in used_options else ""
    try:
        for name, note, text in command(options, Data(options.data, options.treebanks)):
            section = f"{describe_machine(PACKAGES)}; {runs}{note}\n\n{text}"
            print(f"## {name}\n\n{section}", flush=True)
            if options.page is not None:
                replace_table(options.page, name, section)
    except (ArgumentError, NoSentencesError) as error:
        parser.error(f"{options.command}: {error}")


if __name__ == "__main__":
    main()
