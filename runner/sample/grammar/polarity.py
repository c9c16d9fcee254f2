"""Turns a stream of choices into questions, negations, *only* and *even*, and the polarity items they license."""

from __future__ import annotations

from runner.sample.grammar.clauses import finish, person, subject
from runner.sample.grammar.phrases import Draft, Phrase, any_phrase, noun_phrase
from runner.sample.grammar.predicates import (
    AGREEING_COPULA,
    Predicate,
    action,
    add_object,
    declarative,
    describe,
    inverted,
    subject_of,
    verb_group,
)
from runner.sample.words.lexicon import FREQUENCY, INTRANSITIVE, PEOPLE, STANCE, TRANSITIVE
from runner.sample.words.rng import Table
from runner.sample.words.tree import Node
from runner.sample.words.words import (
    BE,
    PLUR,
    SING,
    Agreement,
    adposition,
    adverb,
    determiner,
    expletive_there,
    question_word,
    verb_word,
)

QUESTION_FRAME = Table(("do", 30), ("did", 25), ("perfect", 15), ("progressive", 15), ("modal", 15))
NPI_FRAME = Table(("present", 15), ("past", 25), ("perfect", 30), ("pluperfect", 15), ("modal", 15))
NPI_QUESTION_FRAME = Table(("do", 30), ("did", 30), ("perfect", 25), ("modal", 15))
NEGATED_FRAME = Table(("do", 20), ("did", 20), ("perfect", 30), ("pluperfect", 15), ("modal", 15))
NPI_SHAPES = Table(("ever", 65), ("any", 20), ("at all", 15))
_ANY_OBJECTS = tuple(verb for verb in TRANSITIVE if set(verb.objects) & {"info", "thing", "clothes", "animal"})


def at_all() -> Node:
    """*at all*, an oblique of its verb."""
    word = determiner("all")
    word.deprel = "obl"
    word.left.append(adposition("at"))
    return word


def with_npi(draft: Draft, doer: Phrase, frame: str, *, negated: bool = False, shape: str = "") -> Predicate:
    """A predicate that holds *ever*, *any* or *at all*; who calls it has to license it."""
    dice = draft.dice
    shape = shape or dice.draw(NPI_SHAPES)
    draft.tags.add("npi")
    middle = (adverb("ever"),) if shape == "ever" else ()
    phrase: Phrase | None = None
    if shape == "any":
        verb = dice.pick(_ANY_OBJECTS)
        kinds = tuple(kind for kind in verb.objects if kind not in {"name", "kin", "person"})
        phrase = noun_phrase(draft, dice.pick(kinds), "obj", det="any")
    else:
        verb = dice.pick(INTRANSITIVE) if shape == "at all" or dice.chance(0.4) else dice.pick(TRANSITIVE)
        phrase = any_phrase(draft, verb.objects, "obj") if verb.objects else None
    predicate = verb_group(draft, verb, doer.agreement, frame, negated=negated, middle=middle)
    if phrase is not None:
        add_object(predicate, phrase)
    if shape == "at all":
        predicate.head.right.append(at_all())
    return predicate


def negated_npi(draft: Draft) -> Node:
    """*Mary has not ever slept.* *The boys did not buy any hats.*"""
    doer = person(draft)
    predicate = with_npi(draft, doer, draft.dice.draw(NEGATED_FRAME), negated=True)
    return finish(draft, declarative(draft, doer, predicate))


def stance(draft: Draft) -> Node:
    """*Mary has probably slept.*: what stands where *not* does, without any polarity item."""
    doer = person(draft)
    middle: tuple[Node, ...] = (adverb(draft.dice.pick(STANCE)),)
    if draft.dice.chance(0.4):
        middle = (*middle, adverb(draft.dice.pick(FREQUENCY)))
    verb = draft.dice.pick(INTRANSITIVE if draft.dice.chance(0.4) else TRANSITIVE)
    predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(NPI_FRAME), middle=middle)
    if verb.objects:
        add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    return finish(draft, declarative(draft, doer, predicate))


