"""Compile, lint and format filters."""

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
from fictdsl.syntax.files import ListOverrides, decode, list_from_words, read_list

WordLists: TypeAlias = Mapping[str, str | Path | Iterable[str]]  # name -> a file or the words


@dataclass(frozen=True)
class Filter:
    """A compiled filter, or a compiled member of a family."""

    compiled: CompiledFilter = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the filter; `name.value` for a member of a family."""
        return self.compiled.name

    @property
    def about(self) -> str | None:
        """The text of its `about` entry."""
        return self.compiled.metadata.about

    @property
    def targets(self) -> tuple[str, ...]:
        """The paradigms of minimal pairs that it targets."""
        return self.compiled.metadata.targets

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a match may bind."""
        return self.compiled.names

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The replacement entries of each overridden word list that the filter uses, by list name."""
        return {override.name: override.entries for override in self.compiled.lists}

    @property
    def source(self) -> str:
        """The source text of the filter."""
        return self.compiled.text

    @property
    def sql(self) -> str:
        """The DuckDB query that returns all matches from the tables of a store."""
        from fictdsl.sql.emit import pretty

        return pretty(self.compiled.plan, "duckdb")

    def explain(self) -> str:
        """Return a description in plain English."""
        from fictdsl.english.describe import describe

        return "\n".join(describe(self.compiled))

    def __repr__(self) -> str:
        about = f": {self.about}" if self.about else ""
        return f"<Filter {self.name}{about}>"


class Filters(Sequence[Filter]):
    """The filters of a file, in file order; `filters["name"]` looks one up by name.

    Raises FilterError for an unknown name.
    """

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
        by_name = {filter_.name: filter_ for filter_ in self._filters}
        if key not in by_name:
            hint = did_you_mean(key, by_name)
            raise FilterError([diagnostic("FICT290", path=self._path, kind="filter", name=key, hint=hint)])
        return by_name[key]

    def __len__(self) -> int:
        return len(self._filters)

    def __contains__(self, key: object) -> bool:
        """Return whether a filter, or a filter of this name, is one of them."""
        return any(key in (filter_, filter_.name) for filter_ in self._filters)

    def __iter__(self) -> Iterator[Filter]:
        return iter(self._filters)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self._filters))}]"


def compile_text(text: str, base: str | Path | None = None, lists: WordLists | None = None) -> Filters:
    """Compile the filters in a string. Paths in `use` and `file` are relative to the folder `base`.

    Without `base`, a text with such a path is an error. `lists` maps the names of word lists to their replacements: a
    file with one word per line, or the words. Raises FilterError if the text has errors, and TypeError if `text` is a
    path.
    """
    if _is_path(text):
        raise TypeError(f"compile_text takes the text of filters; fictc.compile_file({str(text)!r}) reads a file")
    overrides = _read_lists(lists)
    compilation = _compile_text(text, base=None if base is None else Path(base), overrides=overrides)
    return _filters_of(compilation, "<text>", overrides)


def compile_file(path: str | Path, lists: WordLists | None = None) -> Filters:
    """Compile the filters of a `.fict` file, with `lists` as in `compile_text`. Raises FilterError if it has errors."""
    overrides = _read_lists(lists)
    return _filters_of(_compile_file(Path(path), overrides), str(path), overrides)


def _read_lists(lists: WordLists | None) -> ListOverrides:
    if lists is not None and not isinstance(lists, Mapping):
        raise TypeError(f"lists= maps the names of lists to files or words, found {type(lists).__name__}")
    replacements = {}
    for name, words in (lists or {}).items():
        if isinstance(words, str | Path):
            word_list, problems = read_list(name, Path(words), str(words))
            if word_list is None:
                raise FilterError(problems)
            replacements[name] = word_list
        else:
            replacements[name] = list_from_words(name, words)
    return replacements


def _check_overrides(compilations: Sequence[Compilation], overrides: ListOverrides) -> None:
    """Raise FilterError if an override names a list that no file declares. Do nothing if a file could not be read."""
    modules = [compilation.module for compilation in compilations if compilation.module is not None]
    if len(modules) == len(compilations) and (unknown_overrides := unknown_lists(modules, overrides)):
        raise FilterError(list(unknown_overrides.values()))


def _filters_of(compilation: Compilation, path: str, overrides: ListOverrides) -> Filters:
    if compilation.errors:
        raise FilterError(compilation.errors)
    _check_overrides([compilation], overrides)
    return Filters([Filter(compiled) for compiled in compilation.filters], path)


def lint(source: str | Path, lists: WordLists | None = None) -> list[Diagnostic]:
    """Return all diagnostics of a text, a file, or the files of a folder; errors are returned, not raised.

    A `Path`, or a one-line string that ends in `.fict`, names a file or folder; any other string is a text. `lists` is
    as in `compile_text`. Raises FilterError for a list that cannot be read or is not declared.
    """
    from fictdsl.lint.engine import lint_file, lint_text

    overrides = _read_lists(lists)
    if not _is_path(source):
        _check_overrides([_compile_text(str(source), overrides=overrides)] if overrides else [], overrides)
        return lint_text(str(source), overrides=overrides)
    from runner.corpus.filter_arguments import fict_files

    path = Path(source)
    files = fict_files(path) if path.is_dir() else [path]
    _check_overrides([_compile_file(file, overrides) for file in files] if overrides else [], overrides)
    return list(dict.fromkeys(problem for file in files for problem in lint_file(file, overrides=overrides)))


def format(source: str | Path) -> str:  # noqa: A001 - same name as the command
    """Return a text or a file in canonical layout, with its comments. No file is written.

    A `Path`, or a one-line string that ends in `.fict`, names a file; any other string is a text. Raises FilterError
    for syntax errors and for a file that is not UTF-8, and OSError for a file that cannot be read.
    """
    from fictdsl.syntax.printer import format_text

    name, text = "<text>", str(source)
    if _is_path(source):
        name = text
        decoded, problems = decode(Path(source).read_bytes(), name)
        if decoded is None:
            raise FilterError(list(problems))
        text = decoded.text
    formatted = format_text(text, name)
    if formatted.text is None:
        raise FilterError(formatted.diagnostics)
    return formatted.text


def _is_path(source: str | Path) -> bool:
    """Return whether `source` is a path: a `Path`, or one line without a brace that ends in `.fict`.

    Raises TypeError if it is neither a text nor a path.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"expected a text or a path, found {type(source).__name__}")
    return isinstance(source, Path) or (source.endswith(".fict") and not {"\n", "{"} & set(source))


