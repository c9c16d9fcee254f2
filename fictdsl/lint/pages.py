"""Build the documentation page of a diagnostic code: message, explanation, a bad and a good example."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.display import printable_char
from fictdsl.lint.discover import RULES

FAMILIES = {  # by the first digit of the code
    "1": "Syntax",
    "2": "Names",
    "3": "Types and values",
    "4": "Limits",
    "5": "Lint",
    "6": "Manifests",
    "7": "Corpora",
    "8": "Runs",
}
_EXAMPLE = re.compile(r"^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PAGES = {rule.code: rule.page for rule in RULES}


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
        """The page in Markdown: title, message and body."""
        return f"# {self.code}: {self.name}\n\n**{self.severity}:** {self.message}\n\n{self.text}\n"


def page(code: str) -> Page:
    """Return the page of a code. Its message has an ellipsis for each placeholder.

    Raises KeyError for an unknown code.
    """
    entry = CATALOGUE[code]
    if code in _PAGES:
        text = _PAGES[code]
        bad, good = (match[1].rstrip("\n") for match in _EXAMPLE.finditer(text))
    else:
        bad, good = entry.bad, entry.good
        text = f"{entry.explanation}\n\n## Example\n\n{_block(code, bad)}\n\n## Use instead\n\n{_block(code, good)}"
    message = re.sub(r"\{\w+\}", "…", entry.message).replace("{{", "{").replace("}}", "}")
    family, severity = FAMILIES[code[4]], entry.severity.value
    return Page(code, entry.name, family, severity, message, entry.explanation, bad, good, text)


def pages() -> list[Page]:
    """Return the pages of all codes, in order of the codes."""
    return [page(code) for code in CATALOGUE]


def _block(code: str, example: str) -> str:
    escaped = "".join(char if char in "\n\t" else printable_char(char) for char in example)
    return f"```{language(code, example)}\n{escaped}\n```"


def language(code: str, example: str) -> str:
    """Return the language of an example as an info string of a Markdown code block."""
    if example.startswith("$ "):
        return "console"
    if example.startswith(">>> "):
        return "python"
    if re.match(r"\[+\w+\]|\w[\w-]* = ", example):
        return "toml"
    if code[4] in "12345":
        return "fict"
    return "json" if example.startswith("{") else "conllu" if "\t" in example else "text"
