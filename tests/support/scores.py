"""The scores of a suite of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.score import sentence_scores
from runner.score.any_suite import prepare_any

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.model.saved import SavedModel
    from runner.score.convention import Convention
    from runner.score.suite_files import Suite


def score_pairs(
    saved: SavedModel, suite: Suite, convention: Convention, *, max_batch_tokens: int | None = None
) -> pa.Table:
    """The table of pairs under one model, read in batches of at most `max_batch_tokens` tokens."""
    with pytest.MonkeyPatch.context() as patch:
        if max_batch_tokens is not None:
            patch.setattr(sentence_scores, "default_batch_tokens", lambda _: max_batch_tokens)
        return sentence_scores.score(saved, prepare_any(saved, suite, convention)).table
