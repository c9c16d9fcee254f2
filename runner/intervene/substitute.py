"""Words rarer than a boundary into their tags: a corpus in words and tags, as the word/tag hybrid reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from runner.corpus.sentences.export import conllu, surfaces
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import ask
from runner.corpus.text.surface import Surface, Token, spelt
from runner.intervene.edits import Edit, one_line

Tagset: TypeAlias = Literal["xpos", "upos"]
_COLUMNS: dict[Tagset, int] = {"upos": 3, "xpos": 4}
# Tags that stand for words. xpos: the 43 of the word/tag hybrid's appendix A, brackets, hyphens and `NFP` among them;
# its 6 punctuation tags ('' `` $ , . :) stand for none, nor does any value outside its 49, such as EWT's `XX`.
WORD_TAGS: dict[Tagset, tuple[str, ...]] = {
    "xpos": (
        *("-LRB-", "-RRB-", "ADD", "AFX", "CC", "CD", "DT", "EX", "FW", "GW", "HYPH", "IN", "JJ", "JJR", "JJS", "LS"),
        *("MD", "NFP", "NN", "NNP", "NNPS", "NNS", "PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO"),
        *("UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WP$", "WRB"),
    ),
    "upos": (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "SCONJ"),
        *("SYM", "VERB", "X"),
    ),
}


def written(tag: str) -> str:
    """A tag as it stands in a text, so that it is no word."""
    return f"[{tag}]"


@dataclass(frozen=True, slots=True)
class Boundary:
    """The words that stay at a rate α: the most frequent ones, ties by code point.

    They are as many as make at most 1 − α of all words of the reference; so all at 0 and none at 1. A word that the
    reference lacks is rarer than any of it; it stays only where all do, since no tag stands in the reference then.
    """

    kept: frozenset[str]
    last: tuple[str, int] | None  # the rarest word that stays, with its frequency
    whole: bool = False  # whether all words of the reference stay

    @classmethod
    def of(cls, counts: Mapping[str, int], alpha: float) -> Boundary:
        """The boundary in a reference with these frequencies; α is read as the decimal that was written."""
        limit = (1 - Fraction(str(alpha))) * sum(counts.values())
        kept: list[str] = []
        total = 0
        for word in sorted(counts, key=lambda word: (-counts[word], word)):
            total += counts[word]
            if total > limit:
                break
            kept.append(word)
        return cls(frozenset(kept), (kept[-1], counts[kept[-1]]) if kept else None, len(kept) == len(counts))

    def keeps(self, word: str) -> bool:
        """Whether a word of any text stays."""
        return self.whole or word in self.kept


def frequencies(store: Store, *, lowercase: bool) -> Counter[str]:
    """How often each word form of a store occurs, punctuation too."""
    query = "SELECT form, count(*) FROM tokens GROUP BY form"
    rows = ask(store, lambda connection: connection.execute(query).fetchall(), tables=["tokens"])
    counts: Counter[str] = Counter()
    for form, count in rows:
        counts[form.lower() if lowercase else form] += count
    return counts


@dataclass
class Substitution:
    """How a corpus is rewritten, and what came of it: words by tag, and rare words whose tag stands for no word."""

    boundary: Boundary
    tags: Tagset
    lowercase: bool
    substituted: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)

    def edits(self, store: Store) -> Iterator[Edit]:
        """The sentences that have a tag in them, in corpus order; counts go on."""
        for sid, (text, block) in enumerate(zip(surfaces(store), conllu(store), strict=True)):
            before = self.substituted.total()
            line = self.hybrid(spelt(block, text))
            if count := self.substituted.total() - before:
                yield Edit(sid, one_line(line), count, count, 0)

    def hybrid(self, surface: Surface) -> str:
        """The text with tags for rare words; a multiword token with a rare word becomes its words, spaces between."""
        pieces = [surface.gaps[0]]
        for token, gap in zip(surface.tokens, surface.gaps[1:], strict=True):
            pieces += [self._token(token, surface.rows[token.first - 1 : token.last]), gap]
        return "".join(pieces)

    def surface(self, surface: Surface, mark: str | None = None) -> Surface:
        """The sentence with other forms, the same words and gaps: tags for rare words, or `mark` for each."""
        rows = [self._row(row, mark) for row in surface.rows]
        tokens = [
            replace(token, form=" ".join(row[1] for row in own) if own != was else token.form)
            for token in surface.tokens
            for own, was in [(rows[token.first - 1 : token.last], list(surface.rows[token.first - 1 : token.last]))]
        ]
        return Surface(tuple(tokens), surface.gaps, tuple(rows))

    def _row(self, row: Sequence[str], mark: str | None) -> Sequence[str]:
        tag = self.tag(row[1], row[_COLUMNS[self.tags]])
        return row if tag is None else [row[0], tag if mark is None else mark, *row[2:]]

    def _token(self, token: Token, rows: Sequence[Sequence[str]]) -> str:
        tags = [self.tag(row[1], row[_COLUMNS[self.tags]]) for row in rows]
        if not any(tags):
            return token.form
        return " ".join(tag or row[1] for tag, row in zip(tags, rows, strict=True))

    def tag(self, form: str, tag: str) -> str | None:
        """A word's tag as it is written; None where the word stays, which is frequent or whose tag stands for none."""
        if self.boundary.keeps(form.lower() if self.lowercase else form):
            return None
        if tag not in _allowed(self.tags):
            self.left[tag] += 1
            return None
        self.substituted[tag] += 1
        return written(tag)


def _allowed(tags: Tagset) -> Set[str]:
    return frozenset(WORD_TAGS[tags])
