"""A generated project on a generated treebank, by both engines: the compiled SQL and the reference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fictdsl.compiler import Compilation, CompiledFilter, compile_file, compile_text
from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.reference.evaluate import Match, matches
from fictdsl.reference.sentence import Sentence
from tests.support.strategies.filters import Project
from tests.support.strategies.vocabulary import FEATURES
from tests.support.tables import connect

if TYPE_CHECKING:
    import duckdb

Found = dict[int, set[Match]]  # the matches of each sentence that has any, by its place in the treebank


class UnsupportedError(Exception):
    """The filter uses what this version compiles to nothing yet, and says so with FICT4xx."""


def compiled(project: Project) -> tuple[CompiledFilter, ...]:
    """The filters of a project. Anything but FICT4xx among its errors is a fault of a test or of the compiler."""
    compilation = _compilation(project)
    errors = [problem for problem in compilation.diagnostics if problem.severity is Severity.ERROR]
    if errors and all(problem.code.startswith("FICT4") for problem in errors):
        raise UnsupportedError(errors[0].message)
    shown = "\n".join(f"{problem.code} {problem.message}" for problem in errors)
    assert not errors, f"a well-typed filter is refused:\n{shown}\n{project.text()}"
    return compilation.filters


def _compilation(project: Project) -> Compilation:
    if not project.lists and not project.used:
        return compile_text(project.text())
    with TemporaryDirectory() as folder:
        return compile_file(project.write(Path(folder)))


def database(treebank: Sequence[Sentence]) -> duckdb.DuckDBPyConnection:
    """The treebank as tables, with a column for every feature that a generated filter may ask for."""
    return connect(treebank, FEATURES)


def by_sql(connection: duckdb.DuckDBPyConnection, compiled_filter: CompiledFilter) -> Found:
    """What the compiled SQL finds; each row must be there once."""
    rows = connection.execute(compiled_filter.statement().text).fetchall()
    assert len(rows) == len(set(rows)), "the same match twice"
    assert rows == sorted(rows, key=lambda row: [-1 if v is None else v for v in row]) or None in {
        value for row in rows for value in row
    }, "rows out of order"
    found: Found = {}
    for sid, *words in rows:
        bound = zip(compiled_filter.names, words, strict=True)
        found.setdefault(sid, set()).add(frozenset((name, word) for name, word in bound if word is not None))
    return found


def by_reference(compiled_filter: CompiledFilter, treebank: Sequence[Sentence]) -> Found:
    """What the reference interpreter finds."""
    module, definition, value = compiled_filter.module, compiled_filter.definition, compiled_filter.value
    each = {place: matches(module, definition, value, sentence) for place, sentence in enumerate(treebank)}
    return {place: found for place, found in each.items() if found}
