"""HTML of the explorer, by Jinja: pages, rows of matches, tables, texts and bars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from fictdsl.draw.svg import diagram, drawing, escaped, number, right_to_left
from fictdsl.draw.terminal import Line, tree_lines
from fictdsl.draw.tree import Tree, labels, words
from fictdsl.terminal_text import safe
from runner.corpus.sentence_texts import SentenceLocation

if TYPE_CHECKING:
    from jinja2 import Environment


_FOLDER = Path(__file__).parent / "assets"


def _words(tree: Tree, start: int, end: int | None) -> Markup:
    """`b` is a bound word. A dot separates the words of a multiword token that is not their concatenation: `in·dem`."""
    pieces = []
    for word in tree.words[start:end]:
        name, form = tree.labels.get(word.id), escaped(safe(word.form))
        if name is None:
            pieces.append(f'<i data-w="{word.id}">{form}</i>')
        else:
            pieces.append(f'<b data-w="{word.id}">{form}<sub>{escaped(name)}</sub></b>')
        is_inside_token = word.token is not None and word.id < word.token.last
        pieces.append(" " if word.space else "·" * is_inside_token)
    return Markup("".join(pieces))


def _pieces(line: Line) -> Markup:
    texts = ((escaped(piece.text), piece.style == "bound") for piece in line)
    marked = (f'<b class="bound">{text}</b>' if is_bound else text for text, is_bound in texts)
    return Markup("".join(marked).rstrip())


def _diagram(tree: Tree) -> tuple[Markup, list[int], list[int]]:
    layout, heads = diagram(tree), tree.heads()
    dependents = [arc.dependent for arc in layout.arcs]
    return Markup(drawing(tree, layout=layout)), dependents, [heads[dependent - 1] for dependent in dependents]


_FILTERS = {
    "diagram": _diagram,
    "tree_lines": tree_lines,
    "pieces": _pieces,
    "words": _words,
    "count": "{:,}".format,
    "percent": "{:.1%}".format,
    "rate": "{:,.1f}".format,
    "decimal": "{:,.2f}".format,
    "signed": "{:+,.2f}".format,
    "general": "{:g}".format,
    "milliseconds": "{:,.0f} ms".format,
    "number": number,
    "direction": lambda tree: "rtl" if right_to_left(tree.text()) else "ltr",
    "exact": lambda text: Markup(escaped(text)),
    "breakable": lambda label: Markup(re.sub(r"(?<=[/_])(?=.)", "<wbr/>", escaped(safe(str(label))))),
}


def markup(macro: str, *arguments: Any) -> Markup:
    """Return what a macro of `views.html` draws. Its texts are escaped, and safe for a page."""
    template = _environment().get_template("views.html")
    return Markup(getattr(template.module, macro)(*arguments))


def rendered(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: safe(value) if type(value) is str else value,
    )
    environment.filters.update(_FILTERS)
    return environment


VIEWS = ("kwic", "text", "arcs", "tree")
_CONTEXT = 25  # words shown on each side of the bound words


@dataclass(frozen=True)
class Row:
    """A match: the location and the CoNLL-U block of its sentence, and the id of the word bound to each name."""

    location: SentenceLocation
    block: str
    match: Mapping[str, int]

    @cached_property
    def tree(self) -> Tree:
        return Tree(words(self.block), labels(self.match))

    @property
    def binding(self) -> str:
        return " ".join(f"{name}:{word}" for name, word in self.match.items())

    @property
    def window(self) -> tuple[int, int, int, int]:
        bound = sorted(self.match.values()) or [1]
        first, last = bound[0] - 1, bound[-1]
        return max(0, first - _CONTEXT), first, last, min(len(self.tree.words), last + _CONTEXT)
