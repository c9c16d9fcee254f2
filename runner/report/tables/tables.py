"""Statistics to tables: accuracies, deltas, perplexities, corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from runner.manifest.model import BASELINE
from runner.report.analysis.accuracies import baseline
from runner.report.analysis.score_names import probability_name
from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, Unit, controls_of, full_of
from runner.report.tables.model_tables import comparisons, relations
from runner.report.tables.table import Column, Kind, Table, Value
from runner.score.statistics.inference import Difference


def all_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Every table of the report, in the order of the page."""
    makers: tuple[Callable[[Analysis], Table], ...] = (
        targeted,
        contrasts,
        accuracy,
        perplexity,
        probability,
        comparisons,
        relations,
        corpora,
        filters,
        detectable,
        failed,
    )
    return tuple(make(analysis) for make in makers)


def _difference(prefix: str, title: str, kind: Kind, level: str) -> tuple[Column, ...]:
    return (
        Column(f"{prefix}", title, kind),
        Column(f"{prefix}_low", f"{level} low", kind, "Welch t interval over seeds"),
        Column(f"{prefix}_high", f"{level} high", kind, "Welch t interval over seeds"),
    )


def _interval(difference: Difference | None) -> tuple[Value, ...]:
    return (None,) * 3 if difference is None else (difference.delta, difference.low, difference.high)


def seeds_text(by_seed: dict[int, float]) -> str:
    """`1:0.8125 2:0.79` (seed and value), in order of seeds."""
    return " ".join(f"{seed}:{value!r}" for seed, value in sorted(by_seed.items()))


def _contrast_columns(analysis: Analysis) -> tuple[Column, ...]:
    level = f"{analysis.results.run.report.confidence:.0%}"
    return (
        Column("reference", "reference", help="the condition that is subtracted"),
        *_difference("delta", "delta", "points", level),
        Column("se", "SE", "points", "standard error of the difference over seeds"),
        Column("df", "df", "number", "Welch-Satterthwaite degrees of freedom"),
        Column("p", "p", "p", "two-sided Welch t test over seeds"),
        Column("holm", "Holm p", "p", "adjusted over the targeted contrasts against this kind of reference"),
        Column("bh", "BH p", "p", "Benjamini-Hochberg, the same family"),
        Column("bootstrap_low", "bootstrap low", "points", "hierarchical bootstrap, seed × item"),
        Column("bootstrap_high", "bootstrap high", "points", "hierarchical bootstrap, seed × item"),
        *_difference("paired", "paired delta", "points", f"paired {level}"),
        Column("seed_correlation", "seed r", "number", "correlation between paired seeds"),
        Column("n", "seeds", "count"),
        Column("n_reference", "reference seeds", "count"),
        Column("verdict", "verdict", help="where the Welch interval lies"),
        Column("note", "note"),
    )


def _contrast_values(contrast: Contrast | None) -> tuple[Value, ...]:
    if contrast is None:
        return (None,) * 19
    d, boot = contrast.difference, contrast.bootstrap or (None, None)
    paired = contrast.paired
    return (
        contrast.reference,
        *_interval(d),
        d.se,
        d.df,
        d.p,
        contrast.holm,
        contrast.bh,
        *boot,
        *_interval(paired),
        paired.correlation if paired else None,
        d.n_a,
        d.n_b,
        contrast.verdict,
        d.note,
    )


