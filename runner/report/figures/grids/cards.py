"""A heatmap for narrow screens: a card for each condition, as a collapsible HTML table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runner.report.analysis.contrasts import is_target
from runner.report.analysis.statistics import Analysis, Unit, full_condition
from runner.report.figures.grids.cells import GridCell, grid_cell
from runner.report.figures.grids.rows import BLOCK_TITLES, TARGETED, blocks, heading, label, row_sections
from runner.report.figures.grids.shades import accuracy_class, delta_class
from runner.report.render import formatting
from runner.report.render.svg import escaped, tag
from runner.report.tables.contrasts import main_contrast

MAX_BESIDE = 4  # columns beside the name of a row; with more, the name is above them


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of a card, one per model: the accuracies of a condition or, with `reference_kind`, its changes."""

    condition: str
    reference_kind: str | None

    def title(self, card: str) -> str:
        """Return the heading of the columns, which names the condition if it is not the condition of the card."""
        is_other = self.reference_kind is None and self.condition != card
        return f"{self.condition}, %" if is_other else BLOCK_TITLES[self.reference_kind]


def cards(analysis: Analysis, suite: str, *, only_accuracies: bool) -> str:
    """Return the cards of a suite as HTML, one per condition. The heading of a card shows means as coloured labels.

    Controls have no card, unless there are only accuracies.
    """
    note = tag("p", escaped(_note(analysis, only_accuracies=only_accuracies)), class_="quiet")
    sections = row_sections(analysis, suite)
    card_elements = [
        _card(analysis, sections, suite, condition, card_blocks)
        for condition, card_blocks in _card_blocks(analysis, only_accuracies=only_accuracies)
    ]
    return tag("div", note, *card_elements, class_="heat")


def _note(analysis: Analysis, *, only_accuracies: bool) -> str:
    models = formatting.listed(list(analysis.results.models))
    if only_accuracies:
        return f"Beside each condition is its mean accuracy, {models}."
    return (
        f"Beside each condition is the mean change of the paradigms that it targets, or of all paradigms if it targets "
        f"none, in points, {models}. Targeted paradigms have a frame, with the verdict: ▾ fell, ▴ rose, ▿ ▵ the same "
        "within the margin, = held, ? undecided. Other changes are pale; no test is made of them."
    )


def _card_blocks(analysis: Analysis, *, only_accuracies: bool) -> Iterator[tuple[str, list[Block]]]:
    """Yield the conditions that have a card, with their blocks. The accuracies of the full corpus precede changes."""
    full = full_condition(analysis.results)
    for condition in analysis.results.conditions:
        own_blocks = [
            Block(condition.name, reference_kind)
            for reference_kind in blocks(analysis, condition, only_accuracies=only_accuracies)
        ]
        if full is None or only_accuracies:
            yield condition.name, own_blocks
        elif own_blocks and condition.name != full.name:
            yield condition.name, [Block(full.name, None), *own_blocks]


def _card(
    analysis: Analysis, sections: list[tuple[str, list[Unit]]], suite: str, condition: str, card_blocks: list[Block]
) -> str:
    units = [unit for _, section in sections for unit in section]
    own_targets = [unit for unit in units if is_target(analysis.targets, unit, condition)]
    target_section = [(f"targeted by {condition}", own_targets)] if own_targets else []
    titles = {TARGETED: "targeted by other conditions"} if own_targets else {}
    other_sections = [
        (titles.get(title, title), [unit for unit in section if unit not in own_targets]) for title, section in sections
    ]
    body = [
        row
        for title, section in (*target_section, *other_sections)
        if section
        for row in _section(analysis, title, section, card_blocks)
    ]
    summary = tag(
        "summary", tag("span", escaped(condition)), _chips(analysis, suite, own_targets, condition, card_blocks)
    )
    has_many_columns = len(card_blocks) * len(analysis.results.models) > MAX_BESIDE
    head = tag("thead", *_headings(analysis, condition, card_blocks))
    table = tag("table", head, tag("tbody", *body), class_="many" if has_many_columns else None)
    return tag("details", summary, table)


def _chips(analysis: Analysis, suite: str, own_targets: list[Unit], condition: str, card_blocks: list[Block]) -> str:
    """Return a coloured value per model: the accuracy of the suite or, for blocks of changes, a mean change.

    The change is that of the condition's targets or, if it has none, of the suite.
    """
    changes = card_blocks[-1].reference_kind is not None
    units = own_targets if own_targets and changes else [Unit("suite", suite, suite)]
    values = ((model, _mean(analysis, units, condition, model, changes=changes)) for model in analysis.results.models)
    chips = [_chip(model, value, changes=changes) for model, value in values if value is not None]
    return tag("span", *chips, class_="chips") if chips else ""


def _mean(analysis: Analysis, units: list[Unit], condition: str, model: str, *, changes: bool) -> float | None:
    if changes:
        contrasts = [main_contrast(analysis, unit, condition, model) for unit in units]
        values = [contrast.difference.delta for contrast in contrasts if contrast is not None]
    else:
        accuracies = [analysis.accuracies.get((unit, condition, model)) for unit in units]
        values = [accuracy.mean for accuracy in accuracies if accuracy is not None]
    return sum(values) / len(values) if values else None


def _chip(model: str, value: float, *, changes: bool) -> str:
    shade = delta_class(value) if changes else accuracy_class(value)
    text = formatting.points(value) if changes else formatting.percent(value)
    return tag("b", escaped(text), class_=f"{shade} on-{shade}", title=model)


def _headings(analysis: Analysis, card: str, card_blocks: list[Block]) -> list[str]:
    models = analysis.results.models
    spans = [tag("th", escaped(block.title(card)), colspan=len(models), scope="colgroup") for block in card_blocks]
    names = [tag("th", tag("span", escaped(model)), scope="col") for _ in card_blocks for model in models]
    corner = tag("td", "")
    return [tag("tr", corner, *spans), tag("tr", corner, *names)]


def _section(analysis: Analysis, title: str, units: list[Unit], card_blocks: list[Block]) -> Iterator[str]:
    column_count = 1 + len(card_blocks) * len(analysis.results.models)
    yield tag("tr", tag("th", escaped(heading(title)), colspan=column_count, scope="rowgroup", class_="group"))
    for unit in units:
        name = escaped(label(unit)).replace("_", "_<wbr>")
        cells = (
            grid_cell(analysis, unit, block.condition, model, block.reference_kind)
            for block in card_blocks
            for model in analysis.results.models
        )
        yield tag("tr", tag("th", name, scope="row"), *map(_cell, cells))


def _cell(cell: GridCell | None) -> str:
    if cell is None:
        return tag("td", "–", class_="none")
    frame = " target" if cell.targeted else ""
    return tag("td", escaped(cell.text), class_=f"{cell.shade} {cell.ink}".strip() + frame)
