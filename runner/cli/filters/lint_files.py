"""Lint and fix files, standard input, and unsaved texts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.engine import RULES, Selection, has_errors, lint_context, lint_file
from fictdsl.lint.fix import FixResult, fix
from fictdsl.lint.rule_context import CorpusFacts, words_by_column
from fictdsl.syntax.files import FileCache, decode
from fictdsl.syntax.load import Module, load_file
from fictdsl.syntax.word_lists import ListOverrides
from runner.readers import real_path


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
        """Return the selected findings in a file."""
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