def only_filter(filters: Filter | Filters | str | Path, lists: WordLists | None = None) -> Filter:
    """Return the only filter of `filters`: compiled filters, a file, a query, or an argument such as `FILE::name`.

    Raises FilterError if a filter has errors, ValueError for several filters, and TypeError for other types or for
    `lists` with filters that are already compiled.
    """
    if isinstance(filters, str | Path):
        from runner.corpus.filter_arguments import load_filters

        overrides = _read_lists(lists)
        with as_filter_error():
            compiled = load_filters([str(filters)], overrides, bodies=isinstance(filters, str))
        if unknown := unknown_lists([compiled_filter.module for compiled_filter in compiled], overrides):
            raise FilterError(list(unknown.values()))
        filters = Filters([Filter(compiled_filter) for compiled_filter in compiled], str(filters))
    elif lists is not None:
        hint = "pass lists= to compile_text or compile_file instead"
        raise TypeError(f"lists= requires a path, not a compiled filter; {hint}")
    elif not isinstance(filters, Filters):
        raise TypeError(f"expected a filter or its path, found {type(filters).__name__}")
    if len(filters) == 1:
        return filters[0]
    names = ", ".join(f"{filter_.compiled.path or ''}::{filter_.name}".removeprefix("::") for filter_ in filters[:8])
    raise ValueError(f"expected one filter, found {len(filters)}: {names}{' …' * (len(filters) > 8)}")
