"""Evaluate a filter on a sentence by interpreting its syntax tree, as docs/reference.md defines the language.

This is the oracle for tests of the compiler. It follows the reference page closely, shares no code with the compiler,
and prefers clarity to speed.
"""

from __future__ import annotations

from functools import lru_cache

from fictdsl.reference.names import names_of
from fictdsl.reference.predicates import PredicateBuilder
from fictdsl.reference.scenes import SceneBuilder
from fictdsl.reference.search import Search
from fictdsl.reference.sentence import Sentence
from fictdsl.syntax.nodes import Action, FilterDef
from fictdsl.syntax.parsing.program import Module

Match = frozenset[tuple[str, int]]
Target = frozenset[int]  # the ids of the words that one application of an action affects


class Evaluator:
    """Evaluates one filter, or one member of a family, on any number of sentences."""

    def __init__(self, module: Module, filter_def: FilterDef, value: str | None = None) -> None:
        builder = SceneBuilder(PredicateBuilder(names_of(module), value))
        self._actions = filter_def.actions
        self._searches = tuple(Search(scene, frozenset()) for scene in builder.block(filter_def.match))

    def matches(self, sentence: Sentence) -> set[Match]:
        """Return all matches: sets of (name, word id) for nodes bound outside `without` and counting blocks.

        A filter without named nodes has at most one match, the empty set.
        """
        return {
            frozenset((node, word.id) for node, word in binding.items() if "#" not in node)
            for search in self._searches
            for binding in search.bindings(sentence, {})
        }

    def holds(self, sentence: Sentence) -> bool:
        """Return whether the sentence matches. Faster than finding all matches."""
        return any(True for search in self._searches for _ in search.bindings(sentence, {}))

    def targets(self, sentence: Sentence, known_matches: set[Match] | None = None) -> tuple[frozenset[Target], ...]:
        """Return, for each action in order, its distinct targets over all matches.

        Targets are not widened to whole multiword tokens. The target `sentence` is the set of all words. A filter
        without actions is treated as `remove sentence`. `known_matches` are the matches of the sentence, if they are
        known.
        """
        all_matches = self.matches(sentence) if known_matches is None else known_matches
        if not self._actions:
            return (frozenset({_all_words(sentence)} if all_matches else ()),)
        return tuple(
            frozenset(_target(action, dict(match), sentence) for match in all_matches) for action in self._actions
        )

    def action_words(self, sentence: Sentence) -> tuple[frozenset[int], ...]:
        """Return, for each action in order, the ids of the words in its targets."""
        return tuple(frozenset[int]().union(*targets) for targets in self.targets(sentence))


def matches(module: Module, filter_def: FilterDef, value: str | None, sentence: Sentence) -> set[Match]:
    """Return the matches of a filter in a sentence. `value` is the family's value; None without a family."""
    return _evaluator(_Identity(module), _Identity(filter_def), value).matches(sentence)


def targets(
    module: Module,
    filter_def: FilterDef,
    value: str | None,
    sentence: Sentence,
    known_matches: set[Match] | None = None,
) -> tuple[frozenset[Target], ...]:
    """Return, for each action of the filter, its distinct targets; see `Evaluator.targets`."""
    return _evaluator(_Identity(module), _Identity(filter_def), value).targets(sentence, known_matches)


def _all_words(sentence: Sentence) -> Target:
    return frozenset(word.id for word in sentence.words)


def _target(action: Action, match: dict[str, int], sentence: Sentence) -> Target:
    ids = [match[name.text] for name in action.target.nodes]
    match action.target.kind:
        case "sentence":
            return _all_words(sentence)
        case "node":
            return frozenset(ids)
        case "span":
            return frozenset(range(min(ids), max(ids) + 1))
        case "subtree":
            return frozenset(word.id for word in sentence.words if _is_in_subtree(sentence, word.id, ids[0]))
    raise AssertionError(f"no target {action.target.kind}")


def _is_in_subtree(sentence: Sentence, word_id: int, top_id: int) -> bool:
    steps = 0
    while word_id not in (0, top_id) and steps < len(sentence.words):  # the heads may form a cycle without `top_id`
        word_id, steps = sentence.words[word_id - 1].head, steps + 1
    return word_id == top_id


class _Identity:
    """A cache key that compares a value by identity and keeps it alive. Hashing the value would be slow."""

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
