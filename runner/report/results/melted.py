"""Convert tables with one column per metric to the long form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from fictdsl.source import Source
from runner.errors import InputError
from runner.report.results.long_form import COLUMNS, column_indices, line_error
from runner.toml.table import TomlTable

Line = tuple[int, list[str]]  # line number, fields


class Columns(TomlTable):
    """The column names of a table in which each line is one benchmark of a trained model.

    `suite` is not a column, but the suite of benchmarks that do not name one. `ppl` has the column of perplexities for
    each text. Perplexities and the `tokens` of a corpus are repeated on every line.
    """

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
        """The names of all columns."""
        required = [self.corpus, self.arch, self.seed, self.benchmark, self.accuracy, *self.ppl.values()]
        return [*required, *([self.tokens] if self.tokens else [])]


def melt(source: Source, lines: Iterator[Line], columns: Columns) -> Iterator[Line]:
    """Yield the header and the distinct rows of the long form, each with the number of its source line.

    Raises InputError: FICT893 if a column is missing, FICT894 if a line has more or fewer fields than the header.
    """
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
        for row in _rows(values, columns):
            if row not in seen:
                seen.add(row)
                yield line_number, list(row)


def _rows(values: Mapping[str, str], columns: Columns) -> Iterator[Sequence[str]]:
    corpus, arch, seed = values[columns.corpus], values[columns.arch], values[columns.seed]
    if columns.tokens:
        yield corpus, "", "", "train", "tokens", values[columns.tokens]
    for text, column in columns.ppl.items():
        yield corpus, arch, seed, text, "ppl", values[column]
    benchmark = values[columns.benchmark]
    if columns.suite and "/" not in benchmark:
        benchmark = f"{columns.suite}/{benchmark}"
    yield corpus, arch, seed, benchmark, "accuracy", values[columns.accuracy]
