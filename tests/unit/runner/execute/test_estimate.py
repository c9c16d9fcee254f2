"""What a plan may cost: words that are trained on and words that are scored, at the speed of each model."""

from dataclasses import replace
from pathlib import Path

import pytest

from runner.execute.estimate import (
    IMPORTED_WORDS_PER_SECOND,
    OPERATIONS_PER_PARAMETER,
    OPERATIONS_PER_SECOND,
    SAMPLE_WORDS,
    SLOW_RUN_HOURS,
    SUBWORDS_PER_WORD,
    SUITE_WORDS,
    UNKNOWN_PARAMETERS,
    Estimate,
    estimate,
    measure,
    memory_warnings,
    slow_run,
    tokens_per_second,
)
from runner.execute.state import StepState
from runner.manifest.text import read_draft
from runner.model.tokenizer import train_bpe_tokenizer, train_word_tokenizer
from runner.steps.paths import Roots
from runner.steps.plan import RunPlan
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
SMALL = "[tokenizer]\nsize = 8000\n"


def planned(tmp_path: Path, preset: str, training: str, limit: int = 1, more: str = SMALL) -> RunPlan:
    (tmp_path / "pairs.jsonl").write_text('{"good": "a", "bad": "b"}\n' * 3000)
    (tmp_path / "m.toml").write_text(MANIFEST.format(preset=preset, training=training, limit=limit) + more)
    draft = read_draft(tmp_path / "m.toml")
    return RunPlan(resolve(draft, Roots.of(draft.folder)), {})


def states(plan: RunPlan, done: str = "") -> list[StepState]:
    return [StepState(step, step.kind == done) for step in plan.steps()]


def seconds(tmp_path: Path, preset: str, training: str, limit: int = 1, done: str = "", more: str = SMALL) -> float:
    plan = planned(tmp_path, preset, training, limit, more)
    return sum(estimate(plan, states(plan, done)).seconds.values())


def speed(parameters: int) -> float:
    return OPERATIONS_PER_SECOND["cpu"] / OPERATIONS_PER_PARAMETER / parameters


LSTM, TRANSFORMER, BERT = 264_192 + 129 * 8_002, 809_728 + 128 * 8_002, 826_752 + 129 * 8_003


def test_epochs_and_tokens_are_counted_in_every_cell(tmp_path: Path) -> None:
    scored = 2 * 2 * SUITE_WORDS
    expected = (2 * 800_000 * 5 + scored) / speed(LSTM)
    assert seconds(tmp_path, "lstm-128", "epochs = 5") == pytest.approx(expected)
    expected = (2 * 9_000_000 + scored) / speed(TRANSFORMER)
    assert seconds(tmp_path, "transformer-128", "tokens = 9_000_000") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("preset", "parameters", "training", "models", "masked"),
    [
        ("transformer-128", TRANSFORMER, "tokens = 1_000_000", 1, False),
        ("transformer-128", TRANSFORMER, "tokens = 1_000_000, checkpoints = [1000, 2000, 3000]", 4, False),
        (
            "transformer-128",
            TRANSFORMER,
            "tokens = 1_000_000, checkpoints-from = 1000, checkpoints-factor = 10",
            5,
            False,
        ),
        ("bert-128", BERT, "tokens = 1_000_000", 1, True),
    ],
)
def test_scoring_is_counted_for_every_checkpoint(
    tmp_path: Path, preset: str, parameters: int, training: str, models: int, masked: bool
) -> None:
    words = 2 * 2 * 3000 * models * SUITE_WORDS * (SUITE_WORDS if masked else 1)
    found = seconds(tmp_path, preset, training, 10_000, done="train")
    assert found == pytest.approx(words / speed(parameters))
    assert found < seconds(tmp_path, preset, training, 10_000)


@pytest.mark.parametrize(
    ("file", "content", "keys", "sentences"),
    [
        ("own.jsonl", '{"good": "a", "bad": "b", "UID": "p"}\n' * 3, 'paradigms = ["p"]', 6),
        ("blimp/p.jsonl", '{"good": "a", "bad": "b", "UID": "p"}\n' * 2, 'paradigms = ["p"]', 4),
        ("own.jsonl", '{"good": "a", "bad": "b"}', "", 2),
        ("alternants.csv", "first,second\na,b\nb,a", 'kind = "preference"', 6),
    ],
)
def test_sentences_of_every_kind_of_suite_are_counted(
    file: str, content: str, keys: str, sentences: int, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    if path.parent != tmp_path:
        (path.parent / "q.jsonl").write_text('{"good": "a", "bad": "b", "UID": "q"}\n')
    suite = f'[[evaluate]]\nname = "other"\npath = "{path.relative_to(tmp_path).parts[0]}"\n{keys}\n'
    with_both, without = (
        seconds(tmp_path, "lstm-128", "tokens = 1_000_000", done="train", more=SMALL + more) for more in (suite, "")
    )
    assert with_both - without == pytest.approx(2 * sentences * SUITE_WORDS / speed(LSTM))


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ('count = "smallest"', 800_000),
        ("count = 1_000", 1_000 * SAMPLE_WORDS),
        ('by = "tokens"\ncount = 1_000', 1_000),
        ('by = "tokens"\ncount = 900_000', 800_000),
    ],
)
def test_a_model_reads_no_more_than_the_common_size(size: str, words: int, tmp_path: Path) -> None:
    found = seconds(tmp_path, "lstm-128", "epochs = 5", more=f"{SMALL}[size]\n{size}\n")
    assert found == pytest.approx((2 * words * 5 + 2 * 2 * SUITE_WORDS) / speed(LSTM))


