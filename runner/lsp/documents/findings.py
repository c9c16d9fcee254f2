"""The diagnostics of a document into places in it: what is wrong in a used file is shown where that file is named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module
from runner.lsp.documents.documents import Study


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic where an editor shows it. `related` are the other places that matter, with what they say."""

    diagnostic: Diagnostic
    span: Span
    message: str
    related: tuple[tuple[Source, Span, str], ...]
    unused: bool


def findings(study: Study) -> list[Finding]:
    """Everything wrong or odd in a document, each where it is shown."""
    return [_finding(study, problem) for problem in study.diagnostics]


def _finding(study: Study, problem: Diagnostic) -> Finding:
    own = study.module.source
    source = problem.source or own
    span = problem.span or Span(0, 0)
    message = problem.message + (f"\n{problem.hint}" if problem.hint else "")
    related = [(label.source or source, label.span, label.text) for label in problem.labels]
    if source.path != own.path or source.name != own.name:
        related.insert(0, (source, span, problem.message))
        message = f"in {source.name}: {message}"
        span = _named(study.module, source) or Span(0, 0)
    unused = CATALOGUE[problem.code].name.startswith("unused-")
    return Finding(problem, span, message, tuple(related), unused)


def _named(module: Module, source: Source) -> Span | None:
    """Where a module names the file that a source was read from; else the file through which it came."""
    through: list[Span] = []
    for item in module.file.items:
        match item:
            case nodes.Use(path=path):
                used = module.uses.get(path.text)
                if _is_named(path.text, source) if used is None else used.source.path == source.path:
                    return path.span
                if used is not None and _named(used, source) is not None:
                    through.append(path.span)
            case nodes.ListDef(body=nodes.ListFile(path=path)) if _is_named(path.text, source):
                return path.span
            case _:
                pass
    return next(iter(through), None)


def _is_named(written: str, source: Source) -> bool:
    return PurePath(source.name).name == PurePath(written).name
