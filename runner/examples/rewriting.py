"""Rewrite examples, and compare the results with the expected ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING
from unicodedata import normalize

from runner.corpus.text.surface import declared_text, rebuild
from runner.examples.examples import Example, Match, rows_of

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledRewrite
    from runner.corpus.conllu.reader import Tree
    from runner.corpus.rewriting.apply import Rewritten
    from runner.corpus.rewriting.take import RewriteCounts


def unmet_results(example: Example, matches: set[Match]) -> list[str]:
    """Describe how the rewritten example differs from the expected text and tree. Return [] if it does not."""
    if example.rewrite is None or (example.text is None and example.rows is None):
        return []
    rewritten, counts = rewrite_tree(example.rewrite, example.tree, matches)
    found_text = exact_text(example.tree) if rewritten is None else rewritten.text
    found_tree = example.tree.text if rewritten is None else rewritten.conllu
    problems = []
    if example.text is not None and example.text != normalize("NFC", found_text or "").strip():
        problems.append(f"expected the text {_quoted(example.text)}, found {_quoted(found_text)}")
    if example.rows is not None:
        problems += _different_rows(example.rows, () if found_tree is None else rows_of(found_tree))
    left_out = [f"{number} {reason}" for number, reason in _left_out(counts) if number]
    return [*problems, *([f"matches left out: {', '.join(left_out)}"] if problems and left_out else [])]


def rewrite_tree(rewrite: CompiledRewrite, tree: Tree, matches: set[Match]) -> tuple[Rewritten | None, RewriteCounts]:
    """Return the rewritten tree, or None if the rewrite does not change it, and the counts of the matches.

    The seed of random choices is 0, and the choices do not depend on the position of the example.
    """
    from runner.corpus.rewriting.actions import SentenceSeed
    from runner.corpus.rewriting.apply import new_counts, rewrite_sentence
    from runner.corpus.rewriting.take import Candidate

    bindings = map(dict, matches)
    candidates = [Candidate(0, tuple(each.get(name, 0) for name in rewrite.matching.names)) for each in bindings]
    counts = new_counts([rewrite])
    rewritten = rewrite_sentence(tree.text, exact_text(tree), [rewrite], candidates, SentenceSeed(0, "", 0), counts)
    return rewritten, counts.rewrites[0]


def exact_text(tree: Tree) -> str:
    """Return the exact text of a tree, as a store keeps it."""
    declared = declared_text(tree.comments)
    return rebuild(tree.words[1], tree.words[9], tree.ranges) if declared is None else declared


def _quoted(text: str | None) -> str:
    return f"`{text}`" if text else "nothing (a dropped sentence)"


def _different_rows(expected: tuple[str, ...], found: tuple[str, ...]) -> Iterator[str]:
    """Yield a description of the first line that differs."""
    for number, (expected_line, found_line) in enumerate(zip_longest(expected, found), start=1):
        if expected_line != found_line:
            descriptions = (
                "no line" if each is None else f"`{' '.join(each.split(chr(9)))}`"
                for each in (expected_line, found_line)
            )
            yield "line {} of the tree: expected {}, found {}".format(number, *descriptions)
            return


def _left_out(counts: RewriteCounts) -> tuple[tuple[int, str], ...]:
    return (counts.overlapping, "overlapping"), (counts.invalid, "invalid")
