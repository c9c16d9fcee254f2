"""Read the examples of a file, sentences with the expected outcome of a filter or rewrite, and add sentences to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from fictdsl.compiler import CompiledFilter, CompiledRewrite
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.reference import sentences as reference_conllu
from fictdsl.reference.evaluate import matches
from fictdsl.reference.sentences import Sentence
from fictdsl.semantics import ir
from fictdsl.source import Source, Span
from fictdsl.syntax.files import ListOverrides
from fictdsl.words import counted
from runner.corpus.conllu_reader import Rejection, Tree, file_contents, read_trees
from runner.corpus.filter_arguments import load_matching, load_rewrites
from runner.corpus.surface import exact_text
from runner.errors import InputError
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.corpus.rewrite import Rewritten
    from runner.corpus.rewrite_actions import RewriteCounts
    from runner.corpus.sentence_texts import SentenceLocation
    from runner.corpus.store import Store


Match = frozenset[tuple[str, int]]  # the bindings of a match: names and word numbers, from 1


@dataclass(frozen=True)
class Example:
    filter: CompiledFilter
    sentence: Sentence
    positive: bool
    binds: tuple[Match, ...]  # each must be part of a match
    path: Path
    line: int
    index: int  # among the sentences of the file
    total: int  # sentences of the file
    block: str  # the sentence as CoNLL-U
    rewrite: CompiledRewrite | None = None
    text: str | None = None  # after the rewrite if it is stated, empty for a dropped sentence
    rows: tuple[str, ...] | None = None  # the lines of the tree after the rewrite, if they are stated


def examples_path(filter_file: Path) -> Path:
    return filter_file.parent / "examples" / f"{filter_file.stem}.conllu"


def definitions_of(file: Path, overrides: ListOverrides) -> tuple[list[CompiledFilter], list[CompiledRewrite]]:
    rewrites = load_rewrites([str(file)], overrides)
    rewrite_names = {rewrite.name for rewrite in rewrites}
    return [each for each in load_matching([str(file)], overrides) if each.name not in rewrite_names], rewrites


def read_examples(
    filter_file: Path, filters: Sequence[CompiledFilter], rewrites: Sequence[CompiledRewrite] = ()
) -> list[Example]:
    path = examples_path(filter_file)
    if not path.is_file():
        return []
    defined = {each.name: each for each in (*filters, *(rewrite.matching for rewrite in rewrites))}
    rewrites_by_name = {each.name: each for each in rewrites}
    blocks = _blocks(path)
    examples: list[Example] = []
    for index, (comments, tree) in enumerate(blocks):
        if comments.is_expected_result:
            if index == 0 or blocks[index - 1][0].is_expected_result:
                comments.reject_result("the sentence before it is not an example")
            continue
        positive, binds, text = comments.expect(), comments.binds(), comments.text()
        followers = [tree for next_comments, tree in blocks[index + 1 : index + 2] if next_comments.is_expected_result]
        rows = rows_of(followers[0].text) if followers else None
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
    trees: list[Tree] = []
    for tree in read_trees(path, str(path)):
        if isinstance(tree, Rejection):
            raise InputError(tree.diagnostics)
        trees.append(tree)
    content = b"".join(file_contents([path])).decode("utf-8-sig")
    text = content.replace("\r\n", "\n")
    source = Source.of(text, str(path))
    sentences = zip(reference_conllu.read(text, path.name), trees, strict=True)
    return [(_Comments(sentence, source, tree.first_line), tree) for sentence, tree in sentences]


def _comment_key(line: str) -> str | None:
    return line[1:].partition("=")[0].strip() if line.startswith("#") else None


def rows_of(block: str) -> tuple[str, ...]:
    lines = (line.removesuffix("\r") for line in block.split("\n"))
    return tuple(line for line in lines if not line.startswith("#"))


def rewrite_block(
    rewrite: CompiledRewrite, block: str, found_matches: set[Match]
) -> tuple[Rewritten | None, RewriteCounts]:
    """Return the rewritten tree (None: unchanged), whose random choices have the seed 0, and the counts."""
    from runner.corpus.rewrite import new_counts, rewrite_sentence
    from runner.corpus.rewrite_actions import Candidate, SentenceSeed

    bindings = map(dict, found_matches)
    candidates = [Candidate(0, tuple(each.get(name, 0) for name in rewrite.matching.names)) for each in bindings]
    counts = new_counts([rewrite])
    rewritten = rewrite_sentence(block, exact_text(block), [rewrite], candidates, SentenceSeed(0, "", 0), counts)
    return rewritten, counts.rewrites[0]


def matches_of(compiled: CompiledFilter, sentence: Sentence) -> set[Match]:
    return matches(compiled.module, compiled.definition, compiled.value, sentence)


def format_match(match: Match) -> str:
    return " ".join(f"{name}:{word}" for name, word in sorted(match)) or "nothing"


def format_matches(matches: set[Match]) -> str:
    texts = sorted(format_match(match) for match in matches)
    suffix = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return "; ".join(texts[:3]) + suffix if texts else "none"


@dataclass(frozen=True)
class _Comments:
    sentence: Sentence
    source: Source
    line: int

    @property
    def is_expected_result(self) -> bool:
        return self._values("expect") == ("rewritten",)

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
        return InputError.of(code, self.source, self._span(comment), **parameters)

    def _span(self, comment: tuple[str, str] | None) -> Span:
        """Return the span of the last comment with this key and value, or of the first line of the sentence."""
        lines = self.source.text.split("\n")
        line = self.line - 1
        if comment is not None:
            key, value = comment
            values = self._values(key)
            occurrence = len(values) - 1 - values[::-1].index(value)
            numbers = [number for number, text in enumerate(lines) if number >= line and _comment_key(text) == key]
            line = numbers[occurrence]
        start = sum(len(text) + 1 for text in lines[:line])
        return Span(start, start + len(lines[line].rstrip("\r")))


_EXAMPLE_KEYS = ("expect", "expect-text", "filter", "rewrite", "bind", "from")  # comments that only examples have
_DOCUMENT_KEYS = ("newdoc", "newdoc id")
_MAX_BINDS = 20  # at most this many `# bind` comments per example


def accept(
    compiled: CompiledFilter,
    rewrite: CompiledRewrite | None,
    corpus: Path,
    sentence_name: str,
    expect: str | None,
    *,
    force: bool,
) -> Iterator[str]:
    """Add a sentence to the examples of the filter, and yield lines that report what was written.

    If `rewrite` is not None, `compiled` finds its matches, and the rewritten sentence becomes part of the example.
    Without `expect`, the example records the current outcome. Raises InputError if `expect` does not hold (FICT785,
    unless `force`), or if the sentence is already an example (FICT786). `sentence_name` is a `sent_id` or
    SOURCE:NUMBER.
    """
    from runner.corpus.sentence_texts import document_of
    from runner.corpus.store import Store

    assert compiled.path is not None
    filters, rewrites = definitions_of(compiled.path, compiled.module.overrides)
    existing = read_examples(compiled.path, filters, rewrites)  # raises for mistakes before anything is written
    store = Store.open(corpus)
    location = _locate(store, sentence_name)
    rows, comments = _rows_and_comments(store, location)
    tests_document = any(isinstance(node, ir.SentenceColumn) and node.name == "doc" for node in ir.walk(compiled.ir))
    doc = document_of(store, location.sid) if tests_document else None
    comments += [] if doc is None else [f"# newdoc id = {doc}"]
    (tree,) = reference_conllu.read("\n".join([*comments, *rows]) + "\n\n")
    found_matches = matches_of(compiled, tree)
    for example in existing:
        is_equal = example.filter.name == compiled.name and example.sentence.words == tree.words
        if is_equal and matches_of(example.filter, example.sentence) == found_matches:  # comments may decide a match
            raise InputError.of("FICT786", name=compiled.name, path=example.path, line=example.line)
    outcome = "match" if found_matches else "pass"
    if expect not in (None, outcome) and not force:
        hint, name, found = "`--force` writes the example anyway", compiled.name, format_matches(found_matches)
        problem = diagnostic("FICT785", hint=hint, name=name, expected=expect, sentence=sentence_name, found=found)
        raise InputError(problem)
    expected, kept_count = expect or outcome, len(comments)
    comments += [f"# from = {location.place}"]
    comment_key = "filter" if rewrite is None else "rewrite"
    comments += [f"# {comment_key} = {compiled.name}"] if len(filters) + len(rewrites) > 1 else []
    comments += [f"# expect = {expected}"]
    if expected == "match":
        first_matches = sorted(found_matches, key=sorted)[:_MAX_BINDS]
        comments += [f"# bind = {format_match(match)}" for match in first_matches if match]
    expected_block = ""
    if rewrite is not None and expected == "match" and found_matches:
        text, expected_block = _rewritten(rewrite, "\n".join([*comments, *rows]), found_matches)
        comments.append(f"# expect-text = {text}".rstrip())
    path, block = examples_path(compiled.path), "\n".join([*comments, *rows]) + "\n\n" + expected_block
    line = _add(path, block, before_documents=tests_document and doc is None)
    yield f"added {location.place} to {path}:{line}"
    yield from comments[kept_count + 1 :]
    if expect not in (None, outcome):
        yield f"This example fails now: the filter finds {format_matches(found_matches)}."


def _rewritten(rewrite: CompiledRewrite, block: str, found_matches: set[Match]) -> tuple[str, str]:
    """Return the new text (empty if the sentence is dropped), and the block of the rewritten tree, if there is one."""
    rewritten, _ = rewrite_block(rewrite, block, found_matches)
    if rewritten is None:
        return exact_text(block), ""
    if rewritten.conllu is None:
        return "", ""
    return rewritten.text or "", "\n".join(["# expect = rewritten", *rows_of(rewritten.conllu)]) + "\n\n"


def _locate(store: Store, sentence_name: str) -> SentenceLocation:
    """Raises InputError if no sentence (FICT783) or more than one (FICT784) has the name."""
    from runner.corpus.sentence_texts import locate_by_name

    locations = locate_by_name(store, sentence_name)
    if not locations:
        hint = _source_hint(store, sentence_name)
        raise InputError.of("FICT783", path=store.path, sentence=sentence_name, hint=hint)
    if len(locations) > 1:
        hint = f"the first is {locations[0].place}"
        raise InputError.of("FICT784", path=store.path, sentence=sentence_name, count=len(locations), hint=hint)
    return locations[0]


def _source_hint(store: Store, sentence_name: str) -> str | None:
    name, separator, _ = sentence_name.rpartition(":")
    counts = {source.label: source.sentences for source in store.info.sources}
    if name in counts:
        return f"`{name}` has {counted(counts[name], 'sentence')}"
    by_stem = {label.removesuffix(".gz").removesuffix(".conllu"): label for label in counts}
    source = by_stem.get(name) or nearest(name, counts)
    return f"the nearest source is `{source}`" if separator and source else None


def _rows_and_comments(store: Store, location: SentenceLocation) -> tuple[list[str], list[str]]:
    """Return the rows of the tree, and its comments except those of examples and documents."""
    import numpy as np

    from runner.corpus.sentence_texts import conllu_blocks

    (block,) = conllu_blocks(store, np.array([location.sid], np.int64))
    lines = [line.rstrip("\r") for line in block.split("\n") if line.strip()]
    rows = [line for line in lines if not line.startswith("#")]
    omitted = (None, *_EXAMPLE_KEYS, *_DOCUMENT_KEYS)
    return rows, [line for line in lines if _comment_key(line) not in omitted]


def _add(path: Path, block: str, *, before_documents: bool) -> int:
    """Return the line of the new block, which is put first if it must not belong to a document (`before_documents`)."""
    existing = path.read_bytes().decode("utf-8") if path.is_file() else ""
    line_end = "\r\n" if "\r\n" in existing else "\n"
    block = block.replace("\n", line_end)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = existing.removeprefix("\ufeff")
    has_documents = any(_comment_key(line) in _DOCUMENT_KEYS for line in text.split("\n"))
    if before_documents and has_documents:
        write_text(path, existing.removesuffix(text) + block + text)
        return 1
    if existing.strip():
        existing = existing.rstrip("\r\n") + 2 * line_end
    write_text(path, existing + block)
    return existing.count("\n") + 1
