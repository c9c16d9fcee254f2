"""The package of rules into the rules themselves: each module there is one, found by looking."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

from fictdsl.diagnostics.codes.lint import CODES
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint import rules
from fictdsl.lint.subject import Subject


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its module is named after its code's name, its page is the module's docstring.

    A module with `ASKS_CORPUS = True` is asked only where a corpus is given.
    """

    code: str
    name: str
    page: str
    check: Callable[[Subject], Iterator[Diagnostic]]
    asks_corpus: bool


def _discover() -> Iterator[Rule]:
    codes = {entry.name: entry.code for entry in CODES}
    for info in pkgutil.walk_packages(rules.__path__, f"{rules.__name__}."):
        if info.ispkg:
            continue
        module = import_module(info.name)
        name = info.name.rpartition(".")[2].replace("_", "-")
        yield Rule(
            codes[name], name, (module.__doc__ or "").strip(), module.check, getattr(module, "ASKS_CORPUS", False)
        )


RULES: tuple[Rule, ...] = tuple(sorted(_discover(), key=lambda rule: rule.code))
