"""HTML of the explorer, by Jinja: pages, rows of matches, tables, texts and bars."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from fictdsl.draw.svg import diagram, drawing, escaped, number, right_to_left
from fictdsl.draw.terminal import Line, tree_lines
from fictdsl.draw.tree import Tree, labels, words
from fictdsl.terminal_text import safe
from fictdsl.words import counted
from runner.corpus.engine import ExplainedPlan
from runner.corpus.match_groups import GroupCount
from runner.corpus.sentence_texts import SentenceLocation
from runner.execute.coverage import Share

if TYPE_CHECKING:
    from jinja2 import Environment


_FOLDER = Path(__file__).parent / "assets"


def _words(tree: Tree, start: int, end: int | None) -> Markup:
    """Return words as HTML: `b` with the name for a bound word, `i` for any other. `data-w` is the word id.

    A dot separates the words of a multiword token that is not their concatenation, such as *im*: `in·dem`.
    """
    pieces = []
    for word in tree.words[start:end]:
        name, form = tree.labels.get(word.id), escaped(safe(word.form))
        if name is None:
            pieces.append(f'<i data-w="{word.id}">{form}</i>')
        else:
            pieces.append(f'<b data-w="{word.id}">{form}<sub>{escaped(name)}</sub></b>')
        is_inside_token = word.token is not None and word.id < word.token.last
        pieces.append(" " if word.space else "·" * is_inside_token)
    return Markup("".join(pieces))


def _pieces(line: Line) -> Markup:
    texts = ((escaped(piece.text), piece.style == "bound") for piece in line)
    marked = (f'<b class="bound">{text}</b>' if is_bound else text for text, is_bound in texts)
    return Markup("".join(marked).rstrip())


_FILTERS = {
    "pieces": _pieces,
    "words": _words,
    "count": "{:,}".format,
    "percent": "{:.1%}".format,
    "rate": "{:,.1f}".format,
    "decimal": "{:,.2f}".format,
    "signed": "{:+,.2f}".format,
    "general": "{:g}".format,
    "milliseconds": "{:,.0f} ms".format,
    "number": number,
    "direction": lambda tree: "rtl" if right_to_left(tree.text()) else "ltr",
    "exact": lambda text: Markup(escaped(text)),
    "breakable": lambda label: Markup(re.sub(r"(?<=[/_])(?=.)", "<wbr/>", escaped(safe(str(label))))),
}


def markup(macro: str, *arguments: Any) -> Markup:
    """Return what a macro of `views.html` draws. Its texts are escaped, and safe for a page."""
    template = _environment().get_template("views.html")
    return Markup(getattr(template.module, macro)(*arguments))


def rendered(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: safe(value) if type(value) is str else value,
    )
    environment.filters.update(_FILTERS)
    return environment


VIEWS = ("kwic", "text", "arcs", "tree")
_CONTEXT = 25  # words shown on each side of the bound words


@dataclass(frozen=True)
class Row:
    """A match: the location and the CoNLL-U block of its sentence, and the id of the word bound to each name."""

    location: SentenceLocation
    block: str
    match: Mapping[str, int]

    @cached_property
    def tree(self) -> Tree:
        return Tree(words(self.block), labels(self.match))

    @property
    def binding(self) -> str:
        """The ids of the bound words by name, such as `V:3 S:2`."""
        return " ".join(f"{name}:{word}" for name, word in self.match.items())

    @property
    def window(self) -> tuple[int, int, int, int]:
        bound = sorted(self.match.values()) or [1]
        first, last = bound[0] - 1, bound[-1]
        return max(0, first - _CONTEXT), first, last, min(len(self.tree.words), last + _CONTEXT)


def rows_html(rows: Sequence[Row], view: str) -> Markup:
    return markup("rows", rows, view, arcs_html, tree_html)


def changed_html(location: SentenceLocation, before: Tree, after: Tree | None) -> Markup:
    return markup("changed", location, before, after)


def arcs_html(tree: Tree) -> Markup:
    """Return an arc diagram. `data-deps` and `data-heads` list the dependent and the head of each arc."""
    layout, heads = diagram(tree), tree.heads()
    dependents = [arc.dependent for arc in layout.arcs]
    svg = Markup(drawing(tree, layout=layout))
    return markup("arcs", svg, dependents, [heads[dependent - 1] for dependent in dependents])


def tree_html(tree: Tree) -> Markup:
    return markup("tree", tree_lines(tree))


_COLUMNS = ("id", "form", "lemma", "UPOS", "XPOS", "features", "head", "relation", "enhanced", "misc")
_WIDTH, _HEIGHT, _LEFT, _TOP, _LEGEND_LINE = 720, 260, 60, 34, 15  # px of a plot
_MAX_ROWS = 400  # rows of a table of rates


@dataclass(frozen=True)
class Rate:
    value: str
    series: str
    matches: int
    words: int

    @property
    def rate(self) -> float:
        return 1e6 * self.matches / max(1, self.words)


def lines_html(lines: Sequence[str]) -> Markup:
    return markup("lines", lines)


def copied_html(text: str) -> Markup:
    return markup("copied", text)


def counts_html(
    key_titles: Sequence[str],
    aggregate_titles: Sequence[str],
    rows: Sequence[GroupCount],
    clauses: Sequence[str | None],
    words: int,
) -> Markup:
    """Return a table of counts: as many of `rows` as there are clauses, the sum of the other rows, and the total.

    A clause selects the matches of its row, and None means that there is no such clause. `words` is the number of
    words in the store.
    """
    total = sum(row.matches for row in rows)
    most = max((row.matches for row in rows), default=1)
    shown = list(zip(rows, clauses, strict=False))
    return markup("counts", key_titles, list(aggregate_titles), shown, rows[len(clauses) :], total, most, words)


def groups_html(groups: Sequence[tuple[str, str, Markup]], empty: str) -> Markup:
    """Return a section for each group of sentences. A group is a count, a title and table rows.

    `empty` is the text shown if there are no groups.
    """
    return markup("groups", groups, empty)


def rewritten_html(rows: Sequence[Markup]) -> Markup:
    return markup("rewritten", rows)


def coverage_html(shares: Sequence[Share]) -> Markup:
    """Return a table of paradigms by the share of their items that match, the largest first."""
    sorted_shares = sorted(
        (share for share in shares if share.items), key=lambda share: (-(share.share or 0), share.paradigm)
    )
    unparsed = sum(share.unparsed for share in shares)
    skipped = f"{counted(unparsed, 'item is', 'items are')} skipped: the store lacks their sentences"
    return markup("coverage", sorted_shares) + (lines_html([skipped]) if unparsed else "")


def plan_html(plan: ExplainedPlan, sentence_count: int) -> Markup:
    """Return the steps of a plan with estimated rows, actual rows and time.

    `sentence_count` is the number of sentences in the store.
    """
    count = plan.counts.sentences
    summary = f"{count:,} of {sentence_count:,} sentences match ({count / max(1, sentence_count):.2%})"
    steps = [(text, plan.estimated[step], plan.counts.steps[step]) for step, text in enumerate(plan.texts)]
    return markup("plan", steps) + lines_html([summary])


def columns_html(cells: Sequence[str], clauses: Sequence[str]) -> Markup:
    return markup("columns", list(zip(_COLUMNS, cells, strict=True)), clauses)


def trend_html(
    key_title: str, series_title: str, rows: Sequence[Rate], position: Callable[[str], float | None]
) -> Markup:
    """Return a table of the first rows. If two or more values have a position, a plot of these values precedes it.

    `key_title` and `series_title` are the titles of the values and of the series. `position` returns the place of a
    value on the x axis, or None if it has none.
    """
    positions = {row.value: x for row in rows if (x := position(row.value)) is not None}
    keys = [key_title, *([series_title] if any(row.series for row in rows) else [])]
    max_rate = max((row.rate for row in rows), default=0.0) or 1.0
    body = [
        (
            [row.value, row.series][: len(keys)],
            [f"{row.matches:,}", f"{row.words:,}", f"{row.rate:,.1f}"],
            row.rate / max_rate,
        )
        for row in rows[:_MAX_ROWS]
    ]
    titles = [*keys, "matches", "words", "per million words", ""]
    table = markup("rate_table", titles, len(keys), body, max(0, len(rows) - _MAX_ROWS))
    return (_plot(key_title, rows, positions) if len(positions) > 1 else Markup()) + table


def _plot(key_title: str, rows: Sequence[Rate], positions: dict[str, float]) -> Markup:
    from runner.report.charts import Series, axis, legend, panel
    from runner.report.markup import drawing

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
    return markup("plot", Markup(drawing(body, _WIDTH, height, label)))


def _unabbreviated(value: float) -> str:
    """Format a value of the x axis, which may be a year, without a unit such as k."""
    return f"{value:.9g}".replace("-", "−")
