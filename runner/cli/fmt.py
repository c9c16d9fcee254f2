"""`fictc fmt` and `translate`: format filters, or make them of queries of other tools; find and write `.fict` files."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted
from runner.cli.options import PATH
from runner.cli.query_options import complete_paths
from runner.cli.terminal import FINDINGS, OK, USAGE, has_colours, print_message, write_output
from runner.corpus.filter_arguments import fict_files
from runner.errors import InputError
from runner.readers import read_input, real_path

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic


STDIN, STDIN_NAME = "-", "<stdin>"


def expand_paths(
    paths: Sequence[str], stdin_path: Path, exclude: Sequence[str] = (), root: Path = Path()
) -> list[Path]:
    """`exclude` has patterns of paths relative to `root`, of files in named folders or of folders above such files."""
    files: list[Path] = []
    for name in paths:
        path = stdin_path if name == STDIN else Path(name)
        if name == STDIN or not path.is_dir():
            files.append(path)
            continue
        found_files = fict_files(path)
        included = [file for file in found_files if not _is_excluded(file, exclude, root)]
        files += included
        if not included:
            reason = (
                f"The settings exclude all .fict files in {name}."
                if found_files
                else f"There is no .fict file in {name}."
            )
            raise click.UsageError(reason)
    return list(dict.fromkeys(files))


def _is_excluded(file: Path, patterns: Sequence[str], root: Path) -> bool:
    if not patterns:
        return False
    relative = Path(os.path.relpath(real_path(file), real_path(root)))
    candidates = [path.as_posix() for path in (relative, *relative.parents)]
    return any(fnmatch(candidate, pattern.rstrip("/")) for candidate in candidates for pattern in patterns)


def replace_text(file: Path, text: str) -> None:
    """Replace the text of an existing file atomically, without changing its mode. Symbolic links are followed."""
    from runner.workspace import atomic_write

    target = real_path(file)
    with atomic_write(target) as temp:
        temp.write_bytes(text.encode())
        shutil.copymode(target, temp)


def print_diff(file: Path, before: str, after: str) -> None:
    """Print the unified diff for `patch -p0`, nothing if the texts are equal."""
    from fictdsl.terminal_text import printable

    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    lines = difflib.unified_diff(old, new, str(file), str(file))
    diff = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    if sys.stdout.isatty():
        diff = "\n".join(map(printable, diff.split("\n")))
    click.echo(diff, nl=False)


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
@click.option("--stdin-filename", metavar="PATH", type=PATH, help="Path to report for standard input.")
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
    outcomes: Counter[str] = Counter()
    stdin_path = stdin_filename or Path(STDIN_NAME)
    for file in expand_paths(paths or (".",), stdin_path):
        from_stdin = STDIN in paths and file == stdin_path
        data, formatted, problems = _read_and_format(file, from_stdin=from_stdin)
        if formatted is None:
            print_diagnostics(problems)
            outcomes[_FAILED] += 1
            continue
        outcomes[_UNCHANGED if data == formatted else _TO_FORMAT if check or diff else "formatted"] += 1
        if check and data != formatted:
            click.echo(file, err=diff)
        if diff:
            print_diff(file, data.decode(errors="replace"), formatted.decode())
        elif from_stdin and not check:
            click.echo(formatted, nl=False)
        elif data != formatted and not check:
            replace_text(file, formatted.decode())
    click.echo(_summary(outcomes), err=True)
    return USAGE if outcomes[_FAILED] else FINDINGS if outcomes[_TO_FORMAT] else OK


def _read_and_format(file: Path, *, from_stdin: bool) -> tuple[bytes, bytes | None, tuple[Diagnostic, ...]]:
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


def print_diagnostics(problems: Sequence[Diagnostic]) -> None:
    from fictdsl.diagnostics.text import render_text

    click.echo(render_text(problems, use_colours=has_colours(sys.stderr)) + "\n", err=True)


def _summary(outcomes: Counter[str]) -> str:
    return f"{counted(outcomes.total(), 'file')}: {', '.join(f'{n} {outcome}' for outcome, n in outcomes.items())}"


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
def translate(file: Path, language: str, output: Path | None, name: str | None) -> int:
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
        from fictdsl.translate.grew import translate_grew as translate_source
    else:
        from fictdsl.translate.semgrex import translate_semgrex as translate_source
    if name is not None and not nodes.FILTER_NAME.fullmatch(name):
        hint = "lowercase letters, digits and hyphens, with a letter first"
        raise click.BadParameter(f"{name!r} is not a name of a filter: {hint}", param_hint="--name")
    from_stdin = str(file) == STDIN
    display_name = STDIN_NAME if from_stdin else str(file)
    stem = "query" if from_stdin else re.sub(r"[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    default_name = stem if stem[:1].isalpha() else f"query-{stem}".rstrip("-")
    try:
        text = read_input(file)
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError.of("FICT295", path=display_name, reason=reason) from error
    try:
        translation = translate_source(Source.of(text, display_name), name or default_name)
    except QueryError as error:
        raise InputError(error.problem) from error
    formatted = printer.format_text(translation.text)
    write_output(formatted.text or translation.text, output)
    for query_part in translation.untranslated:
        print_message(f"no equivalent: {query_part}", err=True)
    return FINDINGS if translation.untranslated else OK
