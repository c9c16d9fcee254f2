"""Run a generated project on a generated treebank with the compiled SQL and with the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fictdsl.compiler import Compilation, CompiledFilter, compile_file, compile_text
from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.reference.evaluate import Match, matches, targets
from fictdsl.reference.sentences import Sentence
from fictdsl.schema import PLAIN, Layout
from tests.support.strategies.filters import Project
from tests.support.strategies.vocabulary import FEATURES
from tests.support.tables import connect

if TYPE_CHECKING:
    import duckdb

Found = dict[int, set[Match]]  # the matches of each matching sentence, by its index in the treebank
Taken = list[
    dict[int, tuple[int, frozenset[int]]]
]  # per action and sentence: the number of targets, and all their words


def compiled(project: Project) -> tuple[CompiledFilter, ...]:
    """Compile the filters of a project. An error, even an exceeded limit, is a fault of a test or of the compiler."""
    compilation = _compilation(project)
    errors = [problem for problem in compilation.diagnostics if problem.severity is Severity.ERROR]
    messages = "\n".join(f"{problem.code} {problem.message}" for problem in errors)
    assert not errors, f"a well-typed filter is refused:\n{messages}\n{project.text()}"
    return compilation.filters


def _compilation(project: Project) -> Compilation:
    if not project.lists and not project.used:
        return compile_text(project.text())
    with TemporaryDirectory() as folder:
        return compile_file(project.write(Path(folder)))


def database(treebank: Sequence[Sentence]) -> duckdb.DuckDBPyConnection:
    """Return the treebank as tables, with a column for every feature that a generated filter may use."""
    return connect(treebank, FEATURES)


def by_sql(connection: duckdb.DuckDBPyConnection, compiled_filter: CompiledFilter, layout: Layout = PLAIN) -> Found:
    """Return the matches of the compiled SQL; check that rows are sorted and distinct, and agree with the sentences.

    The rows remain in the table `matches`.
    """
    statement = compiled_filter.statement(layout=layout)
    table = connection.sql(statement.text).to_arrow_table()
    connection.register("matches", table)
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    keys = [tuple(-1 if value is None else value for value in row) for row in rows]
    assert all(one < other for one, other in pairwise(keys)), "rows out of order, or the same match twice"
    matches_of: Found = {}
    for sid, *words in rows:
        bound = zip(compiled_filter.names, words, strict=True)
        matches_of.setdefault(sid, set()).add(frozenset((name, word) for name, word in bound if word is not None))
    sentences = [sid for (sid,) in connection.execute(statement.sentences_text).fetchall()]
    assert sentences == sorted(matches_of), (
        f"other sentences than those of the matches: {sentences}, {sorted(matches_of)}"
    )
    return matches_of


def reference_matches(compiled_filter: CompiledFilter, treebank: Sequence[Sentence]) -> Found:
    """Return the matches of the reference interpreter."""
    module, definition, value = compiled_filter.module, compiled_filter.definition, compiled_filter.value
    each = {sid: matches(module, definition, value, sentence) for sid, sentence in enumerate(treebank)}
    return {sid: bindings for sid, bindings in each.items() if bindings}


def taken_by_sql(connection: duckdb.DuckDBPyConnection, compiled_filter: CompiledFilter) -> Taken:
    """Return the targets of each action in SQL, from the matches that `by_sql` left; check their order."""
    taken: Taken = []
    for action in compiled_filter.targets():
        distinct = connection.execute(action.distinct).fetchall()
        words = connection.execute(action.words).fetchall()
        for rows in (distinct, words):
            assert all(one < other for one, other in pairwise(rows)), "rows out of order, or the same one twice"
        number, ids = Counter(row[0] for row in distinct), {sid: set[int]() for sid, *_ in distinct}
        for sid, word in words:
            ids[sid].add(word)
        taken.append({sid: (number[sid], frozenset(ids[sid])) for sid in number})
    return taken


def taken_by_reference(compiled_filter: CompiledFilter, treebank: Sequence[Sentence], found: Found) -> Taken:
    """Return the targets of each action in the reference interpreter, given its matches."""
    module, definition, value = compiled_filter.module, compiled_filter.definition, compiled_filter.value
    each = {sid: targets(module, definition, value, treebank[sid], some) for sid, some in found.items()}
    return [
        {sid: (len(of[number]), frozenset[int]().union(*of[number])) for sid, of in each.items()}
        for number in range(len(compiled_filter.ir.actions))
    ]
