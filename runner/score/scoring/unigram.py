"""Score suites with a unigram model, from token counts of a training text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from runner.model.recipe import Frame
from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import Encoded, encode_suite
from runner.score.scoring.table import Total, pair_table
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def score_unigram(
    counts: NDArray[np.int64],
    tokenizer: PreTrainedTokenizerBase,
    suite: Suite,
    convention: Convention,
    *,
    frame: Frame = "eos",
) -> pa.Table:
    """Return the table of `score_pairs` for the unigram baseline, a unigram model with these counts (V,).

    The scored tokens are those of a model trained by this package with `frame` under the convention. `slor` and
    `normlp` compare a model with this baseline, so `sum` replaces them.
    """
    about = {"context": tokenizer.eos_token_id if frame == "eos" else None}
    unigram_logprobs = unigram_logs(counts)
    normalise = "sum" if convention.normalise in ("slor", "normlp") else convention.normalise

    def total(sentence: Encoded) -> Total:
        logprob = unigram_sum(unigram_logprobs, sentence.scored)
        return Total(logprob, len(sentence.scored), logprob)

    pairs = encode_suite(suite, tokenizer, convention, about, "unigram")
    totals = [None if pair is None or pair[0] == pair[1] else (total(pair[0]), total(pair[1])) for pair in pairs]
    return pair_table(suite, pairs, totals, normalise)


def unigram_logs(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return ln p of each token, (V,), with add-one smoothing."""
    smoothed = counts.astype(np.float64) + 1
    return np.asarray(np.log(smoothed) - math.log(smoothed.sum()))


def unigram_sum(unigram_logprobs: NDArray[np.float64], ids: Iterable[int]) -> float:
    """Return the log-probability of tokens: a correctly rounded sum, which does not depend on their order."""
    return math.fsum(unigram_logprobs[list(ids)])
