"""Corpora without the sentences that filters take, written a chunk of the store at a time."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from fictdsl.diagnostics.codes import diagnostic
from runner.cli.corpora.apply_tally import Tally, texts
from runner.cli.shared.messages import say
from runner.errors import InputError
from runner.file_names import refusal, same_file

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.actions.drop_sentences import Left
    from runner.corpus.sentences.texts import TextFormat
    from runner.corpus.store.opening import Store

_ENDINGS = {"text": "txt", "conllu": "conllu"}


def leave_together(store: Store, filters: Sequence[CompiledFilter], kind: str, output: Path | None) -> None:
    """Write what all filters, which take whole sentences, leave: to a file or to standard output."""
    from runner.workspace import atomic_write

    if output is None:
        left = _leave(store, filters, [range(len(filters))], kind, [sys.stdout.buffer])
        sys.stdout.buffer.flush()
    else:
        with atomic_write(output) as temp, temp.open("wb") as file:
            left = _leave(store, filters, [range(len(filters))], kind, [file])
    tally = _tally(filters, left)
    tally.leave(store.info.sentences, store.info.sentences - left.kept[0])
    tally.print()


def each_alone(store: Store, filters: Sequence[CompiledFilter], kind: str, folder: Path) -> None:
    """Write what each filter leaves into a folder, all files or none; the text is read once for all that take whole
    sentences, and once more for each that takes words."""
    from runner.corpus.actions.drop_sentences import takes_sentences
    from runner.corpus.actions.edit import edited
    from runner.workspace import atomic_write

    paths = _paths(filters, folder, _ENDINGS[kind])
    whole = [place for place, compiled in enumerate(filters) if takes_sentences(compiled)]
    with ExitStack() as stack:
        temps = [stack.enter_context(atomic_write(path)) for path in paths]
        files = [stack.enter_context(temp.open("wb")) for temp in temps]
        chosen = [filters[place] for place in whole]
        left = _leave(store, chosen, [[n] for n in range(len(whole))], kind, [files[place] for place in whole])
        kept = dict(zip(whole, left.kept, strict=True))
        tally = _tally(chosen, left)
        for place in set(range(len(filters))) - set(whole):
            own = Tally([filters[place]])
            found = texts(own.watch(edited(store, [filters[place]])))
            kept[place] = _write(files[place], found)
            own.print()
    tally.print()
    for place, path in enumerate(paths):
        gone = store.info.sentences - kept[place]
        say(f"{path}: {kept[place]:,} sentences, {gone:,} left out", err=True)


def _write(file: IO[bytes], lines: Iterable[str]) -> int:
    """Write lines; how many they were."""
    count = 0
    for line in lines:
        file.write(line.encode() + b"\n")
        count += 1
    return count


def _paths(filters: Sequence[CompiledFilter], folder: Path, ending: str) -> list[Path]:
    names = [re.sub(r"[^A-Za-z0-9._-]+", "-", compiled.name) for compiled in filters]
    for compiled, name in zip(filters, names, strict=True):
        if (reason := refusal(name)) is not None:
            raise InputError(diagnostic("FICT612", name=compiled.name, reason=reason))
    if (same := same_file(names)) is not None:
        raise click.UsageError(f"two filters would write {same[1]}.{ending}: leave one of them out")
    return [folder / f"{name}.{ending}" for name in names]


def _leave(
    store: Store,
    filters: Sequence[CompiledFilter],
    corpora: Sequence[Sequence[int]],
    kind: str,
    out: Sequence[IO[bytes]],
) -> Left:
    from runner.corpus.actions.drop_sentences import leave

    return leave(store, filters, corpora, cast("TextFormat", kind), out)


def _tally(filters: Sequence[CompiledFilter], left: Left) -> Tally:
    tally = Tally(filters)
    for (place, action), sentences in left.taken.items():
        tally.add(place, action, sentences)
    return tally
