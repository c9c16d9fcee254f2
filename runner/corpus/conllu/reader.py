"""CoNLL-U files into trees, one at a time and validated; what is no tree becomes a rejection that says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.conllu import columns
from runner.corpus.conllu.conllu_errors import WORD_LIMIT, explain, forbidden, layout, truncated, undecodable
from runner.corpus.conllu.tree import intervals
from runner.corpus.files.blocks import Block, FileNotes, blocks, open_input
from runner.corpus.text.surface import Range, declared_text, rebuild

_IDS = tuple(str(i) for i in range(1, WORD_LIMIT + 1))
_HEADS = {str(i): i for i in range(WORD_LIMIT + 1)}
_BARE = frozenset("_")

Edge = tuple[int, int, str]  # head, dependent, label


@dataclass(frozen=True, slots=True)
class Tree:
    """One valid sentence of n words.

    `text` is its block as read, without the empty line; `words` the ten columns of the word lines, each of
    length n, strings as written (not yet NFC); `edges` the enhanced edges between two words; `ranges` the
    multiword tokens. `heads`, `pre`, `last` and `depth` have length n (see `runner.corpus.conllu.tree.intervals`).
    """

    first_line: int
    text: str
    comments: tuple[str, ...]
    words: Sequence[tuple[str, ...]]
    heads: list[int]
    pre: list[int]
    last: list[int]
    depth: list[int]
    ranges: tuple[Range, ...]
    edges: list[Edge]


@dataclass(frozen=True, slots=True)
class Rejection:
    """A block that is no valid sentence: its bytes, and what is wrong with it."""

    first_line: int
    data: bytes
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True)
class Notes:
    """What one file had that is accepted and worth a word, counted while it is read."""

    file: FileNotes = field(default_factory=FileNotes)
    upos: Counter[str] = field(default_factory=Counter)
    root_labels: int = 0
    root_label_line: int = 0

    def add(self, other: Notes) -> None:
        """Count what a later part of the same file had."""
        self.file.bom |= other.file.bom
        self.file.crlf |= other.file.crlf
        self.file.blank_lines += other.file.blank_lines
        self.file.open_end |= other.file.open_end
        self.upos.update(other.upos)
        self.root_labels += other.root_labels
        self.root_label_line = self.root_label_line or other.root_label_line

    def diagnostics(self, name: str) -> list[Diagnostic]:
        """The notes as hints and warnings about the file called `name`."""
        found = []
        if self.file.bom:
            found.append(diagnostic("FICT726", file=name))
        if self.file.crlf:
            found.append(diagnostic("FICT727", file=name))
        if self.file.blank_lines:
            found.append(diagnostic("FICT729", file=name, times=times(self.file.blank_lines, "line")))
        if self.file.open_end:
            found.append(diagnostic("FICT728", file=name))
        for tag, count in sorted(self.upos.items()):
            near = get_close_matches(tag.upper(), sorted(columns.UPOS), 1)
            hint = f"the nearest tag is `{near[0]}`" if near else f"UPOS is one of {' '.join(sorted(columns.UPOS))}"
            counted = times(count, "word")
            found.append(diagnostic("FICT722", hint=hint, found=tag, times=counted, file=name))
        if self.root_labels:
            counted = times(self.root_labels, "sentence")
            found.append(diagnostic("FICT717", file=name, found=counted, line=self.root_label_line))
        return found


def times(count: int, noun: str) -> str:
    """`1 word`, `2,000 words`."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def read(path: Path, name: str, notes: Notes) -> Iterator[Tree | Rejection]:
    """Read a file of CoNLL-U, plain, gzip or xz; `name` stands for it in messages.

    Raises InputError if the file cannot be read at all. `notes` is filled on the way.
    """
    with open_input(path) as stream:
        for block in blocks(stream, notes.file):
            yield parse_block(block, name, notes)


def parse_block(block: Block, name: str, notes: Notes) -> Tree | Rejection:
    """One block as a tree, by whole columns; only where that fails it is looked at line by line."""
    try:
        text = block.data.decode()
    except UnicodeDecodeError as error:
        return Rejection(block.first_line, block.data, (undecodable(block, name, error),))
    lines = text.split("\n")
    if "\r" in text:
        notes.file.crlf = True
        lines = [line.removesuffix("\r") for line in lines]
    tree = _tree(block.first_line, text, lines)
    if tree is None:
        return Rejection(block.first_line, block.data, tuple(explain(block, lines, name)))
    if not block.ended:
        notes.file.open_end = True
        if not _whole(tree, block):
            cut = truncated(block.first_line + len(lines) - 1, lines[-1], name)
            return Rejection(block.first_line, block.data, (cut,))
    _note(tree, notes)
    return tree


def _tree(first_line: int, text: str, lines: list[str]) -> Tree | None:
    """The tree that the lines spell, or None if anything about them is wrong."""
    start = 0
    while start < len(lines) and lines[start].startswith("#"):
        start += 1
    rows = [line.split("\t") for line in lines[start:]]
    try:
        words: Sequence[tuple[str, ...]] = list(zip(*rows, strict=True))
    except ValueError:
        return None
    if len(words) != 10 or any("" in column for column in words) or forbidden(text, lines):
        return None
    if any(columns.features(feats) is None for feats in set(words[5])):
        return None
    ranges: tuple[Range, ...] = ()
    nodes: frozenset[str] = frozenset()
    if words[0] != _IDS[: len(rows)]:
        found = layout(words[0], words[1], words[9])
        nodes = frozenset(word_id for word_id in words[0] if "." in word_id)
        if found is None or _edges(words[8], len(found[0]), nodes) is None:
            return None
        ranges = found[1]
        words = [tuple([column[row] for row in found[0]]) for column in words]
    heads = [_HEADS.get(head, WORD_LIMIT + 1) for head in words[6]]
    if not heads or len(heads) > WORD_LIMIT or max(heads) > len(heads):
        return None
    shape = intervals(heads)
    edges = _edges(words[8], len(heads), nodes)
    if shape is None or edges is None:
        return None
    return Tree(first_line, text, tuple(lines[:start]), words, heads, *shape, ranges, edges)


def _edges(deps: Sequence[str], words: int, nodes: frozenset[str]) -> list[Edge] | None:
    """The enhanced edges between two of `words` words, or None if a DEPS is malformed or leads nowhere."""
    found: list[Edge] = []
    for dependent, text in enumerate(deps, 1):
        if text == "_":
            continue
        for entry in text.split("|"):
            name, _, label = entry.partition(":")
            if not label:
                return None
            head = _HEADS.get(name)
            if head is None:
                if name not in nodes:
                    return None
            elif head > words:
                return None
            elif head:
                found.append((head, dependent, label))
    return found


def _whole(tree: Tree, block: Block) -> bool:
    """Whether a sentence at the very end of a file, without an empty line after it, has lost nothing."""
    if not block.newline and tree.words[9][-1] != "_":
        return False
    declared = declared_text(tree.comments)
    rebuilt = rebuild(tree.words[1], tree.words[9], tree.ranges)
    return declared is not None and "".join(declared.split()) == "".join(rebuilt.split())


def _note(tree: Tree, notes: Notes) -> None:
    unknown = set(tree.words[3]) - columns.UPOS - _BARE
    if unknown:
        notes.upos.update(tag for tag in tree.words[3] if tag in unknown)
    labels = tree.words[7]
    if labels.count("root") != 1 or labels[tree.heads.index(0)] != "root":
        notes.root_labels += 1
        notes.root_label_line = notes.root_label_line or tree.first_line
