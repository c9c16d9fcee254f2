"""`fictc fmt`: format filters, check the format, or show the changes."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import complete_paths
from runner.cli.shared.messages import has_colours
from runner.cli.shared.outcome import FINDINGS, OK, USAGE
from runner.counted import counted

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic

_UNCHANGED, _TO_FORMAT, _FAILED = "already formatted", "to format", "not formatted because of errors"


@click.command(name="fmt")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=complete_paths)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; list the files that would change (with --diff, on standard error), and exit with 1 if there "
    "are any.",
)
@click.option("--diff", is_flag=True, help="Write nothing; show the changes, and exit with 1 if there are any.")
@click.option(
    "--stdin-filename", metavar="PATH", type=click.Path(path_type=Path), help="Path to report for standard input."
)
def command(paths: tuple[str, ...], *, check: bool, diff: bool, stdin_filename: Path | None) -> int:
    """Format filters. Comments and the meaning of a filter are unchanged.

    PATHS are .fict files, or folders in which all .fict files are formatted [default: the current directory]. `-`
    formats standard input to standard output.

    Before a file is written, its new text is parsed again and must have the same filters and comments, and be stable
    under formatting. A file with syntax errors is reported and not changed; the others are formatted. Exits with 0,
    with 1 if --check or --diff found changes, or with 2 if a file has errors or cannot be read.

    \b
    Examples:
      fictc fmt filters
      fictc fmt filters --check --diff
    """
    from runner.cli.shared.fict_files import STDIN, STDIN_NAME, expand_paths, replace_text, unified_diff

    outcomes: Counter[str] = Counter()
    stdin_path = stdin_filename or Path(STDIN_NAME)
    for file in expand_paths(paths or (".",), stdin_path):
        from_stdin = STDIN in paths and file == stdin_path
        data, formatted, problems = _read_and_format(file, from_stdin=from_stdin)
        if formatted is None:
            _print_diagnostics(problems)
            outcomes[_FAILED] += 1
            continue
        outcomes[_UNCHANGED if data == formatted else _TO_FORMAT if check or diff else "formatted"] += 1
        if check and data != formatted:
            click.echo(file, err=diff)
        if diff:
            _print_diff(unified_diff(file, data.decode(errors="replace"), formatted.decode()))
        elif from_stdin and not check:
            click.echo(formatted, nl=False)
        elif data != formatted and not check:
            replace_text(file, formatted.decode())
    click.echo(_summary(outcomes), err=True)
    return USAGE if outcomes[_FAILED] else FINDINGS if outcomes[_TO_FORMAT] else OK


def _read_and_format(file: Path, *, from_stdin: bool) -> tuple[bytes, bytes | None, tuple[Diagnostic, ...]]:
    """Return the bytes of a file, its formatted bytes (None if it cannot be formatted), and the diagnostics."""
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from fictdsl.source import Source
    from fictdsl.syntax.files import MAX_FICT_BYTES, FileReference, check_size, decode, read_bytes
    from fictdsl.syntax.printer import format_text

    name = str(file)
    origin = FileReference(Source(name, ""), None, name)
    data = (
        check_size(sys.stdin.buffer.read(), MAX_FICT_BYTES, origin)
        if from_stdin
        else read_bytes(file, MAX_FICT_BYTES, origin)
    )
    if isinstance(data, Diagnostic):
        return b"", None, (data,)
    source, problems = decode(data, name)
    if source is None:
        return data, None, tuple(problems)
    result = format_text(source.text, name)
    return data, None if result.text is None else result.text.encode(), result.diagnostics


def _print_diagnostics(problems: tuple[Diagnostic, ...]) -> None:
    from fictdsl.diagnostics.text import render_text

    click.echo(render_text(problems, use_colours=has_colours(sys.stderr)) + "\n", err=True)


def _print_diff(diff: str) -> None:
    from fictdsl.diagnostics.display import printable

    if sys.stdout.isatty():
        diff = "\n".join(map(printable, diff.split("\n")))
    click.echo(diff, nl=False)


def _summary(outcomes: Counter[str]) -> str:
    """Return a summary such as `3 files: 1 formatted, 2 already formatted`."""
    return f"{counted(outcomes.total(), 'file')}: {', '.join(f'{n} {outcome}' for outcome, n in outcomes.items())}"
