"""A sentence of a corpus into a new example beside a filter: the tree, what is expected of it, and the words bound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.reference import conllu
from fictdsl.reference.evaluate import matches
from fictdsl.semantics import ir
from runner.cli.examples.examples import Match, examples_path, read_examples
from runner.cli.examples.tallies import binding, shown
from runner.errors import InputError
from runner.workspace import write_text

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.sentences.lookup import SentenceLocation
    from runner.corpus.store.opening import Store

_OURS = ("expect", "filter", "bind", "from")  # comments that an example has of its own
_BINDS = 20  # matches whose words are written


def accept(compiled: CompiledFilter, corpus: Path, sentence: str, expect: str | None, *, force: bool) -> Iterator[str]:
    """Add the sentence to the examples of the filter; what was written is told in lines.

    Without `expect` the example says what the filter does now. InputError where `expect` does not hold (unless
    `force`), where the sentence is not in the store, or is an example of the filter already.
    """
    from runner.corpus.query.filters import load_filters
    from runner.corpus.sentences.lookup import document_of
    from runner.corpus.store.opening import Store

    assert compiled.path is not None
    beside = load_filters([str(compiled.path)], compiled.module.overrides)
    before = read_examples(compiled.path, beside)  # mistakes in the file are told before anything is written
    store = Store.open(corpus)
    place = _place(store, sentence)
    rows, comments = _block(store, place)
    if any(isinstance(part, ir.SentenceColumn) and part.name == "doc" for part in ir.walk(compiled.ir)):
        doc = document_of(store, place.sid)
        comments += [] if doc is None else [f"# newdoc id = {doc}"]
    (tree,) = conllu.read("\n".join([*comments, *rows]) + "\n\n")
    for example in before:
        if example.filter.name == compiled.name and example.sentence.words == tree.words:
            raise InputError(diagnostic("FICT786", name=compiled.name, path=example.path, line=example.line))
    found = matches(compiled.module, compiled.definition, compiled.value, tree)
    outcome = "match" if found else "pass"
    if expect not in (None, outcome) and not force:
        problem = diagnostic(
            "FICT785",
            hint="`--force` writes the example all the same",
            name=compiled.name,
            expected=expect,
            sentence=sentence,
            found=shown(found),
        )
        raise InputError(problem)
    comments += [f"# from = {place.source}:{place.number}"]
    comments += [f"# filter = {compiled.name}"] if len(beside) > 1 else []
    comments += [f"# expect = {expect or outcome}", *(_binds(found) if (expect or outcome) == "match" else [])]
    path = examples_path(compiled.path)
    line = _append(path, "\n".join([*comments, *rows]) + "\n\n")
    yield f"added {place.source}:{place.number} to {path}:{line}"
    yield from comments[[at for at, text in enumerate(comments) if text.startswith("# from =")][-1] + 1 :]
    if expect not in (None, outcome):
        yield f"The example fails now: the filter finds {shown(found)}."


def _binds(found: set[Match]) -> list[str]:
    return [f"# bind = {binding(match)}" for match in sorted(found, key=sorted)[:_BINDS] if match]


def _place(store: Store, sentence: str) -> SentenceLocation:
    """The one sentence of that name. A `sent_id` comes before SOURCE:NUMBER."""
    from runner.corpus.sentences.lookup import locate_by_name

    found = locate_by_name(store, sentence)
    if not found:
        raise InputError(diagnostic("FICT783", path=store.path, sentence=sentence))
    if len(found) > 1:
        hint = f"the first is {found[0].source}:{found[0].number}"
        raise InputError(diagnostic("FICT784", path=store.path, sentence=sentence, count=len(found), hint=hint))
    return found[0]


def _block(store: Store, place: SentenceLocation) -> tuple[list[str], list[str]]:
    """The rows of the tree, and its comments without those that an example has of its own or that open a document."""
    import numpy as np

    from runner.corpus.sentences.export import conllu_blocks

    (block,) = conllu_blocks(store, np.array([place.sid], np.int64))
    lines = [line.rstrip("\r") for line in block.split("\n") if line.strip()]
    rows = [line for line in lines if not line.startswith("#")]
    comments = [line for line in lines if line.startswith("#") and _key(line) not in (*_OURS, "newdoc", "newdoc id")]
    return rows, comments


def _key(comment: str) -> str:
    return comment[1:].partition("=")[0].strip()


def _append(path: Path, block: str) -> int:
    """Put the block at the end of the file, which appears where it is missing; the line at which it begins."""
    before = path.read_bytes().decode("utf-8") if path.is_file() else ""
    if before.strip():
        before = before.rstrip("\r\n") + ("\r\n\r\n" if "\r\n" in before else "\n\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, before + (block.replace("\n", "\r\n") if "\r\n" in before else block))
    return before.count("\n") + 1
