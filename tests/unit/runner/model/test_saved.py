"""Saved models: what goes in comes out, with the record and the counts; what is no model is named."""

import json
import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    CONFIG_MAPPING,
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoTokenizer,
    BertForPreTraining,
    ByT5Tokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    XLNetConfig,
    XLNetLMHeadModel,
    pipeline,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from runner.errors import InputError
from runner.model.architectures import build
from runner.model.recipe import MASKED_TYPES, kind_and_positions
from runner.model.saved import SavedModel, load_model, load_tokenizer, position_limit, save_model
from runner.model.tokenizer import tokenized
from runner.score.convention import CONVENTIONS
from runner.score.encoding import encode_texts
from tests.support.models import GPT2, LSTM, NEOX, OPT, gapped, masked, saved


def test_a_model_comes_back_with_its_tokenizer_record_and_counts(tmp_path):
    model = saved(LSTM)
    counts = np.arange(len(model.tokenizer))
    about = {"rows": "sentence", "context": 1}
    save_model(SavedModel(model.model, model.tokenizer, tmp_path / "m", about, counts))
    loaded = load_model(tmp_path / "m")
    assert loaded.about == about
    assert np.array_equal(loaded.counts, counts)
    assert loaded.tokenizer("the cat")["input_ids"] == model.tokenizer("the cat")["input_ids"]
    assert not loaded.model.training
    ids = torch.tensor([[1, 4, 5]])
    assert torch.equal(loaded.model(ids).logits, model.model(ids).logits)


def test_the_context_may_be_the_last_id_of_a_tokenizer_with_gaps(tmp_path):
    words = gapped(separator=60)
    save_model(SavedModel(build(GPT2, 61, 1), words, tmp_path, {"context": 60}, np.arange(61)))
    assert load_model(tmp_path).about == {"context": 60}
    np.save(tmp_path / "counts.npy", np.arange(len(words)))
    with pytest.raises(InputError, match="one count for each of its 61 ids"):
        load_model(tmp_path)


def test_the_same_model_is_saved_as_the_same_bytes_that_all_may_read(tmp_path):
    for name in ("a", "b"):
        model = saved(GPT2)
        save_model(SavedModel(model.model, model.tokenizer, tmp_path / name, {"x": 1}, np.arange(3)))
    names = sorted(file.name for file in (tmp_path / "a").iterdir())
    assert {"config.json", "model.safetensors", "tokenizer.json", "fictc.json", "counts.npy"} <= set(names)
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert (tmp_path / "a" / name).stat().st_mode & stat.S_IRUSR


@pytest.mark.parametrize("spec", [LSTM, GPT2], ids=lambda spec: spec.name)
def test_a_padded_batch_goes_from_the_saved_tokenizer_to_the_saved_model(tmp_path, spec):
    save_model(replace(saved(spec), folder=tmp_path / "m"))
    model, tokenizer = (kind.from_pretrained(tmp_path / "m") for kind in (AutoModelForCausalLM, AutoTokenizer))
    batch = tokenizer(["the cat sees", "the"], padding=True, return_tensors="pt")
    assert {name: rows.tolist() for name, rows in batch.items() if name != "input_ids"} == {
        "attention_mask": [[1, 1, 1], [1, 0, 0]]
    }
    with torch.inference_mode():
        alone = model.eval()(**tokenizer("the", return_tensors="pt")).logits[0, 0]
        assert torch.allclose(model(**batch).logits[1, 0], alone, atol=1e-6)


def test_a_saved_model_goes_through_a_pipeline_of_transformers(tmp_path):
    save_model(replace(saved(GPT2), folder=tmp_path / "m"))
    generate = pipeline("text-generation", model=str(tmp_path / "m"), device="cpu")
    (found,) = generate("the cat", max_new_tokens=2, do_sample=False)
    assert found["generated_text"].startswith("the cat")


def test_a_model_of_transformers_needs_no_record(tmp_path):
    model = saved(GPT2)
    model.model.save_pretrained(tmp_path)
    model.tokenizer.save_pretrained(tmp_path)
    loaded = load_model(tmp_path)
    assert (dict(loaded.about), loaded.counts) == ({}, None)


