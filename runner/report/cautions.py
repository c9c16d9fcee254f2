"""Warnings at the top of the report, and cautions below its answer: what its numbers cannot show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fictdsl.words import counted, inflected, listed
from runner import formatting
from runner.report.accuracies import coverage_remarks, unigram_accuracy
from runner.report.probabilities import MAX_LOSS, unlearned
from runner.report.records import Condition
from runner.report.results import Results
from runner.report.statistics import (
    Analysis,
    Contrast,
    TextScore,
    Unit,
    controls_of,
    injects,
)
from runner.score.change import MIN_AGREEING_SEEDS
from runner.score.convention import UNIGRAM, UNKNOWN_WORDS_REMEDY
from runner.score.pair_formats import stands_alone

MAX_LISTED_PARADIGMS = 12  # paradigms in a list


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning, and the paradigms or filters to which it applies, the worst first."""

    text: str
    subjects: tuple[str, ...] = ()


def notices(results: Results) -> tuple[Notice, ...]:
    empty = [(each.name, name) for each in results.conditions for name, matched in each.matched.items() if not matched]
    no_change = "These filters match no sentence, so they do not change the training corpus of their condition."
    return (
        *(Notice(text) for text in results.run.warnings),
        *([Notice(no_change, tuple(map(": ".join, empty)))] if empty else []),
        *_flagged_pairs(results, "identical"),
        *_flagged_pairs(results, "uneven"),
        *_flagged_pairs(results, "unknown"),
    )


FLAG_TEXTS = {
    "identical": "pairs have two sides that the tokenizer makes identical; they cannot be told apart",
    "uneven": "pairs have different numbers of unknown words on their two sides, "
    "which alone may decide which side scores higher",
    "unknown": "pairs contain an unknown word",
}


def _flagged_pairs(results: Results, flag: str) -> Iterable[Notice]:
    counts = []
    for paradigm in results.paradigms:
        trained = [i for i, cell in enumerate(paradigm.cells) if cell.seed >= 0]
        flags: NDArray[np.bool_] = getattr(paradigm, flag)
        flagged = int(flags[trained].any(axis=0).sum())
        counts.append((results.paradigm_label(paradigm.suite, paradigm.name), flagged, len(paradigm.item)))
    affected = sorted((entry for entry in counts if entry[1]), key=lambda entry: -entry[1] / entry[2])
    if affected:
        affected_pairs, total = sum(count for _, count, _ in affected), sum(pairs for _, _, pairs in counts)
        listed = [f"{name}: {count:,} of {pairs:,}" for name, count, pairs in affected]
        unlisted = len(listed) - MAX_LISTED_PARADIGMS
        more = [f"{unlisted:,} more {inflected(unlisted, 'paradigm')}"] if unlisted > 0 else []
        has_most = flag == "unknown" and any(2 * count > pairs for _, count, pairs in affected)
        remedy = f" In some paradigms, most do: {UNKNOWN_WORDS_REMEDY}." if has_most else ""
        subjects = (*listed[:MAX_LISTED_PARADIGMS], *more)
        yield Notice(f"{affected_pairs:,} of {total:,} {FLAG_TEXTS[flag]}.{remedy}", subjects)


NEAR_CHANCE = 0.6  # accuracy of the baseline below which it can hardly fall
MAX_LISTED_CONDITIONS = 8  # number of conditions in a list
UNLEARNED = 0.95  # share of unigram perplexity; a model above it has learned little more than frequencies
LOW_COVERAGE = 0.5  # share of matched target items; below it, the construction probably remains in the corpus
MOST = 0.5  # share of target pairs with a word that the corpus lacks, above which words may explain a change
MIN_CHANGE = 0.01  # change in accuracy from which word frequencies are compared with it
SIMILAR_CHANGE = 0.75  # share of a model's change from which a change of word frequencies may explain it
MAX_DIFFERENCE = 0.01  # share by which the words of a control may differ
OUTLYING = 2.0  # gap between a seed and all others, in ranges of the others, from which it is named
MIN_OUTLYING, MIN_OUTLYING_SEEDS = 0.1, 4
TRIVIAL = 0.9  # accuracy at which word frequencies alone solve a paradigm


def can_drop(analysis: Analysis, contrast: Contrast) -> bool:
    """Return whether a drop in accuracy is meaningful. It is not for injected text or paradigms of one gender."""
    injected = injects(analysis.results.condition(contrast.condition))
    return not injected and not stands_alone(contrast.unit.name)


