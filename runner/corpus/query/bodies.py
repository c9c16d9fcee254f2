"""Compile queries: arguments that are the body of a `match` block, such as `V -[nsubj]-> S:NOUN`."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from unicodedata import normalize

from fictdsl.compiler import Compilation, compile_text
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.installation import shipped
from fictdsl.semantics.ud import UPOS
from fictdsl.source import Source, Span
from fictdsl.syntax.word_lists import ListOverrides
from runner.errors import InputError

NAME = "query"
_BODY_CHARACTERS = " [<>~"
_TAG = "|".join(UPOS)
_NODE = re.compile(rf"\w+:(?:{_TAG})(?:\|(?:{_TAG}))*")


def is_body(argument: str) -> bool:
    """Return whether an argument is the body of a `match` block.

    A body does not name a file or a library filter, and contains a space or one of `[<>~`, or is in braces.
    """
    path = argument.rpartition("::")[0] or argument
    if any(os.path.exists(name) for name in (argument, path)):  # noqa: PTH110 - Path.exists raises for long names
        return False
    library = str(shipped("filters"))
    library_paths = (os.path.join(library, f"{name}{suffix}") for name in (argument, path) for suffix in ("", ".fict"))  # noqa: PTH118
    looks_like_body = any(character in argument for character in _BODY_CHARACTERS) or _is_in_braces(argument)
    return looks_like_body and not any(map(os.path.exists, library_paths))


def body_hint(argument: str) -> str | None:
    """Return a hint on how to write a node such as `V:VERB`, which might name a file, as a query, otherwise None."""
    return f"the query is `'{{ {argument} }}'`" if _NODE.fullmatch(argument) else None


def _is_in_braces(argument: str) -> bool:
    text = argument.strip()
    return text.startswith("{") and text.endswith("}")


def compile_body(body: str, overrides: ListOverrides, number: int | None) -> Compilation:
    """Compile a body as the filter `query`, or as `query-2` if `number` is 2. Braces around the body are left out.

    Raises InputError (FICT292) if the body contains more than the clauses of one `match` block.
    """
    text = body.strip()[1:-1].strip() if _is_in_braces(body) else body
    name = NAME if number is None else f"{NAME}-{number}"
    before = f"fict 1 filter {name} {{ match {{ "
    compilation = compile_text(f"{before}{text}\n}} }}", "<query>", overrides=overrides)
    shift = len(before) - len(normalize("NFC", body[: body.index(text)]))
    argument = Source.of(body, "<query>")
    own = [problem for problem in compilation.diagnostics if not _is_before(problem, len(before))]
    shown = own if any(problem.prevents_compilation for problem in own) else compilation.diagnostics
    problems = dict.fromkeys(_relocated(problem, argument, shift) for problem in shown)
    compilation = replace(compilation, diagnostics=tuple(problems))
    if not compilation.errors and [compiled.definition.actions for compiled in compilation.filters] != [()]:
        reason = "a query consists of the clauses of one match, without actions"
        raise InputError(diagnostic("FICT292", path=body, reason=reason, hint=None))
    return compilation


def _is_before(problem: Diagnostic, end: int) -> bool:
    """Return whether a problem is in the text that is added before a query, which has `end` characters."""
    is_query = problem.source is not None and problem.source.path is None
    return is_query and problem.span is not None and problem.span.start < end


def _relocated(problem: Diagnostic, argument: Source, shift: int) -> Diagnostic:
    """Return a problem of the compiled text at its place in the argument, `shift` characters before."""
    if problem.source is None or problem.source.path is not None or problem.span is None:
        return problem

    def moved(span: Span) -> Span:
        last = len(argument.text.rstrip())
        start, end = (min(max(0, offset - shift), last) for offset in (span.start, span.end))
        return Span(start, end)

    message = problem.message
    if problem.span.start - shift >= len(argument.text.rstrip().removesuffix("}").rstrip()):
        message = message.replace("found `}`", "found the end of the query", 1)  # the brace that is added
    span = moved(problem.span)
    others = [label for label in problem.labels if label.source is not None or moved(label.span) != span]
    labels = tuple(replace(label, span=moved(label.span)) if label.source is None else label for label in others)
    return replace(problem, message=message, source=argument, span=span, labels=labels, fix=None)
