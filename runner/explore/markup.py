"""HTML of the explorer: rows of matches, tables, texts and bars.

HTML of the explorer's tables, texts and bars.
The tables show counts, coverage, plan steps, groups of sentences, rewritten sentences and the columns of a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fictdsl.draw.svg import diagram, drawing, escaped, tag
from fictdsl.draw.terminal import Piece, tree_lines
from fictdsl.draw.text import right_to_left, safe
from fictdsl.draw.tree import Tree, labels, words
from runner.corpus.export import SentenceLocation
from runner.corpus.match_groups import GroupCount
from runner.corpus.plan_steps import ExplainedPlan
from runner.counted import counted
from runner.execute.coverage import Share

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
        """The tree with the bound words labelled."""
        return Tree(words(self.block), labels(self.match))


def rows_html(rows: Sequence[Row], view: str) -> str:
    """Return the rows of a view as table rows."""
    render = {"kwic": _kwic, "text": _text, "arcs": _arcs, "tree": _tree}[view]
    return "".join(_row(row, render(row)) for row in rows)


def changed_html(location: SentenceLocation, before: Tree, after: Tree | None) -> str:
    """Return a table row with a sentence before and after a rewrite, with changed words marked."""
    texts = [tag("bdi", "(dropped)" if tree is None else _words(tree, 0, len(tree.words))) for tree in (before, after)]
    position = tag("th", _position(location), scope="row", dir="ltr")
    return tag("tr", position, *(tag("td", text, class_="sentence") for text in texts), dir=_direction(before))


def arcs_html(tree: Tree) -> str:
    """Return an arc diagram. `data-deps` and `data-heads` list the dependent and the head of each arc."""
    layout = diagram(tree)
    dependents = " ".join(str(arc.dependent) for arc in layout.arcs)
    heads = tree.heads()
    heads_of_arcs = " ".join(str(heads[arc.dependent - 1]) for arc in layout.arcs)
    return tag(
        "div",
        drawing(tree, layout=layout),
        class_="drawing",
        tabindex="0",
        role="group",
        data_deps=dependents,
        data_heads=heads_of_arcs,
    )


def tree_html(tree: Tree) -> str:
    """Return a tree drawn with characters."""
    lines = ("".join(map(_piece, line)).rstrip() for line in tree_lines(tree))
    return tag("pre", "\n".join(lines), class_="tree", tabindex="0")


def _piece(piece: Piece) -> str:
    return tag("b", escaped(piece.text), class_="bound") if piece.style == "bound" else escaped(piece.text)


def _row(row: Row, cells: str) -> str:
    location = row.location
    match = " ".join(f"{name}:{word}" for name, word in row.match.items())
    title = safe(location.sent_id or f"{location.source}:{location.number}")
    opener = tag("button", _position(location), class_="open", type="button", title=title, aria_expanded="false")
    attributes = {"data_sid": str(location.sid), "data_match": match, "dir": _direction(row.tree)}
    return tag("tr", tag("th", opener, scope="row", dir="ltr"), cells, **attributes)


def _position(location: SentenceLocation) -> str:
    """Return the source and number of a sentence. A narrow window hides the source."""
    return tag("bdi", tag("span", escaped(safe(f"{location.source}:")), class_="source"), str(location.number))


def _kwic(row: Row) -> str:
    tree = row.tree
    bound = sorted(row.match.values()) or [1]
    first, last = bound[0] - 1, bound[-1]
    start, end = max(0, first - _CONTEXT), min(len(tree.words), last + _CONTEXT)
    left = ("… " if start else "") + _words(tree, start, first)
    right = _words(tree, last, end) + (" …" if end < len(tree.words) else "")
    return (
        tag("td", tag("bdi", left), class_="left")
        + tag("td", tag("bdi", _words(tree, first, last)), class_="middle")
        + tag("td", tag("bdi", right), class_="right")
    )


def _text(row: Row) -> str:
    return tag("td", tag("bdi", _words(row.tree, 0, len(row.tree.words))), colspan="3", class_="sentence")


def _arcs(row: Row) -> str:
    return tag("td", arcs_html(row.tree), colspan="3")


def _tree(row: Row) -> str:
    return tag("td", tree_html(row.tree), colspan="3")


def _words(tree: Tree, start: int, end: int) -> str:
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
    return "".join(pieces)


def _direction(tree: Tree) -> str:
    return "rtl" if right_to_left(tree.text()) else "ltr"


_COLUMNS = ("id", "form", "lemma", "UPOS", "XPOS", "features", "head", "relation", "enhanced", "misc")
_BAR = 120  # px of the longest bar


def _escaped_text(text: str) -> str:
    return escaped(safe(text))


def _cells(name: str, contents: Sequence[str], **attributes: str) -> str:
    return "".join(tag(name, content, **attributes) for content in contents)


def _numeric_heads(*contents: str) -> str:
    return _cells("th", contents, scope="col", class_="number")


def counts_html(
    key_titles: Sequence[str],
    aggregate_titles: Sequence[str],
    rows: Sequence[GroupCount],
    clauses: Sequence[str | None],
    words: int,
) -> str:
    """Return a table of counts: as many of `rows` as there are clauses, the sum of the other rows, and the total.

    A clause selects the matches of its row, and None means that there is no such clause. `words` is the number of
    words in the store.
    """
    total = sum(row.matches for row in rows)
    head = _cells("th", [_escaped_text(title) for title in key_titles], scope="col")
    head += _numeric_heads("matches", "share", "per million words", *map(_escaped_text, aggregate_titles)) + tag(
        "th", "", scope="col"
    )
    max_matches = max((row.matches for row in rows), default=1)
    body = [_count_row(row, clause, max_matches) for row, clause in zip(rows, clauses, strict=False)]
    colspan, remaining = max(1, len(key_titles)), rows[len(clauses) :]
    if remaining:
        body.append(
            _total_row(f"({len(remaining):,} more)", sum(row.matches for row in remaining), total, words, colspan)
        )
    body.append(_total_row("(all)", total, total, words, colspan) if key_titles else "")
    return tag("table", tag("thead", tag("tr", head)), tag("tbody", *body), class_="counts")


def _count_row(row: GroupCount, clause: str | None, max_matches: int) -> str:
    values = [_escaped_text(value) for value in row.values]
    if clause is not None:
        values[0] = tag("button", values[0], type="button", class_="add", data_clause=clause)
    aggregates = ["–" if number is None else f"{number:,.2f}" for number in row.aggregates]
    numbers = _number_cells(row.matches, row.share, row.words) + _cells("td", aggregates, class_="number")
    return tag("tr", _cells("td", values), numbers, tag("td", bar_html(row.matches / max_matches)))


def _total_row(label: str, matches: int, total: int, words: int, colspan: int) -> str:
    numbers = _number_cells(matches, matches / max(1, total), words)
    return tag("tr", tag("th", label, colspan=str(colspan), scope="row"), numbers)


def _number_cells(matches: int, share: float, words: int) -> str:
    return _cells("td", [f"{matches:,}", f"{share:.1%}", f"{1e6 * matches / max(1, words):,.1f}"], class_="number")


def groups_html(groups: Sequence[tuple[str, str, str]], empty: str) -> str:
    """Return a section for each group of sentences. A group is a count, a title and table rows.

    `empty` is the text shown if there are no groups.
    """
    sections = [
        tag(
            "section",
            tag("h3", f"{_escaped_text(counts)}, {_escaped_text(title)}"),
            tag("table", tag("tbody", rows), class_="rows"),
        )
        for counts, title, rows in groups
    ]
    return "".join(sections) or lines_html([empty])


def lines_html(lines: Sequence[str]) -> str:
    """Return lines of text with their indentation."""
    return tag("div", *(tag("p", _escaped_text(line)) for line in lines if line), class_="lines")


def text_html(text: str) -> str:
    """Return a preformatted text."""
    return tag("pre", "\n".join(map(_escaped_text, text.split("\n"))), class_="text", tabindex="0")


def copied_html(text: str) -> str:
    """Return a preformatted text below a button that copies it."""
    return tag("button", "copy", type="button", class_="copy") + text_html(text)


def rewritten_html(rows: Sequence[str]) -> str:
    """Return a table of sentences before and after a rewrite, from rows of three cells."""
    head = tag("thead", tag("tr", _cells("th", ["", "before", "after"], scope="col")))
    return tag("table", head, tag("tbody", *rows), class_="rows rewritten")


def coverage_html(shares: Sequence[Share]) -> str:
    """Return a table of paradigms by the share of their items that match, the largest first."""
    sorted_shares = sorted(
        (share for share in shares if share.items), key=lambda share: (-(share.share or 0), share.paradigm)
    )
    head = tag("th", "paradigm", scope="col") + _numeric_heads("items", "matched", "share") + tag("th", "", scope="col")
    rows = [
        tag(
            "tr",
            tag("td", _escaped_text(share.paradigm)),
            _cells("td", [f"{share.items:,}", f"{share.matched:,}", f"{share.share or 0:.1%}"], class_="number"),
            tag("td", bar_html(share.share or 0)),
        )
        for share in sorted_shares
    ]
    unparsed = sum(share.unparsed for share in shares)
    skipped = f"{counted(unparsed, 'item is', 'items are')} skipped: the store lacks their sentences"
    note = lines_html([skipped]) if unparsed else ""
    return tag("table", tag("thead", tag("tr", head)), tag("tbody", *rows), class_="counts") + note


def bar_html(share: float) -> str:
    """Return a bar. `share` is its length relative to the longest bar."""
    bar = tag("rect", width=_BAR * share, height=12)
    return tag(
        "svg",
        bar,
        class_="bar",
        viewBox=f"0 0 {_BAR} 12",
        preserveAspectRatio="none",
        width=_BAR,
        height=12,
        aria_hidden="true",
    )


def plan_html(plan: ExplainedPlan, sentence_count: int) -> str:
    """Return the steps of a plan with estimated rows, actual rows and time.

    `sentence_count` is the number of sentences in the store.
    """
    rows = [
        tag(
            "tr",
            tag("td", str(step + 1), class_="number"),
            tag("td", _escaped_text(text)),
            _cells(
                "td",
                [
                    f"{plan.estimated[step]:,}",
                    f"{plan.counts.steps[step].rows:,}",
                    f"{1000 * plan.counts.steps[step].seconds:,.0f} ms",
                ],
                class_="number",
            ),
        )
        for step, text in enumerate(plan.texts)
    ]
    head = _cells("th", ["", "step"], scope="col") + _numeric_heads("estimated rows", "rows", "time")
    count = plan.counts.sentences
    summary = f"{count:,} of {sentence_count:,} sentences match ({count / max(1, sentence_count):.2%})"
    return tag("table", tag("thead", tag("tr", head)), tag("tbody", *rows), class_="plan") + lines_html([summary])


def columns_html(cells: Sequence[str], clauses: Sequence[str]) -> str:
    """Return the ten columns of a word, and a button for each clause that can be added to the query."""
    rows = [
        tag("tr", tag("th", name, scope="row"), tag("td", _escaped_text(cell)))
        for name, cell in zip(_COLUMNS, cells, strict=True)
    ]
    buttons = [
        tag("button", _escaped_text(clause), type="button", class_="add", data_clause=clause) for clause in clauses
    ]
    return tag("table", *rows, class_="columns") + tag("p", "Add to the query: ", *buttons, class_="adds")
