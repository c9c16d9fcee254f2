"""Build a suite of minimal pairs from parsed sentences and their corrupted versions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from runner.corpus.import_conllu import import_files
from runner.corpus.sentence_arrays import Indices, read_values
from runner.corpus.statistics import form_frequencies, frequent_tags, frequent_words
from runner.corpus.store import Store
from runner.intervene.corrupt import OPERATIONS, PLAIN, Rendering, corrupted_pairs
from runner.intervene.substitute import Boundary, Substitution
from runner.manifest.corrupt import Corrupt
from runner.score.suite_files import Pair
from runner.score.suites import Suite


def corrupted_suite(
    settings: Corrupt,
    path: Path,
    name: str,
    base: Callable[[], Store],
    unknown: str,
    folder: Path,
    *,
    lowercase: bool,
    apostrophes_alike: bool,
) -> Suite:
    """Return the pairs of a CoNLL-U file, with a paradigm for each operation.

    `base` returns the store whose frequencies define rare words. `unknown` is the tokenizer's unknown token. The
    store of the file is created in `folder`. Sentences are corrupted in the same way for all values of
    `settings.words`.
    """
    store = import_files([path], folder / "store")
    candidates = frequent_words(store)
    rendering = PLAIN
    if settings.words != "plain":
        counts = form_frequencies(base(), lowercase=lowercase, apostrophes_alike=apostrophes_alike)
        boundary = Boundary.of(counts, settings.alpha)
        replacement = unknown if settings.words == "unk" else None
        rendering = _rendering(
            Substitution(boundary, settings.tags, lowercase, apostrophes_alike),
            replacement,
            frequent_tags(store, settings.tags),
        )
    sids = None if settings.key is None else _sids_with_comment(store, settings.key, str(settings.value))
    pairs = [
        Pair(operation, operation, name.partition(".")[0], item, pair.good, pair.bad)
        for operation in OPERATIONS
        for item, pair in enumerate(
            corrupted_pairs(store, operation, settings.pairs, settings.seed, candidates, only=sids, rendering=rendering)
        )
    ]
    return Suite(name, pairs)


def _rendering(substitution: Substitution, replacement: str | None, tags: dict[str, str]) -> Rendering:
    def render_word(form: str) -> str:
        tag = substitution.tag(form, tags[form])
        return form if tag is None else tag if replacement is None else replacement

    return Rendering(lambda surface: substitution.hybrid_surface(surface, replacement), render_word)


def _sids_with_comment(store: Store, key: str, value: str) -> Indices:
    """Return the sentences whose comment `key`, their own or their document's, is `value`."""
    return np.flatnonzero([comment == value for comment in read_values(store, key)])
