"""`fictc rule`: the page of a diagnostic code, or a list of all codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

import click

from runner.cli.filter_options import complete_codes
from runner.cli.options import format_option

if TYPE_CHECKING:
    from fictdsl.lint.pages import Page


_MAX_DIGITS = 9  # of a number for which the nearest code is suggested


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
        print_pages(selected, as_markdown=output_format == "markdown")
    else:
        click.echo("\n".join(_listing(pages(), as_markdown=output_format == "markdown")))


def code_of(name: str) -> str:
    """Return the code of a diagnostic. `name` is its code, number or name, in upper or lower case.

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


def print_pages(pages: Sequence[Page], *, as_markdown: bool = False) -> None:
    """Print pages as Markdown. On a terminal, format them unless `as_markdown`."""
    text = "\n".join(item.markdown for item in pages).rstrip("\n")
    if as_markdown or not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, code_theme="ansi_dark"), width=min(console.width, 100))


def _listing(pages: Sequence[Page], *, as_markdown: bool) -> Iterator[str]:
    """Yield the codes of each family under a heading."""
    for index, (family, family_pages) in enumerate(groupby(pages, key=lambda page: page.family)):
        if index:
            yield ""
        yield f"## {family}\n" if as_markdown else family
        for page in family_pages:
            row = f"{page.code}  {page.name:<26} {page.severity}"
            yield f"- `{page.code}` {page.name} ({page.severity})" if as_markdown else f"  {row}"
