"""Read the results of the steps of a plan from the cache: stores, corpora, suites, tokens and edits."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.corpus import ConditionCorpus, Flags
from runner.conditions.edits import Edit, read_edits
from runner.conditions.inject import UNITS
from runner.conditions.injected_text import read_units
from runner.conditions.intervention import arrangements_of, word_edits_of
from runner.corpus.sentence_arrays import Indices, Sentences, read_lines, read_sentences, read_values
from runner.corpus.store import Store
from runner.execute.cache import Cache
from runner.execute.warnings import EDITS
from runner.model.saved import load_tokenizer
from runner.model.token_rows import ChangeLine, omitted_lines
from runner.readers import parse_json
from runner.score.any_suite import BY_NAME
from runner.steps.models import FULL
from runner.steps.names import TextName
from runner.steps.plan import RunPlan
from runner.steps.suites import SuiteEntry

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


INJECTED = "injected"  # the source of injected lines
ORIGINALS = "originals.npy"  # whether each line is the original of another, edited line
STAGES = "stages.json"  # the name and the first line of each stage of an order


@dataclass(frozen=True)
class InjectedLine:
    line: int
    text: str
    target: bool


class Prepared:
    """Reads results on demand. A step must be in the cache before its result is read; nothing is built here.

    Stores, the sentences of the training text and document numbers stay in memory, so an object serves one state of
    the cache.
    """

    def __init__(self, plan: RunPlan, cache: Cache) -> None:
        self.plan = plan
        self.cache = cache
        self._base: Sentences | None = None
        self._documents: dict[str, Indices] = {}  # by split
        self._stores: dict[str, Store] = {}  # kept open: opening a store's DuckDB database takes longer than a query

    def store(self, name: str) -> Store:
        if name not in self._stores:
            self._stores[name] = Store.open(self.cache.folder(self.plan.stores[name]) / "store")
        return self._stores[name]

    def matched(self, key: str) -> Indices:
        sids: Indices = np.load(self.cache.folder(self.plan.matches[key]) / "sids.npy")
        return sids

    def match_counts(self, key: str) -> Indices:
        import pyarrow.parquet as pq

        table = pq.read_table(self.cache.folder(self.plan.matches[key]) / "matches.parquet", columns=["sid"])
        return np.bincount(table["sid"].to_numpy(), minlength=len(self.base().words)).astype(np.int64)

    def sids(self, name: TextName) -> Indices:
        """Return the sentence id of each line of a text, or −k − 1 for line k of an injected text."""
        if name in self.plan.corpora:
            sids: Indices = np.load(self.cache.folder(self.plan.corpora[name]) / "sids.npy")
            return sids
        dropped = [sid for sid, edit in self.edits(name).items() if edit.text is None]
        return np.delete(np.arange(self.store(name.split).info.sentences, dtype=np.int64), dropped)

    def is_edited(self, corpus: TextName) -> Flags:
        """Return a flag for each line of a corpus: False for the original of an edited line, otherwise True."""
        path = self.cache.folder(self.plan.corpora[corpus]) / ORIGINALS
        return ~np.load(path) if path.exists() else np.ones(len(self.sids(corpus)), dtype=bool)

    def corpus(self, name: TextName) -> ConditionCorpus:
        """Return a corpus as it was made, without texts. What it excludes counts as removed."""
        folder, sids = self.cache.folder(self.plan.corpora[name]), self.sids(name)
        removed, replaced = np.load(folder / "removed.npy"), folder / "replaced.npy"
        words, by = self.base().words, self.plan.resolved.manifest.size.by
        return ConditionCorpus(
            removed,
            removed[:0],
            words,
            np.zeros_like(words),
            by,
            self.edits(name),
            sids,
            self.is_edited(name),
            replaced=np.load(replaced) if replaced.exists() else removed[:0],
        )

    def injected_lines(self, corpus: TextName) -> list[InjectedLine]:
        units, sids = self.units_of(corpus), self.sids(corpus)
        if units is None:
            return []
        texts, _, targets = read_units(units)
        lines = np.flatnonzero(sids < 0)  # the sid of line k of the injected text is −k − 1, so `~sid` is k
        return [
            InjectedLine(line + 1, texts[~sid], targets[~sid])
            for line, sid in zip(lines.tolist(), sids[lines].tolist(), strict=True)
        ]

    def stage_sentences(self, corpus: TextName) -> list[tuple[str, Indices]]:
        sids, condition = self.sids(corpus), self.condition(corpus)
        base_sids, base = sids[sids >= 0], self.base_corpus()
        arrangements = arrangements_of(condition)
        return [stage for arrangement in arrangements for stage in arrangement.stages(condition, base_sids, base)]

    def tokens(self, name: TextName) -> Path:
        return self.cache.folder(self.plan.tokens[name]) / "tokens"

    def tokenizer(self) -> Path:
        return self.cache.folder(self.plan.tokenizer) / "tokenizer"

    def suite(self, name: str, condition: str = FULL) -> Path:
        """Return the file of a suite as a condition edits it."""
        kind = self.suite_settings(name).kind
        return self.cache.folder(self.plan.suite_for(name, condition)) / BY_NAME[kind].file

    def suite_settings(self, name: str) -> SuiteEntry:
        return next(suite for suite in self.plan.resolved.suites if suite.name == name)

    def base(self) -> Sentences:
        if self._base is None:
            self._base = read_sentences(self.store("train"))
        return self._base

    def base_corpus(self) -> BaseCorpus:
        return BaseCorpus(self.store("train"), self.base(), self.matched, self.match_counts)

    def edits(self, name: TextName) -> Mapping[int, Edit]:
        step = self.plan.edits.get(name)
        return {} if step is None else read_edits(self.cache.folder(step) / EDITS)

    def units_of(self, name: TextName) -> Path | None:
        step = self.plan.units.get(name)
        return None if step is None else self.cache.folder(step) / UNITS

    def condition(self, name: TextName) -> Condition:
        drawn = self.plan.conditions_by_corpus.get(name)
        return self.plan.resolved.conditions[name.condition or FULL] if drawn is None else drawn

    def lines(self, name: TextName) -> list[str]:
        if name in self.plan.corpora:
            path = self.cache.folder(self.plan.corpora[name]) / "text.txt"
            return path.read_bytes().decode().split("\n")[:-1]  # only a newline ends a line
        edits = self.edits(name)
        texts = (
            edits[sid].text if sid in edits else line for sid, line in enumerate(read_lines(self.store(name.split)))
        )
        return [text for text in texts if text is not None]

    def row_change(self, name: TextName, tokenizer: PreTrainedTokenizerBase) -> ChangeLine | None:
        condition = self.condition(name)
        changes = (edit.row_change(condition, tokenizer) for edit in word_edits_of(condition))
        change = next((change for change in changes if change is not None), None)
        if change is None:
            return None
        sentences, sids = read_sentences(self.store(name.split)), self.sids(name).tolist()

        def change_line(line: int, row: list[int]) -> list[int] | None:
            sid = sids[line]
            if sid < 0:
                return change(INJECTED, ~sid, row)
            return change(sentences.sources[sid], sentences.numbers[sid], row)

        return change_line

    def stages(self, name: TextName) -> list[tuple[str, int]]:
        """Return the stages of a condition's order: their names and their first rows in the encoded corpus."""
        path = self.cache.folder(self.plan.corpora[name]) / STAGES
        if not path.exists():
            return []
        stages = [(str(stage), int(line)) for stage, line in parse_json(path.read_text(encoding="utf-8"))]
        tokenizer = load_tokenizer(self.tokenizer())
        change = self.row_change(name, tokenizer)
        if change is None:
            return stages
        omitted = omitted_lines(self.lines(name), tokenizer, change)
        return [(stage, line - int(np.searchsorted(omitted, line))) for stage, line in stages]

    def documents(self, name: TextName) -> Indices:
        if name.split not in self._documents:
            self._documents[name.split] = document_numbers(self.store(name.split))
        return document_starts(self._documents[name.split], self.sids(name), self.units_of(name))


def document_numbers(store: Store) -> Indices:
    """Return the number of each sentence's document. A sentence outside any document is a document by itself."""
    sources, documents = read_values(store, "source"), read_values(store, "doc")
    numbers: dict[Hashable, int] = {}
    keys = (
        sid if document is None else (source, document)
        for sid, (source, document) in enumerate(zip(sources, documents, strict=True))
    )
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(sources))


def document_starts(numbers: Indices, sids: Indices, units: Path | None = None) -> Indices:
    """Return the indices of the first lines of documents. An injected unit is one; adjacent sentences may be."""
    first_lines = np.zeros(1, dtype=np.int64) if units is None else np.array(read_units(units)[1])
    is_base = sids >= 0
    documents = np.empty(len(sids), dtype=np.int64)
    documents[is_base] = numbers[sids[is_base]]
    documents[~is_base] = -np.searchsorted(first_lines, ~sids[~is_base], "right")
    return np.flatnonzero(np.diff(documents, prepend=~documents[:1]))
