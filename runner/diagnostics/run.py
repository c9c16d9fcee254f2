"""FICT801–832: runs, models and scores."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Severity

CODES: tuple[Code, ...] = (
    Code(
        "FICT801",
        "model-unreadable",
        "no language model can be loaded from {path}: {reason}",
        "A model is a folder written by `save_pretrained` of transformers: config.json, model.safetensors and the "
        "files of the tokenizer. Nothing is downloaded.",
        bad="$ fictc score empty-folder pairs.csv",
        good="$ fictc score runs/small/cells/full/lstm-128/1/model pairs.csv",
    ),
    Code(
        "FICT802",
        "tokens-unreadable",
        "the token file {path} cannot be read: {reason}",
        "A token file is a folder with ids.npy, offsets.npy and tokens.json, written together.",
        bad="A file in a folder of tokens was cut short when the folder was copied.",
        good="The folder is removed, and `fictc run` creates it again.",
    ),
    Code(
        "FICT803",
        "training-diverged",
        "the training loss is {value} at step {step}",
        "The weights or the loss of the model overflowed. A lower learning rate, a longer warm-up, gradient clipping "
        "or float32 precision usually help.",
        bad=("[training]\nlearning-rate = 100.0"),
        good=("[training]\nlearning-rate = 0.001\nwarmup = 0.1"),
    ),
    Code(
        "FICT804",
        "training-empty",
        "there is no training data: {what} has no sentence",
        "A filter may have removed all sentences, or the corpus is empty.",
        bad="A filter that matches every sentence, such as `N:NOUN|VERB|PRON`, removes the whole corpus.",
        good="A narrower filter, which `fictc count` has shown to leave sentences.",
    ),
    Code(
        "FICT805",
        "training-other",
        "the checkpoint in {path} belongs to another training run: {what} differs",
        "A folder contains one training run. Another model, seed, setting or corpus needs another folder.",
        bad="The folder of an unfinished training is used again with another learning rate.",
        good="Each training run has its own folder; `fictc run` creates one for each.",
    ),
    Code(
        "FICT806",
        "model-vocabulary",
        "the {what} has {found} entries, but the model's vocabulary has {expected}",
        "Model, tokenizer and token files must match: every id needs a row of the embedding matrix.",
        bad="A word was added to the tokenizer of a model after its training.",
        good="Model and tokenizer are those that were saved together.",
    ),
    Code(
        "FICT807",
        "checkpoint-unreached",
        "there is no checkpoint at {count} tokens: training ends after {tokens}",
        "A model is saved after each listed number of tokens. Training must reach these numbers in every condition.",
        bad="[training]\nepochs = 1\ncheckpoints = [1000000000]",
        good="[training]\nepochs = 1\ncheckpoints-from = 1000  # and 2000, 4000, … as far as training goes",
    ),
    Code(
        "FICT808",
        "training-device",
        "there is no {device} device on this machine",
        "A run that requests a GPU stops if there is none: a CPU may take a hundred times as long. Without `device`, "
        'or with `device = "auto"`, a GPU is used if there is one.',
        bad='[training]\ndevice = "cuda"  # on a machine without a GPU',
        good='[training]\ndevice = "auto"',
    ),
    Code(
        "FICT809",
        "training-processes",
        "the training is for {expected} processes, but {found} were started",
        "Rounding of sums over processes depends on their number, so the weights do too. `fictc run-cell` starts "
        "`processes` processes, unless torchrun or another scheduler has started them.",
        bad="$ torchrun --nproc-per-node 2 -m runner.cli run-cell job.json  # and the manifest says processes = 4",
        good="$ torchrun --nproc-per-node 4 -m runner.cli run-cell job.json  # as the manifest says",
    ),
    Code(
        "FICT811",
        "suite-unreadable",
        "the suite {path} cannot be read: {reason}",
        "A suite of minimal pairs is a .jsonl file of BLiMP, or a .csv or .tsv with the columns good, bad and optional "
        "paradigm. Other suites are the folder of WinoBias, a suite of SyntaxGym in JSON, and a .csv with the columns "
        "sentence and rating. A folder has suites of one kind, also in folders below it. Each file has at least one "
        "pair or sentence. Items, conditions and regions of SyntaxGym have unique names.",
        bad="$ fictc score model pairs.tsv",
        good="$ fictc score model pairs.csv",
    ),
    Code(
        "FICT812",
        "suite-line",
        "line {line} of {path} is invalid: {reason}",
        "Every line of a suite of minimal pairs has an acceptable and an unacceptable sentence. Every line of ratings "
        "has a sentence, and a number if it is rated. In a .csv, texts with a comma or a line break are quoted.",
        bad='{"good": "Dogs bark."}',
        good='{"good": "Dogs bark.", "bad": "Dogs barks."}',
    ),
    Code(
        "FICT813",
        "convention-model",
        "{model} is a {kind} model, which cannot be scored with {setting}",
        "A causal model predicts each token from those before it. A masked model predicts a token from all others, and "
        "its score of a sentence is a pseudo-log-likelihood.",
        bad="$ fictc score gpt2 pairs.csv --probability pll",
        good="$ fictc score bert-base-cased pairs.csv --probability pll",
    ),
    Code(
        "FICT814",
        "convention-unigram",
        "normalisation by {name} needs the token counts of a training corpus, but there are none",
        "SLOR and NormLP compare the probability of a sentence with its unigram probability. Models trained by fictc "
        "store the token counts; for others, `--counts` names a store or a text.",
        bad="$ fictc score models/gpt2 blimp --normalise slor",
        good="$ fictc score models/gpt2 blimp --normalise slor --counts corpus.txt",
    ),
    Code(
        "FICT815",
        "convention-context",
        "the tokenizer of {model} has no {token} token, which {setting} requires",
        "The probability of the first word needs a token before it. `context: none` skips the first word.",
        bad="A convention requires a token at the end of sentences, and the tokenizer has none.",
        good="$ fictc score model pairs.csv --convention default",
    ),
    Code(
        "FICT816",
        "sentence-too-long",
        'the sentence "{text}"{place} has {found} tokens, more than the {limit} that the model can read',
        "Models with learned positions cannot read beyond the last position.",
        bad="A sentence of 300 tokens is scored by a model that reads 256.",
        good="$ fictc score model pairs.csv --skip-long",
    ),
    Code(
        "FICT817",
        "suite-paradigm",
        "the suite {path} has no paradigm `{name}`",
        "The name of a paradigm is in the file (UID or paradigm), or is the name of the file.",
        bad="$ fictc score model blimp --paradigm agrement",
        good="$ fictc score model blimp --paradigm anaphor_number_agreement",
    ),
    Code(
        "FICT818",
        "suite-not-parsed",
        "{path} has no sentence of the suite {suite}",
        "`fictc coverage` applies filters to the parsed sentences of a suite. `fictc coverage --sentences items.txt` "
        "writes one sentence per line, and `fictc annotate items.txt --input sentences` parses them into a store.",
        bad="$ fictc coverage fict15 --suite blimp --parses stores/ewt",
        good="$ fictc coverage fict15 --suite blimp --parses stores/blimp",
    ),
    Code(
        "FICT819",
        "scores-unreadable",
        "the scores in {path} cannot be used: {reason}",
        "`fictc score MODEL SUITE --output FILE` stores the log-probability of every sentence, and the convention. "
        "Other probabilities, such as those in another context, need the model.",
        bad="$ fictc score scores.parquet --context bos",
        good="$ fictc score scores.parquet --normalise mean",
    ),
    Code(
        "FICT820",
        "model-tokenizer",
        "the model in {path} has the token `{token}`, which the tokenizer lacks or has under another id",
        "A saved model is trained further with its own tokenizer. Tokens can be added to the tokenizer, but it cannot "
        "be replaced.",
        bad='[tokenizer]\nkind = "saved"\npath = "gpt2"\n\n[[model]]\npreset = "bert-base"\nfrom = "bert"',
        good='[tokenizer]\nkind = "saved"\npath = "bert"\n\n[[model]]\npreset = "bert-base"\nfrom = "bert"',
    ),
    Code(
        "FICT821",
        "score-not-finite",
        'the model in {path} gives no finite log-probability for the sentence "{text}"{place}: it is {value}',
        "If weights or states overflow, there are no probabilities and no accuracy. Usually the training diverged: a "
        "lower learning rate or gradient clipping helps.",
        bad="A model whose training diverged is scored.",
        good="The model is trained again with a lower rate, and scored.",
    ),
    Code(
        "FICT822",
        "architecture-unusable",
        "a model of the architecture `{architecture}` cannot be trained on text: {reason}",
        "The architectures are the causal and masked language models of transformers that read only token ids. "
        "A causal model predicts each token from those before it. Padding must change no prediction.",
        bad='[[model]]\narchitecture = "xlnet"',
        good='[[model]]\narchitecture = "llama"\nconfig = { hidden-size = 256, num-hidden-layers = 4 }',
    ),
    Code(
        "FICT823",
        "branch-unreached",
        "there is no step {step} to branch from: training ends after {steps}",
        'A model with `from = "full@step-5000"` is trained on `full` for 5,000 steps, and then on the corpus of its '
        "condition. Both training runs must be longer than that.",
        bad='[[model]]\npreset = "lstm-128"\nfrom = "full@step-5000"\ntraining = { epochs = 0.1 }',
        good='[[model]]\npreset = "lstm-128"\nfrom = "full@step-50"\ntraining = { epochs = 0.1 }',
    ),
    Code(
        "FICT824",
        "training-other-device",
        "the unfinished training in {path} ran on {before}, and this machine would continue on {now}",
        "Each kind of device rounds differently, so training continues only on the kind on which it began. Choose that "
        "device with `--device`, or restart the cells with `--restart`.",
        bad="$ fictc run experiment.toml --device cpu  # begun on a GPU",
        good="$ fictc run experiment.toml --device cpu --restart",
    ),
    Code(
        "FICT825",
        "run-slow",
        "on a CPU, the remaining training and scoring take {hours} hours",
        "Models of the sizes used in papers are trained on GPUs. `--device cuda` fails where there is none, and "
        "`--emit-jobs FOLDER --gpus 1` writes jobs for machines that have one.",
        bad="$ fictc run fict.toml  # models of 68 M parameters, on a machine without a GPU",
        good="$ fictc run fict.toml --emit-jobs jobs --gpus 1",
        severity=Severity.WARNING,
    ),
    Code(
        "FICT826",
        "trainer-unable",
        "the Transformers `Trainer` cannot train this cell: {reason}",
        'With `trainer = "hf"`, the Transformers `Trainer` runs the training. It uses the first GPU that it sees '
        "and saves whole models, unless its own settings shard them.",
        bad='[training]\ntrainer = "hf"\ndevice = "cuda:1"',
        good='[training]\ntrainer = "hf"\ndevice = "cuda"',
    ),
    Code(
        "FICT827",
        "sentences-skipped",
        "left without a score of {model}: {count} of more than {limit} tokens, the longest of {longest}",
        "With `--skip-long`, sentences have no score if the model cannot read them or was trained on shorter ones. A "
        "pair has no score if one of its sentences has none, and counts towards no accuracy.",
        bad="A suite with one sentence of 300 tokens is refused by a model that reads 256.",
        good="$ fictc score model pairs.csv --skip-long",
        severity=Severity.WARNING,
    ),
    Code(
        "FICT828",
        "sentences-beyond-training",
        "scored beyond the {limit} tokens on which {model} was trained: {count}, the longest of {longest} tokens",
        "A model with relative or rotary positions reads sentences of any length, but its scores of those beyond "
        "`max_position_embeddings` mean little. `--skip-long` leaves them out.",
        bad="$ fictc score llama pairs.csv  # max_position_embeddings is 64, and a sentence has 121 tokens",
        good="$ fictc score llama pairs.csv --skip-long",
        severity=Severity.WARNING,
    ),
    Code(
        "FICT829",
        "context-added",
        "the tokenizer of {model} adds {token} before a text, which minicons reads, but context = none does not",
        "For a tokenizer that adds a token before a text, such as Llama's, minicons reads that token and scores the "
        "first word too. `fict` and `babylm` have the scores of these tools only for tokenizers that add none.",
        bad="$ fictc score llama blimp --convention fict",
        good="$ fictc score llama blimp --convention fict --context bos --first-token scored",
        severity=Severity.WARNING,
    ),
    Code(
        "FICT830",
        "sample-exists",
        "{path} already exists",
        "An existing sample is replaced with --force only. The same size and seed give the same bytes.",
        bad=("$ fictc sample -o sample\n$ fictc sample -o sample"),
        good=("$ fictc sample -o sample\n$ fictc sample -o sample --force"),
    ),
    Code(
        "FICT831",
        "sample-foreign",
        "{path} exists and {reason}, so it is not replaced",
        "--force replaces only folders that `fictc sample` wrote, which contain counts.json, and deletes no other "
        "files. Move the others, such as a store, out of the folder.",
        bad="$ fictc sample -o thesis --force",
        good="$ fictc sample -o sample --force",
    ),
    Code(
        "FICT832",
        "sample-pairs",
        "the grammar has no more than {found} different pairs of {paradigm}; {wanted} were requested",
        "The vocabulary has a few hundred words, so the number of short sentences is limited. Request fewer pairs.",
        bad="$ fictc sample -o sample --pairs 100000",
        good="$ fictc sample -o sample --pairs 1000",
    ),
)
