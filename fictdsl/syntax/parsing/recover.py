"""A file that does not parse as a whole, into the items that do and a diagnostic for each mistake in the others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar.nesting import too_deep
from fictdsl.syntax.grammar.try_parse import Stop, attempt
from fictdsl.syntax.mistakes.mistakes import explain
from fictdsl.syntax.nodes import Item
from fictdsl.syntax.text.scan import bits, clause_around, items
from fictdsl.syntax.vocabulary import VERSION

if TYPE_CHECKING:
    from lark import Token, Tree

MOST = 50  # diagnostics for one file; whoever has more begins with these
_TRIES = 20  # mistakes that are looked for in one item
_TRIED = 200_000  # characters that are read again for them


def header(source: Source, text: str) -> tuple[int, list[Diagnostic], bool]:
    """Where the items begin, what is wrong with `fict 1`, and whether the version is one that can be read."""
    first = next(bits(text), None)
    second = next(bits(text, first.span.end), None) if first else None
    if first is None or second is None or first.text != "fict":
        at = first.span if first else Span(0, 0)
        hint = "the first line of a file is `fict 1`"
        problem = diagnostic("FICT101", source, at, hint=hint, fix=Fix(Span(at.start, at.start), f"fict {VERSION}\n"))
        return _after_wrong_header(text, at), [problem], True
    number = _version_end(text, second.span.start)
    found = text[second.span.start : number]
    if not found[:1].isdigit():
        start = second.span.end if second.kind == "string" else first.span.end
        return start, [diagnostic("FICT101", source, first.span, hint="write `fict 1`")], True
    if found != VERSION:
        return number, [unknown_version(source, Span(second.span.start, number))], False
    return number, [], True


def unknown_version(source: Source, span: Span) -> Diagnostic:
    """The diagnostic for another version than the one that is read."""
    return diagnostic("FICT102", source, span, found=source.text[span.start : span.end])


def _version_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] in "._"):
        end += 1
    return end


def _after_wrong_header(text: str, first: Span) -> int:
    """Past a header in other letters, such as `FICT 1` or `fict1`; else where the text begins."""
    line_end = text.find("\n", first.start)
    line = text[first.start : len(text) if line_end < 0 else line_end]
    return first.start + len(line) if line.casefold().replace(" ", "").startswith(("fict1", "fct1")) else first.start


def recover(source: Source, text: str, start: int) -> tuple[list[Item], list[Diagnostic]]:
    """Read item by item from an offset. Items with an error are left out; the diagnostics say why."""
    kept: list[Item] = []
    found: list[Diagnostic] = []
    for span in items(text, start):
        item, problems = _item(source, text, span)
        found += problems
        if item is not None and not any(problem.severity is Severity.ERROR for problem in problems):
            kept.append(item)
        if len(found) >= MOST:
            break
    return kept, found[:MOST]


def _item(source: Source, text: str, span: Span) -> tuple[Item | None, list[Diagnostic]]:
    """One item: whatever stops the parser is reported, set aside, and the rest is read."""
    found: list[Diagnostic] = []
    aside: list[Span] = []
    for _ in range(max(1, min(_TRIES, _TRIED // max(1, span.end - span.start)))):
        tree = attempt(text, span, "item")
        if not isinstance(tree, Stop):
            item, problems = _built(tree, source)
            # A block is not empty if what stood in it was set aside.
            news = [p for p in problems if p.span and not any(_overlap(p.span, blank) for blank in aside)]
            return item, found + news
        explained = explain(source, text, span, tree)
        if not _follows(text, tree, aside):
            found.append(explained.diagnostic)
        region = clause_around(text, span.start, span.end, tree.at)
        if explained.patch and _fits(*explained.patch):
            hole, patch = explained.patch
            text = text[: hole.start] + patch.ljust(hole.end - hole.start) + text[hole.end :]
        elif region and text[region.start : region.end].strip():
            text = _blanked(text, region)
            aside.append(region)
        else:
            break
        if explained.diagnostic.code in _STRUCTURAL:
            break
    return None, found


_STRUCTURAL = frozenset({"FICT115", "FICT128"})  # after these nobody knows what belongs where


def _built(tree: Tree[Token], source: Source) -> tuple[Item | None, list[Diagnostic]]:
    from fictdsl.syntax.grammar.build import build

    deep = too_deep(tree, source)
    if deep is not None:
        return None, [deep]
    item, problems = build(tree, source)
    return item, problems


# What goes on after a clause or closes what is around it; with anything else a new mistake begins.
_GOES_ON = re.compile(r"-\[|!=|[-<>=~.|,:;{}\])]+|or|and|in|between")


def _follows(text: str, stop: Stop, aside: list[Span]) -> bool:
    """Whether the parser stopped only because of what was set aside just before: at what can go on after it."""
    if stop.found is not None and not _GOES_ON.fullmatch(stop.found.text):
        return False
    return any(blank.end <= stop.at and not text[blank.start : stop.at].strip() for blank in aside)


def _fits(hole: Span, patch: str) -> bool:
    return len(patch) <= hole.end - hole.start  # places of the rest must not move


def _overlap(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _blanked(text: str, span: Span) -> str:
    blank = "".join(char if char == "\n" else " " for char in text[span.start : span.end])
    return text[: span.start] + blank + text[span.end :]
