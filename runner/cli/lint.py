"""`fictc lint`: check filters, and apply safe fixes; compare findings with a baseline."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.diagnostic import Diagnostic, has_errors
from fictdsl.lint.engine import Selection, lint_context, lint_file
from fictdsl.lint.rule_context import CorpusFacts, words_by_column
from fictdsl.lint.rules import RULES
from fictdsl.syntax.files import FileCache, ListOverrides, decode
from fictdsl.syntax.load import Module, load_file
from fictdsl.words import counted, inflected
from runner.cli.config import LintSettings, lint_options, lint_settings
from runner.cli.options import PATH, format_option, relations
from runner.cli.query_options import complete_paths, limits_options, lists_option, open_corpus
from runner.cli.terminal import FINDINGS, OK, USAGE, has_colours, print_message
from runner.corpus.limits import Limits
from runner.errors import InputError
from runner.readers import read_document, real_path

if TYPE_CHECKING:
    from fictdsl.lint import baseline
    from fictdsl.lint.fix import FixResult


def _new_findings(
    findings: Sequence[Diagnostic], files: Sequence[Path], path: Path, is_checked: Callable[[str], bool]
) -> tuple[list[Diagnostic], int]:
    """Return the findings that are not in a baseline, and the number of its findings that no longer occur.

    Findings of unchecked codes are not counted, and those in unchecked or erroneous files only if the files are gone.
    """
    from fictdsl.lint import baseline

    try:
        recorded = baseline.from_json(read_document(path).decode("utf-8"), path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError.of("FICT625", path=path, reason=reason) from None
    except ValueError as error:
        raise InputError.of("FICT625", path=path, reason=str(error)) from None
    new, resolved = recorded.compare(findings)
    with_errors = {
        finding.source.name for finding in findings if finding.source is not None and finding.prevents_compilation
    }
    checked = {os.path.realpath(file) for file in files if str(file) not in with_errors}

    def is_resolved(entry: baseline.Entry) -> bool:
        real_path = os.path.realpath(path.parent / entry.path)
        return not Path(real_path).exists() or (real_path in checked and is_checked(entry.code))

    return new, sum(count for entry, count in resolved.items() if is_resolved(entry))


@dataclass(slots=True)
class Linter:
    """With `trees_on_disk`, syntax trees come from the user's cache: no import of Lark if all files are there."""

    selection: Selection
    trees_on_disk: bool = False
    facts: CorpusFacts | None = None
    lists: ListOverrides = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)  # override the files on disk
    unreadable: dict[Path, Diagnostic] = field(default_factory=dict)  # standard input that is not UTF-8
    stdin_data: bytes = b""
    file_cache: FileCache = field(init=False)

    def __post_init__(self) -> None:
        self.file_cache = FileCache(self.texts, self.trees_on_disk)

    def read_stdin(self, file: Path) -> None:
        self.stdin_data = sys.stdin.buffer.read()
        try:
            self.texts[real_path(file)] = self.stdin_data.decode("utf-8")
        except UnicodeDecodeError:
            _, (self.unreadable[real_path(file)],) = decode(self.stdin_data, str(file))

    def lint(self, file: Path) -> list[Diagnostic]:
        if self.unreadable and real_path(file) in self.unreadable:
            return [self.unreadable[real_path(file)]]
        return [
            finding
            for finding in lint_file(file, self.file_cache, self.facts, self.lists)
            if self.selection.includes(finding)
        ]

    def checks(self, code: str) -> bool:
        needs_corpus = any(rule.needs_corpus for rule in RULES if rule.code == code)
        return self.selection.includes_code(code) and (self.facts is not None or not needs_corpus)

    def unknown_lists(self, files: Sequence[Path]) -> list[Diagnostic]:
        modules = [self._load(file)[0] for file in files] if self.lists else []
        readable = [module for module in modules if module is not None]
        return list(unknown_lists(readable, self.lists).values()) if len(readable) == len(files) else []

    def text(self, file: Path) -> str | None:
        if real_path(file) in self.unreadable:
            return None
        if real_path(file) in self.texts:
            return self.texts[real_path(file)]
        try:
            return real_path(file).read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None

    def corpus_queries(self, files: Sequence[Path]) -> tuple[dict[str, frozenset[str]], list[CompiledFilter]]:
        words: dict[str, frozenset[str]] = {}
        filters: list[CompiledFilter] = []
        for file in files:
            module, diagnostics = self._load(file)
            context = None if module is None or has_errors(diagnostics) else lint_context(module)[0]
            if context is not None:
                filters += context.filters
                for column, tested in words_by_column(context).items():
                    words[column] = words.get(column, frozenset()) | tested
        return words, filters

    def fix_result(self, file: Path) -> FixResult:
        from fictdsl.lint.fix import FixResult, fix

        findings = self.lint(file)
        fixable = any(finding.fix is not None and finding.fix.safe for finding in findings)
        original = self.text(file) if fixable else None
        if original is None:
            return FixResult("", 0, tuple(findings))

        def lint_text(text: str) -> list[Diagnostic]:
            self.texts[real_path(file)] = text
            return self.lint(file)

        was_saved = real_path(file) not in self.texts
        try:
            return fix(original, lint_text)
        finally:
            self.texts[real_path(file)] = original
            if was_saved:
                del self.texts[real_path(file)]

    def _load(self, file: Path) -> tuple[Module | None, list[Diagnostic]]:
        if real_path(file) in self.unreadable:
            return None, [self.unreadable[real_path(file)]]
        return load_file(file, self.file_cache, self.lists)


