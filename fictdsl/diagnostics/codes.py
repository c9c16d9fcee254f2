"""The catalogue of diagnostic codes: `messages/FICT6.md` has the pages of FICT6xx, and each lint rule has its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from fictdsl.installation import shipped
from fictdsl.source import Source, Span
from fictdsl.terminal_text import quotation

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
_RULES = "5"  # the family without a file
_HEAD = r"^# (FICT\d{3}): (\S+)\n\n\*\*(\w+):\*\* (.+)\n\n"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem: its code, its name, the template of its message and an explanation."""

    code: str
    name: str
    message: str  # a template for str.format
    explanation: str
    severity: Severity = Severity.ERROR
    page: str = ""  # Markdown: the explanation, an example and its correction


class _Catalogue(Mapping[str, Code]):
    """Entries by code, in the order of the codes. The file of a family is read when one of its codes is looked up."""

    def __init__(self) -> None:
        self._entries: dict[str, Code] = {}
        self._unread = FAMILIES.keys() - {_RULES}

    def add(self, codes: Iterable[Code]) -> None:
        """Add entries. Raises KeyError if another entry has the same code."""
        for entry in codes:
            if self._entries.setdefault(entry.code, entry) != entry:
                raise KeyError(f"{entry.code} is {self._entries[entry.code].name}, not {entry.name}")

    def __getitem__(self, code: str) -> Code:
        if code not in self._entries:
            self._read(code[4:5])
        return self._entries[code]

    def __iter__(self) -> Iterator[str]:
        for family in FAMILIES:
            self._read(family)
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, family: str) -> None:
        if family in self._unread:
            self.add(_entries(shipped(f"messages/FICT{family}.md").read_text(encoding="utf-8")))
            self._unread = self._unread - {family}  # only now: another thread may wait for the entries


def _entries(text: str) -> Iterator[Code]:
    fields = iter(re.split(_HEAD, text, flags=re.MULTILINE)[1:])
    for code, name, severity, message, body in zip(*[fields] * 5, strict=True):
        explanation, _, examples = body.rstrip("\n").partition("\n\n")
        explanation = explanation.replace("\n", " ")
        yield Code(code, name, message, explanation, Severity(severity), f"{explanation}\n\n{examples}")


CATALOGUE = _Catalogue()


def diagnostic(
    code: str,
    source: Source | None = None,
    span: Span | None = None,
    *,
    labels: tuple[Label, ...] = (),
    hint: str | None = None,
    fix: Fix | None = None,
    **parameters: object,
) -> Diagnostic:
    """Build a diagnostic from the catalogue, with long quotations shortened.

    Raises KeyError for an unknown code or wrong parameters.
    """
    entry = CATALOGUE[code]
    fields = [(before, name) for before, name, _, _ in Formatter().parse(entry.message) if name]
    if (expected := {name for _, name in fields}) != set(parameters):
        raise KeyError(f"{code} takes {sorted(expected)}, got {sorted(parameters)}")
    quoted = {name for before, name in fields if before.endswith(("`", '"'))}
    message = entry.message.format(
        **{name: quotation(value) if name in quoted else value for name, value in parameters.items()}
    )
    return Diagnostic(code, entry.severity, message, source, span, labels, hint, fix)
