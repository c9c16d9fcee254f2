"""Render diagnostics, and results of checks and tests, as JUnit XML, for Jenkins and other build servers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.text import render_text
from fictdsl.terminal_text import printable, truncate


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
