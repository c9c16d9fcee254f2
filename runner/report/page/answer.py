"""Statistics to prose: what was asked, what came out, and what to be careful about, each sentence from the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runner.report.analysis.accuracies import baseline
from runner.report.analysis.paired_accuracies import uneven
from runner.report.analysis.probabilities import LARGEST
from runner.report.analysis.statistics import Analysis, Contrast, TextScore, Unit, controls_of, full_of
from runner.report.render import format as write
from runner.report.results.results import Condition
from runner.report.tables.tables import main_contrast, targeted_cells
from runner.score.suites.winobias import opposed

NEAR_CHANCE = 0.6  # below this the full model has little to lose
TOLD = 8  # conditions that are told one by one
REFERENCES = {"control": "random control", "full": "full corpus"}
LONG = 80  # characters of what a condition is, beyond which its name is enough
NAMED = 3  # paradigms in a sentence; the lists below the paragraph hold all
BARELY = 0.95  # of the perplexity of word frequencies: from there on a model has learned hardly more
MISSED = 0.5  # a filter that matches less of what it targets may leave as much of it in the corpus
TRIVIAL = 0.9  # above this word frequencies alone solve a paradigm


@dataclass(frozen=True, slots=True)
class Finding:
    """One targeted cell and what became of it."""

    paradigm: str
    condition: str
    model: str
    verdict: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The text at the top of the page."""

    asked: str
    paragraph: str
    findings: tuple[Finding, ...]
    cautions: tuple[str, ...]


def answer(analysis: Analysis) -> Answer:
    """Write the answer from the numbers alone."""
    main = [_main(analysis, *cell) for cell in targeted_cells(analysis)]
    contrasts = [contrast for contrast in main if contrast is not None]
    sentences = _sentences(analysis, contrasts)
    findings = tuple(_finding(contrast) for contrast in contrasts)
    return Answer(_asked(analysis), " ".join(sentences), findings, tuple(_cautions(analysis, contrasts)))


def _main(analysis: Analysis, unit: Unit, condition: str, model: str) -> Contrast | None:
    for against in ("control", "full"):
        found = main_contrast(analysis, unit, condition, model, against)
        if found is not None:
            return found
    return None


def _asked(analysis: Analysis) -> str:
    results = analysis.results
    changed = [one for one in results.conditions if one.kind != "full" and one.control_of is None]
    if not changed:
        return "No condition of this run changes the training corpus; the tables show what there is side by side."
    models = write.listed(list(results.models)) or "No models"
    many = len(results.models) > 1
    seeds = f"{write.plural(len(results.run.seeds), 'seed')}{' each' if many else ''}"
    trained = f"{models} {'were' if many else 'was'} trained, {seeds}, on the full corpus, "
    controlled = all(controls_of(results, one.name) for one in changed)
    control = " and on their random controls" if controlled else ""
    judged = ", and judged on minimal pairs." if results.paradigms else "."
    if all(one.kind == "remove" for one in changed):
        return _asked_of_filters(changed) + trained + f"on what was left{control}{judged}"
    if any(one.kind == "given" for one in changed):
        on = f"on {write.plural(len(changed), 'other corpus', 'other corpora')}{control}{judged}"
        return f"What does a language model learn from another training corpus? {trained}{on}"
    told = "; ".join(map(_told, changed[:TOLD]))
    told += f"; and {len(changed) - TOLD} more" if len(changed) > TOLD else ""
    return (
        f"What does a language model learn from a changed training corpus? {trained}on "
        f"{'changed ones' if len(changed) > 1 else 'a changed one'} ({told}){control}{judged}"
    )


def _told(condition: Condition) -> str:
    """A condition and what it is, where that is short: it stands beside the corpora too."""
    return f"{condition.name}, {condition.what}" if 0 < len(condition.what) <= LONG else condition.name


def _asked_of_filters(conditions: Sequence[Condition]) -> str:
    filters = list(dict.fromkeys(one.name for condition in conditions for one in condition.filters))
    names = [condition.name for condition in conditions]
    matched = f"the {'filter' if len(filters) == 1 else 'filters'} {write.listed(filters)} "
    matched += "matches" if len(filters) == 1 else "match"
    named = "" if filters == names else f" ({write.listed(names)})"
    return (
        "What does a language model still learn about a construction that it has never read? The sentences that "
        f"{matched} were removed from the training corpus{named}. "
    )


