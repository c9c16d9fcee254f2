"""Read CoNLL-U one sentence at a time as validated trees or rejections, and search files for labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.schema import Field
from fictdsl.words import counted
from runner.corpus import conllu_columns
from runner.corpus.conllu_columns import as_conllu, tree_intervals
from runner.corpus.conllu_errors import (
    WORD_LIMIT,
    decoding_error,
    explain_block,
    has_forbidden_character,
    number_words,
    truncation_error,
)
from runner.corpus.corpus_files import CONLLU_MEMBERS, Block, FileNotes, archive_members, open_input, read_blocks
from runner.corpus.surface import MultiwordToken, declared_text, rebuild

_IDS = tuple(str(i) for i in range(1, WORD_LIMIT + 1))
_HEADS = {str(i): i for i in range(WORD_LIMIT + 1)}
_NO_TAG = frozenset({"_"})
_MAX_TAGS = 20  # unknown UPOS tags that are listed; the others are counted

Edge = tuple[int, int, str]  # head, dependent, label


@dataclass(frozen=True, slots=True)
class Tree:
    """A valid sentence of n words.

    `text` is its block as read, without the empty line. `words` has the ten columns of the words, each of length n,
    with the strings of the file, which are not normalised. `edges` are the enhanced edges between two words, and
    `ranges` the multiword tokens. `heads`, `pre`, `last` and `depth` have length n (see
    `runner.corpus.conllu_columns.tree_intervals`).
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


@dataclass(frozen=True, slots=True)
class Rejection:
    first_line: int
    data: bytes
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True)
class Notes:
    file: FileNotes = field(default_factory=FileNotes)
    upos: Counter[str] = field(default_factory=Counter)  # the words with each unknown tag
    root_labels: int = 0  # sentences in which head 0 and the label `root` do not coincide
    root_label_line: int = 0  # the line where the first of them begins, 0 if there is none
    empty_texts: int = 0  # comments `text` without a value
    other_texts: int = 0  # sentences whose `text` has other words
    withheld: int = 0  # sentences without a form

    def add(self, other: Notes) -> None:
        self.file.bom |= other.file.bom
        self.file.crlf |= other.file.crlf
        self.file.blank_lines += other.file.blank_lines
        self.file.open_end |= other.file.open_end
        self.upos.update(other.upos)
        self.root_labels += other.root_labels
        self.root_label_line = self.root_label_line or other.root_label_line
        self.empty_texts += other.empty_texts
        self.other_texts += other.other_texts
        self.withheld += other.withheld
        self.file.inner_boms += other.file.inner_boms

    def diagnostics(self, name: str) -> Iterator[Diagnostic]:
        file = self.file
        if file.plus:
            yield diagnostic("FICT864", file=name, difference=file.plus)
        if file.bom:
            yield diagnostic("FICT726", file=name)
        if file.crlf:
            yield diagnostic("FICT727", file=name)
        if file.blank_lines:
            yield diagnostic("FICT729", file=name, lines=counted(file.blank_lines, "line"))
        if file.open_end:
            yield diagnostic("FICT728", file=name)
        yield from self._unknown_tags(name)
        if self.root_labels:
            found = counted(self.root_labels, "sentence")
            yield diagnostic("FICT717", file=name, found=found, line=self.root_label_line)
        if file.inner_boms:
            yield diagnostic("FICT860", file=name, count=counted(file.inner_boms, "byte order mark"))
        if self.empty_texts:
            yield diagnostic("FICT861", file=name, count=counted(self.empty_texts, "comment"))
        if self.other_texts:
            yield diagnostic("FICT862", file=name, count=counted(self.other_texts, "sentence"))
        if self.withheld:
            yield diagnostic("FICT863", file=name, count=counted(self.withheld, "sentence"))

    def _unknown_tags(self, name: str) -> Iterator[Diagnostic]:
        """Yield a warning for each of the most frequent unknown UPOS tags, and one for all others."""
        frequent_tags = dict(self.upos.most_common(_MAX_TAGS))
        for tag, count in sorted(frequent_tags.items()):
            suggestion = nearest(tag, sorted(conllu_columns.UPOS))
            hint = (
                f"the nearest tag is `{suggestion}`"
                if suggestion
                else f"UPOS is one of {' '.join(sorted(conllu_columns.UPOS))}"
            )
            times = counted(count, "word")
            yield diagnostic("FICT722", hint=hint, found=f"tag `{tag}`", times=times, file=name)
        if len(self.upos) > _MAX_TAGS:
            times = counted(self.upos.total() - sum(frequent_tags.values()), "word")
            omitted = f"tags: {len(self.upos) - _MAX_TAGS:,} more"
            hint = "the fourth column of CoNLL-U is UPOS"
            yield diagnostic("FICT722", hint=hint, found=omitted, times=times, file=name)


def read_trees(path: Path, name: str, notes: Notes) -> Iterator[Tree | Rejection]:
    """Read a file of CoNLL-U or CoNLL-U Plus, plain or compressed with gzip or xz, and add its notes to `notes`.

    `name` is the name of the file in messages. Raises InputError if the file cannot be read.
    """
    with open_input(path) as stream:
        for block in read_blocks(as_conllu(stream, name, notes.file), notes.file):
            yield parse_block(block, name, notes)


