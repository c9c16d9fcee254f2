"""Turns a stream of choices into everyday sentences: agreement, modifiers, coordination, clauses, reflexives."""

from __future__ import annotations

from runner.sample.grammar.clauses import clause, finish, person, subject
from runner.sample.grammar.modifiers import agent, participle, passive_predicate, relative_clause
from runner.sample.grammar.phrases import Draft, Phrase, any_phrase, modify, noun_phrase, place, reflexive
from runner.sample.grammar.predicates import (
    ANY_FRAME,
    action,
    add_object,
    copula,
    declarative,
    is_person,
    middle_adverb,
    verb_group,
)
from runner.sample.words.lexicon import CLAUSAL, INFINITIVAL, MANNER, PEOPLE, REFLEXIVE, TRANSITIVE
from runner.sample.words.rng import Table
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

PASSIVE_FRAME = Table(("present", 35), ("past", 35), ("perfect", 15), ("modal", 15))
_WITH_NOUN_OBJECT = tuple(verb for verb in TRANSITIVE if set(verb.objects) - {"name", "group"})
_CLAUSAL_FRAME = Table(("present", 45), ("past", 40), ("perfect", 5), ("modal", 10))


def plain(draft: Draft) -> Node:
    """*The student laughed.* *Mary has seen the old car.* *These are cups.*"""
    if draft.dice.chance(0.04):
        number = draft.dice.pick((SING, PLUR))
        this = Phrase(demonstrative_pronoun(number, "nsubj"), "thing", number, "Neut")
        kind = draft.dice.pick(("thing", "clothes", "info", "place"))
        det = "a" if number == SING else ""
        head = noun_phrase(draft, kind, "root", number=number, det=det).noun
        return finish(draft, declarative(draft, this, copula(draft, head, this.agreement, "present")))
    return finish(draft, clause(draft))


def subject_with_pp(draft: Draft) -> Node:
    """*The sketches of the truck have disappeared.*"""
    kind = draft.dice.pick(("info", "info", "info", "kin", "kin", "group", "person", "thing", "clothes", "idea"))
    doer = modify(draft, noun_phrase(draft, kind, "nsubj", adjectives=0.1))
    if doer.inner is not None and doer.inner.kind != "name" and draft.dice.chance(0.06):
        relative_clause(draft, doer.inner, of_object=draft.dice.chance(0.3))
    return finish(draft, declarative(draft, doer, action(draft, doer)))


def subject_with_relative(draft: Draft) -> Node:
    """*The boys who like Mary are tall.* *The book that the teacher wrote has vanished.*"""
    kind = draft.dice.pick(("person", "person", "person", "kin", "animal", "info", "thing", "clothes"))
    doer = noun_phrase(draft, kind, "nsubj", adjectives=0.1)
    relative_clause(draft, doer, of_object=draft.dice.chance(0.4))
    return finish(draft, declarative(draft, doer, action(draft, doer)))


def subject_with_participle(draft: Draft) -> Node:
    """*The girl watching the birds smiles.*"""
    kind = draft.dice.pick(("person", "person", "kin", "info", "thing"))
    doer = participle(draft, noun_phrase(draft, kind, "nsubj", adjectives=0.1))
    return finish(draft, declarative(draft, doer, action(draft, doer)))


def demonstrative(draft: Draft) -> Node:
    """*Mary bought these hats.* *That old car is red.*"""
    number = draft.dice.pick((SING, PLUR))
    det = draft.dice.pick(("this", "that") if number == SING else ("these", "those"))
    adjectives = 0.35
    if draft.dice.chance(0.3):
        kind = draft.dice.pick(("person", "animal", "info", "thing", "clothes", "place", "idea"))
        doer = noun_phrase(draft, kind, "nsubj", number=number, det=det, adjectives=adjectives)
        return finish(draft, declarative(draft, doer, action(draft, doer)))
    doer = person(draft)
    verb = draft.dice.pick(_WITH_NOUN_OBJECT)
    kind = draft.dice.pick(tuple(kind for kind in verb.objects if kind not in {"name", "group"}))
    predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(ANY_FRAME), middle=middle_adverb(draft))
    add_object(predicate, noun_phrase(draft, kind, "obj", number=number, det=det, adjectives=adjectives))
    return finish(draft, declarative(draft, doer, predicate))


def coordination(draft: Draft) -> Node:
    """*Mary and the boys sing.* *Mary sings and dances.* *John left, but Mary stayed.*"""
    shape = draft.dice.pick(("phrase", "predicate", "clause"))
    if shape == "phrase":
        first, second = (any_phrase(draft, PEOPLE, "nsubj", pronouns=0.0) for _ in range(2))
        second.noun.deprel = "conj"
        second.noun.left.insert(0, conjunction("and"))
        first.noun.right.append(second.noun)
        doer = Phrase(first.noun, "person", PLUR, "", listed=first.listed)
        return finish(draft, declarative(draft, doer, action(draft, doer)))
    if shape == "predicate":
        doer = person(draft)
        first_part, second_part = action(draft, doer, simple=True), action(draft, doer, simple=True)
        root = declarative(draft, doer, first_part)
        second_part.head.left[:0] = [conjunction(draft.dice.pick(("and", "but"))), *second_part.before]
        second_part.head.deprel = "conj"
        root.right.append(second_part.head)
        return finish(draft, root)
    root, other = clause(draft), clause(draft)
    other.left[:0] = [mark(","), conjunction(draft.dice.pick(("and", "but")))]
    other.deprel = "conj"
    root.right.append(other)
    return finish(draft, root)


