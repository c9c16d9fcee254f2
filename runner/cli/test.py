"""`fictc test`: the example sentences beside each filter, run and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.outcome import FINDINGS, OK
from runner.cli.terminal import safe

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.cli.examples import Example, Match


@dataclass
class _Tally:
    """What the examples of one filter came to."""

    file: Path
    name: str
    positive: int = 0
    negative: int = 0
    failures: list[str] = field(default_factory=list)


@click.command(name="test")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--min", "minimum", type=click.IntRange(0), default=0, metavar="N", help="Ask for N examples of each kind."
)
@click.option("--reference-only", is_flag=True, help="Leave the database out even where it is installed.")
def command(paths: tuple[str, ...], minimum: int, reference_only: bool) -> int:
    """Run the example sentences beside each filter.

    PATHS are filter files or folders of them; without any, the filters that come with fictc are tested. The
    examples of `folder/name.fict` are the trees of `folder/examples/name.conllu`. Each has these comments:

    \b
      # expect = match       or pass: the filter must leave the sentence alone
      # filter = name        where the file has several filters; name.value for one of a family
      # bind = V:3 S:2       optional: in some match V is word 3 and S is word 2

    Each example is judged by the reference interpreter and, where DuckDB is installed, by the compiled SQL as
    well; the two must find the same. Ends with 1 if an example fails or, with --min, examples are missing.
    """
    from fictdsl.shipped import shipped
    from runner.cli.examples import read_examples
    from runner.cli.verdicts import by_database, by_reference

    tallies: dict[tuple[Path, str], _Tally] = {}
    examples: dict[Path, list[Example]] = {}
    for file, filters in _by_file(paths or (str(shipped("filters")),)).items():
        tallies |= {(file, compiled.name): _Tally(file, compiled.name) for compiled in filters}
        examples[file] = read_examples(file, filters)
    everything = [example for found in examples.values() for example in found]
    homes = [file for file, found in examples.items() for _ in found]
    reference = by_reference(everything)
    database = None if reference_only else by_database(everything)
    for place, (home, example) in enumerate(zip(homes, everything, strict=True)):
        sql = None if database is None else database[place]
        _judge(example, reference[place], sql, tallies[home, example.filter.name])
    for tally in tallies.values():
        tally.failures += _missing(tally, minimum)
    _print(list(tallies.values()), with_sql=database is not None)
    return FINDINGS if any(tally.failures for tally in tallies.values()) else OK


def _by_file(arguments: Sequence[str]) -> dict[Path, list[CompiledFilter]]:
    """The filters of each file. Raises InputError for what is not there or has errors."""
    from runner.corpus.filters import load_filters

    found: dict[Path, list[CompiledFilter]] = {}
    for compiled in load_filters(arguments):
        if compiled.path is not None:
            found.setdefault(compiled.path, []).append(compiled)
    return found


def _judge(example: Example, reference: set[Match], sql: set[Match] | None, tally: _Tally) -> None:
    """Count one example, and note what is wrong with it."""
    if example.positive:
        tally.positive += 1
    else:
        tally.negative += 1
    problems: list[str] = []
    if example.positive and not reference:
        problems.append("expected a match, found none")
    if not example.positive and reference:
        problems.append(f"expected no match, found {_shown(reference)}")
    if reference:
        problems += [
            f"no match binds {_binding(bind)}; found {_shown(reference)}"
            for bind in example.binds
            if not any(bind <= match for match in reference)
        ]
    if sql is not None and sql != reference:
        problems.append(f"the SQL finds {_shown(sql)}, the reference {_shown(reference)}")
    if problems:
        tally.failures.append("\n".join([f"{example.path}:{example.line}: {tally.name}", *problems, _words(example)]))


def _missing(tally: _Tally, minimum: int) -> Iterator[str]:
    for count, kind in ((tally.positive, "expect = match"), (tally.negative, "expect = pass")):
        if count < minimum:
            yield f"{tally.file}: {tally.name}\nhas {count} examples with `# {kind}`; --min asks for {minimum}"


def _binding(match: Match) -> str:
    return " ".join(f"{name}:{word}" for name, word in sorted(match)) or "nothing"


def _shown(found: set[Match]) -> str:
    """The first few matches."""
    first = sorted(_binding(match) for match in found)
    rest = f" and {len(first) - 3} more" if len(first) > 3 else ""
    return "; ".join(first[:3]) + rest if first else "none"


def _words(example: Example) -> str:
    """The sentence, its words numbered as `# bind` numbers them."""
    return safe(" ".join(f"{word.form}/{word.id}" for word in example.sentence.words))


def _print(tallies: Sequence[_Tally], *, with_sql: bool) -> None:
    """The failures, then a line for each filter, then the sums."""
    for failure in (failure for tally in tallies for failure in tally.failures):
        first, *rest = failure.split("\n")
        click.echo("\n".join([f"FAILED {first}", *(f"  {line}" for line in rest), ""]))
    names = [f"{tally.file.parent.name}/{tally.name}" for tally in tallies]
    width = max([6, *map(len, names)])
    click.echo(f"{'filter':<{width}}  match   pass  failed")
    for name, tally in zip(names, tallies, strict=True):
        click.echo(f"{name:<{width}}  {tally.positive:>5}  {tally.negative:>5}  {len(tally.failures) or '–':>6}")
    total = sum(tally.positive + tally.negative for tally in tallies)
    failed = sum(len(tally.failures) for tally in tallies)
    engines = "the reference and the SQL" if with_sql else "the reference"
    click.echo(f"{len(tallies)} filters, {total} examples, judged by {engines}: {failed or 'none'} failed.")
