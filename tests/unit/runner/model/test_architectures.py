"""Model types of transformers as architectures: their names, their settings, and models that learn."""

from dataclasses import replace

import pytest
import torch
from transformers import PreTrainedModel

from runner.errors import InputError
from runner.model.architectures import (
    build,
    check_language_model,
    config,
    count_parameters,
    is_masked_type,
    known_keys,
    model_type,
    model_types,
    problems,
    unavailable_reason,
)
from runner.model.likelihood import evaluating
from runner.model.recipe import PADDING_DEPENDENT, PADDING_REASON, ModelSpec
from runner.model.saved import SavedModel, load_model
from runner.model.training import TrainSpec
from runner.score.convention import Convention
from runner.score.suite_files import Pair, Suite
from runner.train.loop import train
from runner.train.spec import Seeds
from runner.train.task import TrainingTask
from tests.support.models import LINES, tokenizer, tokens
from tests.support.scores import score_pairs

SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
TINY = {
    **SIZES, "num_key_value_heads": 2, "embedding_size": 16, "dim": 16, "n_layers": 2, "n_heads": 2,
    "hidden_dim": 32, "d_model": 16, "d_head": 8, "n_head": 2, "d_inner": 32, "d_kv": 8, "num_blocks": 2,
    "intra_bottleneck_size": 8, "true_hidden_size": 8, "attention_head_size": 8, "dim_head": 8, "dim_ff": 32,
    "axial_pos_embds_dim": [8, 8],
}  # fmt: skip
# types that need a padding token, images or long rows
OF_OTHER_INPUTS = {"flaubert", "modernvbert", "nomic_bert", "perceiver", "ultravbert", "xlm"}
LLAMA = ModelSpec("llama", "llama", positions=32, config={**SIZES, "max_position_embeddings": 32})
ELECTRA = ModelSpec("electra", "electra", positions=32, masked=True, config={**SIZES, "max_position_embeddings": 32})
OURS = ModelSpec("lstm", "fict-lstm", config={"hidden_size": 16, "num_hidden_layers": 2})
PAIRS = Suite("pairs", [Pair("agreement", "", "", 0, "the cat sees the dogs .", "the cat see the dogs .")])


def available(kind: str) -> None:
    """Skip the test if this release of transformers does not have a type."""
    if kind not in model_types():
        pytest.skip(f"transformers has no {kind}")


def test_names_are_those_of_transformers_in_either_spelling():
    assert {"llama", "gpt_neox", "gpt2", "opt", "bert", "mamba", "fict-lstm"} <= model_types()
    assert (model_type("gpt-neox"), model_type("gpt_neox"), model_type("lstm")) == ("gpt_neox", "gpt_neox", "fict-lstm")
    assert model_type("lama") is None
    assert model_type("t5") is None  # reads one text and writes another
    assert model_type("roberta") is None  # its positions are counted from a padding token


def test_what_follows_from_the_tokenizer_is_no_setting():
    assert {"hidden_size", "num_key_value_heads", "tie_word_embeddings"} <= set(known_keys("llama"))
    assert {"n_embd", "hidden_size"} <= set(known_keys("gpt2"))  # both names of one size
    assert not {"vocab_size", "eos_token_id", "id2label", "model_type"} & set(known_keys("llama"))


