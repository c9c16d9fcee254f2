"""A saved model and a suite to one row of scores for every minimal pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.model.saved import SavedModel
from runner.score.scoring.batches import PLACES
from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import EncodedPair, encode_suite, texts_of
from runner.score.scoring.sentences import Prepared, Progress, Tokens, batched, check, score
from runner.score.scoring.table import SIDES, Total, pair_table
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa


def prepare_pairs(
    saved: SavedModel, suite: Suite, convention: Convention, places: int = PLACES, *, every: bool = False
) -> Prepared:
    """Encode a suite for a model and all with the same tokenizer; the table is that of `pair_table`.

    With `every`, sentences that are the same as their twin to the model are read too, which the table needs not.
    InputError: a convention that does not fit the model (FICT813), lacks unigram counts (FICT814) or a token
    (FICT815), a sentence longer than the model reads (FICT816).
    """
    check(saved, convention)
    pairs = encode_suite(suite, saved.tokenizer, convention, saved.about, saved.folder.name)

    def asked(pair: EncodedPair | None) -> bool:
        return pair is not None and (every or _differs(pair))

    both = [(pair, encoded) for pair, encoded in zip(suite.items, pairs, strict=True) if asked(encoded)]
    texts = [text for pair, _ in both for _, text in texts_of(pair, convention)]
    sentences = [sentence for _, encoded in both for sentence in encoded or ()]

    def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
        found = iter(totals)
        each = [(next(found), next(found)) if asked(pair) else None for pair in pairs]
        scored = [one if _differs(pair) else None for one, pair in zip(each, pairs, strict=True)]
        return pair_table(suite, pairs, scored, convention.normalise)

    keys: dict[str, list[str | int]] = {
        "paradigm": [pair.paradigm for pair, _ in both for _ in SIDES],
        "item": [pair.item for pair, _ in both for _ in SIDES],
        "side": [side for _ in both for side in SIDES],
    }
    return Prepared(convention, texts, sentences, batched(saved, texts, sentences, convention, places), tabulate, keys)


def score_pairs(
    saved: SavedModel,
    suite: Suite,
    convention: Convention,
    *,
    places: int = PLACES,
    on_progress: Progress | None = None,
) -> pa.Table:
    """Score both sentences of every pair by one model. InputError as in `prepare_pairs`."""
    return score(saved, prepare_pairs(saved, suite, convention, places), on_progress).table


def _differs(pair: EncodedPair | None) -> bool:
    return pair is not None and pair[0] != pair[1]
