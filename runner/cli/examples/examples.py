"""The examples of a filter file: sentences with the expected outcome of a filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.reference import conllu as reference_conllu
from fictdsl.reference.sentence import Sentence
from fictdsl.source import Source, Span
from runner.corpus.conllu import reader
from runner.errors import InputError

Match = frozenset[tuple[str, int]]


@dataclass(frozen=True)
class Example:
    """An expectation: the filter matches the sentence or, if `positive` is False, does not.

    Each of `binds` must be part of some match. `number` is the index of the sentence in the file of `total` sentences.
    """

    filter: CompiledFilter
    sentence: Sentence
    positive: bool
    binds: tuple[Match, ...]
    path: Path
    line: int
    number: int
    total: int


def examples_path(filter_file: Path) -> Path:
    """Return the path of the examples of a filter file, `examples/<name>.conllu` in the same folder."""
    return filter_file.parent / "examples" / f"{filter_file.stem}.conllu"


def read_examples(filter_file: Path, filters: Sequence[CompiledFilter]) -> list[Example]:
    """Return the examples of a file that defines `filters`, or an empty list if it has none.

    Raises InputError for invalid trees and for comments that are missing or invalid.
    """
    path = examples_path(filter_file)
    if not path.is_file():
        return []
    lines = _first_lines(path)
    text = path.read_text("utf-8-sig")
    source = Source.of(text, str(path))
    examples: list[Example] = []
    for number, (sentence, line) in enumerate(zip(reference_conllu.read(text), lines, strict=True)):
        comments = _Comments(sentence, source, line)
        positive, binds = comments.expect(), comments.binds()
        for compiled in comments.filters(filters, filter_file):
            comments.check_names(compiled)
            examples.append(Example(compiled, sentence, positive, binds, path, line, number, len(lines)))
    return examples


def _first_lines(path: Path) -> list[int]:
    """Return the first line of each sentence. Raises InputError for invalid trees."""
    lines: list[int] = []
    for tree in reader.read_trees(path, str(path), reader.Notes()):
        if isinstance(tree, reader.Rejection):
            raise InputError(tree.diagnostics)
        lines.append(tree.first_line)
    return lines


@dataclass(frozen=True)
class _Comments:
    """The comments of a sentence, and their location in the file."""

    sentence: Sentence
    source: Source
    line: int

    def expect(self) -> bool:
        """Return whether a match is expected. Raises InputError for a missing or invalid `# expect`."""
        values = self._values("expect")
        if not values:
            raise self._error("FICT780", None, key="expect")
        if len(values) > 1 or values[0] not in {"match", "pass"}:
            raise self._invalid("expect", values[-1], "expected one comment, `match` or `pass`")
        if values[0] == "pass" and self._values("bind"):
            raise self._invalid("bind", self._values("bind")[0], "a sentence without a match has no bindings")
        return values[0] == "match"

    def binds(self) -> tuple[Match, ...]:
        """Return the bindings of every `# bind = V:3 S:2`."""
        return tuple(frozenset(self._pair(part, value) for part in value.split()) for value in self._values("bind"))

    def _pair(self, part: str, value: str) -> tuple[str, int]:
        name, _, word = part.partition(":")
        if not word.isdecimal() or not 1 <= int(word) <= len(self.sentence.words):
            raise self._invalid("bind", value, f"expected a name and a word number, such as `V:3`, found `{part}`")
        return name, int(word)

    def check_names(self, compiled: CompiledFilter) -> None:
        """Raise InputError for a name in a `# bind` that the filter does not bind."""
        for value in self._values("bind"):
            for part in value.split():
                if (name := part.partition(":")[0]) not in compiled.names:
                    names = ", ".join(compiled.names) or "none"
                    raise self._invalid("bind", value, f"`{compiled.name}` does not bind `{name}`; it binds {names}")

    def filters(self, defined: Sequence[CompiledFilter], filter_file: Path) -> Iterable[CompiledFilter]:
        """Return the filters that the comments name, or all members of the only family."""
        names = self._values("filter")
        families = {compiled.definition.name.text for compiled in defined}
        if not names:
            if len(families) > 1:
                raise self._error("FICT780", None, key="filter")
            return defined
        for name in names:
            if name not in families | {compiled.name for compiled in defined}:
                raise self._error("FICT781", "filter", name=name, path=filter_file)
        return [c for c in defined if c.name in names or c.definition.name.text in names]

    def _values(self, key: str) -> tuple[str, ...]:
        return self.sentence.meta.get(key, ())

    def _invalid(self, key: str, value: str, reason: str) -> InputError:
        return self._error("FICT782", key, key=key, value=value, reason=reason)

    def _error(self, code: str, comment: str | None, **parameters: Any) -> InputError:
        return InputError(diagnostic(code, self.source, self._span(comment), **parameters))

    def _span(self, key: str | None) -> Span:
        """Return the span of the comment `key`, or of the first line of the sentence."""
        lines = self.source.text.split("\n")
        line = self.line - 1
        while key is not None and lines[line].removeprefix("#").partition("=")[0].strip() != key:
            line += 1
        start = sum(len(before) + 1 for before in lines[:line])
        return Span(start, start + len(lines[line].rstrip("\r")))
