"""Texts and files to filters, to what lint says of them, to their canonical layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

from fictc.errors import FilterError
from fictdsl.compiler import Compilation, CompiledFilter
from fictdsl.compiler import compile_file as _compile_file
from fictdsl.compiler import compile_text as _compile_text
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean


@dataclass(frozen=True)
class Filter:
    """One filter, or one member of a family, ready to be run."""

    compiled: CompiledFilter = field(repr=False)

    @property
    def name(self) -> str:
        """Its name; of a member of a family `name.value`."""
        return self.compiled.name

    @property
    def about(self) -> str | None:
        """What it says it is about."""
        return self.compiled.metadata.about

    @property
    def targets(self) -> tuple[str, ...]:
        """The paradigms of minimal pairs that it is for."""
        return self.compiled.metadata.targets

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a match may bind to words."""
        return self.compiled.names

    @property
    def source(self) -> str:
        """Its text, as it was written."""
        span = self.compiled.definition.span
        return self.compiled.module.source.text[span.start : span.end]

    @property
    def sql(self) -> str:
        """The DuckDB query over the tables of a store that finds all its matches."""
        from fictdsl.sql.emit import pretty

        return pretty(self.compiled.plan, "duckdb")

    def explain(self) -> str:
        """What it does, in plain English."""
        from fictdsl.english.describe import describe

        return "\n".join(describe(self.compiled))

    def __repr__(self) -> str:
        about = f": {self.about}" if self.about else ""
        return f"<Filter {self.name}{about}>"


class Filters(Sequence[Filter]):
    """The filters of a file, in its order; `filters["name"]` is the one called so."""

    def __init__(self, filters: Sequence[Filter], path: str) -> None:
        self._filters = tuple(filters)
        self._path = path

    @overload
    def __getitem__(self, key: int | str) -> Filter: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Filter]: ...
    def __getitem__(self, key: int | str | slice) -> Filter | Sequence[Filter]:
        if not isinstance(key, str):
            return self._filters[key]
        named = {one.name: one for one in self._filters}
        if key not in named:
            hint = did_you_mean(key, named)
            raise FilterError([diagnostic("FICT290", path=self._path, name=key, hint=hint)])
        return named[key]

    def __len__(self) -> int:
        return len(self._filters)

    def __iter__(self) -> Iterator[Filter]:
        return iter(self._filters)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self._filters))}]"


def compile_text(text: str, base: str | Path | None = None) -> Filters:
    """The filters of a text; `base` is the folder that its `use` and `file` paths are relative to."""
    return _filters(_compile_text(text, base=None if base is None else Path(base)), "<text>")


def compile_file(path: str | Path) -> Filters:
    """The filters of a `.fict` file."""
    return _filters(_compile_file(Path(path)), str(path))


def _filters(compilation: Compilation, path: str) -> Filters:
    if compilation.errors:
        raise FilterError(compilation.errors)
    return Filters([Filter(compiled) for compiled in compilation.filters], path)


def lint(source: str | Path) -> list[Diagnostic]:
    """All that is wrong or odd in a text or, given a `Path`, in a file; errors are part of the list, not raised."""
    from fictdsl.lint.engine import lint_file, lint_text

    return lint_file(source) if isinstance(source, Path) else lint_text(source)


def format(text: str) -> str:  # noqa: A001 - the name that the command has
    """The text in its canonical layout, comments kept."""
    from fictdsl.syntax.format import format_text

    formatted = format_text(text)
    if formatted.text is None:
        raise FilterError(formatted.diagnostics)
    return formatted.text
