"""`substitute = {…}`: tags in place of the rarest words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias
from unicodedata import normalize

from pydantic import Field

from fictdsl.schema import Field as Column
from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Key, WordEdit
from runner.model.tokenizer import Split, split_words
from runner.toml_tables import SHARE, TomlTable
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.conditions.edits import Edit
    from runner.corpus.store import Store
    from runner.corpus.surface import Surface, Token


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


SUBSTITUTED, REFERENCE = "substituted.json", "substitute.reference"


class SubstituteSettings(TomlTable):
    """`substitute = {…}`: tags for the rarest words, a share `alpha` of all in the base corpus or `reference`."""

    alpha: Annotated[float, SHARE]
    reference: tuple[str, ...] = Field((), strict=False)
    tags: Tagset = "xpos"


class Substitute(WordEdit[SubstituteSettings]):
    key = "substitute"
    usage = "substitute = { alpha = 0.5 }"
    doc = "with the rarest words replaced by their tags: a word/tag hybrid"
    value = Key(SubstituteSettings | None)
    edits_suites = True
    text_lists = (REFERENCE,)
    results = (SUBSTITUTED,)

    def edited_texts(self, condition: Condition) -> tuple[str, ...]:
        return ("valid", "test")

    def content(self, condition: Condition) -> dict[str, Any]:
        settings = self.of(condition).model_dump(exclude={"reference"})
        settings["apostrophes_alike"] = self._reads_apostrophes_alike(condition)
        if files := condition.files_of(REFERENCE):
            settings["reference"] = [file.sha256 for file in files]
            if not all(file.parsed for file in files):
                settings["split"] = condition.tokenizer.splitting
        return {"substitute": settings, "lowercase": condition.tokenizer.lowercase}

    def _reads_apostrophes_alike(self, condition: Condition) -> bool:
        """Return whether ’ counts as ', as for the tokenizer. The words of a parsed reference are taken as they are."""
        files = condition.files_of(REFERENCE)
        return condition.tokenizer.split != "none" and (not files or not all(file.parsed for file in files))

    def describe(self, condition: Condition) -> str:
        tags, alpha = self.of(condition).tags.upper(), self.of(condition).alpha
        texts = ", ".join(file.label for file in condition.files_of(REFERENCE))
        return f"the rarest words, {alpha:.4g} of all{texts and f' of {texts}'}, as their {tags} tags"

    def facts(self, condition: Condition) -> dict[str, Any]:
        return {"alpha": self.of(condition).alpha}

    def added_tokens(self, condition: Condition) -> Mapping[str, Set[str]]:
        return {"substitutes": {self.of(condition).tags}}

    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        lowercase = condition.tokenizer.lowercase
        alike = self._reads_apostrophes_alike(condition)
        boundary = Boundary.of(_frequencies(condition, base, alike=alike), self.of(condition).alpha)
        substitution = Substitution(boundary, self.of(condition).tags, lowercase, alike)
        yield from substitution.edits(store)
        if folder is not None:
            write_text(folder / SUBSTITUTED, json.dumps(_counts(substitution), indent=1, ensure_ascii=False) + "\n")


def _frequencies(condition: Condition, base: BaseCorpus, *, alike: bool) -> Mapping[str, int]:
    from runner.corpus.statistics import form_frequencies

    lowercase, files = condition.tokenizer.lowercase, condition.files_of(REFERENCE)
    if not files:
        return form_frequencies(base.store, lowercase=lowercase, apostrophes_alike=alike)
    words = (word for file in files for word in words_of(file.path, condition.tokenizer.split, parsed=file.parsed))
    return Counter(compared_form(word, lowercase=lowercase, apostrophes_alike=alike) for word in words)


def _counts(result: Substitution) -> dict[str, Any]:
    word, frequency = result.boundary.rarest_kept or (None, None)
    return {
        "kept_words": len(result.boundary.kept_words),
        "boundary": word,
        "frequency": frequency,
        "substituted": dict(sorted(result.substituted.items())),
        "left_as_words": dict(sorted(result.unsubstituted.items())),
    }


def words_of(path: Path, split: Split, *, parsed: bool) -> Iterator[str]:
    from runner.corpus.raw_text import read_lines

    for line in read_lines(path):
        text = line.text.removeprefix("\ufeff") if line.line == 1 else line.text
        if not parsed:
            yield from split_words(text, split)
            continue
        word_id, _, other_columns = text.partition("\t")
        if word_id.isdecimal():  # not a multiword token (1-2), an empty node (1.1) or a comment
            yield other_columns.partition("\t")[0]


@dataclass(frozen=True, slots=True)
class Boundary:
    """The most frequent words, at most 1 − α of a reference, ties in code point order: they are kept."""

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
        return self.keeps_all or word in self.kept_words


@dataclass
class Substitution:
    """The substitution of rare words, compared in NFC, with counts of substituted and unsubstituted ones by tag."""

    boundary: Boundary
    tags: Tagset
    lowercase: bool
    apostrophes_alike: bool = False
    substituted: Counter[str] = field(default_factory=Counter)
    unsubstituted: Counter[str] = field(default_factory=Counter)

    @property
    def _field(self) -> Column:
        return Column[self.tags.upper()]

    def edits(self, store: Store) -> Iterator[Edit]:
        from runner.conditions.edits import Edit, one_line
        from runner.corpus.sentence_texts import conllu_blocks, sentence_texts
        from runner.corpus.surface import read_surface

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
        from runner.corpus.surface import Surface

        rows = [self._row(row, replacement) for row in surface.rows]
        tokens = [
            token._replace(form=" ".join(row[Column.FORM] for row in new_rows) if new_rows != old_rows else token.form)
            for token in surface.tokens
            for new_rows, old_rows in [
                (rows[token.first - 1 : token.last], list(surface.rows[token.first - 1 : token.last]))
            ]
        ]
        return Surface(tuple(tokens), surface.gaps, tuple(rows))

    def _row(self, row: Sequence[str], replacement: str | None) -> Sequence[str]:
        tag = self.tag(row[Column.FORM], row[self._field])
        return (
            row if tag is None else [row[Column.ID], tag if replacement is None else replacement, *row[Column.LEMMA :]]
        )

    def _token(self, token: Token, rows: Sequence[Sequence[str]]) -> str:
        tags = [self.tag(row[Column.FORM], row[self._field]) for row in rows]
        if not any(tags):
            return token.form
        return " ".join(tag or row[Column.FORM] for tag, row in zip(tags, rows, strict=True))

    def tag(self, form: str, tag: str) -> str | None:
        compared = compared_form(form, lowercase=self.lowercase, apostrophes_alike=self.apostrophes_alike)
        if self.boundary.keeps(compared):
            return None
        if tag not in WORD_TAGS[self.tags]:
            self.unsubstituted[tag] += 1
            return None
        self.substituted[tag] += 1
        return tag_token(tag)


def compared_form(form: str, *, lowercase: bool, apostrophes_alike: bool = False) -> str:
    """Return a form as the words of a reference are counted: in NFC, optionally in lower case and with ' for ’."""
    form = normalize("NFC", form)
    form = form.replace("’", "'") if apostrophes_alike else form
    return form.lower() if lowercase else form


INTERVENTION = Substitute()
