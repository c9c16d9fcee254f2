"""A recipe into a CoNLL-U file and its counts, without what suites hold and words that a tokenizer does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from runner.generate.documents import Counts, Known, Recipe, documents
from runner.generate.lemmas import Lemmas
from runner.model.saved import load_tokenizer


def known(sentences: Iterable[str], tokenizer: Path | None) -> Known:
    """What generated text is held against: sentences of suites, and the words of a saved tokenizer.

    A suite has a sentence if it has it but for case and the mark at the end.
    """
    held = {bare(text) for text in sentences}

    def in_suite(text: str) -> bool:
        return bare(text) in held

    return Known(in_suite) if tokenizer is None else Known(in_suite, _words(tokenizer))


def bare(text: str) -> str:
    """A sentence in lower case without the marks at its end."""
    return text.strip().rstrip(".?!").rstrip().casefold()


def _words(folder: Path) -> Callable[[str], bool]:
    tokenizer = load_tokenizer(folder)
    unknown = tokenizer.unk_token_id

    @cache
    def known_word(word: str) -> bool:
        return unknown is None or unknown not in tokenizer(word, add_special_tokens=False)["input_ids"]

    return known_word


def write(recipe: Recipe, lemmas: Lemmas, against: Known, path: Path) -> dict[str, Any]:
    """Write the documents of a recipe; what came of it, as plain JSON.

    Lemmas of which a form is unknown to the tokenizer are left out and counted; so are sentences that a suite has or
    that have an unknown word, unless there are no others.
    """
    left, dropped = lemmas.known(against.word)
    counts = Counts()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for document in documents(recipe, counts, left, against):
            file.write(document.conllu(recipe.paradigm))
    told: dict[str, Any] = {name: getattr(counts, name) for name in ("documents", "sentences", "words", "targets")}
    told |= {"lemmas": len(left), "removed_lemmas": dropped}
    told |= {"removed_in_suite": counts.in_suite, "removed_with_unknown_words": counts.with_unknown}
    told |= {"unknown_words_removed": dict(counts.unknown.most_common()), "unknown_words": dict(counts.left)}
    return told | {"genres": dict(counts.genres.most_common())}
