"""Early cutoff: which cells are trained again after an edit of a filter."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from runner.cli.options import load_plan
from runner.execute.estimate import estimate
from runner.execute.planned import plan_lines
from runner.execute.pool import Pool
from runner.execute.run import open_run, run
from runner.execute.state import cell_paths, cell_states, states
from tests.support.experiments import stub_worker

MANIFEST = """
[experiment]
name = "x"
seeds = [1, 2]
[corpus]
sample = { sentences = 200, pairs = 2, seed = 5 }
[tokenizer]
size = 300
[size]
count = 80
[[model]]
name = "m"
preset = "lstm-128"
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["passive_1"]
[[condition]]
name = "edited"
remove = ["FILE"]
[[condition]]
name = "edited-control"
remove-random = "edited"
[[condition]]
name = "other"
remove = ["${filters}/fict15/passive.fict"]
"""
FILTER = """fict 1
list determiners = { the, a }
pattern subject(V, S) { V -[nsubj]-> S }
filter edited {
  about "A subject with a determiner."
  match {
    subject(V, S)
    S -[det]-> D[lower(form) in @determiners]
  }
}
"""
ALL = {f"{name}/m/{seed}" for name in ("full", "edited", "edited-control", "other") for seed in (1, 2)}
CHANGED = {name for name in ALL if name.startswith("edited")}
EDITS = {
    "a comment": (("  match {", "  # of any number\n  match {"),),
    "a renamed node": (("subject(V, S)\n    S -[det]-> D", "subject(V, N)\n    N -[det]-> D"),),
    "a list entry that matches nothing": (("the, a }", "the, a, thilk }"),),
    "the order of clauses": (
        ("    subject(V, S)\n", ""),
        ("D[lower(form) in @determiners]\n", "D[lower(form) in @determiners]\n    subject(V, S)\n"),
    ),
    "a pattern inlined": (("    subject(V, S)", "    V -[nsubj]-> S"),),
    "an equal filter": (("D[lower(form) in @determiners]", "D[form in @determiners or lower(form) in @determiners]"),),
    "a real change": (("the, a }", "the }"),),
}


class Experiment:
    """A manifest whose cells train nothing, and its run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write(FILTER)
        plan, cache, out = self.plan()
        with open_run(plan, cache, out) as preparation:
            preparation.run()
        self.worker = stub_worker(cache, folder, "blimp", [1, 2])

    def write(self, text: str, name: str = "a.fict") -> None:
        (self.folder / name).write_text(text)
        (self.folder / "m.toml").write_text(MANIFEST.replace("FILE", name))

    def plan(self):
        return load_plan(self.folder / "m.toml", None, (), self.folder / "run", None)

    def trained(self) -> set[str]:
        """Run the experiment, and return the cells that were trained."""
        events: list[dict] = []
        plan, cache, out = self.plan()
        outcome = run(plan, cache, out, partial(Pool, 2, worker=self.worker), events.append)
        assert outcome.failed == {}
        done = [event for event in events if event["event"] == "done" and not event.get("cached")]
        return {event["step"].partition(":")[2] for event in done if event["step"].startswith("train:")}


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    made = Experiment(tmp_path_factory.mktemp("cutoff"))
    assert made.trained() == ALL
    return made


@pytest.mark.parametrize("edit", [*EDITS, "another file"])
def test_an_edit_trains_only_cells_of_other_texts(experiment: Experiment, edit: str) -> None:
    text = FILTER
    for old, new in EDITS.get(edit, ()):
        assert old in text
        text = text.replace(old, new)
    experiment.write(text, "moved.fict" if edit == "another file" else "a.fict")
    assert experiment.trained() == (CHANGED if edit == "a real change" else set())
    experiment.write(FILTER)
    assert experiment.trained() == set()


def test_a_plan_says_what_is_known_once_the_corpora_are(experiment: Experiment) -> None:
    experiment.write(FILTER.replace("the, a }", "the, a, yonder }"))
    plan, cache, out = experiment.plan()
    step_states = states(plan, cache, out)
    reasons = {state.step.id: (state.reason, state.awaits) for state in step_states}
    assert reasons["corpus:edited"] == ("filter edited is new or changed", False)
    assert reasons["corpus:full"] == ("", False)
    assert reasons["corpus:other"] == ("", False)
    for step in ("tokens:edited", "train:edited/m/1", "score:edited-control/m/2/blimp"):
        assert reasons[step] == ("known once the corpora are", True)
    assert reasons["train:full/m/1"] == ("", False)
    text = "\n".join(plan_lines(plan, step_states, steps=False))
    assert "  train       4 of 8 done  (known once the corpora are)" in text
    assert "How many cells will be trained is known once the corpora are: at most 4." in text
    assert "Remaining training and scoring: at most 4 cells, " in str(estimate(plan, step_states))
    known = {cell.name: cell.state for cell in cell_states(cell_paths(plan, cache, out))}
    assert {name for name, state in known.items() if state == "done"} == ALL - CHANGED
    assert {known[name] for name in CHANGED} == {"waiting"}
