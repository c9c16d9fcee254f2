"""The catalogue of diagnostic codes. Lint rules and the runner add their own."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from string import Formatter

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.diagnostics.display import quotation
from fictdsl.diagnostics.families import PACKAGES
from fictdsl.source import Source, Span


class _Catalogue(Mapping[str, Code]):
    """Entries by code, in the order of the codes. The packages of families are imported on demand, one at a time."""

    def __init__(self) -> None:
        self._entries: dict[str, Code] = {}
        self._imported = 0  # number of PACKAGES that are imported

    def add(self, codes: Iterable[Code]) -> None:
        """Add entries. Raises KeyError if another entry has the same code."""
        for entry in codes:
            if self._entries.setdefault(entry.code, entry) is not entry:
                raise KeyError(f"{entry.code} is {self._entries[entry.code].name}, not {entry.name}")

    def __getitem__(self, code: str) -> Code:
        while code not in self._entries and self._imported < len(PACKAGES):
            self._import_package()
        return self._entries[code]

    def __iter__(self) -> Iterator[str]:
        while self._imported < len(PACKAGES):
            self._import_package()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _import_package(self) -> None:
        index = self._imported  # another thread may import the same package
        package = import_module(PACKAGES[index])
        for family in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            self.add(getattr(import_module(family.name), "CODES", ()))
        self._imported = index + 1


CATALOGUE = _Catalogue()


def register(codes: Iterable[Code]) -> None:
    """Add entries to the catalogue. Raises KeyError if another entry has the same code."""
    CATALOGUE.add(codes)


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