def test_words_are_converted_to_subwords(tmp_path: Path) -> None:
    more, ratio = '[tokenizer]\nkind = "bpe"\nsize = 8_001\n', SUBWORDS_PER_WORD
    assert ratio > 1
    sentence = SUITE_WORDS * ratio
    found = seconds(tmp_path, "lstm-128", "epochs = 5", more=more)
    assert found == pytest.approx((2 * 800_000 * ratio * 5 + 2 * 2 * sentence) / speed(LSTM))
    found = seconds(tmp_path, "transformer-128", "tokens = 1_000_000", more=more)
    assert found == pytest.approx((2 * 1_000_000 + 2 * 2 * sentence) / speed(TRANSFORMER))
    found = seconds(tmp_path, "bert-128", "tokens = 1_000_000", 10_000, done="train", more=more)
    assert found == pytest.approx(2 * 2 * 3000 * sentence**2 / speed(BERT))


def test_words_of_a_saved_tokenizer_are_not_converted_to_subwords(tmp_path: Path) -> None:
    more = '[tokenizer]\nkind = "saved"\npath = "saved"\n'
    for tokenizer, ratio in (
        (train_word_tokenizer(["a b c"], size=3), 1),
        (train_bpe_tokenizer(["a b c"], size=256), SUBWORDS_PER_WORD),
    ):
        tokenizer.save_pretrained(tmp_path / "saved")
        plan = planned(tmp_path, "lstm-128", "epochs = 5", more=more)
        tokens = 2 * 800_000 * ratio * 5 + 2 * 2 * SUITE_WORDS * ratio
        found = sum(estimate(plan, states(plan)).seconds.values())
        assert found == pytest.approx(tokens / tokens_per_second(plan)["lstm-128"])


def test_a_model_with_more_parameters_takes_longer(tmp_path: Path) -> None:
    small, large = (
        seconds(tmp_path, preset, "tokens = 1_000_000", more="[tokenizer]\nsize = 50_000\n")
        for preset in ("fict-lstm", "gpt2-small")
    )
    assert large / small == pytest.approx((85_842_432 + 768 * 50_002) / (16_793_600 + 1_025 * 50_002))


