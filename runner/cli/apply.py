"""`fictc apply`: apply the actions of filters to a corpus, or write it without what they drop."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import click

from fictdsl.words import counted
from runner.cli import query_options
from runner.cli.options import PATH, SEED, check_suffix, format_option, relations
from runner.cli.terminal import open_output, print_message
from runner.corpus.filter_arguments import filter_labels
from runner.corpus.rewrite import Rewriting, count_rewritten, write_rewritten
from runner.corpus.sentence_texts import TextFormat, exact_texts, locate
from runner.errors import InputError
from runner.readers import case_collision, invalid_reason
from runner.tables import aligned
from runner.workspace import atomic_writes

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.corpus.actions import DropCounts, EditedSentence
    from runner.corpus.store import Store


class ActionCounts:
    def __init__(self, filters: Sequence[CompiledFilter], drops: DropCounts | None = None) -> None:
        self._filters = filters
        self._sentences = Counter() if drops is None else Counter(drops.targets)  # by the indices of filter and action
        self._targets = Counter(self._sentences)
        self._words: Counter[tuple[int, int]] = Counter()
        self.total = self.dropped = self._changed = 0

    def count(self, sentences: Iterator[EditedSentence]) -> Iterator[EditedSentence]:
        for sentence in sentences:
            self.total += 1
            self.dropped += sentence.text is None
            self._changed += sentence.text is not None and any(targets.words for targets in sentence.targets)
            for targets in sentence.targets:
                key = targets.filter, targets.action
                self._sentences[key] += 1
                self._targets[key] += targets.count
                self._words[key] += len(targets.words)
            yield sentence

    def print(self) -> None:
        rows = [("filter", "action", "sentences", "targets", "words")]
        for filter_index, (name, compiled) in enumerate(zip(filter_labels(self._filters), self._filters, strict=True)):
            for action_index, (text, action) in enumerate(zip(compiled.actions, compiled.ir.actions, strict=True)):
                key = filter_index, action_index
                changes_words = action.target != "sentence" and action.verb != "count"
                words = f"{self._words[key]:,}" if changes_words else ""
                rows.append((name, text, f"{self._sentences[key]:,}", f"{self._targets[key]:,}", words))
        _print_table(rows, range(2, 5))
        if self.total:
            _print_summary(self.total, self.dropped, self._changed)


def _print_table(rows: Sequence[Sequence[str]], right: range) -> None:
    for line in aligned(rows, right):
        print_message(line, err=True)


def _print_summary(sentences: int, dropped: int, changed: int) -> None:
    unchanged = sentences - dropped - changed
    summary = f"{dropped:,} omitted, {changed:,} changed, {unchanged:,} unchanged"
    print_message(f"{counted(sentences, 'sentence')}: {summary}", err=True)


def _apply_rewrites(
    store: Store,
    rewrites: Sequence[CompiledRewrite],
    output_format: str,
    output: Path | None,
    seed: int,
    *,
    dry_run: bool,
) -> None:
    filters = [rewrite.matching for rewrite in rewrites]
    query_options.note_absent_labels(store, filters)
    if dry_run:
        counts = count_rewritten(store, rewrites, seed)
    elif output_format == "jsonl":
        rewriting = Rewriting(store, rewrites, seed)
        with open_output(output) as file:
            file.writelines(_rewritten_json_lines(rewriting))
        counts = rewriting.counts
    else:
        with open_output(output) as file:
            counts = write_rewritten(store, rewrites, cast("TextFormat", output_format), file, seed)
    rows = [["rewrite", "sentences", "taken", "overlapping", "invalid"]]
    for label, count in zip(filter_labels(filters), counts.rewrites, strict=True):
        numbers = count.sentences, count.taken, count.overlapping, count.invalid
        rows.append([label, *(f"{number:,}" for number in numbers)])
    _print_table(rows, range(1, 5))
    _print_summary(counts.sentences, counts.dropped, counts.changed)
    if losses := [f"{number:,} {name}" for name, number in counts.losses.items() if number]:
        print_message(f"in changed sentences: {'; '.join(losses)}", err=True)
    if uninflected_count := sum(count.unknown_lemmas for count in counts.rewrites):
        print_message(f"{uninflected_count:,} forms not inflected, since their lemmas are unknown", err=True)


def _rewritten_json_lines(rewriting: Rewriting) -> Iterator[bytes]:
    """Yield a JSON line per sentence; `before` is the stored text of a changed sentence."""
    for batch in rewriting.texts():
        columns = [batch.rows.column(name).to_pylist() for name in ("source", "number", "sent_id")]
        stored_texts, texts, changed = exact_texts(batch.rows).to_pylist(), batch.texts.to_pylist(), set(batch.changed)
        for row, (source, number, sent_id) in enumerate(zip(*columns, strict=True)):
            entry: dict[str, Any] = {"source": source, "number": number, "sent_id": sent_id, "text": texts[row]}
            if row in changed:
                entry["before"] = stored_texts[row]
            yield json.dumps(entry, ensure_ascii=False).encode() + b"\n"


def _write_combined(
    store: Store, filters: Sequence[CompiledFilter], text_format: TextFormat, output: Path | None
) -> None:
    """Write the sentences that no filter drops to a file or standard output. No filter may have actions on words."""
    from runner.corpus.actions import drop_sentences

    with open_output(output) as file:
        drops = drop_sentences(store, filters, [range(len(filters))], text_format, [file])
    counts = ActionCounts(filters, drops)
    counts.total, counts.dropped = store.info.sentences, store.info.sentences - drops.kept[0]
    counts.print()


def _write_separately(store: Store, filters: Sequence[CompiledFilter], text_format: TextFormat, folder: Path) -> None:
    """Write a corpus per filter. Filters that drop whole sentences share one reading of the text."""
    from runner.corpus.actions import drop_sentences, drops_sentences_only

    paths = _output_paths(filters, folder, {"text": "txt", "conllu": "conllu"}[text_format])
    dropping = [index for index, compiled in enumerate(filters) if drops_sentences_only(compiled)]
    drop_filters = [filters[index] for index in dropping]
    with ExitStack() as stack:
        temp_paths = stack.enter_context(atomic_writes(paths))
        files = [stack.enter_context(temp.open("wb")) for temp in temp_paths]
        filter_sets = [[index] for index in range(len(dropping))]
        drops = drop_sentences(store, drop_filters, filter_sets, text_format, [files[index] for index in dropping])
        kept = dict(zip(dropping, drops.kept, strict=True))
        for index in set(range(len(filters))) - kept.keys():
            counts = _write_edited(store, [filters[index]], "text", files[index])
            kept[index] = counts.total - counts.dropped
            counts.print()
    if drop_filters:
        ActionCounts(drop_filters, drops).print()
    for index, path in enumerate(paths):
        omitted = store.info.sentences - kept[index]
        print_message(f"{path}: {counted(kept[index], 'sentence')}, {omitted:,} omitted", err=True)


def _output_paths(filters: Sequence[CompiledFilter], folder: Path, extension: str) -> list[Path]:
    names = [re.sub(r"[^A-Za-z0-9._-]+", "-", compiled.name) for compiled in filters]
    for compiled, name in zip(filters, names, strict=True):
        if (reason := invalid_reason(name)) is not None:
            raise InputError.of("FICT612", name=compiled.name, reason=reason)
    if (collision := case_collision(names)) is not None:
        raise click.UsageError(f"two filters would write {collision[1]}.{extension}: remove one of them")
    return [folder / f"{name}.{extension}" for name in names]


@click.command(
    name="apply",
    help=f"""Apply filters or rewrites to a corpus: drop sentences, remove, mask or rearrange words.

    {query_options.FILTER_HELP}

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
@query_options.optional_filters
@query_options.corpus_option()
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
@query_options.lists_option
@query_options.limits_options()
@click.option("--dry-run", is_flag=True, help="Print only the table, and write no corpus.")
@click.option("--seed", type=SEED, default=0, help="Seed for random rewrites.")
@query_options.takes_query
@relations("--each requires --output, --format text or conllu", "--each excludes --dry-run")
def command(
    query: query_options.Query, output_format: str, output: Path | None, seed: int, *, each: bool, dry_run: bool
) -> None:
    from runner.corpus.actions import drops_sentences_only

    if not each:
        check_suffix(output, output_format, ("conllu", "jsonl"))
    if rewrites := query_options.load_rewrites(query.arguments, query.lists):
        _check_rewrites(query, rewrites, each=each)
        _apply_rewrites(query.open_corpus(), rewrites, output_format, output, seed, dry_run=dry_run)
        return
    filters = query_options.load_filters(query.arguments, query.lists)
    changing_words = [compiled.name for compiled in filters if not drops_sentences_only(compiled)]
    if output_format == "conllu" and changing_words:
        raise click.UsageError(
            f"{changing_words[0]} removes words from sentences, so their trees are incomplete: use --format text"
        )
    store = query.open_corpus(filters)
    if each and output is not None:
        _write_separately(store, filters, cast("TextFormat", output_format), output)
    elif dry_run:
        _write_edited(store, filters, output_format, None).print()
    elif not changing_words and output_format != "jsonl":
        _write_combined(store, filters, cast("TextFormat", output_format), output)
    else:
        with open_output(output) as file:
            counts = _write_edited(store, filters, output_format, file)
        counts.print()


