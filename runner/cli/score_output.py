"""Output of `fictc score` by kind of suite, as an aligned table or CSV, and the sentences of `--counts`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.tables import aligned, csv_text

if TYPE_CHECKING:
    from runner.score.suite_kind import Answer


def format_percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def format_value(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def format_count(value: int | None) -> str:
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


def sentences_of(path: Path) -> Iterator[str]:
    """Yield the sentences of a store or a file. A byte order mark and white space around a sentence are dropped.

    Raises InputError if the store cannot be read (FICT740 and related codes), or if the file cannot be read (FICT700),
    is not raw text (FICT710) or is not UTF-8 (FICT701).
    """
    from runner.corpus.raw_text import find_non_text, read_lines
    from runner.corpus.sentence_texts import sentence_texts
    from runner.corpus.store import Store
    from runner.errors import InputError

    if path.is_dir():
        yield from sentence_texts(Store.open(path))
        return
    if problems := list(find_non_text([path])):
        raise InputError(problems)
    yield from (unit.text.removeprefix("\ufeff").strip() for unit in read_lines(path))
