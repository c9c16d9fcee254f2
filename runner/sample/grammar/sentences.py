"""Generate plain sentences, and sentences with modifiers, coordination, complements and reflexives."""

from __future__ import annotations

from runner.sample.grammar.clauses import any_subject, clause, finish, person_subject
from runner.sample.grammar.modifiers import agent, participle, passive_predicate, relative_clause
from runner.sample.grammar.phrases import Draft, Phrase, add_pp, any_phrase, locative_phrase, noun_phrase, reflexive
from runner.sample.grammar.predicates import (
    ANY_TENSE,
    action,
    add_object,
    copula,
    declarative,
    is_person,
    middle_adverb,
    verb_group,
)
from runner.sample.words.lexicon import CLAUSAL, INFINITIVAL, MANNER, PEOPLE, REFLEXIVE, TRANSITIVE
from runner.sample.words.rng import Weighted
from runner.sample.words.tree import Node
from runner.sample.words.words import (
    BASE,
    PLUR,
    SING,
    adverb,
    conjunction,
    demonstrative_pronoun,
    infinitive_to,
    mark,
    subordinator,
    verb_word,
)

PASSIVE_TENSE = Weighted(("present", 35), ("past", 35), ("perfect", 15), ("modal", 15))
_WITH_NOUN_OBJECT = tuple(verb for verb in TRANSITIVE if set(verb.objects) - {"name", "group"})
_CLAUSAL_TENSE = Weighted(("present", 45), ("past", 40), ("perfect", 5), ("modal", 10))


def plain(draft: Draft) -> Node:
    """Generate *The student laughed.* *Mary has seen the old car.* *These are cups.*"""
    if draft.rng.chance(0.04):
        number = draft.rng.choice((SING, PLUR))
        this = Phrase(demonstrative_pronoun(number, "nsubj"), "thing", number, "Neut")
        kind = draft.rng.choice(("thing", "clothes", "info", "place"))
        det = "a" if number == SING else ""
        head = noun_phrase(draft, kind, "root", number=number, det=det).noun
        return finish(draft, declarative(draft, this, copula(draft, head, this.agreement, "present")))
    return finish(draft, clause(draft))


def subject_with_pp(draft: Draft) -> Node:
    """Generate *The sketches of the truck have disappeared.*"""
    kind = draft.rng.choice(("info", "info", "info", "kin", "kin", "group", "person", "thing", "clothes", "idea"))
    subject = add_pp(draft, noun_phrase(draft, kind, "nsubj", adjectives=0.1))
    if subject.inner is not None and subject.inner.kind != "name" and draft.rng.chance(0.06):
        relative_clause(draft, subject.inner, object_relative=draft.rng.chance(0.3))
    return finish(draft, declarative(draft, subject, action(draft, subject)))


def subject_with_relative(draft: Draft) -> Node:
    """Generate *The boys who like Mary are tall.* *The book that the teacher wrote has vanished.*"""
    kind = draft.rng.choice(("person", "person", "person", "kin", "animal", "info", "thing", "clothes"))
    subject = noun_phrase(draft, kind, "nsubj", adjectives=0.1)
    relative_clause(draft, subject, object_relative=draft.rng.chance(0.4))
    return finish(draft, declarative(draft, subject, action(draft, subject)))


def subject_with_participle(draft: Draft) -> Node:
    """Generate *The girl watching the birds smiles.*"""
    kind = draft.rng.choice(("person", "person", "kin", "info", "thing"))
    subject = participle(draft, noun_phrase(draft, kind, "nsubj", adjectives=0.1))
    return finish(draft, declarative(draft, subject, action(draft, subject)))


def demonstrative(draft: Draft) -> Node:
    """Generate *Mary bought these hats.* *That old car is red.*"""
    number = draft.rng.choice((SING, PLUR))
    det = draft.rng.choice(("this", "that") if number == SING else ("these", "those"))
    adjectives = 0.35
    if draft.rng.chance(0.3):
        kind = draft.rng.choice(("person", "animal", "info", "thing", "clothes", "place", "idea"))
        subject = noun_phrase(draft, kind, "nsubj", number=number, det=det, adjectives=adjectives)
        return finish(draft, declarative(draft, subject, action(draft, subject)))
    subject = person_subject(draft)
    verb = draft.rng.choice(_WITH_NOUN_OBJECT)
    kind = draft.rng.choice(tuple(kind for kind in verb.objects if kind not in {"name", "group"}))
    predicate = verb_group(
        draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSE), middle=middle_adverb(draft)
    )
    add_object(predicate, noun_phrase(draft, kind, "obj", number=number, det=det, adjectives=adjectives))
    return finish(draft, declarative(draft, subject, predicate))


def coordination(draft: Draft) -> Node:
    """Generate *Mary and the boys sing.* *Mary sings and dances.* *John left, but Mary stayed.*"""
    shape = draft.rng.choice(("phrase", "predicate", "clause"))
    if shape == "phrase":
        first, second = (any_phrase(draft, PEOPLE, "nsubj", pronouns=0.0) for _ in range(2))
        second.noun.deprel = "conj"
        second.noun.left.insert(0, conjunction("and"))
        first.noun.right.append(second.noun)
        subject = Phrase(first.noun, "person", PLUR, "", listed=first.listed)
        return finish(draft, declarative(draft, subject, action(draft, subject)))
    if shape == "predicate":
        subject = person_subject(draft)
        first_part, second_part = action(draft, subject, simple=True), action(draft, subject, simple=True)
        root = declarative(draft, subject, first_part)
        second_part.head.left[:0] = [conjunction(draft.rng.choice(("and", "but"))), *second_part.before_head]
        second_part.head.deprel = "conj"
        root.right.append(second_part.head)
        return finish(draft, root)
    root, other = clause(draft), clause(draft)
    other.left[:0] = [mark(","), conjunction(draft.rng.choice(("and", "but")))]
    other.deprel = "conj"
    root.right.append(other)
    return finish(draft, root)