def complement(draft: Draft) -> Node:
    """*Mary thinks that the boys sing.* *John wants to help her.*"""
    doer = person(draft)
    if draft.dice.chance(0.35):
        verb = draft.dice.pick(INFINITIVAL)
        predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(ANY_FRAME))
        inner = _infinitive(draft, doer)
    else:
        predicate = verb_group(draft, draft.dice.pick(CLAUSAL), doer.agreement, draft.dice.draw(_CLAUSAL_FRAME))
        inner = _that_clause(draft)
    predicate.head.right.append(inner)
    return finish(draft, declarative(draft, doer, predicate))


def _infinitive(draft: Draft, doer: Phrase) -> Node:
    if draft.dice.chance(0.15):
        head = verb_word(draft.dice.pick(REFLEXIVE), BASE, doer.agreement, "xcomp")
        head.right.append(reflexive(draft, doer))
        draft.tags.add("binding-domain")
    else:
        verb = draft.dice.pick(TRANSITIVE)
        head = verb_word(verb, BASE, doer.agreement, "xcomp")
        head.right.append(any_phrase(draft, verb.objects, "obj").noun)
    head.left.insert(0, infinitive_to())
    return head


def _that_clause(draft: Draft) -> Node:
    doer = person(draft) if draft.dice.chance(0.5) else subject(draft)
    marked = draft.dice.chance(0.6)
    if is_person(doer) and draft.dice.chance(0.1):
        verb = draft.dice.pick(REFLEXIVE)
        predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(ANY_FRAME))
        predicate.head.right.append(reflexive(draft, doer))
        draft.tags.add("binding-domain")
    else:
        predicate = action(draft, doer)
        if marked and predicate.object is not None and predicate.object.kind == "pronoun":
            draft.tags.add("binding-domain")
    root = declarative(draft, doer, predicate)
    if marked:
        root.left.insert(0, subordinator("that"))
        if doer.kind == "pronoun":
            draft.tags.add("binding-case")
    root.deprel = "ccomp"
    return root


def because(draft: Draft) -> Node:
    """*Mary smiled because the boys sang.*"""
    root, reason = clause(draft), clause(draft)
    reason.left.insert(0, subordinator("because"))
    reason.deprel = "advcl"
    root.right.append(reason)
    return finish(draft, root)


def fronted(draft: Draft) -> Node:
    """*Near the trucks, the cat sleeps.*"""
    where = place(draft)
    where.right.append(mark(","))
    root = clause(draft)
    root.left.insert(0, where)
    return finish(draft, root)


def reflexive_object(draft: Draft) -> Node:
    """*Mary hurt herself.*"""
    return finish(draft, _reflexive(draft, person(draft)))


def reflexive_over_relative(draft: Draft) -> Node:
    """*The girls who like John hurt themselves.*"""
    doer = noun_phrase(draft, draft.dice.pick(("person", "kin")), "nsubj", adjectives=0.1)
    relative_clause(draft, doer, of_object=draft.dice.chance(0.3))
    return finish(draft, _reflexive(draft, doer))


def _reflexive(draft: Draft, doer: Phrase) -> Node:
    verb = draft.dice.pick(REFLEXIVE)
    negated = draft.dice.chance(0.12)
    predicate = verb_group(
        draft, verb, doer.agreement, draft.dice.draw(ANY_FRAME), negated=negated, middle=middle_adverb(draft)
    )
    predicate.head.right.append(reflexive(draft, doer))
    if draft.dice.chance(0.2):
        predicate.head.right.append(place(draft) if draft.dice.chance(0.5) else adverb(draft.dice.pick(MANNER)))
    draft.tags.add("reflexive")
    if doer.any_relative:
        draft.tags.add("binding-c-command")
    return declarative(draft, doer, predicate)


def passive(draft: Draft) -> Node:
    """*The book was sold by the students.* *These shirts have been bought.*"""
    kinds = ("person", "person", "name", "kin", "animal", "info", "thing", "clothes", "place", "group", "idea")
    doer = subject(draft, kinds)
    if doer.kind in {"info", "kin", "thing"} and draft.dice.chance(0.1):
        modify(draft, doer)
    frame = draft.dice.draw(PASSIVE_FRAME)
    predicate = passive_predicate(draft, doer, frame, negated=draft.dice.chance(0.1))
    if draft.dice.chance(0.6):
        predicate.head.right.append(agent(draft, PEOPLE))
    elif draft.dice.chance(0.3):
        predicate.head.right.append(place(draft))
    return finish(draft, declarative(draft, doer, predicate))
