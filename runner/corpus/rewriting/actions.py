"""Apply the actions of a rewrite to a draft, for one match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, assert_never
from unicodedata import normalize

from fictdsl.compiler import CompiledRewrite
from fictdsl.semantics import operations as op
from runner.corpus.rewriting.adapt import with_case_of
from runner.corpus.rewriting.chance import Chance
from runner.corpus.rewriting.draft import Draft, InvalidMatchError
from runner.corpus.rewriting.inflection import inflect
from runner.corpus.rewriting.linearize import Linearization, linearize
from runner.corpus.rewriting.stored import Row


class SentenceSeed(NamedTuple):
    """The values that determine the random choices in a sentence: the seed, and the sentence's source and number."""

    seed: int
    source: str
    number: int


def needs_chance(rewrite: CompiledRewrite) -> bool:
    """Return whether an action makes random choices, so that results depend on `SentenceSeed`."""
    return any(
        isinstance(action, op.Shuffle) or (isinstance(action, op.Order) and action.key == "chance")
        for action in rewrite.operations
    )


def carry_out(draft: Draft, rewrite: CompiledRewrite, match: Sequence[int], seed: SentenceSeed) -> None:
    """Carry out all actions except those with an unbound name.

    Raises InvalidMatchError if an action cannot be carried out. The draft is then unusable.
    """
    for number, (action, targets) in enumerate(zip(rewrite.operations, rewrite.targets, strict=True), start=1):
        if not op.is_bound(targets, match):
            continue
        chance = Chance(seed.seed, rewrite.name, number, seed.source, seed.number)
        _carry_out(draft, action, match, chance)
    draft.check()


def _carry_out(draft: Draft, action: op.Operation, match: Sequence[int], chance: Chance) -> None:
    match action:
        case op.Delete(target=target):
            _delete(draft, target, match)
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
            _fill(draft, words, _shuffled(words, action, chance))
        case op.Interleave(target=target):
            words = draft.words(target, match)
            _fill(draft, words, words[::2] + words[1::2])
        case _:
            assert_never(action)


def _fill(draft: Draft, words: Sequence[int], new_order: Sequence[int]) -> None:
    """Reorder `words` of the sentence as in `new_order`, a permutation of them. Other words keep their positions."""
    if len(words) == len(draft.order):
        draft.order = list(new_order)
        return
    reordered_words, replacements = set(words), iter(new_order)
    draft.order = [next(replacements) if word in reordered_words else word for word in draft.order]


def _delete(draft: Draft, target: op.Words, match: Sequence[int]) -> None:
    words = set(draft.words(target, match))
    draft.deleted |= words
    draft.order = [word for word in draft.order if word not in words]
    draft.dropped = draft.dropped or target.kind == "sentence"


def _insertion_index(order: list[int], words: Sequence[int], side: op.Side) -> int:
    """Return the index in `order` directly before the first of some words, or directly after the last of them."""
    return order.index(words[0]) if side == "before" else order.index(words[-1]) + 1


def _move(draft: Draft, words: Sequence[int], side: op.Side, destination: op.Words, match: Sequence[int]) -> None:
    """Move words as one block. If the destination is the sentence, move them to its beginning or end."""
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


def _swap(draft: Draft, words: Sequence[int], other_words: Sequence[int]) -> None:
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


def _insert(draft: Draft, action: op.Insert, match: Sequence[int]) -> None:
    index = _insertion_index(draft.order, draft.words(action.destination, match), action.side)
    row: Row = ["_", action.form, *["_"] * 8]
    row[7] = action.label
    word = draft.add(row, match[action.head])
    for field, value in action.columns:
        draft.set_field(word, field, value)
    draft.order.insert(index, word)


# --- set


def _set(draft: Draft, action: op.Set, word: int, match: Sequence[int]) -> None:
    match action.value:
        case op.Constant(text=text):
            draft.set_field(word, action.field, text)
        case op.Copy(node=node, field=field, case=case):
            value = draft.value(match[node], field)
            draft.set_field(word, action.field, value if value is None or case is None else _cased(value, case))
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


def _cased(text: str, case: op.Case) -> str:
    converted = {"lower": text.lower(), "upper": text.upper(), "capital": text[:1].upper() + text[1:]}[case]
    return normalize("NFC", converted)


# --- order


def _ordered(draft: Draft, words: Sequence[int], action: op.Order, chance: Chance) -> list[int]:
    def descending(head: int) -> bool:
        return chance.of("chance", head) % 2 == 1

    longest_first = action.descending or action.head_final
    linearization = Linearization(descending if action.key == "chance" else lambda _: longest_first, action.head_final)
    heads = draft.heads() if draft.deleted or draft.inserted else draft.stored.heads
    return linearize(words, heads, draft.is_punct, lambda word: _has_letter_or_digit(draft.form(word)), linearization)


@lru_cache(65_536)
def _has_letter_or_digit(form: str) -> bool:
    return any(map(str.isalnum, form))


def _shuffled(words: Sequence[int], action: op.Shuffle, chance: Chance) -> list[int]:
    if action.window is not None:
        windows = (words[start : start + action.window] for start in range(0, len(words), action.window))
        return [word for window in windows for word in _permuted(window, chance.seed)]
    if action.by_length:
        return _permuted(words, chance.seed)
    return sorted(words, key=lambda word: chance.of("shuffle", word))


def _permuted(words: Sequence[int], seed: int) -> list[int]:
    return [words[index] for index in permutation(len(words), seed)]


@lru_cache(4_096)
def permutation(length: int, seed: int) -> list[int]:
    """Return the numbers 0 to length - 1 in a random order, as shuffled by `np.random.default_rng(seed)`.

    The list is cached and must not be changed.
    """
    import numpy as np

    indices = list(range(length))
    np.random.default_rng(seed).shuffle(indices)
    return indices
