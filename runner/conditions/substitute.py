"""`substitute = {…}`: tags in place of the rarest words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Key, WordEdit
from runner.toml_tables import SHARE, TomlTable
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.conditions.edits import Edit
    from runner.conditions.substitution import Substitution
    from runner.corpus.store import Store


SUBSTITUTED, REFERENCE = "substituted.json", "substitute.reference"


class Settings(TomlTable):
    """`substitute = {…}`: tags in place of the rarest words, which make up a share `alpha` of all words.

    Words are counted in the base corpus, or in the texts in `reference`.
    """

    alpha: Annotated[float, SHARE]
    reference: tuple[str, ...] = Field((), strict=False)
    tags: Literal["xpos", "upos"] = "xpos"


class Substitute(WordEdit[Settings]):
    """Replace words that are rare in the base corpus, or in reference texts, with their tags."""

    key = "substitute"
    usage = "substitute = { alpha = 0.5 }"
    doc = "with the rarest words replaced by their tags: a word/tag hybrid"
    value = Key(Settings | None)
    edits_suites = True
    text_lists = (REFERENCE,)
    results = (SUBSTITUTED,)

    def edited_texts(self, condition: Condition) -> tuple[str, ...]:
        return ("valid", "test")

    def content(self, condition: Condition) -> dict[str, Any]:
        """Return the settings, and whether forms are compared in lower case."""
        settings = self.of(condition).model_dump(exclude={"reference"})
        settings["apostrophes_alike"] = self._reads_apostrophes_alike(condition)
        if files := condition.files_of(REFERENCE):
            settings["reference"] = [file.sha256 for file in files]
            if not all(file.parsed for file in files):
                settings["split"] = condition.tokenizer.splitting
        return {"substitute": settings, "lowercase": condition.tokenizer.lowercase}

    def _reads_apostrophes_alike(self, condition: Condition) -> bool:
        """Return whether ’ counts as ', as for the tokenizer unless `split` is `none`.

        The words of a parsed reference are taken as they are.
        """
        files = condition.files_of(REFERENCE)
        return condition.tokenizer.split != "none" and (not files or not all(file.parsed for file in files))

    def describe(self, condition: Condition) -> str:
        tags, alpha = self.of(condition).tags.upper(), self.of(condition).alpha
        texts = ", ".join(file.label for file in condition.files_of(REFERENCE))
        return f"the rarest words, {alpha:.4g} of all{texts and f' of {texts}'}, as their {tags} tags"

    def facts(self, condition: Condition) -> dict[str, Any]:
        return {"alpha": self.of(condition).alpha}

    def added_tokens(self, condition: Condition) -> Mapping[str, Set[str]]:
        """Return the name of the tag set."""
        return {"substitutes": {self.of(condition).tags}}

    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the sentences with a substituted word, then write the counts by tag."""
        from runner.conditions.substitution import Boundary, Substitution

        lowercase = condition.tokenizer.lowercase
        alike = self._reads_apostrophes_alike(condition)
        boundary = Boundary.of(_frequencies(condition, base, alike=alike), self.of(condition).alpha)
        substitution = Substitution(boundary, self.of(condition).tags, lowercase, alike)
        yield from substitution.edits(store)
        if folder is not None:
            write_text(folder / SUBSTITUTED, json.dumps(_counts(substitution), indent=1, ensure_ascii=False) + "\n")


def _frequencies(condition: Condition, base: BaseCorpus, *, alike: bool) -> Mapping[str, int]:
    """Return the frequency of each form in the reference, or in the base corpus if there is no reference.

    ’ counts as ' if `alike`.
    """
    from runner.conditions.substitution import compared_form, words_of
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


INTERVENTION = Substitute()
