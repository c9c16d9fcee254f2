"""A second reading of CoNLL-U, sentence by sentence in plain Python, to hold the product's reading of columns to."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from fictdsl.glossary import UPOS
from fictdsl.schema import Field
from runner.corpus.byte_columns import SIZE, index_lines, read_pieces
from runner.corpus.conllu_columns import Notes, parse_comment, parse_feats
from runner.corpus.conllu_reader import WORD_LIMIT, Block, Rejection, block_errors
from runner.corpus.conllu_tables import parse_piece
from runner.corpus.corpus_files import BOM
from runner.corpus.surface import MultiwordToken, declared_text, rebuilt_text

_IDS = tuple(str(i) for i in range(1, WORD_LIMIT + 1))
_HEADS = {str(i): i for i in range(WORD_LIMIT + 1)}
_RANGE_ID = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_EMPTY_ID = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")

Edge = tuple[int, int, str]  # head, dependent, label


@dataclass(frozen=True, slots=True)
class Tree:
    """A valid sentence of n words.

    `text` is its block as read, without the empty line. `words` has the ten columns of the words, each of length n,
    with the strings of the file, which are not normalised. `edges` are the enhanced edges between two words, and
    `ranges` the multiword tokens. `heads`, `pre`, `last` and `depth` have length n (see `tree_intervals`).
    """

    first_line: int
    text: str
    comments: tuple[str, ...]
    words: Sequence[tuple[str, ...]]
    heads: list[int]
    pre: list[int]
    last: list[int]
    depth: list[int]
    ranges: tuple[MultiwordToken, ...]
    edges: list[Edge]


def read_plainly(data: bytes, name: str, notes: Notes) -> Iterator[Tree | Rejection]:
    """Yield every sentence of CoNLL-U, valid or rejected, and add to `notes`."""
    for block in _blocks(io.BytesIO(data), notes):
        yield parse_block(block, name, notes)


def parse_block(block: Block, name: str, notes: Notes) -> Tree | Rejection:
    errors = tuple(block_errors(block, name))
    try:
        text = block.data.decode()
    except UnicodeDecodeError:
        return Rejection(block.first_line, block.data, errors)
    notes.crlf |= "\r" in text
    tree = _parse_tree(block.first_line, text, [line.removesuffix("\r") for line in text.split("\n")])
    if tree is None or (errors and not block.ended):
        assert errors, f"{name}:{block.first_line}: rejected without an error"
        return Rejection(block.first_line, block.data, errors)
    assert not errors, errors
    notes.open_end |= not block.ended
    _note_labels(tree, notes)
    _note_texts(tree, notes)
    return tree


def _blocks(stream: io.BytesIO, notes: Notes) -> Iterator[Block]:
    lines: list[bytes] = []
    next_line = first_line = 1
    for line in stream:
        if next_line == 1 and line.startswith(BOM):
            notes.bom = True
            line = line[3:]  # noqa: PLW2901
        while not lines and line.startswith(BOM):
            notes.inner_boms += 1
            line = line[3:]  # noqa: PLW2901
        next_line += 1
        if not line or line.isspace():
            if line not in (b"\n", b"\r\n", b"\r", b""):  # a truncated file may end in `\r`
                notes.blank_lines += 1
            if lines:
                yield Block(first_line, b"".join(lines).removesuffix(b"\n"), ended=True, newline=True)
                lines = []
            first_line = next_line
        else:
            lines.append(line)
    if lines:
        data = b"".join(lines)
        yield Block(first_line, data.removesuffix(b"\n"), ended=False, newline=data.endswith(b"\n"))


@dataclass(frozen=True, slots=True)
class ColumnTree:
    """A sentence as the product reads it; `words` has its rows of `tokens`, and `edges` those of `enhanced`."""

    first_line: int
    text: str
    words: list[dict[str, object]]
    edges: list[Edge]

    def column(self, name: str) -> list[object]:
        return [word[name] for word in self.words]


def read_columns(data: bytes, name: str, notes: Notes, size: int = SIZE) -> Iterator[ColumnTree | Rejection]:
    """Yield what `read_plainly` does, read by columns in pieces of about `size` bytes."""
    for piece in read_pieces(io.BytesIO(data), notes, size):
        parsed = parse_piece(piece, name)
        notes.add(parsed.notes)
        rejected = {item.first_line for item in parsed.rejections}
        first_lines = [line for line in index_lines(piece, Notes()).first.tolist() if line not in rejected]
        items: list[ColumnTree | Rejection] = [*parsed.rejections]
        if parsed.tables is not None:
            words, edges = (parsed.tables[table].to_pylist() for table in ("tokens", "enhanced"))
            blocks = parsed.tables["raw"]["conllu"].to_pylist()
            for sid, (first_line, text) in enumerate(zip(first_lines, blocks, strict=True)):
                own_words = [{**word, "sid": 0} for word in words if word["sid"] == sid]
                own_edges = [(edge["head"], edge["dep"], edge["label"]) for edge in edges if edge["sid"] == sid]
                items.append(ColumnTree(first_line, text, own_words, own_edges))
        yield from sorted(items, key=lambda item: item.first_line)


def _parse_tree(first_line: int, text: str, lines: list[str]) -> Tree | None:
    start = 0
    while start < len(lines) and lines[start].startswith("#"):
        start += 1
    rows = [line.split("\t") for line in lines[start:]]
    try:
        words: Sequence[tuple[str, ...]] = list(zip(*rows, strict=True))
    except ValueError:
        return None
    if (
        len(words) != len(Field)
        or any("" in column for column in words)
        or "\0" in text
        or any("\r" in line for line in lines)
    ):
        return None
    if any(parse_feats(feats) is None for feats in set(words[Field.FEATS])):
        return None
    ranges: tuple[MultiwordToken, ...] = ()
    empty_nodes: frozenset[str] = frozenset()
    if words[Field.ID] != _IDS[: len(rows)]:
        numbering = number_words(words[Field.ID], words[Field.FORM], words[Field.MISC])
        empty_nodes = frozenset(word_id for word_id in words[Field.ID] if "." in word_id)
        if numbering is None or _enhanced_edges(words[Field.DEPS], len(numbering[0]), empty_nodes) is None:
            return None
        ranges = numbering[1]
        words = [tuple([column[row] for row in numbering[0]]) for column in words]
    heads = [_HEADS.get(head, WORD_LIMIT + 1) for head in words[Field.HEAD]]
    if not heads or len(heads) > WORD_LIMIT or max(heads) > len(heads):
        return None
    intervals = tree_intervals(heads)
    edges = _enhanced_edges(words[Field.DEPS], len(heads), empty_nodes)
    if intervals is None or edges is None:
        return None
    return Tree(first_line, text, tuple(lines[:start]), words, heads, *intervals, ranges, edges)


def _enhanced_edges(deps: Sequence[str], word_count: int, empty_nodes: frozenset[str]) -> list[Edge] | None:
    edges: list[Edge] = []
    for dependent, text in enumerate(deps, 1):
        if text == "_":
            continue
        for entry in text.split("|"):
            name, _, label = entry.partition(":")
            if not label:
                return None
            head = _HEADS.get(name)
            if head is None:
                if name not in empty_nodes:
                    return None
            elif head > word_count:
                return None
            elif head:
                edges.append((head, dependent, label))
    return edges


def number_words(
    ids: Sequence[str], forms: Sequence[str], miscs: Sequence[str]
) -> tuple[list[int], tuple[MultiwordToken, ...]] | None:
    """Return the indices of the rows that are words, and the multiword tokens, or None if the ids are not valid."""
    rows: list[int] = []
    multiword_tokens: list[MultiwordToken] = []
    last_covered = empty_nodes = 0
    for row, word_id in enumerate(ids):
        if word_id == str(len(rows) + 1):
            rows.append(row)
            empty_nodes = 0
        elif match := _RANGE_ID.fullmatch(word_id):
            start, end = int(match[1]), int(match[2])
            if start != len(rows) + 1 or end <= start or start <= last_covered:
                return None
            last_covered = end
            multiword_tokens.append(MultiwordToken(start, end, forms[row], miscs[row]))
        elif (match := _EMPTY_ID.fullmatch(word_id)) and (int(match[1]), int(match[2])) == (len(rows), empty_nodes + 1):
            empty_nodes += 1
        else:
            return None
    return (rows, tuple(multiword_tokens)) if last_covered <= len(rows) else None


def tree_intervals(heads: Sequence[int]) -> tuple[list[int], list[int], list[int]] | None:
    """Return `pre`, `last` and `depth` of each word, in word order, or None if the heads are not a tree.

    `heads[i]` is the head of word i + 1, from 0 to len(heads). Word b is below word a if and only if `pre[a] < pre[b]
    <= last[a]`. `pre` starts at 1, and the root has depth 1.
    """
    word_count = len(heads)
    children: list[list[int]] = [[] for _ in range(word_count + 1)]
    for word in range(word_count, 0, -1):  # from the right, so that the stack pops them from the left
        children[heads[word - 1]].append(word)
    if len(children[0]) != 1:
        return None
    pre, depth = [0] * (word_count + 1), [0] * (word_count + 1)
    order: list[int] = []
    stack = [children[0][0]]
    while stack:
        word = stack.pop()
        order.append(word)
        pre[word] = len(order)
        depth[word] = depth[heads[word - 1]] + 1
        stack += children[word]
    if len(order) != word_count:
        return None
    last = pre[:]
    for word in reversed(order):
        head = heads[word - 1]
        if last[word] > last[head]:  # noqa: PLR1730 - a call of max would dominate the time
            last[head] = last[word]
    return pre[1:], last[1:], depth[1:]


def have_other_words(text: str, other: str) -> bool:
    """Return whether two texts differ in more than white space and normalisation."""
    return "".join(normalize("NFC", text).split()) != "".join(normalize("NFC", other).split())


def _note_texts(tree: Tree, notes: Notes) -> None:
    entries = [parse_comment(comment[1:])[:2] for comment in tree.comments if "=" in comment]
    notes.empty_texts += entries.count(("text", ""))
    declared = declared_text(tree.comments)
    rebuilt = rebuilt_text(tree.text)
    notes.other_texts += declared is not None and have_other_words(declared, rebuilt)
    notes.withheld += set(tree.words[Field.FORM]) == {"_"}


def _note_labels(tree: Tree, notes: Notes) -> None:
    unknown = set(tree.words[Field.UPOS]) - {*UPOS, "_"}
    if unknown:
        notes.upos.update(tag for tag in tree.words[Field.UPOS] if tag in unknown)
    labels = tree.words[Field.DEPREL]
    if labels.count("root") != 1 or labels[tree.heads.index(0)] != "root":
        notes.root_labels += 1
        notes.root_label_line = notes.root_label_line or tree.first_line
