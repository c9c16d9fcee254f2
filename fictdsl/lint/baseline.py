"""Baselines: files of accepted findings, so that `fictc lint` reports only new ones.

A finding is identified by its file, its code and the text of its line, so edits to other lines do not affect it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span, unique_keys

_VERSION = 1


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """The identity of a finding: its `path` relative to the baseline's folder, its `code`, and a hash of its `line`."""

    path: str
    code: str
    line: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The number of accepted occurrences of each finding. `folder` is the folder of the baseline file."""

    folder: Path
    entries: Counter[Entry]

    def compare(self, findings: Iterable[Diagnostic]) -> tuple[list[Diagnostic], Counter[Entry]]:
        unmatched = Counter(self.entries)
        new_findings = []
        entries = _Entries(self.folder)
        for finding in findings:
            entry = entries.entry_for(finding)
            if entry is not None and unmatched[entry] > 0:
                unmatched[entry] -= 1
            else:
                new_findings.append(finding)
        return new_findings, +unmatched


def baseline_of(findings: Iterable[Diagnostic], folder: Path) -> Baseline:
    """Return a baseline of all findings that have a position, except errors that no lint rule reports."""
    entries = _Entries(folder)
    accepted = (entries.entry_for(finding) for finding in findings)
    return Baseline(folder, Counter(entry for entry in accepted if entry is not None))


def to_json(baseline: Baseline) -> str:
    """Return the baseline as JSON, with one entry per line in a fixed order, for readable diffs."""
    rows = [
        json.dumps({"path": entry.path, "code": entry.code, "line": entry.line, "count": count}, ensure_ascii=False)
        for entry, count in sorted(baseline.entries.items())
    ]
    findings = ",".join(f"\n    {row}" for row in rows)
    end = "\n  " if rows else ""
    return f'{{\n  "version": {_VERSION},\n  "findings": [{findings}{end}]\n}}\n'


def from_json(text: str, folder: Path) -> Baseline:
    """Parse a baseline from JSON. Raises ValueError with the reason if `text` is not a baseline."""
    try:
        content = json.loads(text, object_pairs_hook=unique_keys)
    except RecursionError:
        raise ValueError("it is not a baseline: it is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error})") from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise ValueError(f"it is not a baseline of version {_VERSION}")
    entries = Counter[Entry]()  # a merge of two baselines may repeat an entry
    for entry, count in _parse_rows(content.get("findings")):
        entries[entry] += count
    return Baseline(folder, entries)


def _parse_rows(rows: object) -> Iterator[tuple[Entry, int]]:
    for number, row in enumerate(rows if isinstance(rows, list) else [None], 1):
        match row:
            case {"path": str(path), "code": str(code), "line": str(line), "count": int(count)}:
                yield Entry(path, code, line), count
            case _:
                raise ValueError(f"entry {number} lacks one of path, code, line and count")


class _Entries:
    """Entries of findings. Caches resolved paths and hashes of lines, since many findings may share a long line."""

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._paths: dict[str, str] = {}
        self._lines: dict[tuple[Source, Span], str] = {}

    def entry_for(self, finding: Diagnostic) -> Entry | None:
        """Return the entry of a finding; None if it has no position in a file, or if it prevents compilation."""
        source, span = finding.source, finding.span
        if finding.prevents_compilation or source is None or span is None:
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
