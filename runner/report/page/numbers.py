"""The report's statistics as one JSON document."""

from __future__ import annotations

import json
from dataclasses import asdict

from runner.report.page.report import Report
from runner.report.results.results import Results
from runner.score.statistics.intervals import METHODS


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
        "confidence": results.run.report.confidence,
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
