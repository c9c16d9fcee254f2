"""Output of `fictc score`: results as an aligned table or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.tables import aligned, csv_text

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The result of one model: `records` are rows, `total` is the row below them, and `summary` is for JSON only."""

    name: str  # key of the records in JSON
    records: Sequence[Record]
    total: Record | None = None
    summary: Record = field(default_factory=dict)


def format_percent(value: float | None) -> str:
    """Format a share as a percentage."""
    return "–" if value is None else f"{100 * value:.1f} %"


def format_value(value: float | None) -> str:
    """Format a measured value."""
    return "–" if value is None else f"{value:.3f}"


def format_count(value: int | None) -> str:
    """Format a count."""
    return "–" if value is None else f"{value:,}"


FORMATTERS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("accuracy", "told_apart", "unigram", "pro"), format_percent),
    **dict.fromkeys(("delta", "se", "r", "r_unigram", "score", "value"), format_value),
    **dict.fromkeys(
        ("pairs", "ties", "identical", "unknown", "applicable", "items", "sentences", "rated"), format_count
    ),
    **dict.fromkeys(("tokens", "unk"), format_count),
}


def _text_cell(value: object) -> str:
    """Return a value on one line."""
    return " ".join(str(value).split())


HIDDEN_COLUMNS = ("phenomenon",)  # columns that tables omit


def table(answers: Sequence[tuple[str, Answer]], title: str) -> Iterator[str]:
    """Yield aligned lines under `title`; each answer has the name of its checkpoint, "" if there is only one."""
    records = [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in (*answer.records, *([answer.total] if answer.total else []))
    ]
    if not records:
        return
    names = [name for name in records[0] if name not in HIDDEN_COLUMNS]
    text_columns = [name for name in names if name not in FORMATTERS]
    headings = [
        title if name == text_columns[0] else name if name in FORMATTERS or len(text_columns) > 1 else ""
        for name in names
    ]
    rows = [
        headings,
        *([FORMATTERS.get(name, _text_cell)(record.get(name, "")) for name in names] for record in records),
    ]
    yield from aligned(rows, [i for i, name in enumerate(names) if name in FORMATTERS])


def as_csv(answers: Sequence[tuple[str, Answer]]) -> str:
    """Return the records with a header; the checkpoint is the first column if there are several."""
    records = [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in answer.records
    ]
    header = list(records[0]) if records else []
    return csv_text([header, *([record.get(name) for name in header] for record in records)])
