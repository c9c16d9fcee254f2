"""Find and hash the texts of conditions, and check conditions before the manifest is known to be valid."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.corpus_files import source_labels
from runner.corpus.raw_text import read_lines
from runner.errors import InputError
from runner.interventions.context import Entry, FiltersByKey, Rewrites, TextFile
from runner.interventions.registry import INTERVENTIONS, TEXT_LISTS
from runner.manifest.load import Draft
from runner.steps.paths import Roots, conllu_paths
from runner.toml_text import entries, nested, strings
from runner.workspace import sha256_file


def text_files(draft: Draft, roots: Roots, problems: list[Diagnostic]) -> dict[str, tuple[TextFile, ...]]:
    """Return the texts of each condition that names some. Append mistakes to `problems`."""
    files_by_condition: dict[str, tuple[TextFile, ...]] = {}
    for index, table in entries(draft.raw.get("condition")):
        files = [file for key in TEXT_LISTS for file in _files_under(draft, roots, index, table, key, problems)]
        if files:
            files_by_condition[str(table.get("name"))] = tuple(files)
            problems += [problem for file in files if not file.parsed for problem in _read_problems(file.path)]
    return files_by_condition


def _files_under(
    draft: Draft, roots: Roots, index: int, table: Mapping[str, Any], key: str, problems: list[Diagnostic]
) -> Iterator[TextFile]:
    """Yield the texts under a dotted key of a condition."""
    paths: list[Path] = []
    for text_index, text in strings(nested(table, key)):
        new_paths, errors = conllu_paths(draft, roots, text, "text", ("condition", index, *key.split("."), text_index))
        paths += new_paths
        problems += errors
    paths = list(dict.fromkeys(paths))
    for label, path in zip(source_labels(paths), paths, strict=True):
        yield TextFile(label, path, sha256_file(path), key)


def _read_problems(path: Path) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a text that cannot be read, for example because it is not UTF-8."""
    try:
        deque(read_lines(path), maxlen=0)
    except InputError as error:
        return error.diagnostics
    return ()


def entry_problems(
    draft: Draft,
    filters: Mapping[str, FiltersByKey],
    rewrites: Mapping[str, Rewrites],
    files: Mapping[str, tuple[TextFile, ...]],
) -> Iterator[Diagnostic]:
    """Yield the problems that the interventions of each condition find in it."""
    indexed_tables = entries(draft.raw.get("condition"))
    for index, table in indexed_tables:

        def problem(
            code: str, *keys: str | int, hint: str | None = None, entry_index: int = index, **values: Any
        ) -> Diagnostic:
            return draft.problem(code, "condition", entry_index, *keys, hint=hint, **values)

        name, condition_tables = str(table.get("name")), [other for _, other in indexed_tables]
        entry = Entry(table, filters.get(name, {}), files.get(name, ()), condition_tables, problem, rewrites)
        for intervention in INTERVENTIONS:
            if intervention.key in table:
                yield from intervention.check(entry)
