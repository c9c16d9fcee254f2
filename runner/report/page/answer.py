"""The answer at the top of the report: the question, the results and cautions, generated from the statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.paired_accuracies import coverage_remarks
from runner.report.analysis.preferences import Outcome, outcomes
from runner.report.analysis.probabilities import MAX_LOSS
from runner.report.analysis.statistics import Analysis, Contrast, Detectable, TextScore, full_condition, random_controls
from runner.report.render import formatting
from runner.report.results.results import Condition
from runner.report.tables.contrasts import main_contrast, targeted_cells
from runner.score.statistics.change import Verdict
from runner.score.suites.winobias import is_single_gender

NEAR_CHANCE = 0.6  # accuracy of the full model below which it can hardly fall
MAX_LISTED = 8  # number of conditions in a list
VERDICTS: tuple[Verdict, ...] = ("fell", "rose", "held", "held, but not zero", "undecided")
MAX_DESCRIPTION = 80  # characters; longer descriptions of conditions are omitted
MAX_NAMED = 3  # number of paradigms in a sentence; the lists below the paragraph have all of them
UNLEARNED = 0.95  # share of unigram perplexity; a model above it has learned little more than frequencies
LOW_COVERAGE = 0.5  # share of matched target items; below it, the construction probably remains in the corpus
TRIVIAL = 0.9  # accuracy at which word frequencies alone solve a paradigm


@dataclass(frozen=True, slots=True)
class Finding:
    """One targeted cell and its result."""

    paradigm: str
    condition: str
    model: str
    verdict: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The text at the top of the page."""

    question: str
    paragraph: str
    findings: tuple[Finding, ...]
    cautions: tuple[str, ...]


def answer(analysis: Analysis) -> Answer:
    """Generate the answer of an analysis."""
    candidates = [main_contrast(analysis, *cell) for cell in targeted_cells(analysis)]
    contrasts = [contrast for contrast in candidates if contrast is not None]
    sentences = _sentences(analysis, contrasts)
    findings = tuple(map(_finding, contrasts))
    return Answer(_question(analysis), " ".join(sentences), findings, tuple(_cautions(analysis, contrasts)))


def _question(analysis: Analysis) -> str:
    results = analysis.results
    changed = [
        condition for condition in results.conditions if condition.kind != "full" and condition.control_of is None
    ]
    if not changed:
        return "No condition of this run changes the training corpus; the tables compare the models."
    models = formatting.listed(list(results.models)) or "No models"
    several = len(results.models) > 1
    seeds = f"{formatting.plural(len(results.run.seeds), 'seed')}{' each' if several else ''}"
    control = _controls(analysis, changed)
    trained = (
        f"{models} {'were' if several else 'was'} trained, {seeds}, on the full corpus{',' if control else ' and'} "
    )
    judged = ", and evaluated on minimal pairs." if results.paradigms else "."
    if all(condition.kind == "remove" for condition in changed):
        return _filter_question(changed) + trained + f"on the remaining sentences{control}{judged}"
    if any(condition.kind == "given" for condition in changed):
        corpora = f"on {formatting.plural(len(changed), 'other corpus', 'other corpora')}{control}{judged}"
        return f"What does a language model learn from another training corpus? {trained}{corpora}"
    descriptions = "; ".join(map(_described, changed[:MAX_LISTED]))
    descriptions += f"; and {len(changed) - MAX_LISTED} more" if len(changed) > MAX_LISTED else ""
    return (
        f"What does a language model learn from a changed training corpus? {trained}on "
        f"{'changed ones' if len(changed) > 1 else 'a changed one'} ({descriptions}){control}{judged}"
    )


def _controls(analysis: Analysis, changed: Sequence[Condition]) -> str:
    controlled = [condition for condition in changed if random_controls(analysis.results, condition.name)]
    if not controlled:
        return ""
    if len(controlled) < len(changed):
        return f" and on random controls of {formatting.listed([condition.name for condition in controlled])}"
    removed = all(condition.kind == "remove" for condition in changed)
    return f" and on their {'controls (as much text removed at random)' if removed else 'random controls'}"


def _described(condition: Condition) -> str:
    """Return a condition's name, with its description if that is short."""
    return f"{condition.name}, {condition.what}" if 0 < len(condition.what) <= MAX_DESCRIPTION else condition.name


def _filter_question(conditions: Sequence[Condition]) -> str:
    filters = list(dict.fromkeys(filter_.name for condition in conditions for filter_ in condition.filters))
    names = [condition.name for condition in conditions]
    matched = f"the {'filter' if len(filters) == 1 else 'filters'} {formatting.listed(filters)} "
    matched += "matches" if len(filters) == 1 else "match"
    named = "" if filters == names else f" ({formatting.listed(names)})"
    return (
        "What does a language model learn about a construction that is absent from its training corpus? The "
        f"sentences that {matched} were removed from the training corpus{named}. "
    )


