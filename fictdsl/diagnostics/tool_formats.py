"""Render diagnostics for tools: JSON, workflow commands of GitHub Actions, SARIF 2.1.0 and JUnit XML."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.diagnostics.text import render_text
from fictdsl.source import Source, Span
from fictdsl.terminal_text import printable, printable_message, truncate
from fictdsl.words import inflected

MAX_RESULTS = 25_000  # per run; GitHub rejects files with more
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}
_SEVERITIES = tuple(_LEVELS)

# An escaped backslash, a surrogate pair, or a lone surrogate.
_ESCAPES = re.compile(r"(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\ud[89a-f]..")

Json = dict[str, object]


def dumps(value: object) -> str:
    """Return indented JSON. Lone surrogates, which many readers reject, become U+FFFD."""
    return _ESCAPES.sub(lambda match: match[1] or "\\ufffd", json.dumps(value, indent=2))


# --- JSON


def render_json(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a JSON array with one object for each diagnostic.

    Lines and columns count from 1, offsets from 0, in code points of the NFC text. `file` and `range` may be null.
    """
    return dumps([as_object(diagnostic) for diagnostic in diagnostics])


def as_object(diagnostic: Diagnostic) -> dict[str, object]:
    """Return a diagnostic as plain data: code, name, severity, message, file, range, labels, hint, fix."""
    source = diagnostic.source
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "name": CATALOGUE[diagnostic.code].name,
        "severity": diagnostic.severity.value,
        "message": truncate(diagnostic.message),
        "file": source.name if source else None,
        "range": _offsets(source, diagnostic.span),
        "labels": [
            {
                "message": truncate(label.text),
                "file": label_source.name if label_source else None,
                "range": _offsets(label_source, label.span),
            }
            for label in diagnostic.labels
            for label_source in [label.source or source]
        ],
        "hint": None if diagnostic.hint is None else truncate(diagnostic.hint),
        "fix": {"range": _offsets(source, fix.span), "replacement": fix.replacement, "safe": fix.safe} if fix else None,
    }


def _offsets(source: Source | None, span: Span | None) -> dict[str, object] | None:
    if source is None or span is None:
        return None
    return {"start": _point(source, span.start), "end": _point(source, span.end)}


def _point(source: Source, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"line": line, "column": column, "offset": offset}


# --- GitHub Actions


def render_github(diagnostics: Sequence[Diagnostic]) -> str:
    """Return lines `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`, without a final newline."""
    return "\n".join(_command(diagnostic) for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    title = f"{diagnostic.code} {CATALOGUE[diagnostic.code].name}"
    properties = ",".join(
        f"{name}={_property(value)}" for name, value in (_github_position(diagnostic) | {"title": title}).items()
    )
    message = printable_message(diagnostic.message)
    if diagnostic.hint is not None:
        message += f"\nhint: {printable_message(diagnostic.hint)}"
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_escaped(message)}"


def _github_position(diagnostic: Diagnostic) -> dict[str, str]:
    source, span = diagnostic.source, diagnostic.span
    if source is None:
        return {}
    if span is None:
        return {"file": printable(source.name)}
    (line, column), (end_line, end_column) = source.position(span.start), source.position(span.end)
    numbers = {"line": line, "col": column, "endLine": end_line, "endColumn": end_column}
    return {"file": printable(source.name)} | {name: str(number) for name, number in numbers.items()}


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


# --- SARIF


