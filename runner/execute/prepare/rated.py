"""Parsed sentences with ratings into a suite, in words or, as a condition reads them, in words and tags."""

from __future__ import annotations

from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.ingest.import_conllu import import_files
from runner.corpus.sentences.arrays import read_lines, read_values
from runner.errors import InputError
from runner.intervene.substitute import Substitution
from runner.score.evaluate.any_suite import AnySuite
from runner.score.evaluate.ratings import Rated, Sentences, number

RATING = "rating"  # the comment of a sentence


def rated_sentences(
    path: Path, name: str, limit: int | None, substitution: Substitution | None, folder: Path
) -> Sentences:
    """The first `limit` sentences of a CoNLL-U file with the numbers in their comments `rating`.

    `folder` gets a store of them. InputError (FICT811) for a rating that is no number.
    """
    store = import_files([path], folder / "store")
    lines = read_lines(store)
    for edit in () if substitution is None else substitution.edits(store):
        lines[edit.sid] = edit.text or lines[edit.sid]
    rated = zip(lines, read_values(store, RATING), strict=True)
    found = [_rated(path, place, text, rating) for place, (text, rating) in enumerate(rated, 1)]
    return Sentences(name, found[:limit])


def checked(suite: AnySuite, path: Path) -> AnySuite:
    """The same suite, if its sentences are rated, some at least, or are none of such a suite; else InputError."""
    if isinstance(suite, Sentences) and all(item.rating is None for item in suite.items):
        raise InputError(diagnostic("FICT811", path=path, reason="none of its sentences has a rating"))
    return suite


def _rated(path: Path, place: int, sentence: str, rating: str | None) -> Rated:
    value = None if rating is None else number(rating)
    if rating is not None and value is None:
        reason = f"the rating of sentence {place} is `{rating}`, no number"
        raise InputError(diagnostic("FICT811", path=path, reason=reason))
    return Rated(sentence, value)
