"""The text of a `.fict` file into its syntax tree, with every problem as a diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar import parser
from fictdsl.syntax.nodes import File

if TYPE_CHECKING:
    from lark import Token, Tree


def parse(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """Parse a whole file. Never raises."""
    from lark.exceptions import UnexpectedInput

    from fictdsl.syntax.build import build

    try:
        tree: Tree[Token] = parser().parse(source.text, start="file")
    except UnexpectedInput as error:
        at = error.pos_in_stream if isinstance(error.pos_in_stream, int) else len(source.text)
        span = Span(at, min(at + 1, len(source.text)))
        return None, [diagnostic("FICT110", source, span, found="this", expected="something else")]
    file, problems = build(tree, source)
    return file, problems
