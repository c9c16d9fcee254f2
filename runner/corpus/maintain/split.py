"""A store into several: its sentences in runs, or by what they have in common."""

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
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.readers import real_path
from runner.workspace import publish_dir

MOST = 1_000  # stores that one can be split into
_WITHOUT = "_"  # names the part of the sentences that have no value
_META = "meta."
_UNSAFE = re.compile(r"[^\w.+-]+|^\.+")


@dataclass(frozen=True, slots=True)
class Part:
    """One of the stores to be: its name, and flags of its sentences (by sid)."""

    name: str
    wanted: Flags


def runs(
    store: Store, *, sentences: int | None = None, words: int | None = None, parts: int | None = None
) -> list[Part]:
    """Sentences that follow each other: so many, or at least so many words (the last part has what is left), or
    `parts` parts of about as many words each.
    """
    ends = np.cumsum(_lengths(store))
    before = ends - _lengths(store)  # words that stand before each sentence
    if sentences is not None:
        part_of = np.arange(len(ends)) // sentences
    elif words is not None:
        part_of = _filled(ends, words)
    else:
        assert parts is not None
        part_of = np.minimum(before * parts // max(int(ends[-1]), 1), parts - 1)
    numbers = np.unique(part_of)
    _check(store, len(numbers))
    width = len(str(len(numbers)))
    return [Part(f"{place:0{width}d}", part_of == number) for place, number in enumerate(numbers, 1)]


def groups(store: Store, key: str) -> list[Part]:
    """Sentences with the same `source`, or the same value of the comment `meta.KEY` (the first, where it has several).

    Parts come in the order of their first sentences.
    """
    values = _sources(store) if key == "source" else _comments(store, key)
    codes = values.dictionary_encode()
    places = codes.indices.fill_null(len(codes.dictionary)).to_numpy()
    found = [*codes.dictionary.to_pylist(), _WITHOUT]
    present, first = np.unique(places, return_index=True)
    _check(store, len(present))
    names = _names([found[place] for place in present[np.argsort(first)]])
    return [Part(name, places == place) for name, place in zip(names, present[np.argsort(first)], strict=True)]


def split(
    store: Store, parts: Sequence[Part], output: Path, *, force: bool = False, advance: Advance | None = None
) -> list[Path]:
    """Write each part as a store in the folder `output`, all or none; `advance` gets how many sentences were passed.

    The sentences keep their order, and their numbers in their sources. InputError, before anything is written, if one
    of the stores exists and not `force`.
    """
    paths = [output / part.name for part in parts]
    replace = [may_replace(path, force=force) for path in paths]
    new = not output.exists() or not any(output.iterdir())
    with ExitStack() as stack:  # so that a split that is killed leaves no part, which the next one would have to spare
        whole = stack.enter_context(publish_dir(real_path(output), replace=True)) if new else real_path(output)
        for part, old in zip(parts, replace, strict=True):
            folder = stack.enter_context(publish_dir(whole / part.name, replace=old))
            writer = StoreWriter(folder)
            copier = Copier(writer)
            copier.copy(store, part.wanted, advance)
            copier.finish()
            writer.finish(_without_job(store))
    return paths


def _without_job(store: Store) -> dict[str, object] | None:
    """What parsed the store; a part of it is not what the parsing was to make."""
    annotator = store.info.annotator
    return None if annotator is None else {name: value for name, value in annotator.items() if name != "job"}


def _filled(ends: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    """The part of each sentence, where parts are filled one after the other."""
    part_of = np.zeros(len(ends), np.int64)
    start, done = 0, 0
    while start < len(ends):
        end = min(int(np.searchsorted(ends, done + words)) + 1, len(ends))
        part_of[start:end] = part_of[start - 1] + 1 if start else 0
        start, done = end, int(ends[end - 1])
    return part_of


def _lengths(store: Store) -> NDArray[np.int64]:
    with store.reading():
        tables = [pq.read_table(path, columns=["length"]) for path in store.parquet("sentences")]
    lengths: NDArray[np.int64] = pa.concat_tables(tables)["length"].to_numpy().astype(np.int64)
    return lengths


def _sources(store: Store) -> pa.Array:
    places = np.repeat(np.arange(len(store.info.sources)), [source.sentences for source in store.info.sources])
    return pa.array([source.label for source in store.info.sources], pa.string()).take(pa.array(places))


def _comments(store: Store, key: str) -> pa.Array:
    """The first value that each sentence has of a comment."""
    found: list[pa.Array] = []
    keys: set[str] = set()
    for rows, places in zip(store.parquet("meta"), store.parquet("sentences"), strict=True):
        with store.reading():
            table = pq.read_table(rows, columns=["sid", "key", "value"], read_dictionary=["key"])
            chunk = pq.read_table(places, columns=["sid"])["sid"].to_numpy()
        keys.update(table["key"].unique().to_pylist())
        of_key = table.filter(pc.equal(table["key"].cast(pa.string()), key.removeprefix(_META)))
        sids, first = np.unique(of_key["sid"].to_numpy(), return_index=True)
        place = np.full(len(chunk), -1)
        place[sids - chunk[0]] = first
        values = of_key["value"].combine_chunks().cast(pa.string())
        found += [values.take(pa.array(place, mask=place < 0))]
    known = ["source", *(f"{_META}{name}" for name in sorted(keys))]
    if key not in known:
        hint = did_you_mean(key, known) or "there is `source`, and `meta.KEY` for each comment `# KEY = …`"
        raise InputError(diagnostic("FICT787", path=store.path, key=key, hint=hint))
    return pa.concat_arrays(found)


def _names(values: Sequence[str]) -> Iterator[str]:
    """Names of folders, none twice even where case does not count."""
    taken: set[str] = set()
    for value in values:
        base = _UNSAFE.sub("_", value)[:100] or _WITHOUT
        name, number = base, 2
        while name.lower() in taken:
            name, number = f"{base}~{number}", number + 1
        taken.add(name.lower())
        yield name


def _check(store: Store, parts: int) -> None:
    if parts > MOST:
        raise InputError(diagnostic("FICT788", path=store.path, parts=f"{parts:,}", most=f"{MOST:,}"))
