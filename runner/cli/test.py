"""`fictc test`: run the example sentences of filters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.filter_options import complete_paths, lists_option, load_filters_and_matches, load_rewrites
from runner.cli.messages import FINDINGS, OK
from runner.cli.options import Count, format_option, option

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.word_lists import ListOverrides


_accept_option = partial(option, requires="--accept")


@click.command(name="test")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=complete_paths)
@option(
    "--min",
    "minimum",
    type=Count(),
    default=0,
    metavar="N",
    help="Require N examples of each outcome.",
    excludes="--accept",
)
@option(
    "--reference-only",
    is_flag=True,
    help="Run only the reference interpreter, even if DuckDB is installed.",
    excludes="--accept",
)
@option("--branches", is_flag=True, help="List the parts of filters that no example exercises.", excludes="--accept")
@format_option(
    "text",
    "json",
    "junit",
    help="json: with every part of every filter and the examples that exercise it. junit: for CI servers.",
    excludes="--accept",
)
@option(
    "--accept",
    is_flag=True,
    help="Add a corpus sentence to the examples of a filter.",
    requires=("PATHS", "--corpus", "--sentence"),
)
@_accept_option(
    "--corpus", "-c", type=click.Path(path_type=Path), metavar="STORE", help="With --accept: the corpus store."
)
@_accept_option(
    "--sentence",
    metavar="SENTENCE",
    help="With --accept: the sent_id of the sentence, or SOURCE:NUMBER as printed by `fictc show`.",
)
@_accept_option(
    "--expect",
    type=click.Choice(["match", "pass"]),
    help="With --accept: the expected outcome [default: the current outcome].",
)
@_accept_option("--force", is_flag=True, help="With --accept: write the example even if it fails now.")
@lists_option
def command(
    paths: tuple[str, ...],
    minimum: int,
    output_format: str,
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
    """Run the example sentences of each filter and rewrite.

    PATHS are filter files or folders of them [default: the current directory]. The examples of `folder/name.fict` are
    the trees in `folder/examples/name.conllu`, with these comments:

    \b
      # expect = match       or pass: the filter must not match the sentence
      # filter = name        required if the file has several filters; name.value for a member of a family
      # bind = V:3 S:2       optional: in some match V is word 3 and S is word 2
      # expect-text = text   optional, for a rewrite that matches: the text that
                             it makes; empty if it drops the sentence

    A tree with the comment `# expect = rewritten` is the expected result of a rewrite of the tree before it.

    Each example is run by the reference interpreter and, if DuckDB is installed, by the compiled SQL; both must find
    the same matches. Exits with 1 if an example fails or, with --min, examples are missing.

    The parts of a filter are the branches of each `either`, the sides of each `or`, the values of each `a|b`, each
    `without`, count and call of a pattern, and the members of a family. An example exercises an alternative if it
    matches only through it, and a `without`, a count or a call if the outcome would change without it.

    With --accept, a corpus sentence becomes an example of the one filter that PATHS name: the tree with all its
    comments, the expected outcome, and the words of each match; for a rewrite also the text and tree that it makes.

    \b
    Examples:
      fictc test filters --min 3 --branches
      fictc test filters/passive.fict --accept --corpus stores/ewt --sentence s12
    """
    if accept:
        assert corpus is not None and sentence is not None
        return _accept(paths, lists, corpus, sentence, expect, force=force)
    from runner.cli import test_output
    from runner.examples.tallies import run_examples

    filters_by_file = _filters_by_file(paths or (".",), lists)
    results, with_sql = run_examples(filters_by_file, with_sql=not reference_only, min_examples=minimum)
    match output_format:
        case "json":
            click.echo(test_output.as_json(results, with_sql=with_sql))
        case "junit":
            click.echo(test_output.as_junit(results))
        case _:
            click.echo("\n".join(test_output.as_text(results, with_sql=with_sql, branches=branches)))
    return FINDINGS if any(result.failures for result in results) else OK


def _filters_by_file(paths: Sequence[str], lists: ListOverrides) -> dict[Path, list[CompiledFilter]]:
    """Return the filters of each file. Raises InputError if a file is missing or has errors."""
    filters_by_file: dict[Path, list[CompiledFilter]] = {}
    for compiled in load_filters_and_matches(paths, lists):
        if compiled.path is not None:
            filters_by_file.setdefault(compiled.path, []).append(compiled)
    return filters_by_file


def _accept(
    paths: Sequence[str],
    lists: ListOverrides,
    corpus: Path,
    sentence: str,
    expect: str | None,
    *,
    force: bool,
) -> int:
    from runner.cli.terminal import for_output
    from runner.examples.accept import accept

    filters = load_filters_and_matches(paths, lists)
    if len(filters) != 1:
        labels = [f"{compiled.path}::{compiled.name}" for compiled in filters[:8]]
        names = ", ".join(labels) + (" …" if len(filters) > 8 else "")
        raise click.UsageError(f"--accept expects one filter, found {len(filters)}: {names}.")
    rewrite = next(iter(load_rewrites(paths, lists)), None)
    for line in accept(filters[0], rewrite, corpus, sentence, expect, force=force):
        click.echo(for_output(line))
    return OK
