"""One model trained by two processes: the loss of one process, the same bytes again, and refusals."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.model.training import TrainSpec
from runner.train.distributed import DistributedContext
from runner.train.loop import train
from runner.train.spec import Seeds
from runner.train.task import TrainingTask
from tests.support.models import GPT2, LINES, LSTM, tokenizer, tokens

ROOT = Path(__file__).parents[4]
# 125 sentences in batches of 31: the last of an epoch has one row, and the second process none of it
SPEC = TrainSpec(rows="sentence", epochs=10.0, batch=31, learning_rate=0.01, weight_decay=0.01, validations=2)
MODELS = {spec.name: replace(spec, dropout=0.0) for spec in (LSTM, GPT2)}

PROCESS = """
import sys
from dataclasses import replace
from pathlib import Path
from runner.model.token_rows import TokenFile
from runner.train.distributed import destroy_process_group
from tests.unit.runner.train.test_distributed import MODELS, SPEC, run
folder, model, accumulate = Path(sys.argv[1]), MODELS[sys.argv[2]], int(sys.argv[3])
texts = [TokenFile.open(folder / name) for name in ("train", "valid")]
run(texts, folder / sys.argv[4], SPEC.model_copy(update={"processes": 2, "accumulate": accumulate, "checkpoints": (900,)}), model)
destroy_process_group()
"""


def run(texts, out, spec, model):
    return train(TrainingTask(spec, *texts, model, out, tokenizer(), Seeds.of(1)))


def two_processes(folder, model, accumulate=1, out="two"):
    processes(folder, PROCESS, model, str(accumulate), out)


def processes(folder, text, *arguments):
    script = folder / "process.py"
    script.write_text(text)
    started = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(script)]
    done = subprocess.run(
        [*started, str(folder), *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def losses(folder):
    events = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    return {e["step"]: e["loss"] for e in events if e["event"] == "train"}


@pytest.fixture
def texts(tmp_path):
    return tokens(tmp_path / "train"), tokens(tmp_path / "valid", LINES[::4])


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "accumulate"),
    [("tiny-lstm", 1), pytest.param("tiny-gpt2", 3, marks=pytest.mark.slow)],
)
def test_two_processes_have_the_loss_of_one_after_fifty_steps(texts, tmp_path, model, accumulate):
    one = run(texts, tmp_path / "one", SPEC, MODELS[model])
    two_processes(tmp_path, model, accumulate)
    expected, found = losses(tmp_path / "one"), losses(tmp_path / "two")
    assert one.steps == 50
    assert found.keys() == expected.keys() == set(range(1, 51))
    assert max(abs(found[step] - expected[step]) for step in expected) < 1e-5
    assert expected[50] < expected[1] - 0.2
    result = json.loads((tmp_path / "two" / "training.json").read_text())
    assert result["valid_perplexity"] == pytest.approx(one.valid_perplexity, rel=1e-5)
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == [
        "checkpoints", "model", "train.jsonl", "training.json",
    ]  # fmt: skip


@pytest.mark.slow
def test_two_processes_give_the_same_bytes_again(texts, tmp_path):
    for out in ("two", "again"):
        two_processes(tmp_path, "tiny-gpt2", out=out)
    for name in ("model/model.safetensors", "checkpoints/900/model.safetensors", "training.json"):
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_another_number_of_processes_than_asked_for_is_refused():
    with pytest.raises(InputError) as error:
        DistributedContext(world_size=2)
    assert error.value.diagnostics[0].code == "FICT809"


TOLD = """
import os, sys
from pathlib import Path
from runner.model.token_rows import TokenFile
from runner.train.spec import RunHooks
from runner.train.loop import train
from runner.train.spec import Seeds
from runner.train.task import TrainingTask
from runner.train.distributed import destroy_process_group
from tests.support.models import tokenizer
from tests.unit.runner.train.test_distributed import MODELS, SPEC, run, replace
folder, told = Path(sys.argv[1]), []
texts = [TokenFile.open(folder / name) for name in ("train", "valid")]
spec, model = SPEC.model_copy(update={"processes": 2}), MODELS["tiny-lstm"]
def stop():
    told.append(1)
    return len(told) >= (8 if os.environ["RANK"] == "1" else 10)
try:
    train(TrainingTask(spec, *texts, model, folder / "told", tokenizer(), Seeds.of(1)), RunHooks(stop=stop))
except KeyboardInterrupt:
    assert (len(told), (folder / "told" / "checkpoint.safetensors").is_file()) == (8, True)
    run(texts, folder / "told", spec, model)
run(texts, folder / "whole", spec, model)
destroy_process_group()
"""


@pytest.mark.slow
def test_processes_that_are_told_to_stop_at_different_steps_stop_at_one_and_go_on_to_the_same_bytes(texts, tmp_path):
    processes(tmp_path, TOLD)
    first, second = (tmp_path / name / "model" / "model.safetensors" for name in ("told", "whole"))
    assert first.read_bytes() == second.read_bytes()
