"""Select the matches of a sentence that are applied, and carry out their actions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import NamedTuple, assert_never
from unicodedata import normalize

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.corpus.rewrite_draft import EditedTree, InvalidMatchError, Row, StoredSentence
from runner.corpus.rewrite_spelling import with_case_of
from runner.errors import InputError


class Chance(NamedTuple):
    seed: int
    rewrite: str
    action_index: int  # 1-based
    source: str
    sentence_number: int

    def of(self, purpose: str, word: int | None = None) -> int:
        key = [self.seed, purpose, self.rewrite, self.action_index, self.source, self.sentence_number, word]
        digest = blake2b(json.dumps(key, ensure_ascii=True).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big")

    def longest_first(self, head: int) -> bool:
        return self.of("chance", head) % 2 == 1


@lru_cache(65_536)
def inflect(lemma: str, tag: str) -> str | None:
    """Return the form for a Penn Treebank tag, or None if the lemma is unknown. Raises InputError (FICT650)."""
    try:
        from lemminflect import getInflection
    except ImportError as error:
        raise InputError.of("FICT650", package="lemminflect", reason=str(error)) from error
    forms = getInflection(lemma, tag, inflect_oov=False)
    return str(forms[0]) if forms else None


class SentenceSeed(NamedTuple):
    seed: int
    source: str
    number: int


def needs_chance(rewrite: CompiledRewrite) -> bool:
    """Return whether an action makes random choices, so that results depend on `SentenceSeed`."""
    return any(
        isinstance(action, op.Shuffle) or (isinstance(action, op.Order) and action.key == "chance")
        for action in rewrite.operations
    )


def carry_out(draft: EditedTree, rewrite: CompiledRewrite, match: Sequence[int], seed: SentenceSeed) -> None:
    """Carry out the actions whose names are bound. The draft is unusable after an InvalidMatchError."""
    for number, (action, targets) in enumerate(zip(rewrite.operations, rewrite.targets, strict=True), start=1):
        if not op.is_bound(targets, match):
            continue
        chance = Chance(seed.seed, rewrite.name, number, seed.source, seed.number)
        _carry_out(draft, action, match, chance)
    draft.check()


def _carry_out(draft: EditedTree, action: op.Operation, match: Sequence[int], chance: Chance) -> None:
    match action:
        case op.Delete(target=target):
            words = draft.words(target, match)
            draft.deleted.update(words)
            draft.order = [word for word in draft.order if word not in draft.deleted]
            draft.dropped = draft.dropped or target.kind == "sentence"
        case op.Move(target=target, side=side, destination=destination):
            _move(draft, draft.words(target, match), side, destination, match)
        case op.Swap(target=target, other=other):
            _swap(draft, draft.words(target, match), draft.words(other, match))
        case op.Insert():
            _insert(draft, action, match)
        case op.Set(node=node):
            _set(draft, action, draft.words(op.Words("node", (node,)), match)[0], match)
        case op.Reverse(target=target):
            words = draft.words(target, match)
            _fill(draft, words, words[::-1])
        case op.Order(target=target):
            words = draft.words(target, match)
            _fill(draft, words, _ordered(draft, words, action, chance))
        case op.Shuffle(target=target):
            words = draft.words(target, match)
            _fill(draft, words, shuffled(words, action, chance))
        case op.Interleave(target=target):
            words = draft.words(target, match)
            _fill(draft, words, words[::2] + words[1::2])
        case _:
            assert_never(action)


def _fill(draft: EditedTree, words: Sequence[int], new_order: Sequence[int]) -> None:
    """Reorder `words` of the sentence as in `new_order`. Other words keep their positions."""
    if len(words) == len(draft.order):
        draft.order = list(new_order)
        return
    reordered_words, replacements = set(words), iter(new_order)
    draft.order = [next(replacements) if word in reordered_words else word for word in draft.order]


def _insertion_index(order: list[int], words: Sequence[int], side: op.Side) -> int:
    return order.index(words[0]) if side == "before" else order.index(words[-1]) + 1


def _move(draft: EditedTree, words: Sequence[int], side: op.Side, destination: op.Words, match: Sequence[int]) -> None:
    moved_words = set(words)
    other_words = [word for word in draft.order if word not in moved_words]
    if destination.kind == "sentence":
        draft.order = [*words, *other_words] if side == "before" else [*other_words, *words]
        return
    destination_words = draft.words(destination, match)
    if not moved_words.isdisjoint(destination_words):
        raise InvalidMatchError
    index = _insertion_index(other_words, destination_words, side)
    draft.order = [*other_words[:index], *words, *other_words[index:]]


def _swap(draft: EditedTree, words: Sequence[int], other_words: Sequence[int]) -> None:
    if not set(words).isdisjoint(other_words):
        raise InvalidMatchError
    swapped = {*words, *other_words}
    order: list[int] = []
    for word in draft.order:
        if word == words[0]:
            order += other_words
        elif word == other_words[0]:
            order += words
        elif word not in swapped:
            order.append(word)
    draft.order = order


def _insert(draft: EditedTree, action: op.Insert, match: Sequence[int]) -> None:
    index = _insertion_index(draft.order, draft.words(action.destination, match), action.side)
    row: Row = ["_", action.form, *["_"] * 8]
    row[7] = action.label
    word = draft.add(row, match[action.head])
    for name, value in action.columns:
        draft.set_field(word, name, value)
    draft.order.insert(index, word)


def _set(draft: EditedTree, action: op.Set, word: int, match: Sequence[int]) -> None:
    match action.value:
        case op.Constant(text=text):
            draft.set_field(word, action.field, text)
        case op.Copy(node=node, field=field, case=case):
            value = draft.value(match[node], field)
            if value is not None and case is not None:
                cased = {"lower": value.lower(), "upper": value.upper(), "capital": value[:1].upper() + value[1:]}
                value = normalize("NFC", cased[case])
            draft.set_field(word, action.field, value)
        case op.Inflection(node=node, tag=tag):
            lemma = draft.value(match[node], op.Field("lemma"))
            form = None if lemma is None else inflect(lemma, tag)
            if form is None:
                draft.unknown_lemmas += 1
            else:
                replaced = draft.form(word) if action.field.column == "form" else ""
                draft.set_field(word, action.field, with_case_of(replaced, form))
        case _:
            assert_never(action.value)


def _ordered(draft: EditedTree, words: Sequence[int], action: op.Order, chance: Chance) -> list[int]:
    """Return `words`, which are in their current order, in the new order.

    The dependents of a head that are not PUNCT are sorted by the number of words with a letter or digit in their
    subtrees. Dependents of equal weight keep their order. The sorted dependents take the positions of the unsorted
    ones. PUNCT dependents keep their positions, and so does the head. If the order is head-final, the head follows the
    last dependent that is not PUNCT.
    """
    longest_first = action.descending or action.head_final
    heads = draft.heads() if draft.deleted or draft.inserted else draft.stored.heads
    word_set = set(words)
    dependents: dict[int, list[int]] = {}
    roots: list[int] = []
    for word in words:
        head = heads[word]
        if head in word_set:
            dependents.setdefault(head, []).append(word)
        else:
            roots.append(word)
    positions = {word: index for index, word in enumerate(words)}
    weights: dict[int, int] = {}
    blocks: dict[int, list[int]] = {}
    top_down = list(roots)
    for word in top_down:
        top_down += dependents.get(word, ())
    for word in reversed(top_down):
        children = dependents.get(word)
        if children is None:
            weights[word], blocks[word] = has_letter_or_digit(draft.form(word)), [word]
            continue
        weights[word] = has_letter_or_digit(draft.form(word)) + sum(weights[dependent] for dependent in children)
        movable = {dependent for dependent in children if not draft.is_punct(dependent)}
        descending = chance.longest_first(word) if action.key == "chance" else longest_first
        by_weight = iter(sorted(filter(movable.__contains__, children), key=weights.__getitem__, reverse=descending))
        new_order = [next(by_weight) if dependent in movable else dependent for dependent in children]
        if action.head_final and movable:
            head_index = len(children) - next(i for i, child in enumerate(reversed(children)) if child in movable)
        else:
            head_index = sum(positions[dependent] < positions[word] for dependent in children)
        before, after = (map(blocks.__getitem__, side) for side in (new_order[:head_index], new_order[head_index:]))
        blocks[word] = [*chain.from_iterable(before), word, *chain.from_iterable(after)]
    return [word for root in roots for word in blocks[root]]


@lru_cache(65_536)
def has_letter_or_digit(form: str) -> bool:
    return any(map(str.isalnum, form))


def shuffled(words: Sequence[int], action: op.Shuffle, chance: Chance) -> list[int]:
    """Return words in a random order. With a window or `by_length`, it depends only on the seed and their number."""
    if action.window is None and not action.by_length:
        return sorted(words, key=lambda word: chance.of("shuffle", word))
    size = action.window or max(1, len(words))
    windows = (words[start : start + size] for start in range(0, len(words), size))
    return [window[index] for window in windows for index in permutation(len(window), chance.seed)]


@lru_cache(4_096)
def permutation(length: int, seed: int) -> list[int]:
    """Return a permutation of range(length) by `np.random.default_rng(seed)`. The list is cached: do not change it."""
    import numpy as np

    indices = list(range(length))
    np.random.default_rng(seed).shuffle(indices)
    return indices


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match: the index of its rewrite, and the word bound to each name (0 if unbound)."""

    rewrite_index: int
    words: tuple[int, ...]


