"""The table of scored pairs, from which all measures are computed, and its scores under a unigram model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runner.errors import InputError
from runner.model.recipe import Frame
from runner.model.saved import SavedModel
from runner.model.tokenizer import id_count, tokenized
from runner.score.convention import Convention, Normalise, normalised
from runner.score.encoding import Encoded, EncodedPair, encode_suite, tokenizer_inputs
from runner.score.suite_files import Suite

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


SIDES = ("good", "bad")


@dataclass(frozen=True, slots=True)
class Total:
    """The log-probability of a sentence in nats, summed over `scored` tokens, and under a unigram model."""

    logprob: float
    scored: int
    unigram: float | None = None


def table_of(rows: Sequence[Sequence[Any]], types: Mapping[str, str]) -> pa.Table:
    import pyarrow as pa

    columns = zip(*rows, strict=True) if rows else [()] * len(types)
    arrays = (pa.array(column, type_) for column, type_ in zip(columns, types.values(), strict=True))
    return pa.table(dict(zip(types, arrays, strict=True)))


def pair_table(
    suite: Suite,
    pairs: Sequence[EncodedPair | None],
    totals: Sequence[tuple[Total, Total] | None],
    normalise: Normalise,
) -> pa.Table:
    """Return one row per pair, in the suite's order.

    `logprob` and `unigram` are in nats. Both and `score` are null if a pair is not applicable: both sentences have the
    same ids (`identical`), the suite marks no prefix, or no token is scored.
    """
    import pyarrow as pa

    types = {"item": pa.int32(), "scored": pa.int32()}
    columns: dict[str, pa.Array] = {}
    for name in ("paradigm", "phenomenon", "field", "item", "good", "bad"):
        columns[name] = pa.array([getattr(pair, name) for pair in suite.items], types.get(name, pa.string()))
    identical = [pair is not None and pair[0] == pair[1] for pair in pairs]
    applicable = [
        None if entry is None or is_identical or not all(total.scored for total in entry) else entry
        for entry, is_identical in zip(totals, identical, strict=True)
    ]

    def add(name: str, type_: pa.DataType, value: Callable[[Total], float | None]) -> None:
        for index, side in enumerate(SIDES):
            values = [None if pair_totals is None else value(pair_totals[index]) for pair_totals in applicable]
            columns[f"{name}_{side}"] = pa.array(values, type_)

    add("score", pa.float64(), lambda total: normalised(normalise, total.logprob, total.scored, total.unigram))
    for name, attribute in (("tokens", "token_count"), ("unk", "unknown_count")):
        for index, side in enumerate(SIDES):
            counts = [0 if pair is None else getattr(pair[index], attribute) for pair in pairs]
            columns[f"{name}_{side}"] = pa.array(counts, pa.int32())
    columns["identical"] = pa.array(identical, pa.bool_())
    for name in ("logprob", "scored", "unigram"):
        add(name, types.get(name, pa.float64()), attrgetter(name))
    return pa.table(columns)


def rescored(table: pa.Table, normalise: Normalise) -> pa.Table:
    """Normalise stored log-probabilities again. Raises ValueError if unigram log-probabilities are missing."""
    import pyarrow as pa

    for name in [name for name in table.column_names if name.startswith("score") and not name.startswith("scored")]:
        side = name.removeprefix("score")
        columns = [table.column(f"{quantity}{side}").to_pylist() for quantity in ("logprob", "scored", "unigram")]
        if normalise in ("slor", "normlp") and any(
            total is not None and unigram is None for total, _, unigram in zip(*columns, strict=True)
        ):
            raise ValueError("the scores have no unigram log-probabilities")
        values = [None if row[0] is None else normalised(normalise, *row) for row in zip(*columns, strict=True)]
        table = table.set_column(table.column_names.index(name), name, pa.array(values, pa.float64()))
    return table


def as_unigram(table: pa.Table, normalise: Normalise) -> pa.Table:
    """Return the table of the unigram baseline, with which `slor` and `normlp` compare, so that `sum` replaces them."""
    for name in [name for name in table.column_names if name.startswith("logprob")]:
        unigram = table.column(name.replace("logprob", "unigram"))
        table = table.set_column(table.column_names.index(name), name, unigram)
    return rescored(table, "sum" if normalise in ("slor", "normlp") else normalise)


def unigram_scores(table: pa.Table, normalise: Normalise, column: str) -> pa.Table | None:
    return None if table.column(column).null_count == table.num_rows else as_unigram(table, normalise)


BATCH = 4096  # texts per call of the tokenizer
SentenceSource: TypeAlias = Callable[[], Iterable[str]]  # each call starts a new iteration over the sentences of a text


def token_counts(saved: SavedModel, sentences: Iterable[str], convention: Convention) -> NDArray[np.int64]:
    """Return how often each token id occurs in sentences that are encoded like those of suites, (V,).

    Raises InputError: FICT801 if the tokenizer fails, FICT804 if there is no sentence.
    """
    tokenizer = saved.tokenizer
    counts = np.zeros(id_count(tokenizer), np.int64)
    remaining = (text for text in sentences if text and not text.isspace())
    while texts := list(islice(remaining, BATCH)):
        inputs = tokenizer_inputs(texts, tokenizer, convention)
        rows = tokenized(tokenizer, inputs, add_special_tokens=False, return_attention_mask=False)["input_ids"]
        ids = np.array([token_id for row in rows for token_id in row], np.int64)
        counts += np.bincount(ids, minlength=len(counts))
        if convention.eos == "scored" and tokenizer.eos_token_id is not None:
            counts[tokenizer.eos_token_id] += len(texts)
    if not counts.any():
        raise InputError.of("FICT804", what="the text to count")
    return counts


def score_unigram(
    counts: NDArray[np.int64],
    tokenizer: PreTrainedTokenizerBase,
    suite: Suite,
    convention: Convention,
    *,
    frame: Frame = "eos",
) -> pa.Table:
    """Return the table of pairs for a unigram model with these counts (V,), as if trained with `frame`."""
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
