"""Treebanks of arbitrary trees, projective or not, with missing columns, several values, and rare words."""

from __future__ import annotations

from hypothesis import strategies as st

from fictdsl.reference.sentences import Sentence, Word
from tests.support.strategies import vocabulary as v
from tests.support.strategies.rng import Rng, strategy


def treebanks(min_size: int = 1, max_size: int = 8, longest: int = 7) -> st.SearchStrategy[list[Sentence]]:
    """Return the strategy of a few sentences of one to `longest` words."""
    return st.lists(sentences(longest), min_size=min_size, max_size=max_size)


def sentences(longest: int = 7) -> st.SearchStrategy[Sentence]:
    """Return the strategy of a sentence; its heads form a tree with one root."""
    return strategy(lambda rng: make_sentence(rng, longest))


def make_sentence(rng: Rng, longest: int = 7) -> Sentence:
    """Draw a sentence. Half of them are plain, so that shrinking ends in something readable."""
    n = min(longest, rng.pick([1, 2, 3, 4, 5, 5, 6, 6, longest, longest]))
    heads, rich = drawn_heads(rng, n), rng.flag()
    tokens = _tokens(rng, n) if rich else {}
    words = tuple(_word(rng, number, n, heads[number - 1], rich, tokens.get(number)) for number in range(1, n + 1))
    meta = _keyed(rng, v.META_KEYS, v.META_VALUES) if rich else {}
    sent_id = rng.pick([None, *v.SENT_IDS])
    text = rng.pick(v.TEXTS) if rich else " ".join(word.form for word in words)
    if sent_id is not None:
        meta = {"sent_id": (sent_id,), **meta}
    return Sentence(words, meta, sent_id, rng.pick([None, *v.DOCS]), text)


def drawn_heads(rng: Rng, n: int) -> list[int]:
    """Draw heads of words 1..n: words enter the tree in random order, each under an earlier one."""
    order = rng.shuffled(range(1, n + 1))
    heads = [0] * n
    for index, word in enumerate(order[1:], start=1):
        heads[word - 1] = order[rng.below(index)]
    return heads


def _tokens(rng: Rng, n: int) -> dict[int, str]:
    """Draw multiword tokens that do not overlap: the form of each word that is part of one."""
    tokens: dict[int, str] = {}
    start = rng.between(1, 3)
    while start < n:
        end = min(n, start + rng.between(1, 2))
        tokens |= dict.fromkeys(range(start, end + 1), rng.pick(v.TOKENS))
        start = end + rng.between(1, 4)
    return tokens


def _word(rng: Rng, number: int, n: int, head: int, rich: bool, token: str | None) -> Word:
    form = rng.pick(v.FORMS if rich else v.COMMON_FORMS)
    lemma = rng.pick([*v.LEMMAS, None, None])
    deprel = rng.pick(v.DEPRELS) if head else "root"
    return Word(
        id=number,
        form=form,
        lemma="_" if form == "_" else (None if lemma == "_" else lemma),
        upos=rng.pick([*v.UPOS, *v.UPOS, None]),
        xpos=rng.pick([*v.XPOS, None]) if rich else None,
        feats=_feats(rng),
        head=head,
        deprel=None if rich and rng.often(10) else deprel,
        deps=_deps(rng, n) if rich else (),
        misc=_keyed(rng, v.MISC_KEYS, v.MISC_VALUES) if rich and rng.flag() else {},
        token=token,
    )


def _feats(rng: Rng) -> dict[str, tuple[str, ...]]:
    names = sorted(rng.different(sorted(v.FEATURES), 0, 3))
    return {name: tuple(sorted(rng.different(v.FEATURES[name], 1, 2))) for name in names}


def _deps(rng: Rng, n: int) -> tuple[tuple[str, str], ...]:
    """Draw enhanced edges from the root, from words (perhaps several from one word) and from empty nodes."""
    sources = [*(str(number) for number in range(1, n + 1)), "0", "1.1"]
    return tuple(dict.fromkeys((rng.pick(sources), rng.pick(v.DEPRELS)) for _ in range(rng.between(0, 5))))


def _keyed(rng: Rng, keys: tuple[str, ...], values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Draw keys with one value, or with several if a key repeats."""
    return {key: tuple(rng.several(values, 1, 2)) for key in rng.different(keys, 0, 2)}


SHAPES = (
    "feature of several values", "feature absent", "layered feature", "lemma absent", "UPOS absent", "XPOS absent",
    "label absent", "form _ with lemma _", "key of MISC repeated", "entry of MISC without value", "MISC that is a number",
    "comment repeated", "sentence without sent_id", "document", "no DEPS", "enhanced edge from the root",
    "enhanced edge from an empty node", "multiword token", "two enhanced edges between two words", "tree that is not projective",
    "one word",
)  # fmt: skip


def shapes(sentence: Sentence) -> set[str]:
    """Return the `SHAPES` that a sentence has, each the subject of a rule of the language."""
    words = sentence.words
    found = {
        "sentence without sent_id": sentence.sent_id is None,
        "document": sentence.doc is not None,
        "comment repeated": any(len(values) > 1 for values in sentence.meta.values()),
        "no DEPS": not any(word.deps for word in words),
        "one word": len(words) == 1,
        "tree that is not projective": _crossed([word.head for word in words]),
    }
    for word in words:
        starts = [start for start, _ in word.deps]
        misc = [value for values in word.misc.values() for value in values]
        here = {
            "feature of several values": any(len(values) > 1 for values in word.feats.values()),
            "feature absent": not word.feats,
            "layered feature": any("[" in name for name in word.feats),
            "lemma absent": word.lemma is None,
            "UPOS absent": word.upos is None,
            "XPOS absent": word.xpos is None,
            "label absent": word.deprel is None,
            "form _ with lemma _": word.form == word.lemma == "_",
            "key of MISC repeated": any(len(values) > 1 for values in word.misc.values()),
            "entry of MISC without value": "" in misc,
            "MISC that is a number": any(value.isdecimal() for value in misc),
            "multiword token": word.token is not None,
            "enhanced edge from the root": "0" in starts,
            "enhanced edge from an empty node": "1.1" in starts,
            "two enhanced edges between two words": len({start for start in starts if start.isdecimal()} - {"0"})
            < sum(start.isdecimal() and start != "0" for start in starts),
        }
        found |= {name: True for name, shown in here.items() if shown}
    return {name for name, shown in found.items() if shown}


def _crossed(heads: list[int]) -> bool:
    """Return whether two edges of a tree cross."""
    edges = [(min(word, head), max(word, head)) for word, head in enumerate(heads, start=1) if head]
    return any(a < c < b < d for a, b in edges for c, d in edges)