def cautions(analysis: Analysis, contrasts: list[Contrast]) -> Iterable[str]:
    results = analysis.results
    yield from results.remarks
    yield from _unlearned(analysis)
    yield from coverage_remarks(analysis)
    for name, missing in analysis.absent_targets.items():
        if missing:
            yield f"Targets of {name} that no suite of this run contains: {', '.join(missing)}."
    yield from _low_coverage(results.conditions)
    yield from _without_control(contrasts)
    yield from _vanished_words(results.conditions)
    weak: dict[str, dict[str, str]] = {}
    easy: dict[tuple[str, float], None] = {}
    for contrast in contrasts:
        name = analysis.label(contrast.unit)
        full = analysis.accuracies.get((contrast.unit, results.full.name, contrast.model)) if results.full else None
        if full is not None and full.mean < NEAR_CHANCE and can_drop(analysis, contrast):
            weak.setdefault(name, {})[contrast.model] = f"{contrast.model} {formatting.percent(full.mean)} %"
        unigram = unigram_accuracy(analysis, contrast.unit)
        if unigram is not None and unigram >= TRIVIAL:
            easy[name, unigram] = None
    if weak:
        named = "; ".join(f"{name} ({', '.join(models.values())})" for name, models in weak.items())
        yield f"Accuracy is near or below chance on the full corpus already, so little can be lost: {named}."
    for name, unigram in easy:
        yield f"Word frequencies alone (the unigram baseline) reach {formatting.percent(unigram)} % on {name}."
    yield from _changed_frequencies(analysis, contrasts)
    yield from _unequal_controls(analysis)
    constant = sum(contrast.difference.note.startswith("no variance") for contrast in contrasts)
    if constant:
        compared = counted(constant, "comparison")
        yield f"{compared} without variance between seeds: an interval of zero width is not certainty."
    yield from _shared_words(analysis, contrasts)
    yield from _agreeing(contrasts)
    yield from _outlying_seeds(analysis, contrasts)
    yield from _power(analysis)
    texts = [text for text in analysis.texts if math.exp(MAX_LOSS) in text.by_seed.values()]
    if texts:
        clipped = formatting.abbreviated([f"{text.text}, {text.condition}, {text.model}" for text in texts])
        yield f"Losses of {MAX_LOSS:g} nats per token or more count as {MAX_LOSS:g} in perplexities ({clipped})."
    if results.run.failed:
        yield f"{counted(len(results.run.failed), 'cell')} failed; see the list below."


def _listed(names: Sequence[str]) -> str:
    unlisted = len(names) - MAX_LISTED_CONDITIONS
    return listed([*names[:MAX_LISTED_CONDITIONS], *([f"{unlisted} more"] if unlisted > 0 else [])])


def _without_control(contrasts: Sequence[Contrast]) -> Iterable[str]:
    models: dict[str, dict[str, bool]] = {}
    for contrast in contrasts:
        is_alone = models.setdefault(contrast.condition, {})
        is_alone[contrast.model] = is_alone.get(contrast.model, False) or contrast.reference_kind == "full"
    names = []
    for condition, is_alone in sorted(models.items()):
        alone = [model for model, value in is_alone.items() if value]
        if alone:
            names.append(condition if len(alone) == len(is_alone) else f"{condition} ({', '.join(alone)})")
    if names:
        verb = inflected(len(names), "is", "are")
        yield (
            f"Without a control with scores, {_listed(names)} {verb} compared with the full corpus. A change "
            "may then be due to the different text in general."
        )


def _vanished_words(conditions: Iterable[Condition]) -> Iterable[str]:
    """Yield a sentence per condition whose corpus lacks a word of most target pairs, if no control's corpus does."""
    for condition in conditions:
        shares = {one.corpus: one.pairs_with_vanished / one.pairs for one in condition.exposure if one.pairs}
        share = shares.pop(condition.name, 0.0)
        if share > MOST >= max(shares.values(), default=0.0):
            controls = [f"{formatting.percent(value)} % in {name}" for name, value in shares.items()]
            yield (
                f"{formatting.percent(share)} % of the target pairs of {condition.name} have a word that its training "
                f"corpus lacks{f' ({formatting.abbreviated(controls)})' if controls else ''}: a change may be due to "
                "these words, and not to the construction. They are in the table The words of the target pairs."
            )


def _low_coverage(conditions: Sequence[Condition]) -> Iterable[str]:
    for condition in conditions:
        shares = {key: matched / items for key, (matched, items) in condition.coverage.items() if items}
        low_shares = [
            f"{formatting.percent(share)} % of {key.rpartition('/')[2]}"
            for key, share in sorted(shares.items())
            if share < LOW_COVERAGE
        ]
        if condition.kind == "remove" and low_shares:
            yield (
                f"In the parsed benchmark, the filters of {condition.name} match only {listed(low_shares)}. If the "
                "corpus is parsed in the same way, sentences that they are meant to remove remain in it."
            )


