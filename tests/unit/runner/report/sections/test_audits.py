"""What people judged stands beside the effects, and with what the filters remove."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.report.analysis import Analysis, analyse
from runner.report.contrast_tables import targeted_overview
from runner.report.results import read_results
from runner.report.sections import corpora
from runner.tables import Table, grid, lines
from tests.support.report import section_of
from tests.support.results import Fabricated

PASSIVE = {
    "filter": "passive",
    "key": "k",
    "corpus": "wiki",
    "sentences": 300,
    "judged": 298,
    "precision": [0.643, 0.561, 0.715],
    "recall": [0.986, 0.844, 0.999],
    "per_million": [198.2, 14.1, 2510.3],
    "remaining": [0.014, 0.001, 0.156],
}
THERE = PASSIVE | {"filter": "there", "precision": [0.96, 0.8, 0.98], "per_million": [224.0, 154.0, 1233.0]}


def audited(folder: Path, *audits: dict, **changes: object) -> Analysis:
    written = Fabricated(items=4).write(folder / "results")
    conditions = json.loads((written / "conditions.json").read_text())
    for condition in conditions:
        if condition["name"] == "det-noun":
            condition |= {"audits": list(audits), **changes}
    (written / "conditions.json").write_text(json.dumps(conditions))
    return analyse(read_results(written))


def shown(table: Table, title: str) -> set[str]:
    heads = [head.title for head in grid(table).heads]
    return {row[heads.index(title)] for row in lines(table)[1:]}


def test_audits_are_with_what_filters_remove(tmp_path: Path) -> None:
    section = section_of(corpora.removals_section, audited(tmp_path, PASSIVE, THERE | {"kappa": 0.81}))
    assert section is not None
    _, table = section.tables
    assert lines(table)[1:] == [
        (*("det-noun", "passive", "wiki", "298", "64.3 [56.1, 71.5]", "198 [14, 2,510]", "1.4 [0.1, 15.6]", "–"),),
        (*("det-noun", "there", "wiki", "298", "96.0 [80.0, 98.0]", "224 [154, 1,233]", "1.4 [0.1, 15.6]", "0.81"),),
    ]
    assert "people have judged" in section.intro


def test_precision_and_what_is_left_stand_beside_the_changes(tmp_path: Path) -> None:
    table = targeted_overview(audited(tmp_path, PASSIVE, THERE))
    # of two filters, the lowest precision, and the most that is left
    assert shown(table, "precision, %") == {"–", "64.3"}
    assert shown(table, "left at most, per million words") == {"–", "2,511"}


@pytest.mark.parametrize("changes", [{"what": "without half of passive"}, {"kind": "keep"}])
def test_what_is_left_is_known_only_if_all_matches_are_removed(tmp_path: Path, changes: dict[str, str]) -> None:
    analysis = audited(tmp_path, PASSIVE, **changes)
    assert "2,511" not in str(lines(targeted_overview(analysis)))


def test_without_an_audit_there_is_nothing_of_it(tmp_path: Path) -> None:
    analysis = audited(tmp_path)
    section = section_of(corpora.removals_section, analysis)
    assert section is not None
    assert [table.name for table in section.tables] == ["taken-out"]
    assert "judged" not in section.intro
    assert "left" not in str(lines(targeted_overview(analysis))[0])
