"""Token files, which store an encoded text without separators as memory-mapped arrays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import atomic_write, write_text

Ids: TypeAlias = NDArray[Any]  # uint16 or uint32, by the size of the vocabulary
IDS, OFFSETS, DOCUMENTS, ABOUT = "ids.npy", "offsets.npy", "documents.npy", "tokens.json"


@dataclass(frozen=True)
class TokenFile:
    """An encoded text. Sentence i is `ids[offsets[i] : offsets[i + 1]]`. The arrays are memory-mapped.

    `documents` has the index of the first sentence of each document; without it, every sentence is a document.
    """

    folder: Path
    ids: Ids  # (tokens,)
    offsets: NDArray[np.int64]  # (sentences + 1,)
    vocabulary: int  # the highest id of the tokenizer plus 1
    separator: int | None  # id of the token before, between and after sentences
    unknown: int | None  # id of the unknown token
    documents: NDArray[np.int64] | None = None  # (documents,), ascending

    @classmethod
    def open(cls, folder: Path) -> TokenFile:
        """Map the files of `folder`. Raises InputError (FICT802) if one is missing or they are inconsistent."""
        try:
            about = parse_json((folder / ABOUT).read_text(encoding="utf-8"))
            ids = np.load(folder / IDS, mmap_mode="r", allow_pickle=False)
            offsets = np.load(folder / OFFSETS, mmap_mode="r", allow_pickle=False)
            path = folder / DOCUMENTS
            documents = np.load(path, mmap_mode="r", allow_pickle=False) if path.is_file() else None
            is_consistent = int(offsets[-1]) == len(ids) == about["tokens"]
            settings = about["vocabulary"], about["separator"], about["unknown"]
        except (OSError, EOFError, ValueError, KeyError, IndexError, TypeError) as error:
            raise InputError(diagnostic("FICT802", path=folder, reason=str(error))) from error
        if not is_consistent:
            reason = "the numbers of tokens in its files differ"
            raise InputError(diagnostic("FICT802", path=folder, reason=reason))
        return cls(folder, ids, offsets, *settings, documents)

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    @property
    def tokens(self) -> int:
        """The number of tokens without separators."""
        return len(self.ids)

    def sentence(self, index: int) -> Ids:
        """Return the ids of a sentence."""
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    def counts(self, *, closed: bool = True) -> NDArray[np.int64]:
        """Return the frequency of each id, (V,). With `closed`, the separator after each sentence counts too."""
        counts = np.bincount(self.ids, minlength=self.vocabulary).astype(np.int64)
        if closed and self.separator is not None:
            counts[self.separator] += self.sentences
        return counts

    def unknown_rate(self) -> float:
        """Return the share of unknown tokens, 0 for an empty text."""
        if self.unknown is None or not self.tokens:
            return 0.0
        return int(np.count_nonzero(self.ids == self.unknown)) / self.tokens

    def sha256(self) -> str:
        """Return the SHA-256 (64 hex digits) of all data that training reads."""
        digest = hashlib.sha256(f"{self.ids.dtype} {self.vocabulary} {self.separator}\n".encode())
        documents = () if self.documents is None else (self.documents,)
        for array in (self.ids, self.offsets, *documents):
            digest.update(np.asarray(array).tobytes())
        return digest.hexdigest()


def write_tokens(
    sentences: Iterable[list[int]],
    folder: Path,
    *,
    vocabulary: int,
    separator: int | None,
    unknown: int | None,
    documents: Callable[[], NDArray[np.int64]] | None = None,
) -> TokenFile:
    """Write the ids of `sentences` into `folder`, which is created if needed, and open it.

    `documents` is called once all sentences are read, and returns the index of the first sentence of each document.
    """
    dtype = np.uint16 if vocabulary <= 1 << 16 else np.uint32
    chunks: list[Ids] = [np.empty(0, dtype)]
    lengths: list[int] = []
    pending: list[int] = []
    for ids in sentences:
        lengths.append(len(ids))
        pending += ids
        if len(pending) > 1 << 20:
            chunks.append(np.array(pending, dtype))
            pending.clear()
    chunks.append(np.array(pending, dtype))
    all_ids = np.concatenate(chunks)
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
    folder.mkdir(parents=True, exist_ok=True)
    document_arrays = () if documents is None else ((DOCUMENTS, documents()),)
    for name, array in ((IDS, all_ids), (OFFSETS, offsets), *document_arrays):
        with atomic_write(folder / name) as temp, temp.open("wb") as file:
            np.save(file, array, allow_pickle=False)
    about = {
        "sentences": len(lengths),
        "tokens": len(all_ids),
        "vocabulary": vocabulary,
        "separator": separator,
        "unknown": unknown,
    }
    write_text(folder / ABOUT, json.dumps(about, indent=1) + "\n")
    return TokenFile.open(folder)
