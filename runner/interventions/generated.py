"""`generate = {…}`: a generated text for a condition to inject."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from runner.generate.lemmas import MAX_WORDS, MAX_WORDS_PER_TARGET, MIN_WORDS_PER_TARGET, WORDS_PER_TARGET, Recipe
from runner.toml_tables import Range, Seed, TomlTable
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.corpus.store import Store
    from runner.generate.documents import Constraints
    from runner.generate.lemmas import Lemmas

TEXT, COUNTS = "generated.conllu", "generated.json"


class Generate(TomlTable):
    """`generate = {…}`: documents generated from templates, each with one target sentence of a paradigm.

    The text has `words` words, with one target sentence per `every` words. `lemmas` selects the vocabulary: the lemmas
    of the embedded sample only (`basic`), or also the most frequent lemmas of the training corpus or of wordfreq's
    list. Without a paradigm, the text has no target sentences.
    """

    paradigm: str | None = None
    words: Annotated[int, Range(100, MAX_WORDS, "a hundred million words are a whole corpus")]
    every: Annotated[int, Range(MIN_WORDS_PER_TARGET, MAX_WORDS_PER_TARGET, "a document is in memory")] = (
        WORDS_PER_TARGET
    )
    lemmas: Literal["basic", "corpus", "wordfreq"] = "basic"
    seed: Seed = 0

    def content(self) -> dict[str, Any]:
        """Return plain JSON that determines the text, with the versions of the packages that generate it."""
        packages = {"basic": (), "corpus": ("lemminflect",), "wordfreq": ("lemminflect", "wordfreq")}[self.lemmas]
        return self.model_dump() | {"packages": {name: _version(name) for name in packages}}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def write_generated(settings: Generate, store: Callable[[], Store], constraints: Constraints, folder: Path) -> Path:
    """Write the text and its counts. Return the path of the text. `store` opens the training corpus."""
    from runner.generate.documents import write_documents

    recipe = Recipe(settings.paradigm, settings.words, settings.every, settings.seed)
    counts = write_documents(recipe, _load_lemmas(settings, store), constraints, folder / TEXT)
    write_text(folder / COUNTS, json.dumps(counts, indent=1, ensure_ascii=False) + "\n")
    return folder / TEXT


def _load_lemmas(settings: Generate, store: Callable[[], Store]) -> Lemmas:
    from runner.generate.lemmas import Lemmas, lemmas_of_store, lemmas_of_wordfreq

    match settings.lemmas:
        case "basic":
            return Lemmas()
        case "corpus":
            return lemmas_of_store(store())
        case "wordfreq":
            return lemmas_of_wordfreq()