def focus(draft: Draft, word: str) -> Phrase:
    """A subject with *only* or *even* before it."""
    doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.05)
    doer.noun.left.insert(0, adverb(word))
    return doer


def only_npi(draft: Draft) -> Node:
    """*Only Mary has ever slept.*"""
    doer = focus(draft, "only")
    predicate = with_npi(draft, doer, draft.dice.draw(NPI_FRAME))
    draft.tags.add("npi-only")
    return finish(draft, declarative(draft, doer, predicate))


def only_or_even(draft: Draft) -> Node:
    """*Even the boys have often slept.* *Only Mary laughed.*: no polarity item."""
    doer = focus(draft, draft.dice.pick(("only", "even", "even", "even")))
    middle = (adverb(draft.dice.pick((*FREQUENCY, *STANCE))),) if draft.dice.chance(0.5) else ()
    verb = draft.dice.pick(INTRANSITIVE if draft.dice.chance(0.4) else TRANSITIVE)
    predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(NPI_FRAME), middle=middle)
    if verb.objects:
        add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    return finish(draft, declarative(draft, doer, predicate))


def no_npi(draft: Draft) -> Node:
    """*No student has ever laughed.*"""
    doer = noun_phrase(draft, draft.dice.pick(("person", "animal")), "nsubj", det="no")
    predicate = with_npi(draft, doer, draft.dice.draw(NPI_FRAME), shape="ever" if doer.kind == "person" else "at all")
    return finish(draft, declarative(draft, doer, predicate))


def question(draft: Draft) -> Node:
    """*Do the boys like Mary?* *Is the cat in the park?*"""
    doer = subject(draft)
    if draft.dice.chance(0.25):
        predicate = describe(draft, doer, frames=AGREEING_COPULA)
    else:
        predicate = action(draft, doer, frames=QUESTION_FRAME, negation_share=0.0)
    return finish(draft, inverted(draft, doer, predicate), "?")


def question_npi(draft: Draft) -> Node:
    """*Has Mary ever slept?* *Are there any books in the library?*"""
    if draft.dice.chance(0.15):
        number = draft.dice.pick((SING, PLUR, PLUR))
        root = verb_word(BE, "present", Agreement(number), "root")
        pivot = noun_phrase(
            draft, draft.dice.pick(("info", "thing", "clothes", "person")), "nsubj", number=number, det="any"
        )
        root.right = [expletive_there(), pivot.noun]
        subject_of(draft, pivot, root, before_head=False)
        draft.tags.update(("npi", "existential-there"))
        return finish(draft, root, "?")
    doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.2)
    predicate = with_npi(draft, doer, draft.dice.draw(NPI_QUESTION_FRAME))
    return finish(draft, inverted(draft, doer, predicate), "?")


def wh_question(draft: Draft) -> Node:
    """*Who saw the boys?* *Which books did Mary sell?*"""
    dice = draft.dice
    if dice.chance(0.4):
        doer = Phrase(question_word("who", "nsubj"), "person", SING, "")
        predicate = action(draft, doer, negation_share=0.0)
        return finish(draft, declarative(draft, doer, predicate), "?")
    verb = dice.pick(TRANSITIVE)
    doer = subject(draft, PEOPLE)
    predicate = verb_group(draft, verb, doer.agreement, dice.draw(QUESTION_FRAME))
    root = inverted(draft, doer, predicate)
    kinds = tuple(kind for kind in verb.objects if kind not in {"name", "kin"})
    if set(kinds) & {"person", "animal"} and dice.chance(0.5):
        asked = question_word("who", "obj")
    elif dice.chance(0.3):
        asked = question_word("what", "obj")
    else:
        asked = noun_phrase(draft, dice.pick(kinds), "obj", det="which").noun
    root.left.insert(0, asked)
    return finish(draft, root, "?")
