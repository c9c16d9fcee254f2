"""A table of results in long form (`corpus,arch,seed,benchmark,metric,value`), from anywhere, to checked rows."""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.source import Source, Span
from runner.errors import InputError
from runner.manifest.model import BASELINE
from runner.report.results.spreadsheet import plain

CHECKPOINT = "checkpoint"
COLUMNS = ("corpus", "arch", "seed", "benchmark", "metric", "value")
ALIASES = {"condition": "corpus", "architecture": "arch", "model": "arch"}
ABSENT = frozenset({"", "na", "nan", "null", "none"})
TOLD = 10  # mistakes of one file
LARGEST = 1e300  # in size: what is beyond counts as this, so that intervals around it fit a float


@dataclass(frozen=True, slots=True)
class Row:
    """One value; `arch` and `seed` are empty where it is about a corpus, as its number of training tokens is."""

    line: int
    corpus: str
    arch: str
    seed: int | None
    benchmark: str
    metric: str
    value: float
    checkpoint: int | None = None  # training tokens (or steps) after which it was measured; None: at the end


@dataclass(frozen=True, slots=True)
class LongForm:
    """The rows of a table; `absent` of its values are empty, `unused` are its metrics that no statistic is about."""

    name: str
    rows: tuple[Row, ...]
    absent: int
    unused: tuple[str, ...]


class _WrongError(Exception):
    """A line that cannot be used, and why."""


def read_long_form(path: Path, *, empty: bool = False) -> LongForm:
    """Read a CSV (or TSV) file, `-` for standard input; InputError FICT893, FICT894 with every mistake up to ten.

    The header may have its columns in any order and others besides; `condition` and `model` (or `architecture`) stand
    for `corpus` and `arch`. Metrics: `accuracy` (0–1) and `delta` (of log-probabilities) of `suite/paradigm`, `ppl` and
    `loss` of a text, `pearson` of sentences with their ratings, `tokens` of `train`. An empty value or NA is no value.
    With a column `checkpoint`, a value is that after so many tokens or steps of training, or where that is empty, at
    the end. Of a size beyond 1e300 a value counts as that. A table without values is a mistake, unless it may be
    `empty`.
    """
    source, rows = read_csv(path)
    header, places = _header(source, next(rows, (0, [])))
    found: list[Row] = []
    seen: dict[tuple[object, ...], Row] = {}
    unused: dict[str, None] = {}
    problems: list[Diagnostic] = []
    absent = 0
    for line, fields in rows:
        try:
            row = _row(line, fields, header, places)
            if row is None:
                absent += 1
                continue
            if row.metric not in CHECKS:
                unused[row.metric] = None
                continue
            CHECKS[row.metric](row)
            before = seen.setdefault((row.corpus, row.arch, row.seed, row.benchmark, row.metric, row.checkpoint), row)
            if before is not row:
                raise _WrongError(
                    f"the same value as in line {before.line}, once more: a cell has one {row.metric} of it"
                )
        except _WrongError as wrong:
            problems.append(problem(source, line, str(wrong)))
            continue
        found.append(row)
    if problems:
        raise InputError(problems[:TOLD])
    if not found and not empty:
        raise InputError(diagnostic("FICT893", path=source.name, reason="it has no value that a report is about"))
    return LongForm(path.stem if str(path) != "-" else "results", tuple(found), absent, tuple(unused))


def read_csv(path: Path) -> tuple[Source, Iterator[tuple[int, list[str]]]]:
    """Return the text of a CSV or TSV file, and its rows with their lines, empty ones left out.

    Text that was quoted for spreadsheets is as it was before. InputError FICT893, 894.
    """
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        text = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig").read()
    except FileNotFoundError as error:
        raise InputError(diagnostic("FICT893", path=path, reason="there is no such file")) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT893", path=path, reason=f"it cannot be read as UTF-8 ({error})")) from error
    source = Source(str(path), text, path)
    first = text.partition("\n")[0]
    delimiter = max(",\t;", key=first.count)
    return source, _rows(source, delimiter)


def _rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    lines = io.StringIO(source.text, newline="")  # splitlines also splits at U+2028
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, [plain(field.strip()).strip() for field in fields]
    except csv.Error as error:
        raise InputError(problem(source, reader.line_num, f"no line of a CSV file ({error})")) from error


def problem(source: Source, line: int, reason: str) -> Diagnostic:
    """A mistake in one line of a table."""
    lines = source.text.split("\n")
    start = sum(len(before) + 1 for before in lines[: line - 1])
    span = Span(start, start + len(lines[line - 1]))
    return diagnostic("FICT894", source, span, path=source.name, line=line, reason=reason)


