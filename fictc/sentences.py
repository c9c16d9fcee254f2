"""CoNLL-U to sentences that can be matched, and that show as trees."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fictc.errors import FilterError, as_filter_error
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.draw.page import framed
from fictdsl.draw.page import sentence as in_words
from fictdsl.draw.pieces import plain
from fictdsl.draw.svg import svg
from fictdsl.draw.terminal import tree_lines
from fictdsl.draw.tree import Tree
from fictdsl.draw.tree import words as drawn_words
from fictdsl.reference import sentence as reference
from fictdsl.reference.conllu import read
from fictdsl.reference.sentence import Word

__all__ = ["Sentence", "Word", "read_conllu"]

_SHOWN = 20  # errors that one exception holds


@dataclass(frozen=True)
class Sentence:
    """One tree: `words` in order, ids from 1; `conllu` are the lines that it was read from, to the byte."""

    read: reference.Sentence = field(repr=False)
    conllu: str = field(repr=False)

    @property
    def words(self) -> tuple[Word, ...]:
        """The syntactic words, without multiword tokens and empty nodes."""
        return self.read.words

    @property
    def text(self) -> str:
        """The sentence as it is printed."""
        return self.read.text or ""

    @property
    def sent_id(self) -> str | None:
        """The comment of that name."""
        return self.read.sent_id

    @property
    def doc(self) -> str | None:
        """The document that it belongs to: the last `newdoc id` at or before it, or SOURCE-NUMBER."""
        return self.read.doc

    @property
    def meta(self) -> Mapping[str, tuple[str, ...]]:
        """All comments: the values of each key."""
        return self.read.meta

    def tree(self, labels: Mapping[int, str] | None = None) -> Tree:
        """What is drawn of it, with names at some words."""
        return Tree(drawn_words(self.conllu), labels or {})

    def __len__(self) -> int:
        return len(self.words)

    def __str__(self) -> str:
        return plain(tree_lines(self.tree()))

    def __repr__(self) -> str:
        return f"<Sentence{f' {self.sent_id}' if self.sent_id else ''}: {self.text}>"

    def _repr_svg_(self) -> str:
        return svg(self.tree())

    def _repr_html_(self) -> str:
        return shown(self.tree())


def shown(tree: Tree) -> str:
    """A sentence with its names and its drawing, as a notebook shows them; by itself it would shrink the drawing."""
    drawn = svg(tree).replace("<svg ", '<svg style="max-width:none" ', 1)
    return f"{in_words(tree)}{framed(tree, drawn)}"


def read_conllu(source: str | Path) -> list[Sentence]:
    """The sentences of a file, plain or gzip, or of a text: a `str` with a line break in it is a text.

    Every tree is checked; FilterError says what is wrong with the first of those that are none.
    """
    from runner.corpus.conllu.reader import Notes, Rejection, parse_block
    from runner.corpus.conllu.reader import Tree as CheckedTree
    from runner.corpus.conllu.reader import read_trees as read_file
    from runner.corpus.files.blocks import read_blocks

    notes = Notes()
    problems: list[Diagnostic] = []
    found: list[Sentence] = []
    items: Iterable[CheckedTree | Rejection]
    with as_filter_error():
        label = "text"
        if isinstance(source, str) and "\n" in source:
            stream = io.BytesIO(source.encode())
            items = (parse_block(block, "<text>", notes) for block in read_blocks(stream, notes.file))
        else:
            label = Path(source).name
            items = read_file(Path(source), str(source), notes)
        for item in items:
            if isinstance(item, Rejection):
                problems += item.diagnostics
            elif not problems:
                found.append(sentence(item.text, label, len(found) + 1))
    if problems:
        raise FilterError(problems[:_SHOWN])
    return list(_with_documents(found))


def sentence(block: str, source: str = "", number: int = 1) -> Sentence:
    """One sentence from a block of CoNLL-U that is known to be valid, and its place in what it is from."""
    (one,) = read(block, source, number)
    return Sentence(one, block.rstrip("\r\n"))


def _with_documents(sentences: list[Sentence]) -> Iterator[Sentence]:
    doc: str | None = None
    for one in sentences:
        doc = one.doc if one.doc is not None else doc
        yield replace(one, read=replace(one.read, doc=doc))
