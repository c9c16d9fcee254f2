"""`fictc test`: the example sentences beside each filter, run and counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import fict_paths
from runner.cli.shared.filters import load_filters
from runner.cli.shared.lists import lists_option
from runner.cli.shared.outcome import FINDINGS, OK

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides


@click.command(name="test")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=fict_paths)
@click.option(
    "--min", "minimum", type=click.IntRange(0), default=0, metavar="N", help="Ask for N examples of each kind."
)
@click.option("--reference-only", is_flag=True, help="Leave the database out even where it is installed.")
@click.option("--branches", is_flag=True, help="List the parts of filters that no example exercises.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json", "junit"]),
    default="text",
    show_default=True,
    help="json lists every part of every filter with the examples that exercise it. junit is for build servers.",
)
@click.option("--accept", is_flag=True, help="Write a new example of the one filter named, from a corpus sentence.")
@click.option("--corpus", "-c", type=click.Path(path_type=Path), metavar="STORE", help="With --accept: the corpus.")
@click.option(
    "--sentence",
    metavar="SENTENCE",
    help="With --accept: the sent_id of the sentence, or SOURCE:NUMBER as `fictc show` prints it.",
)
@click.option(
    "--expect",
    type=click.Choice(["match", "pass"]),
    help="With --accept: what the example must say; without it, what the filter does now.",
)
@click.option("--force", is_flag=True, help="With --accept: write the example though the filter does not do it yet.")
@lists_option
def command(
    paths: tuple[str, ...],
    minimum: int,
    kind: str,
    lists: ListOverrides,
    corpus: Path | None,
    sentence: str | None,
    expect: str | None,
    *,
    reference_only: bool,
    branches: bool,
    accept: bool,
    force: bool,
) -> int:
    """Run the example sentences beside each filter.

    PATHS are filter files or folders of them; they default to the current folder. The examples of `folder/name.fict`
    are the trees of `folder/examples/name.conllu`. Each has these comments:

    \b
      # expect = match       or pass: the filter must leave the sentence alone
      # filter = name        where the file has several filters; name.value for one of a family
      # bind = V:3 S:2       optional: in some match V is word 3 and S is word 2

    Each example is judged by the reference interpreter and, where DuckDB is installed, by the compiled SQL as
    well; the two must find the same. Ends with 1 if an example fails or, with --min, examples are missing.

    The parts of a filter are the branches of each `either`, the sides of each `or`, the values of each `a|b`, each
    `without`, count and call of a pattern, and the members of a family. An alternative is exercised by an example
    that matches through it alone; a `without`, a count or a call by one whose outcome would change without it.

    With --accept, one sentence of a corpus becomes an example of the one filter that PATHS name: the tree with all
    its comments, what is expected, and the words of each match.

    \b
    Examples:
      fictc test filters --min 3 --branches
      fictc test filters/passive.fict --accept --corpus stores/ewt --sentence s12
    """
    if accept:
        return _accept(paths, lists, corpus, sentence, expect, force=force)
    if corpus is not None or sentence is not None or expect is not None or force:
        raise click.UsageError("--corpus, --sentence, --expect and --force go with --accept.")
    from runner.cli.examples import test_formats
    from runner.cli.examples.tallies import tally

    by_file = _by_file(paths or (".",), lists)
    tallies, with_sql = tally(by_file, with_sql=not reference_only, minimum=minimum)
    match kind:
        case "json":
            click.echo(test_formats.as_json(tallies, with_sql=with_sql))
        case "junit":
            click.echo(test_formats.as_junit(tallies))
        case _:
            click.echo("\n".join(test_formats.as_text(tallies, with_sql=with_sql, branches=branches)))
    return FINDINGS if any(tally.failures for tally in tallies) else OK


def _by_file(arguments: Sequence[str], lists: ListOverrides) -> dict[Path, list[CompiledFilter]]:
    """The filters of each file. Raises InputError for what is not there or has errors."""
    found: dict[Path, list[CompiledFilter]] = {}
    for compiled in load_filters(arguments, lists):
        if compiled.path is not None:
            found.setdefault(compiled.path, []).append(compiled)
    return found


def _accept(
    paths: Sequence[str],
    lists: ListOverrides,
    corpus: Path | None,
    sentence: str | None,
    expect: str | None,
    *,
    force: bool,
) -> int:
    from runner.cli.examples.accept import accept
    from runner.cli.shared.terminal import for_output

    if not paths or corpus is None or sentence is None:
        raise click.UsageError("--accept needs a filter, --corpus STORE and --sentence SENTENCE.")
    filters = load_filters(paths, lists)
    if len(filters) != 1:
        names = ", ".join(f"{one.path}::{one.name}" for one in filters[:8]) + (" …" if len(filters) > 8 else "")
        raise click.UsageError(f"--accept is for one filter; choose one of these {len(filters)}: {names}.")
    for line in accept(filters[0], corpus, sentence, expect, force=force):
        click.echo(for_output(line))
    return OK
