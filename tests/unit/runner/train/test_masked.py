"""Training models that fill masks: from nothing and further, to the same bytes, and ready to be scored."""

import json
import math
from dataclasses import replace

import pytest

from runner.errors import InputError
from runner.model.recipe import ModelSpec
from runner.model.saved import SavedModel, load_model, load_tokenizer, save_model
from runner.model.token_rows import encode_text
from runner.model.tokenizer import add_tokens
from runner.model.training import TrainSpec
from runner.score.convention import convention_of
from runner.score.model_scores import perplexity
from runner.score.suite_files import Pair, Suite
from runner.train.loop import train
from runner.train.spec import RunHooks, Seeds
from runner.train.task import TrainingTask
from runner.workspace import sha256_path
from tests.support.models import BERT, LINES, masked, tokenizer, tokens
from tests.support.scores import score_pairs

SPEC = TrainSpec(
    rows="sentence", epochs=24.0, batch=8, learning_rate=0.01, warmup=0.1, validations=4, checkpoints=(5000,)
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    kept = [line for number, line in enumerate(LINES) if number % 4]
    return tokens(folder / "train", kept, mask=True), tokens(folder / "valid", LINES[::4], mask=True)


def run(texts, out, spec=SPEC, seed=1, **options):
    return train(TrainingTask(spec, *texts, BERT, out, tokenizer(mask=True), Seeds.of(seed)), RunHooks(**options))


@pytest.fixture(scope="module")
def trained(texts, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained")
    return run(texts, out), out


def test_it_learns_and_what_it_says_of_itself_can_be_measured_again(texts, trained):
    result, out = trained
    valid = [json.loads(line) for line in (out / "train.jsonl").read_text().splitlines() if '"valid"' in line]
    assert result.valid_perplexity == min(event["perplexity"] for event in valid) < len(tokenizer()) / 3
    assert result.tokens == 24 * (texts[0].tokens + texts[0].sentences)
    loss, count = perplexity(load_model(out / "model"), texts[1])
    assert math.exp(loss / count) == pytest.approx(result.valid_perplexity, rel=1e-5)
    assert count == result.valid_tokens < 0.25 * texts[1].tokens


def test_the_saved_model_reads_a_sentence_as_in_training_and_prefers_what_it_has_seen(trained):
    saved = load_model(trained[1] / "model")
    assert saved.masked
    assert saved.tokenizer("the cat")["input_ids"] == [1, *tokenizer(mask=True)("the cat")["input_ids"], 1]
    items = [Pair("p", "", "", n, line, " ".join(reversed(line.split()))) for n, line in enumerate(LINES[::8])]
    table = score_pairs(saved, Suite("s", items), convention_of("default", {}, masked=True, model_name="m"))
    good, bad = (table[name].to_pylist() for name in ("score_good", "score_bad"))
    better = [one > other for one, other in zip(good, bad, strict=True)]
    assert sum(better) > 0.9 * len(better)


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes_however_often_it_is_interrupted(texts, trained, tmp_path):
    class StoppedError(Exception):
        pass

    def stopping_at(step):
        def stop(event):
            if event["step"] >= step and event["event"] == "train":
                raise StoppedError

        return stop

    for step in (60, 170, 250):
        with pytest.raises(StoppedError):
            run(texts, tmp_path, on_event=stopping_at(step), checkpoint_seconds=0.0)
    assert run(texts, tmp_path) == trained[0]
    for name in ("model", "checkpoints/5000"):
        file = f"{name}/model.safetensors"
        assert (tmp_path / file).read_bytes() == (trained[1] / file).read_bytes()


def test_another_seed_masks_other_words(texts, trained, tmp_path):
    spec = SPEC.model_copy(update={"epochs": 1.0, "learning_rate": 1e-30, "validations": 1, "checkpoints": ()})
    still = replace(BERT, dropout=0.0)
    losses = {
        seed: train(
            TrainingTask(spec, *texts, still, tmp_path / str(seed), tokenizer(mask=True), Seeds(1, seed, 1))
        ).train_loss
        for seed in (1, 2)
    }
    assert losses[1] != losses[2]


def test_a_saved_model_is_trained_further_with_new_tokens(tmp_path):
    model = masked()
    save_model(SavedModel(model.model, model.tokenizer, tmp_path / "bert"))
    words = add_tokens(load_tokenizer(tmp_path / "bert"), ["[NN]"])
    lines = [line.replace("dog", "[NN]") for line in LINES]
    texts = [encode_text(some, words, tmp_path / name) for name, some in (("a", lines), ("b", lines[::5]))]
    assert texts[0].separator == words.sep_token_id
    content = sha256_path(tmp_path / "bert")
    spec = ModelSpec("further", "saved", 0, 0, positions=32, saved=content, masked=True)
    recipe = TrainSpec(rows="sentence", epochs=4.0, batch=8, learning_rate=0.003, validations=1)
    result = train(TrainingTask(recipe, *texts, spec, tmp_path / "out", words, Seeds.of(1), tmp_path / "bert"))
    before = math.exp(math.log(len(words)))
    assert result.valid_perplexity < before / 2
    saved = load_model(tmp_path / "out" / "model")
    assert saved.tokenizer("the [NN]")["input_ids"] == [2, words.convert_tokens_to_ids("the"), len(words) - 1, 3]
    assert saved.about["model"]["saved"] == content


def test_a_saved_model_that_was_changed_since_it_was_planned_with_is_not_trained_further(tmp_path):
    model = masked()
    save_model(SavedModel(model.model, model.tokenizer, tmp_path / "bert"))
    spec = ModelSpec("further", "saved", 0, 0, positions=32, saved=sha256_path(tmp_path / "bert"), masked=True)
    (tmp_path / "bert" / "notes.txt").write_text("another model")
    words = load_tokenizer(tmp_path / "bert")
    texts = [encode_text(LINES, words, tmp_path / name) for name in "ab"]
    with pytest.raises(InputError, match=r"FICT700: .*bert cannot be read: it was changed while it was read"):
        train(TrainingTask(SPEC, *texts, spec, tmp_path / "out", words, Seeds.of(1), tmp_path / "bert"))
