"""`fictc translate`: translate queries of other tools to filters."""

from __future__ import annotations

import re
from pathlib import Path

import click

from runner.cli.options import PATH
from runner.cli.terminal import FINDINGS, OK, print_message, write_output
from runner.errors import InputError
from runner.readers import read_input

STDIN = "-"


@click.command(name="translate")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--from",
    "language",
    type=click.Choice(["grew", "semgrex"]),
    required=True,
    help="grew: a request, with its lexicons. semgrex: one pattern per line; indented lines continue a pattern.",
)
@click.option("--output", "-o", type=PATH, help="Output file [default: standard output].")
@click.option("--name", metavar="NAME", help="Name of the filter [default: derived from the file name].")
def command(file: Path, language: str, output: Path | None, name: str | None) -> int:
    """Translate a Grew request, or Semgrex patterns, to a .fict file.

    FILE is the file of the request or patterns; - is standard input. A part that cannot be expressed in a filter
    becomes a comment `# no equivalent: …` in its place, with the reason. The filter may then match more or fewer
    sentences than the query. Exits with 1 if there is such a part.

    \b
    Examples:
      fictc translate --from grew passive.req > passive.fict
      fictc translate --from semgrex patterns.txt --output patterns.fict
    """
    from fictdsl.source import Source
    from fictdsl.syntax import nodes, printer
    from fictdsl.translate.writer import QueryError

    if language == "grew":
        from fictdsl.translate.grew import translate_grew as translate
    else:
        from fictdsl.translate.semgrex import translate_semgrex as translate

    if name is not None and not nodes.FILTER_NAME.fullmatch(name):
        hint = "lowercase letters, digits and hyphens, with a letter first"
        raise click.BadParameter(f"{name!r} is not a name of a filter: {hint}", param_hint="--name")
    source = Source.of(_read_query(file), _display_name(file))
    try:
        translation = translate(source, name or _default_name(file))
    except QueryError as error:
        raise InputError(error.problem) from error
    formatted = printer.format_text(translation.text)
    write_output(formatted.text or translation.text, output)
    for query_part in translation.untranslated:
        print_message(f"no equivalent: {query_part}", err=True)
    return FINDINGS if translation.untranslated else OK


def _display_name(file: Path) -> str:
    return "<stdin>" if str(file) == STDIN else str(file)


def _read_query(file: Path) -> str:
    """Return the text of the query. Raises InputError (FICT295) if it cannot be read or is not UTF-8."""
    try:
        return read_input(file)
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError.of("FICT295", path=_display_name(file), reason=reason) from error


def _default_name(file: Path) -> str:
    stem = "query" if str(file) == STDIN else re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    return stem if stem[:1].isalpha() else f"query-{stem}".rstrip("-")
