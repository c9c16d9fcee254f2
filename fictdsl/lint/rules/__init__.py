"""The lint rules, one a module, in the order of their codes. Importing them adds their codes to the catalogue."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from operator import attrgetter

from fictdsl.diagnostics.codes import CATALOGUE, Code
from fictdsl.lint.rule_context import Rule

RULES: list[Rule] = []
for _info in pkgutil.iter_modules(__path__):
    _module = import_module(f"{__name__}.{_info.name}")
    _rule: Rule = _module.RULE
    _rule.name = _info.name.replace("_", "-")
    _page = (_module.__doc__ or "").strip()
    CATALOGUE.add([Code(_rule.code, _rule.name, _rule.message, _rule.explanation, _rule.severity, _page)])
    RULES.append(_rule)
RULES.sort(key=attrgetter("code"))
