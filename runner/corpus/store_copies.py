"""Copy sentences of published stores to new stores: split one store, or merge several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.words import counted
from runner.corpus.byte_columns import Piece
from runner.corpus.conllu_tables import parse_piece
from runner.corpus.corpus_files import source_labels
from runner.corpus.import_conllu import corpora_folder
from runner.corpus.layer_files import SentencePositions
from runner.corpus.limits import DEFAULT, Limits
from runner.corpus.match_keys import DOCUMENT_PREFIX, comment_keys_of, metadata_query, sentence_metadata_query
from runner.corpus.sentence_arrays import read_values
from runner.corpus.sentence_texts import aligned, as_conllu_blocks, read_batches
from runner.corpus.store import SourceInfo, Store
from runner.corpus.store_files import LINES
from runner.corpus.store_writer import StoreWriter, may_replace, new_store
from runner.corpus.unit_records import join_lines
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import key, lock, publish_dir

Flags = NDArray[np.bool_]
Advance = Callable[[int], None]  # receives the number of sentences copied since the last call

_BATCH = 4096  # sentences


def _ignore(_sentences: int) -> None: ...


class Copier:
    def __init__(self, writer: StoreWriter) -> None:
        self._writer = writer
        self._source: SourceInfo | None = None

    def copy(
        self,
        store: Store,
        mask: Flags | None = None,
        advance: Advance = _ignore,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Append the sentences of a store, or those of a `mask` of shape (sentences,). Raises FICT749 and FICT768."""
        if store.info.layers:
            layers = ", ".join(layer.name for layer in store.info.layers)
            raise InputError.of("FICT768", path=store.path, layers=layers)
        new_labels = labels or {}
        sources = [replace(source, label=new_labels.get(source.label, source.label)) for source in store.info.sources]
        next_source = 0
        for run in _runs(store, mask, advance):
            for index in range(next_source, run.source + 1):
                if mask is None or index == run.source:  # a whole copy keeps sources without sentences
                    self._begin(sources[index])
            next_source = run.source + 1
            parsed = parse_piece(Piece(1, run.text), sources[run.source].label).tables
            assert parsed is not None
            self._writer.write(parsed, run.numbers, run.docs)
        for source in sources[next_source:] if mask is None else ():
            self._begin(source)

    def finish(self) -> None:
        if self._source is not None:
            self._writer.end(self._source.sha256, self._source.rejected)

    def _begin(self, source: SourceInfo) -> None:
        if self._source is None or (source.label, source.sha256) != (self._source.label, self._source.sha256):
            self.finish()
            self._source = source
            self._writer.begin(source.label)


@dataclass(frozen=True, slots=True)
class _Run:
    source: int
    text: bytes
    numbers: Any
    docs: Any


def _runs(store: Store, mask: Flags | None, advance: Advance) -> Iterator[_Run]:
    source_ends = np.cumsum([source.sentences for source in store.info.sources])
    sids, chunks = None, None
    if mask is not None:
        sids = np.flatnonzero(mask)
        chunks = np.unique(np.searchsorted(store.info.ends, sids, side="right")).tolist()
    sentences = read_batches(store, "sentences", ("number", "doc"), sids, chunks)
    for rows, trees in aligned(sentences, read_batches(store, "raw", ("conllu",), sids, chunks, rows=_BATCH)):
        row_sids = rows.column("sid").to_numpy()
        if not np.array_equal(row_sids, trees.column("sid").to_numpy()):  # never in a store that fictc wrote
            reason = f"the texts and trees after sentence {row_sids[0]} differ"
            raise InputError.of("FICT742", path=store.path, reason=reason)
        sources = np.searchsorted(source_ends, row_sids, side="right")
        for start, end in pairwise([0, *(np.flatnonzero(np.diff(sources)) + 1).tolist(), len(sources)]):
            run = rows.slice(start, end - start)
            text = "".join(as_conllu_blocks(trees.column("conllu").slice(start, end - start)).to_pylist()).encode()
            yield _Run(int(sources[start]), text, run.column("number"), run.column("doc"))
        advance(len(rows))


Numbers = dict[str, NDArray[np.int64]]  # source → numbers of its sentences, in corpus order


