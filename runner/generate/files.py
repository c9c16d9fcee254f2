"""Write generated documents as a CoNLL-U file, without sentences of suites and, if possible, without unknown words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

from runner.generate.documents import Constraints, Counts, documents
from runner.generate.lemmas import Lemmas
from runner.generate.recipe import Recipe
from runner.model.saved.saved import load_tokenizer
from runner.model.saved.tokenized import tokenized

_OUTER_MARKS = " .?!\"'‘“”„«»()"  # final punctuation, and quotes around a sentence


def suite_constraints(sentences: Iterable[str], tokenizer: Path | None) -> Constraints:
    """Return constraints that exclude the sentences of suites, and the words unknown to a saved tokenizer.

    Sentences are compared as `normalized` returns them. Without a tokenizer, all words are known.
    """
    excluded = {normalized(text) for text in sentences}

    def in_suite(text: str) -> bool:
        return normalized(text) in excluded

    return Constraints(in_suite) if tokenizer is None else Constraints(in_suite, _known_word_predicate(tokenizer))


def normalized(text: str) -> str:
    """Return a sentence in NFC and lower case, with ' for ’ and single spaces, without outer quotes and punctuation."""
    spaced = " ".join(normalize("NFC", text).replace("’", "'").split())
    return spaced.strip(_OUTER_MARKS).casefold()


def _known_word_predicate(folder: Path) -> Callable[[str], bool]:
    tokenizer = load_tokenizer(folder)
    unknown_id = tokenizer.unk_token_id

    @cache
    def is_known(word: str) -> bool:
        if unknown_id is None:
            return True
        (ids,) = tokenized(tokenizer, [word], add_special_tokens=False)["input_ids"]
        return unknown_id not in ids

    return is_known


def write_documents(recipe: Recipe, lemmas: Lemmas, constraints: Constraints, path: Path) -> dict[str, Any]:
    """Write the documents of a recipe, and return the counts as a JSON object.

    Lemmas with a form unknown to the tokenizer are omitted and counted. A drawn sentence that a suite contains, or
    that has an unknown word, is counted and replaced by another draw. If every draw has an unknown word, the first such
    draw is kept.
    """
    known_lemmas, dropped_count = lemmas.known(constraints.is_known)
    counts = Counts()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for document in documents(recipe, counts, known_lemmas, constraints):
            file.write(document.conllu(recipe.paradigm))
    content: dict[str, Any] = {name: getattr(counts, name) for name in ("documents", "sentences", "words", "targets")}
    content |= {"lemmas": len(known_lemmas), "removed_lemmas": dropped_count}
    content |= {"removed_in_suite": counts.in_suite, "removed_with_unknown_words": counts.with_unknown}
    content |= {"unknown_words_removed": dict(counts.unknown.most_common())}
    content |= {"unknown_words": dict(counts.remaining_unknown)}
    return content | {"genres": dict(counts.genres.most_common())}