def _sentences(analysis: Analysis, contrasts: list[Contrast]) -> list[str]:
    if not contrasts:
        return [*_without_targets(analysis)]
    margin = f"{analysis.results.run.report.equivalence:g}"
    by_verdict = {verdict: [c for c in contrasts if c.verdict == verdict] for verdict in VERDICTS}
    baseline = "the control" if all(c.against == "control" for c in contrasts) else "the baseline"
    held = by_verdict["held"] + by_verdict["held, but not zero"]
    fell, rose, undecided = by_verdict["fell"], by_verdict["rose"], by_verdict["undecided"]
    parts = [
        f"{len(fell) or 'none'} fell below {baseline}{_named(fell)}",
        *([f"{len(rose)} rose{_named(rose)}"] if rose else []),
        *([f"{len(held)} held within ±{margin} points{_named(held)}"] if held else []),
        *(
            [f"{len(undecided)} {'is' if len(undecided) == 1 else 'are'} undecided{_named(undecided)}"]
            if undecided
            else []
        ),
    ]
    counts = f"Of {formatting.plural(len(contrasts), 'targeted comparison')} (paradigm × model), {'; '.join(parts)}."
    return [counts, *_overall(analysis), *_reach(analysis, contrasts), *_elsewhere(analysis)]


def _without_targets(analysis: Analysis) -> Iterable[str]:
    """Explain how targets are declared, and report the largest changes."""
    if all(condition.kind == "full" for condition in analysis.results.conditions):
        return
    preferences = outcomes(analysis.results)
    if preferences:
        yield _preferences(preferences)
    if preferences and not analysis.results.paradigms:
        return
    yield (
        "No condition targets a scored paradigm, so nothing is tested. Targets are named in the filter "
        '(`targets "suite/paradigm"`) or in the manifest.'
    )
    yield from _largest(analysis, _paradigm_contrasts(analysis), "The largest changes")


def _preferences(rows: Sequence[Outcome]) -> str:
    """Count the preferences that differ from those of the main reference, which is the first one of each cell."""
    cells = {(row.suite, row.paradigm, row.outcome, row.condition, row.model): row for row in reversed(rows)}
    compared = [row.difference for row in cells.values() if row.difference is not None]
    differ = sum(change.low > 0 or change.high < 0 for change in compared)
    return (
        f"Of {formatting.plural(len(compared), 'preference')} between alternants, {differ or 'none'} "
        f"{'differs' if differ == 1 else 'differ'} from that of the control or, without one, of the full corpus "
        "(intervals without 0, not adjusted for their number); see Preferences between alternants."
    )


def _overall(analysis: Analysis) -> Iterable[str]:
    """Report the mean change over all targeted paradigms of each model."""
    last_by_model = {}
    for headline in analysis.headlines:
        if not headline.phenomena:
            last_by_model[headline.model] = headline  # the last one is over all conditions
    several = [headline for headline in last_by_model.values() if headline.paradigms > 1]
    if several:
        described = [
            f"{formatting.points(h.difference.delta)} points {formatting.interval(h.difference)} ({h.model})"
            for h in several
        ]
        yield f"Over the targeted paradigms together, accuracy changed by {formatting.listed(described)}."


def _reach(analysis: Analysis, contrasts: list[Contrast]) -> Iterable[str]:
    """State what the intervals generalise over, unless it is both seeds and items."""
    level = formatting.share(analysis.results.run.report.confidence)
    single = [c for c in contrasts if min(c.difference.n_a, c.difference.n_b) < 2]
    if single:
        some = "Each" if len(single) == len(contrasts) else f"{len(single)} of them"
        interval = "its interval is over items only" if all(c.over_items for c in single) else "thus no interval"
        yield (
            f"{some} has only one seed on a side; {interval}: such a difference is between two models, not "
            "necessarily between two corpora."
        )
    if any(not c.over_items and c.difference.se is not None for c in contrasts):
        yield (
            f"The {level} intervals are over seeds only, since no item scores are known: they say nothing about other "
            "items, and no accuracy can be called held."
        )