def check_numbers(store: Store, new_labels: Mapping[str, str] | None = None) -> Numbers:
    """Return the numbers of each source, by its new label. Raises InputError (FICT778) if a sentence occurs twice."""
    positions = SentencePositions.read(store)
    numbers = {label: positions.numbers[positions.codes == code] for code, label in enumerate(positions.sources)}
    problems = []
    for label, source_numbers in numbers.items():
        if repeated := len(source_numbers) - len(np.unique(source_numbers)):
            problems.append(diagnostic("FICT778", path=store.path, label=label, count=counted(repeated, "sentence")))
    if problems:
        raise InputError(problems)
    return {(new_labels or {}).get(label, label): source_numbers for label, source_numbers in numbers.items()}


def _check_disjoint(stores: Iterable[tuple[Store, Mapping[str, str]]]) -> None:
    seen: Numbers = {}
    numbers_by_store = [(store, check_numbers(store, new_labels)) for store, new_labels in stores]
    for store, numbers in numbers_by_store:
        for label, source_numbers in numbers.items():
            earlier_numbers = seen.get(label, source_numbers[:0])
            if len(common_numbers := np.intersect1d(source_numbers, earlier_numbers)):
                count = counted(len(common_numbers), "sentence")
                raise InputError.of("FICT779", path=store.path, label=label, count=count)
            seen[label] = np.concatenate([earlier_numbers, source_numbers])


MAX_PARTS = 1_000
_NAME_BYTES = 150  # of a part; names of temporary folders are longer, and the limit of most file systems is 255
_NO_VALUE = "_"  # name of the part with the sentences that have no value
_META = "meta."
_DOCUMENT_GENRE = f"{DOCUMENT_PREFIX}genre"
_UNSAFE = re.compile(r"[^\w.+-]+|^\.+")


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    mask: Flags


