"""Score minimal pairs with a model, one row per pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.model.saved.saved import SavedModel
from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import EncodedPair, encode_suite, texts_of
from runner.score.scoring.sentences import (
    Prepared,
    Progress,
    Tokens,
    build_scoring_plan,
    check_convention,
    score,
    without_long,
)
from runner.score.scoring.table import SIDES, Total, pair_table
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa


def prepare_pairs(
    saved: SavedModel,
    suite: Suite,
    convention: Convention,
    max_batch_tokens: int | None = None,
    *,
    include_identical: bool = False,
    skip_long: bool = False,
) -> Prepared:
    """Encode a suite for a model. The encoding serves all models with the same tokenizer.

    `pair_table` tabulates the scores. With `include_identical`, pairs whose sentences have the same ids are also
    scored, for `word_table`; in the table of pairs, their scores are null. With `skip_long`, so are the scores of pairs
    with a sentence that `without_long` leaves out. Raises InputError if the convention does not
    fit the model (FICT813), needs missing unigram counts (FICT814) or a missing token (FICT815), if a sentence is too
    long for the model (FICT816), or if the tokenizer fails (FICT801).
    """
    check_convention(saved, convention)
    encoded_pairs = encode_suite(suite, saved.tokenizer, convention, saved.about, saved.folder.name)
    if skip_long:
        short = iter(without_long(saved, (s for pair in encoded_pairs for s in pair or ()), convention))
        encoded_pairs = [None if pair is None else (next(short), next(short)) for pair in encoded_pairs]

    def is_scored(encoded: EncodedPair | None) -> bool:
        return encoded is not None and (include_identical or _has_distinct_ids(encoded))

    scored_pairs = [
        (pair, encoded) for pair, encoded in zip(suite.items, encoded_pairs, strict=True) if is_scored(encoded)
    ]
    texts = [text for pair, _ in scored_pairs for _, text in texts_of(pair, convention)]
    sentences = [sentence for _, encoded in scored_pairs for sentence in encoded or ()]

    def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
        remaining = iter(totals)
        totals_by_pair = [
            (next(remaining), next(remaining)) if is_scored(encoded) else None for encoded in encoded_pairs
        ]
        table_totals = [
            pair_totals if _has_distinct_ids(encoded) else None
            for pair_totals, encoded in zip(totals_by_pair, encoded_pairs, strict=True)
        ]
        return pair_table(suite, encoded_pairs, table_totals, convention.normalise)

    keys: dict[str, list[str | int]] = {
        "paradigm": [pair.paradigm for pair, _ in scored_pairs for _ in SIDES],
        "item": [pair.item for pair, _ in scored_pairs for _ in SIDES],
        "side": [side for _ in scored_pairs for side in SIDES],
    }
    return Prepared(
        convention,
        texts,
        sentences,
        build_scoring_plan(saved, texts, sentences, convention, max_batch_tokens, keys),
        tabulate,
        keys,
    )


def score_pairs(
    saved: SavedModel,
    suite: Suite,
    convention: Convention,
    *,
    max_batch_tokens: int | None = None,
    on_progress: Progress | None = None,
) -> pa.Table:
    """Score both sentences of every pair with one model. Return a table as `pair_table` does.

    Raises InputError as `prepare_pairs` does, or (FICT821) if the log-probability of a sentence is infinite or not a
    number.
    """
    return score(saved, prepare_pairs(saved, suite, convention, max_batch_tokens), on_progress).table


def _has_distinct_ids(encoded: EncodedPair | None) -> bool:
    return encoded is not None and encoded[0] != encoded[1]
