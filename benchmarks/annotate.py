"""Benchmark of parsing: `fictc annotate`, which parses in shards, compared with one call of Stanza per sentence.

`python -m benchmarks.annotate FILE... --models DIR [--package NAME] [--sentences N] [--single N]` prints a table.
Files are CoNLL-U; their `# text` lines are parsed. Both methods alternate on parts of the text, each in its own
process. CPU time is counted after the models are loaded. Single calls parse a sample of the parts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.tables import table, times
from runner.corpus.annotate import AnnotateOptions, annotate
from runner.corpus.stanza_parser import StanzaFactory, StanzaOptions, StanzaParser

SENTENCES_PER_PART = 2_000
DEFAULT_PACKAGE = "default"


@dataclass(frozen=True, slots=True)
class ParseCost:
    """A number of parsed words, and the CPU seconds that parsing took."""

    words: int
    cpu: float

    @classmethod
    def total(cls, parts: Iterable[ParseCost]) -> ParseCost:
        """Return the sum over all parts."""
        costs = list(parts)
        return cls(sum(cost.words for cost in costs), sum(cost.cpu for cost in costs))

    @property
    def speed(self) -> float:
        """Words per CPU second."""
        return self.words / self.cpu


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--models", required=True, type=Path)
    parser.add_argument("--package", default=DEFAULT_PACKAGE)
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--single", type=int, default=4_000, help="number of sentences parsed one by one")
    options = parser.parse_args(arguments)
    texts = sentences(options.files)[: options.sentences]
    print(measure(texts, options.models, options.package, options.single), end="")
    return 0


def sentences(files: Iterable[Path]) -> list[str]:
    """Return the texts of the sentences of CoNLL-U files."""
    lines = (line for file in files for line in file.read_text(encoding="utf-8").split("\n"))
    return [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]


def measure(texts: Sequence[str], models: Path, package: str, single: int) -> str:
    """Measure both methods on these sentences, with about `single` single calls. Return a table."""
    parts = [texts[start : start + SENTENCES_PER_PART] for start in range(0, len(texts), SENTENCES_PER_PART)]
    sampled_indices = set(range(0, len(parts), max(1, len(texts) // max(1, single))))
    context = get_context("spawn")
    sharded_costs: list[ParseCost] = []
    single_costs: list[ParseCost] = []
    with ProcessPoolExecutor(1, context) as shard_pool, ProcessPoolExecutor(1, context) as call_pool:
        for index, part in enumerate(parts):
            sharded_costs.append(shard_pool.submit(parse_in_shards, part, models, package).result())
            if index in sampled_indices:
                single_costs.append(call_pool.submit(parse_one_by_one, part, models, package).result())
            print(f"{index + 1} of {len(parts)} parts", file=sys.stderr, flush=True)
    sharded, single_calls = ParseCost.total(sharded_costs), ParseCost.total(single_costs)
    sample = ParseCost.total(sharded_costs[index] for index in sorted(sampled_indices))
    rows = [
        ("`fictc annotate`, in shards", len(texts), sharded.words, sharded.cpu, sharded.speed, None),
        (
            "the same on the sample",
            sum(len(parts[index]) for index in sampled_indices),
            sample.words,
            sample.cpu,
            sample.speed,
            None,
        ),
        (
            "Stanza, one call per sentence, on the sample",
            sum(len(parts[index]) for index in sampled_indices),
            single_calls.words,
            single_calls.cpu,
            single_calls.speed,
            times(sample.speed / single_calls.speed),
        ),
    ]
    return table(["way", "sentences", "words", "CPU s", "words per CPU s", "gain of shards"], rows)


def parse_in_shards(texts: Sequence[str], models: Path, package: str) -> ParseCost:
    """Return the cost of parsing sentences into a temporary store."""
    parser = _parser(models, package)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text.txt"
        file.write_text("\n".join(texts), encoding="utf-8")
        return _measure_cost(
            lambda: annotate([file], Path(folder) / "store", lambda: parser, AnnotateOptions()).info.words
        )


def parse_one_by_one(texts: Sequence[str], models: Path, package: str) -> ParseCost:
    """Return the cost of parsing sentences one by one with a Stanza pipeline."""
    pipeline = _pipeline(models, package)
    return _measure_cost(lambda: sum(pipeline(text).num_words for text in texts))


def _measure_cost(work: Callable[[], int]) -> ParseCost:
    start = time.process_time()
    words = work()
    return ParseCost(words, time.process_time() - start)


@cache
def _parser(models: Path, package: str) -> StanzaParser:
    return StanzaFactory(StanzaOptions(models, "en", package, "lines"), threads=1)()


@cache
def _pipeline(models: Path, package: str) -> Any:
    import stanza
    import torch

    torch.set_num_threads(1)
    processors = "tokenize,mwt,pos,lemma,depparse"
    options = {"dir": str(models), "package": package, "download_method": None, "logging_level": "ERROR"}
    return stanza.Pipeline("en", processors=processors, use_gpu=False, **options)


if __name__ == "__main__":
    sys.exit(main())
