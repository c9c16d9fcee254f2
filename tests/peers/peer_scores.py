"""Sentences and a saved model to the scores that another tool gives; run by the Python of that tool's environment.

    PYTHONPATH=. peers/bin/python tests/peers/peer_scores.py minicons MODEL BLIMP scores.json

Only `runner.model.lstm` is used of this repository, so that transformers can load our LSTM.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

import runner.model.lstm  # noqa: F401 - registers our LSTM with transformers

BATCH = 32


def load(folder, masked=False):
    """The model ready to be measured, and a tokenizer that gives what both tools read."""
    model = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.bos_token = tokenizer.bos_token or tokenizer.eos_token  # ours begin sentences with <eos>
    return model.eval(), tokenizer


def pairs(folder, limit):
    """Paradigm to its pairs as BLiMP's files have them."""
    found = {}
    for path in sorted(Path(folder).glob("*.jsonl")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        found[path.stem] = [json.loads(line) for line in lines[:limit]]
    return found


def flat(folder, limit):
    """Good, bad, good, bad … of all paradigms."""
    return [
        text for rows in pairs(folder, limit).values() for row in rows
        for text in (row["sentence_good"], row["sentence_bad"])
    ]  # fmt: skip


def by_length(texts, score):
    """Scores of batches of texts that are about equally long, in the texts' order."""
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    found = [0.0] * len(texts)
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        for index, value in zip(part, score([texts[index] for index in part]), strict=True):
            found[index] = float(value)
    return found


def minicons(model, tokenizer, folder, limit, bos):
    """Summed log-probabilities as FiCT asked for them, with or without a BOS token."""
    from minicons.scorer import IncrementalLMScorer

    scorer = IncrementalLMScorer(model, "cpu", tokenizer=tokenizer)

    def score(batch):
        return scorer.sequence_score(batch, reduction=lambda values: values.sum(0).item(), bos_token=bos)

    return by_length(flat(folder, limit), score)


def pll(model, tokenizer, folder, limit, metric):
    """Pseudo-log-likelihoods, `original` or `within_word_l2r`."""
    from minicons.scorer import MaskedLMScorer

    # transformers 5 has dropped this name, by which minicons calls the tokenizer
    type(tokenizer).batch_encode_plus = lambda self, *given, **options: self(*given, **options)
    scorer = MaskedLMScorer(model, "cpu", tokenizer=tokenizer)

    def score(batch):
        return scorer.sequence_score(batch, reduction=lambda values: values.sum(0).item(), PLL_metric=metric)

    return by_length(flat(folder, limit), score)


def words(model, tokenizer, folder, limit):
    """The surprisal of every word in bits, with the correction for where words begin, sentence after sentence."""
    from minicons.scorer import IncrementalLMScorer

    scorer = IncrementalLMScorer(model, "cpu", tokenizer=tokenizer)
    found = []
    for text in flat(folder, limit):  # one by one: it counts what is padded
        (each,) = scorer.word_score_tokenized(
            text, str.split, bow_correction=True, bos_token=True, surprisal=True, base_two=True
        )
        found += [float(value) for _, value in each]
    return found


def harness(model, tokenizer, folder, limit):
    """lm-evaluation-harness's own BLiMP tasks, from local files."""
    import lm_eval
    import yaml
    from lm_eval.models.huggingface import HFLM

    template = Path(lm_eval.__file__).parent / "tasks" / "blimp" / "_template_yaml"
    common = yaml.safe_load(template.read_text(encoding="utf-8")) | {"dataset_path": "json"}
    tasks = [
        {**common, "task": f"blimp_{path.stem}", "dataset_kwargs": {"data_files": {"train": str(path)}}}
        for path in sorted(Path(folder).glob("*.jsonl"))
    ]
    model = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=BATCH, device="cpu")
    result = lm_eval.simple_evaluate(
        model=model, tasks=tasks, limit=limit, log_samples=True, bootstrap_iters=0, verbosity="WARNING"
    )
    scores, right = [], []
    for task in tasks:
        samples = sorted(result["samples"][task["task"]], key=lambda sample: sample["doc_id"])
        for sample in samples:
            scores += [float(answer[0]) for answer in sample["filtered_resps"]]
            right.append(float(sample["acc"]))
    return scores, right


def main(tool, model, folder, out, limit=None):
    """Write {"scores": good, bad, good, bad …} and, of the harness, its decisions."""
    torch.set_num_threads(1)
    limit = int(limit) if limit else None
    network, tokenizer = load(model, masked=tool.startswith("pll"))
    right = None
    match tool:
        case "minicons" | "minicons-bos":
            scores = minicons(network, tokenizer, folder, limit, tool == "minicons-bos")
        case "pll" | "pll_l2r":
            metric = "original" if tool == "pll" else "within_word_l2r"
            scores = pll(network, tokenizer, folder, limit, metric)
        case "words":
            scores = words(network, tokenizer, folder, limit)
        case "lm-eval":
            scores, right = harness(network, tokenizer, folder, limit)
    Path(out).write_text(json.dumps({"scores": scores, "right": right}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
