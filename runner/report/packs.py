"""Replication packs: their data, a comparison with the paper's numbers, and the report that begins with it."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.source import Source
from fictdsl.words import counted, listed
from runner import formatting
from runner.errors import InputError
from runner.readers import parse_toml, read_document, real_path, text_reason
from runner.report.analysis import analyse
from runner.report.document import Report, report_of
from runner.report.imported_results import known_names, results_of
from runner.report.long_form import COLUMNS, LongForm, column_indices, line_error, parse_long_form, read_csv
from runner.report.results import Results
from runner.report.section import Section
from runner.tables import Cell, Column, Table, Value
from runner.toml_tables import Name, TomlTable, independent_errors, keys_at, reason_of
from runner.toml_text import KeyPath, key_positions, nearest_span, toml_error

Line = tuple[int, list[str]]  # line number, fields
_PRINTED = re.compile(r"(<\s*)?[+\-\u2212]?\d+(\.\d+)?")


def _check_printed(text: str) -> str:
    if not _PRINTED.fullmatch(text):
        raise ValueError('it should be a number as the paper prints it, such as "70.4", "-5.10" or "< 0.01"')
    return text


class Header(TomlTable):
    name: Name
    paper: str
    about: str = ""
    licence: str = ""
    page: str = ""  # the web page of a table that is not distributed with the pack


class Columns(TomlTable):
    """The column names of a table with one benchmark of a model a line; `suite` is that of benchmarks without one."""

    corpus: str
    arch: str
    seed: str
    benchmark: str
    accuracy: str
    suite: str = ""
    ppl: dict[str, str] = Field({})
    tokens: str | None = None

    @property
    def names(self) -> list[str]:
        required = [self.corpus, self.arch, self.seed, self.benchmark, self.accuracy, *self.ppl.values()]
        return [*required, *([self.tokens] if self.tokens else [])]


class ResultTable(TomlTable):
    """`[results]`: the published table. `columns` describes a table that is not in long form."""

    file: str = "results.csv"
    baseline: str = "full"
    models: tuple[str, ...] = Field((), strict=False)  # in the order of the paper
    columns: Columns | None = None


class PublishedNumber(TomlTable):
    """`[[figure]]`: a printed number and the report's value; `reason` states why it is not recomputed or differs."""

    place: str
    what: str
    value: Annotated[str, AfterValidator(_check_printed)]
    table: str | None = None
    row: dict[str, str | int | float | bool] = Field({})
    column: str | None = None
    percent: bool = False  # whether the paper prints percent or points, and the report has fractions
    reason: str = ""

    @model_validator(mode="after")
    def _check_complete(self) -> PublishedNumber:
        if (self.table is None) != (self.column is None):
            raise ValueError("`table` and `column` belong together")
        if self.table is None and not self.reason:
            raise ValueError("without `table` and `column`, a figure needs a `reason` why it cannot be recomputed")
        return self

    @property
    def number(self) -> float:
        """The printed number. For `< number`, it is the upper bound."""
        return float(self.value.lstrip("< ").replace("\u2212", "-"))

    @property
    def decimals(self) -> int:
        return len(self.value.partition(".")[2])

    def agrees(self, value: float) -> bool:
        if self.value.startswith("<"):
            return value < self.number
        half_unit = 0.5 * 10.0**-self.decimals
        return abs(value - self.number) <= half_unit or math.isclose(abs(value - self.number), half_unit, rel_tol=1e-6)


class Pack(TomlTable):
    """A replication pack. `targets` are benchmarks by corpus; `conventions` are quoted from the paper."""

    pack: Header
    results: ResultTable = ResultTable()
    conventions: dict[str, str] = Field({})
    targets: dict[str, Annotated[tuple[str, ...], Field(strict=False)]] = Field({})
    figure: tuple[PublishedNumber, ...] = Field(min_length=1, strict=False)


PACK = "pack.toml"


@dataclass(frozen=True)
class PackFile:
    source: Source
    pack: Pack

    def problem(self, *keys: str | int, reason: str, hint: str | None = None) -> Diagnostic:
        return _problem(self.source, keys, reason, hint)


