"""What is to be linted: the files that paths name, the standard input, and the texts that fixes make of them."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

import click

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.asked import asked
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.lint.engine import has_errors, lint_file, subject_of
from fictdsl.lint.fix import Fixed, fix
from fictdsl.lint.selection import Selection
from fictdsl.source import Source
from fictdsl.syntax.load import load_file
from fictdsl.syntax.shelf import Shelf
from runner.workspace import atomic_write

STDIN, STDIN_NAME = "-", "<stdin>"


@dataclass(slots=True)
class Linter:
    """Lints files, and makes their fixes. What comes from the standard input is a file that was not saved."""

    selection: Selection
    facts: CorpusFacts | None = None
    texts: dict[Path, str] = field(default_factory=dict)  # in the place of what is on disk
    unreadable: dict[Path, Diagnostic] = field(default_factory=dict)
    shelf: Shelf = field(init=False)

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.texts)

    def read_stdin(self, file: Path) -> None:
        """Take the standard input for what `file` holds."""
        try:
            self.texts[_real(file)] = sys.stdin.buffer.read().decode("utf-8")
        except UnicodeDecodeError as error:
            source = Source(str(file), "")
            problem = diagnostic("FICT104", source, file="the standard input", reason=error.reason)
            self.unreadable[_real(file)] = problem

    def lint(self, file: Path) -> list[Diagnostic]:
        """What is reported of a file."""
        if self.unreadable and _real(file) in self.unreadable:
            return [self.unreadable[_real(file)]]
        return [finding for finding in lint_file(file, self.shelf, self.facts) if self.selection.takes(finding)]

    def text(self, file: Path) -> str | None:
        """What a file holds; None if it cannot be read or is no text."""
        if _real(file) in self.texts:
            return self.texts[_real(file)]
        try:
            return _real(file).read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None

    def saw(self, file: Path, text: str) -> None:
        """Take another text for what an unsaved file holds."""
        self.texts[_real(file)] = text

    def questions(self, files: Sequence[Path]) -> tuple[dict[str, frozenset[str]], list[CompiledFilter]]:
        """What the files ask of a corpus: words by column, and filters. Files with errors ask nothing."""
        words: dict[str, frozenset[str]] = {}
        filters: list[CompiledFilter] = []
        for file in files:
            module, problems = load_file(file, self.shelf)
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
            self.texts[_real(file)] = text
            return self.lint(file)

        saved = _real(file) not in self.texts
        try:
            return fix(before, lint)
        finally:
            self.texts[_real(file)] = before
            if saved:
                del self.texts[_real(file)]


def write(file: Path, text: str) -> None:
    """Put a text into a file that is there, at once; a link stays one, and the file's mode stays."""
    real = _real(file)
    with atomic_write(real) as temp:
        temp.write_bytes(text.encode())
        shutil.copymode(real, temp)


def difference(file: Path, before: str, after: str) -> str:
    """What `patch -p0` makes the one of the other with; empty if they are equal."""
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    lines = difflib.unified_diff(old, new, str(file), str(file))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def files_of(paths: Sequence[str], stdin: Path, exclude: Sequence[str], root: Path) -> list[Path]:
    """The files named and those in the folders named, each once; `-` is the file `stdin`.

    Of folders, what one of the patterns `exclude` (relative to `root`) means is left out. Raises UsageError for a
    folder that has no other.
    """
    files: list[Path] = []
    for written in paths:
        path = stdin if written == STDIN else Path(written)
        if written == STDIN or not path.is_dir():
            files.append(path)
            continue
        inside = sorted(file for file in _walk(path) if not _excluded(file, exclude, root))
        files += inside
        if not inside:
            raise click.UsageError(f"There is no .fict file in {written}.")
    return list(dict.fromkeys(files))


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place) / name for name in names if name.endswith(".fict"))


def _excluded(file: Path, patterns: Sequence[str], root: Path) -> bool:
    if not patterns:
        return False
    relative = Path(os.path.relpath(_real(file), _real(root)))
    names = [part.as_posix() for part in (relative, *relative.parents)]
    return any(fnmatch(name, pattern.rstrip("/")) for name in names for pattern in patterns)


def _real(file: Path) -> Path:
    return Path(os.path.realpath(file))
