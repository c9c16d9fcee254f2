"""Search CoNLL-U files, plain or compressed, for features and labels without importing the files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fictdsl.schema import Field
from runner.corpus.files.blocks import CONLLU_MEMBERS, FileNotes, archive_members, open_input
from runner.corpus.files.plus import as_conllu


def missing_features(paths: Iterable[Path], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any file has. Reading stops when all features have been found.

    Raises InputError (FICT700, FICT739) if a file cannot be read.
    """
    return features_missing_in(file_contents(paths), features)


def features_missing_in(contents: Iterable[bytes], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any CoNLL-U text has. Later texts are left once all have been found."""
    missing = set(features)
    for content in contents:
        missing -= {
            name for name in missing if _occurs(content, rb"[\t|]" + re.escape(name.encode()) + b"=", Field.FEATS)
        }
        if not missing:
            break
    return missing


def label_occurs(paths: Iterable[Path], label: str, field: Field) -> bool:
    """Return whether a word of any file has a label, or a subtype of it, in a field.

    Raises InputError (FICT700, FICT739) if a file cannot be read.
    """
    pattern = rb"\t" + re.escape(label.encode()) + rb"(?=[\t:])"
    return any(_occurs(content, pattern, field) for content in file_contents(paths))


def file_contents(paths: Iterable[Path]) -> Iterator[bytes]:
    """Yield the content of each file in CoNLL-U, decompressed, and of each member of an archive that an import reads.

    Raises InputError (FICT700, FICT739) if a file cannot be read.
    """
    for path in paths:
        members: Sequence[str | None] = archive_members(path, CONLLU_MEMBERS) or [None]
        for member in members:
            with open_input(path, member=member) as stream:
                yield as_conllu(stream, str(path), FileNotes()).read()


def _occurs(content: bytes, pattern: bytes, field: Field) -> bool:
    """Return whether a pattern that begins with a separator matches in a field of a word's line."""
    for match in re.finditer(pattern, content):
        line_start = content.rfind(b"\n", 0, match.start()) + 1
        word_id = content[line_start : content.find(b"\t", line_start)]  # multiword tokens and empty nodes are no words
        if word_id.isdigit() and content.count(b"\t", line_start, match.start() + 1) == field:
            return True
    return False
