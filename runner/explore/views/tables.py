"""HTML of the explorer's tables, texts and bars.

The tables show counts, coverage, plan steps, groups of sentences, rewritten sentences and the columns of a word.
"""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.draw.svg import escaped, tag
from fictdsl.draw.text import safe
from runner.corpus.query.groups.counts import GroupCount
from runner.corpus.query.steps import ExplainedPlan
from runner.counted import counted
from runner.execute.prepare.coverage import Share

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
