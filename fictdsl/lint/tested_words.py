"""Collect the words that the tests of a file compare with forms and lemmas, to look them up in a corpus."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.lint.context import Comparison, LintContext
from fictdsl.schema import LOWERED

_COLUMNS = {"form": "form", "lemma": "lemma", "phrase": "form"}


def words_by_column(context: LintContext) -> dict[str, frozenset[str]]:
    """Return the words of all tests by column of a store: `form`, `form_l`, `lemma` or `lemma_l`."""
    words_of_column: dict[str, frozenset[str]] = {}
    for _, column, words in words_by_comparison(context):
        words_of_column[column] = words_of_column.get(column, frozenset()) | set(words)
    return words_of_column


def words_by_comparison(context: LintContext) -> Iterator[tuple[Comparison, str, tuple[str, ...]]]:
    """Yield each comparison of a form, lemma or phrase, with its column and its words without spaces."""
    for comparison in context.comparisons:
        attribute = comparison.attribute
        if attribute.name not in _COLUMNS or attribute.key:
            continue
        words = tuple(dict.fromkeys(located.text for located in comparison.texts if " " not in located.text))
        if words:
            column = _COLUMNS[attribute.name]
            yield comparison, LOWERED[column] if attribute.lower else column, words
