"""Add a corpus sentence to the examples of a filter, for `fictc test --accept`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.reference import sentences
from fictdsl.reference.evaluate import matches
from fictdsl.reference.sentences import Sentence
from fictdsl.semantics import ir
from fictdsl.words import counted
from runner.errors import InputError
from runner.examples.example_files import Example, Match, examples_path, read_examples, rows_of
from runner.examples.tallies import format_match, format_matches
from runner.workspace import write_text

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.corpus.sentence_texts import SentenceLocation
    from runner.corpus.store import Store


_EXAMPLE_KEYS = (
    "expect",
    "expect-text",
    "filter",
    "rewrite",
    "bind",
    "from",
)  # keys of comments that only examples have
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
    from runner.corpus.filter_arguments import load_matching, load_rewrites
    from runner.corpus.sentence_texts import document_of
    from runner.corpus.store import Store

    assert compiled.path is not None
    filters_and_matchers = load_matching([str(compiled.path)], compiled.module.overrides)
    rewrites = load_rewrites([str(compiled.path)], compiled.module.overrides)
    rewrite_names = {each.name for each in rewrites}
    filters = [each for each in filters_and_matchers if each.name not in rewrite_names]
    existing = read_examples(compiled.path, filters, rewrites)  # raises for mistakes before anything is written
    store = Store.open(corpus)
    location = _locate(store, sentence_name)
    rows, comments = _rows_and_comments(store, location)
    tests_document = any(isinstance(node, ir.SentenceColumn) and node.name == "doc" for node in ir.walk(compiled.ir))
    doc = document_of(store, location.sid) if tests_document else None
    comments += [] if doc is None else [f"# newdoc id = {doc}"]
    (tree,) = sentences.read("\n".join([*comments, *rows]) + "\n\n")
    found_matches = matches(compiled.module, compiled.definition, compiled.value, tree)
    for example in existing:
        if example.filter.name == compiled.name and _is_same_example(example, tree, found_matches):
            raise InputError(diagnostic("FICT786", name=compiled.name, path=example.path, line=example.line))
    outcome = "match" if found_matches else "pass"
    if expect not in (None, outcome) and not force:
        problem = diagnostic(
            "FICT785",
            hint="`--force` writes the example anyway",
            name=compiled.name,
            expected=expect,
            sentence=sentence_name,
            found=format_matches(found_matches),
        )
        raise InputError(problem)
    comments += [f"# from = {location.source}:{location.number}"]
    comment_key = "filter" if rewrite is None else "rewrite"
    comments += [f"# {comment_key} = {compiled.name}"] if len(filters_and_matchers) > 1 else []
    comments += [
        f"# expect = {expect or outcome}",
        *(_bind_comments(found_matches) if (expect or outcome) == "match" else []),
    ]
    expected_block = ""
    if rewrite is not None and (expect or outcome) == "match" and found_matches:
        text, expected_block = _rewritten(rewrite, "\n".join([*comments, *rows]), found_matches)
        comments.append(f"# expect-text = {text}".rstrip())
    path = examples_path(compiled.path)
    line = _add(
        path, "\n".join([*comments, *rows]) + "\n\n" + expected_block, before_documents=tests_document and doc is None
    )
    yield f"added {location.source}:{location.number} to {path}:{line}"
    yield from comments[[index for index, text in enumerate(comments) if text.startswith("# from =")][-1] + 1 :]
    if expect not in (None, outcome):
        yield f"This example fails now: the filter finds {format_matches(found_matches)}."


def _is_same_example(example: Example, tree: Sentence, found_matches: set[Match]) -> bool:
    """Compare the words and the matches, which may depend on comments."""
    compiled = example.filter
    return (
        example.sentence.words == tree.words
        and matches(compiled.module, compiled.definition, compiled.value, example.sentence) == found_matches
    )


def _rewritten(rewrite: CompiledRewrite, block: str, found_matches: set[Match]) -> tuple[str, str]:
    """Return the new text (empty if the sentence is dropped), and the block of the rewritten tree, if there is one."""
    from runner.corpus.surface import exact_text
    from runner.examples.tallies import rewrite_block

    rewritten, _ = rewrite_block(rewrite, block, found_matches)
    if rewritten is None:
        return exact_text(block), ""
    if rewritten.conllu is None:
        return "", ""
    return rewritten.text or "", "\n".join(["# expect = rewritten", *rows_of(rewritten.conllu)]) + "\n\n"


def _bind_comments(found_matches: set[Match]) -> list[str]:
    return [f"# bind = {format_match(match)}" for match in sorted(found_matches, key=sorted)[:_MAX_BINDS] if match]


def _locate(store: Store, sentence_name: str) -> SentenceLocation:
    """Raises InputError if no sentence (FICT783) or more than one (FICT784) has the name."""
    from runner.corpus.sentence_texts import locate_by_name

    locations = locate_by_name(store, sentence_name)
    if not locations:
        hint = _source_hint(store, sentence_name)
        raise InputError(diagnostic("FICT783", path=store.path, sentence=sentence_name, hint=hint))
    if len(locations) > 1:
        hint = f"the first is {locations[0].source}:{locations[0].number}"
        raise InputError(
            diagnostic("FICT784", path=store.path, sentence=sentence_name, count=len(locations), hint=hint)
        )
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
    comments = [
        line for line in lines if line.startswith("#") and _comment_key(line) not in (*_EXAMPLE_KEYS, *_DOCUMENT_KEYS)
    ]
    return rows, comments


def _comment_key(comment: str) -> str:
    return comment[1:].partition("=")[0].strip()


def _add(path: Path, block: str, *, before_documents: bool) -> int:
    """Add the block to the file, creating it if missing. Return the line at which the block begins.

    With `before_documents`, the block is put before all documents: behind one, it would belong to it.
    """
    existing = path.read_bytes().decode("utf-8") if path.is_file() else ""
    line_end = "\r\n" if "\r\n" in existing else "\n"
    block = block.replace("\n", line_end)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = existing.removeprefix("\ufeff")
    has_documents = any(line.startswith("#") and _comment_key(line) in _DOCUMENT_KEYS for line in text.split("\n"))
    if before_documents and has_documents:
        write_text(path, existing.removesuffix(text) + block + text)
        return 1
    if existing.strip():
        existing = existing.rstrip("\r\n") + 2 * line_end
    write_text(path, existing + block)
    return existing.count("\n") + 1
