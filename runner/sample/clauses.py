"""Generate clauses, relative and participial clauses and passives, and complete clauses as sentences."""

from __future__ import annotations

from runner.sample.lexicon import PERSON_KINDS, PERSON_OBJECT_VERBS, PSYCH_VERBS, TRANSITIVE, Noun, Verb, Weighted
from runner.sample.phrases import OBJECT_RELATIONS, SUBJECT_KINDS, Draft, Phrase, any_phrase, noun_phrase
from runner.sample.predicates import (
    ANY_TENSES,
    Predicate,
    annotate_subject,
    declarative,
    is_person,
    random_predicate,
    verb_group,
)
from runner.sample.words import ING, PASSIVE, Node, adposition, punctuation, relative_pronoun, verb_word

RELATIVE_TENSES = Weighted(("present", 30), ("past", 35), ("perfect", 15), ("pluperfect", 8), ("modal", 12))


def relative_clause(
    draft: Draft,
    phrase: Phrase,
    *,
    object_relative: bool = False,
    number: str = "",
    noun: Noun | None = None,
    omit_pronoun_probability: float = 0.3,
) -> Phrase:
    """Add a relative clause to a phrase.

    With `object_relative`, the phrase is the object of the clause, and the relative pronoun is omitted with probability
    `omit_pronoun_probability`. Otherwise, the phrase is the subject. With `number`, the clause then has an object of
    this grammatical number, whose head is `noun` if that is given.
    """
    is_object = phrase.head.deprel in OBJECT_RELATIONS
    draft.object_depth += is_object
    head = (
        _object_relative(draft, phrase, omit_pronoun_probability)
        if object_relative
        else _subject_relative(draft, phrase, number, noun)
    )
    draft.object_depth -= is_object
    head.deprel = "acl:relcl"
    phrase.head.right.append(head)
    phrase.head_has_relative = True
    return phrase


def _pronoun(draft: Draft, phrase: Phrase, relation: str) -> Node:
    forms = ("who", "who", "that") if is_person(phrase) else ("that", "which")
    return relative_pronoun(draft.rng.choice(forms), relation)


def _subject_relative(draft: Draft, phrase: Phrase, number: str, noun: Noun | None) -> Node:
    if number:
        verb = draft.rng.choice(
            PERSON_OBJECT_VERBS if noun is not None else _PERSON_SUBJECT_VERBS if is_person(phrase) else PSYCH_VERBS
        )
        tense = draft.rng.weighted_choice(RELATIVE_TENSES)
        predicate = verb_group(draft, verb, phrase.agreement, tense, negated=draft.rng.chance(0.08))
        kind = noun.kind if noun is not None else draft.rng.choice([kind for kind in verb.objects if kind != "name"])
        predicate.head.right.append(noun_phrase(draft, kind, "obj", number=number, noun=noun).head)
    else:
        predicate = random_predicate(draft, phrase, tenses=ANY_TENSES, simple=True)
    predicate.head.left[:0] = [_pronoun(draft, phrase, "nsubj"), *predicate.before_head]
    return predicate.head


def _object_relative(draft: Draft, phrase: Phrase, omit_pronoun_probability: float) -> Node:
    rng = draft.rng
    verb = rng.choice(tuple(verb for verb in TRANSITIVE if phrase.kind in verb.objects) or PSYCH_VERBS)
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.15)
    predicate = verb_group(draft, verb, subject.agreement, rng.weighted_choice(RELATIVE_TENSES))
    annotate_subject(draft, subject, predicate.head)
    relative_pronouns = [_pronoun(draft, phrase, "obj")] if rng.chance(1 - omit_pronoun_probability) else []
    predicate.head.left[:0] = [*relative_pronouns, subject.head, *predicate.before_head]
    return predicate.head


def participle(draft: Draft, phrase: Phrase) -> Phrase:
    """Add a participial clause: *the boys watching the man*, *the book praised by the critics*."""
    is_object = phrase.head.deprel in OBJECT_RELATIONS
    draft.object_depth += is_object
    if draft.rng.chance(0.3) and (verbs := _passive_verbs(phrase.kind)):
        head = verb_word(draft.rng.choice(verbs), PASSIVE, phrase.agreement, "acl")
        draft.tags.add("passive")
        head.right.append(agent(draft, PERSON_KINDS))
    else:
        verb = draft.rng.choice(_PERSON_SUBJECT_VERBS if is_person(phrase) else PSYCH_VERBS)
        head = verb_word(verb, ING, phrase.agreement, "acl")
        head.feats = "VerbForm=Ger"
        head.right.append(any_phrase(draft, verb.objects, "obj").head)
    draft.object_depth -= is_object
    phrase.head.right.append(head)
    return phrase


def _passive_verbs(kind: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in TRANSITIVE if verb.passive and kind in verb.objects)


def agent(draft: Draft, kinds: tuple[str, ...]) -> Node:
    phrase = any_phrase(draft, kinds, "obl:agent", pronoun_probability=0.06)
    phrase.head.left.insert(0, adposition("by"))
    return phrase.head


def passive_predicate(draft: Draft, subject: Phrase, tense: str, *, negated: bool = False) -> Predicate:
    """Generate an agentless passive predicate that fits the subject."""
    verbs = _passive_verbs(subject.kind) or tuple(verb for verb in PSYCH_VERBS if subject.kind in verb.objects)
    if subject.kind in {"pronoun", *PERSON_KINDS}:
        verbs = (*_passive_verbs("person"), *PSYCH_VERBS)
    verb = draft.rng.choice(verbs)
    return verb_group(draft, verb, subject.agreement, tense, passive=True, negated=negated)


_PERSON_SUBJECT_VERBS = tuple(verb for verb in TRANSITIVE if "group" not in verb.objects)


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
    return finish(draft, declarative(draft, subject, predicate), final_mark)


def any_subject(draft: Draft, kinds: tuple[str, ...] = SUBJECT_KINDS) -> Phrase:
    """Generate a subject without modifiers after its noun."""
    return any_phrase(draft, kinds, "nsubj", pronoun_probability=0.2)


def person_subject(draft: Draft) -> Phrase:
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
