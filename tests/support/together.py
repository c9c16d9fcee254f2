"""Run filters together, and compare the results with the reference interpreter on each filter alone."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations
from pathlib import Path

import pyarrow as pa

from fictdsl.compiler import CompiledFilter
from fictdsl.reference.sentences import Sentence
from runner.corpus.actions import ActionTargets, action_targets, drop_sentences, drops_sentences_only
from runner.corpus.add_layer import add_layer
from runner.corpus.engine import Engine, Tally
from runner.corpus.filter_arguments import filter_labels
from runner.corpus.import_conllu import import_files
from runner.corpus.index_build import build_index
from runner.corpus.layer_files import SCHEMA
from runner.corpus.lint_facts import gather_facts
from runner.corpus.match_groups import ABSENT, UNBOUND, count_groups
from runner.corpus.match_keys import GroupKey, WordAttribute
from runner.corpus.statistics import OTHER, frequencies, whole_corpus
from runner.corpus.store import Store
from tests.support.corpora import conllu
from tests.support.engines import reference_matches, taken_by_reference
from tests.support.strategies.sets import Bank

SOURCE = "bank.conllu"


def store_of(bank: Bank, folder: Path, *, indexed: bool) -> Store:
    """Write the bank as a store, optionally with a layer and an index."""
    folder.mkdir(parents=True)
    file = folder / SOURCE
    file.write_text(conllu(bank.files()), encoding="utf-8")
    store = import_files([file], folder / "store")
    rows = [
        (sid, word.id, name, value)
        for sid, sentence in enumerate(bank.sentences)
        for word in sentence.words
        for name in bank.layered
        for value in word.feats.get(name, ())
    ]
    if rows:
        columns = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), SCHEMA, strict=True)]
        add_layer(store, "layer", "feature", [pa.Table.from_arrays(columns, schema=SCHEMA)], file)
        store = Store.open(store.path)
    if indexed:
        build_index(store)
        store = Store.open(store.path)
    return store


@dataclass(frozen=True)
class Alone:
    """The matches and targets of each filter by itself, in sentences numbered from 0."""

    bank: Sequence[Sentence]
    filters: Sequence[CompiledFilter]

    @cached_property
    def found(self) -> list[dict[int, set[frozenset[tuple[str, int]]]]]:
        """The matches of each filter by sentence."""
        return [reference_matches(each, self.bank) for each in self.filters]

    def tally(self) -> Tally:
        """The counts of the filters, each by itself and together."""
        lengths = [len(sentence.words) for sentence in self.bank]
        counts = Tally()
        for index, found in enumerate(self.found):
            counts.matches[index] = sum(map(len, found.values()))
            counts.sentences[index] = len(found)
            counts.words[index] = sum(lengths[sid] for sid in found)
        for sid, length in enumerate(lengths):
            matching = [index for index, found in enumerate(self.found) if sid in found]
            counts.sentences_by_filter_count[len(matching)] += 1 if matching else 0
            counts.words_by_filter_count[len(matching)] += length if matching else 0
            counts.sentences_of_pair.update(combinations(matching, 2))
        return counts

    def rows(self) -> list[tuple[object, ...]]:
        """For each sentence that any filter matches: its source, number, sent_id, and each filter's matches."""
        return [
            (SOURCE, sid + 1, self.bank[sid].sent_id, *(len(found.get(sid, ())) for found in self.found))
            for sid in sorted(set().union(*self.found))
        ]

    def taken(self) -> dict[int, list[ActionTargets]]:
        """The targets of each action in each sentence."""
        by_sentence: dict[int, list[ActionTargets]] = {}
        for number, (each, found) in enumerate(zip(self.filters, self.found, strict=True)):
            by_action = taken_by_reference(each, self.bank, found)
            for place, (action, of) in enumerate(zip(each.ir.actions, by_action, strict=True)):
                others = {sid: (1, frozenset[int]()) for sid in range(len(self.bank)) if sid not in found}
                on_words = action.target != "sentence" and action.verb != "count"
                for sid, (targets, words) in (others if action.verb == "keep" else of).items():
                    if targets:
                        taken = ActionTargets(number, place, targets, tuple(sorted(words)) if on_words else ())
                        by_sentence.setdefault(sid, []).append(taken)
        return by_sentence

    def left(self, each: int) -> set[int]:
        """Return the sentences that remain after a filter that drops whole sentences."""
        found, compiled = self.found[each], self.filters[each]
        verbs = {action.verb for action in compiled.ir.actions} - {"count"}
        keeps = {sid for sid in range(len(self.bank)) if sid not in found} if "keep" in verbs else set()
        return set(range(len(self.bank))) - keeps - (set(found) if "remove" in verbs else set())


