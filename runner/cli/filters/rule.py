"""`fictc rule`: the page of a diagnostic code, or a list of all codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

import click

from runner.cli.options.format import format_option
from runner.cli.shared.complete import complete_codes

if TYPE_CHECKING:
    from fictdsl.lint.pages import Page


_MAX_DIGITS = 9  # of a number to which the nearest code is suggested


@click.command("rule")
@click.argument("codes", nargs=-1, metavar="[CODE]...", shell_complete=complete_codes)
@click.option("--all", "all_pages", is_flag=True, help="Print every page.")
@format_option("text", "markdown", "json")
def command(codes: tuple[str, ...], output_format: str, *, all_pages: bool) -> None:
    """Explain a diagnostic, with an example of the problem and its correction.

    CODE is a code or name: FICT203, 203 or unknown-parameter. Without CODE, all diagnostics are listed.

    \b
    Examples:
      fictc rule FICT203
      fictc rule --all --format json
    """
    from fictdsl.lint.pages import page, pages

    selected = pages() if all_pages else [page(code_of(name)) for name in codes]
    if output_format == "json":
        output_pages = selected if all_pages or codes else pages()
        click.echo(json.dumps([asdict(item) for item in output_pages], indent=2, ensure_ascii=False))
    elif selected:
        print_pages(selected, plain=output_format == "markdown")
    else:
        click.echo("\n".join(_listing(pages(), plain=output_format == "markdown")))


def code_of(name: str) -> str:
    """Return the code for a code or name, in upper or lower case.

    Raises UsageError with the nearest code or name if there is no such diagnostic.
    """
    from fictdsl.diagnostics.codes import CATALOGUE
    from fictdsl.diagnostics.suggest import nearest

    names = {entry.name: code for code, entry in CATALOGUE.items()}
    number = name.upper().removeprefix("FICT")
    if f"FICT{number}" in CATALOGUE:
        return f"FICT{number}"
    if name.lower() in names:
        return names[name.lower()]
    if number.isdecimal() and len(number) <= _MAX_DIGITS:
        suggestion = min(CATALOGUE, key=lambda code: abs(int(code[4:]) - int(number)))
    else:
        suggestion = nearest(name.lower(), names) or ""
    raise click.UsageError(f"There is no diagnostic {name}." + (f" The nearest is {suggestion}." if suggestion else ""))


def print_pages(pages: Sequence[Page], *, plain: bool = False) -> None:
    """Print pages, formatted on a terminal and as Markdown elsewhere."""
    text = "\n".join(item.markdown for item in pages).rstrip("\n")
    if plain or not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, code_theme="ansi_dark"), width=min(console.width, 100))


def _listing(pages: Sequence[Page], *, plain: bool) -> Iterator[str]:
    """Yield the codes of each family under a heading."""
    for index, (family, entries) in enumerate(groupby(pages, key=lambda entry: entry.family)):
        if index:
            yield ""
        yield f"## {family}\n" if plain else family
        for entry in entries:
            row = f"{entry.code}  {entry.name:<26} {entry.severity}"
            yield f"- `{entry.code}` {entry.name} ({entry.severity})" if plain else f"  {row}"
