"""How often the words of target pairs occur in the training corpora of a condition and of its baseline."""

from __future__ import annotations

from collections.abc import Iterator

from runner import formatting
from runner.report.section import Section
from runner.report.statistics import Analysis
from runner.tables import Column, Table

COLUMNS = (
    Column("condition", "condition", look="name"),
    Column("corpus", "training corpus", "text", "exposure.corpus"),
    Column("words", "words", "count", "exposure.words", "different words of the target pairs that the full corpus has"),
    Column("vanished", "vanished", "count", "exposure.vanished", "of these, words that the training corpus lacks"),
    Column(
        *("halved", "halved", "count", "exposure.halved"),
        "of these, words at less than half of their frequency in the full corpus",
    ),
    Column(
        *("pairs", "pairs with a vanished word, %", "percent"),
        lambda row: row["exposure"].pairs_with_vanished / row["exposure"].pairs if row["exposure"].pairs else None,
    ),
    Column(
        *("rarest", "most reduced (in full → here)", "list"),
        lambda row: ", ".join(
            f"{word} {formatting.count(full)} → {formatting.count(here)}"
            for word, full, here in row["exposure"].examples
        ),
    ),
)


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section whose table has a row for each condition with target pairs and each of its controls."""
    rows = tuple(
        {"condition": condition.name, "exposure": exposure}
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


SECTIONS = {235: sections}
