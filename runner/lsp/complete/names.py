"""The names that can be used at a place of a text that may be broken: nodes, lists, patterns and parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.semantics.resolve.resolution import ResolvedDefinition
from fictdsl.syntax import nodes
from fictdsl.syntax.text.scan import PARTNER, Lexeme, item_spans, lexemes, reparse_span
from fictdsl.syntax.vocabulary import RESERVED
from runner.lsp.documents.documents import Study

_CLOSING = frozenset(PARTNER.values())
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_LIST = re.compile(r"^[ \t]*list\s+([A-Za-z]\w*)\s*=", re.MULTILINE)
_PATTERN = re.compile(r"^[ \t]*pattern\s+([A-Za-z]\w*)\s*\(([^)\n]*)\)?", re.MULTILINE)
_FAMILY = re.compile(r"\bfor\s+([A-Za-z]\w*)\s+in\b")


@dataclass(frozen=True, slots=True)
class Shape:
    """A list or pattern that can be named: what a person is told of it, and for a pattern its parameters."""

    name: str
    detail: str
    parameters: tuple[str, ...] = ()


def item_at(text: str, offset: int) -> str:
    """The text of the item around an offset, broken or not."""
    part = reparse_span(text, offset + 1, offset)
    text, offset = text[part.start : part.end], offset - part.start
    return next((text[s.start : s.end] for s in reversed(list(item_spans(text, 0))) if s.start <= offset), "")


def nodes_at(text: str, offset: int, typed: int) -> list[str]:
    """The nodes named in the item around an offset, in order; `typed` is where the name being typed begins."""
    part = reparse_span(text, offset + 1, offset)
    text, offset, typed = text[part.start : part.end], offset - part.start, typed - part.start
    starts = [span.start for span in item_spans(text, 0) if span.start <= offset]
    if not starts:
        return []
    begin = starts[-1]
    item = item_at(text, offset)
    found = _nodes(list(lexemes(item)))
    return list(
        dict.fromkeys(
            lexeme.text for lexeme in found if not typed <= begin + lexeme.span.start <= offset or typed == offset
        )
    )


def _nodes(item: list[Lexeme]) -> Iterator[Lexeme]:
    """The tokens that name nodes: words of blocks and of round brackets, less those that say something else."""
    stack: list[str] = []
    for number, lexeme in enumerate(item):
        before = item[number - 1].text if number else ""
        after = item[number + 1].text if number + 1 < len(item) else ""
        last = lexeme.text[-1] if lexeme.kind == "sign" else ""
        if last in PARTNER:
            plain = last != "{" or before not in ("in", "=", "->>", "<<")
            stack.append(last if plain else "value")
        elif last in _CLOSING and stack:
            stack.pop()
        elif (
            lexeme.kind == "word"
            and stack
            and stack[-1] in ("{", "(")
            and "[" not in stack
            and (len(stack) > 1 or item[0].text == "pattern")
            and _NAME.fullmatch(lexeme.text)
            and lexeme.text not in RESERVED
            and after != "("
            and before not in (":", "|", ".", "$", "@")
        ):
            yield lexeme


def lists_at(study: Study) -> list[Shape]:
    """The lists that the document can name, its own and those it uses."""
    found = {name: Shape(name, "list") for name in _LIST.findall(study.page.text)}
    for name, known in study.resolution.visible(study.module).lists.items():
        found[name] = Shape(name, _of_list(study, known))
    return list(found.values())


def patterns_at(study: Study) -> list[Shape]:
    """The patterns that the document can call, its own and those it uses."""
    found = {}
    for name, parameters in _PATTERN.findall(study.page.text):
        names = tuple(part.strip() for part in parameters.split(",") if part.strip())
        found[name] = Shape(name, f"pattern {name}({', '.join(names)})", names)
    for name, known in study.resolution.visible(study.module).patterns.items():
        names = tuple(parameter.text for parameter in known.item.parameters)
        found[name] = Shape(name, f"pattern {name}({', '.join(names)}){_from(study, known.module.source.name)}", names)
    return list(found.values())


def parameter_at(text: str, offset: int) -> str | None:
    """The parameter of the family around an offset, without its dollar."""
    found = _FAMILY.search(item_at(text, offset))
    return found[1] if found else None


def _of_list(study: Study, found: ResolvedDefinition[nodes.ListDef]) -> str:
    where = _from(study, found.module.source.name)
    entries = found.module.entries(found.item)
    return f"list of {len(entries)}{where}" if entries is not None else f"list{where}"


def _from(study: Study, name: str) -> str:
    return "" if name == study.module.source.name else f", from {name.rpartition('/')[2]}"