def _changed_frequencies(analysis: Analysis, contrasts: Sequence[Contrast]) -> Iterable[str]:
    """Yield a sentence per comparison in which word frequencies alone change by about as much as the models."""
    models: dict[tuple[str, str, str, str], list[str]] = {}
    for contrast in contrasts:
        condition, reference = (
            analysis.accuracies.get((contrast.unit, name, UNIGRAM)) for name in (contrast.condition, contrast.reference)
        )
        delta = contrast.difference.delta
        if condition is None or reference is None or abs(delta) < MIN_CHANGE:
            continue
        if (condition.mean - reference.mean) * math.copysign(1, delta) >= SIMILAR_CHANGE * abs(delta):
            accuracies = f"{formatting.percent(reference.mean)} to {formatting.percent(condition.mean)}"
            key = (analysis.label(contrast.unit), contrast.condition, contrast.reference, accuracies)
            models.setdefault(key, []).append(f"{contrast.model} {formatting.points(delta)}")
    for (paradigm, name, baseline, accuracies), changes in models.items():
        yield (
            f"On {paradigm}, word frequencies alone change from {accuracies} % between {baseline} and {name}, about as "
            f"much as the models or more ({', '.join(changes)}): the change may be due to the words of the pairs, "
            "which are rarer or more frequent in the corpus, and not to the construction."
        )


def _unequal_controls(analysis: Analysis) -> Iterable[str]:
    unequal = []
    for condition in analysis.results.conditions:
        words = condition.mean_words()
        for control in controls_of(analysis.results, condition.name):
            control_words = control.mean_words()
            if not words or control_words is None or control.kind != "remove-random":
                continue
            share = control_words / words - 1
            if abs(share) > MAX_DIFFERENCE:
                numbers = f"{formatting.count(round(control_words))} against {formatting.count(round(words))}"
                unequal.append(f"{control.name} {formatting.signed(100 * share, 1)} % ({numbers})")
    if unequal:
        yield (
            "These controls do not have as many words as their conditions: "
            f'{formatting.abbreviated(unequal, MAX_LISTED_CONDITIONS)}. With `by = "lengths"`, sentences of the same '
            "lengths are removed."
        )


def worse_than_frequencies(analysis: Analysis) -> Iterable[str]:
    """Yield one sentence per model whose comparisons are not tested, since word frequencies predict as well."""
    cells = unlearned(analysis.texts)
    for model in dict.fromkeys(c.model for c in analysis.targeted_contrasts if c.verdict == "not tested"):
        scores = [score for score in analysis.texts if score.model == model and (score.condition, model) in cells]
        own = [contrast for contrast in analysis.targeted_contrasts if contrast.model == model]
        is_void = all(contrast.verdict == "not tested" for contrast in own)
        which = "no change of its accuracies" if is_void else "no change from or to these accuracies"
        yield f"{_against_frequencies(model, scores, 'is worse than')}; {which} is tested."


def _unlearned(analysis: Analysis) -> Iterable[str]:
    cells = unlearned(analysis.texts)
    void = {contrast.model for contrast in analysis.targeted_contrasts if contrast.verdict == "not tested"}
    hardly: dict[str, list[TextScore]] = {}
    worse: dict[str, list[TextScore]] = {}
    for score in analysis.texts:
        if (score.condition, score.model) in cells:
            worse.setdefault(score.model, []).append(score)
        elif score.unigram_perplexity is not None and score.mean >= UNLEARNED * score.unigram_perplexity:
            hardly.setdefault(score.model, []).append(score)
    for model, scores in worse.items():
        if model not in void:
            yield f"{_against_frequencies(model, scores, 'is worse than')}."
    for model, scores in hardly.items():
        yield f"{_against_frequencies(model, scores, 'has learned hardly more than')}."


def _against_frequencies(model: str, scores: Sequence[TextScore], verb: str) -> str:
    names = list(dict.fromkeys(score.condition for score in scores))
    worst = max(scores, key=lambda score: score.mean / (score.unigram_perplexity or 1))
    mean, frequency_perplexity = formatting.number(worst.mean), formatting.number(worst.unigram_perplexity)
    return (
        f"{model} {verb} word frequencies under {_listed(names)}: its perplexity is {mean} on {worst.text} "
        f"({worst.condition}), that of word frequencies alone {frequency_perplexity}"
    )


