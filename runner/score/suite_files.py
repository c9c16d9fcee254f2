"""The files of a suite, the rows of its tables, and the minimal pairs that they hold.

Commas, semicolons or tabs separate the cells, whichever is most frequent in the header.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from fictdsl.diagnostics.suggest import nearest
from fictdsl.source import Source, Span
from runner.errors import InputError
from runner.readers import parse_json, read_text, text_reason

TABLE_SUFFIXES = (".csv", ".tsv")
PAIR_SUFFIXES = (".jsonl", *TABLE_SUFFIXES)
MAX_ENTRIES = 20_000  # files and folders below a folder: a home directory is no suite


def suite_files(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the file, or the files with these suffixes below a folder, sorted, without hidden ones.

    Raises InputError (FICT811) for a folder with more than `MAX_ENTRIES` entries.
    """
    if not path.is_dir():
        return [path]
    files: list[Path] = []
    entries = 0
    visited = set[str]()
    for folder, subfolders, names in os.walk(path, followlinks=True):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        entries += len(subfolders) + len(names)
        if entries > MAX_ENTRIES:
            reason = f"the folder has more than {MAX_ENTRIES:,} files and folders"
            raise InputError.of("FICT811", path=path, reason=reason)
        if (real := os.path.realpath(folder)) in visited:  # a link to a folder above it
            subfolders.clear()
            continue
        visited.add(real)
        files += [Path(folder, name) for name in names if not name.startswith(".")]
    return sorted(file for file in files if file.suffix.lower() in suffixes and file.is_file())


def is_table(path: Path) -> bool:
    return path.suffix.lower() in TABLE_SUFFIXES and not path.is_dir()


def suite_text(path: Path) -> str:
    """Return the text of a file. Raises InputError (FICT811) if it cannot be read or is not UTF-8."""
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.of("FICT811", path=path, reason=text_reason(error)) from error


# columns that some suites have
OPTIONAL = ("UID", "paradigm", "linguistics_term", "phenomenon", "field", "pairID", "item", "rating")
_MAX_HEADER = 1 << 20  # characters
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons"}
Names: TypeAlias = str | tuple[str, ...]  # the name of a column, or several names of which one is there


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    cells: list[str]
    text: str


def csv_columns(path: Path) -> list[str]:
    """Return the header of a CSV file, which empty lines may precede, or an empty list if it is missing or invalid."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        header = next((line for line in iter(lambda: file.readline(_MAX_HEADER), "") if line.strip()), "")
        try:
            return next(csv.reader(chain([header], file), delimiter=delimiter_of(header)), [])
        except csv.Error:
            return []  # left to the reader of the rows, which reports the error


def delimiter_of(text: str) -> str:
    header = next((line for line in text.split("\n") if line.strip()), "")
    return max(_DELIMITERS, key=header.count)


def csv_records(path: Path, text: str, required: Sequence[Names]) -> Iterator[tuple[int, Mapping[str, str]]]:
    header, *rows = csv_rows(path, text, required)
    for row in rows:
        yield row.line, dict(zip(header.cells, row.cells, strict=False))


def csv_rows(path: Path, text: str, required: Sequence[Names]) -> Iterator[Row]:
    """Yield the header, then the rows. Raises InputError: FICT811 for its columns, FICT812 for an invalid row."""
    lines, delimiter = _lines(text), delimiter_of(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    columns: list[str] | None = None
    row_start = 0  # index of the first line of the row
    try:
        for cells in reader:
            row_text = "".join(lines[row_start : reader.line_num])
            row_start = reader.line_num
            if not cells:
                continue
            if columns is None:
                columns = cells
                _check_columns(path, columns, required)
            if len(cells) > len(columns):
                reason = f"it has more cells than the header; quote cells that contain {_DELIMITERS[delimiter]}"
                raise line_error(path, text, reader.line_num, reason)
            yield Row(reader.line_num, cells, row_text)
    except csv.Error as error:
        raise line_error(path, text, reader.line_num, str(error)) from error
    if columns is None:
        _check_columns(path, [], required)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline=""))  # splitlines also splits at U+2028


def _check_columns(path: Path, columns: Sequence[str], required: Sequence[Names]) -> None:
    alternatives = [(names,) if isinstance(names, str) else names for names in required]
    missing = [_either(names) for names in alternatives if not set(names) & set(columns)]
    if missing:
        present_columns = f"its columns are {', '.join(columns)}" if columns else "it has no columns"
        reason = f"it has no column {' and no column '.join(missing)}; {present_columns}"
        raise InputError.of("FICT811", path=path, reason=reason)
    for names in (*alternatives, *((name,) for name in OPTIONAL)):
        if len(repeated := [column for column in columns if column in names]) > 1:
            reason = f"it has two columns {' and '.join(dict.fromkeys(repeated))}"
            raise InputError.of("FICT811", path=path, reason=reason)


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} (or {' or '.join(names[1:])})"


def finite_number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def line_error(path: Path, text: str, line: int, reason: str) -> InputError:
    lines = _lines(text)
    previous, excerpt_lines = lines[: line - 1], lines[line - 1 : line]
    start = sum(map(len, previous))
    span = Span(start, start + sum(len(shown.rstrip("\r\n")) for shown in excerpt_lines))
    return InputError.of("FICT812", Source(str(path), text, path), span, path=path, line=line, reason=reason)


def json_records(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the line and the object of each line of JSON Lines. Raises InputError (FICT812)."""
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would also split at U+2028 within a string
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except json.JSONDecodeError as error:
            reason = f"{error.msg}, column {error.colno}" if error.doc else error.msg
            raise line_error(path, text, number, f"it is not JSON ({reason})") from error
        if not isinstance(record, dict):
            raise line_error(path, text, number, "it is not a JSON object")
        yield number, record