def columns(
    source: Source, fields: Sequence[str], wanted: Sequence[str], aliases: Mapping[str, str] | None = None
) -> dict[str, int]:
    """Where each wanted column stands in a header; InputError FICT893 if one is missing or there twice."""
    names = [(aliases or {}).get(field.lower(), field.lower()) for field in fields]
    for name in wanted:
        if names.count(name) != 1:
            missing = f"no column `{name}`" if name not in names else f"two columns `{name}`"
            reason = f"it has {missing}; its columns are {', '.join(fields) or 'none'}"
            hint = did_you_mean(name, names) if name not in names else None
            raise InputError(diagnostic("FICT893", path=source.name, reason=reason, hint=hint))
    return {name: names.index(name) for name in wanted}


def _header(source: Source, first: tuple[int, list[str]]) -> tuple[int, dict[str, int]]:
    places = columns(source, first[1], COLUMNS, ALIASES)
    names = [field.lower() for field in first[1]]
    return len(names), places | ({CHECKPOINT: names.index(CHECKPOINT)} if CHECKPOINT in names else {})


def _row(line: int, fields: list[str], width: int, places: Mapping[str, int]) -> Row | None:
    """The line's value, None if it is empty."""
    if len(fields) != width:
        raise _WrongError(f"{len(fields)} fields, and the header has {width}")
    got = {name: fields[place] for name, place in places.items()}
    if not (got["corpus"] and got["benchmark"] and got["metric"]):
        empty = next(name for name in ("corpus", "benchmark", "metric") if not got[name])
        raise _WrongError(f"the {empty} is empty")
    if got["value"].lower() in ABSENT:
        return None
    arch = "" if got["arch"].lower() in ABSENT else got["arch"]
    value = min(max(_number("value", got["value"]), -LARGEST), LARGEST)
    at = _whole(CHECKPOINT, got.get(CHECKPOINT, ""))
    seed = _whole("seed", got["seed"])
    return Row(line, got["corpus"], arch, seed, got["benchmark"], got["metric"].lower(), value, at)


def _number(what: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise _WrongError(f"the {what} is `{text}`, no number") from error
    if not math.isfinite(value):
        raise _WrongError(f"the {what} is `{text}`, not finite")
    return value


def _whole(what: str, text: str) -> int | None:
    """A whole number; `1.0` is one too, as tables with empty seeds are often written."""
    if text.lower() in ABSENT:
        return None
    value = _number(what, text)
    if value != int(value) or value < 0:
        raise _WrongError(f"the {what} is `{text}`, no whole number from 0")
    return int(value)


def _check_delta(row: Row) -> None:
    _check_cell(row)
    suite, _, paradigm = row.benchmark.rpartition("/")
    if not (suite and paradigm):
        raise _WrongError(f"{row.metric} is of `suite/paradigm`, such as blimp/passive_1, not of `{row.benchmark}`")


def _check_accuracy(row: Row) -> None:
    _check_delta(row)
    if not 0 <= row.value <= 1:
        percent = ", so divide percent by 100" if 1 < row.value <= 100 else ""
        raise _WrongError(f"the accuracy is {row.value:g}; it is a share from 0 to 1{percent}")


def _check_perplexity(row: Row) -> None:
    _check_cell(row)
    if row.value < 1:
        raise _WrongError(f"the perplexity is {row.value:g}; it is at least 1")


def _check_loss(row: Row) -> None:
    _check_cell(row)
    if row.value < 0:
        raise _WrongError(f"the loss is {row.value:g}; it is the mean of −ln p, at least 0")


def _check_pearson(row: Row) -> None:
    _check_cell(row)
    if not -1 <= row.value <= 1:
        raise _WrongError(f"the correlation is {row.value:g}; it is from −1 to 1")


def _check_tokens(row: Row) -> None:
    if row.benchmark != "train":
        raise _WrongError(f"tokens are of the benchmark `train`, not of `{row.benchmark}`")
    if row.arch or row.seed is not None:
        raise _WrongError("tokens are of a corpus: arch and seed are empty")
    if row.value < 1 or row.value != int(row.value):
        raise _WrongError(f"{row.value:g} tokens; they are a whole number from 1")


def _check_cell(row: Row) -> None:
    if not row.arch or row.seed is None:
        raise _WrongError(f"the {'arch' if not row.arch else 'seed'} is empty; only the tokens of `train` have none")
    if row.arch == BASELINE:
        raise _WrongError(
            f"the arch is `{BASELINE}`, as a report calls word frequencies, which it compares with no model"
        )


CHECKS = {
    "accuracy": _check_accuracy,
    "delta": _check_delta,
    "ppl": _check_perplexity,
    "loss": _check_loss,
    "pearson": _check_pearson,
    "tokens": _check_tokens,
}
