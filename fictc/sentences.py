"""Read CoNLL-U. Its sentences can be matched by filters and drawn in notebooks."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fictc.errors import FilterError, as_filter_error
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.draw.svg import framed, svg
from fictdsl.draw.svg import sentence as sentence_html
from fictdsl.draw.terminal import plain_text, tree_lines
from fictdsl.draw.tree import Tree
from fictdsl.draw.tree import words as drawn_words
from fictdsl.reference import sentences as reference
from fictdsl.reference.sentences import Word, read

__all__ = ["Sentence", "Word", "read_conllu"]

_MAX_ERRORS = 20  # errors that one exception holds


@dataclass(frozen=True)
class Sentence:
    """One dependency tree; word ids count from 1, and `conllu` holds its original lines."""

    parsed: reference.Sentence = field(repr=False)
    conllu: str = field(repr=False)

    @property
    def words(self) -> tuple[Word, ...]:
        """The syntactic words, without multiword tokens and empty nodes."""
        return self.parsed.words

    @property
    def text(self) -> str:
        """The text of the sentence."""
        return self.parsed.text or ""

    @property
    def sent_id(self) -> str | None:
        """The value of the `sent_id` comment."""
        return self.parsed.sent_id

    @property
    def doc(self) -> str | None:
        """The document id: the last `newdoc id` at or before the sentence; None if no document has begun.

        A document without an id is called SOURCE-NUMBER, where NUMBER is the number of its first sentence.
        """
        return self.parsed.doc

    @property
    def meta(self) -> Mapping[str, tuple[str, ...]]:
        """The values of each comment key."""
        return self.parsed.meta

    def tree(self, labels: Mapping[int, str] | None = None) -> Tree:
        """Return the tree to draw; `labels` maps word ids to labels, such as the names of matched nodes."""
        return Tree(drawn_words(self.conllu), labels or {})

    def __len__(self) -> int:
        return len(self.words)

    def __str__(self) -> str:
        return plain_text(tree_lines(self.tree()))

    def __repr__(self) -> str:
        return f"<Sentence{f' {self.sent_id}' if self.sent_id else ''}: {self.text}>"

    def _repr_svg_(self) -> str:
        return svg(self.tree())

    def _repr_html_(self) -> str:
        return notebook_html(self.tree())


def notebook_html(tree: Tree) -> str:
    """Return the HTML of a tree for a notebook. Its style keeps notebooks from shrinking the drawing."""
    drawing = svg(tree).replace("<svg ", '<svg style="max-width:none" ', 1)
    return f"{sentence_html(tree)}{framed(tree, drawing)}"


def read_conllu(source: str | Path) -> list[Sentence]:
    """Read the sentences of a CoNLL-U file (plain, gzip or xz) or of a string in CoNLL-U format.

    A `str` with a line break is read as CoNLL-U, any other `str` as a path.

    Raises FilterError with the first errors if the file cannot be read or a tree is invalid.
    """
    from runner.corpus.conllu_reader import Rejection, check_trees, read_trees

    problems: list[Diagnostic] = []
    sentences: list[Sentence] = []
    with as_filter_error():
        source_name = "text"
        if isinstance(source, str) and "\n" in source:
            raw: Any = io.BytesIO(source.encode())
            items = check_trees(io.BufferedReader(raw), "<text>")
        else:
            source_name = Path(source).name
            items = read_trees(Path(source), str(source))
        for item in items:
            if isinstance(item, Rejection):
                problems += item.diagnostics
            elif not problems:
                sentences.append(parse_sentence(item.text, source_name, len(sentences) + 1))
    if problems:
        raise FilterError(problems[:_MAX_ERRORS])
    doc: str | None = None
    for index, sentence in enumerate(sentences):  # a sentence without a document belongs to that of the one before it
        doc = sentence.doc if sentence.doc is not None else doc
        sentences[index] = replace(sentence, parsed=replace(sentence.parsed, doc=doc))
    return sentences


def check_sentences(values: Iterable[object]) -> None:
    """Raise TypeError for a value that is not a sentence."""
    for value in values:
        if not isinstance(value, Sentence):
            raise TypeError(f"expected sentences, as read_conllu returns, found {type(value).__name__}")


def parse_sentence(block: str, source: str = "", number: int = 1) -> Sentence:
    """Parse one valid block of CoNLL-U, sentence `number` of the file `source`."""
    (parsed,) = read(block, source, number)
    return Sentence(parsed, block.rstrip("\r\n"))
