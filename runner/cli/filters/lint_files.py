"""What is to be linted: files, the standard input, and the texts that fixes make of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.asked import asked
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.lint.engine import has_errors, lint_file, subject_of
from fictdsl.lint.fix import Fixed, fix
from fictdsl.lint.selection import Selection
from fictdsl.source import Source
from fictdsl.syntax.parsing.load import load_file
from fictdsl.syntax.parsing.word_lists import ListOverrides
from fictdsl.syntax.text.file_cache import FileCache
from runner.cli.shared.fict_files import real


@dataclass(slots=True)
class Linter:
    """Lints files, and makes their fixes. What comes from the standard input is a file that was not saved."""

    selection: Selection
    facts: CorpusFacts | None = None
    lists: ListOverrides = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)  # in the place of what is on disk
    unreadable: dict[Path, Diagnostic] = field(default_factory=dict)
    shelf: FileCache = field(init=False)

    def __post_init__(self) -> None:
        self.shelf = FileCache(self.texts)

    def read_stdin(self, file: Path) -> None:
        """Take the standard input for what `file` holds."""
        try:
            self.texts[real(file)] = sys.stdin.buffer.read().decode("utf-8")
        except UnicodeDecodeError as error:
            source = Source(str(file), "")
            problem = diagnostic("FICT104", source, file="the standard input", reason=error.reason)
            self.unreadable[real(file)] = problem

    def lint(self, file: Path) -> list[Diagnostic]:
        """What is reported of a file."""
        if self.unreadable and real(file) in self.unreadable:
            return [self.unreadable[real(file)]]
        return [
            finding for finding in lint_file(file, self.shelf, self.facts, self.lists) if self.selection.takes(finding)
        ]

    def unknown_lists(self, files: Sequence[Path]) -> list[Diagnostic]:
        """The lists that none of the files declares; none where a file cannot be read."""
        modules = [load_file(file, self.shelf, self.lists)[0] for file in files] if self.lists else []
        read = [module for module in modules if module is not None]
        return list(unknown_lists(read, self.lists).values()) if len(read) == len(files) else []

    def text(self, file: Path) -> str | None:
        """What a file holds; None if it cannot be read or is no text."""
        if real(file) in self.texts:
            return self.texts[real(file)]
        try:
            return real(file).read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None

    def saw(self, file: Path, text: str) -> None:
        """Take another text for what an unsaved file holds."""
        self.texts[real(file)] = text

    def questions(self, files: Sequence[Path]) -> tuple[dict[str, frozenset[str]], list[CompiledFilter]]:
        """What the files ask of a corpus: words by column, and filters. Files with errors ask nothing."""
        words: dict[str, frozenset[str]] = {}
        filters: list[CompiledFilter] = []
        for file in files:
            module, problems = load_file(file, self.shelf, self.lists)
            subject = None if module is None or has_errors(problems) else subject_of(module)[0]
            if subject is not None:
                filters += subject.filters
                for column, found in asked(subject).items():
                    words[column] = words.get(column, frozenset()) | found
        return words, filters

    def fixed(self, file: Path) -> Fixed:
        """A file after all its safe fixes; nothing is written. Where there are none, its text is not read."""
        found = self.lint(file)
        fixable = any(finding.fix is not None and finding.fix.safe for finding in found)
        before = self.text(file) if fixable else None
        if before is None:
            return Fixed("", 0, tuple(found))

        def lint(text: str) -> list[Diagnostic]:
            self.texts[real(file)] = text
            return self.lint(file)

        saved = real(file) not in self.texts
        try:
            return fix(before, lint)
        finally:
            self.texts[real(file)] = before
            if saved:
                del self.texts[real(file)]