# names of the acceptable and of the unacceptable sentence: that of BLiMP, and its short form
GOOD, BAD = ("sentence_good", "good"), ("sentence_bad", "bad")


@dataclass(frozen=True, slots=True)
class Pair:
    """An acceptable sentence and an unacceptable one.

    If the suite marks the critical word, `prefixes` are the texts before it and `words` are the critical words, each as
    (good, bad). With `one_prefix`, both sentences have the same prefix; with `two_prefix`, the same critical word.
    """

    paradigm: str
    phenomenon: str
    field: str
    item: int  # number of the item within the paradigm, or -1 if unknown
    good: str
    bad: str
    prefix_method: str = ""  # one_prefix, two_prefix or empty
    prefixes: tuple[str, str] = ("", "")
    words: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Suite:
    name: str
    items: list[Pair]

    @property
    def paradigms(self) -> list[str]:
        return list(dict.fromkeys(pair.paradigm for pair in self.items))


def check_paradigms(path: Path, paradigms: Sequence[str], known: Iterable[str]) -> None:
    """Raise InputError (FICT817) if one of `paradigms` is not known."""
    names = list(known)
    for paradigm in paradigms:
        if paradigm not in names:
            suggestion = nearest(paradigm, names)
            hint = f"the nearest is `{suggestion}`" if suggestion else None
            raise InputError.of("FICT817", path=path, name=paradigm, hint=hint)


def check_no_paradigms(path: Path, paradigms: Sequence[str]) -> None:
    if paradigms:
        raise InputError.of("FICT817", path=path, name=paradigms[0], hint="it has no paradigms")


def non_empty(path: Path, pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs. Raises InputError (FICT811) if there are none."""
    is_empty = True
    for pair in pairs:
        is_empty = False
        yield pair
    if is_empty:
        raise InputError.of("FICT811", path=path, reason="it contains no pair")


def pair_of(path: Path, source: str, line: int, record: Mapping[str, Any]) -> Pair:
    """Return the pair of a record with the keys of BLiMP or their short names; `source` and `line` are for errors."""

    def field_text(*keys: str, types: tuple[type, ...] = (str,)) -> str:
        key = next((key for key in keys if record.get(key) not in (None, "")), None)
        if key is None:
            return ""
        if not isinstance(record[key], types) or isinstance(record[key], bool):
            raise line_error(path, source, line, f"its `{key}` is not a string")
        return str(record[key])

    good, bad = field_text(*GOOD).strip(), field_text(*BAD).strip()
    for side, sentence, keys in (("acceptable", good, GOOD), ("unacceptable", bad, BAD)):
        if not sentence:
            raise line_error(path, source, line, f"the {side} sentence is missing{_keys_read(keys, record)}")
    item = field_text("pairID", "item", types=(str, int))
    paradigm = field_text("UID", "paradigm", types=(str, int)) or path.stem
    phenomenon, field = field_text("linguistics_term", "phenomenon"), field_text("field")
    number = int(item) if item.isascii() and item.isdigit() and len(item) < 10 else -1
    pair = Pair(paradigm, phenomenon, field, number, good, bad)
    if record.get("one_prefix_prefix"):
        prefix = field_text("one_prefix_prefix")
        words = field_text("one_prefix_word_good"), field_text("one_prefix_word_bad")
        return replace(pair, prefix_method="one_prefix", prefixes=(prefix, prefix), words=words)
    if record.get("two_prefix_word"):
        prefixes = field_text("two_prefix_prefix_good"), field_text("two_prefix_prefix_bad")
        return replace(pair, prefix_method="two_prefix", prefixes=prefixes, words=(field_text("two_prefix_word"),) * 2)
    return pair


def _keys_read(keys: Sequence[str], record: Mapping[str, Any]) -> str:
    if any(key in record for key in keys):
        return ""
    present = ", ".join(f"`{key}`" for key in list(record)[:20]) or "none"
    return f", whose key is {' or '.join(f'`{key}`' for key in keys)}; the keys of the line are {present}"
