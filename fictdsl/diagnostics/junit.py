"""Render results of checks and tests as JUnit XML, for Jenkins and other build servers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from fictdsl.diagnostics.display import printable, truncate


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