def _sentences(analysis: Analysis, contrasts: list[Contrast]) -> list[str]:
    if not contrasts:
        return ["No scored paradigm is a target of a condition, so there is nothing to say about targets."]
    level = write.share(analysis.results.run.report.confidence)
    below = [c for c in contrasts if c.verdict == "below"]
    above = [c for c in contrasts if c.verdict == "above"]
    spans = [c for c in contrasts if c.verdict == "spans zero"]
    unsure = [c for c in contrasts if c.verdict == "no interval"]
    reference = "the random control" if all(c.against == "control" for c in contrasts) else "the reference"
    if len(unsure) == len(contrasts):
        return [_single(contrasts), *_elsewhere(analysis)]
    said = [
        f"Of {write.plural(len(contrasts), 'targeted comparison')} (paradigm × model), {len(below) or 'none'} fell "
        f"below {reference}, with the {level} interval over seeds wholly below zero{_named(below)}."
    ]
    if spans:
        kept = [c for c in spans if c.difference.mean_a >= 0.8]
        high = f"; of these, {len(kept)} kept an accuracy of at least 80 %" if kept else ""
        said.append(f"In {len(spans)} the interval contains zero{_named(spans)}{high}.")
    if above:
        said.append(f"In {len(above)} accuracy rose{_named(above)}.")
    if unsure:
        have = "has" if len(unsure) == 1 else "have"
        said.append(
            f"{len(unsure)} {have} a single seed on a side and so no interval{_named(unsure)}: a difference between "
            "two models, not yet between two corpora."
        )
    return [*said, *_corrected(analysis, below), *_elsewhere(analysis)]


def _single(contrasts: list[Contrast]) -> str:
    """What a run of one seed says: how many went up and down, and that this proves nothing."""
    deltas = [c.difference.delta for c in contrasts]
    average = write.points(sum(deltas) / len(deltas))
    higher, lower = sum(delta > 0 for delta in deltas), sum(delta < 0 for delta in deltas)
    return (
        f"Of {write.plural(len(contrasts), 'targeted comparison')} (paradigm × model), accuracy is higher in "
        f"{higher or 'none'} and lower in {lower or 'none'}, by {average} points on average{_named(contrasts)}. "
        "Each has a single seed on a side and so no interval: a difference between two models, not yet between two "
        "corpora."
    )


def _corrected(analysis: Analysis, below: list[Contrast]) -> list[str]:
    """What Holm's correction leaves of the drops: a family is the targeted tests against one kind of reference."""
    said = []
    for against in ("control", "full"):
        mine = [c for c in below if c.against == against]
        tested = [c for c in mine if c.holm is not None]
        family = sum(c.targeted and c.against == against and c.holm is not None for c in analysis.contrasts.values())
        left = sum(c.holm is not None and c.holm <= 0.05 for c in tested)
        of = "" if len({c.against for c in below}) < 2 else f" against the {REFERENCES[against]}"
        if tested:
            tests = write.plural(family, "targeted test")
            said.append(f"After Holm's correction over the {tests}{of}, {left} of the drops remain{'s' * (left == 1)}.")
        if len(tested) < len(mine):
            lost = write.plural(len(mine) - len(tested), "drop")
            said.append(f"{lost}{of} could not be tested: no variance between seeds.")
    return said


def _named(contrasts: Iterable[Contrast]) -> str:
    """` (paradigm under condition: model −30.2, model −30.3)`, at most three groups."""
    groups: dict[tuple[str, str], list[str]] = {}
    for c in contrasts:
        key = (c.unit.name, c.condition)
        groups.setdefault(key, []).append(f"{c.model} {write.points(c.difference.delta)}")
    shown = [f"{name} under {condition}: {', '.join(parts)}" for (name, condition), parts in groups.items()]
    rest = f"; and {len(shown) - NAMED} more" if len(shown) > NAMED else ""
    return f" ({'; '.join(shown[:NAMED])}{rest})" if shown else ""


def _elsewhere(analysis: Analysis) -> list[str]:
    """How far paradigms moved that no filter targets, against the same kind of reference."""
    aimed = frozenset().union(*analysis.targets.values())
    rest = [
        c
        for c in analysis.contrasts.values()
        if c.unit.level == "paradigm"
        and f"{c.unit.suite}/{c.unit.name}" not in aimed
        and analysis.results.condition(c.condition).control_of is None
    ]
    control = [c for c in rest if c.against == "control"] or rest
    if not control:
        return []
    average = sum(c.difference.delta for c in control) / len(control)
    spread = sum(abs(c.difference.delta) for c in control) / len(control)
    return [
        f"Paradigms that no condition targets moved by {write.points(average)} points on average "
        f"({write.percent(spread)} in size), over {write.plural(len(control), 'comparison')}."
    ]


def _finding(contrast: Contrast) -> Finding:
    d = contrast.difference
    sentence = (
        f"{write.percent(d.mean_a)} % against {write.percent(d.mean_b)} %: {write.points(d.delta)} {write.interval(d)}"
    )
    return Finding(contrast.unit.name, contrast.condition, contrast.model, contrast.verdict, sentence)


