"""Lint and fix files, standard input and unsaved texts, and compare findings with a baseline."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint import baseline
from fictdsl.lint.engine import RULES, Selection, has_errors, lint_context, lint_file
from fictdsl.lint.fix import FixResult, fix
from fictdsl.lint.rule_context import CorpusFacts, words_by_column
from fictdsl.syntax.files import FileCache, decode
from fictdsl.syntax.load import Module, load_file
from fictdsl.syntax.word_lists import ListOverrides
from runner.errors import InputError
from runner.readers import read_document, real_path
from runner.workspace import write_text


def write(path: Path, findings: Sequence[Diagnostic]) -> int:
    """Write a baseline of all findings that have a position, except compilation errors. Return their number."""
    content = baseline.baseline_of(findings, path.parent)
    write_text(path, baseline.to_json(content))
    return content.entries.total()


def new_findings(
    findings: Sequence[Diagnostic], files: Sequence[Path], path: Path, is_checked: Callable[[str], bool]
) -> tuple[list[Diagnostic], int]:
    """Return the findings that are not in a baseline, and the number of its findings that no longer occur.

    Findings whose code is not checked are not counted, and those in files that were not checked, or not completely
    because of errors, only if the files are gone. Raises InputError (FICT625) if `path` cannot be read or is not a
    baseline.
    """
    try:
        recorded = baseline.from_json(read_document(path).decode("utf-8"), path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT625", path=path, reason=reason)) from None
    except ValueError as error:
        raise InputError(diagnostic("FICT625", path=path, reason=str(error))) from None
    new, resolved = recorded.compare(findings)
    with_errors = {
        finding.source.name for finding in findings if finding.source is not None and finding.prevents_compilation
    }
    checked = {os.path.realpath(file) for file in files if str(file) not in with_errors}
    resolved_count = 0
    for entry, entry_count in resolved.items():
        real_path = os.path.realpath(path.parent / entry.path)
        if not Path(real_path).exists() or (real_path in checked and is_checked(entry.code)):
            resolved_count += entry_count
    return new, resolved_count


@dataclass(slots=True)
class Linter:
    """Lints and fixes files. Standard input is treated as an unsaved file.

    With `trees_on_disk`, syntax trees are read from the user's cache, which avoids the import of Lark if all files are
    in the cache. A run over many files usually has to import Lark for some of them, and gains nothing.
    """

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
        """Use standard input as the text of `file`."""
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
        """Return whether findings with a code are looked for: some rules need a corpus, others are not selected."""
        needs_corpus = any(rule.needs_corpus for rule in RULES if rule.code == code)
        return self.selection.includes_code(code) and (self.facts is not None or not needs_corpus)

    def unknown_lists(self, files: Sequence[Path]) -> list[Diagnostic]:
        """Return a diagnostic for each list in `lists` that none of the files declares; [] if one cannot be read."""
        modules = [self._load(file)[0] for file in files] if self.lists else []
        readable = [module for module in modules if module is not None]
        return list(unknown_lists(readable, self.lists).values()) if len(readable) == len(files) else []

    def text(self, file: Path) -> str | None:
        """Return the text of a file, or None if it cannot be read or is not UTF-8."""
        if real_path(file) in self.unreadable:
            return None
        if real_path(file) in self.texts:
            return self.texts[real_path(file)]
        try:
            return real_path(file).read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None

    def set_text(self, file: Path, text: str) -> None:
        """Lint `text` in place of the text of a file, without writing it."""
        self.texts[real_path(file)] = text

    def corpus_queries(self, files: Sequence[Path]) -> tuple[dict[str, frozenset[str]], list[CompiledFilter]]:
        """Return the words, by column, and the filters to look up in a corpus. Files with errors are skipped."""
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
        """Return the safely fixed text of a file, without writing it. The text is valid only if `count` is not 0."""
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
        """Return the module of a file, or None if it cannot be read or parsed, and the diagnostics."""
        if real_path(file) in self.unreadable:
            return None, [self.unreadable[real_path(file)]]
        return load_file(file, self.file_cache, self.lists)
