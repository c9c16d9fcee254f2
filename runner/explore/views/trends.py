"""Rates by the values of a key, as a table and, if the values are numbers or dates, as a plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fictdsl.draw.svg import escaped, tag
from fictdsl.draw.text import safe
from runner.explore.views.tables import bar_html

_WIDTH, _HEIGHT, _LEFT, _TOP, _LEGEND_LINE = 720, 260, 60, 34, 15  # px
_MAX_ROWS = 400  # rows of the table


@dataclass(frozen=True)
class Rate:
    """The matches of a series in the sentences with one value of the key, and the number of words there."""

    value: str
    series: str
    matches: int
    words: int

    @property
    def rate(self) -> float:
        """Matches per million words."""
        return 1e6 * self.matches / max(1, self.words)


def trend_html(key_title: str, series_title: str, rows: Sequence[Rate], position: Callable[[str], float | None]) -> str:
    """Return a table of the first rows. If two or more values have a position, a plot of these values precedes it.

    `key_title` and `series_title` are the titles of the values and of the series. `position` returns the place of a
    value on the x axis, or None if it has none.
    """
    positions = {row.value: x for row in rows if (x := position(row.value)) is not None}
    return (_plot(key_title, rows, positions) if len(positions) > 1 else "") + _table(key_title, series_title, rows)


def _plot(key_title: str, rows: Sequence[Rate], positions: dict[str, float]) -> str:
    from runner.report.render.lines import Series, legend, panel
    from runner.report.render.plot import axis
    from runner.report.render.svg import drawing

    plotted_rows = [row for row in rows if row.value in positions]
    names = list(dict.fromkeys(row.series for row in plotted_rows))
    series = [
        Series(
            name or "matches",
            colour,
            tuple((positions[row.value], row.rate, row.rate, row.rate) for row in plotted_rows if row.series == name),
        )
        for colour, name in enumerate(names)
    ]
    bottom = _TOP + _HEIGHT
    x = axis(positions.values(), _LEFT, _WIDTH - _LEFT - 20)
    y = axis([row.rate for row in plotted_rows], bottom, -_HEIGHT, zero=True)
    body = panel(series, x, y, "", title_x=safe(key_title), title_y="per million words", format_x=_unabbreviated)
    has_series = len(names) > 1
    body += legend(series, _LEFT, bottom + 56) if has_series else []
    height = bottom + 40 + (_LEGEND_LINE * len(names) + 16 if has_series else 0)
    label = f"matches per million words over {safe(key_title)}"
    return tag("div", drawing(body, _WIDTH, height, label), class_="drawing", tabindex="0")


def _unabbreviated(value: float) -> str:
    """Format a value of the x axis, which may be a year, without a unit such as k."""
    return f"{value:.9g}".replace("-", "−")


def _table(key_title: str, series_title: str, rows: Sequence[Rate]) -> str:
    has_series = any(row.series for row in rows)
    titles = [
        _escaped_text(key_title),
        *([_escaped_text(series_title)] if has_series else []),
        "matches",
        "words",
        "per million words",
        "",
    ]
    max_rate = max((row.rate for row in rows), default=0.0) or 1.0
    body = [_row(row, max_rate, has_series=has_series) for row in rows[:_MAX_ROWS]]
    if len(rows) > _MAX_ROWS:
        note = f"({len(rows) - _MAX_ROWS:,} more rows in the CSV)"
        body.append(tag("tr", tag("th", note, colspan=str(len(titles)), scope="row")))
    first_number = 2 if has_series else 1
    classes = [None if index < first_number else "number" for index in range(len(titles))]
    head = tag(
        "tr", *(tag("th", title or " ", scope="col", class_=kind) for title, kind in zip(titles, classes, strict=True))
    )
    return tag("table", tag("thead", head), tag("tbody", *body), class_="counts")


def _row(row: Rate, max_rate: float, *, has_series: bool) -> str:
    texts = [row.value, *([row.series] if has_series else [])]
    numbers = f"{row.matches:,}", f"{row.words:,}", f"{row.rate:,.1f}"
    cells = [tag("td", _escaped_text(text) or " ") for text in texts]
    cells += [tag("td", number, class_="number") for number in numbers]
    return tag("tr", *cells, tag("td", bar_html(row.rate / max_rate)))


def _escaped_text(text: str) -> str:
    return escaped(safe(text))