def parse_block(block: Block, name: str, notes: Notes) -> Tree | Rejection:
    """Parse a block by whole columns. If that fails, check it line by line to explain its errors."""
    try:
        text = block.data.decode()
    except UnicodeDecodeError as error:
        return Rejection(block.first_line, block.data, (decoding_error(block, name, error),))
    lines = text.split("\n")
    if "\r" in text:
        notes.file.crlf = True
        lines = [line.removesuffix("\r") for line in lines]
    tree = _parse_tree(block.first_line, text, lines)
    if tree is None:
        errors = tuple(explain_block(block, lines, name))
        assert errors, f"{name}:{block.first_line}: rejected without an error"
        return Rejection(block.first_line, block.data, errors)
    if not block.ended:
        if not _is_complete(tree, block):
            truncated = truncation_error(block.first_line + len(lines) - 1, lines[-1], name)
            return Rejection(block.first_line, block.data, (truncated,))
        notes.file.open_end = True
    _note_labels(tree, notes)
    _note_texts(tree, notes)
    return tree


def _parse_tree(first_line: int, text: str, lines: list[str]) -> Tree | None:
    start = 0
    while start < len(lines) and lines[start].startswith("#"):
        start += 1
    rows = [line.split("\t") for line in lines[start:]]
    try:
        words: Sequence[tuple[str, ...]] = list(zip(*rows, strict=True))
    except ValueError:
        return None
    if len(words) != len(Field) or any("" in column for column in words) or has_forbidden_character(text, lines):
        return None
    if any(conllu_columns.parse_feats(feats) is None for feats in set(words[Field.FEATS])):
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


def _is_complete(tree: Tree, block: Block) -> bool:
    if not block.newline and tree.words[Field.MISC][-1] != "_":
        return False
    declared = declared_text(tree.comments)
    rebuilt = rebuild(tree.words[Field.FORM], tree.words[Field.MISC], tree.ranges)
    return declared is not None and "".join(declared.split()) == "".join(rebuilt.split())


def have_other_words(text: str, other: str) -> bool:
    """Return whether two texts differ in more than white space and normalisation."""
    return "".join(normalize("NFC", text).split()) != "".join(normalize("NFC", other).split())


def _note_texts(tree: Tree, notes: Notes) -> None:
    entries = [conllu_columns.parse_comment(comment[1:])[:2] for comment in tree.comments if "=" in comment]
    notes.empty_texts += entries.count(("text", ""))
    declared = declared_text(tree.comments)
    rebuilt = rebuild(tree.words[Field.FORM], tree.words[Field.MISC], tree.ranges)
    notes.other_texts += declared is not None and have_other_words(declared, rebuilt)
    notes.withheld += set(tree.words[Field.FORM]) == {"_"}


def _note_labels(tree: Tree, notes: Notes) -> None:
    unknown = set(tree.words[Field.UPOS]) - conllu_columns.UPOS - _NO_TAG
    if unknown:
        notes.upos.update(tag for tag in tree.words[Field.UPOS] if tag in unknown)
    labels = tree.words[Field.DEPREL]
    if labels.count("root") != 1 or labels[tree.heads.index(0)] != "root":
        notes.root_labels += 1
        notes.root_label_line = notes.root_label_line or tree.first_line


def missing_features(paths: Iterable[Path], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any file has. Reading stops when all features have been found.

    Raises InputError (FICT700, FICT739) if a file cannot be read.
    """
    return features_missing_in(file_contents(paths), features)


def features_missing_in(contents: Iterable[bytes], features: Iterable[str]) -> set[str]:
    """Return the `features` that no word of any CoNLL-U text has. Later texts are left once all have been found."""
    missing = set(features)
    for content in contents:
        missing -= {
            name for name in missing if _occurs(content, rb"[\t|]" + re.escape(name.encode()) + b"=", Field.FEATS)
        }
        if not missing:
            break
    return missing


def label_occurs(paths: Iterable[Path], label: str, field: Field) -> bool:
    """Return whether a word of any file has a label, or a subtype of it, in a field.

    Raises InputError (FICT700, FICT739) if a file cannot be read.
    """
    pattern = rb"\t" + re.escape(label.encode()) + rb"(?=[\t:])"
    return any(_occurs(content, pattern, field) for content in file_contents(paths))


def file_contents(paths: Iterable[Path]) -> Iterator[bytes]:
    """Yield the content of each file in CoNLL-U, decompressed, and of each member of an archive that an import reads.

    Raises InputError (FICT700, FICT739) if a file cannot be read.
    """
    for path in paths:
        members: Sequence[str | None] = archive_members(path, CONLLU_MEMBERS) or [None]
        for member in members:
            with open_input(path, member=member) as stream:
                yield as_conllu(stream, str(path), FileNotes()).read()


def _occurs(content: bytes, pattern: bytes, field: Field) -> bool:
    """Return whether a pattern that begins with a separator matches in a field of a word's line."""
    for match in re.finditer(pattern, content):
        line_start = content.rfind(b"\n", 0, match.start()) + 1
        word_id = content[line_start : content.find(b"\t", line_start)]  # multiword tokens and empty nodes are no words
        if word_id.isdigit() and content.count(b"\t", line_start, match.start() + 1) == field:
            return True
    return False