def read_pack(folder: Path) -> PackFile:
    """Read the `pack.toml` of a folder. Raises InputError (FICT897) with all errors."""
    path = folder / PACK
    try:
        text = read_document(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = text_reason(error) if isinstance(error, UnicodeDecodeError) else f"it cannot be read ({error})"
        raise InputError.of("FICT897", path=path, reason=reason) from error
    source = Source.of(text, str(path), real_path(path))
    try:
        return PackFile(source, Pack.model_validate(parse_toml(source.text)))
    except tomllib.TOMLDecodeError as error:
        span, reason = toml_error(source.text, error)
        raise InputError.of("FICT897", source, span, path=source.name, reason=reason) from None
    except ValidationError as error:
        errors = independent_errors(error.errors(include_url=False))
        raise InputError([_invalid(source, detail) for detail in errors]) from None


def pack_results(file: PackFile) -> Results:
    """Return the results in the table of a pack, in the order of its `targets` and `models`.

    Raises InputError: FICT893, 894 or 898 for the table, FICT897 for names that it lacks.
    """
    pack = file.pack
    table = _read_table(file)
    corpora = list(dict.fromkeys(row.corpus for row in table.rows))
    models = list(dict.fromkeys(row.arch for row in table.rows if row.arch))
    named: list[tuple[tuple[str, ...], str, list[str]]] = [
        *((("targets", name), name, corpora) for name in pack.targets),
        (("results",), pack.results.baseline, corpora),
        *((("results",), name, models) for name in pack.results.models),
    ]
    problems = [
        file.problem(*keys, reason=f"the table of results has no `{name}`", hint=known_names(name, known))
        for keys, name, known in named
        if name not in known
    ]
    if problems:
        raise InputError(problems)
    results = results_of(table, pack.results.baseline, pack.targets)
    model_names = (*pack.results.models, *(name for name in models if name not in pack.results.models))
    run = results.run.model_copy(update={"models": tuple({"name": name} for name in model_names)})
    positions = {name: position for position, name in enumerate((pack.results.baseline, *pack.targets))}
    conditions = sorted(results.conditions, key=lambda condition: positions.get(condition.name, len(positions)))
    return replace(results, run=run, conditions=tuple(conditions))


def _read_table(file: PackFile) -> LongForm:
    pack = file.pack
    path = Path(file.source.name).parent / pack.results.file
    if not path.is_file():
        hint = f"download it from {pack.pack.page}" if pack.pack.page else None
        raise InputError.of("FICT898", path=path, pack=pack.pack.name, hint=hint)
    source, lines = read_csv(path)
    if pack.results.columns is not None:
        lines = melt(source, lines, pack.results.columns)
    return parse_long_form(source, lines, pack.pack.name)


def melt(source: Source, lines: Iterator[Line], columns: Columns) -> Iterator[Line]:
    """Yield the header and the distinct rows of the long form with their lines. Raises InputError (FICT893, 894)."""
    header = next(lines, (0, []))[1]
    required = [name.lower() for name in columns.names]
    indices = column_indices(source, header, required)
    yield 1, list(COLUMNS)
    seen = set()
    for line_number, fields in lines:
        if len(fields) != len(header):
            reason = f"it has {len(fields)} fields, but the header has {len(header)}"
            raise InputError(line_error(source, line_number, reason))
        values = {name: fields[indices[name.lower()]] for name in columns.names}
        for row in _melted_rows(values, columns):
            if row not in seen:
                seen.add(row)
                yield line_number, list(row)


def _melted_rows(values: Mapping[str, str], columns: Columns) -> Iterator[Sequence[str]]:
    corpus, arch, seed = values[columns.corpus], values[columns.arch], values[columns.seed]
    if columns.tokens:
        yield corpus, "", "", "train", "tokens", values[columns.tokens]
    for text, column in columns.ppl.items():
        yield corpus, arch, seed, text, "ppl", values[column]
    benchmark = values[columns.benchmark]
    if columns.suite and "/" not in benchmark:
        benchmark = f"{columns.suite}/{benchmark}"
    yield corpus, arch, seed, benchmark, "accuracy", values[columns.accuracy]


def _invalid(source: Source, error: ErrorDetails) -> Diagnostic:
    keys: KeyPath = tuple(error["loc"])
    name = ".".join(str(key) for key in keys if not isinstance(key, int)) or "the pack"
    hint = None
    reason = f"wrong value for `{name}`: {reason_of(error)}"
    if error["type"] == "extra_forbidden":
        known = keys_at(Pack, keys[:-1])
        found = nearest(str(keys[-1]), known)
        reason = f"unknown key `{name}`"
        hint = f"the nearest key is `{found}`" if found else f"known: {', '.join(known)}"
    elif error["type"] == "missing":
        reason = f"the key `{name}` is missing"
    return _problem(source, keys, reason, hint)


def _problem(source: Source, keys: KeyPath, reason: str, hint: str | None) -> Diagnostic:
    span = nearest_span(key_positions(source.text), keys)
    return diagnostic("FICT897", source, span, hint=hint, path=source.name, reason=reason)


UNEXPLAINED = "not explained by the pack"
UNKNOWN = "the table of results does not determine it"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published number and the report's value for it, in the unit of the paper, or None if it is unknown."""

    published: PublishedNumber
    value: float | None
    reason: str

    @property
    def agrees(self) -> bool | None:
        return None if self.value is None else self.published.agrees(self.value)


def compare(file: PackFile, tables: Sequence[Table]) -> tuple[Comparison, ...]:
    """Compare all published numbers. Raises InputError (FICT897) if an entry names no value, or several."""
    tables_by_name = {table.name: table for table in tables}
    comparisons, problems = [], []
    for index, published in enumerate(file.pack.figure):
        value = _value(file, index, published, tables_by_name)
        if isinstance(value, Diagnostic):
            problems.append(value)
        elif isinstance(value, (int, float)):
            number = 100.0 * value if published.percent else float(value)
            reason = "" if published.agrees(number) else published.reason or UNEXPLAINED
            comparisons.append(Comparison(published, number, reason))
        else:
            comparisons.append(Comparison(published, None, published.reason or UNKNOWN))
    if problems:
        raise InputError(problems)
    return tuple(comparisons)


def _value(file: PackFile, index: int, published: PublishedNumber, tables: Mapping[str, Table]) -> Value | Diagnostic:
    def problem(key: str, reason: str, name: str = "", candidates: Sequence[str] = ()) -> Diagnostic:
        hint = (did_you_mean(name, candidates) or f"known names: {', '.join(candidates)}") if candidates else None
        return file.problem("figure", index, key, reason=f"figure `{published.what}`: {reason}", hint=hint)

    if published.table is None or published.column is None:
        return None
    table = tables.get(published.table)
    if table is None:
        return problem("table", f"the report has no table `{published.table}`", published.table, sorted(tables))
    columns = [column.key for column in table.columns if column.saved]
    for name in (*published.row, published.column):
        if name not in columns:
            key = "column" if name == published.column else "row"
            return problem(key, f"the table `{published.table}` has no column `{name}`", name, columns)
    rows = table.records()
    for name, expected in published.row.items():
        matching = [row for row in rows if row[name] == expected]
        if not matching:
            values = list(dict.fromkeys(str(row[name]) for row in rows))[:12]
            return problem(
                "row", f"no such row of `{published.table}` has {name} = {expected!r}", str(expected), values
            )
        rows = matching
    if len(rows) != 1:
        differing = [name for name in columns if len({row[name] for row in rows}) > 1]
        reason = f"{len(rows)} rows of `{published.table}` have these values; they differ in {', '.join(differing[:6])}"
        return problem("row", reason)
    return rows[0][published.column]


SECTION = "replication"


def replicate(folder: Path) -> Report:
    """Return the report of a pack; its first section is the comparison. Raises InputError (FICT893, 894, 897, 898)."""
    pack_file = read_pack(folder)
    report = report_of(analyse(pack_results(pack_file)))
    pack = pack_file.pack
    intro = " ".join([f"{pack.pack.paper.rstrip('.')}.", *([pack.pack.about] if pack.pack.about else [])])
    tables = (numbers_table(compare(pack_file, report.tables)), _conventions(pack))
    section = Section(SECTION, "Replication of the paper", intro, (), tables, nav="Replication", text_place=1)
    return replace(report, sections=(section, *report.sections))


def numbers_table(comparisons: Sequence[Comparison]) -> Table:
    counts = [sum(comparison.agrees is outcome for comparison in comparisons) for outcome in (True, False, None)]
    verbs = (("agrees as printed", "agree as printed"), ("differs", "differ"), ("cannot be recomputed",) * 2)
    parts = [counted(count, *forms) for count, forms in zip(counts, verbs, strict=True) if count]
    summary = f"Of {counted(len(comparisons), 'number')} of the paper, {listed(parts)}."

    def paper(row: Comparison) -> Cell:
        return Cell(row.published.value, text=row.published.value.replace("-", formatting.MINUS))

    def recomputed(row: Comparison) -> Cell:  # with one decimal more than the paper prints
        return Cell(row.value, text=formatting.number(row.value, row.published.decimals + 1))

    def difference(row: Comparison) -> Cell:
        value = None if row.value is None else row.value - row.published.number
        return Cell(value, text=formatting.signed(value, row.published.decimals + 1))

    columns = (
        Column("place", "in the paper", "text", "published.place", css_class="quiet"),
        Column("what", "number", "text", "published.what", css_class="name prose"),
        Column("paper", "paper", "text", paper, "as printed"),
        Column("recomputed", "recomputed", "number", recomputed, "from the published table, in the paper's unit"),
        Column("difference", "difference", "signed", difference, "recomputed − paper"),
        Column("agrees", "agrees", "yes", help="the recomputed value rounds to the printed one"),
        Column("reason", "reason", css_class="quiet prose"),
    )
    return Table(SECTION, summary, columns, comparisons)


def _conventions(pack: Pack) -> Table:
    columns = (
        Column("convention", "convention", "text", lambda entry: entry[0], css_class="name"),
        Column("text", "in the paper", "text", lambda entry: entry[1], css_class="prose"),
    )
    licence = {"licence of the table": pack.pack.licence} if pack.pack.licence else {}
    return Table("conventions", "Conventions of the paper", columns, tuple((pack.conventions | licence).items()))
