"""Examples into what an engine finds in each of them: the reference interpreter, or the compiled SQL on a store."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from fictdsl.reference.evaluate import matches
from runner.cli.examples.examples import Example, Match

Found = list[set[Match]]  # one set for each example, in their order


def by_reference(examples: Sequence[Example]) -> Found:
    """The matches that the reference interpreter finds."""
    return [matches(e.filter.module, e.filter.definition, e.filter.value, e.sentence) for e in examples]


def by_database(examples: Sequence[Example]) -> Found | None:
    """The matches that the compiled SQL finds; None where DuckDB is not installed."""
    if not examples or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return None
    from runner.corpus.ingest.import_conllu import import_files
    from runner.corpus.query.matches import match

    first, groups = _places(examples), _by_filter(examples)
    found: Found = [set() for _ in examples]
    with TemporaryDirectory() as folder:
        store = import_files(list(first), Path(folder) / "store")
        for group in groups.values():
            compiled = examples[group[0]].filter
            rows = _rows(match(store, compiled.statement(layout=store.layout)).to_pydict(), compiled.names)
            for place in group:
                found[place] = rows.get(first[examples[place].path] + examples[place].number, set())
    return found


def _places(examples: Sequence[Example]) -> dict[Path, int]:
    """For each file, the number that its first sentence has in a store of all of them."""
    sizes = {example.path: example.total for example in examples}
    first, total = {}, 0
    for path, size in sizes.items():
        first[path] = total
        total += size
    return first


def _by_filter(examples: Sequence[Example]) -> dict[tuple[Path, str], list[int]]:
    groups: dict[tuple[Path, str], list[int]] = {}
    for place, example in enumerate(examples):
        groups.setdefault((example.path, example.filter.name), []).append(place)
    return groups


def _rows(table: dict[str, list[int | None]], names: Sequence[str]) -> dict[int, set[Match]]:
    """The matches of each sentence, from the columns `sid, m0, m1, …`."""
    found: dict[int, set[Match]] = {}
    for sid, *words in zip(*table.values(), strict=True):
        assert sid is not None
        bound = ((name, word) for name, word in zip(names, words, strict=True) if word is not None)
        found.setdefault(sid, set()).add(frozenset(bound))
    return found
