"""How often the words of target pairs occur in the training corpora of a condition and of its controls."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.analysis.statistics import Analysis
from runner.report.render import formatting
from runner.report.sections.section import Section
from runner.report.tables.table import Column, Table

ORDER = 235

COLUMNS = (
    Column("condition", "condition", look="name"),
    Column("corpus", "training corpus"),
    Column("words", "words", "count", "different words of the target pairs that the full corpus has"),
    Column("vanished", "vanished", "count", "of these, words that the training corpus lacks"),
    Column("halved", "halved", "count", "of these, words at less than half of their frequency in the full corpus"),
    Column("pairs", "pairs with a vanished word, %", "percent"),
    Column("rarest", "most reduced (in full → here)", "list"),
)


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section whose table has a row for each condition with target pairs and each of its controls."""
    rows = tuple(
        (
            condition.name,
            exposure.corpus,
            exposure.words,
            exposure.vanished,
            exposure.halved,
            exposure.pairs_with_vanished / exposure.pairs if exposure.pairs else None,
            ", ".join(
                f"{word} {formatting.count(full)} → {formatting.count(here)}" for word, full, here in exposure.examples
            ),
        )
        for condition in analysis.results.conditions
        for exposure in condition.exposure
    )
    if rows:
        intro = (
            "A removal takes the words of the removed sentences with it. A change of a target that the words alone may "
            "explain is not a loss of the construction: more words vanish or become rare under the condition than "
            "under its control. Counts are of the first seed's corpora."
        )
        table = Table("exposure", "", COLUMNS, rows)
        yield Section("exposure", "The words of the target pairs", intro, (), (table,))
