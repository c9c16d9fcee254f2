"""Select the findings to report by code, prefix of a code, or name of a rule.

Errors that no lint rule reports are always reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import fictdsl.lint.discover  # noqa: F401 - adds the codes of lint rules to the catalogue
from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import nearest

_FAMILIES = ("FICT1", "FICT2", "FICT3", "FICT4")  # the diagnostics of `.fict` files


@cache
def rule_names() -> dict[str, str]:
    """Return the name of each code that can be selected or ignored."""
    return {
        code: entry.name
        for code, entry in CATALOGUE.items()
        if code.startswith("FICT5") or (code.startswith(_FAMILIES) and entry.severity is not Severity.ERROR)
    }


@dataclass(frozen=True, slots=True)
class Selection:
    """The findings to report. They match a selector in `select`, unless it is empty, and no selector in `ignore`."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def includes(self, finding: Diagnostic) -> bool:
        """Return whether a finding is reported."""
        if finding.prevents_compilation:
            return True
        return self.includes_code(finding.code)

    def includes_code(self, code: str) -> bool:
        """Return whether findings with a code are reported."""
        is_selected = not self.select or any(_matches(selector, code) for selector in self.select)
        return is_selected and not any(_matches(selector, code) for selector in self.ignore)


def first_unknown(selectors: Sequence[str]) -> tuple[str, str | None] | None:
    """Return the first selector that matches no code in `rule_names`, with a hint; None if all match."""
    names = rule_names()
    for selector in selectors:
        if not any(_matches(selector, code) for code in names):
            if selector in CATALOGUE:
                severity = CATALOGUE[selector].severity
                if severity is Severity.ERROR:
                    return selector, "it is an error, and errors are always reported"
                return selector, f"it is a {severity.value} that `fictc lint` does not report"
            suggestion = nearest(selector, (*names, *names.values()))
            return (
                selector,
                f"the nearest one is `{suggestion}`" if suggestion else "for instance `FICT505` or `name-used-once`",
            )
    return None


def _matches(selector: str, code: str) -> bool:
    return rule_names().get(code) == selector or (selector.startswith("FICT") and code.startswith(selector))
