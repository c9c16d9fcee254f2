"""Generate clauses, and finish sentences."""

from __future__ import annotations

from runner.sample.grammar.modifiers import relative_clause
from runner.sample.grammar.phrases import KINDS_AS_SUBJECTS, Draft, Phrase, any_phrase, noun_phrase
from runner.sample.grammar.predicates import action, declarative
from runner.sample.words.lexicon import PEOPLE
from runner.sample.words.tree import Node
from runner.sample.words.words import mark


def finish(draft: Draft, root: Node, end: str = ".") -> Node:
    """Add the final punctuation, and tag constructions that depend on the whole sentence."""
    root.deprel = "root"
    root.right.append(mark(end))
    if "npi" in draft.tags:
        if end == "?":
            draft.tags.add("npi-sim-ques")
        if "negation" in draft.tags:
            draft.tags.add("npi-sent-neg")
    return root


def any_subject(draft: Draft, kinds: tuple[str, ...] = KINDS_AS_SUBJECTS) -> Phrase:
    """Generate a subject without modifiers after its noun."""
    return any_phrase(draft, kinds, "nsubj", pronouns=0.2)


def person_subject(draft: Draft) -> Phrase:
    """Generate a subject that denotes a person."""
    return any_subject(draft, PEOPLE)


def clause(draft: Draft) -> Node:
    """Generate a plain clause without its final mark."""
    is_negative = draft.rng.chance(0.03)
    subject = noun_phrase(draft, "person", "nsubj", det="no") if is_negative else any_subject(draft)
    predicate = action(draft, subject, negation_share=0.0 if is_negative else 0.1)
    phrase = predicate.object
    if phrase is not None and phrase.kind not in {"name", "pronoun"} and not phrase.pp and draft.rng.chance(0.08):
        relative_clause(draft, phrase, object_relative=draft.rng.chance(0.3))
    return declarative(draft, subject, predicate)
