"""Read the words of a reference corpus. Their frequencies determine which words are rare."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.corpus.raw_text import read_lines
from runner.model.tokenizer import Split, split_words


def words_of(path: Path, split: Split, *, parsed: bool) -> Iterator[str]:
    """Yield the words of a CoNLL-U file if `parsed`, otherwise the words of lines of text by `split`.

    Raises InputError if the file cannot be read (FICT700) or is not UTF-8 (FICT701).
    """
    for line in read_lines(path):
        text = line.text.removeprefix("\ufeff") if line.line == 1 else line.text
        if not parsed:
            yield from split_words(text, split)
            continue
        word_id, _, other_columns = text.partition("\t")
        if word_id.isdecimal():  # not a multiword token (1-2), an empty node (1.1) or a comment
            yield other_columns.partition("\t")[0]
