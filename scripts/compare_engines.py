"""Compare the matches of the SQL and of the reference interpreter on real treebanks.

    python scripts/compare_engines.py FILE.conllu… [--store STORE] [--filters PATH…]

STORE is a store of these files, in this order; by default, a temporary one is made. PATH are filter files or folders;
the default is the shipped filters. Prints a line per filter: matching sentences, matches and seconds of both engines.
Ends with 1 if they differ.
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
from fictdsl.reference.conllu import read
from fictdsl.reference.evaluate import Evaluator, Match
from fictdsl.shipped import shipped
from runner.corpus.ingest.import_conllu import import_files
from runner.corpus.query.matches import match
from runner.corpus.store.opening import Store

Found = dict[int, set[Match]]  # the matches of each matching sentence, by its number in the store


@dataclass
class Judged:
    """A filter, the matches of each engine, and their times."""

    name: str
    filter: CompiledFilter
    sql: Found
    reference: Found
    sql_seconds: float = 0.0
    reference_seconds: float = 0.0


def main(arguments: list[str] | None = None) -> int:
    """Compare and print; return 1 if the engines differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.conllu")
    parser.add_argument("--store", type=Path)
    parser.add_argument("--filters", nargs="*", type=Path, default=[shipped("filters")], metavar="PATH")
    options = parser.parse_args(arguments)
    judged = [Judged(name, each, {}, {}) for name, each in filters(options.filters)]
    start = time.perf_counter()
    with _store(options.store, options.files) as store:
        for each in judged:
            _by_sql(each, store)
    sentences = _by_reference(judged, options.files)
    for each in judged:
        _print(each)
    differing = sum(each.sql != each.reference for each in judged)
    print(
        f"{len(judged)} filters, {sentences} sentences, {len(judged) * sentences} verdicts, "
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
            for each in compilation.filters:
                yield f"{file.parent.name}/{each.name}", each


@contextlib.contextmanager
def _store(path: Path | None, files: list[Path]) -> Iterator[Store]:
    if path is not None:
        yield Store.open(path)
        return
    with TemporaryDirectory() as folder:
        yield import_files(files, Path(folder) / "store")


def _by_sql(each: Judged, store: Store) -> None:
    start = time.perf_counter()
    table = match(store, each.filter).to_pydict()
    for sid, *words in zip(*table.values(), strict=True):
        bound = zip(each.filter.names, words, strict=True)
        binding = frozenset((name, word) for name, word in bound if word is not None)
        each.sql.setdefault(sid, set()).add(binding)
    each.sql_seconds = time.perf_counter() - start


def _by_reference(judged: list[Judged], files: list[Path]) -> int:
    """Evaluate the reference on every sentence, one file at a time; return the number of sentences."""
    evaluators = [Evaluator(each.filter.module, each.filter.definition, each.filter.value) for each in judged]
    first = 0
    for file in files:
        sentences = read(file.read_text("utf-8-sig"))
        for each, evaluator in zip(judged, evaluators, strict=True):
            start = time.perf_counter()
            for sid, sentence in enumerate(sentences, start=first):
                if matches := evaluator.matches(sentence):
                    each.reference[sid] = matches
            each.reference_seconds += time.perf_counter() - start
        first += len(sentences)
    return first


def _print(each: Judged) -> None:
    def counts(matches: Found) -> str:
        return f"{len(matches):>6} sentences {sum(map(len, matches.values())):>7} matches"

    print(f"{each.name:<45} SQL {counts(each.sql)} {each.sql_seconds:6.2f} s   ", end="")
    print(f"reference {counts(each.reference)} {each.reference_seconds:6.2f} s")
    differing = sorted(s for s in each.sql.keys() | each.reference.keys() if each.sql.get(s) != each.reference.get(s))
    for sid in differing[:3]:
        print(f"  sentence {sid}: SQL {each.sql.get(sid)}, reference {each.reference.get(sid)}")


if __name__ == "__main__":
    sys.exit(main())
