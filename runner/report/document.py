"""A report, made once for the page, CSV, JSON and the terminal: sections, methods, JSON document and text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TypeAlias

from fictdsl.terminal_text import printable
from runner import formatting
from runner.readers import parse_toml
from runner.report.answer import Answer, answer
from runner.report.cautions import Notice, notices
from runner.report.figures import figures_of
from runner.report.markup import ASSETS
from runner.report.section import Section
from runner.report.sections import MODULES
from runner.report.statistics import Analysis, ScoreName, probability_name
from runner.score.convention import UNIGRAM
from runner.score.intervals import METHODS
from runner.tables import Table
from runner.tables import to_text as text_of

Maker: TypeAlias = Callable[[Analysis], Iterator[Section]]


def sections(analysis: Analysis) -> tuple[Section, ...]:
    made = (section for _, make in MAKERS for section in make(analysis))
    return tuple(replace(each, figures=each.figures + figures_of(each.id, analysis)) for each in made)


PLACES: list[tuple[int, Maker]] = [place for module in MODULES for place in module.SECTIONS.items()]
MAKERS = sorted(PLACES, key=lambda place: place[0])


def methods_of(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    results, options = analysis.results, analysis.results.run.report
    used = {key for contrast in analysis.contrasts.values() for key in contrast.differences_by_method}
    is_used = {method.name: key in used for key, method in METHODS.items()} | {
        "over phenomena": any(headline.over_phenomena for headline in analysis.headlines),
        "unigram baseline": any(model == UNIGRAM for _, _, model in analysis.accuracies),
        "PΔ, r, ceiling": bool(analysis.probability_deltas),
        "detectable, provable": bool(analysis.detectable),
        "overlap": any(condition.overlap for condition in results.conditions),
    }
    has_scoring = bool(results.run.convention) or any(len(paradigm.item) for paradigm in results.paradigms)
    names = options.confidence, options.equivalence, probability_name(analysis)
    return tuple(entry for entry in methods(*names, has_scoring=has_scoring) if is_used.get(entry[0], True))


def methods(
    confidence: float, margin: float, scores: ScoreName, *, has_scoring: bool = True
) -> tuple[tuple[str, str], ...]:
    """Return the terms and their definitions. `scores` are those of PΔ; `margin` is of equivalence, in points."""
    names = {key: method.name for key, method in METHODS.items()}
    names |= {"level": formatting.percentage(confidence), "margin": f"{margin:g}", "difference": scores.difference}
    entries = parse_toml((ASSETS / "methods.toml").read_text(encoding="utf-8"))
    definitions = {}
    for term, entry in entries.items():
        text = entry["text"] if has_scoring else entry.get("table", entry["text"])
        definitions[term] = text.format_map(names)
        if term == "interval":
            definitions |= {each.name: f"{each.description} ({each.citation})" for each in METHODS.values()}
    return tuple(definitions.items())


@dataclass(frozen=True, slots=True)
class Report:
    analysis: Analysis
    answer: Answer
    sections: tuple[Section, ...]
    methods: tuple[tuple[str, str], ...]
    warnings: tuple[Notice, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(table for section in self.sections for table in section.saved)


def report_of(analysis: Analysis) -> Report:
    return Report(analysis, answer(analysis), sections(analysis), methods_of(analysis), notices(analysis.results))


def to_json(report: Report) -> str:
    """Return all statistics as JSON: accuracies and deltas as fractions (0–1), missing values as null."""
    results = report.analysis.results
    document = {
        "run": results.run.name,
        "seeds": list(results.run.seeds),
        # it is unknown how ties count in suites without pairs
        "ties": {each.suite: results.run.ties(each.suite) for each in results.paradigms if len(each.item)},
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


def to_text(report: Report) -> str:
    manifest = report.analysis.results.run.manifest
    made_from = [f"Made from the manifest {manifest.name}, sha256 {manifest.sha256[:12]}"] if manifest.name else []
    in_text = sorted((section for section in report.sections if section.text_place), key=lambda each: each.text_place)
    paragraphs = [
        report.analysis.results.run.name,
        *made_from,
        *report.answer.alerts,
        report.answer.paragraph,
        *("\n  ".join([f"warning: {warning.text}", *warning.subjects]) for warning in report.warnings),
        *(f"note: {caution}" for caution in report.answer.cautions),
        *("\n".join([table.title, *text_of(table)]) for section in in_text for table in section.shown),
    ]
    return "\n".join(map(printable, "\n\n".join(paragraphs).split("\n"))) + "\n"
