"""The tests as a terminal shows them."""

from pathlib import Path

from runner.report.analysis import analyse
from runner.report.document import report_of, to_text
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from tests.support import long_form


def test_names_of_a_table_command_no_terminal(tmp_path: Path) -> None:
    evil = "pas\x1b]0;owned\x07\x9b2J"
    rows = long_form.rows(corpora=("full", "npi-only", evil), targets={evil: ["blimp/passive_1"]})
    table = read_long_form(long_form.write(tmp_path / "r.csv", rows))
    said = to_text(report_of(analyse(results_of(table, targets={evil: ["blimp/passive_1"]}))))
    assert r"pas\x1b]0;owned\x07\x9b2J" in said
    assert all(char.isprintable() or char == "\n" for char in said)
