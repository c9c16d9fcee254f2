"""`fictc apply`: apply the actions of filters to a corpus, or write it without what they drop."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import click

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.words import counted
from runner.cli.corpus_options import corpus_option, limits_options
from runner.cli.filter_options import (
    FILTER_HELP,
    Query,
    lists_option,
    load_filters,
    load_rewrites,
    note_absent_labels,
    optional_filters,
    takes_query,
)
from runner.cli.options import PATH, SEED, check_suffix, format_option, relations
from runner.cli.terminal import open_output, print_message
from runner.corpus.filter_arguments import filter_labels
from runner.errors import InputError
from runner.readers import case_collision, invalid_reason
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.corpus.actions import ActionTargets, DropCounts, EditedSentence
    from runner.corpus.rewrite import Rewriting
    from runner.corpus.rewrite_actions import Counts
    from runner.corpus.sentence_texts import TextFormat
    from runner.corpus.store import Store


def kept_texts(sentences: Iterator[EditedSentence]) -> Iterator[str]:
    return (sentence.text for sentence in sentences if sentence.text is not None)


class ActionCounts:
    def __init__(self, filters: Sequence[CompiledFilter]) -> None:
        self._filters = filters
        self._sentences: Counter[tuple[int, int]] = Counter()  # by the indices of filter and action
        self._targets: Counter[tuple[int, int]] = Counter()
        self._words: Counter[tuple[int, int]] = Counter()
        self._total = self._dropped = self._changed = 0

    def count(self, sentences: Iterator[EditedSentence]) -> Iterator[EditedSentence]:
        for sentence in sentences:
            self._total += 1
            self._dropped += sentence.text is None
            self._changed += sentence.text is not None and any(targets.words for targets in sentence.targets)
            for targets in sentence.targets:
                self._count_targets(targets)
            yield sentence

    def add(self, filter_index: int, action_index: int, sentences: int) -> None:
        self._sentences[filter_index, action_index] += sentences
        self._targets[filter_index, action_index] += sentences

    def add_corpus(self, sentences: int, dropped: int) -> None:
        """Add the size of a corpus, of which `dropped` sentences are omitted and the others unchanged."""
        self._total += sentences
        self._dropped += dropped

    def _count_targets(self, targets: ActionTargets) -> None:
        key = targets.filter, targets.action
        self._sentences[key] += 1
        self._targets[key] += targets.count
        self._words[key] += len(targets.words)

    def print(self) -> None:
        rows = [("filter", "action", "sentences", "targets", "words")]
        for filter_index, (name, compiled) in enumerate(zip(filter_labels(self._filters), self._filters, strict=True)):
            for action_index, action in enumerate(compiled.actions):
                key = filter_index, action_index
                target, verb = compiled.ir.actions[action_index].target, compiled.ir.actions[action_index].verb
                changes_words = target != "sentence" and verb != "count"
                words = f"{self._words[key]:,}" if changes_words else ""
                rows.append((name, action, f"{self._sentences[key]:,}", f"{self._targets[key]:,}", words))
        for line in aligned(rows, range(2, 5)):
            print_message(line, err=True)
        if not self._total:
            return
        unchanged = self._total - self._dropped - self._changed
        summary = f"{self._dropped:,} omitted, {self._changed:,} changed, {unchanged:,} unchanged"
        print_message(f"{counted(self._total, 'sentence')}: {summary}", err=True)


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
    from runner.corpus.rewrite import Rewriting
    from runner.corpus.rewritten_texts import count_rewritten, write_rewritten

    note_absent_labels(store, [rewrite.matching for rewrite in rewrites])
    if dry_run:
        counts = count_rewritten(store, rewrites, seed)
    elif output_format == "jsonl":
        rewriting = Rewriting(store, rewrites, seed)
        with open_output(output) as file:
            file.writelines(_json_lines(rewriting))
        counts = rewriting.counts
    else:
        with open_output(output) as file:
            counts = write_rewritten(store, rewrites, cast("TextFormat", output_format), file, seed)
    _print_table(rewrites, counts)


def _json_lines(rewriting: Rewriting) -> Iterator[bytes]:
    """Yield a JSON line per sentence; `before` is the stored text of a changed sentence."""
    from runner.corpus.sentence_texts import exact_texts

    for batch in rewriting.texts():
        columns = [batch.rows.column(name).to_pylist() for name in ("source", "number", "sent_id")]
        stored_texts, texts, changed = exact_texts(batch.rows).to_pylist(), batch.texts.to_pylist(), set(batch.changed)
        for row, (source, number, sent_id) in enumerate(zip(*columns, strict=True)):
            entry: dict[str, Any] = {"source": source, "number": number, "sent_id": sent_id, "text": texts[row]}
            if row in changed:
                entry["before"] = stored_texts[row]
            yield json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def _print_table(rewrites: Sequence[CompiledRewrite], counts: Counts) -> None:
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
    from runner.corpus.actions import drops_sentences_only, edit_sentences
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
    from runner.corpus.actions import drop_sentences

    return drop_sentences(store, filters, filter_sets, cast("TextFormat", output_format), out)


def _action_counts(filters: Sequence[CompiledFilter], drop_counts: DropCounts) -> ActionCounts:
    counts = ActionCounts(filters)
    for (index, action), sentences in drop_counts.targets.items():
        counts.add(index, action, sentences)
    return counts


@click.command(
    name="apply",
    help=f"""Apply filters or rewrites to a corpus: drop sentences, remove, mask or rearrange words.

    {FILTER_HELP}

    FILTER defaults to all filters or rewrites in the current directory.

    The targets of several filters are combined. An unchanged sentence is written byte for byte; a sentence that
    has no words left is omitted. A table on standard error shows the sentences, targets and words of each action.

    Rewrites are applied together, in their order, to the sentences as they are in the store. The table counts their
    matches as taken, overlapping with another match, or invalid because an action cannot be carried out.

    With --each, a separate corpus FOLDER/NAME.txt is written for each filter, in one pass over the text.

    \b
    Examples:
      fictc apply filters/pp.fict --corpus stores/ewt --output without-pp.txt
      fictc apply fict15 --corpus stores/ewt --each --output corpora
      fictc apply filters/pp.fict filters/relative.fict --corpus stores/ewt --dry-run
      fictc apply rewrites/short-first.fict --corpus stores/ewt --format conllu --output short-first.conllu
    """,
)
@optional_filters
@corpus_option()
@format_option(
    "text",
    "conllu",
    "jsonl",
    help="text: one sentence per line. conllu: the trees, byte for byte unless a rewrite changes them; filters may "
    "only drop whole sentences. jsonl: one JSON object per sentence with its source, number, sent_id, text (null if "
    "it is dropped), and what each filter removed or, for rewrites, whether it changed.",
)
@click.option("--output", "-o", type=PATH, help="Output file, or folder with --each [default: standard output].")
@click.option("--each", is_flag=True, help="Write a separate corpus for each filter instead of combining the filters.")
@lists_option
@limits_options()
@click.option("--dry-run", is_flag=True, help="Print only the table, and write no corpus.")
@click.option("--seed", type=SEED, default=0, help="Seed for random rewrites.")
@takes_query
@relations("--each requires --output, --format text or conllu", "--each excludes --dry-run")
def command(query: Query, output_format: str, output: Path | None, seed: int, *, each: bool, dry_run: bool) -> None:
    from runner.corpus.actions import drops_sentences_only

    if not each:
        check_suffix(output, output_format, ("conllu", "jsonl"))
    if rewrites := load_rewrites(query.arguments, query.lists):
        _check_rewrites(query, rewrites, each=each)
        apply_rewrites(query.open_corpus(), rewrites, output_format, None if dry_run else output, seed, dry_run=dry_run)
        return
    filters = load_filters(query.arguments, query.lists)
    drops_only = all(drops_sentences_only(compiled) for compiled in filters)
    if output_format == "conllu":
        _check_whole_sentences(filters)
    store = query.open_corpus(filters)
    if each and output is not None:
        write_separately(store, filters, output_format, output)
    elif drops_only and output_format != "jsonl" and not dry_run:
        write_combined(store, filters, output_format, output)
    else:
        _write_edited(store, filters, output_format, output, dry_run=dry_run)


def _check_rewrites(query: Query, rewrites: Sequence[CompiledRewrite], *, each: bool) -> None:
    """Raise UsageError if there are filters beside the rewrites, or --each is set."""
    rewrite_names = {(rewrite.matching.path, rewrite.name) for rewrite in rewrites}
    compiled_filters = load_filters(query.arguments, query.lists, with_matches=True)
    filter_names = [
        compiled.name for compiled in compiled_filters if (compiled.path, compiled.name) not in rewrite_names
    ]
    if filter_names:
        raise click.UsageError(
            f"{filter_names[0]} is a filter and {rewrites[0].name} is a rewrite: apply them one at a time"
        )
    if each:
        raise click.UsageError("--each is for filters: rewrites are applied together")


def _check_whole_sentences(filters: Sequence[CompiledFilter]) -> None:
    """Raise UsageError if a filter removes words from sentences."""
    from runner.corpus.actions import drops_sentences_only

    word_filters = [compiled.name for compiled in filters if not drops_sentences_only(compiled)]
    if word_filters:
        raise click.UsageError(
            f"{word_filters[0]} removes words from sentences, so their trees are incomplete: use --format text"
        )


def _write_edited(
    store: Store, filters: Sequence[CompiledFilter], output_format: str, output: Path | None, *, dry_run: bool
) -> None:
    from runner.corpus.actions import edit_sentences

    counts = ActionCounts(filters)
    sentences = counts.count(edit_sentences(store, filters))
    lines = _apply_json_lines(store, filters, sentences) if output_format == "jsonl" else kept_texts(sentences)
    if dry_run:
        for _ in lines:
            pass
    else:
        with open_output(output) as file:
            file.writelines(line.encode() + b"\n" for line in lines)
    counts.print()


def _apply_json_lines(
    store: Store, filters: Sequence[CompiledFilter], sentences: Iterator[EditedSentence]
) -> Iterator[str]:
    import numpy as np

    from runner.corpus.sentence_texts import locate

    labels = filter_labels(filters)
    for position, sentence in zip(locate(store, np.arange(store.info.sentences)), sentences, strict=True):
        entry = {
            "source": position.source,
            "number": position.number,
            "sent_id": position.sent_id,
            "text": sentence.text,
            "taken": [
                {
                    "filter": labels[targets.filter],
                    "action": filters[targets.filter].actions[targets.action],
                    "targets": targets.count,
                    "words": targets.words,
                }
                for targets in sentence.targets
            ],
        }
        yield json.dumps(entry, ensure_ascii=False)
