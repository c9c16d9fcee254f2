"""Compare the matches of the compiled SQL and of the reference interpreter on real treebanks.

    python scripts/compare_engines.py FILE.conllu… [--store STORE] [--filters PATH…]

STORE is a store of these files, in this order; by default, a temporary one is made. PATH are filter files or folders;
the default is the shipped filters. Prints a line per filter: matching sentences, matches and seconds of both engines.
Exits with 1 if the engines differ.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.installation import shipped
from fictdsl.reference.evaluate import Evaluator, Match
from fictdsl.reference.sentences import read
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import match
from runner.corpus.store import Store

MatchesBySentence = dict[int, set[Match]]  # the matches of each matching sentence, by its number in the store


@dataclass
class Comparison:
    """A filter, the matches of each engine, and their times."""

    name: str
    filter: CompiledFilter
    sql: MatchesBySentence
    reference: MatchesBySentence
    sql_seconds: float = 0.0
    reference_seconds: float = 0.0


def main(arguments: list[str] | None = None) -> int:
    """Print the comparison of all filters. Return 1 if the engines differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.conllu")
    parser.add_argument("--store", type=Path)
    parser.add_argument("--filters", nargs="*", type=Path, default=[shipped("filters")], metavar="PATH")
    options = parser.parse_args(arguments)
    comparisons = [Comparison(name, compiled, {}, {}) for name, compiled in filters(options.filters)]
    start = time.perf_counter()
    with _store(options.store, options.files) as store:
        for comparison in comparisons:
            _run_sql(comparison, store)
    sentences = _run_reference(comparisons, options.files)
    for comparison in comparisons:
        _print_comparison(comparison)
    differing = sum(comparison.sql != comparison.reference for comparison in comparisons)
    print(
        f"{len(comparisons)} filters, {sentences} sentences, {len(comparisons) * sentences} verdicts, "
        f"{differing or 'no'} filters on which SQL and reference differ; {time.perf_counter() - start:.0f} s"
    )
    return 1 if differing else 0


def filters(paths: list[Path]) -> Iterator[tuple[str, CompiledFilter]]:
    """Yield the filters of files and folders, named `folder/filter`."""
    for path in paths:
        for file in sorted(path.rglob("*.fict")) if path.is_dir() else [path]:
            compilation = compile_file(file)
            if compilation.errors:
                sys.exit("\n".join(f"{file}: {error.code} {error.message}" for error in compilation.errors))
            for compiled in compilation.filters:
                yield f"{file.parent.name}/{compiled.name}", compiled


@contextlib.contextmanager
def _store(path: Path | None, files: list[Path]) -> Iterator[Store]:
    if path is not None:
        yield Store.open(path)
        return
    with TemporaryDirectory() as folder:
        yield import_files(files, Path(folder) / "store")


def _run_sql(comparison: Comparison, store: Store) -> None:
    start = time.perf_counter()
    table = match(store, comparison.filter).to_pydict()
    for sid, *words in zip(*table.values(), strict=True):
        pairs = zip(comparison.filter.names, words, strict=True)
        binding = frozenset((name, word) for name, word in pairs if word is not None)
        comparison.sql.setdefault(sid, set()).add(binding)
    comparison.sql_seconds = time.perf_counter() - start


def _run_reference(comparisons: list[Comparison], files: list[Path]) -> int:
    """Evaluate the reference on every sentence, one file at a time; return the number of sentences."""
    evaluators = [
        Evaluator(comparison.filter.module, comparison.filter.definition, comparison.filter.value)
        for comparison in comparisons
    ]
    first_sid = 0
    for file in files:
        sentences = read(file.read_text("utf-8-sig"))
        for comparison, evaluator in zip(comparisons, evaluators, strict=True):
            start = time.perf_counter()
            for sid, sentence in enumerate(sentences, start=first_sid):
                if matches := evaluator.matches(sentence):
                    comparison.reference[sid] = matches
            comparison.reference_seconds += time.perf_counter() - start
        first_sid += len(sentences)
    return first_sid


def _print_comparison(comparison: Comparison) -> None:
    def counts(matches: MatchesBySentence) -> str:
        return f"{len(matches):>6} sentences {sum(map(len, matches.values())):>7} matches"

    print(f"{comparison.name:<45} SQL {counts(comparison.sql)} {comparison.sql_seconds:6.2f} s   ", end="")
    print(f"reference {counts(comparison.reference)} {comparison.reference_seconds:6.2f} s")
    differing = sorted(
        sid
        for sid in comparison.sql.keys() | comparison.reference.keys()
        if comparison.sql.get(sid) != comparison.reference.get(sid)
    )
    for sid in differing[:3]:
        print(f"  sentence {sid}: SQL {comparison.sql.get(sid)}, reference {comparison.reference.get(sid)}")


if __name__ == "__main__":
    sys.exit(main())
