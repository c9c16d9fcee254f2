"""Presets: named architectures with their training settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runner.model.recipe import ModelSpec
from runner.model.training import Training


@dataclass(frozen=True)
class Preset:
    """A model with its training settings. `origins` maps comma-separated names of settings to their source."""

    model: ModelSpec
    training: Training
    origins: Mapping[str, str] = field(default_factory=dict)


_FICT_ORIGINS = {
    "model": "Patil et al. 2024, §4; positions and OPT from their released training configuration",
    "learning_rate, schedule, epochs, batch": "Patil et al. 2024, §4",
    "rows": "the released training code of Patil et al. 2024: one line of the corpus is one row",
    "betas, epsilon, weight_decay, clip, warmup": "Patil et al. 2024, appendix A: defaults of transformers 4.30",
    "precision": "mixed precision in Patil et al. 2024; bfloat16 is our choice",
    "validations": "Patil et al. 2024, §4: at the end of every epoch",
}
_FICT_TRAINING = Training(
    rows="sentence",
    epochs=40.0,
    batch=32,
    block=511,
    learning_rate=5e-5,
    schedule="linear",
    precision="bfloat16",
    validations=40,
)
_SMALL_ORIGINS = {
    "model": "ours: the best perplexity per CPU minute among four sizes",
    "learning_rate, batch, block, clip, precision": "ours, from runs on 1.1 M words of treebanks and WikiText-2",
    "schedule, warmup, weight_decay, validations": "ours, by convention, not tuned",
}

PRESETS: Mapping[str, Preset] = {
    "lstm-128": Preset(
        ModelSpec("lstm-128", "lstm", layers=2, hidden=128),
        Training(
            rows="packed", epochs=4.0, batch=8, block=40, learning_rate=0.012, schedule="linear", warmup=0.02,
            weight_decay=0.01, precision="bfloat16", validations=8,
        ),
        {**_SMALL_ORIGINS, "initialisation": "ours: embeddings N(0, 0.1), forget bias +1"},
    ),
    "transformer-128": Preset(
        ModelSpec("transformer-128", "gpt2", layers=4, hidden=128, heads=4, feedforward=512, positions=128),
        Training(
            rows="packed", epochs=4.0, batch=8, block=64, learning_rate=0.002, schedule="linear", warmup=0.02,
            weight_decay=0.01, precision="bfloat16", validations=8,
        ),
        _SMALL_ORIGINS,
    ),
    "fict-lstm": Preset(
        ModelSpec("fict-lstm", "lstm", layers=2, hidden=1024),
        _FICT_TRAINING,
        {**_FICT_ORIGINS, "initialisation": "ours: embeddings N(0, 0.1), forget bias +1"},
    ),
    "fict-transformer": Preset(
        ModelSpec("fict-transformer", "opt", layers=8, hidden=768, heads=8, feedforward=768, positions=512),
        _FICT_TRAINING,
        _FICT_ORIGINS,
    ),
    "gpt2-small": Preset(
        ModelSpec("gpt2-small", "gpt2", 12, 768, heads=12, feedforward=3072, positions=1024, attention_dropout=0.1),
        Training(
            rows="packed", epochs=20.0, batch=128, block=1023, learning_rate=6e-4, schedule="cosine", warmup=0.05,
            weight_decay=0.01, precision="bfloat16", validations=20,
        ),
        {
            "model": "Radford et al. 2019, as in the paper of experiments/injection",
            "epochs, batch, schedule, warmup, weight_decay": "the paper of experiments/injection, §4.2",
            "learning_rate": "the paper of experiments/injection, §4.2: 6e-4 is our reading of a garbled exponent",
            "rows": "ours: with a separator, which the code of the paper of experiments/injection omits",
            "betas, epsilon, clip": "defaults of transformers; the paper of experiments/injection does not state them",
        },
    ),
    "pythia-14m": Preset(
        ModelSpec("pythia-14m", "gpt-neox", 6, 128, heads=4, feedforward=512, positions=2048, dropout=0.0),
        Training(
            rows="packed", epochs=1.0, batch=16, block=2047, learning_rate=1e-3, schedule="cosine", warmup=0.01,
            weight_decay=0.1, betas=(0.9, 0.95), final_fraction=0.1, precision="bfloat16", validations=10,
        ),
        {
            "model": "Biderman et al. 2023 and the released Pythia-14M configuration",
            "learning_rate, schedule, final_fraction, warmup, weight_decay, betas, clip": "Pythia-14M as published",
            "batch":
                "32,752 tokens per step, close to the about 34,000 of Müller-Eberstein et al. 2025 (DECAF), who take "
                "4,400 steps per epoch",
        },
    ),
    "bert-base": Preset(
        ModelSpec("bert-base", "bert", 12, 768, 12, 3072, positions=512, attention_dropout=0.1, masked=True),
        Training(
            rows="sentence", epochs=3.0, batch=32, block=127, learning_rate=5e-5, schedule="linear", warmup=0.1,
            weight_decay=0.01, precision="bfloat16", validations=3,
        ),
        {
            "model, mask_rate": "Devlin et al. 2019, as in the paper of experiments/hybrid: the base model, cased",
            "learning_rate, schedule, warmup, weight_decay, epochs, batch, block, clip, precision, validations":
                "ours, values with which BERT is usually trained further; the paper of experiments/hybrid states none",
        },
    ),
    "bert-128": Preset(
        ModelSpec("bert-128", "bert", 4, 128, 4, 512, positions=128, masked=True),
        Training(
            rows="packed", epochs=8.0, batch=16, block=64, learning_rate=0.0015, schedule="linear", warmup=0.1,
            weight_decay=0.01, precision="bfloat16", validations=8,
        ),
        {
            "model": "ours: the sizes of transformer-128",
            "mask_rate": "Devlin et al. 2019",
            "learning_rate, warmup": "ours, the best of 3e-4, 8e-4 and 1.5e-3; 2e-3 learns only word frequencies",
            "rows, batch, block": "ours: packed rows train five times as fast as rows of one sentence of a dozen words",
            "schedule, weight_decay, epochs, clip, precision, validations": "ours, by convention, not tuned",
        },
    ),
}  # fmt: skip
