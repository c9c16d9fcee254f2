"""Descriptions of the report's methods for its readers."""

from __future__ import annotations

from runner.report.analysis.score_names import ScoreName
from runner.report.render import format as write


def methods(confidence: float, scores: ScoreName) -> tuple[tuple[str, str], ...]:
    """Return terms and their definitions in the order of the page. PΔ is a difference of `scores`."""
    level = write.share(confidence)
    return (
        (
            "accuracy",
            "Share of applicable pairs whose good sentence has the higher score. The accuracy of a group is the "
            "unweighted mean over its paradigms, computed seed by seed.",
        ),
        (
            "delta",
            "acc(condition) − mean over seeds of acc(reference), in points (Patil et al. 2024, eq. 1). The error "
            "includes the reference's variation: SE² is the sum of s²/n over both sides. A paradigm's delta is over "
            "the pairs that apply to both sides, a group's over the paradigms that both sides have.",
        ),
        (
            "interval",
            f"{level} t interval of the difference of means over seeds, with Welch-Satterthwaite degrees of freedom. "
            "It estimates how much the delta would vary with other seeds, for these pairs. A side with one seed has "
            "no interval.",
        ),
        (
            "bootstrap",
            "Percentile interval of 1,000 resamples with a fixed random seed. Seeds and pairs are drawn with "
            "replacement; both sides share the pairs. In contrast to the t interval, it also estimates how much the "
            "delta would vary with other pairs.",
        ),
        (
            "paired by seed",
            "In targeted.csv and contrasts.csv: differences between models of equal seed. Pairing helps only if models "
            "of equal seed are correlated, which the seed correlation shows. The Welch interval does not assume it.",
        ),
        (
            "Holm, BH",
            "Adjusted p-values of the Welch test. A family consists of all targeted paradigm × condition × model "
            "cells, separately for tests against controls and against full.",
        ),
        (
            "paired tests",
            "t = d̄ / (s_d/√n) over n corpora or benchmarks, each averaged over seeds and over the other kind. d_z "
            "is the mean difference divided by the SD of the differences; d pooled divides by √((s²_a + s²_b)/2). "
            "Holm and BH correct over tests with the same units and sides; tests over all corpora form one family "
            "with full and one without.",
        ),
        (
            "correlations",
            "Pearson's r with Fisher's interval tanh(atanh r ± z/√(n − 3)); p from t with n − 2 degrees of freedom.",
        ),
        (
            "unigram baseline",
            "The same pairs, scored by word frequencies of the training text. If it is far from 50 %, accuracy says "
            "less about grammar.",
        ),
        (
            "PΔ, r, ceiling",
            f"PΔ = {scores.difference}, mean over seeds (eq. 2); r is Pearson's correlation over pairs. The ceiling "
            "is the mean correlation between halves of the full models' seeds, adjusted to the number of seeds "
            "compared (Spearman-Brown).",
        ),
        (
            "detectable delta",
            "Noncentral t, power 0.8, two-sided 5 %, with the standard deviation between seeds pooled over paradigms "
            "and conditions.",
        ),
        (
            "overlap",
            "Sentences of a suite that occur verbatim in a condition's training text.",
        ),
    )