@pytest.mark.parametrize(
    "harm", ["absent", "empty", "no tokenizer", "truncated", "config", "no json", "type", "weights"]
)
def test_a_folder_that_is_no_model_is_named(tmp_path, harm):
    folder = tmp_path / "m"
    if harm != "absent":
        folder.mkdir()
    if harm not in ("absent", "empty"):
        model = saved(LSTM)
        model.model.save_pretrained(folder)
        if harm != "no tokenizer":
            model.tokenizer.save_pretrained(folder)
    match harm:
        case "truncated":
            weights = folder / "model.safetensors"
            weights.write_bytes(weights.read_bytes()[:-100])
        case "config":
            (folder / "config.json").write_text('{"model_type": "no-such-model"}')
        case "no json":
            (folder / "config.json").write_text("[")
        case "type":
            (folder / "config.json").write_text('{"model_type": []}')
        case "weights":
            tensors = load_file(folder / "model.safetensors")
            del tensors["lstm.weight_hh_l1"]
            save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError) as error:
        load_model(folder)
    assert error.value.diagnostics[0].code == "FICT801"
    assert str(folder) in error.value.diagnostics[0].message


def test_a_masked_model_loads_as_one(tmp_path):
    for model in (masked(), saved()):
        folder = tmp_path / model.folder
        model.model.save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)
        assert load_model(folder).masked == model.masked
    assert masked().masked
    assert not saved().masked


@pytest.mark.parametrize("names", [["BertForPreTraining"], ["BertLMHeadModel"], None])
def test_a_bert_is_a_masked_model_whatever_it_was_saved_as(tmp_path, names):
    model = masked()
    BertForPreTraining(model.model.config).save_pretrained(tmp_path)
    model.tokenizer.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text()) | {"architectures": names}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert kind_and_positions(tmp_path)[0] == "masked"
    assert load_model(tmp_path).masked


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "bert", "architectures": ["BertLMHeadModel"], "is_decoder": True}, "causal"),
        ({"model_type": "roberta", "architectures": ["RobertaForCausalLM"], "is_decoder": False}, "masked"),
        ({"model_type": "xlm", "architectures": ["XLMWithLMHeadModel"], "causal": True}, "causal"),
        ({"model_type": "xlm", "architectures": ["XLMWithLMHeadModel"]}, "masked"),
        ({"model_type": "of-tomorrow", "architectures": ["TomorrowForMaskedLM"]}, "masked"),
        ({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}, "causal"),
        ({"model_type": "bart", "architectures": ["BartForConditionalGeneration"]}, "causal"),
    ],
)
def test_a_model_of_a_masked_type_predicts_what_comes_next_only_as_a_decoder(tmp_path, config, expected):
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert kind_and_positions(tmp_path)[0] == expected


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "roberta", "max_position_embeddings": 514}, 512),
        ({"model_type": "roberta"}, 0),
        ({"model_type": "gpt2", "n_positions": -1}, 0),
    ],
)
def test_a_model_without_positions_has_no_limit(tmp_path, config, expected):
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert kind_and_positions(tmp_path)[1] == expected


def test_the_masked_types_are_those_of_transformers():
    encoders = {name for name in MODEL_FOR_MASKED_LM_MAPPING_NAMES if not CONFIG_MAPPING[name]().is_encoder_decoder}
    assert encoders == MASKED_TYPES & set(CONFIG_MAPPING.keys())  # older versions have fewer types


def test_a_causal_model_that_sees_what_follows_is_refused(tmp_path):
    words = saved().tokenizer
    config = XLNetConfig(vocab_size=len(words), d_model=16, n_layer=1, n_head=2, d_inner=16)
    XLNetLMHeadModel(config).save_pretrained(tmp_path)
    words.save_pretrained(tmp_path)
    with pytest.raises(InputError, match="its predictions depend on the words that follow") as error:
        load_model(tmp_path)
    assert error.value.diagnostics[0].code == "FICT801"


