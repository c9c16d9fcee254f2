"""How every number of the report is computed, as sentences for its reader."""

from __future__ import annotations

from runner.report.analysis.score_names import ScoreName
from runner.report.render import format as write


def methods(confidence: float, scores: ScoreName) -> tuple[tuple[str, str], ...]:
    """Terms and their definitions, in the order of the page; `scores` are what PΔ is a difference of."""
    level = write.share(confidence)
    return (
        (
            "accuracy",
            "Share of applicable pairs whose good sentence scores higher. A group's is the unweighted mean over its "
            "paradigms, taken seed by seed.",
        ),
        (
            "delta",
            "acc(condition) − mean over seeds of acc(reference), in points (Patil et al. 2024, eq. 1). The reference's "
            "own spread is part of the error: SE² = s²/n of both sides. It is over the pairs that apply to both, a "
            "group's over the paradigms that both have.",
        ),
        (
            "interval",
            f"{level} t interval of the difference of means over seeds, degrees of freedom after Welch and "
            "Satterthwaite. It says how far another draw of seeds could move the delta, for these pairs. One seed on "
            "a side gives no interval.",
        ),
        (
            "bootstrap",
            "Second interval: seeds and pairs both drawn with replacement, pairs jointly for both sides, 1,000 "
            "resamples from a fixed start, percentiles. It says in addition how far another draw of pairs could move "
            "the delta.",
        ),
        (
            "paired by seed",
            "In targeted.csv and contrasts.csv: differences between models of equal seed. Pairing helps only where "
            "equal seeds go together, which their correlation shows; the Welch interval does not assume it.",
        ),
        (
            "Holm, BH",
            "Adjusted p-values of the Welch test. The family is every targeted paradigm × condition × model, "
            "separately for tests against controls and against full.",
        ),
        (
            "paired tests",
            "t = d̄ / (s_d/√n) over n corpora or benchmarks, each the mean over seeds and over the other kind. d_z is "
            "the mean of the differences over their standard deviation; d pooled divides by √((s²_a + s²_b)/2). Holm "
            "and BH are over the tests of the same units and sides; of tests over all corpora, over those with full or "
            "those without.",
        ),
        (
            "correlations",
            "Pearson's r with Fisher's interval tanh(atanh r ± z/√(n − 3)); p from t with n − 2 degrees of freedom.",
        ),
        (
            "unigram baseline",
            "The same pairs scored by word frequencies of the training text. Where it is far from 50 %, accuracy says "
            "less about grammar.",
        ),
        (
            "PΔ, r, ceiling",
            f"PΔ = {scores.difference}, mean over seeds (eq. 2); r is Pearson's over pairs. The ceiling takes the "
            "mean correlation between halves of the full models' seeds to the number of seeds compared "
            "(Spearman-Brown).",
        ),
        (
            "detectable delta",
            "Noncentral t, power 0.8, two-sided 5 %, with the standard deviation between seeds pooled over paradigms "
            "and conditions.",
        ),
        (
            "overlap",
            "Sentences of a suite that occur word for word in a condition's training text.",
        ),
    )
