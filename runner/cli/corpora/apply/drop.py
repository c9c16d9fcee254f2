"""Write corpora without the sentences that filters drop, one chunk of the store at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from fictdsl.diagnostics.codes import diagnostic
from runner.cli.corpora.apply.tally import ActionCounts, kept_texts
from runner.cli.shared.binary_output import open_output
from runner.cli.shared.messages import print_message
from runner.counted import counted
from runner.errors import InputError
from runner.file_names import case_collision, invalid_reason

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.actions.drop_sentences import DropCounts
    from runner.corpus.sentences.texts import TextFormat
    from runner.corpus.store.opening import Store

_EXTENSIONS = {"text": "txt", "conllu": "conllu"}


def write_combined(store: Store, filters: Sequence[CompiledFilter], output_format: str, output: Path | None) -> None:
    """Write the sentences that no filter drops to a file or standard output. No filter may have actions on words."""
    with open_output(output) as file:
        drop_counts = _drop(store, filters, [range(len(filters))], output_format, [file])
    counts = _action_counts(filters, drop_counts)
    counts.add_corpus(store.info.sentences, store.info.sentences - drop_counts.kept[0])
    counts.print()


def write_separately(store: Store, filters: Sequence[CompiledFilter], output_format: str, folder: Path) -> None:
    """Write a corpus per filter into a folder, all files or none.

    The text is read once for all filters that drop whole sentences, and once more for each filter that changes words.
    """
    from runner.corpus.actions.drop_sentences import drops_sentences_only
    from runner.corpus.actions.edit import edit_sentences
    from runner.workspace import atomic_writes

    paths = _output_paths(filters, folder, _EXTENSIONS[output_format])
    sentence_filter_indices = [index for index, compiled in enumerate(filters) if drops_sentences_only(compiled)]
    with ExitStack() as stack:
        temp_paths = stack.enter_context(atomic_writes(paths))
        files = [stack.enter_context(temp.open("wb")) for temp in temp_paths]
        sentence_filters = [filters[index] for index in sentence_filter_indices]
        drop_counts = _drop(
            store,
            sentence_filters,
            [[index] for index in range(len(sentence_filter_indices))],
            output_format,
            [files[index] for index in sentence_filter_indices],
        )
        sentence_counts = dict(zip(sentence_filter_indices, drop_counts.kept, strict=True))
        sentence_action_counts = _action_counts(sentence_filters, drop_counts)
        for index in set(range(len(filters))) - set(sentence_filter_indices):
            counts = ActionCounts([filters[index]])
            lines = kept_texts(counts.count(edit_sentences(store, [filters[index]])))
            sentence_counts[index] = _write_lines(files[index], lines)
            counts.print()
    if sentence_filters:
        sentence_action_counts.print()
    for index, path in enumerate(paths):
        omitted = store.info.sentences - sentence_counts[index]
        print_message(f"{path}: {counted(sentence_counts[index], 'sentence')}, {omitted:,} omitted", err=True)


def _write_lines(file: IO[bytes], lines: Iterable[str]) -> int:
    """Write lines and return their number."""
    count = 0
    for line in lines:
        file.write(line.encode() + b"\n")
        count += 1
    return count


def _output_paths(filters: Sequence[CompiledFilter], folder: Path, extension: str) -> list[Path]:
    names = [re.sub(r"[^A-Za-z0-9._-]+", "-", compiled.name) for compiled in filters]
    for compiled, name in zip(filters, names, strict=True):
        if (reason := invalid_reason(name)) is not None:
            raise InputError(diagnostic("FICT612", name=compiled.name, reason=reason))
    if (collision := case_collision(names)) is not None:
        raise click.UsageError(f"two filters would write {collision[1]}.{extension}: remove one of them")
    return [folder / f"{name}.{extension}" for name in names]


def _drop(
    store: Store,
    filters: Sequence[CompiledFilter],
    filter_sets: Sequence[Sequence[int]],
    output_format: str,
    out: Sequence[IO[bytes]],
) -> DropCounts:
    from runner.corpus.actions.drop_sentences import drop_sentences

    return drop_sentences(store, filters, filter_sets, cast("TextFormat", output_format), out)


def _action_counts(filters: Sequence[CompiledFilter], drop_counts: DropCounts) -> ActionCounts:
    counts = ActionCounts(filters)
    for (index, action), sentences in drop_counts.targets.items():
        counts.add(index, action, sentences)
    return counts
