"""Results of checks and tests into the JUnit XML that Jenkins and other build servers read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from fictdsl.diagnostics.display import cut, shown


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a case failed: its kind in one word, a message of one line, and the whole story."""

    kind: str
    message: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One check and its failures; `output` is what else there is to say of it, `seconds` how long it took."""

    name: str
    failures: tuple[Failure, ...] = ()
    output: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases that belong together, such as those of one file."""

    name: str
    cases: tuple[Case, ...]


def render_suites(suites: Sequence[Suite]) -> str:
    """An XML document as `junit-10.xsd` describes it. It is ASCII: all else is written as character references."""
    root = Xml.Element("testsuites", _counts([case for suite in suites for case in suite.cases]))
    for suite in suites:
        element = Xml.SubElement(root, "testsuite", {"name": _line(suite.name)} | _counts(suite.cases))
        for case in suite.cases:
            _add(element, suite, case)
    Xml.indent(root)
    document: bytes = Xml.tostring(root, encoding="us-ascii", xml_declaration=True)
    return document.decode("ascii")


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    failed = sum(bool(case.failures) for case in cases)
    return {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}


def _add(element: Xml.Element, suite: Suite, case: Case) -> None:
    attributes = {"classname": _line(suite.name), "name": _line(case.name)}
    if case.seconds is not None:
        attributes["time"] = f"{case.seconds:.3f}"
    added = Xml.SubElement(element, "testcase", attributes)
    for failure in case.failures:
        told = {"type": _line(failure.kind), "message": _line(failure.message)}
        Xml.SubElement(added, "failure", told).text = _lines(failure.text)
    if case.output:
        Xml.SubElement(added, "system-out").text = _lines(case.output)


def _line(text: str) -> str:
    return shown(cut(text))


def _lines(text: str) -> str:
    """The text with its line breaks, and nothing that XML forbids or that acts on a terminal."""
    return "\n".join(shown(line) for line in text.split("\n"))