def _named(contrasts: Iterable[Contrast]) -> str:
    """Return a list such as ` (paradigm under condition: model −30.2, model −30.3)`, with at most MAX_NAMED groups."""
    groups: dict[tuple[str, str], list[str]] = {}
    for c in contrasts:
        key = (c.unit.name, c.condition)
        groups.setdefault(key, []).append(f"{c.model} {formatting.points(c.difference.delta)}")
    descriptions = [f"{name} under {condition}: {', '.join(parts)}" for (name, condition), parts in groups.items()]
    more = f"; and {len(descriptions) - MAX_NAMED} more" if len(descriptions) > MAX_NAMED else ""
    return f" ({'; '.join(descriptions[:MAX_NAMED])}{more})" if descriptions else ""


def _elsewhere(analysis: Analysis) -> list[str]:
    """Report the mean change of untargeted paradigms, and the largest changes by name."""
    targets = frozenset().union(*analysis.targets.values())
    untargeted = [c for c in _paradigm_contrasts(analysis) if f"{c.unit.suite}/{c.unit.name}" not in targets]
    if not untargeted:
        return []
    average = sum(c.difference.delta for c in untargeted) / len(untargeted)
    mean_size = sum(abs(c.difference.delta) for c in untargeted) / len(untargeted)
    sentence = (
        f"Paradigms that no condition targets changed by {formatting.points(average)} points on average "
        f"({formatting.percent(mean_size)} in absolute value), over {formatting.plural(len(untargeted), 'comparison')}."
    )
    return [sentence, *_largest(analysis, untargeted, "The largest of these changes")]


def _paradigm_contrasts(analysis: Analysis) -> list[Contrast]:
    """Return the contrasts of paradigms with controls, or with full if there are no controls."""
    changed = [
        c
        for c in analysis.contrasts.values()
        if c.unit.level == "paradigm" and analysis.results.condition(c.condition).control_of is None
    ]
    return [c for c in changed if c.against == "control"] or changed


def _largest(analysis: Analysis, contrasts: list[Contrast], subject: str) -> Iterable[str]:
    """Report the largest changes by name. No test supports them."""
    ranked = sorted(contrasts, key=lambda c: -abs(c.difference.delta))[:MAX_NAMED]
    if ranked:
        named = [
            f"{c.unit.name} under {c.condition}, {c.model} "
            f"{formatting.points(c.difference.delta)}{_by_placebo(analysis, c)}"
            for c in ranked
        ]
        yield f"{subject}, which no test supports: {'; '.join(named)}."


def _by_placebo(analysis: Analysis, contrast: Contrast) -> str:
    """Report the changes of the same paradigm under placebo draws, if there are any."""
    cell = (contrast.condition, contrast.model, f"{contrast.unit.suite}/{contrast.unit.name}")
    tests = [test for test in analysis.placebos if (test.condition, test.model, test.paradigm) == cell]
    values = [value for test in tests for _, value in test.draws]
    if not values:
        return ""
    ends = f"{formatting.points(min(values))} to {formatting.points(max(values))}"
    return f" (placebo draws: {ends} against full)"


def _finding(contrast: Contrast) -> Finding:
    difference = contrast.difference
    sentence = (
        f"{formatting.percent(difference.mean_a)} % against {formatting.percent(difference.mean_b)} %: "
        f"{formatting.points(difference.delta)} {formatting.interval(difference)}"
    )
    return Finding(contrast.unit.name, contrast.condition, contrast.model, contrast.verdict or "undecided", sentence)


def _cautions(analysis: Analysis, contrasts: list[Contrast]) -> Iterable[str]:
    results = analysis.results
    full = full_condition(results)
    yield from results.remarks
    yield from _unlearned(analysis)
    yield from coverage_remarks(analysis)
    for name, missing in analysis.absent_targets.items():
        if missing:
            yield f"Targets of {name} that no suite of this run contains: {', '.join(missing)}."
    yield from _low_coverage(results.conditions)
    if any(c.against == "full" for c in contrasts):
        names = sorted({c.condition for c in contrasts if c.against == "full"})
        is_ = "is" if len(names) == 1 else "are"
        named = formatting.listed(
            names if len(names) <= MAX_LISTED else [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED} more"]
        )
        yield (
            f"Without a control with scores, {named} {is_} compared with the full corpus. A change may then be "
            "due to the different text in general."
        )
    weak: dict[str, dict[str, str]] = {}
    for c in contrasts:
        full_accuracy = analysis.accuracies.get((c.unit, full.name, c.model)) if full else None
        loses = results.condition(c.condition).kind != "inject"  # injected text is expected to raise accuracy
        if (
            loses
            and full_accuracy is not None
            and full_accuracy.mean < NEAR_CHANCE
            and not is_single_gender(c.unit.name)
        ):
            weak.setdefault(c.unit.name, {})[c.model] = f"{c.model} {formatting.percent(full_accuracy.mean)} %"
    if weak:
        named = "; ".join(f"{name} ({', '.join(models.values())})" for name, models in weak.items())
        yield f"Accuracy is near or below chance on the full corpus already, so little can be lost: {named}."
    easy = [
        (c.unit.name, value) for c in contrasts if (value := unigram_accuracy(analysis, c.unit)) and value >= TRIVIAL
    ]
    for name, value in dict.fromkeys(easy):
        yield f"Word frequencies alone (the unigram baseline) reach {formatting.percent(value)} % on {name}."
    without_variance = [c for c in contrasts if c.difference.note.startswith("no variance")]
    if without_variance:
        yield (
            f"{formatting.plural(len(without_variance), 'comparison')} without variance between seeds: an "
            "interval of zero "
            "width is not certainty."
        )
    yield from _power(analysis)
    yield from _clipped_losses(analysis)
    if results.run.failed:
        yield f"{formatting.plural(len(results.run.failed), 'cell')} failed; see the list below."


