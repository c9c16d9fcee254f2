"""Find the matches in examples with the reference interpreter, or with the compiled SQL on a temporary store."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from fictdsl.reference.evaluate import matches
from runner.examples.examples import Example, Match

Matches = list[set[Match]]  # one set per example, in order


def reference_matches(examples: Sequence[Example]) -> Matches:
    """Return the matches of the reference interpreter for each example."""
    return [matches(e.filter.module, e.filter.definition, e.filter.value, e.sentence) for e in examples]


def database_matches(examples: Sequence[Example]) -> Matches | None:
    """Return the matches of the compiled SQL for each example.

    Returns None without examples, or if DuckDB or PyArrow is not installed.
    """
    if not examples or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return None
    from runner.corpus.ingest.import_conllu import import_files
    from runner.corpus.query.matches import match

    first_sids, groups = _first_sids(examples), _by_filter(examples)
    results: Matches = [set() for _ in examples]
    with TemporaryDirectory() as folder:
        store = import_files(list(first_sids), Path(folder) / "store")
        for group in groups.values():
            compiled = examples[group[0]].filter
            matches_by_sid = _matches_by_sid(match(store, compiled).to_pydict(), compiled.names)
            for index in group:
                results[index] = matches_by_sid.get(first_sids[examples[index].path] + examples[index].index, set())
    return results


def _first_sids(examples: Sequence[Example]) -> dict[Path, int]:
    """Return, for each file, the id of its first sentence in a store of all files."""
    sentence_counts = {example.path: example.total for example in examples}
    first_sids, total = {}, 0
    for path, sentence_count in sentence_counts.items():
        first_sids[path] = total
        total += sentence_count
    return first_sids


def _by_filter(examples: Sequence[Example]) -> dict[tuple[Path, str], list[int]]:
    groups: dict[tuple[Path, str], list[int]] = {}
    for index, example in enumerate(examples):
        groups.setdefault((example.path, example.filter.name), []).append(index)
    return groups


def _matches_by_sid(table: dict[str, list[int | None]], names: Sequence[str]) -> dict[int, set[Match]]:
    """Return the matches of each sentence, from the columns `sid, m0, m1, …`."""
    matches: dict[int, set[Match]] = {}
    for sid, *words in zip(*table.values(), strict=True):
        assert sid is not None
        bindings = ((name, word) for name, word in zip(names, words, strict=True) if word is not None)
        matches.setdefault(sid, set()).add(frozenset(bindings))
    return matches
