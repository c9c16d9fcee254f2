"""Benchmark of scoring minimal pairs, compared with minicons: one model, one thread, one process.

The versions that minicons pins conflict with ours, so run this in an environment with minicons, torch, transformers,
pyarrow, scipy and click:

    PYTHONPATH=. peers/bin/python -m benchmarks.scoring --data ../shared/data
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.measure import measure_interleaved
from benchmarks.tables import Cell, table, times
from runner.model.architectures import build
from runner.model.likelihood import SplitModel, evaluating
from runner.model.recipe import ModelSpec
from runner.model.saved import SavedModel
from runner.model.tokenizer import train_word_tokenizer
from runner.score.any_suite import prepare_any
from runner.score.convention import CONVENTIONS
from runner.score.model_scores import blocks, states
from runner.score.pair_formats import load_suite
from runner.score.sentence_scores import score
from runner.score.suite_files import Suite

SPEC = ModelSpec("gpt2-256", "gpt2", layers=4, hidden=256, heads=4, feedforward=1024, positions=128)
PAIRS = {10_000: 20, 50_000: 8}  # pairs per paradigm, by vocabulary size
BATCH_SIZES = (16, 32, 64)
SORTED_BATCH_SIZES = (32,)
FICT = CONVENTIONS["fict"]
Scores = list[tuple[float, float]]  # of the good and the bad sentence of each pair


@dataclass(frozen=True)
class Case:
    """A model with random weights and a suite."""

    saved: SavedModel
    suite: Suite

    @property
    def texts(self) -> list[str]:
        """The sentences of all pairs: good, bad, good, bad …"""
        return [text for pair in self.suite.items for text in (pair.good, pair.bad)]


def make_case(data: Path, vocabulary: int) -> Case:
    """Return BLiMP and a Transformer of 4 layers and 256 dimensions over the words of EWT and WikiText-2."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((data / "wikitext-2").rglob("*.txt"))]
    treebank = [path.read_text(encoding="utf-8") for path in sorted((data / "ud-ewt").glob("*.conllu"))]
    lines = [line for text in texts for line in text.split("\n")]
    lines += [line[9:] for text in treebank for line in text.split("\n") if line.startswith("# text = ")]
    tokenizer = train_word_tokenizer(lines, size=vocabulary - 2)
    model = build(SPEC, vocabulary, 1)  # `vocabulary` rows, even if the corpus has fewer words
    saved = SavedModel(model.eval(), tokenizer, Path(f"gpt2-256, {vocabulary:,}"))
    return Case(saved, load_suite(data / "blimp", limit=PAIRS[vocabulary]))


def ours(case: Case) -> Scores:
    """Score a suite with fictc, including encoding and the table of scores."""
    rows = score(case.saved, prepare_any(case.saved, case.suite, FICT)).table
    return list(zip(*(rows.column(f"score_{side}").to_pylist() for side in ("good", "bad")), strict=True))


def minicons_sorted(case: Case, size: int) -> Scores:
    """Score a suite with `IncrementalLMScorer.sequence_score`, `size` sentences per call, sorted by length."""
    scorer = _scorer(case)
    texts = case.texts
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    scores = [0.0] * len(texts)
    for start in range(0, len(order), size):
        batch = order[start : start + size]
        values = scorer.sequence_score([texts[index] for index in batch], reduction=lambda x: x.sum(0).item())
        for index, value in zip(batch, values, strict=True):
            scores[index] = value
    return list(zip(scores[::2], scores[1::2], strict=True))


def minicons_in_order(case: Case, size: int) -> Scores:
    """Score a suite with minicons in the order of its sentences, `size` per call."""
    scorer, texts, scores = _scorer(case), case.texts, []
    for start in range(0, len(texts), size):
        scores += scorer.sequence_score(texts[start : start + size], reduction=lambda x: x.sum(0).item())
    return list(zip(scores[::2], scores[1::2], strict=True))


def _scorer(case: Case) -> Any:
    from minicons.scorer import IncrementalLMScorer  # type: ignore[import-not-found]

    return IncrementalLMScorer(case.saved.model, "cpu", tokenizer=case.saved.tokenizer)


def measure(case: Case, runs: int) -> str:
    """Return a table of pairs per CPU second of each method, and the time of each step of fictc."""
    methods: dict[str, Callable[[], Scores]] = {"fictc": partial(ours, case)}
    methods |= {f"minicons, {size} per call": partial(minicons_in_order, case, size) for size in BATCH_SIZES}
    methods |= {
        f"minicons, {size} per call, sorted by length first": partial(minicons_sorted, case, size)
        for size in SORTED_BATCH_SIZES
    }
    measurements = measure_interleaved(methods, runs)
    reference = measurements["fictc"]
    rows: list[Sequence[Cell]] = []
    for name, measurement in measurements.items():
        difference, differing_decisions = _differences(reference.result, measurement.result)
        compared: list[Cell] = (
            [times(measurement.cpu / reference.cpu), f"{difference:.0e}", differing_decisions]
            if name != "fictc"
            else [""] * 3
        )
        rows.append([name, len(case.suite.items) / measurement.cpu, *compared])
    headings = [
        "method",
        "pairs per CPU second",
        "fictc is faster",
        "largest difference, nats",
        "decisions that differ",
    ]
    return f"{table(headings, rows)}\n{_time_steps(case)}"


def _differences(first: Scores, second: Scores) -> tuple[float, int]:
    """Return the largest difference and the number of decisions that differ, over the pairs that `first` scores."""
    a, b = np.array(first, dtype=float), np.array(second, dtype=float)
    has_scores = ~np.isnan(a).any(1)
    a, b = a[has_scores], b[has_scores]
    return float(np.abs(a - b).max()), int((np.sign(a[:, 0] - a[:, 1]) != np.sign(b[:, 0] - b[:, 1])).sum())


def _time_steps(case: Case) -> str:
    """Return the time of each step of fictc's scoring, as text."""
    start = time.process_time()
    prepared = prepare_any(case.saved, case.suite, FICT)
    encoding_end = time.process_time()
    network = SplitModel.of(case.saved.model)
    with evaluating(case.saved.model):
        hidden_states = list(states(network, prepared.plan))
        layers_end = time.process_time()
        for hidden in hidden_states:
            deque(blocks(network, hidden), maxlen=0)
        output_end = time.process_time()
    score(case.saved, prepared)  # repeats the layers and the output layer, which are subtracted
    remaining = time.process_time() - output_end - (output_end - encoding_end)
    seconds = {
        "encoding and batches": encoding_end - start,
        "layers": layers_end - encoding_end,
        "output layer": output_end - layers_end,
    }
    seconds["softmax, sums and table"] = remaining
    parts = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items())
    read_tokens, scored_tokens = (
        sum(batch.ids.size for batch in prepared.plan.batches),
        sum(len(hidden) for hidden in hidden_states),
    )
    tokens = f"Of {read_tokens:,} tokens read, {scored_tokens:,} pass through the output layer."
    return f"CPU seconds of fictc: {parts}. {tokens}"


def main() -> None:
    """Print a table for each size of vocabulary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vocabulary", type=int, nargs="*", choices=list(PAIRS), default=list(PAIRS))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    for vocabulary in options.vocabulary:
        case = make_case(options.data, vocabulary)
        print(
            f"### {vocabulary:,} words, {len(case.suite.items):,} pairs\n\n{measure(case, options.runs)}\n", flush=True
        )


if __name__ == "__main__":
    main()
