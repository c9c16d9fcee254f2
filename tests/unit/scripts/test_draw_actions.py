"""The drawings of actions are those that the script makes, and no action lacks one."""

from __future__ import annotations

from fictdsl.syntax.nodes import REWRITINGS
from scripts import draw_actions


def test_page_and_drawings_are_not_stale() -> None:
    files = draw_actions.files()
    assert {name: (draw_actions.DOCS / name).read_text(encoding="utf-8") for name in files} == files
    drawings = {
        f"{draw_actions.DRAWINGS}/{path.name}" for path in (draw_actions.DOCS / draw_actions.DRAWINGS).iterdir()
    }
    assert drawings == files.keys() - {"actions.md"}


def test_every_action_is_drawn_and_marked() -> None:
    assert {case.heading for case in draw_actions.CASES} == set(REWRITINGS)
    for case in draw_actions.CASES:
        before, after = draw_actions.trees(case)
        assert before.labels or after.labels
        assert case.actions.startswith(case.heading)
