"""Run the examples of each filter: counts, failures, and the parts of the filter that no example exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.syntax import nodes
from runner.corpus.query.filters import load_matching, load_rewrites
from runner.counted import counted
from runner.examples.examples import Example, Match, read_examples
from runner.examples.rewriting import unmet_results

if TYPE_CHECKING:
    from fictdsl.branches import PartCoverage
    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed example or, if `example` is None, a failed check of all examples of a filter."""

    problems: tuple[str, ...]
    example: Example | None = None


@dataclass
class FilterResult:
    """The results for a filter or rewrite. `matches_everywhere` is whether its `match` block is empty."""

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
        """The parts of the filter that no example exercises."""
        return [part for part in self.parts if not part.examples]


def run_examples(
    filters_by_file: dict[Path, list[CompiledFilter]], *, with_sql: bool, min_examples: int
) -> tuple[list[FilterResult], bool]:
    """Run the examples of every file. Return the results, and whether the compiled SQL was also run.

    A filter must have at least `min_examples` examples of each outcome.
    """
    from runner.examples.verdicts import database_matches, reference_matches

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
            result.parts = _part_coverage(compiled, examples_by_file[file])
            result.failures += _too_few_examples(result, min_examples)
    return list(results.values()), sql_results is not None


def _read_examples_of(file: Path, filters: Sequence[CompiledFilter]) -> list[Example]:
    """Return the examples of `filters`. All examples of the file are read, so that every mistake is reported."""
    names = {compiled.name for compiled in filters}
    overrides = filters[0].module.overrides
    rewrites = load_rewrites([str(file)], overrides)
    rewrite_names = {rewrite.name for rewrite in rewrites}
    defined = [each for each in load_matching([str(file)], overrides) if each.name not in rewrite_names]
    return [example for example in read_examples(file, defined, rewrites) if example.filter.name in names]


def _result(file: Path, compiled: CompiledFilter) -> FilterResult:
    definitions = (item for item in compiled.module.file.items if isinstance(item, nodes.RewriteDef))
    is_rewrite = any(item.name == compiled.definition.name for item in definitions)
    return FilterResult(
        file, compiled.name, "rewrite" if is_rewrite else "filter", not compiled.definition.match.clauses
    )


def _part_coverage(compiled: CompiledFilter, examples: Sequence[Example]) -> list[PartCoverage]:
    from fictdsl.branches import part_coverage

    sentences = [example.sentence for example in examples if example.filter.name == compiled.name]
    return part_coverage(compiled.module, compiled.definition, compiled.value, sentences)


def _record_outcome(
    example: Example, reference_matches: set[Match], sql_matches: set[Match] | None, result: FilterResult
) -> None:
    """Count an example and record its problems."""
    if example.positive:
        result.positive_count += 1
    else:
        result.negative_count += 1
    problems = [*unmet_expectations(example, reference_matches), *unmet_results(example, reference_matches)]
    if sql_matches is not None and sql_matches != reference_matches:
        sql_text, reference_text = format_matches(sql_matches), format_matches(reference_matches)
        problems.append(f"the SQL finds {sql_text}, the reference {reference_text}")
    if problems:
        result.failures.append(Failure(tuple(problems), example))
    else:
        result.passed.append(example)


def unmet_expectations(example: Example, matches: set[Match]) -> list[str]:
    """Return the expectations of an example that the matches do not meet."""
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


def format_match(match: Match) -> str:
    """Return a match as text, such as `S:1 V:2`."""
    return " ".join(f"{name}:{word}" for name, word in sorted(match)) or "nothing"


def format_matches(matches: set[Match]) -> str:
    """Return the first three matches as text, and the number of the others."""
    texts = sorted(format_match(match) for match in matches)
    suffix = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return "; ".join(texts[:3]) + suffix if texts else "none"
