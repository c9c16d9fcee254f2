"""Read and check result tables in long form."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.source import Source, Span
from fictdsl.terminal_text import quotation
from runner.errors import InputError
from runner.readers import read_input, text_reason
from runner.score.convention import UNIGRAM
from runner.score.suite_files import delimiter_of
from runner.tables import unquote

CHECKPOINT = "checkpoint"
COLUMNS = ("corpus", "arch", "seed", "benchmark", "metric", "value")
METRICS = ("accuracy", "delta", "ppl", "loss", "pearson", "tokens")
ALIASES = {"condition": "corpus", "architecture": "arch", "model": "arch"}
ABSENT = frozenset({"", "na", "nan", "null", "none"})
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)", re.IGNORECASE | re.ASCII)
MAX_ERRORS = 10  # errors reported per file
MAX_MAGNITUDE = 1e300  # larger values are clipped, so that intervals around them are finite


@dataclass(frozen=True, slots=True)
class Row:
    """One value. For a value of a corpus, such as its number of training tokens, `arch` is "" and `seed` is None."""

    line: int
    corpus: str
    arch: str
    seed: int | None
    benchmark: str
    metric: str
    value: float
    checkpoint: int | None = None  # training tokens (or steps) at the measurement; None at the end


@dataclass(frozen=True, slots=True)
class LongForm:
    """The rows of a table. `absent` counts rows without a value; `unused` lists metrics that no statistic uses."""

    name: str
    rows: tuple[Row, ...]
    absent: int
    unused: tuple[str, ...]


class _LineError(Exception):
    """The reason why a line cannot be used."""


def read_long_form(path: Path, *, allow_empty: bool = False) -> LongForm:
    """Read a CSV or TSV file, `-` for standard input. Raises InputError (FICT893, FICT894) with up to ten errors.

    `delta` is a mean score difference, `loss` in nats per token, and `checkpoint` empty for the end of training.
    """
    source, rows = read_csv(path)
    return parse_long_form(source, rows, path.stem if str(path) != "-" else "results", allow_empty=allow_empty)


def parse_long_form(
    source: Source, rows: Iterator[tuple[int, list[str]]], name: str, *, allow_empty: bool = False
) -> LongForm:
    """Check rows of `read_csv`, the header first. Raises InputError (FICT893, FICT894)."""
    header = next(rows, (0, []))[1]
    indices = column_indices(source, header, COLUMNS, ALIASES)
    names = [field.lower() for field in header]
    indices |= {CHECKPOINT: names.index(CHECKPOINT)} if CHECKPOINT in names else {}
    values: list[Row] = []
    seen: dict[tuple[object, ...], Row] = {}
    unused: dict[str, None] = {}
    problems: list[Diagnostic] = []
    absent = 0
    for line, fields in rows:
        try:
            row = _row(line, fields, len(header), indices)
            if row is None:
                absent += 1
                continue
            if row.metric not in METRICS:
                unused[row.metric] = None
                continue
            _check(row)
            previous = seen.setdefault((row.corpus, row.arch, row.seed, row.benchmark, row.metric, row.checkpoint), row)
            if previous is not row:
                raise _LineError(f"the {row.metric} of this cell and benchmark is already in line {previous.line}")
        except _LineError as error:
            problems.append(line_error(source, line, str(error)))
            continue
        values.append(row)
    if problems:
        raise InputError(problems[:MAX_ERRORS])
    if not values and not allow_empty:
        reason, hint = "it has no value that a report uses", None
        if unused:
            found = ", ".join(f"`{quotation(metric)}`" for metric in [*unused][:5])
            reason = f"no report uses its metrics {found}; the metrics are {', '.join(METRICS)}"
            hint = did_you_mean(next(iter(unused)), METRICS)
        raise InputError.of("FICT893", path=source.name, reason=reason, hint=hint)
    return LongForm(name, tuple(values), absent, tuple(unused))


def read_csv(path: Path) -> tuple[Source, Iterator[tuple[int, list[str]]]]:
    """Return the source of a CSV or TSV file and its numbered lines, unquoted. Raises InputError (FICT893, 894)."""
    try:
        text = read_input(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = f"it cannot be read ({error})"
        if isinstance(error, FileNotFoundError):
            reason = "no such file"
        elif isinstance(error, UnicodeDecodeError):
            reason = text_reason(error)
        raise InputError.of("FICT893", path=path, reason=reason) from error
    source = Source(str(path), text, path)
    return source, _rows(source, delimiter_of(text))


def _rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    lines = io.StringIO(source.text, newline="")  # unlike splitlines, does not split at U+2028
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, [unquote(field.strip()).strip() for field in fields]
    except csv.Error as error:
        raise InputError(line_error(source, reader.line_num, f"it is not valid CSV ({error})")) from error


def line_error(source: Source, line: int, reason: str) -> Diagnostic:
    lines = source.text.split("\n")
    start = sum(len(previous) + 1 for previous in lines[: line - 1])
    span = Span(start, start + len(lines[line - 1]))
    return diagnostic("FICT894", source, span, path=source.name, line=line, reason=reason)


def column_indices(
    source: Source, fields: Sequence[str], required: Sequence[str], aliases: Mapping[str, str] | None = None
) -> dict[str, int]:
    """Return the index of each required column. Raises InputError (FICT893) if one is missing or occurs twice."""
    names = [(aliases or {}).get(field.lower(), field.lower()) for field in fields]
    for name in required:
        if names.count(name) != 1:
            problem = f"no column `{name}`" if name not in names else f"two columns `{name}`"
            reason = f"it has {problem}; its columns are {', '.join(fields) or 'none'}"
            hint = did_you_mean(name, names) if name not in names else None
            raise InputError.of("FICT893", path=source.name, reason=reason, hint=hint)
    return {name: names.index(name) for name in required}


def _row(line: int, fields: list[str], field_count: int, indices: Mapping[str, int]) -> Row | None:
    if len(fields) != field_count:
        raise _LineError(f"it has {len(fields)} fields, but the header has {field_count}")
    values = {name: fields[index] for name, index in indices.items()}
    if not (values["corpus"] and values["benchmark"] and values["metric"]):
        empty_column = next(name for name in ("corpus", "benchmark", "metric") if not values[name])
        raise _LineError(f"the {empty_column} is empty")
    if values["value"].lower() in ABSENT:
        return None
    metric = values["metric"].lower()
    # tokens have no model; other programs write missing values as NA. A model may be called `none`
    arch = "" if metric == "tokens" and values["arch"].lower() in ABSENT else values["arch"]
    value = min(max(_number("value", values["value"]), -MAX_MAGNITUDE), MAX_MAGNITUDE)
    checkpoint = _non_negative_integer(CHECKPOINT, values.get(CHECKPOINT, ""))
    seed = _non_negative_integer("seed", values["seed"])
    return Row(line, values["corpus"], arch, seed, values["benchmark"], metric, value, checkpoint)


def _number(name: str, text: str) -> float:
    if not NUMBER.fullmatch(text):
        raise _LineError(f"the {name} is `{text}`, which is not a number")
    value = float(text)
    if not math.isfinite(value):
        raise _LineError(f"the {name} is `{text}`, which is not finite")
    return value


def _non_negative_integer(name: str, text: str) -> int | None:
    if text.lower() in ABSENT:
        return None
    if text.isascii() and text.isdigit():
        return int(text)  # exact, unlike a float
    value = _number(name, text)
    if value != int(value) or value < 0:
        raise _LineError(f"the {name} is `{text}`, which is not a non-negative integer")
    return int(value)


def _check(row: Row) -> None:
    value = f"{row.value:g}"
    if row.metric == "tokens":
        if row.benchmark != "train":
            raise _LineError(f"tokens need the benchmark `train`, not `{row.benchmark}`")
        if row.arch or row.seed is not None:
            raise _LineError("tokens belong to a corpus; leave arch and seed empty")
        if row.value < 1 or row.value != int(row.value):
            raise _LineError(f"{value} tokens; expected a positive integer")
        return
    if not row.arch or row.seed is None:
        empty = "arch" if not row.arch else "seed"
        raise _LineError(f"the {empty} is empty; only the tokens of `train` have no arch and seed")
    if row.arch == UNIGRAM:
        raise _LineError(f"the arch is `{UNIGRAM}`, the name that reports use for word frequencies")
    suite, _, paradigm = row.benchmark.rpartition("/")
    match row.metric:
        case "accuracy" | "delta" if not (suite and paradigm):
            needed = "a benchmark `suite/paradigm`, such as blimp/passive_1"
            raise _LineError(f"{row.metric} needs {needed}, not `{row.benchmark}`")
        case "accuracy" if not 0 <= row.value <= 1:
            percent = "; divide percent by 100" if 1 < row.value <= 100 else ""
            raise _LineError(f"the accuracy is {value}; expected a share from 0 to 1{percent}")
        case "ppl" if row.value < 1:
            raise _LineError(f"the perplexity is {value}, less than 1")
        case "loss" if row.value < 0:
            raise _LineError(f"the loss is {value}; a mean of −ln p is at least 0")
        case "pearson" if not -1 <= row.value <= 1:
            raise _LineError(f"the correlation is {value}, not between −1 and 1")
