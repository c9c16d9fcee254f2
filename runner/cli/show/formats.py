"""Sentences that were found to what `fictc show` prints of them: lines, trees, drawings, CoNLL-U, tables, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fictdsl.draw.context import context
from fictdsl.draw.page import Entry, Section, page
from fictdsl.draw.pieces import Line, Piece
from fictdsl.draw.svg import svg
from fictdsl.draw.terminal import tree_lines
from fictdsl.draw.text import cut, safe

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.draw.tree import Tree
    from runner.corpus.query.matched_sentences import Found
    from runner.corpus.sentences.lookup import SentenceLocation

_LINE = 500  # columns that the words of a sentence may take in one line of a file or pipe
_DRAWN = 2_000  # words that are drawn of one sentence, over all its matches
_PLACE_SHARE = 3  # a place that takes more than one part in so many of a line gets a line of its own


@dataclass(frozen=True)
class Group:
    """Sentences that belong together: those of a filter, or its near misses without one condition.

    `names` are what a match may bind, `counts` says how many there are in all, `left_out` is the missing condition,
    `line` where in the file it stands.
    """

    compiled: CompiledFilter
    names: tuple[str, ...]
    counts: str
    found: Sequence[Found]
    left_out: str | None = None
    line: int = 0

    @property
    def title(self) -> str:
        """The name of the filter, and what it is without."""
        name = self.compiled.name
        return name if self.left_out is None else f"{name}, all but {self.left_out}"


Paint = Callable[[Line], str]


def place_of(place: SentenceLocation) -> str:
    """Where a sentence stands: source, number and, if it has one, its name."""
    return f"{place.source}:{place.number}" + (f"  {place.sent_id}" if place.sent_id else "")


def kwic(found: Found, width: int | None, paint: Paint) -> Iterator[str]:
    """A line for each match, cut to the width; the place stands above it where there is little room."""
    place = f"{found.place.source}:{found.place.number}"
    above = width is not None and len(place) * _PLACE_SHARE > width
    if above:
        yield paint((Piece(place, "faint"),))
    before = (Piece("  "),) if above else (Piece(f"{place}  ", "faint"),)
    room = (width or _LINE) - sum(len(piece.text) for piece in before)
    for tree in found.trees():
        yield paint((*before, *context(tree, room)))


def trees(found: Found, width: int | None, paint: Paint) -> Iterator[str]:
    """The sentence and its tree for each match."""
    place = safe(place_of(found.place))
    yield paint((Piece(place if width is None else cut(place, width), "faint"),))
    drawn = _drawn(found)
    for tree in drawn:
        yield paint(context(tree, width or _LINE))
        yield from map(paint, tree_lines(tree, width))
        yield ""
    if len(drawn) < len(found.matches):
        yield paint((Piece(f"{_more(found)} in this sentence", "faint"),))
        yield ""


def _drawn(found: Found) -> list[Tree]:
    """The trees to draw: one for each match, as long as they have not too many words in all."""
    trees = found.trees()
    return trees[: max(1, _DRAWN // max(1, len(trees[0].words)))]


def _more(found: Found) -> str:
    return f"… {len(found.matches) - len(_drawn(found)):,} more matches"


def not_drawn(groups: Iterable[Group]) -> int:
    """How many matches have no drawing, because their sentence is long and has many."""
    return sum(max(0, len(found.matches) - len(_drawn(found))) for group in groups for found in group.found)


def html(groups: Iterable[Group], title: str) -> str:
    """One page with all groups."""
    return page(title, [_section(group) for group in groups])


def _section(group: Group) -> Section:
    about, source = group.compiled.metadata.about, group.compiled.definition.span
    text = group.compiled.module.source.text[source.start : source.end]
    entries = [_entry(found) for found in group.found]
    return Section(group.title, about, text, group.counts, entries)


def _entry(found: Found) -> Entry:
    drawn = _drawn(found)
    return Entry(place_of(found.place), drawn, _more(found) if len(drawn) < len(found.matches) else None)


def drawings(groups: Iterable[Group]) -> Iterator[tuple[str, str]]:
    """A file name and an SVG for each match."""
    for number, group in enumerate(groups):
        name = group.compiled.name + ("" if group.left_out is None else f"-near{number + 1}")
        for found in group.found:
            stem = re.sub(r"[^\w.-]", "_", f"{name}-{found.place.source}-{found.place.number}")
            for match, tree in enumerate(_drawn(found), 1):
                yield f"{stem}-{match}.svg", svg(tree, f"{group.title}: {tree.text()}")


def conllu(group: Group) -> Iterator[str]:
    """Each sentence as it was read, with comments for the filter and each match after its own."""
    left_out = [] if group.left_out is None else [f"# left_out = {group.left_out}"]
    for found in group.found:
        yield conllu_of(found, [f"# filter = {group.compiled.name}", *left_out])


def conllu_of(found: Found, comments: Sequence[str]) -> str:
    """A sentence as it was read, with these comments and one for each match after its own."""
    end = "\r\n" if found.block.endswith("\r\n") else "\n"
    lines = found.block.split("\n")
    first = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    matches = (f"# match = {' '.join(f'{name}:{word}' for name, word in match.items())}" for match in found.matches)
    added = "".join(f"{comment}{end}" for comment in (*comments, *matches))
    return "\n".join(lines[:first]) + "\n" * bool(first) + added + "\n".join(lines[first:])


def tsv(groups: Sequence[Group]) -> Iterator[str]:
    """A head and a row for each match: for each name the word's id, form, UPOS and relation."""
    names = list(dict.fromkeys(name for group in groups for name in group.names))
    near = any(group.left_out is not None for group in groups)
    head = ["filter", *(["left_out"] if near else []), "source", "number", "sent_id"]
    head += [f"{name}{part}" for name in names for part in ("", ".form", ".upos", ".deprel")]
    yield _row([*head, "text"])
    for group in groups:
        for found in group.found:
            place = found.place
            where = [group.compiled.name, *([group.left_out or ""] if near else [])]
            where += [place.source, str(place.number), place.sent_id or ""]
            tree = found.trees()[0]
            words, text = {word.id: word for word in tree.words}, tree.text()
            for match in found.matches or [{}]:
                cells: list[str] = []
                for name in names:
                    word = words.get(match.get(name, 0))
                    cells += [""] * 4 if word is None else [str(word.id), word.form, word.upos, word.deprel]
                yield _row([*where, *cells, text])


def _row(cells: Sequence[str]) -> str:
    return "\t".join(re.sub(r"\s", " ", cell) for cell in cells)


def jsonl(group: Group) -> Iterator[str]:
    """An object for each sentence."""
    left_out = {} if group.left_out is None else {"left_out": group.left_out}
    for found in group.found:
        yield json.dumps({"filter": group.compiled.name, **left_out, **entry_of(found)})


def entry_of(found: Found) -> dict[str, Any]:
    """A sentence as plain data: its place, its words, and the words of each match."""
    words = [
        {"id": word.id, "form": word.form, "upos": word.upos, "head": word.head, "deprel": word.deprel}
        | {"space_after": word.space}
        for word in found.trees()[0].words
    ]
    place = found.place
    where = {"source": place.source, "number": place.number, "sent_id": place.sent_id}
    return {**where, "words": words, "matches": list(found.matches)}
