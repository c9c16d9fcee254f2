"""Findings into a baseline, the ones a project lives with for now; and findings less a baseline into what is new.

A finding is known by its file, its code and the text of its line, so that edits elsewhere do not disturb it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source, Span

_VERSION = 1


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What a finding is known by: `path` relative to the baseline's folder, a hash of the line it stands on."""

    path: str
    code: str
    line: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """How often each finding is known to occur; `folder` is where the baseline lies."""

    folder: Path
    entries: Counter[Entry]

    def new(self, found: Iterable[Diagnostic]) -> tuple[list[Diagnostic], Counter[Entry]]:
        """The findings that are not in the baseline, and what is in it and no longer occurs."""
        left = Counter(self.entries)
        kept = []
        entries = _Entries(self.folder)
        for finding in found:
            entry = entries.of(finding)
            if entry is not None and left[entry] > 0:
                left[entry] -= 1
            else:
                kept.append(finding)
        return kept, +left


def baseline_of(found: Iterable[Diagnostic], folder: Path) -> Baseline:
    """A baseline that holds all findings but the errors, which no baseline hides."""
    entries = _Entries(folder)
    known = (entries.of(finding) for finding in found)
    return Baseline(folder, Counter(entry for entry in known if entry is not None))


def write(baseline: Baseline) -> str:
    """The baseline as JSON: an entry a line, in order, so that version control shows what has changed."""
    rows = [
        json.dumps({"path": e.path, "code": e.code, "line": e.line, "count": count}, ensure_ascii=False)
        for e, count in sorted(baseline.entries.items())
    ]
    inner = ",".join(f"\n    {row}" for row in rows)
    end = "\n  " if rows else ""
    return f'{{\n  "version": {_VERSION},\n  "findings": [{inner}{end}]\n}}\n'


def read(text: str, folder: Path) -> Baseline:
    """A baseline from its JSON. Raises ValueError with the reason if it is none."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError("it is no baseline: it nests too deep") from None
    except ValueError as error:
        raise ValueError(f"it is no JSON ({error})") from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise ValueError(f"it is no baseline of version {_VERSION}")
    return Baseline(folder, Counter(dict(_rows(content.get("findings")))))


def _rows(rows: object) -> Iterator[tuple[Entry, int]]:
    for number, row in enumerate(rows if isinstance(rows, list) else [None], 1):
        match row:
            case {"path": str(path), "code": str(code), "line": str(line), "count": int(count)}:
                yield Entry(path, code, line), count
            case _:
                raise ValueError(f"entry {number} lacks one of path, code, line and count")


class _Entries:
    """Entries of findings. A path is resolved, and a line hashed, once: many findings may share a long line."""

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._paths: dict[str, str] = {}
        self._lines: dict[tuple[Source, Span], str] = {}

    def of(self, finding: Diagnostic) -> Entry | None:
        """Return what a finding is known by; None for an error, or where there is no place in a file."""
        source, span = finding.source, finding.span
        if finding.severity is Severity.ERROR or source is None or span is None:
            return None
        return Entry(self._path(source.name), finding.code, self._line(source, span))

    def _path(self, name: str) -> str:
        if name not in self._paths:
            path = os.path.relpath(os.path.realpath(name), self._folder)
            self._paths[name] = PurePath(path).as_posix()
        return self._paths[name]

    def _line(self, source: Source, span: Span) -> str:
        line = source.line_span(source.position(span.start)[0])
        if (source, line) not in self._lines:
            text = source.text[line.start : line.end].strip()
            self._lines[source, line] = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        return self._lines[source, line]
