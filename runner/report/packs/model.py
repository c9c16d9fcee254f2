"""The data model of `pack.toml`."""

from __future__ import annotations

import math
import re
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from runner.report.results.melted import Columns
from runner.toml.table import Name, TomlTable

_PRINTED = re.compile(r"(?P<less><\s*)?(?P<number>[+\-\u2212]?\d+(?:\.(?P<decimals>\d+))?)")


def _check_printed(text: str) -> str:
    if not _PRINTED.fullmatch(text):
        raise ValueError('it should be a number as the paper prints it, such as "70.4", "-5.10" or "< 0.01"')
    return text


class Header(TomlTable):
    """`[pack]`: the replicated paper, and the source of the table of results."""

    name: Name
    paper: str
    about: str = ""
    licence: str = ""
    page: str = ""  # the web page of a table that is not distributed with the pack


class ResultTable(TomlTable):
    """`[results]`: the published table. `columns` describes a table that is not in long form."""

    file: str = "results.csv"
    baseline: str = "full"
    models: tuple[str, ...] = Field((), strict=False)  # in the order of the paper
    columns: Columns | None = None


class PublishedNumber(TomlTable):
    """`[[figure]]`: a number of the paper, and the value of the report that recomputes it.

    `place` says where the paper prints the number, and `what` says what it is. `table`, `row` and `column` locate the
    value in the report (`--format json`). `row` has the column values that identify the row. A number without a table
    cannot be recomputed. `reason` states why, or why the values differ.
    """

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
        return float(self._match["number"].replace("\u2212", "-"))

    @property
    def decimals(self) -> int:
        """The number of printed decimals."""
        return len(self._match["decimals"] or "")

    def agrees(self, value: float) -> bool:
        """Return whether a recomputed value rounds to the printed number or, for `< number`, is below it."""
        if self._match["less"]:
            return value < self.number
        half_unit = 0.5 * 10.0**-self.decimals
        return abs(value - self.number) <= half_unit or math.isclose(abs(value - self.number), half_unit, rel_tol=1e-6)

    @property
    def _match(self) -> re.Match[str]:
        match = _PRINTED.fullmatch(self.value)
        assert match is not None
        return match


class Pack(TomlTable):
    """A replication pack. `targets` are benchmarks by corpus; `conventions` are quoted from the paper."""

    pack: Header
    results: ResultTable = ResultTable()
    conventions: dict[str, str] = Field({})
    targets: dict[str, Annotated[tuple[str, ...], Field(strict=False)]] = Field({})
    figure: tuple[PublishedNumber, ...] = Field(min_length=1, strict=False)
