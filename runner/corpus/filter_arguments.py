"""Resolve FILTER arguments: files, names of filters, folders, and queries on the command line."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar
from unicodedata import normalize

from fictdsl.compiler import Compilation, CompiledFilter, CompiledRewrite, compile_file, compile_text
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.installation import shipped
from fictdsl.semantics.ud import UPOS
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.files import NO_OVERRIDES, ListOverrides
from fictdsl.words import listed
from runner.errors import InputError

NAME = "query"
_BODY_CHARACTERS = " [<>~"
_TAG = "|".join(UPOS)
_NODE = re.compile(rf"\w+:(?:{_TAG})(?:\|(?:{_TAG}))*")


def is_inline_query(argument: str) -> bool:
    """Return whether an argument is the body of a `match` block, and names neither a file nor a library filter."""
    path = argument.rpartition("::")[0] or argument
    if any(os.path.exists(name) for name in (argument, path)):  # noqa: PTH110 - Path.exists raises for long names
        return False
    library = str(shipped("filters"))
    library_paths = (os.path.join(library, f"{name}{suffix}") for name in (argument, path) for suffix in ("", ".fict"))  # noqa: PTH118
    looks_like_body = any(character in argument for character in _BODY_CHARACTERS) or _is_in_braces(argument)
    return looks_like_body and not any(map(os.path.exists, library_paths))


def _is_in_braces(argument: str) -> bool:
    text = argument.strip()
    return text.startswith("{") and text.endswith("}")


def compile_inline_query(body: str, overrides: ListOverrides, number: int | None) -> Compilation:
    """Compile a body as the filter `query`, or `query-2`. Raises InputError (FICT292) for more than one block."""
    text = body.strip()[1:-1].strip() if _is_in_braces(body) else body
    name = NAME if number is None else f"{NAME}-{number}"
    before = f"fict 1 filter {name} {{ match {{ "
    compilation = compile_text(f"{before}{text}\n}} }}", "<query>", overrides=overrides)
    shift = len(before) - len(normalize("NFC", body[: body.index(text)]))
    argument = Source.of(body, "<query>")
    own = [problem for problem in compilation.diagnostics if not _is_before(problem, len(before))]
    shown = own if any(problem.prevents_compilation for problem in own) else compilation.diagnostics
    problems = dict.fromkeys(_relocated(problem, argument, shift) for problem in shown)
    compilation = replace(compilation, diagnostics=tuple(problems))
    if not compilation.errors and [compiled.definition.actions for compiled in compilation.filters] != [()]:
        reason = "a query consists of the clauses of one match, without actions"
        raise InputError.of("FICT292", path=body, reason=reason, hint=None)
    return compilation


def bare_names(compiled: CompiledFilter) -> tuple[str, ...]:
    """Return the names of a query such as `give me`, if it has nothing else; words were probably meant."""
    names: dict[str, None] = {}
    for clause in compiled.definition.match.clauses:
        if not isinstance(clause, nodes.Chain) or clause.links or clause.first.upos or clause.first.test:
            return ()
        if clause.first.name is not None:
            names[clause.first.name.text] = None
    return tuple(names)


def words_query(names: Iterable[str]) -> str:
    return " < ".join(f"{name}[lemma = {name}]" for name in names)


def bare_names_note(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"`{names[0]}` is a name of any word; for the word itself: `{words_query(names)}`"
    quoted = listed([f"`{name}`" for name in names])
    return f"{quoted} are names of any words; for the words themselves: `{words_query(names)}`"


def _is_before(problem: Diagnostic, end: int) -> bool:
    is_query = problem.source is not None and problem.source.path is None
    return is_query and problem.span is not None and problem.span.start < end


def _relocated(problem: Diagnostic, argument: Source, shift: int) -> Diagnostic:
    if problem.source is None or problem.source.path is not None or problem.span is None:
        return problem

    def moved(span: Span) -> Span:
        last = len(argument.text.rstrip())
        start, end = (min(max(0, offset - shift), last) for offset in (span.start, span.end))
        return Span(start, end)

    message = problem.message
    if problem.span.start - shift >= len(argument.text.rstrip().removesuffix("}").rstrip()):
        message = message.replace("found `}`", "found the end of the query", 1)  # the brace that is added
    span = moved(problem.span)
    others = [label for label in problem.labels if label.source is not None or moved(label.span) != span]
    labels = tuple(replace(label, span=moved(label.span)) if label.source is None else label for label in others)
    return replace(problem, message=message, source=argument, span=span, labels=labels, fix=None)


Item = TypeVar("Item", CompiledFilter, CompiledRewrite)


def load_filters(
    arguments: Iterable[str], overrides: ListOverrides = NO_OVERRIDES, *, bodies: bool = False
) -> list[CompiledFilter]:
    """Return the filters that the arguments name, in their order, without duplicates.

    `overrides` replaces lists that the files declare. With `bodies`, an argument may be the body of a `match` block.
    Raises InputError with every error of every file, or if an argument is invalid or selects nothing (FICT290–292).
    """
    return _load(arguments, overrides, lambda compilation: compilation.filters, bodies=bodies)


def load_matching(
    arguments: Iterable[str], overrides: ListOverrides = NO_OVERRIDES, *, bodies: bool = False
) -> list[CompiledFilter]:
    """Return filters as `load_filters` does, and for each rewrite a filter with its `match` block."""

    def filters_of(compilation: Compilation) -> tuple[CompiledFilter, ...]:
        return (*compilation.filters, *(rewrite.matching for rewrite in compilation.rewrites))

    return _load(arguments, overrides, filters_of, bodies=bodies)


def load_rewrites(
    arguments: Iterable[str], overrides: ListOverrides = NO_OVERRIDES, *, required: bool = False
) -> list[CompiledRewrite]:
    """Return the rewrites that the arguments name, as `load_filters` does. There may be none unless `required`."""
    return _load(arguments, overrides, lambda compilation: compilation.rewrites, "rewrite", required=required)


def _load(
    arguments: Iterable[str],
    overrides: ListOverrides,
    items_of: Callable[[Compilation], tuple[Item, ...]],
    kind: str = "filter",
    *,
    required: bool = True,
    bodies: bool = False,
) -> list[Item]:
    """Return what `items_of` selects from the compilations of the arguments; `kind` is its name in messages.

    An item is known by its file and name, so arguments that overlap give it once; a file is compiled once. After an
    error in a file, the remaining arguments are only compiled, so that one exception has the errors of all files.
    """
    selected: dict[tuple[Path, str], Item] = {}
    problems: list[Diagnostic] = []
    compilations: dict[Path, Compilation] = {}
    arguments = list(arguments)
    queries = list(dict.fromkeys(filter(is_inline_query, arguments))) if bodies else []
    for argument in arguments:
        if argument in queries:
            number = queries.index(argument) + 1 if len(queries) > 1 else None
            compilation = compile_inline_query(argument, overrides, number)
            problems += compilation.errors
            selected |= {(Path(argument), item.name): item for item in items_of(compilation)}
            continue
        path, name = _split_argument(argument)
        files = _expand(path, f"the query is `'{{ {argument} }}'`" if bodies and _NODE.fullmatch(argument) else None)
        for file in files:
            if file not in compilations:
                compilations[file] = compile_file(file, overrides)
                problems += compilations[file].errors
        if problems:
            continue
        candidates = {(file, item.name): item for file in files for item in items_of(compilations[file])}
        names = {each.name for file in files for each in compilations[file].filters}
        names |= {each.name for file in files for each in compilations[file].rewrites}
        other_kind = "rewrite" if kind == "filter" else "filter"
        if required and not candidates:
            hint = f"it has a {other_kind}" if names else None
            raise InputError.of("FICT291", path=path, kind=kind, hint=hint)
        if name is None:
            selected |= candidates
            continue
        items = {key: item for key, item in candidates.items() if name in (item.name, item.definition.name.text)}
        if not items and required:
            hint = f"`{name}` is a {other_kind}" if name in names else _name_hint(candidates, name)
            raise InputError.of("FICT290", path=path, kind=kind, name=name, hint=hint)
        selected |= items
    if problems:
        raise InputError(problems)
    return list(selected.values())


def fict_files(folder: Path) -> list[Path]:
    """Return the `.fict` files of a folder and its subfolders, sorted. Hidden folders, such as `.venv`, are skipped."""
    files = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(parent) / name for name in names if name.endswith(".fict")]
    return sorted(file for file in files if file.is_file())


def filter_labels(filters: Sequence[CompiledFilter]) -> list[str]:
    """Return for each filter its name, or `FILE::NAME` if another has the name. FILE is relative to their folder."""
    paths: dict[str, list[Path]] = {}
    for compiled in filters:
        if compiled.path is not None:
            paths.setdefault(compiled.name, []).append(compiled.path.absolute())
    folders = {name: os.path.commonpath([path.parent for path in name_paths]) for name, name_paths in paths.items()}
    names = Counter(compiled.name for compiled in filters)
    return [
        compiled.name
        if names[compiled.name] == 1 or compiled.path is None
        else f"{compiled.path.absolute().relative_to(folders[compiled.name])}::{compiled.name}"
        for compiled in filters
    ]


def lint_command(compiled: CompiledFilter, corpus: Path) -> str:
    paths = [compiled.path or Path("FILTER"), corpus]
    here = Path.cwd()
    filter_path, corpus_path = (
        shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path)) for path in paths
    )
    return f"fictc lint {filter_path} --corpus {corpus_path}"


def missing_feature_hint(command: str) -> str:
    return (
        f"`{command}` finds misspelt features; "
        "if the corpus lacks this annotation, `allow-missing = true` in the condition allows that"
    )


def _split_argument(argument: str) -> tuple[Path, str | None]:
    path, separator, name = argument.rpartition("::")
    if separator and not Path(argument).exists():
        return _resolve_path(path), name
    return _resolve_path(argument), None


def _resolve_path(argument: str) -> Path:
    """Return the path itself, or the path of a shipped filter or folder, such as `fict15/passive` or `fict15`."""
    path = Path(argument)
    if not path.exists() and not path.is_absolute():
        for name in (argument, f"{argument}.fict"):
            if (shipped_path := shipped("filters") / name).exists():
                return shipped_path
    return path


def _expand(path: Path, hint: str | None) -> list[Path]:
    if path.is_dir():
        return fict_files(path)
    if not path.exists():
        raise InputError.of("FICT292", path=path, reason="it does not exist", hint=hint or _nearest_hint(path))
    return [path]


def _nearest_hint(path: Path) -> str | None:
    names = sorted(file.name for file in path.parent.glob("*"))
    if hint := did_you_mean(path.name, names):
        return hint
    stems = {Path(name).stem: name for name in names if name.endswith(".fict")}
    if stem := path.name if path.name in stems else nearest(path.stem, stems):
        return f"the nearest name is `{stems[stem]}`"
    library = shipped("filters")
    library_paths = [file.relative_to(library) for file in [*library.iterdir(), *library.glob("*/*.fict")]]
    relative = path.with_suffix("").as_posix().removeprefix("filters/")
    library_hint = did_you_mean(relative, sorted(name.with_suffix("").as_posix() for name in library_paths))
    return library_hint or _word_hint(path)


def _word_hint(path: Path) -> str | None:
    word = str(path)
    if not word.isidentifier():
        return None
    query = f"a query is written in braces, as in `{{ {word}[lemma = {word}] }}`"
    found = next((file for depth in (1, 2, 3) for file in sorted(Path().glob(f"{'*/' * depth}{word}.fict"))), None)
    return query if found is None else f"there is `{found}`; {query}"


def _name_hint(candidates: dict[tuple[Path, str], Item], name: str) -> str:
    names: list[str] = [item.name for item in candidates.values()]
    families: list[str] = [item.definition.name.text for item in candidates.values()]
    all_names = f"it has {', '.join(f'`{known}`' for known in names[:8])}{' …' if len(names) > 8 else ''}"
    return did_you_mean(name, dict.fromkeys([*names, *families])) or all_names
