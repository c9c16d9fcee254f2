"""Read the sentences for `fictc score --counts` from a store, or from a file with one sentence per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def sentences_of(path: Path) -> Iterator[str]:
    """Yield the sentences of a store or a file. A byte order mark and white space around a sentence are dropped.

    Raises InputError if the store cannot be read (FICT740 and related codes), or if the file cannot be read (FICT700),
    is not raw text (FICT710) or is not UTF-8 (FICT701).
    """
    from runner.corpus.sentences.export import sentence_texts
    from runner.corpus.store.opening import Store
    from runner.corpus.text.not_text import find_non_text
    from runner.corpus.text.units import read_lines
    from runner.errors import InputError

    if path.is_dir():
        yield from sentence_texts(Store.open(path))
        return
    if problems := list(find_non_text([path])):
        raise InputError(problems)
    yield from (unit.text.removeprefix("\ufeff").strip() for unit in read_lines(path))
