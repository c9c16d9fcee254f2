"""`fictc lint`: what is wrong or odd in filters, without a corpus."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.outcome import FINDINGS, OK, USAGE

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from fictdsl.syntax.shelf import Shelf

# What a path given on the command line may be wrong with, other than its content.
_NOT_READ = ("FICT140", "FICT142", "FICT143", "FICT146")


@click.command(name="lint")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "concise", "json", "sarif", "github", "junit"]),
    default="text",
    show_default=True,
    help="text: with the lines in question. concise: one line each. The others are for tools.",
)
@click.option("--strict", is_flag=True, help="Let warnings fail too, not errors only.")
def command(paths: tuple[str, ...], form: str, *, strict: bool) -> int:
    """Check filters for mistakes, and for what is legal and probably not meant.

    PATHS are .fict files, or folders in which all .fict files are checked; without any, the folder that is open.
    `-` reads a filter from the standard input. No corpus, database or model is needed.

    Errors are what keeps a filter from running. Warnings are unknown tags and relations, tests that can never be
    true, names that stand alone and the like. A comment silences a warning on its line, or in the item below it:

    \b
      # fict: ignore[FICT503] the treebank of this project has it

    `fictc rule FICT503` says what a code means. Ends with 0 if there is no error, 1 if there is one (with --strict:
    or a warning), 2 if a path cannot be read.
    """
    from fictdsl.syntax.shelf import Shelf

    files = _files(paths or (".",))
    shelf = Shelf()
    found: dict[Diagnostic, None] = {}
    for file in files:
        found |= dict.fromkeys(_lint(file, shelf))
    names = ["<stdin>" if str(file) == "-" else str(file) for file in files]
    if shown := rendered(list(found), form, files=names, strict=strict):
        click.echo(shown)
    counts = Counter(problem.severity.value for problem in found)
    click.echo(_summary(len(files), counts), err=True)
    if any(problem.code in _NOT_READ and problem.span is None for problem in found):
        return USAGE
    return FINDINGS if counts["error"] or (strict and counts["warning"]) else OK


def _files(paths: Sequence[str]) -> list[Path]:
    """The files named and those in the folders named, each once. Raises UsageError for a folder that has none."""
    files: list[Path] = []
    for written in paths:
        path = Path(written)
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(_walk(path))
        files += inside
        if not inside:
            raise click.UsageError(f"There is no .fict file in {written}.")
    return list(dict.fromkeys(files))


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place) / name for name in names if name.endswith(".fict"))


def _lint(file: Path, shelf: Shelf) -> list[Diagnostic]:
    from fictdsl.diagnostics.codes import diagnostic
    from fictdsl.lint.engine import lint_file, lint_text
    from fictdsl.source import Source

    if str(file) != "-":
        return lint_file(file, shelf)
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        return [diagnostic("FICT104", Source("<stdin>", ""), file="the standard input", reason=error.reason)]
    return lint_text(text, "<stdin>", Path(), shelf)


def rendered(found: Sequence[Diagnostic], form: str, *, files: Sequence[str], strict: bool) -> str:
    """The diagnostics in one of the formats; for people nothing where there are none, for tools an empty document."""
    render = import_module(f"fictdsl.diagnostics.render_{form}").render
    shown: str
    if form == "text":
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        shown = render(found, color=color) + "\n" if found else ""
    elif form == "junit":
        shown = render(found, files, strict=strict)
    elif form == "sarif":
        from fictdsl.lint.pages import page

        shown = render(found, {problem.code: page(problem.code).text for problem in found})
    else:
        shown = render(found)
    return shown


def _summary(files: int, counts: Counter[str]) -> str:
    """`3 files: 1 error, 2 warnings`."""
    parts = [f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in ("error", "warning", "hint")]
    shown = ", ".join(part for part in parts if not part.startswith("0 "))
    return f"{files} file{'' if files == 1 else 's'}: {shown or 'nothing to report'}"
