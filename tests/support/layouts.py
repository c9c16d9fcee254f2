"""Reformat a `.fict` text at random: white space, comments, `;` and parentheses wherever they are allowed."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from lark import Token

from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar import parse_tree
from fictdsl.syntax.parse import parse
from tests.support.strategies.filters import Project
from tests.support.strategies.rng import Rng
from tests.support.strategies.word_tests import NOWHERE

COMMENTS = ("#", "# why", '# "}', "#!{", "# /x/i (", "# a # b", "# ça\tva \x0c ", "# fict: ignore[FICT519] a reason")
SPACES = (" ", "  ", "\t", "\u00a0", "\x0c\u2028", "\n", "\n  ", "\r\n")
LINES = ("\n\n\n", "  \n \n")
_CLOSED = frozenset("{}[](),;|")
_TESTS = (nodes.Compare, nodes.Member, nodes.Has, nodes.Not, nodes.Or, nodes.And)


def with_metadata(rng: Rng, project: Project) -> nodes.File:
    """Return the main file of a project, its filter with metadata of every kind."""

    def text(kind: str) -> nodes.Text:
        return nodes.Text(
            kind, nodes.Value(rng.pick(["", "x", 'a "b" # c', "long " * 30]), True, span=NOWHERE), span=NOWHERE
        )

    names = tuple(nodes.Name(f"blimp/paradigm-{n}", span=NOWHERE) for n in range(rng.pick([1, 2, 9])))
    more = [text("about"), text("source"), text("note"), text("note"), nodes.TargetBenchmarks(names, span=NOWHERE)]
    filtered = replace(project.filter, metadata=tuple(rng.different(more, 0, 5)))
    return replace(project.file, items=tuple(filtered if i == project.filter else i for i in project.file.items))


def scattered(rng: Rng, text: str, comments: int) -> str:
    """Return the same file with other space between its tokens, and comments at `comments` per cent of them.

    Without comments there are no empty lines either, so that nothing has to be kept by the formatter.
    """
    extra = _extra(rng, text)
    written: list[str] = []
    for before, after, start in _pairs(text, extra):
        written += [before, _space(rng, before, after, start, comments)]
    return "".join(written)


def _pairs(text: str, extra: list[tuple[int, str]]) -> list[tuple[str, str, bool]]:
    """Return each token, the next one, and whether space separated them."""
    tree = parse_tree(text, Span(0, len(text)), "file")
    assert tree is not None
    tokens = list(tree.scan_values(lambda value: isinstance(value, Token)))
    words = [(token.start_pos, 1, str(token), token.end_pos) for token in tokens]
    words += [(at, 2 if sign == "(" else 0, sign, at) for at, sign in extra]
    # At one offset: closing signs and separators, then opening signs, then the token.
    ordered = sorted(words, key=lambda word: (word[0], {0: 0, 2: 1, 1: 2}[word[1]]))
    nexts = [*ordered[1:], (len(text), 1, "", 0)]
    return [(a[2], b[2], a[3] != b[0] or not b[2]) for a, b in zip(ordered, nexts, strict=True)]


def _extra(rng: Rng, text: str) -> list[tuple[int, str]]:
    """Return redundant signs and their positions: `;` after clauses, parentheses around tests."""
    file, _ = parse(Source.of(text))
    signs: list[tuple[int, str]] = []
    stack: list[object] = [file]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack += part
        elif is_dataclass(part):
            if isinstance(part, nodes.Block):
                signs += [(clause.span.end, ";") for clause in part.clauses if rng.often(8)]
            if isinstance(part, _TESTS) and rng.often(8):
                signs += [(part.span.start, "("), (part.span.end, ")")]
            stack += [getattr(part, field.name) for field in fields(part) if field.name not in {"span", "regex"}]
    return signs


def _space(rng: Rng, before: str, after: str, apart: bool, comments: int) -> str:
    """Return the text between two tokens."""
    space = rng.pick([*SPACES, *LINES] if comments else SPACES) if apart or rng.often(5) else ""
    if (before[-1:] in _CLOSED or after[:1] in _CLOSED) and rng.often(30):
        space = ""
    while rng.often(comments):
        ended = "\n" if after or rng.flag() else ""
        space += rng.pick(["", " ", "\n"]) + rng.pick(COMMENTS) + ended + rng.pick(["", "", *SPACES, *LINES])
        if not ended:
            break
    return space
