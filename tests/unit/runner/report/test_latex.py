"""Tables as LaTeX: what the page shows, with every special character escaped."""

import re

from runner.report.accuracy_tables import paradigms
from runner.report.contrast_tables import targeted_overview
from runner.report.document import report_of
from runner.tables import escaped, lines, to_latex


def test_special_characters_are_escaped() -> None:
    assert escaped(r"50 % of a_b & {c} \d #1 ~^$") == (
        r"50 \% of a\_b \& \{c\} \textbackslash{}d \#1 \textasciitilde{}\textasciicircum{}\$"
    )
    assert escaped("−1.5 [−2.0, ±1]\n") == r"$-$1.5 [$-$2.0, $\pm$1]"
    assert escaped("[a]") == "{[a]}"  # after a line end, this would be the space between lines
    assert escaped("a\x1b]0;\nb") == "a ]0; b"


def test_every_row_has_the_columns_of_the_page(analysis) -> None:
    table = targeted_overview(analysis)
    text = to_latex(table)
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == len(lines(table))
    assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(lines(table)[0])}
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    assert r"\multicolumn{2}{c}{det-noun}" in to_latex(paradigms(analysis, "blimp"))


def test_every_shown_table_is_a_file(analysis) -> None:
    for section in report_of(analysis).sections:
        for table in section.shown:
            assert f"{table.name}.tex" in section.files()
