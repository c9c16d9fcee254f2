"""A report, made once for the page, CSV, JSON and the terminal: sections, methods, JSON document and text."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from typing import TypeAlias

from fictdsl.terminal_text import printable
from runner import formatting
from runner.report import sections as package
from runner.report.answer import Answer, answer
from runner.report.cautions import Notice, notices
from runner.report.figures import figures_of
from runner.report.results import Results
from runner.report.section import Section
from runner.report.statistics import Analysis, ScoreName, probability_name
from runner.score.convention import UNIGRAM
from runner.score.intervals import METHODS
from runner.tables import Table, aligned, lines

Maker: TypeAlias = Callable[[Analysis], Iterator[Section]]


def sections(analysis: Analysis) -> tuple[Section, ...]:
    """Return the sections in the order of the page, each with its own figures before those of `runner.report.figures`.

    A section that is not `visible` is not on the page; only its files are written.
    """
    made_sections = (section for _, make in MAKERS for section in make(analysis))
    return tuple(
        replace(section, figures=section.figures + figures_of(section.id, analysis)) for section in made_sections
    )


def _discover() -> Iterator[tuple[int, Maker]]:
    """Yield the places on the page and the sections of each module."""
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield from import_module(info.name).SECTIONS.items()


MAKERS = tuple(sorted(_discover(), key=lambda pair: pair[0]))


# Definitions for results whose items and scoring are unknown.
TABLE_DEFINITIONS = {
    "accuracy": "As given in the table, which does not state how it was counted. The accuracy of a group is the "
    "unweighted mean over its paradigms, computed seed by seed.",
    "delta": "acc(condition) − mean over seeds of acc(baseline), in points (Patil et al. 2024, eq. 1). A group's delta "
    "is computed over the paradigms that both sides have.",
}


def methods_of(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Return the definitions of the terms that the report of an analysis uses."""
    results, options = analysis.results, analysis.results.run.report
    unused = frozenset(_unused(analysis))
    has_scoring = bool(results.run.convention) or any(len(paradigm.item) for paradigm in results.paradigms)
    definitions = methods(options.confidence, options.equivalence, probability_name(analysis))
    return tuple(
        (term, text if has_scoring else TABLE_DEFINITIONS.get(term, text))
        for term, text in definitions
        if term not in unused
    )


def _unused(analysis: Analysis) -> Iterator[str]:
    """Yield the terms of methods for which the results have no data."""
    used = {key for contrast in analysis.contrasts.values() for key in contrast.differences_by_method}
    yield from (method.name for key, method in METHODS.items() if key not in used)
    terms = {
        "over phenomena": any(headline.over_phenomena for headline in analysis.headlines),
        "unigram baseline": any(model == UNIGRAM for _, _, model in analysis.accuracies),
        "PΔ, r, ceiling": bool(analysis.probability_deltas),
        "detectable, provable": bool(analysis.detectable),
        "overlap": any(condition.overlap for condition in analysis.results.conditions),
    }
    yield from (term for term, is_used in terms.items() if not is_used)


