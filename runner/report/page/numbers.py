"""The report's statistics as one JSON document."""

from __future__ import annotations

import json

from runner.report.analysis.score_names import probability_name
from runner.report.analysis.statistics import Analysis
from runner.report.page.answer import answer
from runner.report.page.methods import methods
from runner.report.sections.gather import sections
from runner.report.tables.tables import all_tables


def to_json(analysis: Analysis) -> str:
    """Return all statistics as JSON: accuracies and deltas as fractions (0–1), missing values as null."""
    run = analysis.results.run
    answer_text = answer(analysis)
    tables = [*all_tables(analysis), *(table for section in sections(analysis) for table in section.tables)]
    document = {
        "run": run.name,
        "seeds": list(run.seeds),
        "ties": {suite: run.ties(suite) for suite in analysis.results.suites},
        "confidence": run.report.confidence,
        "interval": "Welch t over seeds; bootstrap columns resample seeds and items",
        "answer": {
            "asked": answer_text.question,
            "text": answer_text.paragraph,
            "cautions": list(answer_text.cautions),
        },
        "methods": dict(methods(run.report.confidence, probability_name(analysis))),
        "tables": {table.name: table.records() for table in tables},
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
