"""The Trainer of transformers trains the same cell: rows, weights, losses, validations, interruptions."""

import json
from dataclasses import replace

import pytest
import torch

from runner.errors import InputError
from runner.model.recipe import TrainSpec
from runner.model.saved.saved import load_model
from runner.train.hooks import RunHooks
from runner.train.loop import train
from runner.train.spec import Seeds
from runner.train.task import TrainingTask
from tests.support.models import BERT, GPT2, LINES, LSTM, OPT, tokenizer, tokens

SPEC = TrainSpec(
    rows="sentence", epochs=3.0, batch=9, learning_rate=0.01, warmup=0.1, weight_decay=0.01, validations=3, trainer="hf"
)
OURS = replace(SPEC, trainer="fictc")


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    kept = [line for number, line in enumerate(LINES) if number % 4]
    return tokens(folder / "train", kept), tokens(folder / "valid", LINES[::4])


def run(texts, out, spec, model=GPT2, words=None, **options):
    return train(TrainingTask(spec, *texts, model, out, words or tokenizer(), Seeds.of(1)), RunHooks(**options))


def events(folder, kind):
    lines = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    return [event for event in lines if event["event"] == kind]


def stop_after(steps):
    left = iter([False] * (steps - 1))
    return lambda: next(left, True)


def weights(folder):
    return dict(load_model(folder / "model").model.named_parameters())


def assert_same_course(ours, theirs, tolerance=1e-4):
    """Both logs have the same steps, tokens and learning rates, and losses and perplexities that are nearly equal."""
    for kind, values in (("train", ["loss", "learning_rate"]), ("valid", ["perplexity"]), ("checkpoint", [])):
        expected, found = events(ours, kind), events(theirs, kind)
        exact = ("step", "steps", "tokens", "best", "asked", "rows")
        assert [{k: e.get(k) for k in exact} for e in found] == [{k: e.get(k) for k in exact} for e in expected]
        for value in values:
            assert [e[value] for e in found] == pytest.approx([e[value] for e in expected], rel=tolerance)


@pytest.mark.long
@pytest.mark.parametrize("accumulate", [1, 4])
@pytest.mark.parametrize("rows", ["sentence", "packed"])
@pytest.mark.parametrize("model", [LSTM, GPT2, OPT], ids=lambda spec: spec.name)
def test_the_loss_of_every_step_is_that_of_our_own_trainer(texts, tmp_path, model, rows, accumulate):
    model, changes = replace(model, dropout=0.0), {"rows": rows, "block": 16, "accumulate": accumulate}
    ours = run(texts, tmp_path / "ours", replace(OURS, **changes), model)
    theirs = run(texts, tmp_path / "hf", replace(SPEC, **changes), model)
    assert_same_course(tmp_path / "ours", tmp_path / "hf")
    assert len(events(tmp_path / "hf", "train")) == theirs.steps == ours.steps > 20
    assert theirs.train_loss < events(tmp_path / "hf", "train")[0]["loss"] - 0.2, "it learns"
    assert replace(theirs, valid_perplexity=0, train_loss=0) == replace(ours, valid_perplexity=0, train_loss=0)
    assert theirs.valid_perplexity == pytest.approx(ours.valid_perplexity, rel=1e-4)
    found, expected = weights(tmp_path / "hf"), weights(tmp_path / "ours")
    assert found.keys() == expected.keys()
    assert all(torch.allclose(found[name], expected[name], atol=1e-3) for name in expected)


def test_dropout_and_masks_are_those_of_our_own_trainer(texts, tmp_path):
    run(texts, tmp_path / "ours", OURS, LSTM)
    run(texts, tmp_path / "hf", SPEC, LSTM)
    assert_same_course(tmp_path / "ours", tmp_path / "hf")
    words = tokenizer(mask=True)
    masked = tokens(tmp_path / "masked", mask=True), tokens(tmp_path / "masked-valid", LINES[::4], mask=True)
    for name, spec in (("masked-ours", OURS), ("masked-hf", SPEC)):
        run(masked, tmp_path / name, spec, replace(BERT, dropout=0.0), words)
    assert_same_course(tmp_path / "masked-ours", tmp_path / "masked-hf")


