"""The state of steps compared with the last run."""

from __future__ import annotations

import json
import re

import pytest

from runner.execute.cache import Cache
from runner.execute.planned import plan_lines
from runner.execute.state import LOCK, StepState, states, write_lock
from tests.support.experiments import planned
from tests.unit.runner.execute.test_corpora import PP, manifest

TREE = "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("damage", ["[]", "1", "{", '{"STEP": []}', '{"STEP": {"key": "k"}}'])
def test_steps_of_a_damaged_record_are_new(tmp_path, damage) -> None:
    plan, cache = planned(manifest(tmp_path, f"remove = {PP}")), Cache(tmp_path / "cache")
    write_lock(plan, cache, tmp_path)
    reasons = {state.step.id: state.reason for state in states(plan, cache, tmp_path)}
    assert reasons["sample"] == "its result is missing or damaged"
    assert reasons["store:train"] == "known once the sample is"
    assert "new" not in reasons.values()
    (tmp_path / LOCK).write_text(damage.replace("STEP", plan.tokenizer.id), encoding="utf-8")
    assert {state.reason for state in states(plan, cache, tmp_path)} == {"new"}


def test_a_changed_setting_is_the_reason(tmp_path) -> None:
    text = manifest(tmp_path, f"remove = {PP}")
    write_lock(planned(text), Cache(tmp_path / "cache"), tmp_path)
    recorded = json.loads((tmp_path / LOCK).read_text(encoding="utf-8"))
    text.write_text(text.read_text(encoding="utf-8").replace("size = 300", "size = 301"), encoding="utf-8")
    plan = planned(text)
    reasons = {state.step.id: state.reason for state in states(plan, Cache(tmp_path / "cache"), tmp_path)}
    assert recorded.keys() == reasons.keys()
    assert reasons["tokenizer"] == "size: 300 → 301"
    assert reasons["tokens:full"] == "known once the corpora are"


def test_changed_filters_are_named_not_their_keys(tmp_path) -> None:
    def reason(filters: str, comment: str = "") -> str:
        text = manifest(tmp_path, f"remove = {filters}")
        (tmp_path / "a.conllu").write_text((f"# note = {comment}\n" * bool(comment)) + TREE)
        text.write_text(re.sub("(?m)^sample.*", 'train = ["a.conllu"]\nvalid = ["a.conllu"]', text.read_text()))
        plan, cache = planned(text), Cache(tmp_path / "cache")
        step_states = states(plan, cache, tmp_path)
        write_lock(plan, cache, tmp_path)
        return next(state.reason for state in step_states if state.step.id == "corpus:c1")

    for name, tag in (("nouns", "NOUN"), ("verbs", "VERB")):
        (tmp_path / f"{name}.fict").write_text(f'fict 1\nfilter {name} {{ about "X." match {{ X:{tag} }} }}\n')
    assert reason('["nouns.fict"]') == "new"
    assert reason('["nouns.fict"]', "other") == "known once the matches are"
    assert reason('["nouns.fict", "verbs.fict"]', "other") == "filter verbs is new"
    assert reason('["verbs.fict"]', "other") == "a filter was removed"
    (tmp_path / "verbs.fict").write_text('fict 1\nfilter verbs { about "X." match { X:VERB|AUX } }\n')
    assert reason('["verbs.fict"]', "other") == "filter verbs is new or changed"


def test_steps_are_counted_by_kind_or_listed_with_the_names_of_filters(tmp_path) -> None:
    plan = planned(manifest(tmp_path, f"remove = {PP}"))
    step_states = states(plan, Cache(tmp_path / "cache"), tmp_path)
    listed, counted = (list(plan_lines(plan, step_states, steps=steps)) for steps in (True, False))
    assert "  to do  matching agr-pp-mod  (new)" in listed
    assert [line.split()[1:] for line in counted if line.startswith("  match ")] == [["0", "of", "1", "done", "(new)"]]
    assert len(listed) - len(counted) == len(step_states) - len({state.step.kind for state in step_states})
    assert any("`--steps` lists them" in line for line in counted)


def test_a_reason_of_several_steps_of_a_kind_is_shown_once(tmp_path) -> None:
    plan = planned(manifest(tmp_path, f"remove = {PP}"))
    step, *_ = plan.steps()
    both = [StepState(step, False, reasons) for reasons in (("filter a is new",), ("filter a is new", "size: 1 → 2"))]
    (line,) = [line for line in plan_lines(plan, both, steps=False) if "of 2 done" in line]
    assert line.endswith("(filter a is new, size: 1 → 2)")


@pytest.mark.parametrize(("description", "line"), [("", "x"), ("Are they learnt?:", "x: Are they learnt?:")])
def test_a_plan_begins_with_the_whole_description(tmp_path, description, line) -> None:
    path = manifest(tmp_path, f"remove = {PP}")
    path.write_text(path.read_text().replace('name = "x"', f'name = "x"\ndescription = "{description}"'))
    assert next(plan_lines(planned(path), [])) == line