def contrasts(analysis: Analysis) -> Table:
    """Every difference between a condition and a reference, long form, paradigms and groups."""
    head = (
        Column("level", "level"),
        Column("suite", "suite"),
        Column("name", "paradigm or group"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("against", "against"),
        Column("targeted", "targeted", "yes"),
        Column("accuracy", "accuracy", "percent"),
        Column("reference_accuracy", "reference accuracy", "percent"),
    )
    rows = tuple(
        (
            *(c.unit.level, c.unit.suite, c.unit.name, c.condition, c.model, c.against, c.targeted),
            c.difference.mean_a,
            c.difference.mean_b,
            *_contrast_values(c),
        )
        for c in analysis.contrasts.values()
    )
    return Table("contrasts", "Accuracy deltas", (*head, *_contrast_columns(analysis)), rows)


def targeted(analysis: Analysis) -> Table:
    """One row a targeted paradigm, condition and model: the control first, then full beside it."""
    head = (
        Column("suite", "suite"),
        Column("paradigm", "paradigm"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("full", "full", "percent"),
        Column("control", "control", "percent"),
        Column("after", "after", "percent"),
        Column("unigram", "unigram", "percent", "a model that knows only word frequencies"),
    )
    level = f"{analysis.results.run.report.confidence:.0%}"
    against_full = (
        *_difference("delta_full", "− full", "points", level),
        Column("p_full", "p against full", "p"),
        Column("holm_full", "Holm p against full", "p"),
        Column("bh_full", "BH p against full", "p"),
    )
    full = full_of(analysis.results)
    rows = []
    for unit, condition, model in targeted_cells(analysis):
        mine = analysis.accuracies.get((unit, condition, model))
        whole = analysis.accuracies.get((unit, full.name, model)) if full else None
        control = main_contrast(analysis, unit, condition, model, "control")
        other = main_contrast(analysis, unit, condition, model, "full")
        adjusted = (other.difference.p, other.holm, other.bh) if other else (None,) * 3
        rows.append(
            (
                *(unit.suite, unit.name, condition, model, whole.mean if whole else None),
                control.difference.mean_b if control else None,
                mine.mean if mine else None,
                baseline(analysis, unit),
                *_contrast_values(control),
                *_interval(other.difference if other else None),
                *adjusted,
            )
        )
    columns = (*head, *_contrast_columns(analysis), *against_full)
    return Table("targeted", "Targeted paradigms", columns, tuple(rows))


def targeted_cells(analysis: Analysis) -> list[tuple[Unit, str, str]]:
    """Targeted (paradigm, condition, model) in the order of conditions, suites and models."""
    return [
        (Unit("paradigm", p.suite, p.name), condition.name, model)
        for condition in analysis.results.conditions
        for p in analysis.results.paradigms
        if p.key in analysis.targets[condition.name]
        for model in analysis.results.models
        if (Unit("paradigm", p.suite, p.name), condition.name, model) in analysis.accuracies
    ]


def main_contrast(analysis: Analysis, unit: Unit, condition: str, model: str, against: str) -> Contrast | None:
    """The contrast against full, or against the first control that has scores."""
    full = full_of(analysis.results)
    names = [full.name] if against == "full" and full else []
    if against == "control":
        names = [control.name for control in controls_of(analysis.results, condition)]
    found = (analysis.contrasts.get((unit, condition, model, name)) for name in names)
    return next((contrast for contrast in found if contrast is not None), None)


def accuracy(analysis: Analysis) -> Table:
    """Every accuracy: paradigms, phenomena, fields and suites, the unigram baseline as a model of its own."""
    columns = (
        Column("level", "level"),
        Column("suite", "suite"),
        Column("name", "paradigm or group"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("accuracy", "accuracy", "percent"),
        Column("sd", "SD", "points", "between seeds"),
        Column("n", "seeds", "count"),
        Column("by_seed", "by seed", "list"),
        Column("unigram", "unigram", "percent"),
        Column("pairs", "pairs", "count", "of a group: paradigms"),
        Column("applicable", "applicable", "count"),
        Column("ties", "ties", "percent", "share of applicable pairs with equal scores"),
        Column("identical", "identical", "count", "the tokenizer makes both sentences equal; not applicable"),
        Column("unknown", "unknown words", "count", "pairs with an unknown word"),
        Column("unscored", "unscored", "count", "pairs without a score that are not identical"),
    )
    rows = tuple(_accuracy_row(analysis, one) for one in analysis.accuracies.values())
    return Table("accuracy", "Accuracies", columns, rows)


def _accuracy_row(analysis: Analysis, one: Accuracy) -> tuple[Value, ...]:
    counts: tuple[Value, ...] = (one.applicable, one.ties, one.identical, one.unknown, one.unscored)
    return (
        *(one.unit.level, one.unit.suite, one.unit.name, one.condition, one.model, one.mean, one.sd),
        len(one.by_seed),
        seeds_text(one.by_seed),
        None if one.model == BASELINE else baseline(analysis, one.unit),
        one.pairs or None,
        *(counts if one.unit.level == "paradigm" and one.pairs else (None,) * 5),
    )


def perplexity(analysis: Analysis) -> Table:
    """Perplexity a text, model and condition, and its change against the control, else against full."""
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("text", "text"),
        Column("model", "model"),
        Column("condition", "condition"),
        Column("perplexity", "perplexity", "number"),
        Column("n", "seeds", "count"),
        Column("by_seed", "by seed", "list"),
        Column("tokens", "tokens", "count", "predicted tokens of the text"),
        Column("pseudo", "pseudo", "yes", "of masked words: not to be held beside that of a causal model"),
        Column("frequencies", "by frequencies", "number", "perplexity by the frequencies of the training text's words"),
        Column("reference", "reference"),
        *_difference("change", "change", "number", level),
    )
    rows = []
    for one in analysis.texts:
        head: tuple[Value, ...] = (one.text, one.model, one.condition, one.mean, len(one.by_seed))
        text = (seeds_text(one.by_seed), one.tokens, one.model in analysis.results.run.masked, one.frequencies)
        rows.append((*head, *text, one.reference, *_interval(one.change)))
    return Table("perplexity", "Perplexities", columns, tuple(rows))


def probability(analysis: Analysis) -> Table:
    """Probability deltas and robustness, every paradigm."""
    scores = probability_name(analysis)
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("suite", "suite"),
        Column("paradigm", "paradigm"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("targeted", "targeted", "yes"),
        Column("full", "PΔ full", "number", f"mean over items of {scores.difference}, {scores.unit}"),
        Column("after", "PΔ after", "number"),
        *_difference("change", "ΔPΔ", "number", level),
        Column("robustness", "r", "number", "Pearson over items of PΔ before and after"),
        Column("ceiling", "ceiling", "number", "what r would be if only the seeds differed"),
        Column("split_half", "split-half", "number", "r between halves of the full models' seeds"),
        Column("items", "items", "count"),
    )
    rows = tuple(
        (
            *(one.unit.suite, one.unit.name, one.condition, one.model, one.targeted, one.full, one.after),
            *_interval(one.change),
            *(one.robustness, one.ceiling, one.split_half, one.items),
        )
        for one in analysis.probabilities
    )
    return Table("probability", "Probability deltas", columns, rows)


def corpora(analysis: Analysis) -> Table:
    """Sizes of the conditions, what was removed, and their overlap with each suite."""
    suites = dict.fromkeys(suite for condition in analysis.results.conditions for suite in condition.overlap)
    columns = (
        Column("condition", "condition"),
        Column("kind", "kind"),
        Column("control_of", "control of"),
        Column("sentences", "sentences", "count"),
        Column("words", "words", "count"),
        Column("tokens", "tokens", "count", "after encoding"),
        Column("removed_sentences", "removed sentences", "count"),
        Column("removed_words", "removed words", "count"),
        Column("unknown_rate", "unknown", "percent", "share of tokens that the vocabulary lacks"),
        *(
            Column(f"overlap_{suite}", f"in {suite}", "count", "sentences of the suite found verbatim in the corpus")
            for suite in suites
        ),
    )
    rows = tuple(
        (
            *(c.name, c.kind, c.control_of, c.sentences, c.words, c.tokens, c.removed_sentences, c.removed_words),
            c.unknown_rate,
            *(c.overlap.get(suite) for suite in suites),
        )
        for c in analysis.results.conditions
    )
    return Table("corpora", "Corpora", columns, rows)


def filters(analysis: Analysis) -> Table:
    """Which filters made which condition, what each matched and targets."""
    columns = (
        Column("condition", "condition"),
        Column("filter", "filter"),
        Column("matched", "sentences matched", "count"),
        Column("targets", "targets", "list"),
        Column("key", "key", help="hash of the filter's canonical form"),
    )
    rows = tuple(
        (condition.name, one.name, condition.matched.get(one.name), " ".join(one.targets), one.key)
        for condition in analysis.results.conditions
        for one in condition.filters
    )
    return Table("filters", "Filters", columns, rows)


def detectable(analysis: Analysis) -> Table:
    """The power statement."""
    columns = (
        Column("model", "model"),
        Column("cells", "cells"),
        Column("groups", "groups", "count", "paradigm × condition"),
        Column("sd", "SD between seeds", "points", "pooled"),
        Column("n", "seeds a side", "count"),
        Column("delta", "smallest detectable delta", "points", "80 % power, two-sided 5 %, one uncorrected test"),
    )
    rows = tuple((d.model, d.cells, d.groups, d.sd, d.seeds, d.delta) for d in analysis.detectable)
    return Table("detectable", "What could have been detected", columns, rows)


def failed(analysis: Analysis) -> Table:
    """Cells without scores."""
    columns = (Column("condition", "condition"), Column("model", "model"), Column("seed", "seed", "count"))
    rows: Iterable[tuple[Value, ...]] = ((f.condition, f.model, f.seed, f.error) for f in analysis.results.run.failed)
    return Table("failed", "Failed cells", (*columns, Column("error", "error")), tuple(rows))
