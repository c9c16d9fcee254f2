"""Token counts of a training text to the scores that words alone would give."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import Encoded, encode_suite
from runner.score.scoring.table import Total, pair_table
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def score_unigram(
    counts: NDArray[np.int64], tokenizer: PreTrainedTokenizerBase, suite: Suite, convention: Convention
) -> pa.Table:
    """The table of `score_pairs` for a unigram model with these counts (V,): the baseline beside every accuracy.

    The same tokens are scored as in a model of ours under the convention. `slor` and `normlp` compare a model with
    this very baseline, so that here the plain sum stands in for them.
    """
    about = {"context": tokenizer.eos_token_id}
    logs = unigram_logs(counts)
    how = "sum" if convention.normalise in ("slor", "normlp") else convention.normalise

    def total(sentence: Encoded) -> Total:
        found = unigram_sum(logs, sentence.scored)
        return Total(found, len(sentence.scored), found)

    pairs = encode_suite(suite, tokenizer, convention, about, "unigram")
    totals = [None if pair is None or pair[0] == pair[1] else (total(pair[0]), total(pair[1])) for pair in pairs]
    return pair_table(suite, pairs, totals, how)


def unigram_logs(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """ln p of each token, (V,): counts plus one, so that no token is impossible."""
    raised = counts.astype(np.float64) + 1
    return np.asarray(np.log(raised) - math.log(raised.sum()))


def unigram_sum(logs: NDArray[np.float64], ids: Iterable[int]) -> float:
    """The sum for a bag of tokens, exactly rounded: the same words in any order give the same number."""
    return math.fsum(logs[list(ids)])
