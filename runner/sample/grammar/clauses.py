"""Generate clauses, and complete them as sentences."""

from __future__ import annotations

from runner.sample.grammar.modifiers import relative_clause
from runner.sample.grammar.phrases import SUBJECT_KINDS, Draft, Phrase, any_phrase, noun_phrase
from runner.sample.grammar.predicates import Predicate, declarative, random_predicate
from runner.sample.words.lexicon import PERSON_KINDS
from runner.sample.words.tree import Node
from runner.sample.words.words import punctuation


def finish(draft: Draft, root: Node, final_mark: str = ".") -> Node:
    """Make a node the root, add the final punctuation, and tag constructions that depend on the whole sentence."""
    root.deprel = "root"
    root.right.append(punctuation(final_mark))
    if "npi" in draft.tags:
        if final_mark == "?":
            draft.tags.add("npi-sim-ques")
        if "negation" in draft.tags:
            draft.tags.add("npi-sent-neg")
    return root


def sentence(draft: Draft, subject: Phrase, predicate: Predicate, final_mark: str = ".") -> Node:
    """Complete a declarative clause as a sentence."""
    return finish(draft, declarative(draft, subject, predicate), final_mark)


def any_subject(draft: Draft, kinds: tuple[str, ...] = SUBJECT_KINDS) -> Phrase:
    """Generate a subject without modifiers after its noun."""
    return any_phrase(draft, kinds, "nsubj", pronoun_probability=0.2)


def person_subject(draft: Draft) -> Phrase:
    """Generate a subject that denotes a person."""
    return any_subject(draft, PERSON_KINDS)


def clause(draft: Draft) -> Node:
    """Generate a plain clause without final punctuation."""
    is_negative = draft.rng.chance(0.03)
    subject = noun_phrase(draft, "person", "nsubj", det="no") if is_negative else any_subject(draft)
    predicate = random_predicate(draft, subject, negation_probability=0.0 if is_negative else 0.1)
    object_phrase = predicate.object
    if (
        object_phrase is not None
        and object_phrase.kind not in {"name", "pronoun"}
        and not object_phrase.has_pp
        and draft.rng.chance(0.08)
    ):
        relative_clause(draft, object_phrase, object_relative=draft.rng.chance(0.3))
    return declarative(draft, subject, predicate)
