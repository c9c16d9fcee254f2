"""Tables of accuracies, deltas, perplexities and corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from runner.manifest.model import BASELINE
from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.score_names import probability_name
from runner.report.analysis.statistics import Accuracy, Analysis, Contrast, Unit, full_condition, random_controls
from runner.report.tables.model_tables import comparisons, relations
from runner.report.tables.table import Column, Kind, Table, Value
from runner.score.statistics.inference import Difference


def all_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Return every table of the report, in the order of the page."""
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
    """Format values by seed, in order of seeds: `1:0.8125 2:0.79`."""
    return " ".join(f"{seed}:{value!r}" for seed, value in sorted(by_seed.items()))


def _contrast_columns(analysis: Analysis) -> tuple[Column, ...]:
    level = f"{analysis.results.run.report.confidence:.0%}"
    return (
        Column("reference", "reference", help="the condition that is subtracted"),
        *_difference("delta", "delta", "points", level),
        Column("se", "SE", "points", "standard error of the difference over seeds"),
        Column("df", "df", "number", "Welch-Satterthwaite degrees of freedom"),
        Column("p", "p", "p", "two-sided Welch t test over seeds"),
        Column("holm", "Holm p", "p", "adjusted over the targeted contrasts with this kind of reference"),
        Column("bh", "BH p", "p", "Benjamini-Hochberg, over the same contrasts"),
        Column("bootstrap_low", "bootstrap low", "points", "hierarchical bootstrap, seed × item"),
        Column("bootstrap_high", "bootstrap high", "points", "hierarchical bootstrap, seed × item"),
        *_difference("paired", "paired delta", "points", f"paired {level}"),
        Column("seed_correlation", "seed r", "number", "correlation between paired seeds"),
        Column("n", "seeds", "count"),
        Column("n_reference", "reference seeds", "count"),
        Column("verdict", "verdict", help="position of the Welch interval relative to zero"),
        Column("note", "note"),
    )


def _contrast_values(contrast: Contrast | None) -> tuple[Value, ...]:
    if contrast is None:
        return (None,) * 19
    difference, bootstrap = contrast.difference, contrast.bootstrap or (None, None)
    paired = contrast.paired
    return (
        contrast.reference,
        *_interval(difference),
        difference.se,
        difference.df,
        difference.p,
        contrast.holm,
        contrast.bh,
        *bootstrap,
        *_interval(paired),
        paired.correlation if paired else None,
        difference.n_a,
        difference.n_b,
        contrast.verdict,
        difference.note,
    )


def contrasts(analysis: Analysis) -> Table:
    """Return every difference between a condition and a reference, for paradigms and groups, in long form."""
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
    """Return one row per targeted paradigm, condition and model, with its contrasts with the control and with full."""
    head = (
        Column("suite", "suite"),
        Column("paradigm", "paradigm"),
        Column("condition", "condition"),
        Column("model", "model"),
        Column("full", "full", "percent"),
        Column("control", "control", "percent"),
        Column("after", "after", "percent"),
        Column("unigram", "unigram", "percent", "the accuracy of word frequencies alone"),
    )
    level = f"{analysis.results.run.report.confidence:.0%}"
    against_full = (
        *_difference("delta_full", "− full", "points", level),
        Column("p_full", "p against full", "p"),
        Column("holm_full", "Holm p against full", "p"),
        Column("bh_full", "BH p against full", "p"),
    )
    full = full_condition(analysis.results)
    rows = []
    for unit, condition, model in targeted_cells(analysis):
        after = analysis.accuracies.get((unit, condition, model))
        full_accuracy = analysis.accuracies.get((unit, full.name, model)) if full else None
        control_contrast = main_contrast(analysis, unit, condition, model, "control")
        against_full_contrast = main_contrast(analysis, unit, condition, model, "full")
        adjusted = (
            (against_full_contrast.difference.p, against_full_contrast.holm, against_full_contrast.bh)
            if against_full_contrast
            else (None,) * 3
        )
        rows.append(
            (
                *(unit.suite, unit.name, condition, model, full_accuracy.mean if full_accuracy else None),
                control_contrast.difference.mean_b if control_contrast else None,
                after.mean if after else None,
                unigram_accuracy(analysis, unit),
                *_contrast_values(control_contrast),
                *_interval(against_full_contrast.difference if against_full_contrast else None),
                *adjusted,
            )
        )
    columns = (*head, *_contrast_columns(analysis), *against_full)
    return Table("targeted", "Targeted paradigms", columns, tuple(rows))


def targeted_cells(analysis: Analysis) -> list[tuple[Unit, str, str]]:
    """Return the targeted (paradigm, condition, model) in the order of conditions, suites and models."""
    return [
        (Unit("paradigm", p.suite, p.name), condition.name, model)
        for condition in analysis.results.conditions
        for p in analysis.results.paradigms
        if p.key in analysis.targets[condition.name]
        for model in analysis.results.models
        if (Unit("paradigm", p.suite, p.name), condition.name, model) in analysis.accuracies
    ]


def main_contrast(analysis: Analysis, unit: Unit, condition: str, model: str, against: str) -> Contrast | None:
    """Return the contrast with full, or with the first control that has scores."""
    full = full_condition(analysis.results)
    names = [full.name] if against == "full" and full else []
    if against == "control":
        names = [control.name for control in random_controls(analysis.results, condition)]
    candidates = (analysis.contrasts.get((unit, condition, model, name)) for name in names)
    return next((contrast for contrast in candidates if contrast is not None), None)


