"""Treebanks: any tree, projective or not, with columns missing, several values, and odd words among common ones."""

from __future__ import annotations

from hypothesis import strategies as st

from fictdsl.reference.sentence import Sentence, Word
from tests.support.strategies import vocabulary as v
from tests.support.strategies.dice import Dice, strategy


def treebanks(min_size: int = 1, max_size: int = 8, longest: int = 7) -> st.SearchStrategy[list[Sentence]]:
    """A few sentences of one to `longest` words."""
    return st.lists(sentences(longest), min_size=min_size, max_size=max_size)


def sentences(longest: int = 7) -> st.SearchStrategy[Sentence]:
    """One sentence; its heads form a tree with one root."""
    return strategy(lambda dice: make_sentence(dice, longest))


def make_sentence(dice: Dice, longest: int = 7) -> Sentence:
    """A sentence. Half of them are plain, so that shrinking ends in something readable."""
    n = min(longest, dice.pick([1, 2, 3, 4, 5, 5, 6, 6, longest, longest]))
    heads, rich = _heads(dice, n), dice.flag()
    words = tuple(_word(dice, number, n, heads[number - 1], rich) for number in range(1, n + 1))
    meta = _keyed(dice, v.META_KEYS, v.META_VALUES) if rich else {}
    sent_id = dice.pick([None, *v.SENT_IDS])
    text = dice.pick(v.TEXTS) if rich else " ".join(word.form for word in words)
    if sent_id is not None:
        meta = {"sent_id": (sent_id,), **meta}
    return Sentence(words, meta, sent_id, dice.pick([None, *v.DOCS]), text)


def _heads(dice: Dice, n: int) -> list[int]:
    """Heads of words 1..n: words enter the tree in any order, each under one that is in it already."""
    order = dice.shuffled(range(1, n + 1))
    heads = [0] * n
    for index, word in enumerate(order[1:], start=1):
        heads[word - 1] = order[dice.below(index)]
    return heads


def _word(dice: Dice, number: int, n: int, head: int, rich: bool) -> Word:
    form = dice.pick(v.FORMS if rich else v.COMMON_FORMS)
    lemma = dice.pick([*v.LEMMAS, None, None])
    deprel = dice.pick(v.DEPRELS) if head else "root"
    return Word(
        id=number,
        form=form,
        lemma="_" if form == "_" else (None if lemma == "_" else lemma),
        upos=dice.pick([*v.UPOS, *v.UPOS, None]),
        xpos=dice.pick([*v.XPOS, None]) if rich else None,
        feats=_feats(dice),
        head=head,
        deprel=None if rich and dice.often(10) else deprel,
        deps=_deps(dice, n) if rich else (),
        misc=_keyed(dice, v.MISC_KEYS, v.MISC_VALUES) if rich and dice.flag() else {},
    )


def _feats(dice: Dice) -> dict[str, tuple[str, ...]]:
    names = sorted(dice.different(sorted(v.FEATURES), 0, 3))
    return {name: tuple(sorted(dice.different(v.FEATURES[name], 1, 2))) for name in names}


def _deps(dice: Dice, n: int) -> tuple[tuple[str, str], ...]:
    """Enhanced edges from the root, from words (several from the same one too) and from empty nodes."""
    sources = [*(str(number) for number in range(1, n + 1)), "0", "1.1"]
    return tuple(dict.fromkeys((dice.pick(sources), dice.pick(v.DEPRELS)) for _ in range(dice.between(0, 5))))


def _keyed(dice: Dice, keys: tuple[str, ...], values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Keys with one value, or with several where a key is repeated."""
    return {key: tuple(dice.several(values, 1, 2)) for key in dice.different(keys, 0, 2)}