# Diagnostics of a path on the command line rather than of its content.
_READ_ERRORS = ("FICT140", "FICT142", "FICT143", "FICT146")


@click.command(name="lint")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=complete_paths)
@format_option(
    "text",
    "concise",
    "json",
    "sarif",
    "github",
    "junit",
    help="text: with source lines. concise: one line per finding. The others are for tools.",
)
@lint_options
@click.option("--fix", is_flag=True, help="Apply the safe fixes, and report the remaining findings.")
@click.option(
    "--diff", is_flag=True, help="Show the changes of --fix without writing them, and exit with 1 if there are any."
)
@click.option("--write-baseline", type=PATH, help="Write all findings except compilation errors to this file.")
@click.option("--stdin-filename", metavar="PATH", type=PATH, help="Path to report for standard input.")
@lists_option
@limits_options(timeout=60.0)
@relations("--fix, --write-baseline excludes --diff")
def command(
    paths: tuple[str, ...],
    output_format: str,
    fix: bool,
    diff: bool,
    write_baseline: Path | None,
    stdin_filename: Path | None,
    limits: Limits,
    lists: ListOverrides,
    **options: Any,
) -> int:
    """Check filters for errors, and for valid code that is probably a mistake.

    PATHS are .fict files, or folders in which all .fict files are checked [default: the current directory]. `-` reads a
    filter from standard input. Without --corpus, no corpus, database or model is needed.

    A filter that does not compile cannot run, and unknown tags and relations are errors too. Warnings report tests
    that are never true, unused names and similar findings. A comment suppresses a finding on its line, or in the item
    below it:

    \b
      # fict: ignore[FICT503] the treebank of this project has it

    `fictc rule FICT503` explains a code. Exits with 0 if there is no error, 1 if there is one (with --strict: or a
    warning), and 2 if a path cannot be read.

    \b
    Examples:
      fictc lint
      fictc lint filters --strict --format github
      fictc lint filters/passive.fict --corpus stores/ewt
    """
    from runner.cli.fmt import STDIN, STDIN_NAME, expand_paths

    stdin_path = stdin_filename or Path(STDIN_NAME)
    settings = lint_settings(paths[0] if paths else ".", stdin_path, **options)
    files = expand_paths(paths or (".",), stdin_path, settings.exclude, settings.root)
    linter = Linter(settings.selection, trees_on_disk=len(files) == 1, lists=lists)
    if STDIN in paths:
        linter.read_stdin(stdin_path)
    if unknown := linter.unknown_lists(files):
        raise InputError(unknown)
    fixes = {file: linter.fix_result(file) for file in files} if fix or diff else {}
    if diff:
        return _print_diff(fixes, linter)
    fixes_stdin = _write_fixes(fixes, linter, stdin_path if STDIN in paths else None)
    if settings.corpus:
        _query_corpus(linter, files, settings.corpus, limits)
    findings = list({finding: None for file in files for finding in linter.lint(file)})
    has_read_errors = any(map(_is_read_error, findings))
    if write_baseline is not None and has_read_errors:
        print_message(f"{write_baseline} was not written: a file could not be read", err=True)
        write_baseline = None
    findings = _without_baseline(findings, files, settings, write_baseline, linter)
    if output := _render(findings, output_format, files=[str(file) for file in files], strict=settings.strict):
        click.echo(output, err=fixes_stdin)
    counts = Counter(finding.severity.value for finding in findings)
    fix_count = sum(fixed.count for fixed in fixes.values())
    click.echo(_summary(len(files), counts, fix_count, _count_fixable(findings, files, linter)), err=True)
    if has_read_errors:
        return USAGE
    return FINDINGS if counts["error"] or (settings.strict and counts["warning"]) else OK


