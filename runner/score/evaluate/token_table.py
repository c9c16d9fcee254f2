"""Tabulate the log-probabilities of the scored tokens of the first pairs of each paradigm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.score.scoring.sentences import Prepared, Scored
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def token_table(
    tokenizer: PreTrainedTokenizerBase, suite: Suite, prepared: Prepared, scored: Scored, max_pairs: int
) -> pa.Table:
    """Return one row per scored token of the first `max_pairs` pairs of each paradigm, with the token's ln p.

    Pairs that were not scored, because their sentences have the same ids, are left out but count towards `max_pairs`.
    """
    import pyarrow as pa

    indices = {text: index for index, text in enumerate(prepared.texts)}
    pair_counts: dict[str, int] = {}
    rows: list[tuple[str, int, str, int, str, float]] = []
    for pair in suite.items:
        pair_counts[pair.paradigm] = pair_counts.get(pair.paradigm, 0) + 1
        if pair_counts[pair.paradigm] > max_pairs:
            continue
        for side, text in (("good", pair.good), ("bad", pair.bad)):
            if text not in indices:
                continue
            sentence, logprobs = prepared.sentences[indices[text]], scored.tokens[indices[text]]
            tokens = tokenizer.convert_ids_to_tokens(
                [int(token_id) for token_id in sentence.ids[sentence.start : sentence.end]]
            )
            numbered = enumerate(zip(tokens, logprobs.tolist(), strict=True))
            rows += [(pair.paradigm, pair.item, side, index, token, logprob) for index, (token, logprob) in numbered]
    types = {
        "paradigm": pa.string(), "item": pa.int32(), "side": pa.string(), "place": pa.int32(), "token": pa.string(),
        "logprob": pa.float64(),
    }  # fmt: skip
    columns = zip(*rows, strict=True) if rows else [()] * len(types)
    return pa.table(
        {name: pa.array(column, type_) for (name, type_), column in zip(types.items(), columns, strict=True)}
    )
