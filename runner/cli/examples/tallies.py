"""Examples and what engines found in them, to a tally for each filter: counts, failures, parts left unexercised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli.examples.examples import Example, Match, read_examples
from runner.corpus.query.filters import load_filters

if TYPE_CHECKING:
    from fictdsl.branches.exercised import Use
    from fictdsl.compiler import CompiledFilter


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with an example, or (without one) with the examples of a filter as a whole."""

    problems: tuple[str, ...]
    example: Example | None = None


@dataclass
class Tally:
    """What the examples of one filter came to."""

    file: Path
    name: str
    positive: int = 0
    negative: int = 0
    passed: list[Example] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    parts: list[Use] = field(default_factory=list)

    @property
    def unexercised(self) -> list[Use]:
        """The parts that no example exercises."""
        return [part for part in self.parts if not part.examples]


def tally(by_file: dict[Path, list[CompiledFilter]], *, with_sql: bool, minimum: int) -> tuple[list[Tally], bool]:
    """Run the examples of every file; whether the SQL was run too comes with the tallies."""
    from runner.cli.examples.verdicts import by_database, by_reference

    tallies = {(file, one.name): Tally(file, one.name) for file, filters in by_file.items() for one in filters}
    read = {file: _read(file, filters) for file, filters in by_file.items()}
    homes = [(file, example) for file, found in read.items() for example in found]
    examples = [example for _, example in homes]
    reference = by_reference(examples)
    database = by_database(examples) if with_sql else None
    for place, (home, example) in enumerate(homes):
        sql = None if database is None else database[place]
        _judge(example, reference[place], sql, tallies[home, example.filter.name])
    for file, filters in by_file.items():
        for one in filters:
            found = tallies[file, one.name]
            found.parts = _parts(one, read[file])
            found.failures += _missing(found, minimum)
    return list(tallies.values()), database is not None


def _read(file: Path, chosen: Sequence[CompiledFilter]) -> list[Example]:
    """The examples of some filters of a file; all that lie beside it are read, so that mistakes are found."""
    names = {one.name for one in chosen}
    every = load_filters([str(file)], chosen[0].module.overrides)
    return [example for example in read_examples(file, every) if example.filter.name in names]


def _parts(compiled: CompiledFilter, examples: Sequence[Example]) -> list[Use]:
    from fictdsl.branches.exercised import exercised

    own = [example.sentence for example in examples if example.filter.name == compiled.name]
    return exercised(compiled.module, compiled.definition, compiled.value, own)


def _judge(example: Example, reference: set[Match], sql: set[Match] | None, tally: Tally) -> None:
    """Count one example, and note what is wrong with it."""
    if example.positive:
        tally.positive += 1
    else:
        tally.negative += 1
    problems = list(unmet(example, reference))
    if sql is not None and sql != reference:
        problems.append(f"the SQL finds {shown(sql)}, the reference {shown(reference)}")
    if problems:
        tally.failures.append(Failure(tuple(problems), example))
    else:
        tally.passed.append(example)


def unmet(example: Example, found: set[Match]) -> list[str]:
    """The expectations of an example that what was found does not meet."""
    if example.positive and not found:
        return ["expected a match, found none"]
    if not example.positive and found:
        return [f"expected no match, found {shown(found)}"]
    return [
        f"no match binds {binding(bind)}; found {shown(found)}"
        for bind in example.binds
        if not any(bind <= match for match in found)
    ]


def _missing(tally: Tally, minimum: int) -> list[Failure]:
    counts = ((tally.positive, "expect = match"), (tally.negative, "expect = pass"))
    return [
        Failure((f"has {count} examples with `# {kind}`; --min asks for {minimum}",))
        for count, kind in counts
        if count < minimum
    ]


def binding(match: Match) -> str:
    """`S:1 V:2`."""
    return " ".join(f"{name}:{word}" for name, word in sorted(match)) or "nothing"


def shown(found: set[Match]) -> str:
    """The first few matches."""
    first = sorted(binding(match) for match in found)
    rest = f" and {len(first) - 3} more" if len(first) > 3 else ""
    return "; ".join(first[:3]) + rest if first else "none"
