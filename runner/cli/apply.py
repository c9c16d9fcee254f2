"""`fictc apply`: a corpus as the actions of filters leave it."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.complete import filters
from runner.cli.filters import HELP, corpus_option, labels, load_filters, note_missing_features
from runner.cli.limits import limits_options
from runner.corpus.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.edit import Edited
    from runner.corpus.store import Store
    from runner.corpus.take import Taken


@click.command(
    name="apply",
    help=f"""Write a corpus as the actions of filters leave it: sentences dropped, words removed or masked.

    {HELP}

    What several filters take is united. A sentence in which nothing changes is written as it came in, byte for byte;
    one that is removed, or has no word left, is left out. A table on standard error says what each action took.

    \b
    Examples:
      fictc apply filters/pp.fict --corpus stores/ewt --output without-pp.txt
      fictc apply filters/pp.fict filters/relative.fict --corpus stores/ewt --dry-run
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=filters)
@corpus_option
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="text: one sentence a line. jsonl: every sentence as one JSON object a line, with its source, its number "
    "there, sent_id, text (null if it is left out), and what each filter took from it.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="The file to write; without it, standard output.")
@limits_options
@click.option("--dry-run", is_flag=True, help="Write nothing but the table.")
def command(  # the metavar of its help
    filter: tuple[str, ...],  # noqa: A002
    corpus: Path,
    kind: str,
    output: Path | None,
    limits: Limits,
    *,
    dry_run: bool,
) -> None:
    """See the help above."""
    from runner.corpus.edit import edited
    from runner.corpus.store import Store
    from runner.workspace import atomic_write

    filters = load_filters(filter)
    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    tally = _Tally(filters)
    sentences = tally.watch(edited(store, filters))
    lines = _texts(sentences) if kind == "text" else _objects(store, filters, sentences)
    if dry_run:
        for _ in lines:
            pass
    elif output is not None:
        with atomic_write(output) as temp, temp.open("wb") as file:
            file.writelines(line.encode() + b"\n" for line in lines)
    else:
        _print(lines)
    tally.print()


def _print(lines: Iterator[str]) -> None:
    from runner.cli.terminal import safe

    if sys.stdout.isatty():
        for line in lines:
            click.echo(safe(line))
        return
    sys.stdout.buffer.writelines(line.encode() + b"\n" for line in lines)
    sys.stdout.buffer.flush()


def _texts(sentences: Iterator[Edited]) -> Iterator[str]:
    return (sentence.text for sentence in sentences if sentence.text is not None)


def _objects(store: Store, filters: Sequence[CompiledFilter], sentences: Iterator[Edited]) -> Iterator[str]:
    import numpy as np

    from runner.corpus.lookup import places

    names = labels(filters)
    for place, sentence in zip(places(store, np.arange(store.info.sentences)), sentences, strict=True):
        entry = {
            "source": place.source,
            "number": place.number,
            "sent_id": place.sent_id,
            "text": sentence.text,
            "taken": [
                {
                    "filter": names[taken.filter],
                    "action": filters[taken.filter].actions[taken.action],
                    "targets": taken.targets,
                    "words": taken.words,
                }
                for taken in sentence.taken
            ],
        }
        yield json.dumps(entry, ensure_ascii=False)


class _Tally:
    """What each action of each filter takes, counted while the sentences go by."""

    def __init__(self, filters: Sequence[CompiledFilter]) -> None:
        self._filters = filters
        self._sentences: Counter[tuple[int, int]] = Counter()
        self._targets: Counter[tuple[int, int]] = Counter()
        self._words: Counter[tuple[int, int]] = Counter()
        self._all = self._dropped = self._changed = 0

    def watch(self, sentences: Iterator[Edited]) -> Iterator[Edited]:
        """The same sentences."""
        for sentence in sentences:
            self._all += 1
            self._dropped += sentence.text is None
            self._changed += sentence.text is not None and any(taken.words for taken in sentence.taken)
            for taken in sentence.taken:
                self._count(taken)
            yield sentence

    def _count(self, taken: Taken) -> None:
        key = taken.filter, taken.action
        self._sentences[key] += 1
        self._targets[key] += taken.targets
        self._words[key] += len(taken.words)

    def print(self) -> None:
        """The table, on standard error."""
        rows = [("filter", "action", "sentences", "targets", "words")]
        for number, (name, compiled) in enumerate(zip(labels(self._filters), self._filters, strict=True)):
            for place, action in enumerate(compiled.actions):
                key = number, place
                on_words = (
                    compiled.ir.actions[place].target != "sentence" and compiled.ir.actions[place].verb != "count"
                )
                words = f"{self._words[key]:,}" if on_words else ""
                rows.append((name, action, f"{self._sentences[key]:,}", f"{self._targets[key]:,}", words))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            names = "  ".join(cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True))
            numbers = "  ".join(cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True))
            click.echo(f"{names}  {numbers}".rstrip(), err=True)
        same = self._all - self._dropped - self._changed
        left = f"{self._dropped:,} left out, {self._changed:,} changed, {same:,} as they came in"
        click.echo(f"{self._all:,} sentences: {left}", err=True)
