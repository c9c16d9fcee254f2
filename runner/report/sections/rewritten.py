"""Effects of rewrites: the number of matches by outcome, and sentences before and after."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.results import Condition
from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.tables import Cell, Column, Table, Value

COUNT_COLUMNS = (
    Column("condition", "condition", look="name"),
    Column("rewrite", "rewrite", "text", "counts.name"),
    Column("sentences", "sentences", "count", "counts.sentences", "with an applied match"),
    Column("taken", "matches applied", "count", "counts.taken"),
    Column(
        "overlapping", "overlapping", "count", "counts.overlapping", "matches that share words with an applied match"
    ),
    Column("invalid", "invalid", "count", "counts.invalid", "matches with an action that cannot be carried out"),
    Column("unknown_lemmas", "not inflected", "count", "counts.unknown_lemmas", "forms whose lemma is unknown"),
)
SENTENCE_COLUMNS = (
    Column("condition", "condition", look="name"),
    Column("source", "source"),
    Column("number", "number", "count"),
    Column("before", "before", look="prose"),
    Column("after", "after", look="prose"),
)


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with the counts of each rewrite, and examples with the changed words marked."""
    conditions = [condition for condition in analysis.results.conditions if condition.rewrites]
    if not conditions:
        return
    intro = (
        "Rewrites change the sentences that remain after removal. Matches are applied from left to right; a match that "
        "shares words with an applied one is left out as overlapping. Changed words are marked."
    )
    counts = tuple(
        {"condition": condition.name, "counts": count} for condition in conditions for count in condition.rewrites
    )
    examples = tuple(row for condition in conditions for row in _examples(condition))
    tables = (
        Table("rewrites", "", COUNT_COLUMNS, counts),
        Table("rewritten", "Before and after", SENTENCE_COLUMNS, examples),
    )
    yield Section("rewrites", "What the rewrites change", intro, (), tables)


def _examples(condition: Condition) -> Iterator[dict[str, Cell | Value]]:
    from runner.conditions.rewriting import marked_pieces

    for sentence in condition.rewritten:
        row: dict[str, Cell | Value] = {
            "condition": condition.name,
            "source": sentence.source,
            "number": sentence.number,
        }
        if sentence.after is None:
            yield {**row, "before": sentence.before, "after": Cell(None, text="dropped")}
        else:
            old_pieces, new_pieces = marked_pieces(sentence.before, sentence.after)
            before = Cell(sentence.before, pieces=tuple(old_pieces))
            yield {**row, "before": before, "after": Cell(sentence.after, pieces=tuple(new_pieces))}


SECTIONS = {231: sections}
