"""The answer at the top of the report: the question, the results and cautions, written from the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runner.report.analysis.accuracies import unigram_accuracy
from runner.report.analysis.paired_accuracies import coverage_remarks
from runner.report.analysis.probabilities import LARGEST
from runner.report.analysis.statistics import Analysis, Contrast, TextScore, Unit, full_condition, random_controls
from runner.report.render import format as write
from runner.report.results.results import Condition
from runner.report.tables.tables import main_contrast, targeted_cells
from runner.score.suites.winobias import is_gender_split

NEAR_CHANCE = 0.6  # accuracy of the full model below which little can be lost
MAX_LISTED = 8  # conditions in a list
REFERENCES = {"control": "random control", "full": "full corpus"}
MAX_DESCRIPTION = 80  # characters; longer descriptions of conditions are omitted
MAX_NAMED = 3  # paradigms in a sentence; the lists below the paragraph have all
UNLEARNED = 0.95  # share of the perplexity of word frequencies above which a model has learned little more
LOW_COVERAGE = 0.5  # a filter that matches fewer target items probably leaves the construction in the corpus
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
    """Write the answer from the numbers."""
    candidates = [_preferred_contrast(analysis, *cell) for cell in targeted_cells(analysis)]
    contrasts = [contrast for contrast in candidates if contrast is not None]
    sentences = _sentences(analysis, contrasts)
    findings = tuple(_finding(contrast) for contrast in contrasts)
    return Answer(_question(analysis), " ".join(sentences), findings, tuple(_cautions(analysis, contrasts)))


def _preferred_contrast(analysis: Analysis, unit: Unit, condition: str, model: str) -> Contrast | None:
    for against in ("control", "full"):
        contrast = main_contrast(analysis, unit, condition, model, against)
        if contrast is not None:
            return contrast
    return None


def _question(analysis: Analysis) -> str:
    results = analysis.results
    changed = [
        condition for condition in results.conditions if condition.kind != "full" and condition.control_of is None
    ]
    if not changed:
        return "No condition of this run changes the training corpus; the tables compare the models."
    models = write.listed(list(results.models)) or "No models"
    several = len(results.models) > 1
    seeds = f"{write.plural(len(results.run.seeds), 'seed')}{' each' if several else ''}"
    trained = f"{models} {'were' if several else 'was'} trained, {seeds}, on the full corpus, "
    controlled = all(random_controls(results, condition.name) for condition in changed)
    control = " and on their random controls" if controlled else ""
    judged = ", and evaluated on minimal pairs." if results.paradigms else "."
    if all(condition.kind == "remove" for condition in changed):
        return _filter_question(changed) + trained + f"on the remaining sentences{control}{judged}"
    if any(condition.kind == "given" for condition in changed):
        corpora = f"on {write.plural(len(changed), 'other corpus', 'other corpora')}{control}{judged}"
        return f"What does a language model learn from another training corpus? {trained}{corpora}"
    descriptions = "; ".join(map(_described, changed[:MAX_LISTED]))
    descriptions += f"; and {len(changed) - MAX_LISTED} more" if len(changed) > MAX_LISTED else ""
    return (
        f"What does a language model learn from a changed training corpus? {trained}on "
        f"{'changed ones' if len(changed) > 1 else 'a changed one'} ({descriptions}){control}{judged}"
    )


def _described(condition: Condition) -> str:
    """Return a condition's name, with its description if that is short."""
    return f"{condition.name}, {condition.what}" if 0 < len(condition.what) <= MAX_DESCRIPTION else condition.name


def _filter_question(conditions: Sequence[Condition]) -> str:
    filters = list(dict.fromkeys(filter_.name for condition in conditions for filter_ in condition.filters))
    names = [condition.name for condition in conditions]
    matched = f"the {'filter' if len(filters) == 1 else 'filters'} {write.listed(filters)} "
    matched += "matches" if len(filters) == 1 else "match"
    named = "" if filters == names else f" ({write.listed(names)})"
    return (
        "What does a language model learn about a construction that is absent from its training corpus? The "
        f"sentences that {matched} were removed from the training corpus{named}. "
    )