@pytest.mark.parametrize(
    ("kind", "settings", "key", "reason"),
    [
        ("llama", {"hidden_size": "big"}, "hidden_size", "it should be a whole number, found 'big'"),
        ("llama", {"hidden_size": 3.5}, "hidden_size", "it should be a whole number, found 3.5"),
        ("gpt2", {"resid_pdrop": "much"}, "resid_pdrop", "it should be a number, found 'much'"),
        ("llama", {"hidden_size": 30, "num_attention_heads": 4}, "num_attention_heads",
         "num_attention_heads 4 does not divide hidden_size 30"),
        ("gpt2", {"n_embd": 30, "n_head": 4}, "n_head", "num_attention_heads 4 does not divide hidden_size 30"),
        ("gpt2", {"hidden_size": 30}, "hidden_size", "num_attention_heads 12 does not divide hidden_size 30"),
        ("llama", {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 3}, "num_key_value_heads",
         "num_key_value_heads 3 does not divide num_attention_heads 4"),
        ("llama", {"hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 3, "head_dim": 16},
         "num_key_value_heads", "num_key_value_heads 3 does not divide num_attention_heads 4"),
        ("mistral", {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}, "num_attention_heads",
         "num_key_value_heads 8 does not divide num_attention_heads 4"),  # 8 is the default of the type
        ("llama", {"num_hidden_layers": 10**9}, "num_hidden_layers", "it should be between 1 and 1,000, found 1,000,000,000"),
        ("gpt2", {"n_layer": 0}, "n_layer", "it should be between 1 and 1,000, found 0"),
        ("llama", {"hidden_act": "square"}, "hidden_act", "'square'"),
        ("fict-lstm", {"hidden_size": 0}, "hidden_size", "input_size must be greater than zero"),
        ("cwm", {"num_hidden_layers": 1}, "num_hidden_layers",
         "Field 'bos_token_id' expected int, got NoneType (value: None)"),  # it cannot be without BOS, as texts are
    ],
)  # fmt: skip
def test_settings_that_no_model_can_have(kind, settings, key, reason):
    available(kind)
    assert list(problems(kind, settings)) == [(key, reason)]


def test_a_value_that_transformers_refuses_is_told_at_its_key():
    settings = {"n_embd": 8, "n_head": 2, "n_layer": 1}
    for key, value in (("resid_pdrop", 1.5), ("activation_function", "foo")):
        assert [found for found, _ in problems("gpt2", settings | {key: value})] == [key]


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("llama", {}),
        ("llama", {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1}),  # as many heads of keys
        ("qwen3", {"hidden_size": 30, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 8}),
        ("mistral", {**SIZES, "num_key_value_heads": 2, "head_dim": 8}),
        ("deepseek_v3", {**SIZES, "num_attention_heads": 4}),  # its attention does not use num_key_value_heads
        ("gpt2", {"resid_pdrop": 0}),
        ("gemma4_text", {**SIZES, "num_key_value_heads": 2, "head_dim": 8}),  # some settings have a value per layer
        ("fict-lstm", {}),
    ],
)
def test_settings_that_a_model_can_have(kind, settings):
    available(kind)
    assert list(problems(kind, settings)) == []


@pytest.mark.parametrize("spec", [LLAMA, ELECTRA, OURS], ids=lambda spec: spec.name)
def test_a_model_of_any_architecture_trains_is_saved_and_scores(tmp_path, spec):
    assert is_masked_type(spec.architecture, spec.config) == spec.masked
    words = tokenizer(mask=spec.masked)
    texts = tokens(tmp_path / "a", mask=spec.masked), tokens(tmp_path / "b", LINES[::4], mask=spec.masked)
    recipe = TrainSpec(rows="sentence", epochs=4.0, batch=8, learning_rate=0.01, validations=2)
    result = train(TrainingTask(recipe, *texts, spec, tmp_path / "out", words, Seeds.of(1)))
    assert result.parameters == count_parameters(spec, len(words))
    assert result.valid_perplexity < len(words) * 0.8
    saved = load_model(tmp_path / "out" / "model")
    assert saved.masked == spec.masked
    convention = Convention(probability="pll" if spec.masked else "causal")
    scores = score_pairs(saved, PAIRS, convention)
    assert scores["score_good"][0].as_py() != scores["score_bad"][0].as_py()


def test_a_type_without_default_sizes_says_why():
    available("gemma4_assistant")
    assert unavailable_reason("llama") is None
    assert unavailable_reason("gemma4_assistant") == "hidden_size_per_layer_input must be 0, got 256"