def consecutive_parts(
    store: Store, *, sentences: int | None = None, words: int | None = None, parts: int | None = None
) -> list[Part]:
    """Split a store into parts of consecutive sentences: each of `sentences` sentences, or of at least `words` words.

    With `parts`, there are at most that many, with similar numbers of words: a long sentence can take the place of
    several. Raises InputError (FICT788) if there are more than `MAX_PARTS`.
    """
    lengths = SentencePositions.read(store).lengths
    ends = np.cumsum(lengths)
    if sentences is not None:
        part_by_sid = np.arange(len(ends)) // sentences
    elif words is not None:
        part_by_sid = _fill_parts(ends, words)
    else:
        assert parts is not None
        part_by_sid = np.minimum((ends - lengths) * parts // max(int(ends[-1]), 1), parts - 1)
    numbers = np.unique(part_by_sid)
    _check_part_count(store, len(numbers))
    width = len(str(len(numbers)))
    return [Part(f"{index:0{width}d}", part_by_sid == number) for index, number in enumerate(numbers, 1)]


def parts_by_key(store: Store, key: str) -> list[Part]:
    """Split by `source`, or by the first value of the comment `meta.KEY` (FICT787), in the order of sentences."""
    if key == "source":
        sources = store.info.sources
        indices = np.repeat(np.arange(len(sources)), [source.sentences for source in sources])
        column = pa.array([source.label for source in sources], pa.string()).take(pa.array(indices))
    else:
        column = _comments(store, key)
    encoded = column.dictionary_encode()
    part_by_sid = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy()
    values_of_parts = [*encoded.dictionary.to_pylist(), _NO_VALUE]
    part_numbers, first_sids = np.unique(part_by_sid, return_index=True)
    part_numbers = part_numbers[np.argsort(first_sids)]
    _check_part_count(store, len(part_numbers))
    names = _folder_names([values_of_parts[part_number] for part_number in part_numbers])
    return [Part(name, part_by_sid == part_number) for name, part_number in zip(names, part_numbers, strict=True)]


def split(
    store: Store, parts: Sequence[Part], output: Path, *, force: bool = False, advance: Advance = _ignore
) -> list[Path]:
    """Write each part as a store in the folder `output`, and publish all after the last one is written."""
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
    annotator = store.info.annotator
    return None if annotator is None else {name: value for name, value in annotator.items() if name != "job"}


def _fill_parts(ends: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    part_by_sid = np.zeros(len(ends), np.int64)
    start, words_before = 0, 0
    while start < len(ends):
        end = min(int(np.searchsorted(ends, words_before + words)) + 1, len(ends))
        part_by_sid[start:end] = part_by_sid[start - 1] + 1 if start else 0
        start, words_before = end, int(ends[end - 1])
    return part_by_sid


def _comments(store: Store, key: str) -> pa.Array:
    """Return the first value of a comment in each sentence, or NULL.

    `meta.genre` stands for `meta.meta::genre`, a comment on documents, if no sentence has the comment `genre`.
    """
    keys = comment_keys_of(store)
    name = _DOCUMENT_GENRE if key == "meta.genre" and "genre" not in keys else key.removeprefix(_META)
    if not key.startswith(_META) or name not in keys:
        known_keys = ["source", *(f"{_META}{known}" for known in keys)]
        hint = did_you_mean(key, known_keys) or "there is `source`, and `meta.KEY` for each comment `# KEY = …`"
        raise InputError.of("FICT787", path=store.path, key=key, hint=hint)
    query_of = metadata_query if name.startswith(DOCUMENT_PREFIX) else sentence_metadata_query
    return pa.array(read_values(store, name, query_of), pa.string())


def _folder_names(values: Sequence[str]) -> Iterator[str]:
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
        raise InputError.of("FICT788", path=store.path, parts=f"{parts:,}", most=f"{MAX_PARTS:,}")


def merge(
    stores: Sequence[Store], output: Path, *, mixed: bool = False, force: bool = False, advance: Advance = _ignore
) -> Store:
    """Write the sentences of all stores to a new store `output`. They keep their numbers in their sources.

    Raises InputError if a sentence occurs twice (FICT778, FICT779), or, unless `mixed`, if the stores were not parsed
    by the same program with the same models and options (FICT789), and as `new_store` and `Copier.copy` do.
    """
    labels_by_store = _new_labels(stores)
    annotator = _annotator(stores, mixed=mixed)
    _check_disjoint(zip(stores, labels_by_store, strict=True))
    with new_store(output, force=force) as folder:
        writer = StoreWriter(folder)
        copier = Copier(writer)
        for store, labels in zip(stores, labels_by_store, strict=True):
            copier.copy(store, advance=advance, labels=labels)
        copier.finish()
        for name in _merge_extra_files(stores, labels_by_store, folder):
            writer.register(name)
        writer.finish(annotator)
    return Store.open(output)


def cached_merge(stores: Sequence[Store], limits: Limits = DEFAULT, advance: Advance = _ignore) -> Store:
    """Return the merged store from the cache; merge the stores, of any parsers, unless the cache has it."""
    folder = corpora_folder() / key("merged", *(store.key for store in stores))[:32]
    with lock(folder.with_suffix(".lock")):
        if not (folder / "store.json").is_file():
            merge(stores, folder, mixed=True, force=True, advance=advance)
        return Store.open(folder, limits)


def _new_labels(stores: Sequence[Store]) -> list[Mapping[str, str]]:
    hashes_by_label: dict[str, set[str]] = {}
    for store in stores:
        for source in store.info.sources:
            hashes_by_label.setdefault(source.label, set()).add(source.sha256)
    store_labels = source_labels([store.path for store in stores])
    return [
        {
            source.label: source.label if len(hashes_by_label[source.label]) == 1 else f"{store_label}/{source.label}"
            for source in store.info.sources
        }
        for store, store_label in zip(stores, store_labels, strict=True)
    ]


def _annotator(stores: Sequence[Store], *, mixed: bool) -> Mapping[str, object] | None:
    annotators = [_without_job(store) for store in stores]
    if all(annotator == annotators[0] for annotator in annotators):
        return annotators[0]
    if not mixed:
        index = next(index for index, annotator in enumerate(annotators) if annotator != annotators[0])
        paths = stores[0].path, stores[index].path
        raise InputError.of("FICT789", path=paths[0], other=paths[1])
    annotators_by_store = dict(zip(source_labels([store.path for store in stores]), annotators, strict=True))
    return {"tool": "several", "annotators": annotators_by_store}


def _merge_extra_files(
    stores: Sequence[Store], labels_by_store: Sequence[Mapping[str, str]], folder: Path
) -> list[str]:
    names = []
    for name in dict.fromkeys(name for store in stores for name in store.files if "/" not in name and name != LINES):
        with (folder / name).open("wb") as file:
            for store in stores:
                if name in store.files:
                    file.write(store.file(name).read_bytes())
        names.append(name)
    if all(LINES in store.files for store in stores):
        offsets = accumulate((store.info.sentences for store in stores), initial=0)
        line_files = [store.file(LINES) for store in stores]
        join_lines(zip(line_files, labels_by_store, offsets, strict=False), folder / LINES)
        names.append(LINES)
    return names
