"""Training that branches from a state of another one, after some steps, with its optimizer."""

import hashlib
import json

import pytest

from runner.errors import InputError
from runner.model.training import TrainSpec
from runner.train.loop import train, train_until
from runner.train.spec import RunHooks, Seeds, copy_state
from runner.train.task import TrainingTask
from tests.support.models import GPT2, LINES, LSTM, tokenizer, tokens

SPEC = TrainSpec(
    rows="sentence", epochs=3.0, batch=4, learning_rate=0.02, warmup=0.1, validations=5, checkpoints_from=300
)
STEP = 31


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    kept = [line for number, line in enumerate(LINES) if number % 4]
    return tokens(folder / "train", kept), tokens(folder / "valid", LINES[::4])


def task(texts, out, model=LSTM, spec=SPEC, **begin):
    return TrainingTask(spec, *texts, model, out, tokenizer(), Seeds.of(1), **begin)


def branch(texts, folder, model=LSTM, spec=SPEC, others=None, **options):
    """Train until a step, and go on in another folder, on `others` if given."""
    train_until(task(texts, folder / "begun", model, spec), STEP, RunHooks(**options))
    copy_state(folder / "begun", folder / "state")
    return train(task(others or texts, folder / "branch", model, spec, state=folder / "state"), RunHooks(**options))


def files(folder):
    """Hashes of all files but the log, and the events of the log without times."""
    hashes = {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != "train.jsonl"
    }
    events = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    return hashes, [
        {k: v for k, v in event.items() if k not in ("tokens_per_second", "seconds", "eta")} for event in events
    ]


@pytest.mark.parametrize("model", [LSTM, GPT2], ids=lambda spec: spec.name)
@pytest.mark.parametrize("keep", ["best", "last"])
def test_a_branch_where_nothing_differs_gives_the_bytes_of_the_whole(texts, tmp_path, model, keep):
    spec = SPEC.model_copy(update={"keep": keep})
    whole = train(task(texts, tmp_path / "whole", model, spec))
    assert branch(texts, tmp_path, model, spec) == whole
    assert files(tmp_path / "branch") == files(tmp_path / "whole")


def test_a_state_may_be_taken_while_the_whole_goes_on(texts, tmp_path):
    taken = {}

    def take(work):
        copy_state(work, tmp_path / "state")
        taken.update(files(work)[0])

    whole = train(task(texts, tmp_path / "whole"), RunHooks(after_step={STEP: take}))
    before = files(tmp_path / "state")
    assert before[0].items() <= taken.items()
    assert train(task(texts, tmp_path / "branch", state=tmp_path / "state")) == whole
    assert files(tmp_path / "branch") == files(tmp_path / "whole")
    assert files(tmp_path / "state") == before  # links share no file that training writes to


def test_another_text_changes_what_follows_the_step_and_nothing_before(texts, tmp_path):
    other = tokens(tmp_path / "other", [line for number, line in enumerate(LINES) if number % 4 != 1])
    branch(texts, tmp_path, others=(other, texts[1]))
    train(task(texts, tmp_path / "whole"))
    (_, events), (_, whole) = files(tmp_path / "branch"), files(tmp_path / "whole")
    same = [event for event in events if event["step"] <= STEP]
    assert same == [event for event in whole if event["step"] <= STEP]
    assert same
    assert events[-1]["loss" if "loss" in events[-1] else "perplexity"] != whole[-1].get(
        "loss", whole[-1].get("perplexity")
    )


def test_another_validation_text_is_compared_with_itself_alone(texts, tmp_path):
    easy = tokens(tmp_path / "easy", [*LINES[::4], LINES[0]])
    other = tokens(tmp_path / "other", [" ".join(reversed(line.split())) for line in LINES[::4]])
    begun = (texts[0], easy)
    train_until(task(begun, tmp_path / "begun"), STEP, RunHooks())
    copy_state(tmp_path / "begun", tmp_path / "state")
    result = train(task((texts[0], other), tmp_path / "branch", state=tmp_path / "state"))
    later = [
        event["perplexity"]
        for event in files(tmp_path / "branch")[1]
        if event["event"] == "valid" and event["step"] > STEP
    ]
    assert result.best_step > STEP
    assert result.valid_perplexity == min(later)


def test_the_state_of_the_optimizer_goes_along(texts, tmp_path):
    """Weights alone would take other steps: AdamW scales them by its running moments."""
    branch(texts, tmp_path)
    train(task(texts, tmp_path / "whole"))
    from safetensors.numpy import load_file, save_file

    state = load_file(tmp_path / "state" / "checkpoint.safetensors")
    moments = {name: value * 4 if name.endswith("exp_avg_sq") else value for name, value in state.items()}
    from safetensors import safe_open

    with safe_open(tmp_path / "state" / "checkpoint.safetensors", "np") as file:
        metadata = file.metadata()
    save_file(moments, tmp_path / "state" / "checkpoint.safetensors", metadata)
    train(task(texts, tmp_path / "changed", state=tmp_path / "state"))
    assert (
        files(tmp_path / "changed")[0]["model/model.safetensors"]
        != files(tmp_path / "whole")[0]["model/model.safetensors"]
    )


@pytest.mark.parametrize("at", [STEP - 4, STEP + 4])
def test_a_branch_that_is_stopped_before_or_after_the_step_goes_on(texts, tmp_path, at):
    steps = []
    stopping = {"on_event": lambda event: steps.append(event["step"]), "stop": lambda: at in steps}
    whole = train(task(texts, tmp_path / "whole"))
    with pytest.raises(KeyboardInterrupt):
        branch(texts, tmp_path, **stopping)
    if at < STEP:
        train_until(task(texts, tmp_path / "begun"), STEP, RunHooks())
        copy_state(tmp_path / "begun", tmp_path / "state")
    assert train(task(texts, tmp_path / "branch", state=tmp_path / "state")) == whole
    assert files(tmp_path / "branch") == files(tmp_path / "whole")


def test_a_step_that_training_does_not_reach_is_refused(texts, tmp_path):
    with pytest.raises(InputError, match="FICT823") as caught:
        train_until(task(texts, tmp_path / "begun"), 10_000, RunHooks())
    assert caught.value.diagnostics[0].message == "there is no step 10000 to branch from: training ends after 72"
    short = SPEC.model_copy(update={"epochs": 0.5})
    train_until(task(texts, tmp_path / "again"), STEP, RunHooks())
    copy_state(tmp_path / "again", tmp_path / "state")
    with pytest.raises(InputError, match="FICT823"):
        train(task(texts, tmp_path / "short", spec=short, state=tmp_path / "state"))


def test_training_that_ends_early_before_the_step_is_refused(texts, tmp_path):
    hasty = SPEC.model_copy(
        update={
            "learning_rate": 1.0,
            "clip": 0.0,
            "schedule": "constant",
            "validations": 12,
            "patience": 1,
            "epochs": 6.0,
        }
    )
    with pytest.raises(InputError, match="FICT823"):
        train_until(task(texts, tmp_path, spec=hasty), 140, RunHooks())