def complement(draft: Draft) -> Node:
    """Generate *Mary thinks that the boys sing.* *John wants to help her.*"""
    subject = person_subject(draft)
    if draft.rng.chance(0.35):
        verb = draft.rng.choice(INFINITIVAL)
        predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSE))
        inner = _infinitive(draft, subject)
    else:
        predicate = verb_group(
            draft, draft.rng.choice(CLAUSAL), subject.agreement, draft.rng.weighted_choice(_CLAUSAL_TENSE)
        )
        inner = _that_clause(draft)
    predicate.head.right.append(inner)
    return finish(draft, declarative(draft, subject, predicate))


def _infinitive(draft: Draft, subject: Phrase) -> Node:
    if draft.rng.chance(0.15):
        head = verb_word(draft.rng.choice(REFLEXIVE), BASE, subject.agreement, "xcomp")
        head.right.append(reflexive(draft, subject))
        draft.tags.add("binding-domain")
    else:
        verb = draft.rng.choice(TRANSITIVE)
        head = verb_word(verb, BASE, subject.agreement, "xcomp")
        head.right.append(any_phrase(draft, verb.objects, "obj").noun)
    head.left.insert(0, infinitive_to())
    return head


def _that_clause(draft: Draft) -> Node:
    subject = person_subject(draft) if draft.rng.chance(0.5) else any_subject(draft)
    marked = draft.rng.chance(0.6)
    if is_person(subject) and draft.rng.chance(0.1):
        verb = draft.rng.choice(REFLEXIVE)
        predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSE))
        predicate.head.right.append(reflexive(draft, subject))
        draft.tags.add("binding-domain")
    else:
        predicate = action(draft, subject)
        if marked and predicate.object is not None and predicate.object.kind == "pronoun":
            draft.tags.add("binding-domain")
    root = declarative(draft, subject, predicate)
    if marked:
        root.left.insert(0, subordinator("that"))
        if subject.kind == "pronoun":
            draft.tags.add("binding-case")
    root.deprel = "ccomp"
    return root


def because(draft: Draft) -> Node:
    """Generate *Mary smiled because the boys sang.*"""
    root, reason = clause(draft), clause(draft)
    reason.left.insert(0, subordinator("because"))
    reason.deprel = "advcl"
    root.right.append(reason)
    return finish(draft, root)


def fronted(draft: Draft) -> Node:
    """Generate *Near the trucks, the cat sleeps.*"""
    where = locative_phrase(draft)
    where.right.append(mark(","))
    root = clause(draft)
    root.left.insert(0, where)
    return finish(draft, root)


def reflexive_object(draft: Draft) -> Node:
    """Generate *Mary hurt herself.*"""
    return finish(draft, _reflexive(draft, person_subject(draft)))


def reflexive_over_relative(draft: Draft) -> Node:
    """Generate *The girls who like John hurt themselves.*"""
    subject = noun_phrase(draft, draft.rng.choice(("person", "kin")), "nsubj", adjectives=0.1)
    relative_clause(draft, subject, object_relative=draft.rng.chance(0.3))
    return finish(draft, _reflexive(draft, subject))


def _reflexive(draft: Draft, subject: Phrase) -> Node:
    verb = draft.rng.choice(REFLEXIVE)
    negated = draft.rng.chance(0.12)
    predicate = verb_group(
        draft,
        verb,
        subject.agreement,
        draft.rng.weighted_choice(ANY_TENSE),
        negated=negated,
        middle=middle_adverb(draft),
    )
    predicate.head.right.append(reflexive(draft, subject))
    if draft.rng.chance(0.2):
        predicate.head.right.append(
            locative_phrase(draft) if draft.rng.chance(0.5) else adverb(draft.rng.choice(MANNER))
        )
    draft.tags.add("reflexive")
    if subject.has_relative:
        draft.tags.add("binding-c-command")
    return declarative(draft, subject, predicate)


def passive(draft: Draft) -> Node:
    """Generate *The book was sold by the students.* *These shirts have been bought.*"""
    kinds = ("person", "person", "name", "kin", "animal", "info", "thing", "clothes", "place", "group", "idea")
    subject = any_subject(draft, kinds)
    if subject.kind in {"info", "kin", "thing"} and draft.rng.chance(0.1):
        add_pp(draft, subject)
    tense = draft.rng.weighted_choice(PASSIVE_TENSE)
    predicate = passive_predicate(draft, subject, tense, negated=draft.rng.chance(0.1))
    if draft.rng.chance(0.6):
        predicate.head.right.append(agent(draft, PEOPLE))
    elif draft.rng.chance(0.3):
        predicate.head.right.append(locative_phrase(draft))
    return finish(draft, declarative(draft, subject, predicate))
