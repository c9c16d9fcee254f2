"""The examples of a file: sentences with the expected outcome of a filter or rewrite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from fictdsl.compiler import CompiledFilter, CompiledRewrite
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.reference import sentences as reference_conllu
from fictdsl.reference.sentences import Sentence
from fictdsl.source import Source, Span
from runner.corpus.conllu_reader import Rejection, Tree, file_contents, read_trees
from runner.errors import InputError

Match = frozenset[tuple[str, int]]  # the bindings of a match: names and word numbers, from 1


@dataclass(frozen=True)
class Example:
    """A sentence that a filter is expected to match or, if `positive` is False, not to match.

    Each binding of `binds` must be part of a match. `index` is the index of the sentence in its file, which has `total`
    sentences. For an example of a rewrite, `filter` finds the matches of the rewrite, `text` is the expected text
    (empty for a dropped sentence), and `rows` are the expected lines of the tree without comments. `text` and `rows`
    are None if the file does not state them.
    """

    filter: CompiledFilter
    sentence: Sentence
    positive: bool
    binds: tuple[Match, ...]
    path: Path
    line: int
    index: int
    total: int
    block: str  # the sentence as CoNLL-U
    rewrite: CompiledRewrite | None = None
    text: str | None = None
    rows: tuple[str, ...] | None = None


def examples_path(filter_file: Path) -> Path:
    return filter_file.parent / "examples" / f"{filter_file.stem}.conllu"


def read_examples(
    filter_file: Path, filters: Sequence[CompiledFilter], rewrites: Sequence[CompiledRewrite] = ()
) -> list[Example]:
    """Return the examples of a file that defines `filters` and `rewrites`.

    Raises InputError for invalid trees and for comments that are missing or invalid.
    """
    path = examples_path(filter_file)
    if not path.is_file():
        return []
    defined = {each.name: each for each in (*filters, *(rewrite.matching for rewrite in rewrites))}
    rewrites_by_name = {each.name: each for each in rewrites}
    blocks = _blocks(path)
    examples: list[Example] = []
    for index, (comments, tree) in enumerate(blocks):
        if comments.is_expected_result:
            comments.check_result(blocks[index - 1][0] if index else None)
            continue
        positive, binds, text = comments.expect(), comments.binds(), comments.text()
        rows = _rows_after(blocks, index)
        named_filters = comments.filters(list(defined.values()), filter_file)
        if rows is not None and not any(compiled.name in rewrites_by_name for compiled in named_filters):
            blocks[index + 1][0].reject_result("the sentence before it is not an example of a rewrite")
        for compiled in named_filters:
            comments.check_names(compiled)
            rewrite = rewrites_by_name.get(compiled.name)
            comments.check_rewrite(rewrite, positive=positive)
            location = (path, comments.line, index, len(blocks))
            examples.append(
                Example(compiled, comments.sentence, positive, binds, *location, tree.text, rewrite, text, rows)
            )
    return examples


def _blocks(path: Path) -> list[tuple[_Comments, Tree]]:
    trees = list(_trees(path))
    content = b"".join(file_contents([path])).decode("utf-8-sig")
    text = content.replace("\r\n", "\n")
    source = Source.of(text, str(path))
    sentences = zip(reference_conllu.read(text, path.name), trees, strict=True)
    return [(_Comments(sentence, source, tree.first_line), tree) for sentence, tree in sentences]


def _trees(path: Path) -> Iterator[Tree]:
    for tree in read_trees(path, str(path)):
        if isinstance(tree, Rejection):
            raise InputError(tree.diagnostics)
        yield tree


def _rows_after(blocks: Sequence[tuple[_Comments, Tree]], index: int) -> tuple[str, ...] | None:
    """Return the lines of the expected tree after an example, or None if there is none."""
    if index + 1 == len(blocks) or not blocks[index + 1][0].is_expected_result:
        return None
    return rows_of(blocks[index + 1][1].text)


def _comment_key(line: str) -> str | None:
    return line[1:].partition("=")[0].strip() if line.startswith("#") else None


def rows_of(block: str) -> tuple[str, ...]:
    """Return the lines of a block of CoNLL-U without comments."""
    lines = (line.removesuffix("\r") for line in block.split("\n"))
    return tuple(line for line in lines if not line.startswith("#"))


@dataclass(frozen=True)
class _Comments:
    sentence: Sentence
    source: Source
    line: int

    @property
    def is_expected_result(self) -> bool:
        return self._values("expect") == ("rewritten",)

    def check_result(self, preceding: _Comments | None) -> None:
        if preceding is None or preceding.is_expected_result:
            self.reject_result("the sentence before it is not an example")

    def reject_result(self, reason: str) -> NoReturn:
        raise self._invalid("expect", "rewritten", reason)

    def expect(self) -> bool:
        values = self._values("expect")
        if not values:
            raise self._error("FICT780", None, key="expect")
        if len(values) > 1 or values[0] not in {"match", "pass"}:
            raise self._invalid("expect", values[-1], "expected one comment, `match`, `pass` or `rewritten`")
        if values[0] == "pass" and self._values("bind"):
            raise self._invalid("bind", self._values("bind")[0], "a sentence without a match has no bindings")
        return values[0] == "match"

    def text(self) -> str | None:
        """Return the text of `# expect-text`, empty if the sentence is dropped."""
        values = self._values("expect-text")
        if len(values) > 1:
            raise self._invalid("expect-text", values[-1], "expected one comment")
        return values[0] if values else None

    def check_rewrite(self, rewrite: CompiledRewrite | None, *, positive: bool) -> None:
        if self.text() is not None and (rewrite is None or not positive):
            reason = "a filter changes no text" if rewrite is None else "a sentence without a match does not change"
            raise self._invalid("expect-text", self.text() or "", reason)

    def binds(self) -> tuple[Match, ...]:
        return tuple(
            frozenset(self._parse_binding(binding, value) for binding in value.split())
            for value in self._values("bind")
        )

    def _parse_binding(self, binding: str, value: str) -> tuple[str, int]:
        name, _, word = binding.partition(":")
        if not word.isdecimal() or not 1 <= int(word) <= len(self.sentence.words):
            raise self._invalid("bind", value, f"expected a name and a word number, such as `V:3`, found `{binding}`")
        return name, int(word)

    def check_names(self, compiled: CompiledFilter) -> None:
        for value in self._values("bind"):
            for binding in value.split():
                if (name := binding.partition(":")[0]) not in compiled.names:
                    names = ", ".join(compiled.names) or "none"
                    raise self._invalid("bind", value, f"`{compiled.name}` does not bind `{name}`; it binds {names}")

    def filters(self, defined: Sequence[CompiledFilter], filter_file: Path) -> Sequence[CompiledFilter]:
        """Return the filters that the comments name, or all, which must be of one family."""
        names = (*self._values("filter"), *self._values("rewrite"))
        families = {compiled.definition.name.text for compiled in defined}
        if not names:
            if len(families) > 1:
                raise self._error("FICT780", None, key="filter")
            return defined
        for name in names:
            if name not in families | {compiled.name for compiled in defined}:
                key = "filter" if name in self._values("filter") else "rewrite"
                raise self._error("FICT781", (key, name), name=name, path=filter_file, kind=key)
        return [compiled for compiled in defined if compiled.name in names or compiled.definition.name.text in names]

    def _values(self, key: str) -> tuple[str, ...]:
        return self.sentence.meta.get(key, ())

    def _invalid(self, key: str, value: str, reason: str) -> InputError:
        return self._error("FICT782", (key, value), key=key, value=value, reason=reason)

    def _error(self, code: str, comment: tuple[str, str] | None, **parameters: Any) -> InputError:
        return InputError(diagnostic(code, self.source, self._span(comment), **parameters))

    def _span(self, comment: tuple[str, str] | None) -> Span:
        """Return the span of the last comment with this key and value, or of the first line of the sentence."""
        lines = self.source.text.split("\n")
        line = self.line - 1
        if comment is not None:
            key, value = comment
            values = self._values(key)
            occurrence = len(values) - 1 - values[::-1].index(value)
            line = [number for number, text in enumerate(lines) if number >= line and _comment_key(text) == key][
                occurrence
            ]
        start = sum(len(text) + 1 for text in lines[:line])
        return Span(start, start + len(lines[line].rstrip("\r")))