def tiny(kind: str) -> PreTrainedModel:
    """Build a model of a type with small sizes."""
    available(kind)
    settings = {key: value for key, value in TINY.items() if key in known_keys(kind)}
    return build(ModelSpec(kind, kind, masked=is_masked_type(kind, {}), config=settings), 30, 1)


def masked_types() -> list[str]:
    return sorted(kind for kind in model_types() if is_masked_type(kind, {}))


@pytest.mark.parametrize("kind", sorted(PADDING_DEPENDENT))
def test_a_type_that_reads_padding_is_refused_by_the_plan_and_before_training(kind):
    assert unavailable_reason(kind) == PADDING_REASON
    with pytest.raises(InputError, match="FICT822"):
        check_language_model(tiny(kind), kind)


@pytest.mark.parametrize("kind", sorted(set(masked_types()) - PADDING_DEPENDENT - OF_OTHER_INPUTS))
def test_no_other_masked_type_reads_padding(kind):
    """Neither two tokens and one of padding, nor longer rows."""
    model = tiny(kind)
    check_language_model(model, kind)
    row = torch.arange(3, 15)[None]
    padded = torch.cat([row, torch.arange(5, 12)[None]], 1)
    attention = (torch.arange(19) < 12).long()[None]
    with evaluating(model):
        alone, first = model(input_ids=row).logits, model(input_ids=padded, attention_mask=attention).logits[:, :12]
    assert torch.allclose(alone, first, atol=1e-4 * float(alone.abs().max()))


@pytest.mark.parametrize("kind", ["fnet", "mobilebert"])
def test_scores_need_no_padding(kind, tmp_path):
    """A model that padding would change scores a pair among others as it scores it alone."""
    words = tokenizer(mask=True)
    settings = {key: value for key, value in TINY.items() if key in known_keys(kind)}
    model = build(ModelSpec(kind, kind, masked=True, config=settings), len(words), 1)
    saved = SavedModel(model.eval(), words, tmp_path)
    pairs = [Pair("p", "", "", index, *LINES[index : index + 2]) for index in range(0, 20, 3)]
    together = score_pairs(saved, Suite("pairs", pairs), Convention(probability="pll"))
    for index, pair in enumerate(pairs):
        alone = score_pairs(saved, Suite("pairs", [pair]), Convention(probability="pll"))
        for side in ("score_good", "score_bad"):
            assert together[side][index].as_py() == pytest.approx(alone[side][0].as_py(), rel=1e-5)


def test_the_default_configuration_is_built_once(monkeypatch):
    """For all checks of a model with the default sizes of its type."""
    from transformers import AutoConfig

    built = []
    for_model = AutoConfig.for_model

    def counted(kind, **settings):
        built.append(settings)
        return for_model(kind, **settings)

    monkeypatch.setattr(AutoConfig, "for_model", counted)
    assert unavailable_reason("gptj") is None
    assert known_keys("gptj") and list(problems("gptj", {"n_layer": 2, "n_embd": 30})) != []
    assert built == [{}]


def test_no_id_is_padding_and_a_seed_decides_the_weights():
    one, same, other = (build(LLAMA, 30, seed).state_dict() for seed in (1, 1, 2))
    assert config(LLAMA, 30).pad_token_id is None
    assert all(bool((one[name] == same[name]).all()) for name in one)
    assert any(bool((one[name] != other[name]).any()) for name in one)


def test_a_model_that_needs_more_than_ids_is_refused_before_it_trains():
    model = build(LLAMA, 30, 1)
    check_language_model(model, "llama")
    model.forward = lambda **_: (_ for _ in ()).throw(ValueError("pixel_values is missing.\nmore"))
    model.model.forward = model.forward
    with pytest.raises(InputError, match="FICT822") as caught:
        check_language_model(model, "llama")
    assert caught.value.diagnostics[0].message.endswith(": pixel_values is missing")


def test_sizes_that_a_configuration_replaces_are_in_no_key():
    assert LLAMA.content == {"name": "llama", "architecture": "llama", "config": dict(LLAMA.config)}
    assert replace(LLAMA, config={}).content != LLAMA.content
