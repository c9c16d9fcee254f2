"""FICT8xx: runs, models and scores."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT801",
        "model-unreadable",
        "no language model can be loaded from {path}: {reason}",
        "A model is a folder as transformers' save_pretrained writes it: config.json, model.safetensors and the "
        "tokenizer's files. Nothing is downloaded.",
    ),
    Code(
        "FICT802",
        "tokens-unreadable",
        "the token file {path} cannot be read: {reason}",
        "A token file is a folder with ids.npy, offsets.npy and tokens.json, written in one go.",
    ),
    Code(
        "FICT803",
        "training-diverged",
        "the training loss is {value} at step {step}",
        "The numbers of the model grew without bound or broke. A lower learning rate, a longer warm-up, clipping or "
        "float32 precision usually help.",
    ),
    Code(
        "FICT804",
        "training-empty",
        "there is nothing to learn from: {what} has no sentence",
        "A filter may have removed everything, or the corpus was empty.",
    ),
    Code(
        "FICT805",
        "training-other",
        "the checkpoint in {path} belongs to another training: {what} differs",
        "A folder holds one training. Another model, seed, setting or corpus needs a folder of its own.",
    ),
    Code(
        "FICT806",
        "model-vocabulary",
        "the {what} has {found} entries, and the model's vocabulary {expected}",
        "Model, tokenizer and token files belong together: every id must have a row in the embedding.",
    ),
    Code(
        "FICT811",
        "suite-unreadable",
        "the suite {path} cannot be read: {reason}",
        "A suite of minimal pairs is a folder of BLiMP's .jsonl files, one such file, or a .csv with the columns "
        "good, bad and, if there are several, paradigm.",
    ),
    Code(
        "FICT812",
        "suite-line",
        "line {line} of {path} is no minimal pair: {reason}",
        "Every line needs the acceptable and the unacceptable sentence.",
    ),
    Code(
        "FICT813",
        "convention-unsupported",
        "scoring with {what} is not supported yet",
        "Masked models and pseudo-log-likelihoods come later; causal models can be scored.",
    ),
    Code(
        "FICT814",
        "convention-unigram",
        "normalisation by {name} needs the token counts of a training corpus, and there are none",
        "SLOR and NormLP compare a sentence's probability with that of its words alone. Models trained by fictc keep "
        "their counts beside them.",
    ),
    Code(
        "FICT815",
        "convention-context",
        "the tokenizer of {model} has no {token} token, which {setting} asks for",
        "A sentence needs a beginning to condition its first word on, or `context: none`, which skips the first word.",
    ),
    Code(
        "FICT816",
        "sentence-too-long",
        'the sentence "{text}" has {found} tokens, more than the {limit} that the model can read',
        "Models with learned positions cannot read past the last one.",
    ),
    Code(
        "FICT817",
        "suite-paradigm",
        "the suite {path} has no paradigm `{name}`",
        "A paradigm's name stands in the file (UID or paradigm), or is the name of the file.",
    ),
    Code(
        "FICT830",
        "sample-exists",
        "{path} exists already",
        "A sample is made once; --force replaces it. The same size and seed give the same bytes.",
    ),
    Code(
        "FICT831",
        "sample-foreign",
        "{path} exists and is no generated sample, so it is not replaced",
        "Only a folder that `fictc sample` made, with its counts.json, is replaced by --force.",
    ),
    Code(
        "FICT832",
        "sample-pairs",
        "the grammar has no more than {found} different pairs of {paradigm}; {wanted} were asked for",
        "The vocabulary is a few hundred words, and a paradigm of short sentences runs out. Fewer pairs are needed.",
    ),
)
