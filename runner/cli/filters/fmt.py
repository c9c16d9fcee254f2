"""`fictc fmt`: filters in their one layout, written, checked or shown."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import fict_paths
from runner.cli.shared.outcome import FINDINGS, OK, USAGE

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic

_DONE, _TO_DO, _FAILED = "already formatted", "to format", "left alone because of errors"


@click.command(name="fmt")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=fict_paths)
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change, end with 1 if any.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change, end with 1 if anything.")
@click.option("--stdin-filename", metavar="PATH", type=click.Path(path_type=Path), help="What `-` is the text of.")
def command(paths: tuple[str, ...], *, check: bool, diff: bool, stdin_filename: Path | None) -> int:
    """Bring filters into their one layout; comments stay, and so does all that a filter means.

    PATHS are .fict files, or folders in which all .fict files are formatted; without any, the folder that is open.
    `-` reads a text from the standard input and prints its layout.

    A file is only written after its new text has been read back: the same filters, the same comments, and nothing
    left to format. A file with syntax errors is reported and left as it is; the others are formatted. Ends with 0,
    with 1 if --check or --diff found something to change, with 2 if a file could not be read.

    \b
    Examples:
      fictc fmt filters
      fictc fmt filters --check --diff
    """
    from runner.cli.shared.fict_files import STDIN, STDIN_NAME, difference, files_of, write

    ends: Counter[str] = Counter()
    stdin = stdin_filename or Path(STDIN_NAME)
    for file in files_of(paths or (".",), stdin):
        piped = STDIN in paths and file == stdin
        before, after, problems = _formatted(file, piped=piped)
        if after is None:
            _report(problems)
            ends[_FAILED] += 1
            continue
        ends[_DONE if before == after else _TO_DO if check or diff else "formatted"] += 1
        if diff:
            _show(difference(file, before.decode(errors="replace"), after.decode()))
        elif check and before != after:
            click.echo(file)
        elif piped and not check:
            click.echo(after, nl=False)
        elif before != after and not check:
            write(file, after.decode())
    click.echo(_summary(ends), err=True)
    return USAGE if ends[_FAILED] else FINDINGS if ends[_TO_DO] else OK


def _formatted(file: Path, *, piped: bool) -> tuple[bytes, bytes | None, tuple[Diagnostic, ...]]:
    """The bytes of a file as they are and as they should be; None where that cannot be told, with the reason."""
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from fictdsl.source import Source
    from fictdsl.syntax.printing.format import format_text
    from fictdsl.syntax.text.characters import decode
    from fictdsl.syntax.text.paths import FICT_BYTES, FileReference, check_size, read_bytes

    name = str(file)
    place = FileReference(Source(name, ""), None, name)
    data = check_size(sys.stdin.buffer.read(), FICT_BYTES, place) if piped else read_bytes(file, FICT_BYTES, place)
    if isinstance(data, Diagnostic):
        return b"", None, (data,)
    source, problems = decode(data, name)
    if source is None:
        return data, None, tuple(problems)
    result = format_text(source.text, name)
    return data, None if result.text is None else result.text.encode(), result.diagnostics


def _report(problems: tuple[Diagnostic, ...]) -> None:
    from fictdsl.diagnostics.render_text import render

    click.echo(render(problems, color=sys.stderr.isatty()) + "\n", err=True)


def _show(difference: str) -> None:
    from fictdsl.diagnostics.display import shown

    if sys.stdout.isatty():
        difference = "\n".join(map(shown, difference.split("\n")))
    click.echo(difference, nl=False)


def _summary(ends: Counter[str]) -> str:
    """`3 files: 1 formatted, 2 already formatted`."""
    files = ends.total()
    return f"{files} file{'' if files == 1 else 's'}: {', '.join(f'{n} {end}' for end, n in ends.items())}"