def accuracy(analysis: Analysis) -> Table:
    """Return every accuracy of paradigms, phenomena, fields and suites. The unigram baseline counts as a model."""
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
        Column("pairs", "pairs", "count", "of a group: its number of paradigms"),
        Column("applicable", "applicable", "count"),
        Column("ties", "ties", "percent", "share of applicable pairs with equal scores"),
        Column("identical", "identical", "count", "pairs that the tokenizer makes identical; not applicable"),
        Column("unknown", "unknown words", "count", "pairs with an unknown word"),
        Column("unscored", "unscored", "count", "pairs that are neither scored nor identical"),
    )
    rows = tuple(_accuracy_row(analysis, row_accuracy) for row_accuracy in analysis.accuracies.values())
    return Table("accuracy", "Accuracies", columns, rows)


def _accuracy_row(analysis: Analysis, row: Accuracy) -> tuple[Value, ...]:
    counts: tuple[Value, ...] = (row.applicable, row.ties, row.identical, row.unknown, row.unscored)
    return (
        *(row.unit.level, row.unit.suite, row.unit.name, row.condition, row.model, row.mean, row.sd),
        len(row.by_seed),
        seeds_text(row.by_seed),
        None if row.model == BASELINE else unigram_accuracy(analysis, row.unit),
        row.pairs or None,
        *(counts if row.unit.level == "paradigm" and row.pairs else (None,) * 5),
    )


def perplexity(analysis: Analysis) -> Table:
    """Return the perplexity of each text, model and condition, and its change against the control or else full."""
    level = f"{analysis.results.run.report.confidence:.0%}"
    columns = (
        Column("text", "text"),
        Column("model", "model"),
        Column("condition", "condition"),
        Column("perplexity", "perplexity", "number"),
        Column("n", "seeds", "count"),
        Column("by_seed", "by seed", "list"),
        Column("tokens", "tokens", "count", "predicted tokens of the text"),
        Column(
            "pseudo", "pseudo", "yes", "pseudo-perplexity of masked words; not comparable with that of a causal model"
        ),
        Column("frequencies", "by frequencies", "number", "perplexity under word frequencies of the training text"),
        Column("reference", "reference"),
        *_difference("change", "change", "number", level),
    )
    rows = []
    for score in analysis.texts:
        head: tuple[Value, ...] = (score.text, score.model, score.condition, score.mean, len(score.by_seed))
        text = (seeds_text(score.by_seed), score.tokens, score.model in analysis.results.run.masked, score.frequencies)
        rows.append((*head, *text, score.reference, *_interval(score.change)))
    return Table("perplexity", "Perplexities", columns, tuple(rows))


def probability(analysis: Analysis) -> Table:
    """Return probability deltas and robustness of every paradigm."""
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
        Column("robustness", "r", "number", "Pearson's r over items of PΔ before and after"),
        Column("ceiling", "ceiling", "number", "expected r if only the seeds differed"),
        Column("split_half", "split-half", "number", "r between halves of the full models' seeds"),
        Column("items", "items", "count"),
    )
    rows = tuple(
        (
            *(delta.unit.suite, delta.unit.name, delta.condition, delta.model, delta.targeted, delta.full, delta.after),
            *_interval(delta.change),
            *(delta.robustness, delta.ceiling, delta.split_half, delta.items),
        )
        for delta in analysis.probabilities
    )
    return Table("probability", "Probability deltas", columns, rows)


def corpora(analysis: Analysis) -> Table:
    """Return the sizes of the conditions, what was removed, and their overlap with each suite."""
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
        Column("unknown_rate", "unknown", "percent", "share of tokens outside the vocabulary"),
        *(
            Column(
                f"overlap_{suite}", f"in {suite}", "count", "sentences of the suite that occur verbatim in the corpus"
            )
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
    """Return the filters of each condition, with their matches and targets."""
    columns = (
        Column("condition", "condition"),
        Column("filter", "filter"),
        Column("matched", "sentences matched", "count"),
        Column("targets", "targets", "list"),
        Column("key", "key", help="hash of the filter's canonical form"),
    )
    rows = tuple(
        (condition.name, filter_.name, condition.matched.get(filter_.name), " ".join(filter_.targets), filter_.key)
        for condition in analysis.results.conditions
        for filter_ in condition.filters
    )
    return Table("filters", "Filters", columns, rows)


def detectable(analysis: Analysis) -> Table:
    """Return the detectable deltas."""
    columns = (
        Column("model", "model"),
        Column("cells", "cells"),
        Column("groups", "groups", "count", "paradigm × condition"),
        Column("sd", "SD between seeds", "points", "pooled"),
        Column("n", "seeds per side", "count"),
        Column("delta", "smallest detectable delta", "points", "80 % power, two-sided 5 %, one uncorrected test"),
    )
    rows = tuple((d.model, d.cells, d.groups, d.sd, d.seeds, d.delta) for d in analysis.detectable)
    return Table("detectable", "Detectable deltas", columns, rows)


def failed(analysis: Analysis) -> Table:
    """Return the cells without scores."""
    columns = (Column("condition", "condition"), Column("model", "model"), Column("seed", "seed", "count"))
    rows: Iterable[tuple[Value, ...]] = ((f.condition, f.model, f.seed, f.error) for f in analysis.results.run.failed)
    return Table("failed", "Failed cells", (*columns, Column("error", "error")), tuple(rows))
