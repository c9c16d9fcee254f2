"""`fictc lint`: what is wrong or odd in filters, and what can be put right without a change of meaning."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.filters.settings import Chosen, chosen, settings_options
from runner.cli.shared.complete import codes, fict_paths
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.cli.shared.messages import say
from runner.cli.shared.outcome import FINDINGS, OK, USAGE
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from fictdsl.lint.fix import Fixed
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.cli.filters.lint_files import Linter

# What a path given on the command line may be wrong with, other than its content.
_NOT_READ = ("FICT140", "FICT142", "FICT143", "FICT146")


@click.command(name="lint")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=fict_paths)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "concise", "json", "sarif", "github", "junit"]),
    default="text",
    show_default=True,
    help="text: with the lines in question. concise: one line each. The others are for tools.",
)
@click.option("--strict/--no-strict", default=None, help="Let warnings fail too, not errors only.")
@click.option("--fix", is_flag=True, help="Write the fixes that cannot change a meaning, and report the rest.")
@click.option("--diff", is_flag=True, help="Show what --fix would write, and write nothing; ends with 1 if anything.")
@click.option(
    "--select",
    metavar="LINTS",
    shell_complete=codes,
    help="Report these lints only: codes, their beginnings or names, by commas.",
)
@click.option("--ignore", metavar="LINTS", shell_complete=codes, help="Leave these lints out.")
@click.option("--baseline", type=click.Path(path_type=Path), help="Leave out the findings that this file holds.")
@click.option("--write-baseline", type=click.Path(path_type=Path), help="Write all findings but errors to this file.")
@click.option("--corpus", metavar="STORE", type=click.Path(path_type=Path), help="Ask this corpus store as well.")
@click.option("--stdin-filename", metavar="PATH", type=click.Path(path_type=Path), help="What `-` is the text of.")
@settings_options
@lists_option
@limits_options(timeout=60.0)
def command(
    paths: tuple[str, ...],
    form: str,
    strict: bool | None,
    fix: bool,
    diff: bool,
    select: str | None,
    ignore: str | None,
    baseline: Path | None,
    write_baseline: Path | None,
    corpus: Path | None,
    limits: Limits,
    lists: ListOverrides,
    stdin_filename: Path | None,
    config: Path | None,
    isolated: bool,
) -> int:
    """Check filters for mistakes, and for what is legal and probably not meant.

    PATHS are .fict files, or folders in which all .fict files are checked; without any, the folder that is open.
    `-` reads a filter from the standard input. Without --corpus, no corpus, database or model is needed.

    Errors are what keeps a filter from running. Warnings are unknown tags and relations, tests that can never be
    true, names that stand alone and the like. A comment silences a warning on its line, or in the item below it:

    \b
      # fict: ignore[FICT503] the treebank of this project has it

    `fictc rule FICT503` says what a code means. Ends with 0 if there is no error, 1 if there is one (with --strict:
    or a warning), 2 if a path cannot be read.

    \b
    Examples:
      fictc lint
      fictc lint filters --strict --format github
      fictc lint filters/passive.fict --corpus stores/ewt
    """
    from runner.cli.filters.lint_files import Linter
    from runner.cli.shared.fict_files import STDIN, STDIN_NAME, files_of

    if fix and diff:
        raise click.UsageError("--fix writes and --diff only shows: one of them.")
    given = {"strict": strict, "select": select, "ignore": ignore, "baseline": baseline, "corpus": corpus}
    stdin = stdin_filename or Path(STDIN_NAME)
    settings = chosen(paths[0] if paths else ".", stdin, config, isolated=isolated, given=given)
    files = files_of(paths or (".",), stdin, settings.exclude, settings.root)
    linter = Linter(settings.selection, lists=lists)
    if STDIN in paths:
        linter.read_stdin(stdin)
    if unknown := linter.unknown_lists(files):
        from runner.errors import InputError

        raise InputError(unknown)
    fixes = {file: linter.fixed(file) for file in files} if fix or diff else {}
    if diff:
        return _show(fixes, linter)
    to_stdout = _write(fixes, linter, stdin if STDIN in paths else None)
    if settings.corpus is not None:
        _ask(linter, files, settings.corpus, limits)
    found = list({finding: None for file in files for finding in linter.lint(file)})
    unread = any(problem.code in _NOT_READ and problem.span is None for problem in found)
    if write_baseline is not None and unread:
        say(f"{write_baseline} is not written: a file could not be read", err=True)
        write_baseline = None
    found = _without_known(found, files, settings, write_baseline)
    if shown := rendered(found, form, files=[str(file) for file in files], strict=settings.strict):
        click.echo(shown, err=to_stdout)
    counts = Counter(problem.severity.value for problem in found)
    made = sum(done.count for done in fixes.values())
    click.echo(_summary(len(files), counts, made, _fixable(found, files, linter)), err=True)
    if unread:
        return USAGE
    return FINDINGS if counts["error"] or (settings.strict and counts["warning"]) else OK


def _fixable(found: Sequence[Diagnostic], files: Sequence[Path], linter: Linter) -> int:
    """Count the fixes that --fix would make in the files of which a fixable finding is reported."""
    names = {one.source.name for one in found if one.source is not None and one.fix is not None and one.fix.safe}
    return sum(linter.fixed(file).count for file in files if str(file) in names)


def _show(fixes: dict[Path, Fixed], linter: Linter) -> int:
    from fictdsl.diagnostics.display import shown
    from runner.cli.shared.fict_files import difference

    for file, done in fixes.items():
        if done.count:
            lines = difference(file, linter.text(file) or "", done.text)
            if sys.stdout.isatty():
                lines = "\n".join(shown(line) for line in lines.split("\n"))
            click.echo(lines, nl=False)
    number = sum(done.count for done in fixes.values())
    say(f"{_number(len(fixes), 'file')}: {_number(number, 'fix', 'fixes')} to make", err=True)
    return FINDINGS if number else OK


def _write(fixes: dict[Path, Fixed], linter: Linter, stdin: Path | None) -> bool:
    """Write what was fixed; the standard input goes to the standard output, whether fixed or not."""
    from runner.cli.shared.fict_files import write

    for file, done in fixes.items():
        if file == stdin and (text := linter.text(file)) is not None:
            click.echo((done.text if done.count else text).encode(), nl=False)
            linter.saw(file, done.text if done.count else text)
        elif done.count:
            write(file, done.text)
    return stdin in fixes


def _ask(linter: Linter, files: Sequence[Path], corpus: Path, limits: Limits) -> None:
    from runner.corpus.query.lint_facts import gather
    from runner.corpus.store.opening import Store

    words, filters = linter.questions(files)
    linter.facts, unanswered = gather(Store.open(corpus, limits), words, filters)
    for name in unanswered:
        say(f"filter {name} found no answer in the corpus within {limits.timeout:g} s", err=True)


def _without_known(
    found: list[Diagnostic], files: Sequence[Path], settings: Chosen, target: Path | None
) -> list[Diagnostic]:
    """The findings that no baseline holds; with a `target`, all but errors go into a new one."""
    from runner.cli.filters import lint_baseline

    if target is not None:
        number = lint_baseline.write(target, found)
        say(f"{_number(number, 'finding')} written to {target}", err=True)
        return lint_baseline.without(found, files, target)[0]
    if settings.baseline is None:
        return found
    new, gone = lint_baseline.without(found, files, settings.baseline)
    if gone:
        occurs = "finding no longer occurs" if gone == 1 else "findings no longer occur"
        say(f"{settings.baseline}: {gone} {occurs}; --write-baseline makes it anew", err=True)
    return new


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


def _summary(files: int, counts: Counter[str], fixed: int, fixable: int) -> str:
    """Return `3 files: 1 fixed, 1 error, 2 warnings (1 can be fixed with --fix)`; `fixable` counts what --fix makes."""
    parts = [f"{fixed} fixed"] if fixed else []
    parts += [_number(counts[kind], kind) for kind in ("error", "warning", "hint") if counts[kind]]
    more = f" ({fixable} can be fixed with --fix)" if fixable else ""
    return f"{_number(files, 'file')}: {', '.join(parts) or 'nothing to report'}{more}"


def _number(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
