"""Saved models of other making trained further: weights and tokenizers in forms that fictc itself never writes."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from tokenizers.processors import ByteLevel

from runner.model.recipe import ModelSpec, kind_and_positions
from runner.model.saved import SavedModel, load_model, load_tokenizer, save_model
from runner.model.token_rows import encode_text
from runner.model.training import TrainSpec
from runner.train.loop import train
from runner.train.spec import RunHooks, Seeds, TrainResult
from runner.train.task import TrainingTask
from runner.workspace import sha256_path
from tests.support.models import GPT2, masked, saved

LINES = ["the cat see a dog ."] * 40


def published(model: SavedModel, folder: Path) -> Path:
    """A model as somebody else saved it."""
    model.model.save_pretrained(folder)
    model.tokenizer.save_pretrained(folder)
    return folder


def further(origin: Path, out: Path, lines: Sequence[str] = LINES, **options: float) -> TrainResult:
    kind, positions = kind_and_positions(origin)
    spec = ModelSpec("m", "saved", 0, 0, positions=positions, saved=sha256_path(origin), masked=kind == "masked")
    words = load_tokenizer(origin)
    texts = [encode_text(some, words, out / name) for name, some in (("a", lines), ("b", lines[:9]))]
    recipe = TrainSpec(rows="sentence", epochs=1.0, batch=8, learning_rate=0.003)
    return train(TrainingTask(recipe, *texts, spec, out, words, Seeds.of(1), origin), RunHooks(**options))


@pytest.mark.parametrize("model", [masked(), saved(GPT2)], ids=lambda model: model.folder.name)
def test_weights_that_lie_transposed_are_trained_and_their_state_is_saved(tmp_path, model):
    """As conversions of TensorFlow models left them in pytorch_model.bin."""
    origin = published(model, tmp_path / "origin")
    (origin / "model.safetensors").unlink()
    strided = {
        name: value.t().contiguous().t() if value.ndim == 2 else value
        for name, value in model.model.state_dict().items()
    }
    torch.save(strided, origin / "pytorch_model.bin")
    assert not all(weight.is_contiguous() for weight in load_model(origin).model.parameters())
    assert further(origin, tmp_path / "out", checkpoint_seconds=0.0) == further(origin, tmp_path / "unsaved")


def test_a_masked_model_keeps_a_tokenizer_that_frames_texts_as_its_rows_were(tmp_path):
    """The tokenizer has [CLS] and [SEP], but neither an end-of-sentence token nor a frame of its own."""
    model = masked()
    model.tokenizer.backend_tokenizer.post_processor = ByteLevel(trim_offsets=False)
    further(published(model, tmp_path / "origin"), tmp_path / "out")
    words = load_model(tmp_path / "out" / "model").tokenizer
    assert words.convert_ids_to_tokens(words("the cat")["input_ids"]) == ["[CLS]", "the", "cat", "[SEP]"]


def test_folders_of_a_saved_model_can_be_entered(tmp_path):
    """A tokenizer with several chat templates is saved with a folder of them."""
    model = saved(GPT2)
    model.tokenizer.chat_template = {"default": "{{ messages }}", "tools": "{{ messages }}"}
    further(published(model, tmp_path / "origin"), tmp_path / "out")
    templates = tmp_path / "out" / "model" / "additional_chat_templates"
    assert [file.name for file in templates.iterdir()] == ["tools.jinja"]
    assert templates.stat().st_mode == (tmp_path / "origin" / templates.name).stat().st_mode


def test_no_epoch_leaves_a_saved_model_as_it_is(tmp_path):
    """Vanilla BERT beside its hybrids: measured and scored, but not trained."""
    origin = saved(GPT2)
    save_model(SavedModel(origin.model, origin.tokenizer, tmp_path / "origin"))
    texts = [encode_text(LINES[:3], origin.tokenizer, tmp_path / name) for name in ("train", "valid")]
    spec = TrainSpec(rows="sentence", epochs=0.0, validations=3)
    model = ModelSpec("further", "saved", saved=sha256_path(tmp_path / "origin"))
    task = TrainingTask(spec, *texts, model, tmp_path / "out", origin.tokenizer, Seeds.of(1), tmp_path / "origin")
    result = train(task)
    assert (result.steps, result.tokens, result.epochs, result.best_step) == (0, 0, 0.0, 0)
    before, after = (load_model(tmp_path / name).model for name in ("origin", "out/model"))
    for (name, old), (other, new) in zip(before.named_parameters(), after.named_parameters(), strict=True):
        assert name == other
        assert torch.equal(old, new)
    loss, count = task.validation_loss(after)
    assert result.valid_perplexity == pytest.approx(math.exp(loss / count), rel=1e-5)
    assert train(task) == result
