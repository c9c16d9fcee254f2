"""Parsed sentences into pairs with their corruptions, in words, with tags for rare ones, or with an unknown word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from runner.corpus.ingest.import_conllu import import_files
from runner.corpus.sentences.arrays import read_values
from runner.corpus.sentences.common_size import Indices
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query
from runner.intervene.corrupt import OPERATIONS, PLAIN, Rendering, corrupted_pairs, frequent_words
from runner.intervene.substitute import Boundary, Substitution, form_frequencies
from runner.manifest.corrupt import Corrupt
from runner.score.suites.suite import Pair, Suite


def corrupted_suite(
    wanted: Corrupt, path: Path, name: str, base: Callable[[], Store], unknown: str, lowercase: bool, folder: Path
) -> Suite:
    """The pairs of a CoNLL-U file, a paradigm for each operation.

    `base` is the store whose frequencies say which words are rare, `unknown` what the tokenizer writes for a word that
    it does not know. The same sentences are corrupted in the same way, however they are written.
    """
    store = import_files([path], folder / "store")
    listed = frequent_words(store)
    rendering = PLAIN
    if wanted.words != "plain":
        boundary = Boundary.of(form_frequencies(base(), lowercase=lowercase), wanted.alpha)
        mark = unknown if wanted.words == "unk" else None
        rendering = _writing(Substitution(boundary, wanted.tags, lowercase), mark, _tags(store, wanted.tags))
    only = None if wanted.key is None else _having(store, wanted.key, str(wanted.value))
    pairs = [
        Pair(operation, operation, name.partition(".")[0], item, pair.good, pair.bad)
        for operation in OPERATIONS
        for item, pair in enumerate(
            corrupted_pairs(store, operation, wanted.pairs, wanted.seed, listed, only=only, rendering=rendering)
        )
    ]
    return Suite(name, pairs)


def _writing(made: Substitution, mark: str | None, tags: dict[str, str]) -> Rendering:
    def word(form: str) -> str:
        tag = made.tag(form, tags[form])
        return form if tag is None else tag if mark is None else mark

    return Rendering(lambda surface: made.surface(surface, mark), word)


def _tags(store: Store, tags: str) -> dict[str, str]:
    """The most frequent tag of every form in lower case: that of a word which is inserted."""
    query = f"SELECT form_l, coalesce(mode({tags} ORDER BY {tags}), '_') FROM tokens GROUP BY form_l"  # noqa: S608
    rows = run_query(store, lambda connection: connection.execute(query).fetchall(), tables=["tokens"])
    return dict(rows)


def _having(store: Store, key: str, value: str) -> Indices:
    """The sentences with a value of a comment, for themselves or their document."""
    return np.flatnonzero([one == value for one in read_values(store, key)])