def test_a_tokenizer_with_more_entries_than_the_embedding_is_refused(tmp_path):
    model = saved(GPT2)
    model.model.save_pretrained(tmp_path)
    model.tokenizer.add_tokens(["extra"])
    model.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(InputError) as error:
        load_model(tmp_path)
    assert error.value.diagnostics[0].code == "FICT806"


def test_a_tokenizer_loads_alone(tmp_path):
    saved().tokenizer.save_pretrained(tmp_path)
    assert len(load_tokenizer(tmp_path)) == len(saved().tokenizer)
    with pytest.raises(InputError):
        load_tokenizer(tmp_path / "nothing")


@pytest.mark.parametrize("model", [saved(GPT2), masked()], ids=lambda model: model.folder.name)
@pytest.mark.parametrize("kept", [(), ("tokenizer_config.json",)], ids=["none", "config"])
def test_no_tokenizer_is_made_up(tmp_path, model, kept):
    """transformers itself gives GPT-2 and BERT one that knows special tokens alone."""
    model.model.save_pretrained(tmp_path)
    model.tokenizer.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "tokenizer_config.json").read_text())
    config["tokenizer_class"] = "BertTokenizer" if model.masked else "GPT2Tokenizer"
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    for file in tmp_path.glob("*token*"):
        if file.name not in kept:
            file.unlink()
    assert len(AutoTokenizer.from_pretrained(tmp_path, local_files_only=True)) < 6
    with pytest.raises(InputError, match=r"it has no tokenizer, such as tokenizer\.json or vocab") as error:
        load_model(tmp_path)
    assert error.value.diagnostics[0].code == "FICT801"


@pytest.mark.parametrize("kept", [(), ("tokenizer_config.json",)], ids=["none", "config"])
def test_a_type_whose_tokenizer_cannot_be_made_up_is_told_that_it_lacks_one(tmp_path, kept):
    size = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    LlamaForCausalLM(LlamaConfig(vocab_size=20, **size)).save_pretrained(tmp_path)
    saved(GPT2).tokenizer.save_pretrained(tmp_path)
    for file in tmp_path.glob("*token*"):
        if file.name not in kept:
            file.unlink()
    with pytest.raises(InputError, match=r"it has no tokenizer, such as tokenizer\.json$"):
        load_model(tmp_path)


def test_a_tokenizer_of_special_tokens_alone_is_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n")
    with pytest.raises(InputError, match="its tokenizer has only special tokens"):
        load_tokenizer(tmp_path)


def test_a_tokenizer_of_bytes_needs_no_file(tmp_path):
    ByT5Tokenizer().save_pretrained(tmp_path)
    assert load_tokenizer(tmp_path)("a")["input_ids"] == [100, 1]


@pytest.mark.parametrize(
    ("kind", "architecture", "sizes", "expected"),
    [
        (AutoModelForMaskedLM, "bert", {}, 24),
        (AutoModelForMaskedLM, "xlm-roberta", {}, 22),
        (AutoModelForMaskedLM, "mpnet", {}, 22),
        (AutoModelForMaskedLM, "distilbert", {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16}, 24),
        (AutoModelForCausalLM, "gpt_neo", {"num_layers": 1, "num_heads": 2, "attention_types": [[["global"], 1]]}, 24),
        (AutoModelForCausalLM, "openai-gpt", {}, 24),
        (AutoModelForCausalLM, "opt", {}, 24),
        (AutoModelForCausalLM, "gptj", {"rotary_dim": 4}, 24),
        (AutoModelForCausalLM, "gpt_neox", {}, None),
    ],
)
def test_the_limit_is_the_longest_that_a_model_reads(kind, architecture, sizes, expected):
    each = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 16}
    sizes = {"vocab_size": 50, "max_position_embeddings": 24, **(sizes if "n_layers" in sizes else each | sizes)}
    if architecture == "gpt_neo":
        sizes = {name: sizes[name] for name in sizes if name not in ("num_hidden_layers", "num_attention_heads")}
    model = kind.from_config(AutoConfig.for_model(architecture, **sizes)).eval()
    limit = position_limit(replace(saved(), model=model))
    assert limit == expected
    with torch.inference_mode():
        model(torch.full((1, limit or 40), 5))
        if limit is not None:
            with pytest.raises((IndexError, RuntimeError)):
                model(torch.full((1, limit + 1), 5))


