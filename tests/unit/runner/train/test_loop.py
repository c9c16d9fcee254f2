"""Training: it learns, it repeats itself, it survives being killed, it says why it stops."""

import hashlib
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from runner.errors import InputError
from runner.model.likelihood import text_loss
from runner.model.saved import load_model
from runner.model.token_rows import RowTable, encode_text
from runner.model.training import TrainSpec
from runner.train import loop, record
from runner.train import loop as learn
from runner.train.loop import train
from runner.train.spec import RunHooks, Seeds
from runner.train.task import TrainingTask
from tests.support.models import GPT2, LINES, LSTM, gapped, tokenizer, tokens

SPEC = TrainSpec(rows="sentence", epochs=3.0, batch=4, learning_rate=0.01, warmup=0.1, weight_decay=0.01, validations=5)
# too fast a training, which gets better and worse again
UNSTEADY = SPEC.model_copy(
    update={"learning_rate": 1.0, "clip": 0.0, "schedule": "constant", "epochs": 6.0, "validations": 12}
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    kept = [line for number, line in enumerate(LINES) if number % 4]
    return tokens(folder / "train", kept), tokens(folder / "valid", LINES[::4])


def run(texts, out, spec=SPEC, model=LSTM, seed=1, **options):
    return train(TrainingTask(spec, *texts, model, out, tokenizer(), Seeds.of(seed)), RunHooks(**options))


def digest(folder):
    """Hashes of every file, and the log without its times."""
    hashes = {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != "train.jsonl"
    }
    timed = ("tokens_per_second", "seconds", "eta")
    lines = (folder / "train.jsonl").read_text().splitlines()
    return hashes, [{k: v for k, v in json.loads(line).items() if k not in timed} for line in lines]


@pytest.mark.parametrize("model", [LSTM, GPT2], ids=lambda spec: spec.name)
@pytest.mark.parametrize("rows", ["sentence", "packed"])
def test_it_learns_and_keeps_the_best_model(texts, tmp_path, model, rows):
    events = []
    spec = SPEC.model_copy(update={"rows": rows, "block": 16, "learning_rate": 0.03, "epochs": 6.0})
    result = run(texts, tmp_path, spec, model, on_event=events.append)
    valid = [event for event in events if event["event"] == "valid"]
    assert len(valid) == 5
    assert result.valid_perplexity == min(event["perplexity"] for event in valid) < len(tokenizer()) / 3
    assert result.best_step == min(valid, key=lambda event: event["perplexity"])["step"]
    assert result.tokens == pytest.approx(6 * (texts[0].tokens + texts[0].sentences))
    saved = load_model(tmp_path / "model")
    loss, count = text_loss(saved.model, texts[1], rows, 16)
    assert math.exp(loss / count) == pytest.approx(result.valid_perplexity, rel=1e-5)
    assert count == result.valid_tokens
    assert (saved.about["rows"], saved.about["block"], saved.about["context"]) == (rows, 16, 1)
    assert saved.counts.tolist() == texts[0].counts().tolist()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model", "train.jsonl", "training.json"]


def test_a_tokenizer_whose_ids_have_gaps_has_an_embedding_for_each_id(tmp_path):
    words = gapped()
    texts = [encode_text(LINES[:8], words, tmp_path / name) for name in ("train", "valid")]
    train(TrainingTask(SPEC.model_copy(update={"epochs": 1.0}), *texts, LSTM, tmp_path / "out", words, Seeds.of(1)))
    saved = load_model(tmp_path / "out" / "model")
    assert saved.model.get_input_embeddings().weight.shape[0] == max(words.get_vocab().values()) + 1 > len(words)


def test_the_loss_of_an_epoch_is_the_mean_over_its_tokens(texts, tmp_path, monkeypatch):
    """With a learning rate of nothing and no dropout, training measures the untrained model exactly."""
    monkeypatch.setattr(record, "LOGGED_EVENTS", 1)
    events = []
    spec = SPEC.model_copy(
        update={"epochs": 1.0, "learning_rate": 1e-30, "weight_decay": 0.0, "validations": 1, "warmup": 0.0}
    )
    run(texts, tmp_path, spec, replace(LSTM, dropout=0.0), on_event=events.append)
    loss, count = text_loss(load_model(tmp_path / "model").model, texts[0], "sentence", 64)
    whole = next(event for event in events if event["event"] == "train" and event["step"] == event["steps"])
    assert whole["tokens"] == count
    assert whole["loss"] == pytest.approx(loss / count, rel=1e-6)


def test_rows_in_order_are_read_as_they_stand(texts, tmp_path, monkeypatch):
    read, batch = [], RowTable.batch
    monkeypatch.setattr(RowTable, "batch", lambda table, rows: read.append(rows.tolist()) or batch(table, rows))
    spec = SPEC.model_copy(update={"epochs": 1.0, "in_order": True, "validations": 1})
    run(texts, tmp_path, spec)
    rows = [row for step in read for row in step][: texts[0].sentences]
    assert rows == list(range(texts[0].sentences))


def test_the_log_tells_which_rows_were_read_in_order_and_another_order_is_an_error_of_ours(
    texts, tmp_path, monkeypatch
):
    spec = SPEC.model_copy(update={"epochs": 1.0, "in_order": True, "validations": 1})
    run(texts, tmp_path / "whole", spec)
    lines = (tmp_path / "whole" / "train.jsonl").read_text().splitlines()
    told = [stretch for line in lines for stretch in json.loads(line).get("rows", ())]
    assert [row for first, last in told for row in range(first, last + 1)] == list(range(texts[0].sentences))
    epoch = RowTable.epoch_batches
    monkeypatch.setattr(RowTable, "epoch_batches", lambda *given, in_order: epoch(*given))
    with pytest.raises(AssertionError, match="was read where row 0 was expected"):
        run(texts, tmp_path / "shuffled", spec)


def test_the_last_model_is_kept_where_it_is_asked_for(texts, tmp_path):
    best, last = (
        run(texts, tmp_path / "best", UNSTEADY),
        run(texts, tmp_path / "last", UNSTEADY.model_copy(update={"keep": "last"})),
    )
    assert best.best_step == last.best_step < last.steps
    assert best.valid_perplexity < last.valid_perplexity
    for name, result, step in (("best", best, best.best_step), ("last", last, last.steps)):
        saved = load_model(tmp_path / name / "model")
        loss, count = text_loss(saved.model, texts[1], "sentence", 64)
        assert math.exp(loss / count) == pytest.approx(result.valid_perplexity, rel=1e-5)
        assert saved.about["step"] == step


def test_training_stops_when_validations_get_no_better(texts, tmp_path):
    events = []
    whole = run(texts, tmp_path / "whole", UNSTEADY)
    result = run(texts, tmp_path / "stopped", UNSTEADY.model_copy(update={"patience": 2}), on_event=events.append)
    valid = [event["perplexity"] for event in events if event["event"] == "valid"]
    assert result.steps < whole.steps
    assert min(valid) == valid[-3] == result.valid_perplexity
    assert [e["step"] for e in events if e["event"] == "train"][-1] == result.steps


def test_models_are_saved_after_listed_and_after_log_spaced_numbers_of_tokens(texts, tmp_path):
    events = []
    spec = SPEC.model_copy(update={"checkpoints": (700,), "checkpoints_from": 100, "checkpoints_factor": 3.0})
    result = run(texts, tmp_path, spec, on_event=events.append)
    counts = [100, 300, 700, 900, 2700]
    assert result.tokens < 3 * 2700
    assert sorted(int(path.name) for path in (tmp_path / "checkpoints").iterdir()) == counts
    told = {event["asked"]: event for event in events if event["event"] == "checkpoint"}
    perplexities = {event["step"]: event["perplexity"] for event in events if event["event"] == "valid"}
    for count in counts:
        saved = load_model(tmp_path / "checkpoints" / str(count))
        loss, tokens = text_loss(saved.model, texts[1], "sentence", 64)
        assert count <= saved.about["tokens"] == told[count]["tokens"] < count + 100
        assert math.exp(loss / tokens) == pytest.approx(perplexities[saved.about["step"]], rel=1e-5)


def test_of_checkpoints_within_a_step_the_last_one_is_saved(texts, tmp_path):
    run(texts, tmp_path, SPEC.model_copy(update={"checkpoints": (3, 2, 1, 60)}))
    assert sorted(path.name for path in (tmp_path / "checkpoints").iterdir()) == ["3", "60"]


@pytest.mark.parametrize("seed", [1, 2, 6])
def test_training_ends_with_the_step_by_which_so_many_tokens_were_read(texts, tmp_path, seed):
    """So that there can be a checkpoint at the end, whichever rows the seed puts first."""
    events = []
    spec = SPEC.model_copy(update={"epochs": None, "tokens": 1100, "checkpoints": (1100,)})
    result = run(texts, tmp_path, spec, seed=seed, on_event=events.append)
    read = [event["tokens"] for event in events if event["event"] == "train"]
    assert read[-2] < 1100 <= read[-1] == result.tokens
    assert load_model(tmp_path / "checkpoints" / "1100").about["tokens"] == result.tokens


def test_checkpoints_do_not_move_the_training(texts, tmp_path):
    plain = run(texts, tmp_path / "plain")
    assert run(texts, tmp_path / "saved", SPEC.model_copy(update={"checkpoints": (100, 500)})) == plain
    model = (tmp_path / "saved" / "model" / "model.safetensors").read_bytes()
    assert model == (tmp_path / "plain" / "model" / "model.safetensors").read_bytes()


def test_the_same_seed_gives_the_same_bytes_and_another_other_ones(texts, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run(texts, tmp_path / name, seed=seed)
    assert digest(tmp_path / "a") == digest(tmp_path / "b")
    assert digest(tmp_path / "a") != digest(tmp_path / "c")


def test_torch_is_left_as_it_was(texts, tmp_path):
    torch.manual_seed(3)
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    run(texts, tmp_path)
    assert torch.equal(torch.get_rng_state(), state)
    assert (torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()) == (threads, False)


def test_a_finished_training_is_not_repeated(texts, tmp_path):
    result = run(texts, tmp_path)
    before = digest(tmp_path)
    assert run(texts, tmp_path, on_event=lambda _: pytest.fail("trained again")) == result
    assert digest(tmp_path) == before


class StoppedError(Exception):
    """Stands for whatever ends a process between two steps."""


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_an_interrupted_training_ends_in_the_same_bytes(texts, tmp_path, seconds):
    """Interrupted after every event once, with its state saved at every step or at two models alone."""
    spec = SPEC.model_copy(update={"checkpoints": (400, 900), "patience": 4})
    run(texts, tmp_path / "straight", spec)
    count = 0

    def stop_later(event):
        nonlocal count
        count += 1
        if count == limit:
            raise StoppedError

    limit, stops = 1, 0
    while not (tmp_path / "stopped" / "training.json").exists():
        count = 0
        try:
            run(texts, tmp_path / "stopped", spec, on_event=stop_later, checkpoint_seconds=seconds)
        except StoppedError:
            stops += 1
            limit += 1 if seconds == 0.0 else 9
    assert stops > 5
    assert digest(tmp_path / "straight") == digest(tmp_path / "stopped")


KILLED = """
import os, random, secrets, signal, sys, time
from pathlib import Path
import torch
from runner import workspace
from runner.model.token_rows import TokenFile
from tests.support.models import LSTM, GPT2, tokenizer
from tests.unit.runner.train.test_loop import SPEC, run, replace
texts = tuple(TokenFile.open(Path(sys.argv[1]) / name) for name in ("train", "valid"))
out, kills, random = Path(sys.argv[2]), 0, random.Random(4)
spec = SPEC.model_copy(update={"epochs": 4.0, "precision": "bfloat16", "accumulate": 2, "checkpoints_from": 300})
torch.set_num_threads(1)
started = time.monotonic()
run(texts, out / "straight", spec, GPT2)
whole = time.monotonic() - started
while not (out / "killed" / "training.json").exists():
    child = os.fork()
    if child == 0:
        workspace._TOKEN = secrets.token_hex(4)  # as in a process that was started, not forked
        run(texts, out / "killed", spec, GPT2, checkpoint_seconds=0.02)
        os._exit(0)
    if kills < 6:
        time.sleep(random.uniform(0.02, 0.1) * whole)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    kills += os.WIFSIGNALED(status)
print(kills)
"""


@pytest.mark.long
def test_a_training_killed_at_random_moments_ends_in_the_same_bytes(texts, tmp_path):
    arguments = [sys.executable, "-c", KILLED, str(texts[0].folder.parent), str(tmp_path)]
    root = Path(__file__).parents[4]
    done = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) >= 3
    assert digest(tmp_path / "straight") == digest(tmp_path / "killed")


def test_a_training_that_is_told_to_stop_loses_no_step(texts, tmp_path):
    run(texts, tmp_path / "straight")
    steps = []
    with pytest.raises(KeyboardInterrupt):
        run(texts, tmp_path / "stopped", on_event=lambda event: steps.append(event["step"]), stop=lambda: 7 in steps)
    assert max(steps) == 7
    again = []
    run(texts, tmp_path / "stopped", on_event=lambda event: again.append(event["step"]))
    assert min(again) == 8
    assert digest(tmp_path / "straight") == digest(tmp_path / "stopped")


def test_a_training_that_is_told_to_stop_at_its_early_end_ends_when_it_goes_on(texts, tmp_path, monkeypatch):
    monkeypatch.setattr(record, "LOGGED_EVENTS", 1)
    spec = UNSTEADY.model_copy(update={"patience": 2})
    whole = run(texts, tmp_path / "straight", spec)
    steps = []
    with pytest.raises(KeyboardInterrupt):
        run(texts, tmp_path / "stopped", spec, on_event=lambda event: steps.append(event["step"]),
            stop=lambda: whole.steps in steps)  # fmt: skip
    assert run(texts, tmp_path / "stopped", spec) == whole
    assert digest(tmp_path / "straight") == digest(tmp_path / "stopped")


@pytest.mark.parametrize("point", ["after_checkpoint:train", "after_model:train"])
def test_a_crash_between_two_files_leaves_nothing_half_done(texts, tmp_path, monkeypatch, point):
    run(texts, tmp_path / "straight")

    def crash(name):
        if name == point:
            raise StoppedError

    monkeypatch.setattr(loop, "fault_point", crash)
    with pytest.raises(StoppedError):
        run(texts, tmp_path / "crashed", checkpoint_seconds=0.0)
    monkeypatch.undo()
    (tmp_path / "crashed/.tmpa1B2c3").write_bytes(b"half of a file that safetensors was killed over")
    (tmp_path / "crashed/checkpoints/.300.3a7535.tmp.5bce98f7.20208.133d62de").mkdir(parents=True)
    run(texts, tmp_path / "crashed")
    assert digest(tmp_path / "straight") == digest(tmp_path / "crashed")


def test_a_folder_of_another_training_is_refused(texts, tmp_path):
    def stop(_):
        raise StoppedError

    with pytest.raises(StoppedError):
        run(texts, tmp_path, on_event=lambda event: stop(event) if event["step"] > 9 else None, checkpoint_seconds=0.0)
    with pytest.raises(InputError) as error:
        run(texts, tmp_path, SPEC.model_copy(update={"learning_rate": 0.5}))
    assert error.value.diagnostics[0].code == "FICT805"
    assert "recipe" in error.value.diagnostics[0].message


def test_a_loss_that_is_no_number_stops_training_with_its_step(texts, tmp_path):
    spec = SPEC.model_copy(update={"learning_rate": 1e38, "clip": 0.0, "warmup": 0.0, "schedule": "constant"})
    with pytest.raises(InputError) as error:
        run(texts, tmp_path, spec)
    diagnostic = error.value.diagnostics[0]
    assert diagnostic.code == "FICT803"
    assert "nan" in diagnostic.message or "inf" in diagnostic.message
    assert not (tmp_path / "model").exists()
    assert not (tmp_path / "training.json").exists()


@pytest.mark.parametrize("empty", [0, 1])
def test_a_text_without_sentences_is_refused(texts, tmp_path, empty):
    pair = list(texts)
    pair[empty] = tokens(tmp_path / "empty", [])
    with pytest.raises(InputError) as error:
        run(tuple(pair), tmp_path / "out")
    assert error.value.diagnostics[0].code == "FICT804"
    assert ("training", "validation")[empty] in error.value.diagnostics[0].message


def test_texts_of_another_tokenizer_are_refused(texts, tmp_path):
    other = tokens(tmp_path / "other", size=5)
    with pytest.raises(InputError) as error:
        run((texts[0], other), tmp_path / "out")
    assert error.value.diagnostics[0].code == "FICT806"


@pytest.mark.parametrize(("places", "accumulate"), [(30, 1), (learn.MICRO_BATCH_TOKENS["cpu"], 4), (30, 3)])
def test_a_batch_computed_in_parts_is_the_same_batch(texts, tmp_path, monkeypatch, places, accumulate):
    model = replace(LSTM, dropout=0.0)
    whole = run(texts, tmp_path / "whole", SPEC.model_copy(update={"batch": 16}), model)
    monkeypatch.setattr(learn, "MICRO_BATCH_TOKENS", {"cpu": places, "gpu": places})
    parts = run(texts, tmp_path / "parts", SPEC.model_copy(update={"batch": 16, "accumulate": accumulate}), model)
    assert (parts.steps, parts.tokens) == (whole.steps, whole.tokens)
    assert parts.valid_perplexity == pytest.approx(whole.valid_perplexity, rel=1e-4)


def test_rows_are_no_longer_than_the_model_has_positions(texts, tmp_path):
    small = replace(GPT2, positions=6)
    result = run(texts, tmp_path, SPEC.model_copy(update={"block": 100}), small)
    assert load_model(tmp_path / "model").about["block"] == 6
    assert result.valid_perplexity < 20
