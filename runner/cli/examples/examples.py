"""The trees beside a filter file into examples: a sentence, a filter and what is expected of the two."""

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
    """One expectation: the filter matches the sentence, or (`positive` is False) it does not.

    Each of `binds` must lie in some match. `number` counts the sentences of the file, which has `total`, from 0.
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
    """Where the examples of a filter file lie: `examples/<name>.conllu` in the same folder."""
    return filter_file.parent / "examples" / f"{filter_file.stem}.conllu"


def read_examples(filter_file: Path, filters: Sequence[CompiledFilter]) -> list[Example]:
    """The examples of a file, `filters` being all it defines; none where there is no file of examples.

    Raises InputError for what is no tree, and for comments that are missing or cannot be read.
    """
    path = examples_path(filter_file)
    if not path.is_file():
        return []
    lines = _first_lines(path)
    text = path.read_text("utf-8-sig")
    source = Source.of(text, str(path))
    found: list[Example] = []
    for number, (sentence, line) in enumerate(zip(reference_conllu.read(text), lines, strict=True)):
        comments = _Comments(sentence, source, line)
        positive, binds = comments.expect(), comments.binds()
        for compiled in comments.filters(filters, filter_file):
            comments.check_names(compiled)
            found.append(Example(compiled, sentence, positive, binds, path, line, number, len(lines)))
    return found


def _first_lines(path: Path) -> list[int]:
    """The line at which each sentence begins; every sentence is checked to be a tree."""
    lines: list[int] = []
    for tree in reader.read_trees(path, str(path), reader.Notes()):
        if isinstance(tree, reader.Rejection):
            raise InputError(tree.diagnostics)
        lines.append(tree.first_line)
    return lines


@dataclass(frozen=True)
class _Comments:
    """The comments of one sentence, and where in the file they stand."""

    sentence: Sentence
    source: Source
    line: int

    def expect(self) -> bool:
        """Whether a match is expected."""
        values = self._values("expect")
        if not values:
            raise self._error("FICT780", None, key="expect")
        if len(values) > 1 or values[0] not in {"match", "pass"}:
            raise self._unreadable("expect", values[-1], "it is `match` or `pass`, once")
        if values[0] == "pass" and self._values("bind"):
            raise self._unreadable("bind", self._values("bind")[0], "where nothing matches nothing is bound")
        return values[0] == "match"

    def binds(self) -> tuple[Match, ...]:
        """The pairs of every `# bind = V:3 S:2`."""
        return tuple(frozenset(self._pair(part, value) for part in value.split()) for value in self._values("bind"))

    def _pair(self, part: str, value: str) -> tuple[str, int]:
        name, _, word = part.partition(":")
        if not word.isdecimal() or not 1 <= int(word) <= len(self.sentence.words):
            raise self._unreadable("bind", value, f"`{part}` is no name with the number of a word, such as `V:3`")
        return name, int(word)

    def check_names(self, compiled: CompiledFilter) -> None:
        """Every name of a `# bind` must be one that the filter binds."""
        for value in self._values("bind"):
            for part in value.split():
                if (name := part.partition(":")[0]) not in compiled.names:
                    names = ", ".join(compiled.names) or "none"
                    raise self._unreadable(
                        "bind", value, f"`{compiled.name}` binds no `{name}`; the names it binds are {names}"
                    )

    def filters(self, defined: Sequence[CompiledFilter], filter_file: Path) -> Iterable[CompiledFilter]:
        """The filters the sentence is an example of: those it names, or all members of the only one there is."""
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

    def _unreadable(self, key: str, value: str, reason: str) -> InputError:
        return self._error("FICT782", key, key=key, value=value, reason=reason)

    def _error(self, code: str, comment: str | None, **parameters: Any) -> InputError:
        return InputError(diagnostic(code, self.source, self._span(comment), **parameters))

    def _span(self, key: str | None) -> Span:
        """The line of the comment `key`, or the sentence's first line."""
        lines = self.source.text.split("\n")
        line = self.line - 1
        while key is not None and lines[line].removeprefix("#").partition("=")[0].strip() != key:
            line += 1
        start = sum(len(before) + 1 for before in lines[:line])
        return Span(start, start + len(lines[line].rstrip("\r")))
