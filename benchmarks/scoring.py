"""How fast minimal pairs are scored, beside minicons at its best batch size: one model, one thread, one process.

minicons' pins clash with ours, so that this runs by the Python of an environment that has it (and torch, transformers,
pyarrow, scipy, click):

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

from benchmarks.measure import interleaved
from benchmarks.tables import Cell, table, times
from runner.model.likelihood import Network, measuring
from runner.model.presets import ModelSpec, build
from runner.model.saved import SavedModel
from runner.model.tokenizer import train_word_tokenizer
from runner.score.evaluate.pairs import prepare_pairs, score_pairs
from runner.score.scoring.convention import CONVENTIONS
from runner.score.scoring.sentences import score
from runner.score.scoring.surprisal import blocks, states
from runner.score.suites.suite import Suite, load_suite

SPEC = ModelSpec("gpt2-256", "gpt2", layers=4, hidden=256, heads=4, feedforward=1024, positions=128)
PAIRS = {10_000: 20, 50_000: 8}  # of each paradigm, by the size of the vocabulary
BATCHES = (16, 32, 64)
SORTED = (32,)
FICT = CONVENTIONS["fict"]
Scores = list[tuple[float, float]]


@dataclass(frozen=True)
class Case:
    """A model with random weights and what it is asked."""

    saved: SavedModel
    suite: Suite

    @property
    def texts(self) -> list[str]:
        """Good, bad, good, bad …"""
        return [text for pair in self.suite.items for text in (pair.good, pair.bad)]


def case(data: Path, vocabulary: int) -> Case:
    """A Transformer of 4 layers and 256 dimensions over the words of EWT and WikiText-2."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((data / "wikitext-2").rglob("*.txt"))]
    treebank = [path.read_text(encoding="utf-8") for path in sorted((data / "ud-ewt").glob("*.conllu"))]
    lines = [line for text in texts for line in text.split("\n")]
    lines += [line[9:] for text in treebank for line in text.split("\n") if line.startswith("# text = ")]
    tokenizer = train_word_tokenizer(lines, size=vocabulary - 2)
    model = build(SPEC, vocabulary, 1)  # as many rows as asked, whether or not the corpus has so many words
    saved = SavedModel(model.eval(), tokenizer, Path(f"gpt2-256, {vocabulary:,}"))
    return Case(saved, load_suite(data / "blimp", limit=PAIRS[vocabulary]))


def ours(one: Case) -> Scores:
    """From sentences to the table of scores, encoding included."""
    rows = score_pairs(one.saved, one.suite, FICT)
    return list(zip(*(rows.column(f"score_{side}").to_pylist() for side in ("good", "bad")), strict=True))


def minicons(one: Case, size: int) -> Scores:
    """`IncrementalLMScorer.sequence_score`, `size` sentences a call, those of about one length together."""
    scorer = _scorer(one)
    texts = one.texts
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    found = [0.0] * len(texts)
    for start in range(0, len(order), size):
        part = order[start : start + size]
        values = scorer.sequence_score([texts[index] for index in part], reduction=lambda x: x.sum(0).item())
        for index, value in zip(part, values, strict=True):
            found[index] = value
    return list(zip(found[::2], found[1::2], strict=True))


def minicons_in_order(one: Case, size: int) -> Scores:
    """The same in the order of the suite, as one writes it."""
    scorer, texts, found = _scorer(one), one.texts, []
    for start in range(0, len(texts), size):
        found += scorer.sequence_score(texts[start : start + size], reduction=lambda x: x.sum(0).item())
    return list(zip(found[::2], found[1::2], strict=True))


def _scorer(one: Case) -> Any:
    from minicons.scorer import IncrementalLMScorer  # type: ignore[import-not-found]

    return IncrementalLMScorer(one.saved.model, "cpu", tokenizer=one.saved.tokenizer)


def measured(one: Case, runs: int) -> str:
    """Pairs in a CPU second by each way, and where ours spends it."""
    ways: dict[str, Callable[[], Scores]] = {"fictc": partial(ours, one)}
    ways |= {f"minicons, {size} a call": partial(minicons_in_order, one, size) for size in BATCHES}
    ways |= {f"minicons, {size} a call, sorted by length first": partial(minicons, one, size) for size in SORTED}
    spent = interleaved(ways, runs)
    reference = spent["fictc"]
    rows: list[Sequence[Cell]] = []
    for name, way in spent.items():
        apart, differ = _apart(reference.result, way.result)
        compared: list[Cell] = [times(way.cpu / reference.cpu), f"{apart:.0e}", differ] if name != "fictc" else [""] * 3
        rows.append([name, len(one.suite.items) / way.cpu, *compared])
    heads = ["way", "pairs a CPU second", "fictc is faster", "largest difference, nats", "decisions that differ"]
    return f"{table(heads, rows)}\n{_parts(one)}"


def _apart(first: Scores, second: Scores) -> tuple[float, int]:
    a, b = np.array(first, dtype=float), np.array(second, dtype=float)
    known = ~np.isnan(a).any(1)
    a, b = a[known], b[known]
    return float(np.abs(a - b).max()), int((np.sign(a[:, 0] - a[:, 1]) != np.sign(b[:, 0] - b[:, 1])).sum())


def _parts(one: Case) -> str:
    """Where ours spends its time, one part after the other."""
    begin = time.process_time()
    prepared = prepare_pairs(one.saved, one.suite, FICT)
    encoded = time.process_time()
    network = Network.of(one.saved.model)
    with measuring(one.saved.model):
        read = list(states(network, prepared.work))
        body = time.process_time()
        for some in read:
            deque(blocks(network, some), maxlen=0)
        output = time.process_time()
    score(one.saved, prepared)
    rest = time.process_time() - output - (output - encoded)
    seconds = {"encoding and batches": encoded - begin, "layers": body - encoded, "output layer": output - body}
    seconds["softmax, sums and table"] = rest
    told = ", ".join(f"{name} {value:.2f}" for name, value in seconds.items())
    tokens, wanted = sum(batch.ids.size for batch in prepared.work.batches), sum(len(some) for some in read)
    return f"CPU seconds of fictc: {told}. Of {tokens:,} tokens read, {wanted:,} pass through the output layer."


def main() -> None:
    """Print a table for each size of vocabulary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vocabulary", type=int, nargs="*", default=list(PAIRS))
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    for vocabulary in given.vocabulary:
        one = case(given.data, vocabulary)
        print(f"### {vocabulary:,} words, {len(one.suite.items):,} pairs\n\n{measured(one, given.runs)}\n", flush=True)


if __name__ == "__main__":
    main()
