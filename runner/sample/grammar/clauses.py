"""Turns subjects and predicates into whole clauses, and clauses into finished sentences."""

from __future__ import annotations

from runner.sample.grammar.modifiers import relative_clause
from runner.sample.grammar.phrases import KINDS_AS_SUBJECTS, Draft, Phrase, any_phrase, noun_phrase
from runner.sample.grammar.predicates import action, declarative
from runner.sample.words.lexicon import PEOPLE
from runner.sample.words.tree import Node
from runner.sample.words.words import mark


def finish(draft: Draft, root: Node, end: str = ".") -> Node:
    """Put the final mark, and note what only the whole sentence shows."""
    root.deprel = "root"
    root.right.append(mark(end))
    if "npi" in draft.tags:
        if end == "?":
            draft.tags.add("npi-sim-ques")
        if "negation" in draft.tags:
            draft.tags.add("npi-sent-neg")
    return root


def subject(draft: Draft, kinds: tuple[str, ...] = KINDS_AS_SUBJECTS) -> Phrase:
    """Any subject without modifiers after its noun."""
    return any_phrase(draft, kinds, "nsubj", pronouns=0.2)


def person(draft: Draft) -> Phrase:
    """A subject that can act."""
    return subject(draft, PEOPLE)


def clause(draft: Draft) -> Node:
    """A plain clause, without its final mark."""
    none = draft.dice.chance(0.03)
    doer = noun_phrase(draft, "person", "nsubj", det="no") if none else subject(draft)
    predicate = action(draft, doer, negation_share=0.0 if none else 0.1)
    last = predicate.object
    if last is not None and last.kind not in {"name", "pronoun"} and not last.pp and draft.dice.chance(0.08):
        relative_clause(draft, last, of_object=draft.dice.chance(0.3))
    return declarative(draft, doer, predicate)