def _check_rewrites(query: query_options.Query, rewrites: Sequence[CompiledRewrite], *, each: bool) -> None:
    rewrite_names = {(rewrite.path, rewrite.name) for rewrite in rewrites}
    for compiled in query_options.load_filters(query.arguments, query.lists, with_matches=True):
        if (compiled.path, compiled.name) not in rewrite_names:
            raise click.UsageError(
                f"{compiled.name} is a filter and {rewrites[0].name} is a rewrite: apply them one at a time"
            )
    if each:
        raise click.UsageError("--each is for filters: rewrites are applied together")


def _write_edited(
    store: Store, filters: Sequence[CompiledFilter], output_format: str, file: IO[bytes] | None
) -> ActionCounts:
    from runner.corpus.actions import edit_sentences

    counts = ActionCounts(filters)
    sentences = counts.count(edit_sentences(store, filters))
    if output_format == "jsonl":
        lines = _json_lines(store, filters, sentences)
    else:
        lines = (sentence.text for sentence in sentences if sentence.text is not None)
    for line in lines:
        if file is not None:
            file.write(line.encode() + b"\n")
    return counts


def _json_lines(store: Store, filters: Sequence[CompiledFilter], sentences: Iterator[EditedSentence]) -> Iterator[str]:
    import numpy as np

    labels = filter_labels(filters)
    for location, sentence in zip(locate(store, np.arange(store.info.sentences)), sentences, strict=True):
        taken = [
            {
                "filter": labels[targets.filter],
                "action": filters[targets.filter].actions[targets.action],
                "targets": targets.count,
                "words": targets.words,
            }
            for targets in sentence.targets
        ]
        yield json.dumps({**location.record, "text": sentence.text, "taken": taken}, ensure_ascii=False)