def _shared_words(analysis: Analysis, contrasts: Sequence[Contrast]) -> Iterable[str]:
    """Name the targeted paradigms with fewer different words than pairs, whose pairs are not independent."""
    targets = {contrast.unit.key for contrast in contrasts if contrast.over_items}
    named = []
    for paradigm in analysis.results.paradigms:
        if paradigm.key in targets and len(paradigm.item) > 1:
            words = {word for sentence in (*paradigm.good, *paradigm.bad) for word in sentence.lower().split()}
            if len(words) < len(paradigm.item):
                counts = f"{formatting.count(len(words))} in {counted(len(paradigm.item), 'pair')}"
                named.append(f"{analysis.label(Unit.of(paradigm))}: {counts}")
    if named:
        yield (
            f"Pairs share their words ({formatting.abbreviated(named)}). The intervals are over these words and say "
            "nothing about others; with few seeds they are too narrow if words matter."
        )


def _outlying_seeds(analysis: Analysis, contrasts: Sequence[Contrast]) -> Iterable[str]:
    cells = dict.fromkeys(
        (contrast.unit, name, contrast.model)
        for contrast in contrasts
        for name in (contrast.condition, contrast.reference)
    )
    named = [
        f"seed {seed} of {condition}, {model}, on {analysis.label(unit)} ({formatting.percent(values[seed])} %)"
        for unit, condition, model in cells
        if (accuracy := analysis.accuracies.get((unit, condition, model)))
        for values in [accuracy.by_seed]
        for seed in outlying(values)
    ]
    if named:
        yield (
            f"A seed differs from all others by more than {OUTLYING:g} times their range and {100 * MIN_OUTLYING:g} "
            f"points: {formatting.abbreviated(named)}. A training that failed is no effect of the corpus."
        )


def outlying(by_seed: Mapping[int, float]) -> list[int]:
    found = []
    for seed, value in by_seed.items() if len(by_seed) >= MIN_OUTLYING_SEEDS else ():
        others = [other for key, other in by_seed.items() if key != seed]
        gap = max(min(others) - value, value - max(others))
        if gap > max(MIN_OUTLYING, OUTLYING * (max(others) - min(others))):
            found.append(seed)
    return found


def _agreeing(contrasts: Sequence[Contrast]) -> Iterable[str]:
    numbers = Counter(
        min(c.difference.n_a, c.difference.n_b) for c in contrasts if c.over_items and c.difference.se == 0
    )
    for seeds, number in sorted(numbers.items()):
        share = formatting.percentage(round(1 - 0.05 ** (1 / seeds), 2))
        agree = f"{seeds} equal seeds do" if seeds > 1 else "one seed does"
        few = f" Fewer than {MIN_AGREEING_SEEDS} seeds do not give the verdict held."
        yield (
            f"In {counted(number, 'comparison')} all decisions agree: the interval is over items only; {agree} not "
            f"exclude that up to {share} of seeds differ.{few if seeds < MIN_AGREEING_SEEDS else ''}"
        )


def _power(analysis: Analysis) -> Iterable[str]:
    tested = {contrast.model for contrast in analysis.targeted_contrasts if contrast.verdict != "not tested"}
    entries = [entry for entry in analysis.detectable if entry.paradigms == "targeted" and entry.model in tested]
    possible, models = _possible([(entry.model, entry.detectable_change) for entry in entries])
    if possible:
        changes = listed([f"{formatting.percent(change)} points ({model})" for model, change in possible])
        yield (
            f"A targeted change of {changes} would be detected with 80 % power before correction, as the median over "
            "comparisons, if the standard error of this run were exact; smaller ones would probably go undetected. "
            "fictc power gives each comparison its own values, with a variance between seeds that is pooled over "
            "paradigms, and allows for what few seeds leave unknown; with few seeds, its values are often far larger."
        )
    if models:
        yield f"With these seeds, no targeted change of {models} would be detected with 80 % power."
    # with intervals over seeds only, no accuracy gets the verdict held
    if all(contrast.over_items for contrast in analysis.targeted_contrasts):
        possible, models = _possible([(entry.model, entry.provable_margin) for entry in entries])
        if possible:
            margins = listed([f"±{formatting.percent(margin)} ({model})" for model, margin in possible])
            yield f"With 80 % power, an unchanged accuracy would get the verdict held for a margin of {margins}."
        if models:
            yield f"With these seeds, no unchanged accuracy of {models} would get the verdict held."


def _possible(limits: Sequence[tuple[str, float]]) -> tuple[list[tuple[str, float]], str]:
    return [limit for limit in limits if limit[1] < 1], listed([model for model, limit in limits if limit >= 1])
