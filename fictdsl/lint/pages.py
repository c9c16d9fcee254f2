"""Build the documentation page of a diagnostic code: message, explanation, a bad and a good example."""

from __future__ import annotations

import re
from dataclasses import dataclass

import fictdsl.lint.rules  # noqa: F401 - adds the codes of lint rules to the catalogue
from fictdsl.diagnostics.codes import CATALOGUE, FAMILIES

_EXAMPLE = re.compile(r"^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x(..)|u(....))")


@dataclass(frozen=True, slots=True)
class Page:
    """The documentation of a code. `text` is the body in Markdown, with the examples but without a title."""

    code: str
    name: str
    family: str
    severity: str
    message: str
    explanation: str
    bad: str
    good: str
    text: str

    @property
    def markdown(self) -> str:
        return f"# {self.code}: {self.name}\n\n**{self.severity}:** {self.message}\n\n{self.text}\n"


def page(code: str) -> Page:
    """Return the page of a code, with an ellipsis for each placeholder in the message. Raises KeyError."""
    entry = CATALOGUE[code]
    bad, good = (_ESCAPE.sub(_character, match[1].rstrip("\n")) for match in _EXAMPLE.finditer(entry.page))
    message = re.sub(r"\{\w+\}", "…", entry.message).replace("{{", "{").replace("}}", "}")
    family, severity = FAMILIES[code[4]], entry.severity.value
    return Page(code, entry.name, family, severity, message, entry.explanation, bad, good, entry.page)


def pages() -> list[Page]:
    return [page(code) for code in CATALOGUE]


def _character(escape: re.Match[str]) -> str:
    return chr(int(escape[1] or escape[2], 16))
