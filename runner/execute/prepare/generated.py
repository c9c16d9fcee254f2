"""Write the generated text of a condition and its counts into a step's folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from runner.corpus.store.opening import Store
from runner.generate.documents import Constraints, Recipe
from runner.generate.files import write_documents
from runner.generate.lemmas import Lemmas, lemmas_of_store, lemmas_of_wordfreq
from runner.manifest.condition import Generate
from runner.workspace import write_text

TEXT, COUNTS = "generated.conllu", "generated.json"


def write_generated(settings: Generate, store: Callable[[], Store], constraints: Constraints, folder: Path) -> Path:
    """Write the text and its counts; return the path of the text. `store` opens the training corpus."""
    recipe = Recipe(settings.paradigm, settings.words, settings.every, settings.seed)
    counts = write_documents(recipe, _lemmas(settings, store), constraints, folder / TEXT)
    write_text(folder / COUNTS, json.dumps(counts, indent=1, ensure_ascii=False) + "\n")
    return folder / TEXT


def _lemmas(settings: Generate, store: Callable[[], Store]) -> Lemmas:
    match settings.lemmas:
        case "basic":
            return Lemmas()
        case "corpus":
            return lemmas_of_store(store())
        case "wordfreq":
            return lemmas_of_wordfreq()
