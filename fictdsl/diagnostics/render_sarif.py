"""Render diagnostics as SARIF 2.1.0, for code scanning services and editors."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from urllib.parse import quote

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.diagnostics.display import printable_message
from fictdsl.diagnostics.dumps import dumps
from fictdsl.source import Source, Span

MAX_RESULTS = 25_000  # per run; GitHub rejects files with more
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
_SEVERITIES = tuple(_LEVELS)

Json = dict[str, object]


def render(diagnostics: Sequence[Diagnostic], help_texts: Mapping[str, str] | None = None) -> str:
    """Return a SARIF log with one run. Beyond `MAX_RESULTS`, hints are dropped first, then warnings.

    `help_texts` maps codes to Markdown. The default for a code is its explanation in the catalogue.
    """
    by_severity = sorted(range(len(diagnostics)), key=lambda index: _SEVERITIES.index(diagnostics[index].severity))
    included = [diagnostics[index] for index in sorted(by_severity[:MAX_RESULTS])]
    return dumps(_log(included, len(diagnostics) - len(included), help_texts or {}))


def _log(diagnostics: Sequence[Diagnostic], omitted: int, help_texts: Mapping[str, str]) -> Json:
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    fingerprints = _Fingerprints()
    run: Json = {
        "tool": {"driver": {"name": "fictc", "rules": [_rule(code, help_texts) for code in codes]}},
        "columnKind": "utf16CodeUnits",
        "invocations": [{"executionSuccessful": True} | _notice(omitted)],
        "results": [_result(diagnostic, codes.index(diagnostic.code), fingerprints) for diagnostic in diagnostics],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _notice(omitted: int) -> Json:
    if not omitted:
        return {}
    text = f"{omitted} more result{'s were' if omitted > 1 else ' was'} omitted; a run has at most {MAX_RESULTS}"
    return {"toolExecutionNotifications": [{"level": "warning", "message": {"text": text}}]}


def _rule(code: str, help_texts: Mapping[str, str]) -> Json:
    entry = CATALOGUE[code]
    help_text = help_texts.get(code, entry.explanation)
    return {
        "id": code,
        "name": entry.name,
        "shortDescription": {"text": entry.name.replace("-", " ")},
        "fullDescription": {"text": entry.explanation},
        "help": {"text": help_text, "markdown": help_text},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
    }


def _result(diagnostic: Diagnostic, rule_index: int, fingerprints: _Fingerprints) -> Json:
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    result: Json = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[diagnostic.severity],
        "message": _message(diagnostic.message + hint),
        "partialFingerprints": {"primaryLocationLineHash": fingerprints.next_for(diagnostic)},
    }
    source = diagnostic.source
    if source is not None:
        result["locations"] = [_location(source, diagnostic.span)]
    related = [
        {"id": index, "message": _message(label.text)} | _location(label_source, label.span)
        for index, label in enumerate(diagnostic.labels)
        if (label_source := label.source or source) is not None
    ]
    if related:
        result["relatedLocations"] = related
    if source is not None and diagnostic.fix is not None and diagnostic.fix.safe:
        result["fixes"] = [_fix(source, diagnostic.fix)]
    return result


def _message(text: str) -> Json:
    # `[text](target)` is a link in a SARIF message. Text from a file must not create one.
    return {"text": printable_message(text).replace("](", "] (")}


def _location(source: Source, span: Span | None) -> Json:
    location: Json = {"artifactLocation": _artifact(source)}
    if span is not None:
        location["region"] = _region(source, span)
    return {"physicalLocation": location}


def _artifact(source: Source) -> Json:
    path = PurePath(source.name)
    uri = quote(_path_bytes(path.as_posix()))
    return {"uri": f"file://{uri}"} if path.is_absolute() else {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _path_bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")  # restores the bytes of a name that is not UTF-8
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def _region(source: Source, span: Span) -> Json:
    (line, column), (end_line, end_column) = source.position_utf16(span.start), source.position_utf16(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(source: Source, fix: Fix) -> Json:
    replacement = {"deletedRegion": _region(source, fix.span), "insertedContent": {"text": fix.replacement}}
    return {"artifactChanges": [{"artifactLocation": _artifact(source), "replacements": [replacement]}]}


class _Fingerprints:
    """Fingerprints of code, line text and occurrence number. Edits to other lines do not change them."""

    def __init__(self) -> None:
        self._occurrences: Counter[tuple[str, str]] = Counter()
        self._digests: dict[tuple[str, Source, Span], str] = {}

    def next_for(self, diagnostic: Diagnostic) -> str:
        """Return the fingerprint of the next diagnostic."""
        name = diagnostic.source.name if diagnostic.source is not None else ""
        digest = self._digest(diagnostic)
        self._occurrences[name, digest] += 1
        return f"{digest[:16]}:{self._occurrences[name, digest]}"

    def _digest(self, diagnostic: Diagnostic) -> str:
        source, span = diagnostic.source, diagnostic.span
        if source is None or span is None:
            return _sha256(diagnostic.code, diagnostic.message)
        # Digests are cached, since a file may have thousands of diagnostics on one long line.
        line = source.line_span(source.position(span.start)[0])
        key = (diagnostic.code, source, line)
        if key not in self._digests:
            self._digests[key] = _sha256(diagnostic.code, source.text[line.start : line.end].strip())
        return self._digests[key]


def _sha256(code: str, text: str) -> str:
    return hashlib.sha256(json.dumps([code, text]).encode()).hexdigest()
