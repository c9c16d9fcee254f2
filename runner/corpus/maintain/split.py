"""Split a store into several, by consecutive sentences or by metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.ingest.import_conllu import may_replace
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.maintain.copying import Advance, Copier, Flags
from runner.corpus.sentences.arrays import read_values
from runner.corpus.sentences.metadata_sql import DOCUMENT_PREFIX
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import publish_dir

MAX_PARTS = 1_000
_NAME_BYTES = 150  # of a part; names of temporary folders are longer, and the limit of most file systems is 255
_NO_VALUE = "_"  # name of the part with the sentences that have no value
_META = "meta."
_DOCUMENT_GENRE = f"{DOCUMENT_PREFIX}genre"
_UNSAFE = re.compile(r"[^\w.+-]+|^\.+")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a store, to be written as a store: its name, and a mask of its sentences, indexed by sid."""

    name: str
    mask: Flags


def consecutive_parts(
    store: Store, *, sentences: int | None = None, words: int | None = None, parts: int | None = None
) -> list[Part]:
    """Split a store into parts of consecutive sentences, by one of three criteria.

    Each part has `sentences` sentences, or at least `words` words, or there are at most `parts` parts with similar
    numbers of words; a long sentence can take the place of several parts. The last part has the remainder.
    Raises InputError (FICT788) if there are more than `MAX_PARTS` parts.
    """
    ends = np.cumsum(_lengths(store))
    words_before = ends - _lengths(store)
    if sentences is not None:
        part_by_sid = np.arange(len(ends)) // sentences
    elif words is not None:
        part_by_sid = _fill_parts(ends, words)
    else:
        assert parts is not None
        part_by_sid = np.minimum(words_before * parts // max(int(ends[-1]), 1), parts - 1)
    numbers = np.unique(part_by_sid)
    _check_part_count(store, len(numbers))
    width = len(str(len(numbers)))
    return [Part(f"{index:0{width}d}", part_by_sid == number) for index, number in enumerate(numbers, 1)]


def parts_by_key(store: Store, key: str) -> list[Part]:
    """Split by `source`, or by the first value of the comment `meta.KEY`. Parts are sorted by their first sentence.

    Raises InputError if no sentence has the comment (FICT787), or if there are more than `MAX_PARTS` parts (FICT788).
    """
    column = _sources(store) if key == "source" else _comments(store, key)
    encoded = column.dictionary_encode()
    part_by_sid = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy()
    values_of_parts = [*encoded.dictionary.to_pylist(), _NO_VALUE]
    part_numbers, first_sids = np.unique(part_by_sid, return_index=True)
    part_numbers = part_numbers[np.argsort(first_sids)]
    _check_part_count(store, len(part_numbers))
    names = _folder_names([values_of_parts[part_number] for part_number in part_numbers])
    return [Part(name, part_by_sid == part_number) for name, part_number in zip(names, part_numbers, strict=True)]


def split(
    store: Store, parts: Sequence[Part], output: Path, *, force: bool = False, advance: Advance | None = None
) -> list[Path]:
    """Write each part as a store in the folder `output`.

    The parts are published after the last one is written. If `output` is new or empty, they are published in one step.
    Sentences keep their order, and their numbers in their sources. `advance` receives the number of sentences
    processed since its last call. Unless `force` is true, raises InputError (FICT743) if one of the stores exists,
    before anything is written.
    """
    paths = [output / part.name for part in parts]
    replace = [may_replace(path, force=force) for path in paths]
    is_new = not output.exists() or not any(output.iterdir())
    with ExitStack() as stack:  # parts are published at the end: a split that is killed before leaves none
        target = stack.enter_context(publish_dir(real_path(output), replace=True)) if is_new else real_path(output)
        for part, replace_part in zip(parts, replace, strict=True):
            folder = stack.enter_context(publish_dir(target / part.name, replace=replace_part))
            writer = StoreWriter(folder)
            copier = Copier(writer)
            copier.copy(store, part.mask, advance)
            copier.finish()
            writer.finish(_without_job(store))
    return paths


def _without_job(store: Store) -> dict[str, object] | None:
    """Return the store's annotator without the key of the recipe, which applies to the whole text only."""
    annotator = store.info.annotator
    return None if annotator is None else {name: value for name, value in annotator.items() if name != "job"}


def _fill_parts(ends: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    """Return the number of the part of each sentence if each part has at least `words` words."""
    part_by_sid = np.zeros(len(ends), np.int64)
    start, words_before = 0, 0
    while start < len(ends):
        end = min(int(np.searchsorted(ends, words_before + words)) + 1, len(ends))
        part_by_sid[start:end] = part_by_sid[start - 1] + 1 if start else 0
        start, words_before = end, int(ends[end - 1])
    return part_by_sid


def _lengths(store: Store) -> NDArray[np.int64]:
    with store.reading():
        tables = [pq.read_table(path, columns=["length"]) for path in store.parquet("sentences")]
    lengths: NDArray[np.int64] = pa.concat_tables(tables)["length"].to_numpy().astype(np.int64)
    return lengths


def _sources(store: Store) -> pa.Array:
    source_indices = np.repeat(np.arange(len(store.info.sources)), [source.sentences for source in store.info.sources])
    return pa.array([source.label for source in store.info.sources], pa.string()).take(pa.array(source_indices))


def _comments(store: Store, key: str) -> pa.Array:
    """Return the first value of a comment in each sentence, or NULL.

    A comment `meta::…` applies to all sentences of its document. `meta.genre` stands for `meta.meta::genre` if no
    sentence has the comment `genre`.
    """
    columns: list[pa.Array] = []
    keys: set[str] = set()
    for meta_file, sentence_file in zip(store.parquet("meta"), store.parquet("sentences"), strict=True):
        with store.reading():
            table = pq.read_table(meta_file, columns=["sid", "key", "value"], read_dictionary=["key"])
            sids = pq.read_table(sentence_file, columns=["sid"])["sid"].to_numpy()
        keys.update(table["key"].unique().to_pylist())
        comments = table.filter(pc.equal(table["key"].cast(pa.string()), key.removeprefix(_META)))
        comment_sids, first_rows = np.unique(comments["sid"].to_numpy(), return_index=True)
        row_by_sentence = np.full(len(sids), -1)
        row_by_sentence[comment_sids - sids[0]] = first_rows
        values = comments["value"].combine_chunks().cast(pa.string())
        columns += [values.take(pa.array(row_by_sentence, mask=row_by_sentence < 0))]
    name = key.removeprefix(_META)
    name = _DOCUMENT_GENRE if key == "meta.genre" and name not in keys else name
    if key.startswith(_META) and name in keys and name.startswith(DOCUMENT_PREFIX):
        return pa.array(read_values(store, name), pa.string())
    known_keys = ["source", *(f"{_META}{known}" for known in sorted(keys))]
    if key not in known_keys:
        hint = did_you_mean(key, known_keys) or "there is `source`, and `meta.KEY` for each comment `# KEY = …`"
        raise InputError(diagnostic("FICT787", path=store.path, key=key, hint=hint))
    return pa.concat_arrays(columns)


def _folder_names(values: Sequence[str]) -> Iterator[str]:
    """Yield folder names that are unique, even on file systems that ignore case."""
    used_names: set[str] = set()
    for value in values:
        safe_bytes = _UNSAFE.sub("_", value)[:100].encode()
        base = safe_bytes[:_NAME_BYTES].decode(errors="ignore") or _NO_VALUE
        name, suffix = base, 2
        while name.lower() in used_names:
            name, suffix = f"{base}~{suffix}", suffix + 1
        used_names.add(name.lower())
        yield name


def _check_part_count(store: Store, parts: int) -> None:
    if parts > MAX_PARTS:
        raise InputError(diagnostic("FICT788", path=store.path, parts=f"{parts:,}", most=f"{MAX_PARTS:,}"))
