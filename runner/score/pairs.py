"""A saved model and a suite to one row of scores for every minimal pair."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel, position_limit
from runner.score.convention import Convention, check_supported, normalised
from runner.score.encoded import Encoded, encode_suite
from runner.score.suite import Suite
from runner.score.surprisal import PLACES, log_probabilities
from runner.score.table import pair_table
from runner.score.unigram import unigram_logs, unigram_sum

if TYPE_CHECKING:
    import pyarrow as pa


def score_pairs(
    saved: SavedModel,
    suite: Suite,
    convention: Convention,
    *,
    places: int = PLACES,
    on_progress: Callable[[int, int], None] | None = None,
) -> pa.Table:
    """Score both sentences of every pair; the columns are those of `runner.score.table.pair_table`.

    InputError: a convention that is not supported (FICT813), lacks unigram counts (FICT814) or a context token
    (FICT815), a sentence longer than the model reads (FICT816).
    """
    check_supported(convention)
    if convention.normalise in ("slor", "normlp") and saved.counts is None:
        raise InputError(diagnostic("FICT814", name=convention.normalise))
    logs = None if saved.counts is None else unigram_logs(saved.counts)
    pairs = encode_suite(suite, saved.tokenizer, convention, saved.about, saved.folder.name)
    _check_lengths(saved, suite, pairs)
    wanted = [sentence for pair in pairs if pair is not None and pair[0] != pair[1] for sentence in pair]
    found = log_probabilities(
        saved.model,
        [(sentence.ids, sentence.start) for sentence in wanted],
        dtype=convention.dtype,
        places=places,
        on_progress=on_progress,
    )
    # fsum rounds once, so that the order of the tokens does not matter
    sums = {sentence: math.fsum(values) for sentence, values in zip(wanted, found, strict=True)}

    def score(sentence: Encoded) -> float | None:
        unigram = None if logs is None else unigram_sum(logs, sentence.scored)
        return normalised(convention, sums[sentence], len(sentence.scored), unigram)

    scores = [None if pair is None or pair[0] == pair[1] else (score(pair[0]), score(pair[1])) for pair in pairs]
    return pair_table(suite, pairs, scores)


def _check_lengths(saved: SavedModel, suite: Suite, pairs: list[tuple[Encoded, Encoded] | None]) -> None:
    limit = position_limit(saved)
    if limit is None:
        return
    for pair, encoded in zip(suite.items, pairs, strict=True):
        for text, sentence in zip((pair.good, pair.bad), encoded or (), strict=False):
            if len(sentence.ids) - 1 > limit:
                raise InputError(diagnostic("FICT816", text=text, found=len(sentence.ids) - 1, limit=limit))
