"""The share of a suite's items that filters match: a heatmap of filters by paradigms, and its page."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby

from fictdsl.words import counted
from runner import formatting
from runner.audit.coverage import Share
from runner.report.grids import frozen, heading
from runner.report.markup import (
    CHARACTER_WIDTH,
    PageSection,
    box,
    drawing,
    escaped,
    line,
    shell,
    standalone,
    svg_text,
    tag,
    tooltip,
)
from runner.tables import Column, Table

EDGES = (0, 5, 25, 50, 75, 95)  # percent; a shade is for values up to its edge, the last for those above all
SHADES = ("z", *(f"p{step}" for step in range(1, 7)))
HEIGHT, GAP, HEADING_WIDTH = 18, 2, 14  # pixels: height of a cell, between cells, width of the heading of a group
NARROW, WIDE, ROOM = 9, 44, 700  # pixels: widths of a cell without and with its value, and for all columns of values
MAX_NAME = 32  # characters of a drawn name; a longer one is cut in the middle
ANGLE = 75  # degrees, of the names of paradigms
COSINE, SINE = math.cos(math.radians(ANGLE)), math.sin(math.radians(ANGLE))
SIDE_TEXTS = {
    "good": "the acceptable sentence matches",
    "bad": "the unacceptable sentence matches",
    "either": "one of the two sentences matches",
    "both": "both sentences match",
}


def page(shares: Sequence[Share], suite: str, side: str, sets: Mapping[str, str]) -> str:
    """Return the page. `sets` has the set of each filter, by whose names the rows are grouped."""
    intro = (
        f"The share of a paradigm's items that a filter matches. An item counts as matched if {SIDE_TEXTS[side]}. An "
        "outline marks the paradigms that a filter targets. Point at a cell for its numbers, or go through the cells "
        "with the tab and arrow keys."
    )
    target_shares = [share for share in shares if share.items and share.targets]
    other_shares = [share for share in shares if share.matched and not share.targets]
    sections: list[PageSection] = [
        ("heatmap", "Filters and paradigms", intro, heatmap(shares, suite, sets), None),
        ("targets", "Targets", "", "", _table("targets", target_shares, sets)),
        ("others", "Matches beyond the targets", "", "", _table("others", other_shares, sets)),
    ]
    return shell(f"Coverage of {suite}", "Filters on a benchmark", [each for each in sections if each[3] or each[4]])


def svg(shares: Sequence[Share], suite: str, sets: Mapping[str, str]) -> str:
    return standalone(heatmap(shares, suite, sets))


def _table(name: str, shares: Sequence[Share], sets: Mapping[str, str]) -> Table | None:
    columns = (
        Column("filter", "filter", "text", lambda share: _short(share.filter), css_class="name"),
        Column("set", "set", "text", lambda share: sets.get(share.filter, "")),
        Column("paradigm", "paradigm", "text", css_class="prose"),
        Column("phenomenon", "field", "text"),
        Column("matched", "matched", "count"),
        Column("items", "items", "count"),
        Column("share", "%", "percent"),
    )
    ordered = sorted(shares, key=lambda share: -(share.share or 0))
    return Table(name, "", columns, ordered) if shares else None


def _short(label: str) -> str:
    return label.rpartition("::")[2]


def heatmap(shares: Sequence[Share], suite: str, sets: Mapping[str, str]) -> str:
    """Return an unstyled `<svg>`. Its cells can be focused; the script of the page moves the focus by arrow keys."""
    cells = {(share.filter, share.paradigm): share for share in shares if share.items}
    paradigms = _grouped({share.paradigm: share.phenomenon for share in cells.values()})
    names = [*chain(*paradigms.values())]
    by_target = sorted(cells, key=lambda cell: (not cells[cell].targets, names.index(cell[1])))
    filters = _grouped({name: sets.get(name, "") for name, _ in by_target})
    width = WIDE if len(names) * (WIDE + GAP) <= ROOM else NARROW
    left = _width(map(_short, chain(*filters.values()))) + 14
    top = 44 + _width([*names, *paradigms]) * SINE
    body, labels, columns, x = _legend(), list[str](), dict[str, float](), left
    for title, group in paradigms.items():
        body.append(_slanted(heading(title), x + 11, top, "section"))
        x += HEADING_WIDTH
        for name in group:
            columns[name] = x
            body.append(_slanted(_cut(name), x + width / 2 + 4, top, "small"))
            x += width + GAP
    y = top
    for title, group in filters.items():
        if title:
            labels += [svg_text(heading(title), 0, y + 15, class_="section"), line(0, y + 20.5, left, y + 20.5, "rule")]
            body.append(line(left, y + 20.5, x, y + 20.5, "rule"))
            y += 24
        for name in group:
            labels.append(svg_text(_cut(_short(name)), left - 8, y + 13, class_="end small"))
            row = (_cell(cells[name, paradigm], start, y, width) for paradigm, start in columns.items())
            body.append(tag("g", *row, class_="cells"))
            y += HEIGHT + GAP
        y += 8
    full_width = max((start + width + _width([name]) * COSINE for name, start in columns.items()), default=left)
    content = [*body, frozen(labels, left, top, y)]
    return drawing(content, full_width, y, f"Share of the items of {suite} that filters match", role="group")


def _grouped(group_of: Mapping[str, str]) -> dict[str, list[str]]:
    ordered = sorted(group_of, key=lambda name: group_of[name])
    return {group: list(names) for group, names in groupby(ordered, key=lambda name: group_of[name])}


def _width(names: Iterable[str]) -> float:
    return max((len(_cut(name)) for name in names), default=0) * CHARACTER_WIDTH * 0.86


def _cut(name: str) -> str:
    half = MAX_NAME // 2
    return name if len(name) <= MAX_NAME else f"{name[: half - 1]}…{name[-half:]}"


def _slanted(text: str, x: float, y: float, class_: str) -> str:
    transform = f"translate({x:.1f} {y - 6:.1f}) rotate({-ANGLE})"
    return tag("text", escaped(text), transform=transform, class_=class_)


def _cell(share: Share, x: float, y: float, width: float) -> str:
    percent = 100 * (share.share or 0)
    shade = SHADES[bisect_left(EDGES, percent)]
    lines = [
        f"{share.filter} × {share.paradigm}",
        f"{share.matched:,} of {counted(share.items, 'item')} ({formatting.percent(percent / 100)} %)",
        *(["targeted by the filter"] if share.targets else []),
        *([f"{counted(share.unparsed, 'more item')} without trees"] if share.unparsed else []),
    ]
    content = [tooltip("\n".join(lines)), box(x, y, width, HEIGHT, shade)]
    if share.targets:
        content.append(box(x + 1, y + 1, width - 2, HEIGHT - 2, "target slim"))
    if width == WIDE:
        text = formatting.percent(percent / 100) if share.matched else "·"
        content.append(svg_text(text, x + width / 2, y + 13, class_=f"middle on-{shade}"))
    return tag("g", *content, tabindex="-1")


def _legend() -> list[str]:
    body = [svg_text("items matched, %", 0, 14, class_="small muted")]
    x = 104.0
    for index, shade in enumerate(SHADES):
        label = "0" if not index else f"≤ {EDGES[index]}" if index < len(EDGES) else f"> {EDGES[-1]}"
        body += [box(x, 3, 34, 14, shade), svg_text(label, x + 17, 29, class_="small muted middle")]
        x += 36
    body.append(box(x + 15, 4, 22, 12, "target"))
    body.append(svg_text("targeted by the filter", x + 44, 14, class_="small muted"))
    return body