@dataclass(slots=True)
class RewriteCounts:
    taken: int = 0
    overlapping: int = 0
    invalid: int = 0
    sentences: int = 0  # with a match that was applied
    unknown_lemmas: int = 0


@dataclass(slots=True)
class Counts:
    rewrites: list[RewriteCounts]
    sentences: int = 0
    changed: int = 0
    dropped: int = 0
    losses: Counter[str] = field(default_factory=Counter)  # number of lost annotations, by kind


def apply_matches(
    stored: StoredSentence,
    rewrites: Sequence[CompiledRewrite],
    candidates: Iterable[Candidate],
    seed: SentenceSeed,
    counts: Counts,
) -> tuple[EditedTree, frozenset[str]]:
    """Apply all matches that can be applied. Return the sentence, and what rewrites leave as it is: `case`, `article`.

    Matches are tried from left to right by the first word of their reach, the longer ones first, and matches of
    rewrites that target sentences last. A match is overlapping if its reach intersects that of an applied match, and
    invalid if its actions cannot be carried out.
    """
    draft: EditedTree | None = None  # after the first match that was applied
    reached = [False] * (stored.size + 2)
    as_is: frozenset[str] = frozenset()
    applied_rewrites: set[int] = set()
    for _, first, last, candidate in _in_order(stored, rewrites, candidates):
        rewrite, rewrite_counts = rewrites[candidate.rewrite_index], counts.rewrites[candidate.rewrite_index]
        if any(reached[first : last + 1]):
            rewrite_counts.overlapping += 1
            continue
        changed = EditedTree(stored) if draft is None else draft.copy()
        try:
            carry_out(changed, rewrite, candidate.words, seed)
        except InvalidMatchError:
            rewrite_counts.invalid += 1
            continue
        reached[first : last + 1] = [True] * (last + 1 - first)
        rewrite_counts.unknown_lemmas += changed.unknown_lemmas - (0 if draft is None else draft.unknown_lemmas)
        draft, as_is = changed, as_is | rewrite.as_is
        rewrite_counts.taken += 1
        applied_rewrites.add(candidate.rewrite_index)
    for index in applied_rewrites:
        counts.rewrites[index].sentences += 1
    return EditedTree(stored) if draft is None else draft, as_is