def methods(confidence: float, margin: float, scores: ScoreName) -> tuple[tuple[str, str], ...]:
    """Return the terms and their definitions, in the order of the page. `scores` names the scores of PΔ.

    `margin` is the margin of equivalence in points.
    """
    level = formatting.percentage(confidence)
    return (
        (
            "accuracy",
            "Share of applicable pairs whose good sentence has the higher score. The accuracy of a group is the "
            "unweighted mean over its paradigms, computed seed by seed.",
        ),
        (
            "delta",
            "acc(condition) − mean over seeds of acc(baseline), in points (Patil et al. 2024, eq. 1). The baseline is "
            "either the condition's control, such as a random removal of as much text, or the full corpus. A "
            "paradigm's delta is computed over the pairs that apply to both sides, a group's over the paradigms that "
            "both sides have.",
        ),
        (
            "interval",
            f"{level} interval: {METHODS['crossed'].name} where the scores of items are known, else "
            f"{METHODS['welch'].name}. Its p-value is consistent with it; both are unadjusted. "
            "Items count as independent: if pairs share words or templates, the interval is over these words and says "
            "nothing about others.",
        ),
        *((method.name, f"{method.description} ({method.citation})") for method in METHODS.values()),
        (
            "verdict",
            f"Derived from the {level} interval. Fell, rose: it excludes zero, and Holm's p is at most 0.05; within "
            f"the margin if it also lies within ±{margin:g} points. Held: any other interval within ±{margin:g} "
            "points. Undecided: everything else. Not tested: a model of either side or of the full corpus predicts "
            "no text better than word frequencies. An interval over seeds only shows neither that an accuracy held nor "
            "that a change is within the margin.",
        ),
        (
            "Holm, BH",
            "Adjusted p-values of the same interval (Holm 1979; Benjamini and Hochberg 1995). A family consists of a "
            "model's targeted paradigms over all conditions, each against its control or, without one, the full "
            "corpus. Where a paradigm is compared with both, the comparison with the full corpus is adjusted over all "
            "comparisons with the full corpus.",
        ),
        (
            "overall",
            "The mean over paradigms. A paradigm that several conditions target is first averaged over them, for the "
            "seeds and items that all of them share. Without any, the mean does not include it.",
        ),
        (
            "over phenomena",
            "With at least 8 phenomena, a second overall row generalises to other phenomena and seeds. Its variance is "
            "the sum of cluster-robust CR2 (Bell and McCaffrey 2002; Pustejovsky and Tipton 2018) and of V_seed of the "
            "mean over paradigms, with Satterthwaite's degrees of freedom.",
        ),
        (
            "paired tests",
            "t = d̄ / (s_d/√n) over n corpora, each averaged over seeds and benchmarks, or over n benchmarks, each "
            "averaged over seeds and corpora. d_z is the mean difference divided by the SD of the differences; d "
            "pooled divided by √((s²_a + s²_b)/2). Holm and BH correct over tests with the same units and sides. "
            "Tests over all corpora form two families: those that include the full corpus and those that do not.",
        ),
        (
            "correlations",
            "Pearson's r with Fisher's interval tanh(atanh r ± z/√(n − 3)); p from t with n − 2 degrees of freedom. "
            "Over runs there is neither, since the seeds of one corpus are not independent.",
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
            "detectable, provable",
            "From the standard error of the same interval, with power 0.8: the smallest change that one unadjusted "
            "test detects (noncentral t, Cohen 1988), and the smallest margin for which an unchanged accuracy gets "
            "the verdict held (Schuirmann 1987).",
        ),
        (
            "overlap",
            "Sentences of a suite that occur verbatim in a condition's training text.",
        ),
    )


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report, from which every format is written."""

    analysis: Analysis
    answer: Answer
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]
    warnings: tuple[Notice, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables in CSV and JSON."""
        return tuple(table for section in self.sections for table in section.saved)


def report_of(analysis: Analysis) -> Report:
    return Report(analysis, answer(analysis), sections(analysis), methods_of(analysis), notices(analysis.results))


def _suites_with_pairs(results: Results) -> list[str]:
    """Return the suites with known pairs. For other suites, it is unknown how ties count."""
    return list(dict.fromkeys(paradigm.suite for paradigm in results.paradigms if len(paradigm.item)))


def to_json(report: Report) -> str:
    """Return all statistics as JSON: accuracies and deltas as fractions (0–1), missing values as null."""
    results = report.analysis.results
    document = {
        "run": results.run.name,
        "seeds": list(results.run.seeds),
        "ties": {suite: results.run.ties(suite) for suite in _suites_with_pairs(results)},
        "confidence": results.confidence,
        "equivalence": results.run.report.equivalence,
        "interval": f"{METHODS['crossed'].name}, or {METHODS['welch'].name} where no items are known; see `method`",
        "answer": {
            "alerts": list(report.answer.alerts),
            "asked": report.answer.question,
            "text": report.answer.paragraph,
            "cautions": list(report.answer.cautions),
        },
        "warnings": [{"text": warning.text, "places": list(warning.subjects)} for warning in report.warnings],
        "methods": dict(report.methods),
        "placebo": [asdict(test) for test in report.analysis.placebos],
        "tables": {table.name: table.records() for table in report.tables},
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


SECTIONS = ("replication", "models", "preferences", "targeted")  # ids of the sections whose tables are shown


def to_text(report: Report) -> str:
    """Return the answer, warnings, cautions and tables. Control characters are escaped; lines are as wide as needed."""
    paragraphs = [
        report.analysis.results.run.name,
        *_manifest(report),
        *report.answer.alerts,
        report.answer.paragraph,
        *(f"warning: {warning.text}{_subjects(warning.subjects)}" for warning in report.warnings),
        *(f"note: {caution}" for caution in report.answer.cautions),
        *(_table_text(table) for section_id in SECTIONS for table in _tables(report, section_id)),
    ]
    return "\n".join(map(printable, "\n\n".join(paragraphs).split("\n"))) + "\n"


def _manifest(report: Report) -> Sequence[str]:
    manifest = report.analysis.results.run.manifest
    return [f"Made from the manifest {manifest.name}, sha256 {manifest.sha256[:12]}"] if manifest.name else []


def _tables(report: Report, section_id: str) -> Sequence[Table]:
    return [table for section in report.sections if section.id == section_id for table in section.shown]


def _subjects(subjects: Sequence[str]) -> str:
    return "".join(f"\n  {subject}" for subject in subjects)


def _table_text(table: Table) -> str:
    return "\n".join([table.title, *aligned(lines(table))])
