"""Replace rare words with their tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypeAlias
from unicodedata import normalize

from fictdsl.schema import Field
from runner.conditions.edits import Edit, one_line
from runner.corpus.raw_text import read_lines
from runner.corpus.sentence_texts import conllu_blocks, sentence_texts
from runner.corpus.store import Store
from runner.corpus.surface import Surface, Token, read_surface
from runner.model.tokenizer import Split, split_words


def words_of(path: Path, split: Split, *, parsed: bool) -> Iterator[str]:
    """Yield the words of a CoNLL-U file if `parsed`, otherwise the words of lines of text by `split`.

    Raises InputError if the file cannot be read (FICT700) or is not UTF-8 (FICT701).
    """
    for line in read_lines(path):
        text = line.text.removeprefix("\ufeff") if line.line == 1 else line.text
        if not parsed:
            yield from split_words(text, split)
            continue
        word_id, _, other_columns = text.partition("\t")
        if word_id.isdecimal():  # not a multiword token (1-2), an empty node (1.1) or a comment
            yield other_columns.partition("\t")[0]


Tagset: TypeAlias = Literal["xpos", "upos"]
# Tags that may replace words. xpos: the 43 word tags in appendix A of the paper of `experiments/hybrid`, including
# brackets, hyphens and `NFP`, without its 6 punctuation tags ('' `` $ , . :). Tags outside its 49, such as EWT's `XX`,
# are not included.
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


def tag_token(tag: str) -> str:
    """Return the token that represents a tag in a text. The brackets distinguish it from words."""
    return f"[{tag}]"


@dataclass(frozen=True, slots=True)
class Boundary:
    """The words that are not substituted at a rate α: the most frequent words, with ties in code point order.

    They make up at most 1 − α of all words of the reference corpus: all of them at α = 0, none at 1. A word that the
    reference lacks is rarer than all others. It is kept only if all words of the reference are kept.
    """

    kept_words: frozenset[str]
    rarest_kept: tuple[str, int] | None  # the word and its frequency
    keeps_all: bool = False  # whether all words of the reference are kept

    @classmethod
    def of(cls, counts: Mapping[str, int], alpha: float) -> Boundary:
        """Return the boundary for the frequencies of a reference. `alpha` is taken as the decimal that is written."""
        limit = (1 - Fraction(str(alpha))) * sum(counts.values())
        kept_words: list[str] = []
        total = 0
        for word in sorted(counts, key=lambda word: (-counts[word], word)):
            total += counts[word]
            if total > limit:
                break
            kept_words.append(word)
        return cls(
            frozenset(kept_words),
            (kept_words[-1], counts[kept_words[-1]]) if kept_words else None,
            len(kept_words) == len(counts),
        )

    def keeps(self, word: str) -> bool:
        """Return whether a word of any text is kept."""
        return self.keeps_all or word in self.kept_words


@dataclass
class Substitution:
    """The substitution of rare words, with counts of substituted and unsubstituted rare words by tag.

    Words are compared in NFC, in lower case if `lowercase`, and with ' for ’ if `apostrophes_alike`.
    """

    boundary: Boundary
    tags: Tagset
    lowercase: bool
    apostrophes_alike: bool = False
    substituted: Counter[str] = field(default_factory=Counter)
    unsubstituted: Counter[str] = field(default_factory=Counter)

    @property
    def _field(self) -> Field:
        return Field[self.tags.upper()]

    def edits(self, store: Store) -> Iterator[Edit]:
        """Yield the sentences with a substituted word, in corpus order, and update the counts."""
        for sid, (text, block) in enumerate(zip(sentence_texts(store), conllu_blocks(store), strict=True)):
            old_total = self.substituted.total()
            line = self.hybrid_text(read_surface(block, text))
            if count := self.substituted.total() - old_total:
                yield Edit(sid, one_line(line), count, count, 0)

    def hybrid_text(self, surface: Surface) -> str:
        """Return the text with tags for rare words. A multiword token with a rare word is split into its words."""
        pieces = [surface.gaps[0]]
        for token, gap in zip(surface.tokens, surface.gaps[1:], strict=True):
            pieces += [self._token(token, surface.rows[token.first - 1 : token.last]), gap]
        return "".join(pieces)

    def hybrid_surface(self, surface: Surface, replacement: str | None = None) -> Surface:
        """Return the sentence with a tag, or `replacement`, as the form of each rare word. Gaps do not change."""
        rows = [self._row(row, replacement) for row in surface.rows]
        tokens = [
            token._replace(form=" ".join(row[Field.FORM] for row in new_rows) if new_rows != old_rows else token.form)
            for token in surface.tokens
            for new_rows, old_rows in [
                (rows[token.first - 1 : token.last], list(surface.rows[token.first - 1 : token.last]))
            ]
        ]
        return Surface(tuple(tokens), surface.gaps, tuple(rows))

    def _row(self, row: Sequence[str], replacement: str | None) -> Sequence[str]:
        tag = self.tag(row[Field.FORM], row[self._field])
        return row if tag is None else [row[Field.ID], tag if replacement is None else replacement, *row[Field.LEMMA :]]

    def _token(self, token: Token, rows: Sequence[Sequence[str]]) -> str:
        tags = [self.tag(row[Field.FORM], row[self._field]) for row in rows]
        if not any(tags):
            return token.form
        return " ".join(tag or row[Field.FORM] for tag, row in zip(tags, rows, strict=True))

    def tag(self, form: str, tag: str) -> str | None:
        """Return the token of a word's tag, or None if the word is frequent or its tag is not a word tag.

        Rare words are counted by tag.
        """
        compared = compared_form(form, lowercase=self.lowercase, apostrophes_alike=self.apostrophes_alike)
        if self.boundary.keeps(compared):
            return None
        if tag not in _word_tags(self.tags):
            self.unsubstituted[tag] += 1
            return None
        self.substituted[tag] += 1
        return tag_token(tag)


def compared_form(form: str, *, lowercase: bool, apostrophes_alike: bool = False) -> str:
    """Return a form as the words of a reference are counted: in NFC, optionally in lower case and with ' for ’."""
    form = normalize("NFC", form)
    form = form.replace("’", "'") if apostrophes_alike else form
    return form.lower() if lowercase else form


def _word_tags(tags: Tagset) -> Set[str]:
    return frozenset(WORD_TAGS[tags])