def _low_coverage(conditions: Sequence[Condition]) -> Iterable[str]:
    """Yield one sentence per condition whose filters match few of the parsed items that they target."""
    for condition in conditions:
        shares = {key: matched / items for key, (matched, items) in condition.coverage.items() if items}
        missed = [
            f"{formatting.percent(share)} % of {key.rpartition('/')[2]}"
            for key, share in sorted(shares.items())
            if share < LOW_COVERAGE
        ]
        if condition.kind == "remove" and missed:
            yield (
                f"In the parsed benchmark, the filters of {condition.name} match only "
                f"{formatting.listed(missed)}. If the "
                "corpus is parsed in the same way, sentences that they are meant to remove remain in it."
            )


def _unlearned(analysis: Analysis) -> Iterable[str]:
    """Yield one sentence per model that is hardly better than word frequencies."""
    poor: dict[str, list[TextScore]] = {}
    for score in analysis.texts:
        if score.frequencies is not None and score.mean >= UNLEARNED * score.frequencies:
            poor.setdefault(score.model, []).append(score)
    for model, scores in poor.items():
        names = list(dict.fromkeys(score.condition for score in scores))
        listed = names if len(names) <= MAX_LISTED else [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED} more"]
        worst = max(scores, key=lambda score: score.mean / (score.frequencies or 1))
        mean, frequency_perplexity = formatting.number(worst.mean), formatting.number(worst.frequencies)
        yield (
            f"{model} has learned hardly more than word frequencies under {formatting.listed(listed)}: its "
            "perplexity is "
            f"{mean} on {worst.text} ({worst.condition}), that of word frequencies alone {frequency_perplexity}."
        )


def _clipped_losses(analysis: Analysis) -> Iterable[str]:
    """Yield one sentence on losses that are clipped because their perplexity would overflow."""
    largest = math.exp(MAX_LOSS)
    clipped = [
        f"{score.text}, {score.condition}, {score.model}"
        for score in analysis.texts
        if largest in score.by_seed.values()
    ]
    if clipped:
        yield (
            f"Losses of {MAX_LOSS:g} nats per token or more count as {MAX_LOSS:g} in perplexities "
            f"({formatting.abbreviated(clipped)})."
        )


def _power(analysis: Analysis) -> Iterable[str]:
    entries = [entry for entry in analysis.detectable if entry.cells == "targeted"]
    for is_possible, some in _by_possibility(entries, lambda entry: entry.delta < 1):
        models = formatting.listed([entry.model for entry in some])
        changes = formatting.listed([f"{formatting.percent(entry.delta)} points ({entry.model})" for entry in some])
        yield (
            f"A targeted change of {changes} would be detected with 80 % power before correction, as the median over "
            "comparisons; smaller ones would probably go undetected."
            if is_possible
            else f"With these seeds, no targeted change of {models} would be detected with 80 % power."
        )
    if entries and all(contrast.over_items for contrast in analysis.targeted):  # else no accuracy can be called held
        for is_possible, some in _by_possibility(entries, lambda entry: entry.held < 1):
            models = formatting.listed([entry.model for entry in some])
            margins = formatting.listed([f"±{formatting.percent(entry.held)} ({entry.model})" for entry in some])
            yield (
                f"An unchanged accuracy would be proven to have held within {margins}."
                if is_possible
                else f"With these seeds, no unchanged accuracy of {models} would be proven to have held."
            )


def _by_possibility(
    entries: Sequence[Detectable], is_possible: Callable[[Detectable], bool]
) -> Iterable[tuple[bool, list[Detectable]]]:
    groups = ((kind, [entry for entry in entries if is_possible(entry) == kind]) for kind in (True, False))
    return ((kind, some) for kind, some in groups if some)
