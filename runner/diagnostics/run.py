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
        bad="$ fictc score empty-folder pairs.csv",
        good="$ fictc score runs/small/cells/full/lstm-128/1/model pairs.csv",
    ),
    Code(
        "FICT802",
        "tokens-unreadable",
        "the token file {path} cannot be read: {reason}",
        "A token file is a folder with ids.npy, offsets.npy and tokens.json, written in one go.",
        bad="A file in a folder of tokens was cut short when the folder was copied.",
        good="The folder is removed, and `fictc run` makes it again.",
    ),
    Code(
        "FICT803",
        "training-diverged",
        "the training loss is {value} at step {step}",
        "The numbers of the model grew without bound or broke. A lower learning rate, a longer warm-up, clipping or "
        "float32 precision usually help.",
        bad=("[training]\nlearning-rate = 100.0"),
        good=("[training]\nlearning-rate = 0.001\nwarmup = 0.1"),
    ),
    Code(
        "FICT804",
        "training-empty",
        "there is nothing to learn from: {what} has no sentence",
        "A filter may have removed everything, or the corpus was empty.",
        bad="A filter that matches every sentence, such as `N:NOUN|VERB|PRON`, removes the whole corpus.",
        good="A narrower filter, which `fictc count` has shown to leave sentences.",
    ),
    Code(
        "FICT805",
        "training-other",
        "the checkpoint in {path} belongs to another training: {what} differs",
        "A folder holds one training. Another model, seed, setting or corpus needs a folder of its own.",
        bad="The folder of an unfinished training is used again with another learning rate.",
        good="Each training has a folder of its own, as `fictc run` sees to.",
    ),
    Code(
        "FICT806",
        "model-vocabulary",
        "the {what} has {found} entries, and the model's vocabulary {expected}",
        "Model, tokenizer and token files belong together: every id must have a row in the embedding.",
        bad="A word was added to the tokenizer of a model after its training.",
        good="Model and tokenizer are those that were saved together.",
    ),
    Code(
        "FICT807",
        "checkpoint-unreached",
        "there is no checkpoint at {count} tokens: training ends after {tokens}",
        "A model is saved after each of the listed numbers of tokens, which training must reach in every condition.",
        bad="[training]\nepochs = 1\ncheckpoints = [1000000000]",
        good="[training]\nepochs = 1\ncheckpoints-from = 1000  # and 2000, 4000, … as far as training goes",
    ),
    Code(
        "FICT808",
        "training-device",
        "there is no {device} device on this machine to train on",
        "`device` is part of what decides the weights, so that no other is taken in its stead.",
        bad='[training]\ndevice = "cuda"  # on a machine without a GPU',
        good='[training]\ndevice = "cpu"',
    ),
    Code(
        "FICT809",
        "training-processes",
        "the training is for {expected} processes, and {found} were started",
        "Sums over processes are rounded by how many they are, so that their number is part of what decides the "
        "weights. `fictc run-cell` starts as many as `processes` says, unless torchrun or another scheduler did.",
        bad="$ torchrun --nproc-per-node 2 -m runner.cli run-cell job.json  # and the manifest says processes = 4",
        good="$ torchrun --nproc-per-node 4 -m runner.cli run-cell job.json  # as the manifest says",
    ),
    Code(
        "FICT811",
        "suite-unreadable",
        "the suite {path} cannot be read: {reason}",
        "A suite of minimal pairs is a folder of BLiMP's .jsonl files, one such file, or a .csv with the columns "
        "good, bad and, if there are several, paradigm; or it is the folder of WinoBias, a suite of SyntaxGym in JSON, "
        "or a .csv with the columns sentence and rating. Each file holds a pair or a sentence at least, and an item, a "
        "condition or a region of SyntaxGym has a name of its own.",
        bad="$ fictc score model pairs.tsv",
        good="$ fictc score model pairs.csv",
    ),
    Code(
        "FICT812",
        "suite-line",
        "line {line} of {path} does not fit: {reason}",
        "Every line of a suite of minimal pairs needs the acceptable and the unacceptable sentence; every line of "
        "ratings a sentence, and a number if it is rated. In a .csv, a text with a comma or a line's end stands in "
        "quotes.",
        bad='{"good": "Dogs bark."}',
        good='{"good": "Dogs bark.", "bad": "Dogs barks."}',
    ),
    Code(
        "FICT813",
        "convention-model",
        "{model} is a {kind} model, which cannot be scored with {setting}",
        "A causal model predicts each token from those before it; a masked model fills a token in among all others, "
        "and its score of a sentence is a pseudo-log-likelihood.",
        bad="$ fictc score gpt2 pairs.csv --probability pll",
        good="$ fictc score bert-base-cased pairs.csv --probability pll",
    ),
    Code(
        "FICT814",
        "convention-unigram",
        "normalisation by {name} needs the token counts of a training corpus, and there are none",
        "SLOR and NormLP compare a sentence's probability with that of its words alone. Models trained by fictc keep "
        "their counts beside them.",
        bad="A model that fictc did not train is scored with SLOR.",
        good="It is scored with the sum of log probabilities, or a model that fictc trained is scored with SLOR.",
    ),
    Code(
        "FICT815",
        "convention-context",
        "the tokenizer of {model} has no {token} token, which {setting} asks for",
        "A sentence needs a beginning to condition its first word on, or `context: none`, which skips the first word.",
        bad="A convention asks for a token at the end of sentences, and the tokenizer has none.",
        good="$ fictc score model pairs.csv --convention default",
    ),
    Code(
        "FICT816",
        "sentence-too-long",
        'the sentence "{text}" has {found} tokens, more than the {limit} that the model can read',
        "Models with learned positions cannot read past the last one.",
        bad="A sentence of 300 tokens is scored by a model that reads 256.",
        good="Sentences that long are left out of the suite.",
    ),
    Code(
        "FICT817",
        "suite-paradigm",
        "the suite {path} has no paradigm `{name}`",
        "A paradigm's name stands in the file (UID or paradigm), or is the name of the file.",
        bad="$ fictc score model blimp --paradigm agrement",
        good="$ fictc score model blimp --paradigm anaphor_number_agreement",
    ),
    Code(
        "FICT818",
        "suite-not-parsed",
        "{path} has no sentence of the suite {suite}",
        "`fictc coverage` asks filters about the parsed sentences of a suite. `fictc coverage --sentences items.txt` "
        "writes them one a line, and `fictc annotate items.txt --input sentences` makes a store of them.",
        bad="$ fictc coverage fict15 --suite blimp --parses stores/ewt",
        good="$ fictc coverage fict15 --suite blimp --parses stores/blimp",
    ),
    Code(
        "FICT819",
        "scores-unreadable",
        "{path} holds no scores that can be counted again: {reason}",
        "`fictc score MODEL SUITE --output FILE` keeps the log-probability of every sentence, and the convention. What "
        "only a model can say, such as the probability of another context, is not among them.",
        bad="$ fictc score scores.parquet --context bos",
        good="$ fictc score scores.parquet --normalise mean",
    ),
    Code(
        "FICT820",
        "model-tokenizer",
        "the model in {path} has a token `{token}` that the tokenizer has not, or under another number",
        "A saved model is trained further with its own tokenizer, to which tokens may be added, never with another.",
        bad='[tokenizer]\nkind = "saved"\npath = "gpt2"\n\n[[model]]\npreset = "bert-base"\nfrom = "bert"',
        good='[tokenizer]\nkind = "saved"\npath = "bert"\n\n[[model]]\npreset = "bert-base"\nfrom = "bert"',
    ),
    Code(
        "FICT821",
        "score-not-finite",
        'the model in {path} gives no finite log-probability for the sentence "{text}": it is {value}',
        "Weights or states so large that they overflow have no probabilities, and a benchmark of them no accuracy. "
        "Usually the training diverged: lower its rate or clip its gradients.",
        bad="A model whose training diverged is scored.",
        good="The model is trained again with a lower rate, and scored.",
    ),
    Code(
        "FICT830",
        "sample-exists",
        "{path} exists already",
        "A sample is made once; --force replaces it. The same size and seed give the same bytes.",
        bad=("$ fictc sample -o sample\n$ fictc sample -o sample"),
        good=("$ fictc sample -o sample\n$ fictc sample -o sample --force"),
    ),
    Code(
        "FICT831",
        "sample-foreign",
        "{path} exists and is no generated sample, so it is not replaced",
        "Only a folder that `fictc sample` made, with its counts.json, is replaced by --force.",
        bad="$ fictc sample -o thesis --force",
        good="$ fictc sample -o sample --force",
    ),
    Code(
        "FICT832",
        "sample-pairs",
        "the grammar has no more than {found} different pairs of {paradigm}; {wanted} were asked for",
        "The vocabulary is a few hundred words, and a paradigm of short sentences runs out. Fewer pairs are needed.",
        bad="$ fictc sample -o sample --pairs 1000000",
        good="$ fictc sample -o sample --pairs 1000",
    ),
)
