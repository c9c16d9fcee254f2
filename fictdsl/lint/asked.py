"""A file into the words that it asks of a corpus: those that forms and lemmas are compared with."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.lint.subject import Subject, Tested, texts
from fictdsl.semantics.walk import values
from fictdsl.syntax import nodes

_COLUMNS = {"form": "form", "lemma": "lemma", "phrase": "form"}


def asked(subject: Subject) -> dict[str, frozenset[str]]:
    """The words of all tests, by the column of a store they are in."""
    found: dict[str, frozenset[str]] = {}
    for _, column, words in asked_by_tests(subject):
        found[column] = found.get(column, frozenset()) | set(words)
    return found


def asked_by_tests(subject: Subject) -> Iterator[tuple[Tested, str, tuple[str, ...]]]:
    """Each test of words, the column it looks at, and its words; several words in a row are left out."""
    for tested in subject.tests:
        test, attribute = tested.test, tested.test.attribute
        if tested.place != "word" or attribute.name not in _COLUMNS or attribute.key:
            continue
        found = [text for atom in values(test) for text in texts(atom, tested.definition)]
        if isinstance(test, nodes.Member) and isinstance(test.values, nodes.ListRef):
            found += subject.resolution.entries(test.values) or ()
        words = tuple(dict.fromkeys(text for text in found if " " not in text))
        if words:
            yield tested, _COLUMNS[attribute.name] + ("_l" if attribute.lower else ""), words
