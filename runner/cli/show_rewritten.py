"""`fictc show --rewritten`: sentences before and after a rewrite, with the changed words marked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.draw.page import Entry, Section, page
from fictdsl.draw.svg import svg
from fictdsl.draw.terminal import Line, Piece, context, tree_lines
from fictdsl.terminal_text import cut, safe
from runner.corpus.rewritten_texts import changed_trees
from runner.corpus.show import conllu_with, format_position, unique_stem

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledRewrite
    from runner.cli.show_condition import ShowRequest
    from runner.corpus.rewritten_texts import ChangedSentence
    from runner.corpus.store import Store


Paint = Callable[[Line], str]
_MAX_LINE_WIDTH = 500  # maximum columns of a line in a file or pipe
_SENT_ID = re.compile(r"(?m)^(#[ \t]*sent_id[ \t]*=[ \t]*\S.*?)([ \t]*\r?)$")  # a comment, without and with its end
_DROPPED = (Piece("(dropped)", "faint"),)


@dataclass(frozen=True)
class RewrittenGroup:
    """Sentences that a rewrite changes, with a description of how many there are."""

    rewrite: CompiledRewrite
    label: str
    counts: str
    sentences: Sequence[ChangedSentence]


def rewritten_group(
    store: Store, rewrite: CompiledRewrite, label: str, limit: int, request: ShowRequest
) -> RewrittenGroup:
    """Return the first `limit` sentences that a rewrite changes, or `limit` random ones if `request.sample` is set."""
    from runner.corpus.rewritten_texts import changed_sentences, changed_sids
    from runner.corpus.show import select_sids

    sids = changed_sids(store, rewrite, request.seed or 0)
    seed = (request.seed or 0) if request.sample is not None else None
    selected = select_sids(sids, limit, seed)
    counts = f"{len(selected):,} of {len(sids):,} sentences that change"
    return RewrittenGroup(rewrite, label, counts, list(changed_sentences(store, rewrite, request.seed or 0, selected)))


def lines(sentence: ChangedSentence, width: int | None, paint: Paint) -> Iterator[str]:
    """Yield the location of a sentence, and its text before and after the rewrite."""
    yield _location_line(sentence, width, paint)
    for sign, tree in zip("-+", changed_trees(sentence), strict=True):
        marked_line = _DROPPED if tree is None else context(tree, (width or _MAX_LINE_WIDTH) - 4)
        yield paint((Piece(f"  {sign} ", "faint"), *marked_line))


def draw_trees(sentence: ChangedSentence, width: int | None, paint: Paint) -> Iterator[str]:
    """Yield the location of a sentence, and its text and tree before and after the rewrite."""
    yield _location_line(sentence, width, paint)
    for tree in changed_trees(sentence):
        yield paint(_DROPPED if tree is None else context(tree, width or _MAX_LINE_WIDTH))
        yield from [] if tree is None else map(paint, tree_lines(tree, width))
        yield ""


def _location_line(sentence: ChangedSentence, width: int | None, paint: Paint) -> str:
    position = safe(format_position(sentence.location))
    return paint((Piece(position if width is None else cut(position, width), "faint"),))


def html(groups: Sequence[RewrittenGroup]) -> str:
    """Return an HTML page with all groups, which shows each sentence before and after the rewrite."""
    return page(", ".join(group.label for group in groups), [_section(group) for group in groups])


def _section(group: RewrittenGroup) -> Section:
    matching, span = group.rewrite.matching, group.rewrite.definition.span
    text = matching.module.source.text[span.start : span.end]
    entries = [_entry(sentence) for sentence in group.sentences]
    return Section(group.label, matching.metadata.about, text, group.counts, entries, "The rewrite")


def _entry(sentence: ChangedSentence) -> Entry:
    before, after = changed_trees(sentence)
    trees = [before] if after is None else [before, after]
    return Entry(format_position(sentence.location), trees, "dropped" if after is None else None)


def drawings(groups: Sequence[RewrittenGroup]) -> Iterator[tuple[str, str]]:
    """Yield a file name and an SVG for each tree, before and after the rewrite."""
    used_stems: set[str] = set()
    for group in groups:
        for sentence in group.sentences:
            location = sentence.location
            stem = unique_stem(f"{group.label}-{location.source}-{location.number}", used_stems)
            for version, tree in zip(("before", "after"), changed_trees(sentence), strict=True):
                if tree is not None:
                    yield f"{stem}-{version}.svg", svg(tree, f"{group.label}, {version}: {tree.text()}")


def conllu(group: RewrittenGroup) -> Iterator[str]:
    """Yield each sentence as imported, and its rewritten tree with `-rewritten` after the `sent_id`."""
    from runner.corpus.rewritten_texts import word_changes

    for sentence in group.sentences:
        changes, comment = word_changes(sentence.rewritten), f"# rewrite = {group.rewrite.name}"
        yield conllu_with(sentence.block, [comment, *_changed_words_comment(changes.old_changes)])
        if sentence.rewritten.conllu is not None:
            renamed_block = _SENT_ID.sub(r"\1-rewritten\2", sentence.rewritten.conllu, count=1)
            trailing_lines = sentence.rewritten.draft.stored.end
            yield conllu_with(
                f"{renamed_block}\n{trailing_lines}\n", [comment, *_changed_words_comment(changes.new_changes)]
            )


def _changed_words_comment(kind_by_word: dict[int, str]) -> list[str]:
    return [f"# changed = {' '.join(f'{word}:{kind}' for word, kind in kind_by_word.items())}"] if kind_by_word else []


def tsv(groups: Sequence[RewrittenGroup]) -> Iterator[str]:
    """Yield a header and a row per sentence; the text of a dropped sentence is empty."""
    yield "rewrite\tsource\tnumber\tsent_id\tbefore\tafter"
    for group in groups:
        for sentence in group.sentences:
            location, rewritten = sentence.location, sentence.rewritten
            cells = [
                group.label,
                location.source,
                str(location.number),
                location.sent_id or "",
                rewritten.old_text,
                rewritten.text or "",
            ]
            yield "\t".join(re.sub(r"\s", " ", cell) for cell in cells)


def jsonl(group: RewrittenGroup) -> Iterator[str]:
    for sentence in group.sentences:
        yield json.dumps({"rewrite": group.label, **sentence_record(sentence)})


def sentence_record(sentence: ChangedSentence) -> dict[str, Any]:
    """Return a sentence as plain data: its position, and its text and changed words before and after."""
    from runner.corpus.rewritten_texts import word_changes

    location, rewritten, changes = sentence.location, sentence.rewritten, word_changes(sentence.rewritten)
    return {
        "source": location.source,
        "number": location.number,
        "sent_id": location.sent_id,
        "before": rewritten.old_text,
        "after": rewritten.text,
        "changed": {"before": changes.old_changes, "after": changes.new_changes},
    }
