"""Perplexities of texts, and the tables of perplexities and probability deltas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fictdsl.words import counted
from runner import formatting
from runner.report.accuracy_tables import seeds_text
from runner.report.results import Condition
from runner.report.section import Section
from runner.report.statistics import Analysis, TextScore, Unit, controls_of, probability_name
from runner.score.intervals import WELCH
from runner.tables import Cell, Column, Kind, Table, Value


def perplexity(analysis: Analysis) -> Table:
    """Return the perplexity of each text, model and condition, and its change from the control or from full."""
    masked = analysis.results.run.masked
    columns = (
        Column("text", "text"),
        Column("model", "model"),
        Column("condition", "condition"),
        Column("perplexity", "perplexity", "number", "mean"),
        Column("n", "seeds", "count", lambda score: len(score.by_seed)),
        Column("by_seed", "by seed", "list", lambda score: seeds_text(score.by_seed)),
        Column("tokens", "tokens", "count", help="predicted tokens of the text"),
        Column("pseudo", "pseudo", "yes", lambda score: score.model in masked, "pseudo-perplexity of masked words"),
        Column(
            "frequencies",
            "by frequencies",
            "number",
            "unigram_perplexity",
            "unigram perplexity, from the training text",
        ),
        Column("reference", "baseline"),
        *_change_columns("change", "change", "number", "condition − baseline", analysis),
    )
    return Table("perplexity", "Perplexities", columns, tuple(analysis.texts), shown=False)


def perplexities(analysis: Analysis) -> Table:
    """Return a table of perplexities and changes, with a row per condition and a column per text and model."""
    scores = {(score.condition, score.text, score.model): score for score in analysis.texts}
    texts = list(dict.fromkeys(score.text for score in analysis.texts))
    value_columns = [(name, model) for name in texts for model in analysis.results.models]
    columns = (
        Column("condition", "condition", "text", "name", look="name"),
        *(_perplexity_column(analysis, *column, scores) for column in value_columns),
    )
    conditions = tuple(
        condition
        for condition in analysis.results.conditions
        if any((condition.name, *column) in scores for column in value_columns)
    )
    spans = (("", 1), *((name, len(analysis.results.models)) for name in texts))
    return Table("perplexities", "", columns, conditions, spans=spans, saved=False)


def _perplexity_column(
    analysis: Analysis, text: str, model: str, scores: Mapping[tuple[str, str, str], TextScore]
) -> Column:
    def cell(condition: Condition) -> Cell | Value:
        return _perplexity_cell(analysis, scores.get((condition.name, text, model)))

    key = f"{text}, {model}"
    if model not in analysis.results.run.masked:
        return Column(key, model, "number", cell, f"perplexity of {text}")
    note = f"pseudo-perplexity of {text}, of masked words; not comparable with a causal model's"
    return Column(key, f"{model} (pseudo)", "number", cell, note)


def _perplexity_cell(analysis: Analysis, score: TextScore | None) -> Cell | Value:
    if score is None:
        return None
    tokens = f", {counted(score.tokens, 'token')}" if score.tokens is not None else ""
    tip = f"{score.text} · {score.condition} · {score.model}{tokens}\n" + ", ".join(
        f"{formatting.number(value)} (seed {seed})" for seed, value in score.by_seed.items()
    )
    if score.unigram_perplexity is not None:
        tip += f"\nword frequencies alone: {formatting.number(score.unigram_perplexity)}"
    small = ""
    if score.difference is not None:
        small = f"{formatting.signed(score.difference.delta)} against {score.reference}"
        if score.difference.low is not None:
            level = formatting.percentage(analysis.results.run.report.confidence)
            ends = f"[{formatting.signed(score.difference.low)}, {formatting.signed(score.difference.high)}]"
            tip += f"\n{small}, {level} interval {ends}"
    return Cell(score.mean, small=small, tip=tip)


def probability(analysis: Analysis) -> Table:
    """Return the probability deltas and the robustness of every paradigm, condition and model."""
    score_name = probability_name(analysis)
    columns = (
        Column("suite", "suite", "text", "unit.suite", shown=len(analysis.results.suites) > 1),
        Column("paradigm", "paradigm", "text", "unit.name", look="name"),
        Column(
            *("condition", "condition", "text"),
            lambda delta: Cell(delta.condition, look="" if delta.targeted else "quiet"),
        ),
        Column("model", "model"),
        Column("targeted", "targeted", "yes", shown=False),
        Column(
            "full",
            "PΔ full",
            "signed",
            help=f"mean over items of {score_name.difference} under full, {score_name.unit}",
        ),
        Column("after", "PΔ after", "signed", "under_condition", "the same under the condition's models"),
        *_change_columns("change", "ΔPΔ", "signed", f"after − full, {score_name.unit}", analysis),
        Column("robustness", "r", "number", help="Pearson's r over items of PΔ before and after; near 1 if PΔ is kept"),
        Column("ceiling", "ceiling", "number", help="expected r if only the seeds differed"),
        Column("split_half", "split-half", "number", help="r between halves of the full models' seeds"),
        Column("items", "items", "count"),
    )
    return Table("probability", "Probability deltas", columns, tuple(analysis.probability_deltas), shown=False)


def targeted_probability(analysis: Analysis) -> Table:
    """Return the probability deltas of targeted paradigms, under the targeting conditions and their controls."""

    def keep(row: dict[str, Value]) -> bool:
        return bool(row["targeted"]) or _is_control(
            analysis, str(row["condition"]), Unit("paradigm", str(row["suite"]), str(row["paradigm"]))
        )

    return probability(analysis).where("targeted-probability", keep)


def _is_control(analysis: Analysis, condition: str, unit: Unit) -> bool:
    """Return whether a condition is the control of a condition that targets the unit."""
    return any(
        f"{unit.suite}/{unit.name}" in keys
        and any(control.name == condition for control in controls_of(analysis.results, name))
        for name, keys in analysis.targets.items()
    )


def _change_columns(prefix: str, title: str, kind: Kind, difference: str, analysis: Analysis) -> tuple[Column, ...]:
    level = formatting.percentage(analysis.results.run.report.confidence)
    help_text = f"{difference}, with its {level} interval ({WELCH.name})"
    return (
        Column(prefix, title, kind, "difference.delta", help_text, interval=(f"{prefix}_low", f"{prefix}_high")),
        Column(f"{prefix}_low", f"{level} low", kind, "difference.low", WELCH.name, shown=False),
        Column(f"{prefix}_high", f"{level} high", kind, "difference.high", WELCH.name, shown=False),
    )


def sections(analysis: Analysis) -> Iterator[Section]:
    intro = (
        "exp(−Σ ln p / N) over all predicted tokens of a text, mean over seeds. The second line is the change against "
        "the control or, without one, the full corpus. Perplexities are comparable only between models with the same "
        "vocabulary."
    )
    if analysis.results.run.masked:
        intro += " A pseudo-perplexity is that of masked words; it is comparable only between masked models."
    yield Section("perplexity", "Perplexity", intro, (), (perplexities(analysis), perplexity(analysis)))


SECTIONS = {40: sections}