def tallied(engine: Engine, alone: Alone) -> None:
    """Check the counts that `count` and `stats cooccurrence` read from an engine."""
    assert _plain(engine.tally(alone.filters)) == _plain(alone.tally())


def listed(engine: Engine, alone: Alone) -> None:
    """Check the matches that `match` reads from an engine, as ids and as a table."""
    names = filter_labels(alone.filters)
    tables = list(engine.by_sentence(alone.filters, names))
    assert all(table.column_names[3:] == names for table in tables)
    assert [row for table in tables for row in _rows(table)] == alone.rows()
    assert engine.sids(alone.filters).tolist() == sorted(set().union(*alone.found))


def _rows(table: pa.Table) -> Iterator[tuple[object, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _plain(tally: Tally) -> dict[str, dict[object, int]]:
    return {each.name: dict(+Counter(getattr(tally, each.name))) for each in fields(tally)}


def taken(store: Store, alone: Alone) -> None:
    """Check the targets that `apply` and a manifest's conditions use."""
    took: dict[int, list[ActionTargets]] = {}
    for part in action_targets(store, alone.filters):
        took |= part
    assert took == alone.taken()


def left_over(store: Store, alone: Alone) -> None:
    """Check the sentences that remain after `apply`, for each filter and for all, if whole sentences are dropped."""
    dropping = [index for index, each in enumerate(alone.filters) if drops_sentences_only(each)]
    if not dropping:
        return
    chosen = [alone.filters[index] for index in dropping]
    corpora = [*([number] for number in range(len(chosen))), range(len(chosen))]
    left = drop_sentences(store, chosen, corpora, "text", [io.BytesIO() for _ in corpora])
    expected = [alone.left(index) for index in dropping]
    assert left.kept == [*map(len, expected), len(set(range(len(alone.bank))).intersection(*expected))]


def described(store: Store, alone: Alone) -> None:
    """Check what `lint --corpus`, `stats` and `show --by` read: all features of the store at once."""
    facts, unanswered = gather_facts(store, {}, alone.filters)
    assert not unanswered
    assert facts.match_counts == {each.key: len(found) for each, found in zip(alone.filters, alone.found, strict=True)}
    names = sorted(store.info.features)
    counts = {name: Counter(_value(word.feats, name, OTHER) for word in _words(alone.bank)) for name in names}
    assert {name: set(facts.values[name]) for name in names} == {name: set(counts[name]) - {OTHER} for name in names}
    told = frequencies(store, whole_corpus(store), names).counts
    assert {name: {value: number for value, (number,) in of.items()} for name, of in told.items()} == counts
    compiled, found = alone.filters[0], alone.found[0]
    if "X" not in compiled.names or not names:
        return
    rows = count_groups(store, compiled, [GroupKey(f"{name}(X)", WordAttribute((name,), "X")) for name in names])
    by_value: Counter[tuple[str, ...]] = Counter()
    for sid, matches in found.items():
        for match in matches:
            word = dict(match).get("X")
            feats = {} if word is None else alone.bank[sid].words[word - 1].feats
            by_value[tuple(UNBOUND if word is None else _value(feats, name, ABSENT) for name in names)] += 1
    assert {row.values: row.matches for row in rows} == by_value


def _words(bank: Sequence[Sentence]) -> Iterator:
    return (word for sentence in bank for word in sentence.words)


def _value(feats: dict[str, tuple[str, ...]], name: str, otherwise: str) -> str:
    return ",".join(feats[name]) if name in feats else otherwise
