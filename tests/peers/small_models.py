"""Real text to small saved models, for comparisons with other tools: trained for a few seconds, or random."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from runner.model.recipe import ModelSpec
from runner.model.saved import SavedModel, save_model
from runner.model.token_rows import encode_text
from runner.model.tokenizer import train_word_tokenizer
from runner.model.training import PRESETS, Training, TrainSpec
from runner.train.loop import train
from runner.train.spec import MODEL, Seeds
from runner.train.task import TrainingTask

SIZE, TOKENS = 3000, 20_000  # of the vocabulary; predicted in training
SPECS = {
    "lstm": ModelSpec("lstm", "lstm", layers=2, hidden=64),
    "transformer": ModelSpec("transformer", "gpt2", layers=2, hidden=64, heads=2, feedforward=256, positions=128),
}


def lines(data: Path) -> list[str]:
    """The sentences of EWT."""
    return [
        line.removeprefix("# text = ")
        for path in sorted((data / "ud-ewt").glob("*.conllu"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.startswith("# text = ")
    ]


def byte_pairs(text: list[str], size: int = SIZE) -> Any:
    """A byte-level tokenizer such as GPT-2's, with `<eos>` between sentences and no token before them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=["<unk>", "<eos>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator(text, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        unk_token="<unk>",
        eos_token="<eos>",
        pad_token="<eos>",
        clean_up_tokenization_spaces=False,
    )


def causal_models(data: Path, folder: Path) -> list[Path]:
    """An LSTM over words and a Transformer over byte pairs, trained on EWT for a moment."""
    text = lines(data)
    tokenizers = {"lstm": train_word_tokenizer(text, size=SIZE, lowercase=True), "transformer": byte_pairs(text)}
    for name, tokenizer in tokenizers.items():
        preset, work = PRESETS[f"{name}-128"], folder / f"{name}.work"
        tokens, valid = (encode_text(some, tokenizer, work / str(len(some))) for some in (text, text[:100]))
        spec = TrainSpec.of(preset.training, [Training(tokens=TOKENS, validations=1)])
        train(TrainingTask(spec, tokens, valid, SPECS[name], work / "run", tokenizer=tokenizer, seeds=Seeds.of(1)))
        shutil.copytree(work / "run" / MODEL, folder / name)
    return [folder / name for name in tokenizers]


def endless_model(data: Path, folder: Path) -> Path:
    """A small GPT-2 over byte pairs with random weights that never gives a special token."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = byte_pairs(lines(data))
    torch.manual_seed(1)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer), n_embd=64, n_layer=2, n_head=2, n_positions=128, tie_word_embeddings=False
        )
    )
    with torch.no_grad():
        model.lm_head.weight.mul_(5)
        model.transformer.ln_f.weight[0], model.transformer.ln_f.bias[0] = 0, 10  # a state that is always 10
        model.lm_head.weight[:, 0] = 0
        model.lm_head.weight[tokenizer.all_special_ids, 0] = -100
    save_model(SavedModel(model.eval(), tokenizer, folder))
    return folder


def masked_model(data: Path, folder: Path) -> Path:
    """A small BERT over word pieces with random weights, larger than initial ones so that its scores differ clearly."""
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

    inner = BertWordPieceTokenizer(lowercase=False)
    inner.train_from_iterator(lines(data), vocab_size=3000, show_progress=False)
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    tokenizer = BertTokenizerFast(tokenizer_object=inner._tokenizer, do_lower_case=False, **names)
    torch.manual_seed(1)
    model = BertForMaskedLM(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=128,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2)
    save_model(SavedModel(model.eval(), tokenizer, folder))
    return folder
