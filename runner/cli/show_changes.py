"""What `fictc show` shows of a condition or a rewrite: sentences before and after, with the changed words marked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fictdsl.draw.svg import Entry, Section, page, svg
from fictdsl.draw.terminal import Line, Piece, context, plain_text, tree_lines
from fictdsl.terminal_text import cut, safe
from fictdsl.words import counted
from runner.cli.options import load_plan
from runner.cli.terminal import faint, for_output, highlighted, print_message, styled, terminal_width
from runner.corpus.rewrite import changed_sentences, changed_sids, changed_trees, word_changes
from runner.corpus.show import Paint, conllu_with, format_position, matched_sentences, select_sids, unique_stem

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.conditions.condition import Filters
    from runner.conditions.corpus import ConditionCorpus
    from runner.corpus.rewrite import ChangedSentence
    from runner.corpus.sentence_arrays import Indices
    from runner.corpus.show import MatchedSentence
    from runner.corpus.store import Store
    from runner.execute.builder import Builder
    from runner.steps.names import TextName


DEFAULT_SENTENCES, DEFAULT_NEAR_MISSES, DEFAULT_CONDITION_SENTENCES, DEFAULT_ROWS = 10, 3, 5, 30
MACHINE_FORMATS = ("svg", "html", "conllu", "tsv", "jsonl", "list")
FORMATS = ("kwic", "tree", *MACHINE_FORMATS)


@dataclass(frozen=True)
class ShowRequest:
    limit: int | None
    sample: int | None
    seed: int | None
    output_format: str
    output: Path | None
    negated: bool
    near: bool
    by: str | None
    rewritten: bool = False
    command: str = ""  # as typed, for the comment of a word list

    @property
    def width(self) -> int | None:
        return None if self.output else terminal_width()

    def paint(self, line: Line) -> str:
        return plain_text([line]) if self.output else styled(line)


T = TypeVar("T")


def show_condition(
    manifest: Path, name: str, request: ShowRequest, data: Path | None, allow: tuple[Path, ...], cache: Path | None
) -> None:
    """Print the changes of a corpus, or of the first corpus of a condition. Missing corpora are built first."""
    from fictdsl.diagnostics.suggest import did_you_mean
    from runner.execute.builder import Builder
    from runner.steps.names import TextName
    from runner.steps.variants import describe_condition

    plan, result_cache, _ = load_plan(manifest, data, allow, None, cache)
    names = list(map(str, plan.corpora))
    corpus_name = plan.corpora_of(name)[0] if name in plan.conditions else TextName.parse(name)
    if corpus_name not in plan.corpora:
        hint = did_you_mean(name, names) or f"conditions: {', '.join(names)}"
        raise click.UsageError(f"{manifest} has no condition {name}\n{hint}")
    builder = Builder(plan, result_cache, lambda event: None)  # noqa: ARG005
    builder.corpora()
    corpus = builder.corpus(corpus_name)
    if request.output_format == "jsonl":
        for entry in _records(builder, corpus_name, corpus, request):
            click.echo(json.dumps(entry, ensure_ascii=False))
        return
    description = describe_condition(plan.conditions_by_corpus[corpus_name])
    click.echo(f"{highlighted(str(corpus_name))}: {description}")
    sentence_count = counted(len(corpus.sids), "sentence")
    order = "; the order differs" if corpus.is_reordered else ""
    print_message(f"{sentence_count}, of {len(corpus.words):,} in the base corpus{order}")
    for line in _sections(builder, corpus_name, corpus, request):
        click.echo(line)


def _sample(entries: Sequence[T] | Indices, request: ShowRequest) -> list[T]:
    import numpy as np

    limit = request.sample or request.limit or DEFAULT_CONDITION_SENTENCES
    seed = request.seed if request.seed is not None else (0 if request.sample else None)
    return [entries[index] for index in select_sids(np.arange(len(entries)), limit, seed)]


def _sections(builder: Builder, name: TextName, corpus: ConditionCorpus, request: ShowRequest) -> Iterator[str]:
    from runner.conditions.intervention import selection_of

    condition = builder.condition(name)
    if len(corpus.removed):
        selection = selection_of(condition)
        filters = () if selection is None else selection.filters(condition)
        keeps = selection is not None and selection.keeps
        filter_reason = "not matched" if keeps else "matched"
        reason = filter_reason if filters else "without words" if selection is None else "at random"
        yield _title(f"removed, {reason}", corpus.removed, request)
        width = terminal_width()
        for removed in _matched(builder, _sample(corpus.removed, request), () if keeps else filters):
            yield f"  - {styled(context(removed.trees()[0], width and width - 4))}"
    if edited := corpus.edited_lines:
        yield _title("edited", edited, request)
        texts = _texts(builder, [edit.sid for edit in _sample(edited, request)])
        for edit in _sample(edited, request):
            yield f"  ~ {_marked_changes(texts[edit.sid], str(edit.text))}"
    if injected := builder.injected_lines(name):
        targets = sum(sentence.target for sentence in injected)
        yield _title("injected", injected, request) + (f", {targets:,} targets" if targets else "")
        for sentence in _sample(injected, request):
            text = highlighted(sentence.text) if sentence.target else for_output(sentence.text)
            yield f"  + {faint(f'line {sentence.line:,}')}  {'* ' if sentence.target else ''}{text}"
    if len(corpus.replaced):
        yield _title("replaced", corpus.replaced, request)
        texts = _texts(builder, _sample(corpus.replaced, request))
        yield from (f"  - {for_output(text)}" for text in texts.values())
    for stage, sids in builder.stage_sentences(name):
        yield _title(f"stage {stage}", sids, request)
        yield from (f"    {for_output(text)}" for text in _texts(builder, _sample(sids, request)).values())
    if corpus.left_out:
        yield f"\nomitted by the common size, a balance or the stages: {corpus.left_out:,}"


def _title(label: str, entries: Sequence[Any] | Indices, request: ShowRequest) -> str:
    count = len(_sample(entries, request))
    return f"\n{highlighted(label)}: {len(entries):,}" + (f", {count:,} shown" if count < len(entries) else "")


def _texts(builder: Builder, sids: Sequence[int]) -> dict[int, str]:
    import numpy as np

    from runner.corpus.sentence_arrays import read_lines

    sorted_sids = np.array(sorted(sids), dtype=np.int64)
    lines = dict(zip(sorted_sids.tolist(), read_lines(builder.store("train"), sorted_sids), strict=True))
    return {int(sid): lines[int(sid)] for sid in sids}


def _matched(builder: Builder, sids_in_order: list[int], filters: Filters) -> list[MatchedSentence]:
    import numpy as np

    store, sids = builder.store("train"), np.array(sids_in_order, dtype=np.int64)
    sentence_by_sid = {sentence.location.sid: sentence for sentence in matched_sentences(store, None, sids)}
    for compiled in filters:
        for sentence in matched_sentences(store, compiled, sids):
            if sentence.matches and not sentence_by_sid[sentence.location.sid].matches:
                sentence_by_sid[sentence.location.sid] = sentence
    return [sentence_by_sid[sid] for sid in sids.tolist()]


def _marked_changes(before: str, after: str) -> str:
    from runner.formatting import word_changes

    pieces: list[str] = []
    for old_words, new_words, is_changed in word_changes(before, after):
        pieces += (
            [highlighted(f"{{{' '.join(old_words)} → {' '.join(new_words)}}}")]
            if is_changed
            else map(for_output, old_words)
        )
    return " ".join(pieces)


def _records(
    builder: Builder, name: TextName, corpus: ConditionCorpus, request: ShowRequest
) -> Iterator[dict[str, Any]]:
    edited, injected = corpus.edited_lines, builder.injected_lines(name)
    counts = {"removed": len(corpus.removed), "edited": len(edited), "injected": len(injected)}
    counts |= {"replaced": len(corpus.replaced), "left_out": corpus.left_out}
    sizes = {"sentences": len(corpus.sids), "base": len(corpus.words), "reordered": corpus.is_reordered}
    yield sizes | counts
    for sid, text in _texts(builder, _sample(corpus.removed, request)).items():
        yield {"kind": "removed", "sid": sid, "text": text}
    edits = _sample(edited, request)
    texts = _texts(builder, [edit.sid for edit in edits])
    for edit in edits:
        yield {"kind": "edited", "sid": edit.sid, "text": texts[edit.sid], "after": edit.text}
    for sentence in _sample(injected, request):
        yield {"kind": "injected", "line": sentence.line, "text": sentence.text, "target": sentence.target}
    for sid, text in _texts(builder, _sample(corpus.replaced, request)).items():
        yield {"kind": "replaced", "sid": sid, "text": text}
    for stage, sids in builder.stage_sentences(name):
        yield {"kind": "stage", "stage": stage, "sentences": len(sids)}


_MAX_LINE_WIDTH = 500  # maximum columns of a line in a file or pipe
_SENT_ID = re.compile(r"(?m)^(#[ \t]*sent_id[ \t]*=[ \t]*\S.*?)([ \t]*\r?)$")  # a comment, without and with its end
_DROPPED = (Piece("(dropped)", "faint"),)


@dataclass(frozen=True)
class RewrittenGroup:
    rewrite: CompiledRewrite
    title: str
    counts: str
    sentences: Sequence[ChangedSentence]

    @property
    def compiled(self) -> CompiledFilter:
        return self.rewrite.matching


def rewritten_group(store: Store, rewrite: CompiledRewrite, title: str, request: ShowRequest) -> RewrittenGroup:
    seed, limit = request.seed or 0, request.sample or request.limit or DEFAULT_SENTENCES
    sids = changed_sids(store, rewrite, seed)
    selected = select_sids(sids, limit, None if request.sample is None else seed)
    counts = f"{len(selected):,} of {len(sids):,} sentences that change"
    return RewrittenGroup(rewrite, title, counts, list(changed_sentences(store, rewrite, seed, selected)))


def rewritten_lines(sentence: ChangedSentence, width: int | None, paint: Paint) -> Iterator[str]:
    yield _location_line(sentence, width, paint)
    for sign, tree in zip("-+", changed_trees(sentence), strict=True):
        marked_line = _DROPPED if tree is None else context(tree, (width or _MAX_LINE_WIDTH) - 4)
        yield paint((Piece(f"  {sign} ", "faint"), *marked_line))


def draw_trees(sentence: ChangedSentence, width: int | None, paint: Paint) -> Iterator[str]:
    yield _location_line(sentence, width, paint)
    for tree in changed_trees(sentence):
        yield paint(_DROPPED if tree is None else context(tree, width or _MAX_LINE_WIDTH))
        yield from [] if tree is None else map(paint, tree_lines(tree, width))
        yield ""


def _location_line(sentence: ChangedSentence, width: int | None, paint: Paint) -> str:
    position = safe(format_position(sentence.location))
    return paint((Piece(position if width is None else cut(position, width), "faint"),))


def html(groups: Sequence[RewrittenGroup], title: str) -> str:
    return page(title, [_section(group) for group in groups])


def _section(group: RewrittenGroup) -> Section:
    span = group.rewrite.definition.span
    text = group.compiled.module.source.text[span.start : span.end]
    entries = [_entry(sentence) for sentence in group.sentences]
    return Section(group.title, group.compiled.metadata.about, text, group.counts, entries, "The rewrite")


def _entry(sentence: ChangedSentence) -> Entry:
    before, after = changed_trees(sentence)
    trees = [before] if after is None else [before, after]
    return Entry(format_position(sentence.location), trees, "dropped" if after is None else None)


def drawings(groups: Sequence[RewrittenGroup]) -> Iterator[tuple[str, str]]:
    used_stems: set[str] = set()
    for group in groups:
        for sentence in group.sentences:
            location = sentence.location
            stem = unique_stem(f"{group.title}-{location.source}-{location.number}", used_stems)
            for version, tree in zip(("before", "after"), changed_trees(sentence), strict=True):
                if tree is not None:
                    yield f"{stem}-{version}.svg", svg(tree, f"{group.title}, {version}: {tree.text()}")


def conllu(group: RewrittenGroup) -> Iterator[str]:
    """Yield each sentence as imported, and its rewritten tree with `-rewritten` after the `sent_id`."""
    for sentence in group.sentences:
        (old_changes, new_changes), comment = word_changes(sentence.rewritten), f"# rewrite = {group.rewrite.name}"
        yield conllu_with(sentence.block, [comment, *_changed_words_comment(old_changes)])
        if sentence.rewritten.conllu is not None:
            renamed_block = _SENT_ID.sub(r"\1-rewritten\2", sentence.rewritten.conllu, count=1)
            trailing_lines = sentence.rewritten.draft.stored.end
            yield conllu_with(f"{renamed_block}\n{trailing_lines}\n", [comment, *_changed_words_comment(new_changes)])


def _changed_words_comment(kind_by_word: dict[int, str]) -> list[str]:
    return [f"# changed = {' '.join(f'{word}:{kind}' for word, kind in kind_by_word.items())}"] if kind_by_word else []


def tsv(groups: Sequence[RewrittenGroup]) -> Iterator[str]:
    yield "rewrite\tsource\tnumber\tsent_id\tbefore\tafter"
    for group in groups:
        for sentence in group.sentences:
            texts = sentence.rewritten.old_text, sentence.rewritten.text
            cells = [group.title, *sentence.location.record.values(), *texts]
            yield "\t".join(re.sub(r"\s", " ", str(cell or "")) for cell in cells)


def jsonl(group: RewrittenGroup) -> Iterator[str]:
    for sentence in group.sentences:
        rewritten = sentence.rewritten
        changed = dict(zip(("before", "after"), word_changes(rewritten), strict=True))
        texts = {"before": rewritten.old_text, "after": rewritten.text, "changed": changed}
        yield json.dumps({"rewrite": group.title, **sentence.location.record, **texts})
