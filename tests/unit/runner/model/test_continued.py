"""Saved models trained further: what they know stays, new tokens are drawn by the seed, other tokenizers refused."""

from dataclasses import replace

import pytest
import torch

from runner.errors import InputError
from runner.model.architectures import build
from runner.model.saved import SavedModel, load_for_training, load_tokenizer, save_model
from runner.model.tokenizer import add_tokens, id_count
from tests.support.models import GPT2, LSTM, NEOX, gapped, masked, saved, tokenizer


@pytest.fixture(params=["bert", "gpt2"])
def folder(request, tmp_path):
    model = masked() if request.param == "bert" else saved(GPT2)
    save_model(SavedModel(model.model, model.tokenizer, tmp_path / "model"))
    return tmp_path / "model"


def test_new_tokens_get_embeddings_drawn_by_the_seed_and_the_others_stay(folder):
    words = load_tokenizer(folder)
    before = load_for_training(folder, words, 1)
    known = before.get_input_embeddings().weight
    more = add_tokens(load_tokenizer(folder), ["[NN]", "[VB]"])
    torch.manual_seed(8)
    state = torch.get_rng_state()
    one, same, other = (load_for_training(folder, more, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), state)
    for model in (one, same, other):
        embedding, output = model.get_input_embeddings().weight, model.get_output_embeddings().weight
        assert len(embedding) == len(more) == len(known) + 2
        assert embedding.data_ptr() == output.data_ptr()
        assert torch.equal(embedding[:-2], known)
        assert model(input_ids=torch.tensor([[0, len(more) - 1]])).logits.shape[-1] == len(more)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), same.parameters(), strict=True))
    news = [model.get_input_embeddings().weight[-2:] for model in (one, other)]
    assert not torch.equal(*news)
    assert 0 < news[0].std() < 0.1


@pytest.mark.parametrize("tied", [True, False])
def test_new_tokens_get_embeddings_drawn_by_the_seed_in_rows_that_were_to_spare(tmp_path, tied):
    """Pythia has 50,304 rows for 50,277 tokens; BERT has a bias of the output layer too."""
    if tied:
        model = masked()
        model.model.resize_token_embeddings(len(model.tokenizer) + 4, mean_resizing=False)
        torch.nn.init.ones_(model.model.get_output_embeddings().bias)
    else:
        words = tokenizer()
        model = SavedModel(build(NEOX, len(words) + 4, 1), words, tmp_path)
    save_model(replace(model, folder=tmp_path / "model"))
    before = load_for_training(tmp_path / "model", load_tokenizer(tmp_path / "model"), 1)
    more = add_tokens(load_tokenizer(tmp_path / "model"), ["[NN]", "[VB]"])
    one, same, other = (load_for_training(tmp_path / "model", more, seed) for seed in (1, 1, 2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), same.parameters(), strict=True))
    new = torch.tensor([len(more) - 2, len(more) - 1])
    for of in ("get_input_embeddings", "get_output_embeddings"):
        old, first, second = (getattr(model, of)() for model in (before, one, other))
        assert (first.weight[new] != second.weight[new]).all()
        assert (first.weight[new] != old.weight[new]).all()
        assert 0 < first.weight[new].std() < 0.1
        kept = torch.ones(len(old.weight), dtype=torch.bool).index_fill(0, new, False)
        assert torch.equal(first.weight[kept], old.weight[kept])
        if getattr(first, "bias", None) is not None:
            assert torch.equal(first.bias, kept.float())
    assert (one.get_input_embeddings().weight is one.get_output_embeddings().weight) == tied
    longer = add_tokens(more, ["[A]", "[B]", "[C]"])  # more than there are rows
    assert len(load_for_training(tmp_path / "model", longer, 1).get_input_embeddings().weight) == len(longer)


def test_a_new_token_after_ids_with_gaps_gets_a_row(tmp_path):
    words = gapped(separator=60)
    save_model(SavedModel(build(GPT2, id_count(words), 1), words, tmp_path))
    more = add_tokens(load_tokenizer(tmp_path), ["[NN]"])
    new = more.convert_tokens_to_ids("[NN]")
    assert new == id_count(words) == 61 > len(more)
    model = load_for_training(tmp_path, more, 1)
    assert model(input_ids=torch.tensor([[0, new]])).logits.shape[-1] == new + 1


def test_a_model_of_another_tokenizer_is_refused(folder):
    with pytest.raises(InputError) as error:
        load_for_training(folder, other(), 1)
    assert error.value.diagnostics[0].code == "FICT820"


def other():
    from runner.model.tokenizer import train_word_tokenizer

    return train_word_tokenizer(["quite another text"], size=50, mask=True)


def test_a_model_whose_embeddings_cannot_grow_is_trained_without_new_tokens_only(tmp_path):
    model = saved(LSTM)
    save_model(SavedModel(model.model, model.tokenizer, tmp_path))
    words = load_tokenizer(tmp_path)
    assert load_for_training(tmp_path, words, 1).config.model_type == "fict-lstm"
    with pytest.raises(InputError) as error:
        load_for_training(tmp_path, add_tokens(words, ["[NN]"]), 1)
    assert error.value.diagnostics[0].code == "FICT801"
