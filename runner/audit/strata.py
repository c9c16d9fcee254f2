"""The strata of an audit: matches, near misses, sentences with a cue word, all others; sheets of random draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fictdsl.compiler import CompiledFilter, compile_text
from fictdsl.semantics import ir
from fictdsl.syntax.nodes import quote
from runner.audit.sheet import STRATA, Sheet, SheetRow, StratumName, StratumSize, marked_words
from runner.corpus.matches import find_near_misses, match_in, matching_sids
from runner.corpus.sentence_arrays import Indices, read_lines, read_sentences, sentence_ranks
from runner.corpus.sentence_texts import conllu_blocks, locate
from runner.corpus.store import Store

# shares of sentences with the construction, as guessed before any is judged
GUESSED_SHARES: Mapping[StratumName, float] = {
    "matches": 0.9,
    "near misses": 0.1,
    "cue words": 0.05,
    "others": 0.005,
}
MAX_NEAR = 0.2  # share of the corpus; a condition without which the filter matches more says nothing about it
MIN_ROWS = 25  # of each stratum, if it has as many sentences


@dataclass(frozen=True)
class Stratum:
    """A part of the corpus. `sources` are the filters that found its sentences, each with all that it found."""

    name: StratumName
    sids: Indices  # ascending
    words: int
    sources: tuple[tuple[CompiledFilter, Indices], ...] = ()


@dataclass(frozen=True)
class Partition:
    """The strata that are not empty, in the order of STRATA, the cue words, and what there was no time to search."""

    strata: tuple[Stratum, ...]
    cues: tuple[str, ...]
    uncounted: tuple[str, ...] = ()


def partition(store: Store, compiled: CompiledFilter, cues: Sequence[str] | None = None) -> Partition:
    """Assign each sentence to the first stratum that it belongs to. Without `cues`, `proposed_cues` are used."""
    used_cues = proposed_cues(store, compiled) if cues is None else tuple(cues)
    misses = list(find_near_misses(store, compiled, store.info.sentences))
    near = [miss for miss in misses if len(miss.sids) <= MAX_NEAR * store.info.sentences]
    sources: dict[StratumName, list[tuple[CompiledFilter, Indices]]] = {
        "matches": [_found(store, compiled)],
        "near misses": [(miss.weaker, miss.sids) for miss in near],
        "cue words": [_found(store, cue_filter(used_cues))] if used_cues else [],
    }
    words, strata = read_sentences(store).words, []
    remaining = np.ones(store.info.sentences, bool)
    for name in STRATA:
        found = np.zeros_like(remaining) if name in sources else np.ones_like(remaining)
        for _, sids in sources.get(name, ()):
            found[sids] = True
        sids = np.flatnonzero(found & remaining)
        remaining[sids] = False
        if len(sids):
            strata.append(Stratum(name, sids, int(words[sids].sum()), tuple(sources.get(name, ()))))
    return Partition(tuple(strata), used_cues, tuple(miss.left_out for miss in misses if miss.sentences is None))


def _found(store: Store, compiled: CompiledFilter) -> tuple[CompiledFilter, Indices]:
    return compiled, matching_sids(store, [compiled])


def cue_filter(cues: Sequence[str]) -> CompiledFilter:
    words = ", ".join(quote(cue.lower()) for cue in cues)
    text = f"fict 1\nfilter cue {{ match {{ W[lower(form) in {{{words}}} or lower(lemma) in {{{words}}}] }} }}\n"
    return compile_text(text).filters[0]


def proposed_cues(store: Store, compiled: CompiledFilter) -> tuple[str, ...]:
    """Return words that instances probably contain, sorted.

    A filter requires words by lists, forms and lemmas. Of the lists that one reading requires, the one with the fewest
    sentences is used: an instance that the filter misses because its tree is wrong still has one of these words.
    """
    frequencies: dict[tuple[str, ...], int] = {}

    def frequency(words: tuple[str, ...]) -> int:
        if words not in frequencies:
            frequencies[words] = len(matching_sids(store, [cue_filter(words)]))
        return frequencies[words]

    lists = [list(_required_words(reading.conjunction)) for reading in compiled.ir.readings]
    return tuple(sorted({word for words in lists if words for word in min(words, key=frequency)}))


def _required_words(conjunction: ir.Conjunction) -> Iterator[tuple[str, ...]]:
    for condition in conjunction.conditions:
        if isinstance(condition, ir.Tested):
            yield from _words_of(condition.test)


def _words_of(test: ir.Test) -> Iterator[tuple[str, ...]]:
    match test:
        case ir.OneOf(ir.Column("form" | "lemma" | "form_l" | "lemma_l"), values) if values:
            yield tuple(sorted({value.lower() for value in values}))
        case ir.Phrase(values):
            yield tuple(sorted({value.split(" ")[0].lower() for value in values}))
        case ir.All(tests):
            for part in tests:
                yield from _words_of(part)
        case ir.Any(tests):
            parts = [next(_words_of(part), ()) for part in tests]
            if all(parts):
                yield tuple(sorted({word for words in parts for word in words}))


def allocate(sizes: Sequence[int], shares: Sequence[float], rows: int) -> list[int]:
    """Return the number of rows of each stratum: Neyman allocation, with MIN_ROWS or all of a smaller stratum.

    The rows are proportional to N·√(p·(1−p)) for `sizes` N and guessed `shares` p (Neyman 1934), within these limits.
    """
    low = [min(size, MIN_ROWS) for size in sizes]
    rows = min(max(rows, sum(low)), sum(sizes))
    weights = [size * math.sqrt(share * (1 - share)) for size, share in zip(sizes, shares, strict=True)]

    def clamped(scale: float) -> list[float]:
        return [min(max(scale * w, least), most) for w, least, most in zip(weights, low, sizes, strict=True)]

    below, above = 0.0, max(size / weight for size, weight in zip(sizes, weights, strict=True))
    for _ in range(100):
        middle = (below + above) / 2
        below, above = (middle, above) if sum(clamped(middle)) < rows else (below, middle)
    exact = clamped(above)
    whole = [math.floor(number + 1e-6) for number in exact]
    order = sorted(range(len(sizes)), key=lambda index: whole[index] - exact[index])
    for index in order[: rows - sum(whole)]:
        whole[index] += 1
    return whole


@dataclass(frozen=True)
class Draw:
    """The drawn sentences of a stratum, by rank, and the ids of the words to highlight in each."""

    stratum: Stratum
    sids: Indices
    highlighted: Mapping[int, Sequence[int]]


def draw(store: Store, compiled: CompiledFilter, strata: Sequence[Stratum], rows: int, seed: int) -> list[Draw]:
    """Draw the sentences of lowest rank of each stratum. The rank depends on the filter, the seed and the sentence."""
    sentences = read_sentences(store)
    ranks = sentence_ranks(f"audit:{compiled.key}:{seed}", sentences.sources, sentences.numbers)
    counts = allocate(
        [len(stratum.sids) for stratum in strata], [GUESSED_SHARES[stratum.name] for stratum in strata], rows
    )
    drawn = []
    for stratum, count in zip(strata, counts, strict=True):
        sids = stratum.sids[np.argsort(ranks[stratum.sids], kind="stable")[:count]]
        drawn.append(Draw(stratum, sids, _first_match_words(store, stratum, np.sort(sids))))
    return drawn


def _first_match_words(store: Store, stratum: Stratum, sids: Indices) -> dict[int, list[int]]:
    """Return the words of the first match of each sentence, by the first filter that found it."""
    words: dict[int, list[int]] = {}
    for compiled, found in stratum.sources:
        missing = np.array([sid for sid in np.intersect1d(sids, found).tolist() if sid not in words], np.int64)
        if len(missing):
            for sid, *ids in zip(*(c.to_pylist() for c in match_in(store, compiled, missing).columns), strict=True):
                words.setdefault(sid, sorted({word for word in ids if word is not None}))
    return words


def make_sheets(
    store: Store, compiled: CompiledFilter, draws: Sequence[Draw], corpus: str, seed: int, judges: int
) -> list[Sheet]:
    """Return a sheet for each judge, with the same sentences in another random order."""
    stratum_of = {sid: draw for draw in draws for sid in draw.sids.tolist()}
    sids = np.array(sorted(stratum_of), np.int64)
    rows = []
    for location, text, block in zip(
        locate(store, sids), read_lines(store, sids), conllu_blocks(store, sids), strict=True
    ):
        draw = stratum_of[location.sid]
        marked = marked_words(block, draw.highlighted.get(location.sid, ()))
        place = location.source, location.number, location.sent_id or ""
        rows.append(SheetRow(text, marked, *place, draw.stratum.name))
    strata = {
        draw.stratum.name: StratumSize(len(draw.sids), len(draw.stratum.sids), draw.stratum.words) for draw in draws
    }
    orders = [
        sentence_ranks(f"audit-order:{seed}:{judge}", *zip(*(row.place for row in rows), strict=True))
        for judge in range(judges)
    ]
    return [
        Sheet(
            compiled.name,
            compiled.key,
            corpus,
            store.key,
            seed,
            strata,
            tuple(rows[index] for index in np.argsort(order, kind="stable")),
        )
        for order in orders
    ]
