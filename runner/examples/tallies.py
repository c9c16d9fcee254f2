"""Run the examples of each filter and rewrite: counts, failures, and the parts that no example needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import accumulate, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from fictdsl.syntax import nodes
from fictdsl.words import counted
from runner.corpus.surface import exact_text
from runner.examples.example_files import (
    Example,
    Match,
    definitions_of,
    format_match,
    format_matches,
    matches_of,
    read_examples,
    rewrite_block,
    rows_of,
)

if TYPE_CHECKING:
    from fictdsl.branches import PartCoverage
    from fictdsl.compiler import CompiledFilter


Matches = list[set[Match]]  # one set per example, in order


def reference_matches(examples: Sequence[Example]) -> Matches:
    return [matches_of(example.filter, example.sentence) for example in examples]


def database_matches(examples: Sequence[Example]) -> Matches | None:
    """Run the compiled SQL on the examples. Return None if there are none, or if DuckDB or PyArrow is not installed."""
    if not examples or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return None
    from runner.corpus.import_conllu import import_files
    from runner.corpus.matches import match

    totals = {example.path: example.total for example in examples}
    first_sids = dict(zip(totals, accumulate(totals.values(), initial=0), strict=False))
    groups: dict[tuple[Path, str], list[int]] = {}
    for index, example in enumerate(examples):
        groups.setdefault((example.path, example.filter.name), []).append(index)
    results: Matches = [set() for _ in examples]
    with TemporaryDirectory() as folder:
        store = import_files(list(first_sids), Path(folder) / "store")
        for group in groups.values():
            compiled = examples[group[0]].filter
            matches_by_sid = _matches_by_sid(match(store, compiled).to_pydict(), compiled.names)
            for index in group:
                results[index] = matches_by_sid.get(first_sids[examples[index].path] + examples[index].index, set())
    return results


def _matches_by_sid(table: dict[str, list[Any]], names: Sequence[str]) -> dict[int, set[Match]]:
    matches: dict[int, set[Match]] = {}
    for sid, *words in zip(*table.values(), strict=True):
        bindings = ((name, word) for name, word in zip(names, words, strict=True) if word is not None)
        matches.setdefault(sid, set()).add(frozenset(bindings))
    return matches


def unmet_results(example: Example, matches: set[Match]) -> list[str]:
    if example.rewrite is None or (example.text is None and example.rows is None):
        return []
    rewritten, counts = rewrite_block(example.rewrite, example.block, matches)
    found_text = exact_text(example.block) if rewritten is None else rewritten.text
    found_tree = example.block if rewritten is None else rewritten.conllu
    problems = []
    if example.text is not None and example.text != normalize("NFC", found_text or "").strip():
        problems.append(f"expected the text {_quoted(example.text)}, found {_quoted(found_text)}")
    if example.rows is not None:
        problems += _different_rows(example.rows, () if found_tree is None else rows_of(found_tree))
    counted_reasons = ((counts.overlapping, "overlapping"), (counts.invalid, "invalid"))
    left_out = [f"{number} {reason}" for number, reason in counted_reasons if number]
    return [*problems, *([f"matches left out: {', '.join(left_out)}"] if problems and left_out else [])]


def _quoted(text: str | None) -> str:
    return f"`{text}`" if text else "nothing (a dropped sentence)"


def _different_rows(expected: tuple[str, ...], found: tuple[str, ...]) -> Iterator[str]:
    for number, (expected_line, found_line) in enumerate(zip_longest(expected, found), start=1):
        if expected_line != found_line:
            descriptions = (
                "no line" if each is None else f"`{' '.join(each.split(chr(9)))}`"
                for each in (expected_line, found_line)
            )
            yield "line {} of the tree: expected {}, found {}".format(number, *descriptions)
            return


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed example or, if `example` is None, a failed check of all examples of a filter."""

    problems: tuple[str, ...]
    example: Example | None = None


@dataclass
class FilterResult:
    file: Path
    name: str
    kind: str = "filter"
    matches_everywhere: bool = False
    positive_count: int = 0
    negative_count: int = 0
    passed: list[Example] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    parts: list[PartCoverage] = field(default_factory=list)

    @property
    def unexercised(self) -> list[PartCoverage]:
        return [part for part in self.parts if not part.examples]


def run_examples(
    filters_by_file: dict[Path, list[CompiledFilter]], *, with_sql: bool, min_examples: int
) -> tuple[list[FilterResult], bool]:
    from fictdsl.branches import part_coverage

    results = {(file, each.name): _result(file, each) for file, filters in filters_by_file.items() for each in filters}
    examples_by_file = {file: _read_examples_of(file, filters) for file, filters in filters_by_file.items()}
    files_and_examples = [(file, example) for file, examples in examples_by_file.items() for example in examples]
    examples = [example for _, example in files_and_examples]
    reference_results = reference_matches(examples)
    sql_results = database_matches(examples) if with_sql else None
    for index, (file, example) in enumerate(files_and_examples):
        sql_matches = None if sql_results is None else sql_results[index]
        _record_outcome(example, reference_results[index], sql_matches, results[file, example.filter.name])
    for file, filters in filters_by_file.items():
        for compiled in filters:
            result = results[file, compiled.name]
            sentences = [each.sentence for each in examples_by_file[file] if each.filter.name == compiled.name]
            result.parts = part_coverage(compiled.module, compiled.definition, compiled.value, sentences)
            result.failures += _too_few_examples(result, min_examples)
    return list(results.values()), sql_results is not None


def _read_examples_of(file: Path, filters: Sequence[CompiledFilter]) -> list[Example]:
    """Read all examples of the file, so that every mistake is reported, and return those of `filters`."""
    names = {compiled.name for compiled in filters}
    definitions = definitions_of(file, filters[0].module.overrides)
    return [example for example in read_examples(file, *definitions) if example.filter.name in names]


def _result(file: Path, compiled: CompiledFilter) -> FilterResult:
    definitions = (item for item in compiled.module.file.items if isinstance(item, nodes.RewriteDef))
    is_rewrite = any(item.name == compiled.definition.name for item in definitions)
    return FilterResult(
        file, compiled.name, "rewrite" if is_rewrite else "filter", not compiled.definition.match.clauses
    )


def _record_outcome(
    example: Example, reference_matches: set[Match], sql_matches: set[Match] | None, result: FilterResult
) -> None:
    result.positive_count += example.positive
    result.negative_count += not example.positive
    problems = [*unmet_expectations(example, reference_matches), *unmet_results(example, reference_matches)]
    if sql_matches is not None and sql_matches != reference_matches:
        sql_text, reference_text = format_matches(sql_matches), format_matches(reference_matches)
        problems.append(f"the SQL finds {sql_text}, the reference {reference_text}")
    if problems:
        result.failures.append(Failure(tuple(problems), example))
    else:
        result.passed.append(example)


def unmet_expectations(example: Example, matches: set[Match]) -> list[str]:
    if example.positive and not matches:
        return ["expected a match, found none"]
    if not example.positive and matches:
        return [f"expected no match, found {format_matches(matches)}"]
    return [
        f"no match binds {format_match(bind)}; found {format_matches(matches)}"
        for bind in example.binds
        if not any(bind <= match for match in matches)
    ]


def _too_few_examples(result: FilterResult, min_examples: int) -> list[Failure]:
    counts = ((result.positive_count, "expect = match"), (result.negative_count, "expect = pass"))
    return [
        Failure((f"has {counted(count, 'example')} with `# {comment}`; --min requires {min_examples}",))
        for count, comment in counts
        if count < min_examples and not (result.matches_everywhere and comment == "expect = pass")
    ]
