"""Scores to tables for people, and to CSV and JSON with the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fictdsl.draw.text import cells
from runner.report.results.spreadsheet import csv_text

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """What one model's scores come to: a record a line, of which `last` sums up all others; `summary` is for JSON."""

    name: str  # of the records
    records: Sequence[Record]
    last: Record | None = None
    summary: Record = field(default_factory=dict)


def percent(value: float | None) -> str:
    """A share for people."""
    return "–" if value is None else f"{100 * value:.1f} %"


def number(value: float | None) -> str:
    """A measured number for people."""
    return "–" if value is None else f"{value:.3f}"


def count(value: int | None) -> str:
    """A count for people."""
    return "–" if value is None else f"{value:,}"


SHOWN: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("accuracy", "unigram", "pro"), percent),
    **dict.fromkeys(("delta", "se", "r", "r_unigram", "score"), number),
    **dict.fromkeys(("pairs", "ties", "identical", "unknown", "applicable", "items", "sentences", "rated"), count),
    **dict.fromkeys(("tokens", "unk"), count),
}
HIDDEN = ("phenomenon",)  # in tables for people


def table(answers: Sequence[tuple[str, Answer]], title: str) -> Iterator[str]:
    """Aligned lines under `title`; each answer comes with the name of its checkpoint, or "" where there is but one."""
    lines = [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in (*answer.records, *([answer.last] if answer.last else []))
    ]
    if not lines:
        return
    names = [name for name in lines[0] if name not in HIDDEN]
    texts = [name for name in names if name not in SHOWN]
    heads = [title if name == texts[0] else name if name in SHOWN or len(texts) > 1 else "" for name in names]
    rows = [heads, *([SHOWN.get(name, str)(line.get(name, "")) for name in names] for line in lines)]
    widths = [max(cells(row[place]) for row in rows) for place in range(len(names))]
    for row in rows:
        padded = (
            " " * (width - cells(text)) + text if name in SHOWN else text + " " * (width - cells(text))
            for name, text, width in zip(names, row, widths, strict=True)
        )
        yield "  ".join(padded).rstrip() if names[-1] not in SHOWN else "  ".join(padded)


def as_csv(answers: Sequence[tuple[str, Answer]]) -> str:
    """The records with a header, and the checkpoint first where there are several."""
    records = [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in answer.records
    ]
    header = list(records[0]) if records else []
    return csv_text([header, *([record.get(name) for name in header] for record in records)])
