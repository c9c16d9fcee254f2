"""The AANN items of Misra and Mahowald 2024 (`fictc fetch aann`): a prefix, a construction and a suffix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.score.suite_files import Pair, csv_columns, csv_records, is_table, line_error, non_empty, suite_text

NAME = "a table of AANN items"
CORRUPTIONS = ("order_swap", "no_article", "no_modifier", "no_numeral")
_CONSTRUCTION_COLUMNS = ("aann", "construction")  # in aann.csv, and in the other two tables
_FILES = ("aann.csv", "anan.csv", "naan.csv")


def claims(path: Path) -> int:
    return max(map(_column_count, _files(path)), default=0)


def pairs(path: Path) -> Iterator[Pair]:
    """Yield a pair for each item and each corruption that differs from its construction, without the text after it."""
    yield from non_empty(path, (pair for file in _files(path) for pair in _pairs(file)))


def _files(path: Path) -> list[Path]:
    return [file for name in _FILES if (file := path / name).is_file()] if path.is_dir() else [path]


def _column_count(path: Path) -> int:
    columns = set(csv_columns(path)) if is_table(path) and path.is_file() else set[str]()
    required = {"prefixes", *CORRUPTIONS}
    return len(required) + 1 if required <= columns and columns & {*_CONSTRUCTION_COLUMNS} else 0


def _pairs(path: Path) -> Iterator[Pair]:
    text = suite_text(path)
    for line, record in csv_records(path, text, ("idx", "prefixes", *CORRUPTIONS)):
        prefix = record.get("prefixes", "").strip()
        good = next((record[name].strip() for name in _CONSTRUCTION_COLUMNS if name in record), "")
        for corruption in CORRUPTIONS:
            bad = record.get(corruption, "").strip()
            if not good or not bad:
                raise line_error(path, text, line, "the construction or a corruption is missing")
            if bad != good:
                yield _pair(path.stem, corruption, record.get("idx", ""), prefix, (good, bad))


def _pair(table: str, corruption: str, item: str, prefix: str, phrases: tuple[str, str]) -> Pair:
    good, bad = (f"{prefix} {phrase}".strip() for phrase in phrases)
    item_number = int(item) if item.isascii() and item.isdigit() and len(item) < 10 else -1
    paradigm = f"{table}-{corruption.replace('_', '-')}"
    return Pair(paradigm, table, table, item_number, good, bad, "one_prefix", (prefix, prefix), phrases)
