"""The loops of `benchmarks.peers.loop` over pickled Stanza documents, with times of evaluation and loading."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.measure import cpu_seconds
from benchmarks.peers.loop import FILTERS

WORDS_PER_DOCUMENT = 20_000


@dataclass(frozen=True, slots=True)
class LoopResult:
    """The sentences of each filter, and the CPU seconds of evaluating it and of loading all documents once."""

    found: Mapping[str, npt.NDArray[np.int64]]
    evaluation: Mapping[str, float]
    loading: float


def documents(corpus: Path, folder: Path) -> list[Path]:
    """Return the corpus as files of pickled Stanza documents, which are created if `folder` does not exist."""
    if not folder.exists():
        from stanza.utils.conll import CoNLL

        temporary = folder.with_name(f".{folder.name}")
        temporary.mkdir(parents=True, exist_ok=True)
        for index, text in enumerate(parts(corpus)):
            with (temporary / f"{index:05d}.pkl").open("wb") as stream:
                pickle.dump(CoNLL.conll2doc(input_str=text), stream, protocol=pickle.HIGHEST_PROTOCOL)
        temporary.rename(folder)
    return sorted(folder.glob("*.pkl"))


def parts(corpus: Path) -> Iterator[str]:
    """Yield the file in parts of whole sentences, about WORDS_PER_DOCUMENT words each."""
    buffered, word_lines = list[str](), 0
    with corpus.open(encoding="utf-8") as stream:
        for line in stream:
            buffered.append(line)
            word_lines += line[0] not in "#\n"
            if line == "\n" and word_lines >= WORDS_PER_DOCUMENT:
                yield "".join(buffered)
                buffered, word_lines = [], 0
    if buffered:
        yield "".join(buffered)


def run_loops(files: list[Path]) -> LoopResult:
    """Load each document once and evaluate all filters on it, one after the other.

    The cyclic garbage collector is off, since loading takes ten times as long with it.
    """
    gc.disable()
    try:
        return _run_loops(files)
    finally:
        gc.enable()


def _run_loops(files: list[Path]) -> LoopResult:
    found: dict[str, list[int]] = {name: [] for name in FILTERS}
    evaluation, loading, first_sid = dict.fromkeys(FILTERS, 0.0), 0.0, 0
    for file in files:
        start = cpu_seconds()
        with file.open("rb") as stream:
            document = pickle.load(stream)
        loading += cpu_seconds() - start
        for name, holds in FILTERS.items():
            start = cpu_seconds()
            found[name] += [
                first_sid + index for index, sentence in enumerate(document.sentences) if holds(sentence.words)
            ]
            evaluation[name] += cpu_seconds() - start
        first_sid += len(document.sentences)
        del document
        gc.collect()
    return LoopResult({name: np.array(sids, np.int64) for name, sids in found.items()}, evaluation, loading)
