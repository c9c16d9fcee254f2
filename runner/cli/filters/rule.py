"""`fictc rule`: a code or name of a message into its page; all of them into a list."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import codes

if TYPE_CHECKING:
    from fictdsl.lint.pages import Page


@click.command("rule")
@click.argument("codes", nargs=-1, metavar="[CODE]...", shell_complete=codes)
@click.option("--all", "every", is_flag=True, help="Every page, not only those named.")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
def command(codes: tuple[str, ...], form: str, *, every: bool) -> None:
    """Say what a message means, with an example of the problem and of what to write instead.

    CODE is the code or the name of a message: FICT203, 203 or unknown-parameter. Without any, all are listed.

    \b
    Examples:
      fictc rule FICT203
      fictc rule --all --format json
    """
    from fictdsl.lint.pages import page, pages

    chosen = pages() if every else [page(code_of(written)) for written in codes]
    if form == "json":
        listed = chosen if every or codes else pages()
        click.echo(json.dumps([asdict(one) for one in listed], indent=2, ensure_ascii=False))
    elif chosen:
        show(chosen, plain=form == "markdown")
    else:
        click.echo("\n".join(_listing(pages(), plain=form == "markdown")))


def code_of(written: str) -> str:
    """The code that was named, in whatever letters; UsageError with the nearest one if there is none."""
    from fictdsl.diagnostics.codes import CATALOGUE
    from fictdsl.diagnostics.suggest import nearest

    names = {entry.name: code for code, entry in CATALOGUE.items()}
    number = written.upper().removeprefix("FICT")
    if f"FICT{number}" in CATALOGUE:
        return f"FICT{number}"
    if written.lower() in names:
        return names[written.lower()]
    if number.isdecimal():
        near = min(CATALOGUE, key=lambda code: abs(int(code[4:]) - int(number)))
    else:
        near = nearest(written.lower(), names) or ""
    raise click.UsageError(f"There is no message {written}." + (f" The nearest is {near}." if near else ""))


def show(chosen: Sequence[Page], *, plain: bool = False) -> None:
    """Print pages: laid out on a terminal, as Markdown elsewhere."""
    text = "\n".join(one.markdown for one in chosen).rstrip("\n")
    if plain or not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, code_theme="ansi_dark"), width=min(console.width, 100))


def _listing(chosen: Sequence[Page], *, plain: bool) -> Iterator[str]:
    """The codes of each family under its name."""
    for number, (family, members) in enumerate(groupby(chosen, key=lambda one: one.family)):
        if number:
            yield ""
        yield f"## {family}\n" if plain else family
        for one in members:
            row = f"{one.code}  {one.name:<26} {one.severity}"
            yield f"- `{one.code}` {one.name} ({one.severity})" if plain else f"  {row}"
