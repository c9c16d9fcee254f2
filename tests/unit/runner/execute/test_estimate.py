"""What a plan may cost: words that are trained on and words that are scored, at the speed of each model."""

import re
from pathlib import Path

import pytest

from runner.execute.estimate import SLOW, SPEEDS, SUITE_WORDS, estimate
from runner.execute.state import StepState
from runner.manifest.load import read_draft
from runner.steps.paths import Roots
from runner.steps.plan import build_plan
from runner.steps.resolve import resolve

MANIFEST = """
[experiment]
name = "costly"
seeds = [1, 2]
[corpus]
sample = {{ sentences = 100000 }}
[[model]]
preset = "{preset}"
training = {{ {training} }}
[[evaluate]]
name = "pairs"
path = "pairs.jsonl"
limit = {limit}
"""


def minutes(tmp_path: Path, preset: str, training: str, limit: int = 1, done: str = "", more: str = "") -> float:
    (tmp_path / "pairs.jsonl").write_text('{"good": "a", "bad": "b"}\n' * 3000)
    (tmp_path / "m.toml").write_text(MANIFEST.format(preset=preset, training=training, limit=limit) + more)
    draft = read_draft(tmp_path / "m.toml")
    plan = build_plan(resolve(draft, Roots.of(draft.folder)), {})
    told = estimate(plan, [StepState(step, step.kind == done) for step in plan.steps()])
    return float(re.search(r"roughly ([\d,]+)", told)[1].replace(",", ""))  # type: ignore[index]


def test_epochs_and_tokens_are_counted_in_every_cell(tmp_path: Path) -> None:
    expected = 2 * 800_000 * 5 / SPEEDS["lstm-128"] / 60
    assert minutes(tmp_path, "lstm-128", "epochs = 5") == pytest.approx(expected, abs=1)
    expected = 2 * 9_000_000 / SPEEDS["transformer-128"] / 60
    assert minutes(tmp_path, "transformer-128", "tokens = 9_000_000") == pytest.approx(expected, abs=1)


@pytest.mark.parametrize(
    ("preset", "training", "models", "masked"),
    [
        ("transformer-128", "tokens = 1_000_000", 1, False),
        ("transformer-128", "tokens = 1_000_000, checkpoints = [1000, 2000, 3000]", 4, False),
        ("transformer-128", "tokens = 1_000_000, checkpoints-from = 1000, checkpoints-factor = 10", 5, False),
        ("bert-128", "tokens = 1_000_000", 1, True),
    ],
)
def test_scoring_is_counted_for_every_checkpoint(
    tmp_path: Path, preset: str, training: str, models: int, masked: bool
) -> None:
    words = 2 * 2 * 3000 * models * SUITE_WORDS * (SUITE_WORDS if masked else 1)
    expected = words / SPEEDS[preset] / 60
    found = minutes(tmp_path, preset, training, 10_000, done="train")
    assert found == pytest.approx(max(1, expected), abs=0.5)
    assert found < minutes(tmp_path, preset, training, 10_000)


def test_a_model_that_is_not_known_counts_as_slow(tmp_path: Path) -> None:
    assert minutes(tmp_path, "bert-base", "tokens = 1_000_000") > 50


def test_a_saved_model_is_as_fast_as_its_size_has_it_and_not_as_the_preset_of_its_training(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big" / "config.json").write_text('{"architectures": ["BertForMaskedLM"], "model_type": "bert"}')
    (tmp_path / "big" / "tokenizer.json").touch()
    more = '[[model]]\nname = "big"\npreset = "bert-128"\nfrom = "big"\n[tokenizer]\nkind = "saved"\npath = "big"\n'
    found = minutes(tmp_path, "bert-128", "epochs = 1", more=more + "[training]\nepochs = 3\n")
    assert found == pytest.approx(2 * 800_000 * (1 / SPEEDS["bert-128"] + 3 / SLOW) / 60, abs=1)
