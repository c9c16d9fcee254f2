"""`python -m benchmarks COMMAND`: figures as Markdown, printed, and with `--page` put into the page that keeps them."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import elsewhere, matching
from benchmarks.cases import SETS, cases
from benchmarks.data import Data
from benchmarks.machine import described
from benchmarks.page import put


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder that keeps corpora and stores")
    parser.add_argument("--treebanks", type=Path, nargs="+", default=[], help="the CoNLL-U files to make them of")
    parser.add_argument("--page", type=Path, help="the page to put the tables into, for instance docs/performance.md")
    parser.add_argument("--runs", type=int, default=3)
    commands = parser.add_subparsers(dest="command", required=True)
    filters = commands.add_parser("filters", help="filters against hand-written SQL and the decoding of columns")
    filters.add_argument("--words", type=float, nargs="+", default=[10], help="sizes in million words")
    filters.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    filters.add_argument("--only", nargs="+", default=[], help="these filters alone")
    filters.add_argument("--threads", type=int, default=1)
    tools = commands.add_parser("tools", help="Udapi, spaCy and graphANNIS, those that are installed")
    tools.add_argument("--words", type=float, default=0.5)
    stanza = commands.add_parser("stanza", help="loops over pickled Stanza documents")
    stanza.add_argument("--words", type=float, default=0.5)
    stanza.add_argument("--large", type=float, default=10)
    given = parser.parse_args()
    data = Data(given.data, given.treebanks)
    if given.command == "filters":
        for millions in given.words:
            for name in given.sets:
                rows = matching.measure(cases(name, given.only), data, millions, runs=given.runs, threads=given.threads)
                told = f"{described()}; {given.runs} runs, threads: {given.threads}; CPU seconds"
                show(given.page, f"{name} {millions:g}", f"{told}\n\n{matching.render(rows)}")
    elif given.command == "tools":
        told = f"{described(('duckdb', 'udapi', 'spacy', 'graphannis'))}; {given.runs} runs, threads: 1; CPU seconds"
        text = elsewhere.tools(cases("fict15"), data, given.words, runs=given.runs)
        show(given.page, "tools", f"{told} on {given.words:g} million words\n\n{text}")
    elif given.command == "stanza":
        told = f"{described(('duckdb', 'stanza'))}; {given.runs} runs, threads: 1; CPU seconds for a million words"
        text = elsewhere.documents(cases("fict15"), data, given.words, given.large, runs=given.runs)
        show(given.page, "stanza", f"{told}\n\n{text}")


def show(page: Path | None, name: str, text: str) -> None:
    """Print a table, and put it into the page if there is one."""
    print(f"## {name}\n\n{text}", flush=True)
    if page is not None:
        put(page, name, text)


if __name__ == "__main__":
    main()
