"""The main interval of the report, which treats both seeds and items as samples."""

from __future__ import annotations

import numpy as np

from runner.score.change import MIN_AGREEING_SEEDS, MIN_PAIRED_SEEDS, SHRINKAGE, Design, change
from runner.score.inference import Difference
from runner.score.intervals import Method, Sides

METHOD = Method(
    "crossed",
    "t over seeds × items",
    "Clark 1973; Satterthwaite 1946; Schäfer and Strimmer 2005",
    "It generalises to other seeds and other items. Its variance is V_seed + V_item − V_residual of the differences, "
    f"but at least half of the larger of V_seed and V_item. With at least {MIN_PAIRED_SEEDS} common seeds of one run, "
    "the differences are paired by seed, and the covariance of the two sides over seeds is multiplied by "
    f"{1 - SHRINKAGE}; otherwise each side has its own variance over seeds or, if one side has fewer than "
    f"{MIN_PAIRED_SEEDS} seeds and the other more than it, the variance of both sides together. With one seed on both "
    "sides it is over items only. It lies within ±100 points. If all decisions of a paradigm agree, the width of the "
    "Clopper–Pearson interval for 0 successes in as many items, divided by the number of paradigms, is another source. "
    "If nothing else varies, the interval is over items only, and fewer than "
    f"{MIN_AGREEING_SEEDS} seeds do not show that the accuracy held.",
)
AGREEING = "items only, as all seeds agree"
DESIGNS: dict[Design, str] = {
    "paired": "seeds × items, seeds paired",
    "unpaired": "seeds × items, seeds unpaired",
    "common variance": "seeds × items, seeds unpaired with a common variance",
    "items": "one seed, over items only",
}


def interval(sides: Sides) -> Difference | None:
    """Return the change over seeds and items, or None if the items are unknown or too few."""
    if not sides.decisions or not sides.a or not sides.b:
        return None
    common = sides.common_seeds
    paired = sides.seeds_paired and len(common) >= MIN_PAIRED_SEEDS
    first, second = sides.of_seeds(common, common) if paired else sides.of_seeds(tuple(sides.a), tuple(sides.b))
    result = change(first, second, paired=paired, confidence=sides.confidence)
    if result is None:
        return None
    mean_a, mean_b = (float(np.mean([decisions.mean() for decisions in side])) for side in (first, second))
    return Difference(
        result.estimate,
        mean_a,
        mean_b,
        *result.seeds,
        se=result.se,
        df=result.df,
        low=result.low,
        high=result.high,
        p=result.p,
        note=DESIGNS["items"] if result.design == "items" else "",
        method=AGREEING if result.se == 0 and result.design != "items" else DESIGNS[result.design],
    )
