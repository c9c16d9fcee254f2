"""Text as people write it, to a module and to the codes of what lint says of it."""

from __future__ import annotations

from collections.abc import Mapping

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.diagnostics.render_text import render
from fictdsl.lint.engine import lint_module
from fictdsl.source import Source
from fictdsl.syntax.parse import parse
from fictdsl.syntax.program import Module


def module_of(text: str, lists: Mapping[str, tuple[str, ...]] | None = None, **uses: Module) -> Module:
    """A file from its text; `lists` are the entries of list files by path, `uses` the modules of `use "name"`."""
    source = Source.of(text if text.startswith("fict") else f"fict 1\n{text}", "example.fict")
    file, problems = parse(source)
    assert file is not None and not problems, render(problems, color=False)
    return Module(source, file, dict(uses), dict(lists or {}))


def codes(module: Module) -> set[str]:
    """The codes of what is said of a module that has no errors."""
    found = lint_module(module)
    errors = [problem for problem in found if problem.severity is Severity.ERROR]
    assert not errors, render(errors, color=False)
    return {problem.code for problem in found}
