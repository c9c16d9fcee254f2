"""`audit` of a condition: sheets of its filters, and mistakes at the line of the manifest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fictdsl.installation import shipped
from runner.audit.sheet import Sheet, SheetRow, StratumSize
from runner.corpus.filter_arguments import load_filters
from tests.unit.runner.steps.test_resolve import MANIFEST, problems, resolved

FILTER = load_filters([str(shipped("filters") / "fict15" / "agr-pp-mod.fict")])[0]


def sheet(judgements: str = "ynn") -> Sheet:
    """Two matches and an other sentence."""
    rows = tuple(
        SheetRow("It was.", "", "a.conllu", number, "", "matches" if number < 3 else "others", judgement)  # type: ignore[arg-type]
        for number, judgement in enumerate(judgements, 1)
    )
    strata = {"matches": StratumSize(2, 2, 20), "others": StratumSize(1, 1, 10)}
    return Sheet(FILTER.name, FILTER.key, "wiki", "c", 0, strata, rows)


def manifest(*names: str) -> str:
    return MANIFEST.replace("[[model]]", f"audit = [{', '.join(map(repr, names))}]\n[[model]]", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.csv").write_text(sheet().text())
    (tmp_path / "two.csv").write_text(sheet("ynn").text())
    (tmp_path / "other.csv").write_text(replace(sheet(), filter="passive", filter_key="0" * 64).text())
    (tmp_path / "old.csv").write_text(replace(sheet(), filter_key="0" * 64).text())
    (tmp_path / "wrong.csv").write_text(sheet("yxn").text())
    return tmp_path


def test_a_sheet_of_a_filter_of_the_condition_is_its_audit(folder: Path) -> None:
    (audit,) = resolved(folder, manifest("one.csv")).audits["one"]
    assert audit.record["precision"] == [0.5, 0.5, 0.5]
    assert audit.record["filter"] == FILTER.name
    assert resolved(folder).audits == {}


def test_two_sheets_of_a_filter_are_those_of_two_judges(folder: Path) -> None:
    (audit,) = resolved(folder, manifest("one.csv", "two.csv")).audits["one"]
    assert (audit.record["judges"], audit.record["kappa"]) == (2, 1.0)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("other.csv",), "FICT658"),
        (("old.csv",), "FICT658"),
        (("wrong.csv",), "FICT871"),
        (("one.csv", "two.csv", "one.csv"), "FICT604"),
        (("none.csv",), "FICT607"),
    ],
)
def test_mistakes_are_at_the_line_of_the_key(folder: Path, names: tuple[str, ...], code: str) -> None:
    text = manifest(*names)
    line = next(number for number, each in enumerate(text.splitlines(), 1) if each.startswith("audit"))
    assert problems(folder, text) == {(code, line)}


def test_an_audit_makes_no_step_another(folder: Path) -> None:
    """Judgements change the report, and nothing that is computed."""
    from runner.steps.plan import RunPlan

    plans = [RunPlan(resolved(folder, text), {}) for text in (MANIFEST, manifest("one.csv"))]
    recipes = [[(step.id, step.recipe) for step in plan.steps()] for plan in plans]
    assert recipes[0] == recipes[1]
