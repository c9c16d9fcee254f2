"""Suites made of parsed sentences: rated sentences, and pairs of sentences and corrupted copies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.conditions.corrupted_pairs import OPERATIONS, PLAIN, Rendering, corrupted_pairs
from runner.conditions.edits import Edit
from runner.conditions.substitute import Substitution
from runner.corpus.import_conllu import import_files
from runner.corpus.sentence_arrays import read_lines, read_values
from runner.corpus.statistics import frequent_tags, frequent_words
from runner.corpus.store import Store
from runner.errors import InputError
from runner.manifest.model import Corrupt
from runner.score.ratings import Rated, Sentences, parse_rating
from runner.score.suite_files import Pair, Suite

RATING = "rating"  # key of the comment with the rating of a sentence


def rated_sentences(path: Path, name: str, limit: int | None, store: Store, edits: Iterable[Edit]) -> Sentences:
    """Return the first `limit` sentences of a CoNLL-U file with the ratings in their comments `rating`.

    `store` has the sentences of the file. An edit replaces the text of its sentence, unless it has no text. Raises
    InputError (FICT811) if a rating is not a number.
    """
    texts = read_lines(store)
    for edit in edits:
        texts[edit.sid] = edit.text or texts[edit.sid]
    texts_and_ratings = zip(texts, read_values(store, RATING), strict=True)
    items = [_rated(path, number, text, rating) for number, (text, rating) in enumerate(texts_and_ratings, 1)]
    return Sentences(name, items[:limit])


def _rated(path: Path, number: int, sentence: str, rating: str | None) -> Rated:
    value = None if rating is None else parse_rating(rating)
    if rating is not None and value is None:
        reason = f"the rating of sentence {number} is `{rating}`, which is not a number"
        raise InputError(diagnostic("FICT811", path=path, reason=reason))
    return Rated(sentence, value)


def corrupted_suite(
    settings: Corrupt, path: Path, name: str, folder: Path, rare: Substitution | None, replacement: str | None
) -> Suite:
    """Return the pairs of a CoNLL-U file, with a paradigm for each operation.

    Their words that are `rare`, if given, are written as `replacement` or else as tags. Which sentences are corrupted,
    and how, does not depend on it. The store of the file is created in `folder`.
    """
    store = import_files([path], folder / "store")
    candidates, rendering = frequent_words(store), PLAIN
    if rare is not None:
        tags, substitution = frequent_tags(store, settings.tags), rare

        def render_word(form: str) -> str:
            tag = substitution.tag(form, tags[form])
            return form if tag is None else tag if replacement is None else replacement

        rendering = Rendering(lambda surface: substitution.hybrid_surface(surface, replacement), render_word)
    sids = None
    if settings.key is not None:  # a comment of the sentence, or of its document
        sids = np.flatnonzero([value == str(settings.value) for value in read_values(store, settings.key)])
    pairs = [
        Pair(operation, operation, name.partition(".")[0], item, pair.good, pair.bad)
        for operation in OPERATIONS
        for item, pair in enumerate(
            corrupted_pairs(store, operation, settings.pairs, settings.seed, candidates, only=sids, rendering=rendering)
        )
    ]
    return Suite(name, pairs)
