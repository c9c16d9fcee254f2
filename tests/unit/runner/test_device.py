"""The choice of a device, and `auto` in every path: training, scoring, perplexity, annotation and the local pool."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from runner import machine as device
from runner.cli import import_export
from runner.errors import InputError
from runner.execute import pool
from runner.model.saved import load_model, save_model
from runner.model.training import Training, TrainSpec
from runner.score.convention import Convention
from runner.score.suite_files import Pair, Suite
from runner.score.sweep import sweep
from runner.train.distributed import DistributedContext
from runner.train.loop import train
from runner.train.spec import RunHooks, Seeds
from runner.train.task import TrainingTask
from tests.support.models import LINES, LSTM, saved, tokenizer, tokens

SPEC = TrainSpec(rows="sentence", epochs=1.0, batch=4, learning_rate=0.01)
PAIRS = Suite("pairs", [Pair("agreement", "", "", 0, "the cat sees the dogs .", "the cat see the dogs .")])


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    """Make torch say that the machine has some devices."""

    def with_devices(cards: int = 0, mps: bool = False) -> None:
        monkeypatch.setattr(device, "may_have_gpu", lambda: bool(cards or mps))
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cards > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: cards)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)

    return with_devices


@pytest.mark.parametrize(
    ("cards", "mps", "chosen"), [(2, True, "cuda"), (2, False, "cuda"), (0, True, "mps"), (0, False, "cpu")]
)
def test_auto_is_cuda_then_mps_then_the_cpu(machine, cards, mps, chosen):
    machine(cards, mps)
    assert device.choose() == device.choose("auto") == chosen
    assert device.choose("cpu") == "cpu"


def test_a_device_that_is_not_there_is_never_replaced(machine):
    machine(2)
    assert [device.choose(name) for name in ("cuda", "cuda:0", "cuda:1")] == ["cuda", "cuda:0", "cuda:1"]
    for name in ("cuda:2", "mps"):
        with pytest.raises(InputError, match="FICT808") as caught:
            device.choose(name)
        assert caught.value.diagnostics[0].hint == "available devices: cuda, cuda:0, cuda:1, cpu"
    machine()
    with pytest.raises(InputError, match="there is no cuda device on this machine"):
        DistributedContext("cuda")


def test_a_driver_that_does_not_work_is_no_gpu(machine, monkeypatch):
    machine()
    monkeypatch.setattr(device, "may_have_gpu", lambda: True)
    assert (device.choose(), device.gpu_ids()) == ("cpu", [])


def test_the_names_of_devices_are_those_of_torch():
    assert [str(torch.device(name)) for name in ("cpu", "mps", "cuda", "cuda:1")] == ["cpu", "mps", "cuda", "cuda:1"]
    for name in ("auto", "cpu", "mps", "cuda", "cuda:12"):
        assert Training(device=name).device == name
    for name in ("gpu", "cuda:", "cuda:x", "meta", "CUDA", "cuda:1\n"):
        with pytest.raises(ValueError, match="device"):
            Training(device=name)


def test_sums_are_as_precise_as_the_device_allows():
    assert [device.widest_dtype(name) for name in ("cpu", "cuda:1", "mps")] == [
        torch.float64,
        torch.float64,
        torch.float32,
    ]
    assert [device.by_kind(torch.device(name), cpu=1, gpu=2) for name in ("cpu", "cuda:1", "mps")] == [1, 2, 2]


# --- `auto` in every path: the fake device is `meta`, on which tensors have sizes but no values


@pytest.fixture
def fake(machine, monkeypatch):
    machine(1)
    monkeypatch.setattr(device, "available", lambda: ["meta", "cpu"])
    return "meta"


def texts(folder: Path):
    return tokens(folder / "train"), tokens(folder / "valid", LINES[:9])


def test_training_goes_to_the_device(tmp_path, fake, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "runner.train.loop.adamw",
        lambda model, _: seen.append(model.device.type) or torch.optim.SGD(model.parameters()),
    )
    assert DistributedContext().device.type == fake
    with pytest.raises((NotImplementedError, RuntimeError)):  # nothing can be read back from it
        train(
            TrainingTask(
                SPEC.model_copy(update={"checkpoints": ()}),
                *texts(tmp_path),
                LSTM,
                tmp_path / "out",
                tokenizer(),
                Seeds.of(1),
            )
        )
    assert seen == [fake]


def saved_in(folder: Path) -> Path:
    save_model(replace(saved(), folder=folder))
    return folder


def test_a_loaded_model_is_on_the_device(tmp_path):
    model = load_model(saved_in(tmp_path / "m"), "meta").model
    assert {parameter.device.type for parameter in model.parameters()} == {"meta"}


@pytest.mark.parametrize(("chosen", "loaded"), [("auto", "meta"), ("cpu", "cpu")])
def test_scoring_goes_to_the_device(tmp_path, fake, monkeypatch, chosen, loaded):
    seen = []
    monkeypatch.setattr("runner.score.sweep.load_model", lambda path, name: seen.append(name) or saved())
    list(sweep(saved_in(tmp_path / "m"), PAIRS, lambda _: Convention(), device=chosen))
    assert seen == [loaded]


def test_perplexity_and_scores_of_a_cell_go_to_the_device_of_its_training(tmp_path, fake, monkeypatch):
    from runner.execute import cell
    from tests.unit.runner.execute.test_training import job_in

    seen = []

    class SeenError(Exception):
        pass

    def load(path, name):
        seen.append(name)
        raise SeenError

    monkeypatch.setattr(cell, "load_model", load)
    job = job_in(tmp_path, training={"device": "auto"})
    for call in (lambda: cell._perplexity(job, tmp_path), lambda: cell._score(job, {}, tmp_path)):
        with pytest.raises(SeenError):
            call()
    assert seen == [fake, fake]


def test_annotation_goes_to_the_device(fake):
    from runner.corpus.stanza_parser import StanzaOptions

    assert device.choose(StanzaOptions(Path(), "en", "p", "lines").device, "FICT754") == fake
    options = {option.name: option.default for option in import_export.annotate_texts.params}
    assert options["device"] == "auto"


def test_no_other_module_asks_for_devices():
    root = Path(device.__file__).parent
    asking = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        if any(word in path.read_text() for word in ("cuda.is_available", "mps.is_available", "cuda.device_count"))
    ]
    assert asking == ["machine.py"]


# --- keys, cards and resuming


def test_the_device_is_in_no_key_and_the_precision_is():
    keys = [SPEC.model_copy(update={"device": name}).content for name in ("auto", "cpu", "cuda:1", "mps")]
    assert all(content == keys[0] for content in keys)
    assert SPEC.model_copy(update={"precision": "bfloat16"}).content != keys[0]


def test_training_records_its_device_and_goes_on_only_on_its_own_kind(tmp_path):
    pair, steps = texts(tmp_path), []
    spec = SPEC.model_copy(update={"device": "cpu"})
    task = TrainingTask(spec, *pair, LSTM, tmp_path / "out", tokenizer(), Seeds.of(1))
    with pytest.raises(KeyboardInterrupt):
        train(task, RunHooks(on_event=lambda event: steps.append(event["step"]), stop=lambda: 5 in steps))
    checkpoint = tmp_path / "out" / "checkpoint.safetensors"
    data = checkpoint.read_bytes()
    assert b'"device":"cpu"' in data
    checkpoint.write_bytes(data.replace(b'"device":"cpu"', b'"device":"mps"'))
    with pytest.raises(InputError, match="FICT824") as caught:
        train(task)
    assert "ran on mps, and this machine would continue on cpu" in caught.value.diagnostics[0].message
    checkpoint.write_bytes(data)
    assert train(task).device == "cpu"
    assert json.loads((tmp_path / "out" / "training.json").read_text())["device"] == "cpu"


# --- the local pool


def resolved(tmp_path: Path, *devices: str, processes: int = 1):
    from tests.support.experiments import planned

    entries = [
        f'[[model]]\nname = "m{n}"\npreset = "lstm-128"\ntraining = {{ device = "{name}", processes = {processes} }}\n'
        for n, name in enumerate(devices)
    ]
    head = '[experiment]\nname = "x"\nseeds = [1]\n[corpus]\nsample = { sentences = 200 }\n'
    (tmp_path / "m.toml").write_text(head + "".join(entries))
    return planned(tmp_path / "m.toml").resolved


def visible(environments):
    return [environment.get(pool.VISIBLE_GPUS) for environment in environments]


def test_the_pool_gives_one_cell_to_each_gpu(tmp_path, machine, monkeypatch):
    machine(3)
    monkeypatch.delenv(pool.VISIBLE_GPUS, raising=False)
    auto = resolved(tmp_path, "auto", "cpu")
    assert visible(pool.environments(auto, None)) == ["0", "1", "2"]
    assert visible(pool.environments(auto, 4)) == ["0", "1", "2", "0"]
    assert visible(pool.environments(auto, 1)) == ["0"]
    monkeypatch.setenv(pool.VISIBLE_GPUS, "5,7")
    machine(2)
    assert visible(pool.environments(auto, None)) == ["5", "7"]
    assert visible(pool.environments(resolved(tmp_path, "auto", processes=2), None)) == ["5,7"]
    assert visible(pool.environments(resolved(tmp_path, "cuda:1"), None)) == [None]


def test_the_pool_gives_cells_of_the_cpu_to_cores(tmp_path, machine, monkeypatch):
    machine(2)
    monkeypatch.setattr(pool, "available_cores", lambda: 6)
    assert pool.environments(resolved(tmp_path, "cpu"), None) == [{}] * 6
    machine()
    assert pool.environments(resolved(tmp_path, "auto"), 3) == [{}] * 3
    machine(mps=True)
    assert pool.environments(resolved(tmp_path, "auto"), None) == [{}]
    with pytest.raises(InputError, match="FICT808"):
        pool.environments(resolved(tmp_path, "cuda"), None)


def test_a_cell_has_no_more_processes_than_the_machine_can_run(tmp_path, machine, monkeypatch):
    machine()
    monkeypatch.setattr(pool, "available_cores", lambda: 6)
    assert pool.environments(resolved(tmp_path, "cpu", processes=24), 1) == [{}]
    with pytest.raises(InputError, match="has 6 cores and 0 GPUs, with at most 4 processes each, found 25"):
        pool.environments(resolved(tmp_path, "cpu", processes=25), 1)


def test_jobs_with_gpus_require_them(tmp_path):
    one = pool.with_gpus(resolved(tmp_path, "auto", "cpu"), 1)
    assert {entry.training.device for entry in one.models.values()} == {"cuda"}
    with pytest.raises(ValueError, match="a cell has 1 process, and each process uses one GPU"):
        pool.with_gpus(resolved(tmp_path, "auto"), 2)
    assert pool.with_gpus(resolved(tmp_path, "auto", processes=2), 2)


def test_random_numbers_after_a_seed_are_those_of_torch_and_no_call_is_kept() -> None:
    with device.forked_random(torch.device("cpu")):
        torch.manual_seed(7)
        theirs, kept = torch.rand(5), len(torch.cuda._queued_calls)
        device.seed_random(7, torch.device("cpu"))
        assert torch.equal(torch.rand(5), theirs)
        assert len(torch.cuda._queued_calls) == kept


@pytest.mark.parametrize("function", ["manual_seed", "manual_seed_all"])
def test_a_device_is_seeded_by_its_own_module(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    seeded: list[int] = []
    own = SimpleNamespace(**{"manual_seed": lambda seed: None, function: seeded.append})
    monkeypatch.setattr(torch, "get_device_module", lambda device: own)
    with device.forked_random(torch.device("cpu")):
        device.seed_random(11, torch.device("cuda"))
    assert seeded == [11]
