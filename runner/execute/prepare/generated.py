"""The recipe of a condition into generated text and its counts, in a step's folder."""

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


def write_generated(wanted: Generate, store: Callable[[], Store], against: Constraints, folder: Path) -> Path:
    """Write the text and its counts into a folder; the path of the text. `store` is that of the training corpus."""
    recipe = Recipe(wanted.paradigm, wanted.words, wanted.every, wanted.seed)
    told = write_documents(recipe, _lemmas(wanted, store), against, folder / TEXT)
    write_text(folder / COUNTS, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    return folder / TEXT


def _lemmas(wanted: Generate, store: Callable[[], Store]) -> Lemmas:
    match wanted.lemmas:
        case "basic":
            return Lemmas()
        case "corpus":
            return lemmas_of_store(store())
        case "wordfreq":
            return lemmas_of_wordfreq()
