"""`substitute = {…}`: tags in place of the rarest words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from runner.interventions.intervention import Key
from runner.interventions.subject import BaseCorpus, Subject
from runner.interventions.word_edit import WordEdit
from runner.toml.part import Part
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.corpus.store.opening import Store
    from runner.intervene.edits import Edit
    from runner.intervene.substitute import Substitution

SUBSTITUTED, REFERENCE = "substituted.json", "substitute.reference"


class Settings(Part):
    """`substitute = {…}`: tags in place of the rarest words, which make up a share `alpha` of all words.

    The words are those of the base corpus, or of the texts in `reference`.
    """

    alpha: float = Field(ge=0, le=1)
    reference: tuple[str, ...] = Field((), strict=False)
    tags: Literal["xpos", "upos"] = "xpos"


class Substitute(WordEdit[Settings]):
    """Replace words that are rare in the base corpus by their tags."""

    key = "substitute"
    usage = "substitute = { alpha = 0.5 }"
    doc = "with the rarest words replaced by their tags: a word/tag hybrid"
    value = Key(Settings | None)
    edits_suites = True
    text_lists = (REFERENCE,)
    results = (SUBSTITUTED,)

    def edited_texts(self, subject: Subject) -> tuple[str, ...]:
        """Return all texts."""
        return ("valid", "test")

    def content(self, subject: Subject) -> dict[str, Any]:
        """Return the settings, and whether forms are compared in lower case."""
        settings = self.of(subject).model_dump(exclude={"reference"})
        if files := subject.files_of(REFERENCE):
            settings["reference"] = [file.sha256 for file in files]
            if not all(file.parsed for file in files):
                settings["split"] = subject.tokenizer.split
        return {"substitute": settings, "lowercase": subject.tokenizer.lowercase}

    def describe(self, subject: Subject) -> str:
        """State the share of words and the tags."""
        tags, alpha = self.of(subject).tags.upper(), self.of(subject).alpha
        where = ", ".join(file.label for file in subject.files_of(REFERENCE))
        return f"the rarest words, {alpha:.4g} of all{where and f' of {where}'}, as their {tags} tags"

    def facts(self, subject: Subject) -> dict[str, Any]:
        """Return the share of words."""
        return {"alpha": self.of(subject).alpha}

    def added_tokens(self, subject: Subject) -> Mapping[str, Set[str]]:
        """Return the set of tags."""
        return {"substitutes": {self.of(subject).tags}}

    def edits(self, subject: Subject, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the sentences with a rare word, then write the counts by tag."""
        from runner.intervene.substitute import Boundary, Substitution

        lowercase = subject.tokenizer.lowercase
        boundary = Boundary.of(_frequencies(subject, base), self.of(subject).alpha)
        substitution = Substitution(boundary, self.of(subject).tags, lowercase)
        yield from substitution.edits(store)
        if folder is not None:
            write_text(folder / SUBSTITUTED, json.dumps(_counts(substitution), indent=1, ensure_ascii=False) + "\n")


def _frequencies(subject: Subject, base: BaseCorpus) -> Mapping[str, int]:
    """Return the frequency of each form in the reference, or in the base corpus without one."""
    from runner.corpus.stats.words import form_frequencies
    from runner.intervene.reference import words_of

    lowercase, files = subject.tokenizer.lowercase, subject.files_of(REFERENCE)
    if not files:
        return form_frequencies(base.store, lowercase=lowercase)
    words = (word for file in files for word in words_of(file.path, subject.tokenizer.split, parsed=file.parsed))
    return Counter(word.lower() if lowercase else word for word in words)


def _counts(result: Substitution) -> dict[str, Any]:
    word, frequency = result.boundary.rarest_kept or (None, None)
    return {
        "kept_words": len(result.boundary.kept_words),
        "boundary": word,
        "frequency": frequency,
        "substituted": dict(sorted(result.substituted.items())),
        "left_as_words": dict(sorted(result.unsubstituted.items())),
    }


INTERVENTION = Substitute()