def _in_order(
    stored: StoredSentence, rewrites: Sequence[CompiledRewrite], candidates: Iterable[Candidate]
) -> list[tuple[bool, int, int, Candidate]]:
    """Return the candidates with a reach, as they are tried. A single one is taken to reach the whole sentence."""
    with_reach = [
        candidate
        for candidate in candidates
        if any(op.is_bound(targets, candidate.words) for targets in rewrites[candidate.rewrite_index].targets)
    ]
    if len(with_reach) == 1:
        return [(False, 1, stored.size, with_reach[0])]
    located = []
    for candidate in with_reach:
        rewrite = rewrites[candidate.rewrite_index]
        located.append((rewrite.targets_sentences, *_reach(stored, rewrite, candidate.words), candidate))
    return sorted(located, key=lambda entry: (entry[0], entry[1], -entry[2], entry[3].rewrite_index, entry[3].words))


def _reach(stored: StoredSentence, rewrite: CompiledRewrite, words: Sequence[int]) -> tuple[int, int]:
    """Return the first and last word that the actions of a match name, move, read or insert beside."""
    reached: set[int] = set()
    for targets in rewrite.targets:
        for target in targets if op.is_bound(targets, words) else ():
            ids = [words[node] for node in target.nodes]
            reached.update(stored.subtree(ids[0]) if target.kind == "subtree" else ids)
            if target.kind == "sentence":
                reached.update((1, stored.size))
    return min(reached), max(reached)
