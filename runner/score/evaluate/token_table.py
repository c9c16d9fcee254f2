"""Scored pairs to the log-probability of every token of the first few of each paradigm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.score.scoring.sentences import Prepared, Scored
from runner.score.suites.suite import Suite

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


def token_table(
    tokenizer: PreTrainedTokenizerBase, suite: Suite, asked: Prepared, scored: Scored, pairs: int
) -> pa.Table:
    """One row a scored token of the first `pairs` pairs of each paradigm: what it is and ln p, side by side.

    Sentences that were not asked for, because both of a pair are the same to the model, are left out.
    """
    import pyarrow as pa

    places = {text: place for place, text in enumerate(asked.texts)}
    seen: dict[str, int] = {}
    rows: list[tuple[str, int, str, int, str, float]] = []
    for pair in suite.items:
        seen[pair.paradigm] = seen.get(pair.paradigm, 0) + 1
        if seen[pair.paradigm] > pairs:
            continue
        for side, text in (("good", pair.good), ("bad", pair.bad)):
            if text not in places:
                continue
            sentence, logs = asked.sentences[places[text]], scored.tokens[places[text]]
            names = tokenizer.convert_ids_to_tokens([int(one) for one in sentence.ids[sentence.start : sentence.end]])
            each = enumerate(zip(names, logs.tolist(), strict=True))
            rows += [(pair.paradigm, pair.item, side, place, name, log) for place, (name, log) in each]
    kinds = {
        "paradigm": pa.string(), "item": pa.int32(), "side": pa.string(), "place": pa.int32(), "token": pa.string(),
        "logprob": pa.float64(),
    }  # fmt: skip
    columns = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return pa.table({name: pa.array(c, kind) for (name, kind), c in zip(kinds.items(), columns, strict=True)})
