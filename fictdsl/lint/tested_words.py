"""Collect the words that the tests of a file compare with forms and lemmas, to look them up in a corpus."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.lint.context import LintContext, LocatedTest, texts
from fictdsl.schema import LOWERED
from fictdsl.semantics.walk import equal_values
from fictdsl.syntax import nodes

_COLUMNS = {"form": "form", "lemma": "lemma", "phrase": "form"}


def words_by_column(context: LintContext) -> dict[str, frozenset[str]]:
    """Return the words of all tests by column of a store: `form`, `form_l`, `lemma` or `lemma_l`."""
    words_of_column: dict[str, frozenset[str]] = {}
    for _, column, words in words_by_test(context):
        words_of_column[column] = words_of_column.get(column, frozenset()) | set(words)
    return words_of_column


def words_by_test(context: LintContext) -> Iterator[tuple[LocatedTest, str, tuple[str, ...]]]:
    """Yield each test of a form, lemma or phrase, with its column and its words. Values with a space are left out."""
    for located in context.tests:
        test, attribute = located.test, located.test.attribute
        if located.level != "word" or attribute.name not in _COLUMNS or attribute.key:
            continue
        entries = [text for atom in equal_values(test) for text in texts(atom, located.definition)]
        if isinstance(test, nodes.Member) and isinstance(test.values, nodes.ListRef):
            entries += context.resolution.entries(test.values) or ()
        words = tuple(dict.fromkeys(text for text in entries if " " not in text))
        if words:
            column = _COLUMNS[attribute.name]
            yield located, LOWERED[column] if attribute.lower else column, words