def _cautions(analysis: Analysis, contrasts: list[Contrast]) -> Iterable[str]:
    results = analysis.results
    full = full_of(results)
    yield from results.remarks
    yield from _unlearned(analysis)
    yield from uneven(analysis)
    for name, lost in analysis.absent_targets.items():
        if lost:
            yield f"Targets of {name} that no suite of this run holds: {', '.join(lost)}."
    yield from _missed(results.conditions)
    if any(c.against == "full" for c in contrasts):
        names = sorted({c.condition for c in contrasts if c.against == "full"})
        is_ = "is" if len(names) == 1 else "are"
        named = write.listed(names if len(names) <= TOLD else [*names[:TOLD], f"{len(names) - TOLD} more"])
        yield (
            f"Without a random control with scores, {named} {is_} compared with the full corpus: a "
            "change may come from other text as such."
        )
    weak: dict[str, dict[str, str]] = {}
    for c in contrasts:
        whole = analysis.accuracies.get((c.unit, full.name, c.model)) if full else None
        loses = results.condition(c.condition).kind != "inject"  # rather than won
        if loses and whole is not None and whole.mean < NEAR_CHANCE and not opposed(c.unit.name):
            weak.setdefault(c.unit.name, {})[c.model] = f"{c.model} {write.percent(whole.mean)} %"
    if weak:
        named = "; ".join(f"{name} ({', '.join(models.values())})" for name, models in weak.items())
        yield f"Near or below chance already on the full corpus, so that there is little to lose: {named}."
    easy = [(c.unit.name, value) for c in contrasts if (value := baseline(analysis, c.unit)) and value >= TRIVIAL]
    for name, value in dict.fromkeys(easy):
        yield f"Word frequencies alone (the unigram baseline) reach {write.percent(value)} % on {name}."
    doubtful = [c for c in contrasts if c.verdict == "below" and c.bootstrap and c.bootstrap[1] >= 0]
    for c in doubtful:
        cell = f"{c.model} on {c.unit.name} under {c.condition}"
        yield f"The bootstrap over seeds and items does not confirm the drop of {cell}."
    flat = [c for c in contrasts if c.difference.note.startswith("no variance")]
    if flat:
        yield (
            f"{write.plural(len(flat), 'comparison')} without any variance between seeds: an interval of no width is "
            "no certainty; the bootstrap still holds the items' share."
        )
    yield from _power(analysis)
    yield from _endless(analysis)
    if results.run.failed:
        yield f"{write.plural(len(results.run.failed), 'cell')} failed and are left out; they are listed below."


def _missed(conditions: Sequence[Condition]) -> Iterable[str]:
    """Filters that do not match what they target, as it is parsed, one sentence a condition."""
    for condition in conditions:
        shares = {key: matched / items for key, (matched, items) in condition.coverage.items() if items}
        missed = [
            f"{write.percent(share)} % of {key.rpartition('/')[2]}"
            for key, share in sorted(shares.items())
            if share < MISSED
        ]
        if condition.kind == "remove" and missed:
            yield (
                f"As the benchmark is parsed, what filters {condition.name} matches {write.listed(missed)}: where the "
                "corpus is parsed so too, what it is to remove is still there."
            )


def _unlearned(analysis: Analysis) -> Iterable[str]:
    """Models that are hardly better than how frequent words are, one sentence each: their accuracies mean nothing."""
    poor: dict[str, list[TextScore]] = {}
    for one in analysis.texts:
        if one.frequencies is not None and one.mean >= BARELY * one.frequencies:
            poor.setdefault(one.model, []).append(one)
    for model, found in poor.items():
        names = list(dict.fromkeys(one.condition for one in found))
        shown = names if len(names) <= TOLD else [*names[:TOLD], f"{len(names) - TOLD} more"]
        worst = max(found, key=lambda one: one.mean / (one.frequencies or 1))
        mean, alone = write.number(worst.mean), write.number(worst.frequencies)
        yield (
            f"{model} has learned hardly more than how frequent words are, under {write.listed(shown)}: a perplexity "
            f"of {mean} on {worst.text} ({worst.condition}), {alone} by frequencies alone."
        )


def _endless(analysis: Analysis) -> Iterable[str]:
    """Losses of which the perplexity would not fit a number, in one sentence."""
    largest = math.exp(LARGEST)
    found = [f"{one.text}, {one.condition}, {one.model}" for one in analysis.texts if largest in one.by_seed.values()]
    if found:
        yield f"Losses of {LARGEST:g} nats a token or more count as {LARGEST:g} in perplexities ({write.some(found)})."


def _power(analysis: Analysis) -> Iterable[str]:
    found = [d for d in analysis.detectable if d.cells == "targeted" and d.delta is not None] or [
        d for d in analysis.detectable if d.cells == "all" and d.delta is not None
    ]
    if found:
        parts = [f"{write.percent(d.delta)} points ({d.model}, {write.plural(d.seeds, 'seed')} a side)" for d in found]
        yield (
            "The smallest single delta that a two-sided 5 % test over seeds finds four times in five: "
            f"{write.listed(parts)}. Anything smaller may be there unseen."
        )
