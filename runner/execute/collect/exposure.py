"""How often the words of a condition's target pairs occur in its training corpus and in those of its controls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.prepare.prepare import Preparation
from runner.score.minimal_pairs import read_pair_suite
from runner.score.suite_files import Pair
from runner.steps.step import Step

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_COUNTS = "counts.parquet"
MAX_EXAMPLES = 6  # words of a row of the report


def exposures(preparation: Preparation, records: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the exposure of each condition with target pairs, and of its controls, by condition.

    `records` describe the conditions. A redrawn condition has the words of its first corpus.
    """
    full = next((str(record["name"]) for record in records if record["kind"] == "full"), None)
    found: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        pairs = [] if full in (None, record["name"]) else list(_target_pairs(preparation, _targets(record)))
        names = [
            other["name"]
            for other in records
            if other["control_of"] == record["name"] or other["name"] == record.get("control")
        ]
        if pairs and full is not None and record["control_of"] is None:
            words = [_words(preparation, f"{pair.good} {pair.bad}") for pair in pairs]
            reference = word_counts(preparation, full)
            found[record["name"]] = [
                _exposure(name, words, reference, word_counts(preparation, name)) for name in (record["name"], *names)
            ]
    return found


def _exposure(corpus: str, pairs: Sequence[set[str]], full: Counter[str], counts: Counter[str]) -> dict[str, Any]:
    """Return how many words that the full corpus has a corpus lacks, or has at less than half of their frequency."""
    words = sorted({word for pair in pairs for word in pair if full[word]})
    scale = counts.total() / full.total() if full.total() else 1.0
    vanished = {word for word in words if not counts[word]}
    halved = {word for word in words if 0 < counts[word] < scale * full[word] / 2}
    rarest = sorted(vanished | halved, key=lambda word: (counts[word] / full[word], -full[word], word))
    return {
        "corpus": corpus,
        "words": len(words),
        "vanished": len(vanished),
        "halved": len(halved),
        "pairs": len(pairs),
        "pairs_with_vanished": sum(not pair.isdisjoint(vanished) for pair in pairs),
        "examples": [[word, full[word], counts[word]] for word in rarest[:MAX_EXAMPLES]],
    }


def _targets(record: Mapping[str, Any]) -> set[str]:
    return {*record.get("targets", ()), *(target for entry in record["filters"] for target in entry["targets"])}


def _target_pairs(preparation: Preparation, targets: set[str]) -> Iterator[Pair]:
    """Yield the pairs of paradigms and phenomena that a condition targets."""
    suites = [suite.name for suite in preparation.plan.resolved.suites if suite.kind == "pairs"] if targets else []
    for suite in suites:
        for pair in read_pair_suite(preparation.suite(suite)).items:
            names = {pair.paradigm, "".join(pair.phenomenon.split())} - {""}
            if any(f"{suite}/{name}" in targets for name in names):
                yield pair


def word_counts(preparation: Preparation, condition: str) -> Counter[str]:
    """Count the words of the first training corpus of a condition. The counts are kept in the cache."""
    plan, cache = preparation.plan, preparation.cache
    corpus = plan.corpora[plan.corpora_of(condition)[0].name]
    inputs = {"words": _WORD.pattern, "lowercase": plan.resolved.tokenization.lowercase}

    def count(folder: Path) -> None:
        counts: Counter[str] = Counter()
        with (cache.folder(corpus) / "text.txt").open(encoding="utf-8") as text:
            for line in text:
                counts.update(_WORD.findall(line.lower() if inputs["lowercase"] else line))
        table = pa.table(
            {"word": pa.array(list(counts), pa.string()), "count": pa.array(list(counts.values()), pa.int64())}
        )
        pq.write_table(table, folder / _COUNTS, write_page_checksum=True)

    folder, _ = cache.make(Step.of("words", condition, inputs, {"corpus": corpus}), count)
    table = pq.read_table(folder / _COUNTS)
    return Counter(dict(zip(table["word"].to_pylist(), table["count"].to_pylist(), strict=True)))


def _words(preparation: Preparation, text: str) -> set[str]:
    return set(_WORD.findall(text.lower() if preparation.plan.resolved.tokenization.lowercase else text))
