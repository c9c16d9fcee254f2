"""From a filter and a sentence to its matches, read off the syntax tree as the language page defines them.

This is the oracle for the compiler, so it is written to be read beside that page, and shares nothing with
what it judges. What it gives up for that is speed; what it must not give up is being right.
"""

from __future__ import annotations

from functools import lru_cache

from fictdsl.reference.holds import Reading
from fictdsl.reference.names import names_of
from fictdsl.reference.scenes import Reader
from fictdsl.reference.search import Search
from fictdsl.reference.sentence import Sentence
from fictdsl.syntax.nodes import Action, FilterDef
from fictdsl.syntax.parsing.program import Module

Match = frozenset[tuple[str, int]]
Target = frozenset[int]  # the words that an action is done to at once


class Evaluator:
    """One filter (one member of a family), read once and asked about any number of sentences."""

    def __init__(self, module: Module, filter_def: FilterDef, value: str | None = None) -> None:
        reader = Reader(Reading(names_of(module), value))
        self._actions = filter_def.actions
        self._searches = tuple(Search(scene, frozenset()) for scene in reader.block(filter_def.match))

    def matches(self, sentence: Sentence) -> set[Match]:
        """Every match: the (name, word id) pairs bound outside `without` and counting blocks.

        A filter that names no node has at most one match, the empty one.
        """
        return {
            frozenset((node, word.id) for node, word in binding.items() if "#" not in node)
            for search in self._searches
            for binding in search.bindings(sentence, {})
        }

    def holds(self, sentence: Sentence) -> bool:
        """Whether the sentence matches, which is quicker than to find every match."""
        return any(True for search in self._searches for _ in search.bindings(sentence, {}))

    def targets(self, sentence: Sentence, found: set[Match] | None = None) -> tuple[frozenset[Target], ...]:
        """For each action, in order, its distinct targets over all matches, before any widening.

        The target `sentence` is all the words of a sentence that matches. A filter without actions stands for
        `remove sentence`, and gives one set. `found` are the sentence's matches, where they are known already.
        """
        found = self.matches(sentence) if found is None else found
        if not self._actions:
            return (frozenset({_everything(sentence)} if found else ()),)
        return tuple(frozenset(_target(action, dict(match), sentence) for match in found) for action in self._actions)

    def action_words(self, sentence: Sentence) -> tuple[frozenset[int], ...]:
        """For each action, in order, the words of all its targets."""
        return tuple(frozenset[int]().union(*targets) for targets in self.targets(sentence))


def matches(module: Module, filter_def: FilterDef, value: str | None, sentence: Sentence) -> set[Match]:
    """The matches of a filter in one sentence; `value` is that of the family, None where there is none."""
    return _evaluator(_Identity(module), _Identity(filter_def), value).matches(sentence)


def targets(
    module: Module, filter_def: FilterDef, value: str | None, sentence: Sentence, found: set[Match] | None = None
) -> tuple[frozenset[Target], ...]:
    """For each action of the filter, its distinct targets; see `Evaluator.targets`."""
    return _evaluator(_Identity(module), _Identity(filter_def), value).targets(sentence, found)


def _everything(sentence: Sentence) -> Target:
    return frozenset(word.id for word in sentence.words)


def _target(action: Action, match: dict[str, int], sentence: Sentence) -> Target:
    ids = [match[name.text] for name in action.target.nodes]
    match action.target.kind:
        case "sentence":
            return _everything(sentence)
        case "node":
            return frozenset(ids)
        case "span":
            return frozenset(range(min(ids), max(ids) + 1))
        case "subtree":
            return frozenset(word.id for word in sentence.words if _is_under(sentence, word.id, ids[0]))
    raise AssertionError(f"no target {action.target.kind}")


def _is_under(sentence: Sentence, word: int, top: int) -> bool:
    while word not in (0, top):
        word = sentence.words[word - 1].head
    return word == top


class _Identity:
    """A cache key for a value that is costly to hash: the object itself, kept alive."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=256)
def _evaluator(module: _Identity, filter_def: _Identity, value: str | None) -> Evaluator:
    assert isinstance(module.value, Module)
    assert isinstance(filter_def.value, FilterDef)
    return Evaluator(module.value, filter_def.value, value)
