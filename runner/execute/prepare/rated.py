"""Build a suite of rated sentences from parsed sentences, which may be edited."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.sentence_arrays import read_lines, read_values
from runner.corpus.store import Store
from runner.errors import InputError
from runner.intervene.edits import Edit
from runner.score.ratings import Rated, Sentences, parse_rating

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