def test_our_lstm_loads_through_transformers_itself(tmp_path):
    saved(LSTM).model.save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "fict-lstm"
    assert AutoModelForCausalLM.from_pretrained(tmp_path, local_files_only=True).config.hidden_size == 16


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(tmp_path, value):
    model = saved(GPT2)
    with torch.no_grad():
        model.model.get_input_embeddings().weight[3, 0] = value
    save_model(replace(model, folder=tmp_path / "m"))
    with pytest.raises(InputError) as refused:
        load_model(tmp_path / "m")
    [problem] = refused.value.diagnostics
    assert problem.code == "FICT801"
    assert "infinite or not a number" in problem.message


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("fictc.json", "[]", "its fictc.json is not a JSON object"),
        ("fictc.json", '{"context": "x"}', "has 'x' as the id before a sentence"),
        ("fictc.json", '{"context": 1000000}', "has 1000000 as the id before a sentence"),
        ("fictc.json", '{"context": -1}', "has -1 as the id before a sentence"),
        ("fictc.json", '{"context": true}', "has True as the id before a sentence"),
        ("counts.npy", np.arange(3), "not have one count for each"),
        ("counts.npy", np.ones((200, 2), dtype=np.int64), "not have one count for each"),
        ("counts.npy", np.array(3), "not have one count for each"),
        ("counts.npy", -np.arange(200), "not have one count for each"),
        ("counts.npy", np.full(200, np.nan), "not have one count for each"),
        ("counts.npy", np.array(["a"] * 200), "not have one count for each"),
        ("config.json", {"n_layer": 5_000}, "has 5,000 layers"),
        ("config.json", {"n_head": -1}, "invalid shape"),
        ("tokenizer_config.json", {"model_max_length": "x"}, "its tokenizer has 'x' as the maximum number of tokens"),
        (
            "tokenizer.json",
            {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
            "Cannot parse precompiled_charsmap",
        ),
    ],
)
def test_what_a_file_of_a_model_cannot_say_is_refused(tmp_path, file, content, said):
    model = saved(GPT2)
    save_model(replace(model, folder=tmp_path, about={"context": 1}, counts=np.arange(len(model.tokenizer))))
    load_model(tmp_path)
    match content:
        case np.ndarray():
            np.save(tmp_path / file, content)
        case str():
            (tmp_path / file).write_text(content)
        case changes:
            (tmp_path / file).write_text(json.dumps(json.loads((tmp_path / file).read_text()) | changes))
    with pytest.raises(InputError) as error:
        load_model(tmp_path)
    assert error.value.diagnostics[0].code == "FICT801"
    assert said in error.value.diagnostics[0].message


def test_a_word_with_an_id_that_the_embedding_lacks_is_refused(tmp_path):
    model = saved(GPT2)
    save_model(replace(model, folder=tmp_path))
    content = json.loads((tmp_path / "tokenizer.json").read_text())
    content["model"]["vocab"]["the"] = 10**9
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(InputError) as error:
        load_model(tmp_path)
    assert error.value.diagnostics[0].code == "FICT806"


def test_a_tokenizer_that_cannot_tokenize_is_refused_when_it_is_asked(tmp_path):
    model = saved(GPT2)
    save_model(replace(model, folder=tmp_path))
    content = json.loads((tmp_path / "tokenizer.json").read_text())
    content["model"]["unk_token"] = "[NOTHING]"
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    tokenizer = load_model(tmp_path).tokenizer
    with pytest.raises(InputError) as error:
        encode_texts([("", "the zyzzyva")], tokenizer, CONVENTIONS["default"], {}, "m")
    assert error.value.diagnostics[0].code == "FICT801"
    assert "Missing [UNK] token" in error.value.diagnostics[0].message