def _sentences(analysis: Analysis, contrasts: list[Contrast]) -> list[str]:
    if not contrasts:
        return ["No condition targets a scored paradigm, so there are no targeted comparisons."]
    level = write.share(analysis.results.run.report.confidence)
    below = [c for c in contrasts if c.verdict == "below"]
    above = [c for c in contrasts if c.verdict == "above"]
    spanning = [c for c in contrasts if c.verdict == "spans zero"]
    single_seed = [c for c in contrasts if c.verdict == "no interval"]
    reference = "the random control" if all(c.against == "control" for c in contrasts) else "the reference"
    if len(single_seed) == len(contrasts):
        return [_single(contrasts), *_elsewhere(analysis)]
    sentences = [
        f"Of {write.plural(len(contrasts), 'targeted comparison')} (paradigm × model), {len(below) or 'none'} fell "
        f"below {reference}, with the {level} interval over seeds entirely below zero{_named(below)}."
    ]
    if spanning:
        still_high = [c for c in spanning if c.difference.mean_a >= 0.8]
        high_text = f"; of these, {len(still_high)} kept an accuracy of at least 80 %" if still_high else ""
        sentences.append(f"In {len(spanning)}, the interval contains zero{_named(spanning)}{high_text}.")
    if above:
        sentences.append(f"In {len(above)}, accuracy rose{_named(above)}.")
    if single_seed:
        verb = "has" if len(single_seed) == 1 else "have"
        sentences.append(
            f"{len(single_seed)} {verb} only one seed on a side and thus no interval{_named(single_seed)}: such a "
            "difference is between two models, not necessarily between two corpora."
        )
    return [*sentences, *_corrected(analysis, below), *_elsewhere(analysis)]


def _single(contrasts: list[Contrast]) -> str:
    """Summarize a run of one seed: how many accuracies are higher and lower, and that this is no evidence."""
    deltas = [c.difference.delta for c in contrasts]
    average = write.points(sum(deltas) / len(deltas))
    higher, lower = sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)
    return (
        f"Of {write.plural(len(contrasts), 'targeted comparison')} (paradigm × model), accuracy is higher in "
        f"{higher or 'none'} and lower in {lower or 'none'}, by {average} points on average{_named(contrasts)}. "
        "Each has only one seed on a side and thus no interval: such a difference is between two models, not "
        "necessarily between two corpora."
    )


def _corrected(analysis: Analysis, below: list[Contrast]) -> list[str]:
    """Report the drops that remain after Holm's correction over the targeted tests with one kind of reference."""
    sentences = []
    for against in ("control", "full"):
        drops = [c for c in below if c.against == against]
        tested = [c for c in drops if c.holm is not None]
        family = sum(c.targeted and c.against == against and c.holm is not None for c in analysis.contrasts.values())
        remaining = sum(c.holm is not None and c.holm <= 0.05 for c in tested)
        scope = "" if len({c.against for c in below}) < 2 else f" against the {REFERENCES[against]}"
        if tested:
            tests = write.plural(family, "targeted test")
            verb = "remains" if remaining == 1 else "remain"
            sentences.append(
                f"After Holm's correction over the {tests}{scope}, {remaining} of the drops {verb} significant."
            )
        if len(tested) < len(drops):
            untested = write.plural(len(drops) - len(tested), "drop")
            sentences.append(f"{untested}{scope} could not be tested: no variance between seeds.")
    return sentences


def _named(contrasts: Iterable[Contrast]) -> str:
    """Return ` (paradigm under condition: model −30.2, model −30.3)`, with at most MAX_NAMED groups."""
    groups: dict[tuple[str, str], list[str]] = {}
    for c in contrasts:
        key = (c.unit.name, c.condition)
        groups.setdefault(key, []).append(f"{c.model} {write.points(c.difference.delta)}")
    descriptions = [f"{name} under {condition}: {', '.join(parts)}" for (name, condition), parts in groups.items()]
    rest = f"; and {len(descriptions) - MAX_NAMED} more" if len(descriptions) > MAX_NAMED else ""
    return f" ({'; '.join(descriptions[:MAX_NAMED])}{rest})" if descriptions else ""


def _elsewhere(analysis: Analysis) -> list[str]:
    """Report the changes of untargeted paradigms, against the same kind of reference."""
    targets = frozenset().union(*analysis.targets.values())
    untargeted = [
        c
        for c in analysis.contrasts.values()
        if c.unit.level == "paradigm"
        and f"{c.unit.suite}/{c.unit.name}" not in targets
        and analysis.results.condition(c.condition).control_of is None
    ]
    compared = [c for c in untargeted if c.against == "control"] or untargeted
    if not compared:
        return []
    average = sum(c.difference.delta for c in compared) / len(compared)
    size = sum(abs(c.difference.delta) for c in compared) / len(compared)
    return [
        f"Paradigms that no condition targets changed by {write.points(average)} points on average "
        f"({write.percent(size)} in absolute value), over {write.plural(len(compared), 'comparison')}."
    ]