def test_a_saved_model_is_as_fast_as_its_size_has_it_and_not_as_the_preset_of_its_training(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big" / "config.json").write_text('{"architectures": ["BertForMaskedLM"], "model_type": "bert"}')
    (tmp_path / "big" / "tokenizer.json").touch()
    more = '[[model]]\nname = "big"\npreset = "bert-128"\nfrom = "big"\n[tokenizer]\nkind = "saved"\npath = "big"\n'
    speeds = tokens_per_second(planned(tmp_path, "bert-128", "epochs = 1", more=more))
    assert speeds["big"] == pytest.approx(speed(UNKNOWN_PARAMETERS))


def test_hours_are_those_of_the_device_that_the_models_ask_for(tmp_path: Path) -> None:
    plan = planned(tmp_path, "gpt2-small", 'tokens = 1_000_000_000, device = "cuda"')
    found = estimate(plan, states(plan))
    assert str(found) == (
        "Remaining training and scoring: 2 cells, roughly 5 GPU hours (a GPU of a data centre), "
        "from the sizes of the models, not measured."
    )
    assert found.cells_and_time == "2 cells, roughly 5 GPU hours (a GPU of a data centre)"
    assert slow_run(plan, states(plan)) == []
    on_cpu = replace(plan, resolved=plan.resolved.with_device("cpu"))
    assert "CPU hours (a server core)" in str(estimate(on_cpu, states(on_cpu)))


def test_measured_speeds_replace_those_from_sizes(tmp_path: Path) -> None:
    plan = planned(tmp_path, "lstm-128", 'tokens = 36_000_000, device = "cuda"')
    found = estimate(plan, states(plan), {"lstm-128": 5_000.0}, "cuda (NVIDIA H100)")
    assert str(found) == (
        "Remaining training and scoring: 2 cells, roughly 4 GPU hours (cuda (NVIDIA H100)), from measured steps."
    )


@pytest.mark.parametrize("preset", ["lstm-128", "bert-128"])
def test_steps_are_measured_without_touching_torchs_random_state(tmp_path: Path, preset: str) -> None:
    import torch

    before = torch.get_rng_state()
    speeds, device = measure(planned(tmp_path, preset, 'epochs = 1, device = "cpu"', more="[tokenizer]\nsize = 500\n"))
    assert device == "cpu"
    assert 100 < speeds[preset] < 1e7
    assert torch.equal(before, torch.get_rng_state())


def test_the_device_of_measured_steps_is_the_gpu_of_some_models(tmp_path: Path, monkeypatch) -> None:
    on_cpu = '[[model]]\npreset = "lstm-128"\ntraining = { device = "cpu" }\n'
    plan = planned(tmp_path, "fict-lstm", 'epochs = 1, device = "cuda"', more=SMALL + on_cpu)
    monkeypatch.setattr("runner.execute.estimate.choose", lambda device: device)
    monkeypatch.setattr("runner.execute.estimate.device_label", lambda device: f"{device} (a name)")
    monkeypatch.setattr("runner.train.loop.measured_speed", lambda model, training, vocab_size, device: 1000.0)
    assert measure(plan) == ({"fict-lstm": 1000.0, "lstm-128": 1000.0}, "cuda (a name)")


def test_a_run_of_the_size_of_a_paper_is_warned_of_on_a_cpu(tmp_path: Path) -> None:
    plan = planned(tmp_path, "fict-lstm", 'epochs = 400, device = "cpu"', more="[tokenizer]\nsize = 50_000\n")
    (warning,) = slow_run(plan, states(plan))
    hours = sum(estimate(plan, states(plan)).seconds.values()) / 3600
    assert hours > SLOW_RUN_HOURS
    assert (warning.code, warning.message) == (
        "FICT825", f"on a CPU, the remaining training and scoring take roughly {hours:,.0f} hours"
    )  # fmt: skip
    short = planned(tmp_path, "lstm-128", 'epochs = 4, device = "cpu"')
    assert slow_run(short, states(short)) == []


def test_texts_that_are_not_in_a_store_are_read(tmp_path: Path) -> None:
    line = "1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\truns\trun\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
    for name in ("a.conllu", "b.conllu"):
        (tmp_path / name).write_text(line * 1000)
    text = MANIFEST.replace("sample = {{ sentences = 100000 }}", 'train = ["a.conllu"]\nvalid = ["b.conllu"]')
    (tmp_path / "pairs.jsonl").write_text('{"good": "a", "bad": "b"}\n')
    (tmp_path / "m.toml").write_text(text.format(preset="lstm-128", training="epochs = 1", limit=1))
    draft = read_draft(tmp_path / "m.toml")
    plan = RunPlan(resolve(draft, Roots.of(draft.folder)), {})
    words = 2 * len(line) * 1000 / 65
    assert estimate(plan, states(plan)).import_seconds == pytest.approx(words / IMPORTED_WORDS_PER_SECOND)
    assert estimate(plan, states(plan, "store")).import_seconds == 0


@pytest.mark.parametrize("suffix", [".gz", ".zip", ".xz"])
def test_words_of_compressed_texts_are_estimated(suffix: str, tmp_path: Path) -> None:
    size, text = 12_000, MANIFEST.replace("sample = {{ sentences = 100000 }}", 'train = ["{name}"]\nvalid = ["{name}"]')
    (tmp_path / "pairs.jsonl").write_text('{"good": "a", "bad": "b"}\n')
    counts = []
    for name in ("a.conllu", f"a.conllu{suffix}"):
        (tmp_path / name).write_bytes(b"x" * size)
        (tmp_path / "m.toml").write_text(text.format(name=name, preset="lstm-128", training="epochs = 1", limit=1))
        draft = read_draft(tmp_path / "m.toml")
        plan = RunPlan(resolve(draft, Roots.of(draft.folder)), {})
        counts.append(estimate(plan, states(plan)).import_seconds)
    assert 4 < counts[1] / counts[0] < 8


def test_nothing_that_remains_is_said(tmp_path: Path) -> None:
    plan = planned(tmp_path, "lstm-128", "epochs = 1")
    assert str(estimate(plan, [StepState(step, True) for step in plan.steps()])) == "No training or scoring remains."
    assert "1 cell, more than 1,000,000 CPU hours (a server core)" in str(Estimate(1, {"a server core": 1e30}))
    assert "Reading the corpora: roughly 3 CPU hours." in str(Estimate(import_seconds=3 * 3600.0))


def test_a_model_that_does_not_fit_the_memory_is_warned_of(tmp_path: Path, monkeypatch) -> None:
    plan = planned(tmp_path, "lstm-128", "epochs = 1")
    assert list(memory_warnings(plan)) == []
    monkeypatch.setattr("runner.execute.estimate.available_memory", lambda: 1_000_000)
    (warning,) = memory_warnings(plan)
    assert warning.startswith("warning: training lstm-128 needs at least ") and "this machine has 0.0 GB" in warning
