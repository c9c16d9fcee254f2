"""Codes, beginnings of codes and names of rules into which findings are reported. Errors always are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import fictdsl.lint.discover  # noqa: F401 - adds the codes of lint rules to the catalogue
from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import nearest

_FAMILIES = ("FICT1", "FICT2", "FICT3", "FICT4", "FICT5")  # what is said of `.fict` files
NAMES = {
    code: entry.name
    for code, entry in CATALOGUE.items()
    if code.startswith(_FAMILIES) and entry.severity is not Severity.ERROR
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is reported: what one of `select` means (of none, everything), but for what one of `ignore` means."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def takes(self, finding: Diagnostic) -> bool:
        """Whether a finding is reported."""
        if finding.severity is Severity.ERROR:
            return True
        code, taken = finding.code, not self.select or any(_means(one, finding.code) for one in self.select)
        return taken and not any(_means(one, code) for one in self.ignore)


def unknown(selectors: Sequence[str]) -> tuple[str, str | None] | None:
    """The first selector that means no lint, with a hint."""
    for selector in selectors:
        if not any(_means(selector, code) for code in NAMES):
            if selector in CATALOGUE:
                return selector, "it is an error, and errors are always reported"
            near = nearest(selector, (*NAMES, *NAMES.values()))
            return selector, f"the nearest one is `{near}`" if near else "for instance `FICT505` or `name-used-once`"
    return None


def _means(selector: str, code: str) -> bool:
    return NAMES.get(code) == selector or (selector.startswith("FICT") and code.startswith(selector))
