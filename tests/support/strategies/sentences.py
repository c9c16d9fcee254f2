"""Treebanks: any tree, projective or not, with columns missing, several values, and odd words among common ones."""

from __future__ import annotations

from hypothesis import strategies as st

from fictdsl.reference.sentence import Sentence, Word
from tests.support.strategies import vocabulary as v


def treebanks(min_size: int = 1, max_size: int = 8, longest: int = 7) -> st.SearchStrategy[list[Sentence]]:
    """A few sentences of one to `longest` words."""
    return st.lists(sentences(longest), min_size=min_size, max_size=max_size)


@st.composite
def sentences(draw: st.DrawFn, longest: int = 7) -> Sentence:
    """One sentence; its heads form a tree with one root."""
    n = draw(st.sampled_from([1, 2, 3, 4, 5, 5, 6, 6, longest, longest]))
    heads = draw(_heads(n))
    rich = draw(st.booleans())  # half of the sentences are plain, so that shrinking ends in something readable
    words = tuple(draw(_word(position + 1, n, heads[position], rich)) for position in range(n))
    meta = draw(_keyed(v.META_KEYS, v.META_VALUES)) if rich else {}
    sent_id = draw(st.none() | st.sampled_from(v.SENT_IDS))
    text = draw(st.sampled_from(v.TEXTS)) if rich else " ".join(word.form for word in words)
    if sent_id is not None:
        meta = {"sent_id": (sent_id,), **meta}
    return Sentence(words, meta, sent_id, draw(st.none() | st.sampled_from(v.DOCS)), text)


@st.composite
def _heads(draw: st.DrawFn, n: int) -> list[int]:
    """Heads of words 1..n: words enter the tree in any order, each under one that is in it already."""
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for index, word in enumerate(order[1:], start=1):
        heads[word - 1] = order[draw(st.integers(0, index - 1))]
    return heads


@st.composite
def _word(draw: st.DrawFn, number: int, n: int, head: int, rich: bool) -> Word:
    form = draw(st.sampled_from(v.FORMS if rich else v.COMMON_FORMS))
    lemma = draw(st.sampled_from(v.LEMMAS)) if draw(st.integers(0, 5)) else None
    deprel = draw(st.sampled_from(v.DEPRELS)) if head else "root"
    return Word(
        id=number,
        form=form,
        lemma="_" if form == "_" else (None if lemma == "_" else lemma),
        upos=draw(st.sampled_from((*v.UPOS, *v.UPOS, None))),
        xpos=draw(st.sampled_from((*v.XPOS, None))) if rich else None,
        feats=draw(_feats()),
        head=head,
        deprel=None if rich and draw(st.integers(0, 9)) == 9 else deprel,
        deps=draw(_deps(n)) if rich else (),
        misc=draw(_keyed(v.MISC_KEYS, v.MISC_VALUES)) if rich and draw(st.booleans()) else {},
    )


@st.composite
def _feats(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    names = draw(st.lists(st.sampled_from(sorted(v.FEATURES)), max_size=3, unique=True))
    return {
        name: tuple(sorted(draw(st.lists(st.sampled_from(v.FEATURES[name]), min_size=1, max_size=2, unique=True))))
        for name in sorted(names)
    }


@st.composite
def _deps(draw: st.DrawFn, n: int) -> tuple[tuple[str, str], ...]:
    """Enhanced edges from the root, from words (several from the same one too) and from empty nodes."""
    sources = [str(number) for number in range(n + 1)] + ["1.1"]
    return tuple(
        draw(st.lists(st.tuples(st.sampled_from(sources), st.sampled_from(v.DEPRELS)), max_size=5, unique=True))
    )


@st.composite
def _keyed(draw: st.DrawFn, keys: tuple[str, ...], values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Keys with one value, or with several where a key is repeated."""
    chosen = draw(st.lists(st.sampled_from(keys), max_size=2, unique=True))
    return {key: tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=2))) for key in chosen}
