"""Merge several stores into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.files.labels import source_labels
from runner.corpus.ingest.cached import corpora_folder
from runner.corpus.ingest.import_conllu import may_replace
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.maintain.copying import Advance, Copier
from runner.corpus.maintain.numbering import check_disjoint, check_numbers, sentence_numbers
from runner.corpus.store.limits import DEFAULT, Limits
from runner.corpus.store.opening import Store
from runner.corpus.text.lines import LINES, join_lines
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import clean_stale, key, lock, publish_dir


def merge(
    stores: Sequence[Store], output: Path, *, mixed: bool = False, force: bool = False, advance: Advance | None = None
) -> Store:
    """Write the sentences of all stores to a new store `output`.

    Sentences keep their order, and their numbers in their sources. `advance` receives the number of sentences
    processed since its last call. Raises InputError if a sentence occurs twice (FICT778, FICT779), or if `mixed` is
    false and the stores were not parsed by the same program with the same models and options (FICT789). Also raises
    the errors of `may_replace` and `Copier.copy`.
    """
    labels_by_store = _new_labels(stores)
    annotator = _annotator(stores, mixed=mixed)
    _check_numbers(stores, labels_by_store)
    replace = may_replace(output, force=force)
    clean_stale(real_path(output).parent)
    with publish_dir(real_path(output), replace=replace) as folder:
        writer = StoreWriter(folder)
        copier = Copier(writer)
        for store, labels in zip(stores, labels_by_store, strict=True):
            copier.copy(store, advance=advance, labels=labels)
        copier.finish()
        for name in _merge_extra_files(stores, labels_by_store, folder):
            writer.register(name)
        writer.finish(annotator)
    return Store.open(output)


def cached_merge(stores: Sequence[Store], limits: Limits = DEFAULT, advance: Advance | None = None) -> Store:
    """Return the merged store from the user's cache; merge the stores, of any parsers, unless the cache has it.

    Raises InputError as `merge` does.
    """
    folder = corpora_folder() / key("merged", *(store.key for store in stores))[:32]
    with lock(folder.with_suffix(".lock")):
        if not (folder / "store.json").is_file():
            merge(stores, folder, mixed=True, force=True, advance=advance)
        return Store.open(folder, limits)


def _new_labels(stores: Sequence[Store]) -> list[Mapping[str, str]]:
    """Return a map from old to new source labels for each store. A label of several files gets the store as prefix."""
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
    """Return the annotator of the merged store, without the keys of recipes, which apply to single stores only."""
    annotators = [
        None if store.info.annotator is None else {k: v for k, v in store.info.annotator.items() if k != "job"}
        for store in stores
    ]
    if all(annotator == annotators[0] for annotator in annotators):
        return annotators[0]
    if not mixed:
        index = next(index for index, annotator in enumerate(annotators) if annotator != annotators[0])
        paths = stores[0].path, stores[index].path
        raise InputError(diagnostic("FICT789", path=paths[0], other=paths[1]))
    annotators_by_store = dict(zip(source_labels([store.path for store in stores]), annotators, strict=True))
    return {"tool": "several", "annotators": annotators_by_store}


def _check_numbers(stores: Sequence[Store], labels_by_store: Sequence[Mapping[str, str]]) -> None:
    """Raise InputError if a sentence occurs twice in a store (FICT778), or in two stores (FICT779)."""
    relabelled = []
    for store, new_labels in zip(stores, labels_by_store, strict=True):
        numbers = sentence_numbers(store)
        check_numbers(store, numbers)
        relabelled.append((store, {new_labels[label]: source_numbers for label, source_numbers in numbers.items()}))
    check_disjoint(relabelled)


def _merge_extra_files(
    stores: Sequence[Store], labels_by_store: Sequence[Mapping[str, str]], folder: Path
) -> list[str]:
    """Write the rejected and too long sentences and, if all stores have it, `lines.parquet`; return the file names."""
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
