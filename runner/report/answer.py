"""The answer at the top of the report: the question, the results and cautions, generated from the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from fictdsl.words import counted, inflected, listed
from runner import formatting
from runner.report.accuracies import small_paradigms
from runner.report.cautions import NEAR_CHANCE, can_drop, cautions, worse_than_frequencies
from runner.report.contrast_tables import main_contrast, targeted_cells
from runner.report.question import question
from runner.report.records import most_left
from runner.report.sections import MODULES
from runner.report.statistics import Analysis, Contrast, Headline, placebo_changes
from runner.score.change import Verdict
from runner.score.intervals import DESIGNS

MAX_NAMED_CHANGES = 4  # changes named in a sentence


def perplexity_changes(analysis: Analysis) -> str:
    changes = [
        (score.condition, score.model, score.reference, score.difference)
        for score in analysis.texts
        if score.text == analysis.texts[-1].text and score.difference is not None
    ]
    if not changes:
        return ""
    changes.sort(key=lambda row: -abs(row[3].delta))
    count = sum(change.low is not None and not change.low <= 0 <= (change.high or 0) for *_, change in changes)
    several_models = len(analysis.results.models) > 1
    descriptions = []
    for condition, model, reference, change in changes:
        interval = "" if change.low is None else f" [{formatting.signed(change.low)}, {formatting.signed(change.high)}]"
        name = f"{condition}, {model}" if several_models else condition
        descriptions.append(f"{name} {formatting.signed(change.delta)}{interval} against {reference}")
    return (
        f"No minimal pairs are scored, so corpora are compared by perplexity alone. Of "
        f"{counted(len(changes), 'change')} in the perplexity of {analysis.texts[-1].text}, {count or 'none'} "
        f"{inflected(count, 'has', 'have')} a {analysis.level} interval over seeds that excludes 0. "
        f"The largest: {formatting.abbreviated(descriptions, MAX_NAMED_CHANGES)}."
    )


VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_WITHIN_MARGIN: tuple[Verdict, ...] = ("fell within margin", "rose within margin")
MAX_NAMED_PARADIGMS = 3  # number of paradigms in a sentence; the lists below the paragraph have all of them


@dataclass(frozen=True, slots=True)
class Finding:
    paradigm: str
    condition: str
    model: str
    verdict: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Answer:
    alerts: tuple[str, ...]  # what voids the report or parts of it; its first lines
    question: str
    paragraph: str
    findings: tuple[Finding, ...]
    cautions: tuple[str, ...]


def answer(analysis: Analysis) -> Answer:
    candidates = [main_contrast(analysis, *cell) for cell in targeted_cells(analysis)]
    contrasts = [contrast for contrast in candidates if contrast is not None]
    paragraph = " ".join(_sentences(analysis, contrasts))
    findings = []
    for contrast in contrasts:
        change, verdict = contrast.difference, contrast.verdict or "undecided"
        sentence = (
            f"{formatting.percent(change.mean_a)} % against {formatting.percent(change.mean_b)} %: "
            f"{formatting.points(change.delta)} {formatting.interval(change.low, change.high)}"
        )
        label = analysis.label(contrast.unit)
        findings.append(Finding(label, contrast.condition, contrast.model, verdict, sentence))
    alerts = (*analysis.results.state, *worse_than_frequencies(analysis))
    return Answer(alerts, question(analysis), paragraph, tuple(findings), tuple(cautions(analysis, contrasts)))


def _sentences(analysis: Analysis, contrasts: list[Contrast]) -> Iterable[str]:
    if not contrasts:
        yield from _without_targets(analysis)
        return
    margin = f"{analysis.results.run.report.equivalence:g}"
    by_verdict = {verdict: [contrast for contrast in contrasts if contrast.verdict == verdict] for verdict in VERDICTS}
    baseline = "the control" if all(contrast.reference_kind == "control" for contrast in contrasts) else "the baseline"
    by_less = f", by less than {margin} points"
    predicates: dict[Verdict, str] = {
        "fell": f"fell below {baseline}",
        "fell within margin": f"fell{'' if by_verdict['fell'] else f' below {baseline}'}{by_less}",
        "rose": "rose",
        "rose within margin": f"rose{by_less}",
        "held": f"held within ±{margin} points",
        "undecided": f"{inflected(len(by_verdict['undecided']), 'is', 'are')} undecided",
        "not tested": f"{inflected(len(by_verdict['not tested']), 'is', 'are')} not tested",
    }
    clauses = [
        f"{len(group)} {predicates[verdict]}{_cell_list(analysis, group)}"
        f"{_left(analysis, group) + _hardly_able_to_fall(analysis, group) if verdict == 'held' else ''}"
        for verdict, group in by_verdict.items()
        if group
    ]
    tested = [contrast for contrast in contrasts if contrast.verdict != "not tested"]
    if tested and not by_verdict["fell"] and not by_verdict["fell within margin"]:
        clauses.insert(0, f"none fell below {baseline}")
    compared = counted(len(contrasts), "targeted comparison")
    yield f"Of {compared} (paradigm × condition × model), {'; '.join(clauses)}."
    yield from _overall(analysis)
    yield from _scope(analysis, tested)
    yield from _untargeted(analysis)


def _left(analysis: Analysis, held: Sequence[Contrast]) -> str:
    """Return how many instances an audit leaves at most in the corpora of conditions, if it knows that of one."""
    conditions = [analysis.results.condition(name) for name in dict.fromkeys(contrast.condition for contrast in held)]
    bounds = [(each.name, formatting.count(most_left(each))) for each in conditions if most_left(each) is not None]
    if not bounds:
        return ""
    named = bounds[0][1] if len(conditions) == 1 else listed([f"{bound} ({name})" for name, bound in bounds])
    return f", with at most {named} instances per million words left"


def _hardly_able_to_fall(analysis: Analysis, held: Sequence[Contrast]) -> str:
    near_chance = [
        contrast for contrast in held if contrast.difference.mean_b < NEAR_CHANCE and can_drop(analysis, contrast)
    ]
    if not near_chance:
        return ""
    subject = "" if len(near_chance) == len(held) else f"{len(near_chance)} of them "
    return f", {subject}from an accuracy near or below chance, which can hardly fall"


def _without_targets(analysis: Analysis) -> Iterable[str]:
    if all(condition.kind == "full" for condition in analysis.results.conditions):
        return
    modules = (module for module in MODULES if hasattr(module, "sentences"))
    others: list[str] = [sentence for module in modules for sentence in module.sentences(analysis)]
    yield from others
    if not analysis.results.paradigms:
        if not others:
            yield perplexity_changes(analysis)
        return
    cells = targeted_cells(analysis)
    if cells and {unit for unit, _, _ in cells} <= {*small_paradigms(analysis)}:
        yield "The targeted paradigms have fewer than two scored pairs each, so nothing is tested."
        return
    if cells:
        yield "No model of the full corpus or of a control has scores of a targeted paradigm, so nothing is tested."
        return
    targeted = [name for name, keys in analysis.targets.items() if keys]
    if targeted:
        has = "condition {} has" if len(targeted) == 1 else "conditions {} have"
        reason = "not finished yet" if analysis.results.state else "no scores of a targeted paradigm"
        yield f"The {has.format(formatting.abbreviated(targeted))} {reason}, so nothing is tested."
        return
    yield (
        "No condition targets a scored paradigm, so nothing is tested. Targets are named in the filter "
        "(`targets suite/paradigm`), in the manifest or, for a table or scores, in the file of `--targets`."
    )
    yield from _largest_changes(analysis, _paradigm_contrasts(analysis), "The largest changes")


def _overall(analysis: Analysis) -> Iterable[str]:
    described, unknown = [], []
    for model in analysis.results.models:
        targeted = [contrast for contrast in analysis.targeted_contrasts if contrast.model == model]
        conditions = {contrast.condition for contrast in targeted}
        paradigm_count = len({contrast.unit for contrast in targeted})
        key = "" if len(conditions) > 1 else "".join(conditions), model
        found = [each for each in analysis.headlines if (each.condition, each.model) == key and not each.over_phenomena]
        if not found and targeted:
            unknown.append(model)
        elif found and paradigm_count > 1 and found[0].verdict != "not tested":
            described.append(_described(found[0], paradigm_count))
    if described:
        yield f"Over the targeted paradigms together, accuracy changed by {listed(described)}."
    if unknown:
        yield (
            f"The change over the targeted paradigms together is unknown ({listed(unknown)}), because their "
            "scores share no seed."
        )


def _described(headline: Headline, paradigm_count: int) -> str:
    difference, scope = headline.difference, headline.model
    if headline.count != paradigm_count:
        scope += f", {headline.count} of {paradigm_count} paradigms"
    change = f"{formatting.points(difference.delta)} points"
    if difference.low is None:
        return f"{change} ({scope}, without an interval)"
    return f"{change} {formatting.interval(difference.low, difference.high)} ({scope})"


def _scope(analysis: Analysis, contrasts: list[Contrast]) -> Iterable[str]:
    one_sided = [contrast for contrast in contrasts if min(contrast.difference.n_a, contrast.difference.n_b) < 2]
    borrowed = [contrast for contrast in one_sided if contrast.difference.method == DESIGNS["common variance"]]
    single = [contrast for contrast in one_sided if contrast not in borrowed]
    if borrowed:
        yield (
            f"{counted(len(borrowed), 'comparison')} {inflected(len(borrowed), 'has', 'have')} one seed on one side; "
            "the variance between its seeds is taken to be that of the other side."
        )
    if single:
        over_items = all(contrast.over_items for contrast in single)
        named = formatting.abbreviated([_named(analysis, contrast) for contrast in single])
        if len(single) == len(contrasts) or len(single) == 1:
            subject = "Each has" if len(single) == len(contrasts) else f"1 of them ({named}) has"
            interval = "its interval is over items only" if over_items else "it has no interval"
        else:
            subject = f"{len(single)} of them ({named}) have"
            interval = "their intervals are over items only" if over_items else "they have no interval"
        yield (
            f"{subject} only one seed on a side; {interval}: such a difference is between two models, not "
            "necessarily between two corpora."
        )
    if any(not contrast.over_items and contrast.difference.se is not None for contrast in contrasts):
        yield (
            f"The {analysis.level} intervals are over seeds only, since no item scores are known: they say nothing "
            "about other items, and no accuracy can be called held."
        )


def _named(analysis: Analysis, contrast: Contrast) -> str:
    return f"{analysis.label(contrast.unit)} under {contrast.condition}, {contrast.model}"


def _cell_list(analysis: Analysis, contrasts: Iterable[Contrast]) -> str:
    groups: dict[tuple[str, str], list[str]] = {}
    for contrast in contrasts:
        change = contrast.difference
        part = f"{contrast.model} {formatting.points(change.delta)}"
        if contrast.verdict in _WITHIN_MARGIN:
            part += f" {formatting.interval(change.low, change.high)}"
        groups.setdefault((analysis.label(contrast.unit), contrast.condition), []).append(part)
    descriptions = [f"{name} under {condition}: {', '.join(parts)}" for (name, condition), parts in groups.items()]
    more = f"; and {len(descriptions) - MAX_NAMED_PARADIGMS} more" if len(descriptions) > MAX_NAMED_PARADIGMS else ""
    return f" ({'; '.join(descriptions[:MAX_NAMED_PARADIGMS])}{more})" if descriptions else ""


def _untargeted(analysis: Analysis) -> Iterable[str]:
    targets = frozenset().union(*analysis.targets.values())
    untargeted = [contrast for contrast in _paradigm_contrasts(analysis) if contrast.unit.key not in targets]
    if untargeted:
        average = sum(contrast.difference.delta for contrast in untargeted) / len(untargeted)
        mean_size = sum(abs(contrast.difference.delta) for contrast in untargeted) / len(untargeted)
        yield (
            f"Paradigms that no condition targets changed by {formatting.points(average)} points on average "
            f"({formatting.percent(mean_size)} in absolute value) from the control or, without one, the full corpus, "
            f"over {counted(len(untargeted), 'comparison')}."
        )
        yield from _largest_changes(analysis, untargeted, "The largest of these changes")


def _paradigm_contrasts(analysis: Analysis) -> list[Contrast]:
    results = analysis.results
    cells = dict.fromkeys(
        (contrast.unit, contrast.condition, contrast.model)
        for contrast in analysis.contrasts.values()
        if contrast.unit.level == "paradigm" and not results.is_control(results.condition(contrast.condition))
    )
    contrasts = (main_contrast(analysis, *cell) for cell in cells)
    return [contrast for contrast in contrasts if contrast is not None]


def _largest_changes(analysis: Analysis, contrasts: list[Contrast], subject: str) -> Iterable[str]:
    """Report the largest changes by name, with those of placebo draws from the same baseline. No test supports them."""
    named = []
    for contrast in sorted(contrasts, key=lambda contrast: -abs(contrast.difference.delta))[:MAX_NAMED_PARADIGMS]:
        values = [value for _, value in placebo_changes(analysis, contrast)]
        drawn = f"{formatting.points(min(values))} to {formatting.points(max(values))}" if values else ""
        placebos = f" (placebo draws: {drawn})" if drawn else ""
        named.append(f"{_named(analysis, contrast)} {formatting.points(contrast.difference.delta)}{placebos}")
    if named:
        yield f"{subject}, which no test supports: {'; '.join(named)}."