def render_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a SARIF log with one run. Beyond `MAX_RESULTS`, hints are dropped first, then warnings."""
    by_severity = sorted(range(len(diagnostics)), key=lambda index: _SEVERITIES.index(diagnostics[index].severity))
    included = [diagnostics[index] for index in sorted(by_severity[:MAX_RESULTS])]
    return dumps(_log(included, len(diagnostics) - len(included)))


def _log(diagnostics: Sequence[Diagnostic], omitted: int) -> Json:
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    fingerprints = _Fingerprints()
    run: Json = {
        "tool": {"driver": {"name": "fictc", "rules": [_rule(code) for code in codes]}},
        "columnKind": "utf16CodeUnits",
        "invocations": [{"executionSuccessful": True} | _notice(omitted)],
        "results": [_result(diagnostic, codes.index(diagnostic.code), fingerprints) for diagnostic in diagnostics],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _notice(omitted: int) -> Json:
    if not omitted:
        return {}
    results = inflected(omitted, "result was", "results were")
    text = f"{omitted} more {results} omitted; a run has at most {MAX_RESULTS}"
    return {"toolExecutionNotifications": [{"level": "warning", "message": {"text": text}}]}


def _rule(code: str) -> Json:
    entry = CATALOGUE[code]
    return {
        "id": code,
        "name": entry.name,
        "shortDescription": {"text": entry.name.replace("-", " ")},
        "fullDescription": {"text": entry.explanation},
        "help": {"text": entry.page, "markdown": entry.page},
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


# --- JUnit XML, for Jenkins and other build servers; also of results of checks and tests


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure of a case: its kind in one word, a one-line message, and `text` with details."""

    kind: str
    message: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A check and its failures. `output` is additional text, `seconds` the run time."""

    name: str
    failures: tuple[Failure, ...] = ()
    output: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases that belong together, such as the cases of one file."""

    name: str
    cases: tuple[Case, ...]


def render_junit(diagnostics: Sequence[Diagnostic], file_names: Iterable[str] = (), *, strict: bool = False) -> str:
    """Return an XML document. Errors are failures, and so are warnings if `strict`.

    Other diagnostics are the output of a case that passes. `file_names` are the names of all checked files. A file
    without diagnostics becomes a case that passes.
    """
    by_file: dict[str, list[Case]] = {name: [] for name in file_names}
    for diagnostic in diagnostics:
        name = diagnostic.source.name if diagnostic.source else "fictc"
        by_file.setdefault(name, []).append(_diagnostic_case(diagnostic, strict))
    return render_suites([Suite(name, tuple(cases) or (Case("lint"),)) for name, cases in by_file.items()])


def _diagnostic_case(diagnostic: Diagnostic, strict: bool) -> Case:
    name = f"{diagnostic.code} {CATALOGUE[diagnostic.code].name}"
    if diagnostic.source is not None and diagnostic.span is not None:
        line, column = diagnostic.source.position(diagnostic.span.start)
        name += f" at {line}:{column}"
    text = render_text([diagnostic], use_colours=False)
    if diagnostic.severity is Severity.ERROR or (strict and diagnostic.severity is Severity.WARNING):
        return Case(name, (Failure(diagnostic.severity.value, diagnostic.message, text),))
    return Case(name, output=text)


def render_suites(suites: Sequence[Suite]) -> str:
    """Return an XML document that follows `junit-10.xsd`, in ASCII with character references."""
    root = Xml.Element("testsuites", _counts([case for suite in suites for case in suite.cases]))
    for suite in suites:
        element = Xml.SubElement(root, "testsuite", {"name": _one_line(suite.name)} | _counts(suite.cases))
        for case in suite.cases:
            _add_case(element, suite, case)
    Xml.indent(root)
    document: bytes = Xml.tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    failed = sum(bool(case.failures) for case in cases)
    return {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}


def _add_case(element: Xml.Element, suite: Suite, case: Case) -> None:
    attributes = {"classname": _one_line(suite.name), "name": _one_line(case.name)}
    if case.seconds is not None:
        attributes["time"] = f"{case.seconds:.3f}"
    test_case = Xml.SubElement(element, "testcase", attributes)
    for failure in case.failures:
        failure_attributes = {"type": _one_line(failure.kind), "message": _one_line(failure.message)}
        Xml.SubElement(test_case, "failure", failure_attributes).text = _escaped_lines(failure.text)
    if case.output:
        Xml.SubElement(test_case, "system-out").text = _escaped_lines(case.output)


def _one_line(text: str) -> str:
    return printable(truncate(text))


def _escaped_lines(text: str) -> str:
    """Return the text with its line breaks, and with all other control characters escaped."""
    return "\n".join(printable(line) for line in text.split("\n"))
