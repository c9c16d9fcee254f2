"""Real treebanks and filters into a verdict: does the SQL find, in every sentence, what the reference finds?

    python scripts/compare_engines.py FILE.conllu… [--store STORE] [--filters PATH…]

STORE is a store of these very files, in this order; without it, one is made and thrown away. PATH are filter
files or folders, the shipped filters where none is given. Prints a line for each filter: sentences with a match
and matches by both engines, and the seconds each took. Ends with 1 if they differ anywhere.
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

Found = dict[int, set[Match]]  # the matches of each sentence that has any, by its number in the store


@dataclass
class Judged:
    """One filter, what each engine finds, and how long it took."""

    name: str
    filter: CompiledFilter
    sql: Found
    reference: Found
    sql_seconds: float = 0.0
    reference_seconds: float = 0.0


def main(arguments: list[str] | None = None) -> int:
    """Compare, print, and return 1 if the engines differ."""
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
    """The filters of files and folders, named `folder/filter`."""
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
    table = match(store, each.filter.statement()).to_pydict()
    for sid, *words in zip(*table.values(), strict=True):
        bound = zip(each.filter.names, words, strict=True)
        found = frozenset((name, word) for name, word in bound if word is not None)
        each.sql.setdefault(sid, set()).add(found)
    each.sql_seconds = time.perf_counter() - start


def _by_reference(judged: list[Judged], files: list[Path]) -> int:
    """Ask the reference about every sentence, one file in memory at a time; how many sentences there were."""
    evaluators = [Evaluator(each.filter.module, each.filter.definition, each.filter.value) for each in judged]
    first = 0
    for file in files:
        sentences = read(file.read_text("utf-8-sig"))
        for each, evaluator in zip(judged, evaluators, strict=True):
            start = time.perf_counter()
            for sid, sentence in enumerate(sentences, start=first):
                if found := evaluator.matches(sentence):
                    each.reference[sid] = found
            each.reference_seconds += time.perf_counter() - start
        first += len(sentences)
    return first


def _print(each: Judged) -> None:
    def counts(found: Found) -> str:
        return f"{len(found):>6} sentences {sum(map(len, found.values())):>7} matches"

    print(f"{each.name:<45} SQL {counts(each.sql)} {each.sql_seconds:6.2f} s   ", end="")
    print(f"reference {counts(each.reference)} {each.reference_seconds:6.2f} s")
    wrong = sorted(s for s in each.sql.keys() | each.reference.keys() if each.sql.get(s) != each.reference.get(s))
    for sid in wrong[:3]:
        print(f"  sentence {sid}: SQL {each.sql.get(sid)}, reference {each.reference.get(sid)}")


if __name__ == "__main__":
    sys.exit(main())