def _finding(contrast: Contrast) -> Finding:
    difference = contrast.difference
    sentence = (
        f"{write.percent(difference.mean_a)} % against {write.percent(difference.mean_b)} %: "
        f"{write.points(difference.delta)} {write.interval(difference)}"
    )
    return Finding(contrast.unit.name, contrast.condition, contrast.model, contrast.verdict, sentence)


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
        named = write.listed(
            names if len(names) <= MAX_LISTED else [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED} more"]
        )
        yield (
            f"Without a random control with scores, {named} {is_} compared with the full corpus. A change may then be "
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
            and not is_gender_split(c.unit.name)
        ):
            weak.setdefault(c.unit.name, {})[c.model] = f"{c.model} {write.percent(full_accuracy.mean)} %"
    if weak:
        named = "; ".join(f"{name} ({', '.join(models.values())})" for name, models in weak.items())
        yield f"Accuracy is near or below chance on the full corpus already, so little can be lost: {named}."
    easy = [
        (c.unit.name, value) for c in contrasts if (value := unigram_accuracy(analysis, c.unit)) and value >= TRIVIAL
    ]
    for name, value in dict.fromkeys(easy):
        yield f"Word frequencies alone (the unigram baseline) reach {write.percent(value)} % on {name}."
    doubtful = [c for c in contrasts if c.verdict == "below" and c.bootstrap and c.bootstrap[1] >= 0]
    for c in doubtful:
        cell = f"{c.model} on {c.unit.name} under {c.condition}"
        yield f"The bootstrap over seeds and items does not confirm the drop of {cell}."
    without_variance = [c for c in contrasts if c.difference.note.startswith("no variance")]
    if without_variance:
        yield (
            f"{write.plural(len(without_variance), 'comparison')} without variance between seeds: an interval of zero "
            "width is not certainty. The bootstrap still reflects the variation between items."
        )
    yield from _power(analysis)
    yield from _clipped_losses(analysis)
    if results.run.failed:
        yield f"{write.plural(len(results.run.failed), 'cell')} failed; see the list below."


def _low_coverage(conditions: Sequence[Condition]) -> Iterable[str]:
    """Yield one sentence per condition whose filters match few of the parsed items that they target."""
    for condition in conditions:
        shares = {key: matched / items for key, (matched, items) in condition.coverage.items() if items}
        missed = [
            f"{write.percent(share)} % of {key.rpartition('/')[2]}"
            for key, share in sorted(shares.items())
            if share < LOW_COVERAGE
        ]
        if condition.kind == "remove" and missed:
            yield (
                f"In the parsed benchmark, the filters of {condition.name} match only {write.listed(missed)}. If the "
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
        mean, frequency_perplexity = write.number(worst.mean), write.number(worst.frequencies)
        yield (
            f"{model} has learned hardly more than word frequencies under {write.listed(listed)}: its perplexity is "
            f"{mean} on {worst.text} ({worst.condition}), that of word frequencies alone {frequency_perplexity}."
        )


def _clipped_losses(analysis: Analysis) -> Iterable[str]:
    """Yield one sentence on losses whose perplexity would overflow."""
    largest = math.exp(LARGEST)
    clipped = [
        f"{score.text}, {score.condition}, {score.model}"
        for score in analysis.texts
        if largest in score.by_seed.values()
    ]
    if clipped:
        yield (
            f"Losses of {LARGEST:g} nats per token or more count as {LARGEST:g} in perplexities "
            f"({write.abbreviated(clipped)})."
        )


def _power(analysis: Analysis) -> Iterable[str]:
    entries = [entry for entry in analysis.detectable if entry.cells == "targeted" and entry.delta is not None] or [
        entry for entry in analysis.detectable if entry.cells == "all" and entry.delta is not None
    ]
    if entries:
        parts = [
            f"{write.percent(entry.delta)} points ({entry.model}, {write.plural(entry.seeds, 'seed')} per side)"
            for entry in entries
        ]
        yield (
            "The smallest single delta that a two-sided 5 % test over seeds detects with 80 % power is "
            f"{write.listed(parts)}. Smaller effects would probably go undetected."
        )
