"""Raw sentences into trees: `fictc annotate` in shards, beside Stanza's pipeline called once for each sentence."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from benchmarks.corpora import read
from benchmarks.data import Data
from benchmarks.measure import cpu
from benchmarks.processes import spent
from benchmarks.tables import Cell, table, times


def measure(data: Data, models: Path, package: str, sentences: int, jobs: Sequence[int]) -> str:
    """CPU and wall seconds for the first sentences of a corpus; loading the models is counted in both."""
    texts = [
        next(line.removeprefix("# text = ") for line in comments if line.startswith("# text = "))
        for comments, _ in islice(read([data.corpus(0.5)]), sentences)
    ]
    begin = cpu()
    _one_by_one(texts, models, package)
    single = cpu() - begin
    rows: list[list[Cell]] = [["a call for each sentence", single, sentences / single, times(1)]]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "sentences.txt"
        source.write_text("\n".join(texts) + "\n", encoding="utf-8")
        given = ("--models", models, "--package", package, "--input", "sentences", "--threads", 1)
        for number in jobs:
            one = spent("annotate", source, *given, "--output", Path(folder) / f"{number}", "--jobs", number)
            rows.append([f"fictc annotate, jobs: {number}", one.cpu, sentences / one.cpu, times(single / one.cpu)])
    return table(["way", "CPU s", "sentences per CPU second", "speed"], rows)


def _one_by_one(texts: Sequence[str], models: Path, package: str) -> None:
    import stanza
    import torch

    torch.set_num_threads(1)
    pipeline = stanza.Pipeline(
        "en",
        dir=str(models),
        package=package,
        processors="tokenize,mwt,pos,lemma,depparse",
        download_method=None,
        use_gpu=False,
        tokenize_no_ssplit=True,
        verbose=False,
    )
    for text in texts:
        pipeline(text)
