"""The lint rules, one a module, in the order of their codes. Importing them adds their codes to the catalogue."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module

from fictdsl.diagnostics.codes import Code, register
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.rule_context import LintContext


@dataclass(frozen=True, slots=True)
class Rule:
    """A lint rule: a module with `CODE` and `check`. The docstring of the module is the documentation page of the rule.

    The module is named after the rule: `never_applied.py` for `never-applied`. A rule with `NEEDS_CORPUS = True` runs
    only if a corpus is given.
    """

    code: str
    name: str
    check: Callable[[LintContext], Iterator[Diagnostic]]
    needs_corpus: bool


def _discover() -> Iterator[tuple[Code, Rule]]:
    for info in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        code: Code = replace(module.CODE, page=(module.__doc__ or "").strip())
        yield code, Rule(code.code, code.name, module.check, getattr(module, "NEEDS_CORPUS", False))


_DISCOVERED = sorted(_discover(), key=lambda pair: pair[0].code)
register(code for code, _ in _DISCOVERED)
RULES: tuple[Rule, ...] = tuple(rule for _, rule in _DISCOVERED)
