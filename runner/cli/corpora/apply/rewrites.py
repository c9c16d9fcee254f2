"""Write a rewritten corpus, and print the table of its changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from runner.cli.shared.binary_output import open_output
from runner.cli.shared.filters import filter_labels, note_absent_labels
from runner.cli.shared.messages import print_message
from runner.counted import counted
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledRewrite
    from runner.corpus.rewriting.take import Counts
    from runner.corpus.sentences.texts import TextFormat
    from runner.corpus.store.opening import Store


def apply_rewrites(
    store: Store,
    rewrites: Sequence[CompiledRewrite],
    output_format: str,
    output: Path | None,
    seed: int,
    *,
    dry_run: bool,
) -> None:
    """Write the rewritten sentences of a store to a file or standard output, and the table to standard error.

    With `dry_run`, write only the table.
    """
    from runner.corpus.rewriting.apply import new_counts
    from runner.corpus.rewriting.write import count_rewritten, write_rewritten

    note_absent_labels(store, [rewrite.matching for rewrite in rewrites])
    if dry_run:
        counts = count_rewritten(store, rewrites, seed)
    elif output_format == "jsonl":
        counts = new_counts(rewrites)
        with open_output(output) as file:
            file.writelines(_json_lines(store, rewrites, seed, counts))
    else:
        with open_output(output) as file:
            counts = write_rewritten(store, rewrites, cast("TextFormat", output_format), file, seed)
    _print_table(rewrites, counts)


def _json_lines(store: Store, rewrites: Sequence[CompiledRewrite], seed: int, counts: Counts) -> Iterator[bytes]:
    """Yield a JSON line per sentence; `before` is the stored text of a changed sentence."""
    from runner.corpus.rewriting.texts import rewritten_texts
    from runner.corpus.sentences.texts import exact_texts

    for batch in rewritten_texts(store, rewrites, seed, counts):
        columns = [batch.rows.column(name).to_pylist() for name in ("source", "number", "sent_id")]
        stored_texts, texts, changed = exact_texts(batch.rows).to_pylist(), batch.texts.to_pylist(), set(batch.changed)
        for row, (source, number, sent_id) in enumerate(zip(*columns, strict=True)):
            entry: dict[str, Any] = {"source": source, "number": number, "sent_id": sent_id, "text": texts[row]}
            if row in changed:
                entry["before"] = stored_texts[row]
            yield json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def _print_table(rewrites: Sequence[CompiledRewrite], counts: Counts) -> None:
    """Print a row per rewrite, the total, and the numbers of lost annotations and of forms not inflected."""
    rows = [("rewrite", "sentences", "taken", "overlapping", "invalid")]
    for label, count in zip(filter_labels([rewrite.matching for rewrite in rewrites]), counts.rewrites, strict=True):
        numbers = (f"{number:,}" for number in (count.sentences, count.taken, count.overlapping, count.invalid))
        rows.append((label, *numbers))  # type: ignore[arg-type]
    for line in aligned(rows, range(1, 5)):
        print_message(line, err=True)
    unchanged = counts.sentences - counts.changed - counts.dropped
    summary = f"{counts.dropped:,} omitted, {counts.changed:,} changed, {unchanged:,} unchanged"
    print_message(f"{counted(counts.sentences, 'sentence')}: {summary}", err=True)
    losses = [f"{number:,} {name}" for name, number in counts.losses.items() if number]
    if losses:
        print_message(f"in changed sentences: {'; '.join(losses)}", err=True)
    if uninflected_count := sum(count.unknown_lemmas for count in counts.rewrites):
        print_message(f"{uninflected_count:,} forms not inflected, since their lemmas are unknown", err=True)