def _count_fixable(findings: Sequence[Diagnostic], files: Sequence[Path], linter: Linter) -> int:
    """Return how many of the findings --fix would fix. It may fix more: fixed errors may reveal other findings."""
    fixable_counts = Counter(
        finding.source.name
        for finding in findings
        if finding.source is not None and finding.fix is not None and finding.fix.safe
    )
    return sum(
        min(fixable_counts[str(file)], linter.fix_result(file).count) for file in files if str(file) in fixable_counts
    )


def _is_read_error(finding: Diagnostic) -> bool:
    return finding.code in _READ_ERRORS and finding.span is None


def _print_diff(fixes: dict[Path, FixResult], linter: Linter) -> int:
    from runner.cli.fmt import print_diagnostics, print_diff

    for file, fixed in fixes.items():
        if fixed.count:
            print_diff(file, linter.text(file) or "", fixed.text)
    read_errors = [finding for fixed in fixes.values() for finding in fixed.remaining if _is_read_error(finding)]
    if read_errors:
        print_diagnostics(read_errors)
    fix_count = sum(fixed.count for fixed in fixes.values())
    print_message(f"{counted(len(fixes), 'file')}: {counted(fix_count, 'fix', 'fixes')} to make", err=True)
    return USAGE if read_errors else FINDINGS if fix_count else OK


def _write_fixes(fixes: dict[Path, FixResult], linter: Linter, stdin_path: Path | None) -> bool:
    """Write the fixed files, and standard input, fixed or not, to standard output. Return whether it is in `fixes`."""
    from runner.cli.fmt import replace_text

    for file, fixed in fixes.items():
        if file == stdin_path:
            click.echo(fixed.text.encode() if fixed.count else linter.stdin_data, nl=False)
            if fixed.count:
                linter.texts[real_path(file)] = fixed.text
        elif fixed.count:
            replace_text(file, fixed.text)
    return stdin_path in fixes


def _query_corpus(linter: Linter, files: Sequence[Path], corpus: Sequence[Path], limits: Limits) -> None:
    from runner.corpus.lint_facts import gather_facts

    words, filters = linter.corpus_queries(files)
    linter.facts, errors = gather_facts(open_corpus(corpus, limits), words, filters)
    for name, error in errors.items():
        print_message(f"filter {name} was not run on the corpus: {error}", err=True)


def _without_baseline(
    findings: list[Diagnostic], files: Sequence[Path], settings: LintSettings, new_baseline: Path | None, linter: Linter
) -> list[Diagnostic]:
    """Return the findings that are not in the baseline. If `new_baseline` is a path, first write a baseline there.

    A baseline has all findings that have a position, except compilation errors.
    """
    if new_baseline is not None:
        from fictdsl.lint import baseline
        from runner.workspace import write_text

        content = baseline.baseline_of(findings, new_baseline.parent)
        write_text(new_baseline, baseline.to_json(content))
        print_message(f"{counted(content.entries.total(), 'finding')} written to {new_baseline}", err=True)
        return _new_findings(findings, files, new_baseline, linter.checks)[0]
    if settings.baseline is None:
        return findings
    new, resolved_count = _new_findings(findings, files, settings.baseline, linter.checks)
    if resolved_count:
        occurs = inflected(resolved_count, "finding no longer occurs", "findings no longer occur")
        print_message(f"{settings.baseline}: {resolved_count} {occurs}; --write-baseline updates it", err=True)
    return new


def _render(findings: Sequence[Diagnostic], output_format: str, *, files: Sequence[str], strict: bool) -> str:
    if not findings and output_format in ("text", "concise", "github"):
        return ""
    if output_format in ("text", "concise"):
        from fictdsl.diagnostics.text import render_concise, render_text

        if output_format == "concise":
            return render_concise(findings)
        return render_text(findings, use_colours=has_colours(sys.stdout)) + "\n"
    from fictdsl.diagnostics import tool_formats

    if output_format == "junit":
        return tool_formats.render_junit(findings, files, strict=strict)
    render: Callable[[Sequence[Diagnostic]], str] = getattr(tool_formats, f"render_{output_format}")
    return render(findings)


def _summary(file_count: int, severity_counts: Counter[str], fix_count: int, fixable_count: int) -> str:
    counts = [f"{fix_count} fixed"] if fix_count else []
    counts += [counted(severity_counts[name], name) for name in ("error", "warning", "hint") if severity_counts[name]]
    hint = f" ({fixable_count} can be fixed with --fix)" if fixable_count else ""
    return f"{counted(file_count, 'file')}: {', '.join(counts) or 'nothing to report'}{hint}"