@pytest.mark.long
def test_an_interrupted_training_goes_on_to_the_same_weights(texts, tmp_path):
    spec = replace(SPEC, checkpoints=(300, 1200), accumulate=2)
    whole = run(texts, tmp_path / "whole", spec, LSTM)
    for steps in (2, 7, 13):  # of each process, within and between epochs
        with pytest.raises(KeyboardInterrupt):
            run(texts, tmp_path / "cut", spec, LSTM, stop=stop_after(steps))
    assert run(texts, tmp_path / "cut", spec, LSTM, checkpoint_seconds=0) == whole
    ours, cut = weights(tmp_path / "whole"), weights(tmp_path / "cut")
    assert all(torch.equal(cut[name], ours[name]) for name in ours)
    assert_same_course(tmp_path / "whole", tmp_path / "cut", tolerance=0)
    assert [event["asked"] for event in events(tmp_path / "cut", "checkpoint")] == [300, 1200]
    assert sorted(file.name for file in (tmp_path / "cut").iterdir()) == [
        "checkpoints", "model", "train.jsonl", "training.json",
    ]  # fmt: skip
    names = {file.name for file in (tmp_path / "cut" / "checkpoints" / "300").iterdir()}
    assert {"model.safetensors", "config.json", "tokenizer.json", "fictc.json", "counts.npy"} <= names
    assert "training_args.bin" not in names


def test_a_training_killed_before_its_model_is_published_needs_no_step(texts, tmp_path, monkeypatch):
    from runner.train.hugging_face import run as module

    def killed(point):
        raise RuntimeError(point)

    monkeypatch.setattr(module, "fault_point", killed)
    with pytest.raises(RuntimeError, match="after_model:train"):
        run(texts, tmp_path, SPEC)
    monkeypatch.undo()
    (cut,) = [c for c in (tmp_path / "trainer").glob("checkpoint-*") if c.name == "checkpoint-33"]
    unfinished = cut.with_name("checkpoint-34")
    unfinished.mkdir()
    (unfinished / "trainer_state.json").write_text('{"global_step"')
    before = (tmp_path / "train.jsonl").read_text()
    assert run(texts, tmp_path, SPEC).steps == 33
    assert (tmp_path / "train.jsonl").read_text() == before


def test_the_best_model_is_kept_and_training_ends_early(texts, tmp_path):
    spec = replace(SPEC, learning_rate=1.0, clip=0.0, schedule="constant", epochs=6.0, validations=12, patience=2)
    result = run(texts, tmp_path / "hf", spec, LSTM)
    perplexities = {event["step"]: event["perplexity"] for event in events(tmp_path / "hf", "valid")}
    assert result.best_step == min(perplexities, key=perplexities.__getitem__) == list(perplexities)[-3]
    assert result.steps == list(perplexities)[-1] < 66
    assert load_model(tmp_path / "hf" / "model").about["step"] == result.best_step
    last = run(texts, tmp_path / "last", replace(spec, keep="last"), LSTM)
    assert load_model(tmp_path / "last" / "model").about["step"] == last.steps


def test_another_run_in_the_folder_and_a_loss_that_overflows_are_refused(texts, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(texts, tmp_path, SPEC, stop=lambda: True)
    with pytest.raises(InputError, match="the training recipe"):
        run(texts, tmp_path, replace(SPEC, learning_rate=0.5))
    with pytest.raises(InputError) as raised:
        spec = replace(SPEC, learning_rate=1e30, clip=0.0, schedule="constant", warmup=0.0, epochs=30.0)
        run(texts, tmp_path / "wild", spec, LSTM)
    assert [problem.code for problem in raised.value.diagnostics] == ["FICT803"]


def test_processes_that_share_the_weights_validate_with_the_wrapped_model(texts, tmp_path, monkeypatch):
    from runner.train.hugging_face.trainer import CellTrainer

    both, validation_loss = [], CellTrainer.validation_loss

    def compared(trainer):
        both.append((validation_loss(trainer), trainer.distributed_validation_loss()))
        return both[-1][0]

    monkeypatch.setattr(CellTrainer, "validation_loss", compared)
    run(texts, tmp_path, replace(SPEC, epochs=1.0), LSTM)
    assert len(both) == 3
    for (loss, tokens_), (shared, shared_tokens) in both:
        assert shared_tokens == tokens_ > 100
        assert shared == pytest.approx(loss, rel=1e-5)
