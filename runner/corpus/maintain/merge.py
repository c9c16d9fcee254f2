"""Several stores into one: their sentences one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.files.labels import source_labels
from runner.corpus.ingest.import_conllu import may_replace
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.maintain.copying import Advance, Copier
from runner.corpus.maintain.numbering import check_disjoint, check_numbers, sentence_numbers
from runner.corpus.maintain.upgrade import extras
from runner.corpus.store.opening import Store
from runner.corpus.text.lines import LINES, join_lines
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import clean_stale, publish_dir


def merge(
    stores: Sequence[Store], output: Path, *, mixed: bool = False, force: bool = False, advance: Advance | None = None
) -> Store:
    """Write the store `output`; `advance` gets how many sentences were passed.

    Sentences keep their order and their numbers in their sources. InputError for sentences that two stores have both
    or one has twice, and for stores that were parsed by different programs, unless `mixed`.
    """
    names = _source_names(stores)
    annotator = _annotator(stores, mixed=mixed)
    _check_numbers(stores, names)
    replace = may_replace(output, force=force)
    clean_stale(real_path(output).parent)
    with publish_dir(real_path(output), replace=replace) as folder:
        writer = StoreWriter(folder)
        copier = Copier(writer)
        for store, new in zip(stores, names, strict=True):
            copier.copy(store, advance=advance, labels=new)
        copier.finish()
        for name in _merge_extras(stores, names, folder):
            writer.register(name)
        writer.finish(annotator)
    return Store.open(output)


def _source_names(stores: Sequence[Store]) -> list[Mapping[str, str]]:
    """What the sources of each store are called in the new one: as before, unless two files have the same label."""
    files: dict[str, set[str]] = {}
    for store in stores:
        for source in store.info.sources:
            files.setdefault(source.label, set()).add(source.sha256)
    folders = source_labels([store.path for store in stores])
    return [
        {
            source.label: source.label if len(files[source.label]) == 1 else f"{folder}/{source.label}"
            for source in store.info.sources
        }
        for store, folder in zip(stores, folders, strict=True)
    ]


def _annotator(stores: Sequence[Store], *, mixed: bool) -> Mapping[str, object] | None:
    found = [
        None if store.info.annotator is None else {k: v for k, v in store.info.annotator.items() if k != "job"}
        for store in stores
    ]
    if all(one == found[0] for one in found):
        return found[0]
    if not mixed:
        place = next(place for place, one in enumerate(found) if one != found[0])
        paths = stores[0].path, stores[place].path
        raise InputError(diagnostic("FICT789", path=paths[0], other=paths[1]))
    each = dict(zip(source_labels([store.path for store in stores]), found, strict=True))
    return {"tool": "several", "annotators": each}


def _check_numbers(stores: Sequence[Store], names: Sequence[Mapping[str, str]]) -> None:
    """Raise InputError if a sentence, given by its source and its number, is in two of the stores, or twice in one."""
    found = []
    for store, new in zip(stores, names, strict=True):
        numbers = sentence_numbers(store)
        check_numbers(store, numbers)
        found.append((store, {new[label]: each for label, each in numbers.items()}))
    check_disjoint(found)


def _merge_extras(stores: Sequence[Store], names: Sequence[Mapping[str, str]], folder: Path) -> list[str]:
    """Write what was left out of all stores and, if all have them, the lines of their texts; returns the files."""
    found = []
    for name in dict.fromkeys(name for store in stores for name in extras(store) if name != LINES):
        with (folder / name).open("wb") as file:
            for store in stores:
                if name in store.files:
                    file.write(store.file(name).read_bytes())
        found.append(name)
    if all(LINES in store.files for store in stores):
        before = accumulate((store.info.sentences for store in stores), initial=0)
        files = [store.file(LINES) for store in stores]
        join_lines(zip(files, names, before, strict=False), folder / LINES)
        found.append(LINES)
    return found
