"""Parse the text of a `.fict` file to a syntax tree, reporting all syntax errors as diagnostics.

Cache syntax trees in the user's cache folder, so that commands need not import Lark.
Each file has one entry, so the cache does not grow with every change. Only trees without diagnostics are stored.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity, has_errors
from fictdsl.installation import cache_folder, content_digest, load_entry, shipped, store_entry
from fictdsl.source import Source, Span
from fictdsl.syntax.files import blank_forbidden, forbidden_character_diagnostics
from fictdsl.syntax.grammar import (
    GRAMMAR,
    Stop,
    enclosing_clause,
    item_spans,
    lexemes,
    nesting_problem,
    parse_tree,
    try_parse,
)
from fictdsl.syntax.nodes import VERSION, File, Item

if TYPE_CHECKING:
    from lark import Token, Tree


MAX_DIAGNOSTICS = 50  # diagnostics reported per file
_MAX_TRIES = 20  # errors searched for in one item
_MAX_REPARSED = 200_000  # characters parsed again per item, which bounds the time
_MISSPELLED_HEADER = re.compile(r"fi?ct *([0-9][\w.]*)", re.IGNORECASE)  # such as `FICT 1` and `fict1`


_VERSION_TEXT = re.compile(r"[\w.]*")


def check_header(source: Source, text: str) -> tuple[int, list[Diagnostic], bool]:
    """Check the header `fict 1`. Return the offset of the first item, diagnostics, and whether to parse the items."""
    keyword = next(lexemes(text), None)
    version_lexeme = next(lexemes(text, keyword.span.end), None) if keyword else None
    if keyword is None or version_lexeme is None or keyword.text != "fict":
        first_span = keyword.span if keyword else Span(0, 0)
        misspelled = _MISSPELLED_HEADER.match(text, first_span.start)
        fix: Fix | None = Fix(Span(first_span.start, first_span.start), f"fict {VERSION}\n")
        if misspelled is not None:
            fix = Fix(Span(*misspelled.span()), f"fict {VERSION}") if misspelled[1] == VERSION else None
        hint = "the first line of a file must be `fict 1`"
        problem = diagnostic("FICT101", source, first_span, hint=hint, fix=fix)
        return misspelled.end() if misspelled is not None else first_span.start, [problem], True
    version_text = _VERSION_TEXT.match(text, version_lexeme.span.start)
    assert version_text is not None
    version, end = version_text[0], version_text.end()
    if not version[:1].isdigit():
        start = version_lexeme.span.end if version_lexeme.kind == "string" else keyword.span.end
        return start, [diagnostic("FICT101", source, keyword.span, hint="write `fict 1`")], True
    if version != VERSION:
        span = Span(version_lexeme.span.start, end)
        return end, [diagnostic("FICT102", source, span, found=source.text[span.start : span.end])], False
    return end, [], True


def recover(source: Source, text: str, start: int) -> tuple[list[Item], list[Diagnostic]]:
    items: list[Item] = []
    diagnostics: list[Diagnostic] = []
    for span in item_spans(text, start):
        item, problems = _parse_item(source, text, span)
        diagnostics += problems
        if item is not None and not has_errors(problems):
            items.append(item)
        if len(diagnostics) >= MAX_DIAGNOSTICS:
            break
    return items, diagnostics[:MAX_DIAGNOSTICS]


def _parse_item(source: Source, text: str, span: Span) -> tuple[Item | None, list[Diagnostic]]:
    """Parse one item. After each error, report it, patch it or blank out its clause, and parse the item again."""
    from fictdsl.syntax.mistakes import explain  # late: most files have no syntax errors

    diagnostics: list[Diagnostic] = []
    skipped_spans: list[Span] = []
    for _ in range(max(1, min(_MAX_TRIES, _MAX_REPARSED // max(1, span.end - span.start)))):
        tree = try_parse(text, span, "item")
        if not isinstance(tree, Stop):
            item, problems = _build_item(tree, source)
            # Blanked clauses cause problems of their own, such as empty blocks.
            item_problems = [
                problem
                for problem in problems
                if problem.span
                and not any(
                    problem.span.start < skipped.end and skipped.start < problem.span.end for skipped in skipped_spans
                )
            ]
            return item, diagnostics + item_problems
        explanation = explain(source, text, span, tree)
        if not _is_consequence(text, tree, skipped_spans):
            diagnostics.append(explanation.diagnostic)
        region = enclosing_clause(text, span.start, span.end, tree.offset)
        patched = _patched(text, explanation.patch)
        if patched is not None:
            text = patched
        elif region and text[region.start : region.end].strip():
            text = _blanked(text, region)
            skipped_spans.append(region)
        else:
            break
        if explanation.diagnostic.code in _BRACKET_ERRORS:
            break
    return None, diagnostics


_BRACKET_ERRORS = frozenset({"FICT115", "FICT128"})  # mismatched brackets: the block of the following text is unknown


def _build_item(tree: Tree[Token], source: Source) -> tuple[Item | None, list[Diagnostic]]:
    from fictdsl.syntax.build import build

    nesting = nesting_problem(tree, source)
    if nesting is not None:
        return None, [nesting]
    item, problems = build(tree, source)
    return item, problems


# Lexemes that continue a clause or close the block around it. Any other lexeme is a separate error.
_CONTINUATION = re.compile(r"-\[|!=|[-<>=~.|,:;{}\])]+|or|and|in|between")


def _is_consequence(text: str, stop: Stop, skipped_spans: list[Span]) -> bool:
    if stop.found is not None and not _CONTINUATION.fullmatch(stop.found.text):
        return False
    return any(
        skipped.end <= stop.offset and not text[skipped.start : stop.offset].strip() for skipped in skipped_spans
    )


def _patched(text: str, patch: tuple[Span, str] | None) -> str | None:
    """Return the text with a span replaced, or None if later offsets would change."""
    if patch is None or len(patch[1]) > patch[0].end - patch[0].start:
        return None
    span, replacement = patch
    return text[: span.start] + replacement.ljust(span.end - span.start) + text[span.end :]


def _blanked(text: str, span: Span) -> str:
    blank = "".join(char if char == "\n" else " " for char in text[span.start : span.end])
    return text[: span.start] + blank + text[span.end :]


def parse(source: Source) -> tuple[File | None, list[Diagnostic]]:
    """Parse a whole file to its items without errors; None only for an unsupported version. Never raises."""
    problems = forbidden_character_diagnostics(source)
    text = blank_forbidden(source.text) if problems else source.text
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    file, syntax_problems = _parse(source, text)
    if file is not None and problems:
        spans = [problem.span for problem in problems if problem.span]
        file = _without_items_at(file, spans)
    return file, sorted(problems + syntax_problems, key=lambda problem: problem.span.start if problem.span else 0)


def _parse(source: Source, text: str) -> tuple[File | None, list[Diagnostic]]:
    from fictdsl.syntax.build import build

    extent = Span(0, len(text))
    tree = parse_tree(text, extent, "file")
    if tree is not None and nesting_problem(tree, source) is None:
        built, problems = build(tree, source)
        file: File = built
        if file.version == VERSION:
            error_spans = [problem.span for problem in problems if problem.span and problem.severity is Severity.ERROR]
            return _without_items_at(file, error_spans), problems
    start, problems, is_supported = check_header(source, text)
    if not is_supported:
        return None, problems
    items, item_problems = recover(source, text, start)
    if tree is None and not problems and not item_problems:
        # Every item parses, but the file does not: report where the whole parse stopped.
        stop = try_parse(text, extent, "file")
        assert isinstance(stop, Stop)
        from fictdsl.syntax.mistakes import explain

        item_problems = [explain(source, text, extent, stop).diagnostic]
    return File(VERSION, tuple(items), span=extent), problems + item_problems


def _without_items_at(file: File, spans: list[Span]) -> File:
    items = tuple(
        item for item in file.items if not any(item.span.start <= span.start < item.span.end for span in spans)
    )
    return File(file.version, items, span=file.span)


def parse_cached(source: Source) -> tuple[File | None, list[Diagnostic]]:
    if source.path is None:
        return parse(source)
    entry_path = cache_folder() / "trees" / hashlib.sha256(os.fsencode(os.path.realpath(source.path))).hexdigest()[:32]
    digest = content_digest(("fictdsl", "lark"), shipped(GRAMMAR).read_bytes(), source.text.encode())
    cached: File | None = load_entry(entry_path, digest)
    if cached is not None:
        return cached, []
    file, diagnostics = parse(source)
    if file is not None and not diagnostics:
        store_entry(entry_path, digest, file)
    return file, diagnostics
