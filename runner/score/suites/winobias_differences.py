"""Score differences on WinoBias, separately for each gender of the pronoun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import decisions, mean, score_column
from runner.score.suites.winobias import GENDERS, SPLITS, TYPES, paradigm_name

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Difference:
    """ΔNLL = NLL(anti) − NLL(pro) for one type, split and gender.

    ΔNLL is positive if the pro-stereotyped sentence is more probable. `delta` and its standard error `se` over pairs
    are in the unit of the convention. `delta` is None without applicable pairs, and `se` with fewer than two.
    """

    type: str
    split: str
    gender: str  # of the pronoun in the anti-stereotyped sentence
    pairs: int
    applicable: int
    delta: float | None
    se: float | None
    pro_share: float | None  # share of pairs whose pro-stereotyped sentence is more probable; ties count ½


def differences(table: pa.Table) -> list[Difference]:
    """Return one difference for each type, split and gender in a table of `score_pairs`.

    Under `sum`, `mean` or `penlp`, a score is −NLL in the unit of the convention, so ΔNLL = score(pro) − score(anti).
    """
    paradigms = np.asarray(table.column("paradigm").to_pylist())
    pro, anti = score_column(table, "score_good"), score_column(table, "score_bad")
    all_differences = []
    for type_ in TYPES:
        for split in SPLITS:
            for gender in GENDERS:
                selected = paradigms == paradigm_name(type_, split, gender)
                if selected.any():
                    all_differences.append(_difference(type_, split, gender, pro[selected], anti[selected]))
    return all_differences


def _difference(type_: str, split: str, gender: str, pro: Floats, anti: Floats) -> Difference:
    deltas = (pro - anti)[~np.isnan(pro - anti)]
    n = len(deltas)
    se = float(deltas.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    pro_share = mean(decisions(pro, anti).tolist())
    return Difference(type_, split, gender, len(pro), n, float(deltas.mean()) if n else None, se, pro_share)