@pytest.mark.parametrize("change", [{"num_labels": 10**9}, {"n_layer": 10**9}, {"text_config": {"num_labels": 10**9}}])
def test_counts_that_transformers_would_make_entries_of_are_refused(tmp_path, change):
    save_model(replace(saved(GPT2), folder=tmp_path))
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | change))
    with pytest.raises(InputError, match="1,000,000,000 for") as refused:
        load_model(tmp_path)
    assert refused.value.diagnostics[0].code == "FICT801"


@pytest.mark.parametrize("spec", [LSTM, GPT2, NEOX, OPT], ids=lambda spec: spec.name)
def test_layers_that_the_configuration_lacks_are_named(tmp_path, spec):
    saved(spec).model.save_pretrained(tmp_path)
    saved(spec).tokenizer.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    key = next(key for key in ("n_layer", "num_hidden_layers") if key in config)
    (tmp_path / "config.json").write_text(json.dumps(config | {key: 1}))
    with pytest.raises(InputError, match=r"layers that its config\.json does not describe: \S*1.*weights\)"):
        load_model(tmp_path)


def test_weights_of_another_task_are_ignored(tmp_path):
    model = saved(GPT2)
    model.model.save_pretrained(tmp_path)
    model.tokenizer.save_pretrained(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors") | {"score.0.weight": torch.zeros(2, 2)}
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    assert load_model(tmp_path).about == {}


@pytest.mark.parametrize(("name", "hinted"), [("gpt2", True), ("owner/some-model.v1", True), ("a/b/c", False)])
def test_the_name_of_a_model_of_the_hub_gets_the_command_that_downloads_it(name, hinted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        load_model(Path(name))
    assert (f"hf download {name} --local-dir {name}" in (error.value.diagnostics[0].hint or "")) == hinted


def _splitting(pattern):
    """Return a tokenizer that splits text at a regular expression."""
    from tokenizers import Regex, pre_tokenizers

    tokenizer = saved().tokenizer
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "removed")
    return tokenizer


def test_a_regular_expression_that_takes_for_ever_is_stopped_with_the_text(monkeypatch):
    monkeypatch.setattr("runner.model.tokenizer.SECONDS", 0.3)
    started = time.monotonic()
    with pytest.raises(InputError, match=r'needs more than 0\.3 s for the text "abab'):
        tokenized(_splitting("(?:a|b)*?(?:a|b)*?[^ab]"), ["the cat", "ab" * 1_000, "a dog"])
    assert time.monotonic() - started < 10


def test_a_tokenizer_that_fails_names_the_text_and_prints_nothing(capfd):
    with pytest.raises(InputError, match=r'fails on the text "a+b": Onig: Regex search error'):
        tokenized(_splitting("(a+)+$"), ["the cat", "a" * 40 + "b"])
    assert capfd.readouterr().err == ""
    os.write(2, b"printed\n")
    assert capfd.readouterr().err == "printed\n"


def test_many_texts_that_are_slow_together_are_encoded(monkeypatch):
    class Slow:
        name_or_path = "slow"

        def __call__(self, texts, **_):
            time.sleep(0.05 * len(texts))
            return {"input_ids": [[1] for _ in texts]}

    monkeypatch.setattr("runner.model.tokenizer.SECONDS", 0.2)
    assert tokenized(Slow(), ["a"] * 8)["input_ids"] == [[1]] * 8


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json", "added_tokens.json"])
def test_more_added_tokens_than_load_in_time_are_refused(tmp_path, file):
    saved().tokenizer.save_pretrained(tmp_path)
    tokens = [{"id": 1_000 + n, "content": f"t{n}", "single_word": False} for n in range(100_000)]
    content = json.loads((tmp_path / file).read_text()) if (tmp_path / file).exists() else {}
    match file:
        case "tokenizer.json":
            content["added_tokens"] += tokens
        case "tokenizer_config.json":
            content["added_tokens_decoder"] = {str(token["id"]): token for token in tokens}
        case _:
            content = {token["content"]: token["id"] for token in tokens}
    (tmp_path / file).write_text(json.dumps(content))
    with pytest.raises(InputError, match=rf"its {file} adds 100,\d+ tokens; the maximum is 30,000"):
        load_tokenizer(tmp_path)
