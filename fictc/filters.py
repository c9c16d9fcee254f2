"""Texts and files to filters, to what lint says of them, to their canonical layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, overload

from fictc.errors import FilterError, as_filter_error
from fictdsl.compiler import Compilation, CompiledFilter, unknown_lists
from fictdsl.compiler import compile_file as _compile_file
from fictdsl.compiler import compile_text as _compile_text
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.syntax.parsing.word_lists import ListOverrides, list_from_words, read_list

Lists: TypeAlias = Mapping[str, str | Path | Iterable[str]]  # by name, a file or the words


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
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The entries of the lists that were given and that its tests name, by name."""
        return {given.name: given.entries for given in self.compiled.lists}

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


def compile_text(text: str, base: str | Path | None = None, lists: Lists | None = None) -> Filters:
    """Compile the filters of a text; `base` is the folder that its `use` and `file` paths are relative to.

    `lists` maps names of lists to what replaces them: the path of a file with a word a line, or the words. Raises
    FilterError for mistakes in the text, TypeError for the path of a file.
    """
    if _names_a_file(text):
        raise TypeError(f"compile_text takes the text of filters; fictc.compile_file({str(text)!r}) reads a file")
    given = _given(lists)
    return _filters(_compile_text(text, base=None if base is None else Path(base), overrides=given), "<text>", given)


def compile_file(path: str | Path, lists: Lists | None = None) -> Filters:
    """The filters of a `.fict` file, with `lists` as in `compile_text`."""
    given = _given(lists)
    return _filters(_compile_file(Path(path), given), str(path), given)


def _given(lists: Lists | None) -> ListOverrides:
    """The lists that are given, those in files read."""
    found = {}
    for name, words in (lists or {}).items():
        if isinstance(words, str | Path):
            read, problems = read_list(name, Path(words), str(words))
            if read is None:
                raise FilterError(problems)
            found[name] = read
        else:
            found[name] = list_from_words(name, words)
    return found


def _check(compilations: Sequence[Compilation], given: ListOverrides) -> None:
    """Raise FilterError for lists that no file declares."""
    modules = [one.module for one in compilations if one.module is not None]
    if len(modules) == len(compilations) and (unknown := unknown_lists(modules, given)):
        raise FilterError(list(unknown.values()))


def _filters(compilation: Compilation, path: str, given: ListOverrides) -> Filters:
    if compilation.errors:
        raise FilterError(compilation.errors)
    _check([compilation], given)
    return Filters([Filter(compiled) for compiled in compilation.filters], path)


def lint(source: str | Path, lists: Lists | None = None) -> list[Diagnostic]:
    """Return all that is wrong or odd in a text, a file, or the files of a folder; errors are not raised.

    A `Path`, and a string that ends in `.fict`, name a file or folder; any other string is a text. `lists` is that of
    `compile_text`; FilterError for a list that cannot be read or is not declared.
    """
    from fictdsl.lint.engine import lint_file, lint_text

    given = _given(lists)
    if not _names_a_file(source):
        _check([_compile_text(str(source), overrides=given)] if given else [], given)
        return lint_text(str(source), given=given)
    path = Path(source)
    files = _fict_files(path) if path.is_dir() else [path]
    _check([_compile_file(file, given) for file in files] if given else [], given)
    return list({found: None for file in files for found in lint_file(file, given=given)})


def format(source: str | Path) -> str:  # noqa: A001 - the name that the command has
    """Return the canonical layout of a text or a file, comments kept; nothing is written.

    A `Path`, and a string that ends in `.fict`, name a file; any other string is a text. Raises FilterError for a text
    with mistakes, OSError for a file that cannot be read.
    """
    from fictdsl.syntax.printing.format import format_text

    text = Path(source).read_text(encoding="utf-8") if _names_a_file(source) else str(source)
    formatted = format_text(text)
    if formatted.text is None:
        raise FilterError(formatted.diagnostics)
    return formatted.text


def _names_a_file(source: str | Path) -> bool:
    """Whether this is a path, which no text of filters looks like: a text begins with `fict 1`."""
    return isinstance(source, Path) or (source.endswith(".fict") and "\n" not in source)


def _fict_files(folder: Path) -> list[Path]:
    from runner.corpus.query.filters import fict_files

    return fict_files(folder)


def only_filter(filters: Filter | Filters | str | Path, lists: Lists | None = None) -> Filter:
    """Return the filter of a file of one, or of what a FILTER argument of the command line names, as `FILE::name`.

    Raises FilterError for mistakes, ValueError for several filters, TypeError for anything else, and for `lists` with
    filters that are compiled already.
    """
    if isinstance(filters, str | Path):
        from runner.corpus.query.filters import load_filters

        given = _given(lists)
        with as_filter_error():
            compiled = load_filters([str(filters)], given)
        if unknown := unknown_lists([one.module for one in compiled], given):
            raise FilterError(list(unknown.values()))
        filters = Filters([Filter(one) for one in compiled], str(filters))
    elif lists is not None:
        raise TypeError("lists= is for filters that are named; compile_text and compile_file take it too")
    elif not isinstance(filters, Filters):
        raise TypeError(f"a filter or the name of one is expected, not {type(filters).__name__}")
    if len(filters) == 1:
        return filters[0]
    names = ", ".join(f"{one.compiled.path or ''}::{one.name}".removeprefix("::") for one in filters[:8])
    raise ValueError(f"one filter is expected, and these are {len(filters)}: {names}{' …' * (len(filters) > 8)}")
