"""Small models, tokenizers and texts for tests of training and scoring, created in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runner.model.architectures import build
from runner.model.recipe import ModelSpec
from runner.model.saved import SavedModel
from runner.model.token_rows import TokenFile, encode_text
from runner.model.tokenizer import train_word_tokenizer

LSTM = ModelSpec("tiny-lstm", "lstm", layers=2, hidden=16)
GPT2 = ModelSpec("tiny-gpt2", "gpt2", layers=2, hidden=16, heads=2, feedforward=32, positions=32)
OPT = ModelSpec("tiny-opt", "opt", layers=2, hidden=16, heads=2, feedforward=16, positions=32)
BERT = ModelSpec("tiny-bert", "bert", layers=2, hidden=16, heads=2, feedforward=32, positions=32, masked=True)
NEOX = ModelSpec("tiny-neox", "gpt-neox", layers=2, hidden=16, heads=2, feedforward=32, positions=32)

SUBJECTS = ("the cat", "the cats", "a small dog", "the dogs near the house", "every child that the dog saw")
VERBS = ("sees", "see", "barks at", "likes", "runs with")
LINES = [f"{s} {v} {o} ." for s in SUBJECTS for v in VERBS for o in SUBJECTS]


def tokenizer(size: int = 100, **options: Any) -> Any:
    """Return a word tokenizer of LINES."""
    return train_word_tokenizer(LINES, size=size, **options)


def tokens(folder: Path, lines: list[str] | None = None, size: int = 100, **options: Any) -> TokenFile:
    """Return a token file of `lines`."""
    return encode_text(LINES if lines is None else lines, tokenizer(size, **options), folder)


def gapped(first: int = 30, separator: int = 1) -> Any:
    """Return a tokenizer of LINES whose words have ids from `first` on: there are ids without a token."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    from runner.model.tokenizer import wrap_tokenizer

    words = sorted({word for line in LINES for word in line.split()})
    vocabulary = {"<unk>": 0, "<eos>": separator, **{word: first + index for index, word in enumerate(words)}}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return wrap_tokenizer(inner, mask=False)


PIECES = ("the", "a", "cat", "dog", "##s", "s", "see", "run", "like", "child", "every", "near", "house", "small", ".")


def pieces() -> Any:
    """Return a WordPiece tokenizer with BERT's special tokens, in which `cats` is two tokens."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    vocabulary = {token: index for index, token in enumerate([*names.values(), *PIECES])}
    inner = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
    )
    return PreTrainedTokenizerFast(tokenizer_object=inner, **names)


def masked(architecture: str = "bert", seed: int = 1) -> SavedModel:
    """Return a masked model with random weights: BERT, RoBERTa, or DistilBERT, which is scored as a whole."""
    import torch
    from transformers import AutoConfig, AutoModelForMaskedLM

    words = pieces()
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    if architecture == "distilbert":
        sizes = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}
    config = AutoConfig.for_model(
        architecture, vocab_size=len(words), max_position_embeddings=32, pad_token_id=words.pad_token_id, **sizes
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = AutoModelForMaskedLM.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return SavedModel(model.eval(), words, Path(f"tiny-{architecture}"))


def saved(spec: ModelSpec = LSTM, seed: int = 1, mask: bool = False, **about: Any) -> SavedModel:
    """Return a model with random weights, larger than initial ones so that its probabilities differ clearly."""
    import torch

    words = tokenizer(mask=mask)
    model = build(spec, len(words), seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return SavedModel(model.eval(), words, Path("tiny"), about)


def overflowing(spec: ModelSpec) -> SavedModel:
    """Return a model with finite weights and infinite logits."""
    import torch

    model = saved(spec)
    with torch.no_grad():
        for parameter in model.model.parameters():
            parameter.mul_(1e25)
    return model
