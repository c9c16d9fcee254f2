"""The report of a replication pack, which begins with a comparison with the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from runner import formatting
from runner.counted import counted
from runner.report.analysis.analysis import analyse
from runner.report.packs.compare import Comparison, compare
from runner.report.packs.load import pack_results, read_pack
from runner.report.packs.model import Pack
from runner.report.page.report import Report, report_of
from runner.report.sections.section import Section
from runner.tables import Cell, Column, Table

SECTION = "replication"


def replicate(folder: Path) -> Report:
    """Return the report of a pack, whose first section compares the paper's numbers with the report's.

    Raises InputError (FICT893, FICT894, FICT897, FICT898) if the pack or its table has errors.
    """
    pack_file = read_pack(folder)
    report = report_of(analyse(pack_results(pack_file)))
    return replace(report, sections=(_section(pack_file.pack, compare(pack_file, report.tables)), *report.sections))


def _section(pack: Pack, comparisons: Sequence[Comparison]) -> Section:
    paragraphs = [f"{pack.pack.paper.rstrip('.')}.", *([pack.pack.about] if pack.pack.about else [])]
    tables = (_numbers(comparisons), _conventions(pack))
    return Section(SECTION, "Replication of the paper", " ".join(paragraphs), (), tables, nav="Replication")


def _summary(comparisons: Sequence[Comparison]) -> str:
    counts = [sum(comparison.agrees is outcome for comparison in comparisons) for outcome in (True, False, None)]
    verbs = (("agrees as printed", "agree as printed"), ("differs", "differ"), ("cannot be recomputed",) * 2)
    parts = [counted(count, *forms) for count, forms in zip(counts, verbs, strict=True) if count]
    return f"Of {counted(len(comparisons), 'number')} of the paper, {formatting.listed(parts)}."


def _numbers(comparisons: Sequence[Comparison]) -> Table:
    columns = (
        Column("place", "in the paper", "text", "published.place", look="quiet"),
        Column("what", "number", "text", "published.what", look="name prose"),
        Column(
            *("paper", "paper", "text"),
            lambda row: Cell(row.published.value, text=row.published.value.replace("-", formatting.MINUS)),
            "as printed",
        ),
        Column("recomputed", "recomputed", "number", _recomputed, "from the published table, in the paper's unit"),
        Column("difference", "difference", "signed", _difference, "recomputed − paper"),
        Column("agrees", "agrees", "yes", help="the recomputed value rounds to the printed one"),
        Column("reason", "reason", look="quiet prose"),
    )
    return Table(SECTION, _summary(comparisons), columns, comparisons)


def _digits(comparison: Comparison) -> int:
    return comparison.published.decimals + 1  # one more than the paper prints


def _recomputed(comparison: Comparison) -> Cell:
    return Cell(comparison.value, text=formatting.number(comparison.value, _digits(comparison)))


def _difference(comparison: Comparison) -> Cell:
    difference = None if comparison.value is None else comparison.value - comparison.published.number
    return Cell(difference, text=formatting.signed(difference, _digits(comparison)))


def _conventions(pack: Pack) -> Table:
    columns = (
        Column("convention", "convention", "text", lambda entry: entry[0], look="name"),
        Column("text", "in the paper", "text", lambda entry: entry[1], look="prose"),
    )
    licence = {"licence of the table": pack.pack.licence} if pack.pack.licence else {}
    return Table("conventions", "Conventions of the paper", columns, tuple((pack.conventions | licence).items()))
