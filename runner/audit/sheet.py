"""The sheet of an audit: a CSV file with a row for each drawn sentence, which people judge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.words import counted, inflected, listed
from runner.errors import InputError
from runner.formatting import abbreviated
from runner.readers import text_reason
from runner.score.suite_files import csv_rows, line_error
from runner.tables import csv_text, unquote

Judgement: TypeAlias = Literal["y", "n", "?"]
JUDGEMENTS: tuple[Judgement, ...] = get_args(Judgement)
StratumName: TypeAlias = Literal["matches", "near misses", "cue words", "others"]
STRATA: tuple[StratumName, ...] = get_args(StratumName)
JUDGEMENT_COLUMN = "has construction"
COLUMNS = (
    *("row", "sentence", "highlighted", JUDGEMENT_COLUMN, "note", "source", "number", "sent_id"),
    *("filter", "filter key", "corpus", "corpus key", "seed"),
    *("rows of stratum", "sentences of stratum", "words of stratum", "stratum"),
)


@dataclass(frozen=True, slots=True)
class StratumSize:
    rows: int
    sentences: int
    words: int


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A sentence to judge. `highlighted` lists words as FORM:ID; `number` is its number in its source."""

    sentence: str
    highlighted: str
    source: str
    number: int
    sent_id: str
    stratum: StratumName
    judgement: Judgement | None = None
    note: str = ""

    @property
    def place(self) -> tuple[str, int]:
        return self.source, self.number

    @property
    def word_ids(self) -> list[int]:
        return [int(word.rpartition(":")[2]) for word in self.highlighted.split()]


@dataclass(frozen=True)
class Sheet:
    """A sheet, with its strata by name. `filter_key` and `corpus_key` are hashes of what it was drawn from."""

    filter: str
    filter_key: str
    corpus: str
    corpus_key: str
    seed: int
    strata: Mapping[StratumName, StratumSize]
    rows: tuple[SheetRow, ...]

    @property
    def judged(self) -> tuple[SheetRow, ...]:
        return tuple(row for row in self.rows if row.judgement is not None)

    def text(self) -> str:
        head = (self.filter, self.filter_key, self.corpus, self.corpus_key, self.seed)
        rows = []
        for number, row in enumerate(self.rows, 1):
            size, judged = self.strata[row.stratum], (row.judgement or "", row.note)
            sentence = (number, row.sentence, row.highlighted, *judged, row.source, row.number, row.sent_id)
            rows.append((*sentence, *head, size.rows, size.sentences, size.words, row.stratum))
        return csv_text([COLUMNS, *rows])

    def judge(self, index: int, judgement: Judgement | None) -> Sheet:
        rows = list(self.rows)
        rows[index] = replace(rows[index], judgement=judgement)
        return replace(self, rows=tuple(rows))


def marked_words(block: str, word_ids: Sequence[int]) -> str:
    """Return words of a sentence, whose CoNLL-U is `block`, as FORM:ID."""
    from fictdsl.draw.tree import words

    forms = {word.id: "".join(word.form.split()) for word in words(block)}
    return " ".join(f"{forms[word]}:{word}" for word in word_ids)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row as it is in the file. Its methods raise InputError (FICT871, 812)."""

    path: Path
    text: str
    line: int
    cells: Mapping[str, str]

    def error(self, reason: str) -> InputError:
        return line_error(self.path, self.text, self.line, reason)

    def number(self, column: str) -> int:
        cell = self.cells[column]
        if not re.fullmatch(r"[0-9]{1,15}", cell):
            raise self.error(f"`{cell}` in the column {column} is not a number")
        return int(cell)

    @property
    def judgement(self) -> Judgement | None:
        cell = self.cells[JUDGEMENT_COLUMN]
        if cell and cell.lower() not in JUDGEMENTS:
            raise self.judgement_error(f"`{cell}`", next((each for each in "yn" if cell.lower().startswith(each)), ""))
        return cast("Judgement", cell.lower()) if cell else None

    def judgement_error(self, found: str, nearest: str = "") -> InputError:
        hint = f"the nearest is `{nearest}`" if nearest else None
        place = {"path": self.path, "line": self.line, "column": JUDGEMENT_COLUMN}
        return InputError.of("FICT871", found=found, hint=hint, **place)

    @property
    def size(self) -> StratumSize:
        return StratumSize(*(self.number(f"{unit} of stratum") for unit in ("rows", "sentences", "words")))

    @property
    def head(self) -> tuple[str, str, str, str, int]:
        cells = self.cells
        return cells["filter"], cells["filter key"], cells["corpus"], cells["corpus key"], self.number("seed")

    @property
    def stratum(self) -> StratumName:
        cell = self.cells["stratum"]
        if cell not in STRATA:
            raise self.error(f"`{cell}` is none of the strata {listed(STRATA)}")
        return cell

    @property
    def row(self) -> SheetRow:
        cells = self.cells
        place = cells["source"], self.number("number"), cells["sent_id"]
        return SheetRow(cells["sentence"], cells["highlighted"], *place, self.stratum, self.judgement, cells["note"])


def read_sheet(path: Path, *, is_open: bool = False) -> Sheet:
    """Read a sheet, which a spreadsheet may have saved in another order. Raises InputError (FICT812, 871, 872, 875).

    Rows after the last judgement may have none: the order is random, so the judged rows are a random sample too. In a
    sheet that is open, any row may have none.
    """
    lines = _lines(path)
    strata: dict[StratumName, StratumSize] = {}
    for line in lines:
        if line.head != lines[0].head:
            raise line.error("its filter, corpus or seed is not that of the first row")
        if strata.setdefault(line.stratum, line.size) != line.size:
            raise line.error(f"the sizes of the stratum `{line.stratum}` are not those of the rows above")
    by_number: dict[int, _Line] = {}
    for line in lines:
        if (number := line.number("row")) in by_number:
            raise line.error(f"row {number} occurs twice, first in line {by_number[number].line}")
        by_number[number] = line
    total = max(*by_number, sum(size.rows for size in strata.values()))
    if missing := [str(number) for number in range(1, total + 1) if number not in by_number]:
        rows = f"{inflected(len(missing), 'row')} {abbreviated(missing)}"
        raise InputError.of("FICT872", path=path, count=len(missing), total=total, rows=rows)
    ordered = [by_number[number] for number in sorted(by_number)]
    last = max((index for index, line in enumerate(ordered) if line.judgement is not None), default=-1)
    for line in [] if is_open else ordered[: max(last, 0)]:
        if line.judgement is None:
            raise line.judgement_error("nothing")
    in_order = {name: strata[name] for name in STRATA if name in strata}
    return Sheet(*lines[0].head, in_order, tuple(line.row for line in ordered))


def _lines(path: Path) -> list[_Line]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.of("FICT875", path=path, reason=text_reason(error)) from error
    rows = [(row.line, [unquote(cell.strip()) for cell in row.cells]) for row in csv_rows(path, text, ())]
    columns = rows[0][1] if rows else []
    if missing := [name for name in COLUMNS if name not in columns]:
        reason, hint = f"it has no column `{missing[0]}`", did_you_mean(missing[0], columns)
        raise InputError.of("FICT875", path=path, reason=reason, hint=hint)
    lines = []
    for number, cells in rows[1:]:
        if any(cells):
            line = _Line(path, text, number, dict(zip(columns, cells, strict=False)))
            if len(cells) < len(columns):
                raise line.error(f"it has {counted(len(cells), 'cell')}, and the header {len(columns)}")
            lines.append(line)
    if not lines:
        raise InputError.of("FICT875", path=path, reason="it has no rows")
    return lines
