"""Generate relative clauses, participial clauses and passives."""

from __future__ import annotations

from runner.sample.grammar.phrases import OBJECT_RELATIONS, Draft, Phrase, any_phrase, noun_phrase
from runner.sample.grammar.predicates import ANY_TENSE, Predicate, action, is_person, subject_of, verb_group
from runner.sample.words.lexicon import PEOPLE, PSYCH, TRANSITIVE, Noun, Verb
from runner.sample.words.rng import Weighted
from runner.sample.words.tree import Node
from runner.sample.words.words import ING, PASSIVE, adposition, relative_pronoun, verb_word

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

    With `number`, the clause has an object of this grammatical number. The object is `noun` if given. With
    `object_relative`, the phrase is the object of the clause, and the relative pronoun is omitted with probability
    `omit_pronoun_probability`.
    """
    is_object = phrase.noun.deprel in OBJECT_RELATIONS
    draft.object_depth += is_object
    head = (
        _object_relative(draft, phrase, omit_pronoun_probability)
        if object_relative
        else _subject_relative(draft, phrase, number, noun)
    )
    draft.object_depth -= is_object
    head.deprel = "acl:relcl"
    phrase.noun.right.append(head)
    phrase.relative = True
    return phrase


def _pronoun(draft: Draft, phrase: Phrase, relation: str) -> Node:
    forms = ("who", "who", "that") if is_person(phrase) else ("that", "which")
    return relative_pronoun(draft.rng.choice(forms), relation)


def _subject_relative(draft: Draft, phrase: Phrase, number: str, noun: Noun | None) -> Node:
    if number:
        verb = draft.rng.choice(
            _PERSON_OBJECT_VERBS if noun is not None else _PERSON_SUBJECT_VERBS if is_person(phrase) else PSYCH
        )
        tense = draft.rng.weighted_choice(RELATIVE_TENSES)
        predicate = verb_group(draft, verb, phrase.agreement, tense, negated=draft.rng.chance(0.08))
        kind = noun.kind if noun is not None else draft.rng.choice([kind for kind in verb.objects if kind != "name"])
        predicate.head.right.append(noun_phrase(draft, kind, "obj", number=number, noun=noun).noun)
    else:
        predicate = action(draft, phrase, tenses=ANY_TENSE, simple=True)
    predicate.head.left[:0] = [_pronoun(draft, phrase, "nsubj"), *predicate.before_head]
    return predicate.head


def _object_relative(draft: Draft, phrase: Phrase, omit_pronoun_probability: float) -> Node:
    rng = draft.rng
    verb = rng.choice(tuple(verb for verb in TRANSITIVE if phrase.kind in verb.objects) or PSYCH)
    subject = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.15)
    predicate = verb_group(draft, verb, subject.agreement, rng.weighted_choice(RELATIVE_TENSES))
    subject_of(draft, subject, predicate.head)
    relativizer = [_pronoun(draft, phrase, "obj")] if rng.chance(1 - omit_pronoun_probability) else []
    predicate.head.left[:0] = [*relativizer, subject.noun, *predicate.before_head]
    return predicate.head


def participle(draft: Draft, phrase: Phrase) -> Phrase:
    """Add a participial clause: *the boys watching the man*, *the book praised by the critics*."""
    is_object = phrase.noun.deprel in OBJECT_RELATIONS
    draft.object_depth += is_object
    if draft.rng.chance(0.3) and (verbs := _passives(phrase.kind)):
        head = verb_word(draft.rng.choice(verbs), PASSIVE, phrase.agreement, "acl")
        draft.tags.add("passive")
        head.right.append(agent(draft, PEOPLE))
    else:
        verb = draft.rng.choice(_PERSON_SUBJECT_VERBS if is_person(phrase) else PSYCH)
        head = verb_word(verb, ING, phrase.agreement, "acl")
        head.feats = "VerbForm=Ger"
        head.right.append(any_phrase(draft, verb.objects, "obj").noun)
    draft.object_depth -= is_object
    phrase.noun.right.append(head)
    return phrase


def _passives(kind: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in TRANSITIVE if verb.passive and kind in verb.objects)


def agent(draft: Draft, kinds: tuple[str, ...]) -> Node:
    """Generate the *by*-phrase of a passive."""
    phrase = any_phrase(draft, kinds, "obl:agent", pronouns=0.06)
    phrase.noun.left.insert(0, adposition("by"))
    return phrase.noun


def passive_predicate(draft: Draft, subject: Phrase, tense: str, *, negated: bool = False) -> Predicate:
    """Generate an agentless passive predicate that fits the subject."""
    verbs = _passives(subject.kind) or tuple(verb for verb in PSYCH if subject.kind in verb.objects)
    if subject.kind in {"pronoun", *PEOPLE}:
        verbs = (*_passives("person"), *PSYCH)
    verb = draft.rng.choice(verbs)
    return verb_group(draft, verb, subject.agreement, tense, passive=True, negated=negated)


_PERSON_SUBJECT_VERBS = tuple(verb for verb in TRANSITIVE if "group" not in verb.objects)
_PERSON_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if "person" in verb.objects)
