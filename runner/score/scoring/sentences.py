"""A saved model and texts to the log-probability of every token that counts, and to a table of what they ask."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel, position_limit
from runner.score.scoring.batches import PLACES, Work, causal_work, masked_work
from runner.score.scoring.convention import Convention, check_fits
from runner.score.scoring.encoded import Encoded
from runner.score.scoring.table import Total
from runner.score.scoring.unigram import unigram_logs, unigram_sum
from runner.score.scoring.word_edges import Edges, Masses

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

Progress: TypeAlias = Callable[[int, int], None]
Tokens: TypeAlias = "NDArray[np.float64]"  # ln p of the scored tokens of one sentence


@dataclass(frozen=True)
class Prepared:
    """Sentences encoded and in batches: what every checkpoint of one training shares.

    `tabulate` makes the suite's table of the sentences' tokens and of their sums; `keys` are columns that say of each
    sentence which one of the suite it is.
    """

    convention: Convention
    texts: Sequence[str]
    sentences: Sequence[Encoded]
    work: Work
    tabulate: Callable[[Sequence[Tokens], Sequence[Total]], pa.Table]
    keys: Mapping[str, Sequence[str | int]] = field(default_factory=dict)
    edges: Edges | None = None  # what the work asks beside the sentences' tokens


@dataclass(frozen=True)
class Scored:
    """What one model gives the sentences of a suite: the suite's table, each sentence's tokens, and its edges."""

    table: pa.Table
    tokens: Sequence[Tokens]
    masses: Sequence[Masses] = ()


def check(saved: SavedModel, convention: Convention) -> None:
    """InputError where a model cannot be scored so: it is of the other kind (FICT813), or has no counts (FICT814)."""
    check_fits(convention, masked=saved.masked, model=saved.folder.name)
    if convention.normalise in ("slor", "normlp") and saved.counts is None:
        raise InputError(diagnostic("FICT814", name=convention.normalise))


def batched(
    saved: SavedModel, texts: Sequence[str], sentences: Sequence[Encoded], convention: Convention, places: int = PLACES
) -> Work:
    """Encoded sentences to batches, which serve every model with the same tokenizer.

    InputError: a sentence longer than the model reads (FICT816), no mask token (FICT815).
    """
    check_lengths(saved, texts, sentences, convention)
    if not convention.masked:
        return causal_work(sentences, places)
    mask = saved.tokenizer.mask_token_id
    if mask is None:
        setting = f"probability = {convention.probability}"
        raise InputError(diagnostic("FICT815", model=saved.folder.name, token="mask", setting=setting))
    return masked_work(sentences, int(mask), places)


def check_lengths(
    saved: SavedModel, texts: Sequence[str], sentences: Sequence[Encoded], convention: Convention
) -> None:
    """InputError (FICT816) where a sentence is longer than the model reads."""
    limit = position_limit(saved)
    if limit is None:
        return
    unread = 0 if convention.masked else 1  # the last token is predicted only
    for text, sentence in zip(texts, sentences, strict=True):
        if len(sentence.ids) - unread > limit:
            raise InputError(diagnostic("FICT816", text=text, found=len(sentence.ids) - unread, limit=limit))


def score(saved: SavedModel, prepared: Prepared, on_progress: Progress | None = None) -> Scored:
    """Ask a model for everything that was prepared. `on_progress` gets (done, all) sequences that the model reads.

    InputError (FICT821) for a sentence whose log-probability is infinite or not a number.
    """
    from runner.score.scoring.surprisal import log_probabilities

    edges, dtype = prepared.edges, prepared.convention.dtype
    sets = () if edges is None else edges.sets
    found = log_probabilities(saved.model, prepared.work, dtype=dtype, sets=sets, on_progress=on_progress)
    tokens, masses = prepared.work.split(found), list[Masses]()
    if edges is not None:
        tokens, masses = edges.apart(prepared.sentences, tokens)
    _check_finite(saved, prepared.texts, tokens)
    logs = None if saved.counts is None else unigram_logs(saved.counts)
    # fsum rounds once, so that the order of the tokens does not matter
    totals = [
        Total(math.fsum(values), len(values), None if logs is None else unigram_sum(logs, sentence.scored))
        for sentence, values in zip(prepared.sentences, tokens, strict=True)
    ]
    return Scored(prepared.tabulate(tokens, totals), tokens, masses)


def _check_finite(saved: SavedModel, texts: Sequence[str], tokens: Sequence[Tokens]) -> None:
    for text, values in zip(texts, tokens, strict=True):
        if not math.isfinite(total := float(values.sum())):
            raise InputError(diagnostic("FICT821", path=saved.folder, text=text, value=total))
