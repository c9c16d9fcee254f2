"""Turns the constructions into minimal contrasts: one function a paradigm, under BLiMP's names."""

from __future__ import annotations

from collections.abc import Callable

from runner.sample.grammar import polarity, quantified
from runner.sample.grammar.clauses import finish, person
from runner.sample.grammar.modifiers import agent, relative_clause
from runner.sample.grammar.phrases import (
    Draft,
    Phrase,
    amount,
    any_phrase,
    modify,
    name_phrase,
    noun_phrase,
    place,
    reflexive,
)
from runner.sample.grammar.predicates import (
    ANY_FRAME,
    Predicate,
    add_object,
    copula,
    declarative,
    describe_head,
    inverted,
    is_person,
    middle_adverb,
    verb_group,
)
from runner.sample.pairs import Contrast, Maker, Paradigm
from runner.sample.words.lexicon import (
    EVENTS,
    FEMININE,
    INTRANSITIVE,
    MANNER,
    MASCULINE,
    NOUNS,
    PEOPLE,
    PSYCH,
    REFLEXIVE,
    STANCE,
    TRANSITIVE,
    Noun,
    Verb,
)
from runner.sample.words.rng import Dice, Table
from runner.sample.words.tree import Node, words
from runner.sample.words.words import BE, BY_GENDER, OTHER, PLUR, SING, THEY, adverb, expletive_there, verb_word

AGREEING_SHAPES = Table(("present", 40), ("perfect", 22), ("progressive", 15), ("was-progressive", 8), ("copula", 15))
EITHER_NUMBER = ("the", "the", "some", "possessive")
LISTED = tuple(noun for group in NOUNS.values() for noun in group if noun.listed)  # as BLiMP's own pairs have


def _choose(*, irregular: bool) -> tuple[Noun, ...]:
    return tuple(noun for noun in LISTED if noun.irregular == irregular)


def _agreeing(draft: Draft, crux: Dice, doer: Phrase) -> Predicate:
    """A predicate whose first word shows the subject's number."""
    human = is_person(doer)
    shape = crux.draw(AGREEING_SHAPES)
    verb = crux.pick(crux.pick((INTRANSITIVE, PSYCH, _PERSONAL)) if human else crux.pick((EVENTS, PSYCH)))
    negated, short = crux.chance(0.15), crux.chance(0.5)
    if shape == "copula":
        frame = crux.pick(("present", "present", "past"))
        return copula(draft, describe_head(draft, human=human), doer.agreement, frame, negated=negated, short=short)
    predicate = verb_group(draft, verb, doer.agreement, shape, negated=negated, short=short)
    if verb.objects:
        add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    elif draft.dice.chance(0.5):
        predicate.head.right.append(place(draft))
    return predicate


def _wrong_verb(draft: Draft, crux: Dice, doer: Phrase) -> Contrast:
    predicate = _agreeing(draft, crux, doer)
    root = finish(draft, declarative(draft, doer, predicate))
    return Contrast(root, ((predicate.finite, predicate.finite.flip),))


def across_pp(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*The sketch of the trucks has/have vanished.*"""
    noun = crux.pick(NOUNS[crux.pick(("info", "info", "info", "kin", "kin"))])
    doer = noun_phrase(draft, noun.kind, "nsubj", number=number, noun=noun, adjectives=0.0)
    return _wrong_verb(draft, crux, modify(draft, doer, number=OTHER[number]))


def across_relative(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*The boys who saw the girl are/is tall.*"""
    noun = crux.pick(NOUNS["person"])
    doer = noun_phrase(draft, "person", "nsubj", number=number, noun=noun, adjectives=0.0)
    return _wrong_verb(draft, crux, relative_clause(draft, doer, number=OTHER[number]))


def subject_verb(*, irregular: bool, wrong_noun: bool) -> Maker:
    """*The boys sing/sings.* or, with the wrong noun, *The boys/boy sing.*"""
    nouns = _choose(irregular=irregular)

    def make(draft: Draft, crux: Dice, number: str) -> Contrast:
        noun = crux.pick(nouns)
        det = draft.dice.pick(EITHER_NUMBER) if wrong_noun else None
        doer = noun_phrase(draft, noun.kind, "nsubj", number=number, noun=noun, det=det, adjectives=0.0)
        if not wrong_noun:
            return _wrong_verb(draft, crux, doer)
        predicate = _agreeing(draft, crux, doer)
        root = finish(draft, declarative(draft, doer, predicate))
        return Contrast(root, ((doer.noun, doer.noun.flip),), critical=predicate.finite)

    return make


def determiner_noun(*, irregular: bool, wrong_noun: bool, adjective: bool) -> Maker:
    """*Mary saw this hat/hats.* or, with the wrong determiner, *Mary saw this/these hat.*"""
    nouns = _choose(irregular=irregular)

    def make(draft: Draft, crux: Dice, number: str) -> Contrast:
        noun = crux.pick(nouns)
        near = crux.chance(0.5)
        det = {SING: ("that", "this"), PLUR: ("those", "these")}[number][near]
        doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.0)
        verb = draft.dice.pick(_taking(noun.kind))
        predicate = verb_group(draft, verb, doer.agreement, draft.dice.draw(ANY_FRAME))
        share = 1.0 if adjective else 0.0
        phrase = noun_phrase(draft, noun.kind, "obj", number=number, det=det, noun=noun, adjectives=share)
        add_object(predicate, phrase)
        root = finish(draft, declarative(draft, doer, predicate))
        word = phrase.noun if wrong_noun else phrase.noun.left[0]
        return Contrast(root, ((word, word.flip),), critical=None if wrong_noun else phrase.noun)

    return make


def _taking(kind: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in TRANSITIVE if kind in verb.objects)


def _gendered(draft: Draft, gender: str, number: str) -> Phrase:
    nouns = tuple(noun for noun in NOUNS["person"] if noun.gender == gender)
    return noun_phrase(draft, "person", "nsubj", number=number, noun=draft.dice.pick(nouns), adjectives=0.1)


def _reflexive(draft: Draft, doer: Phrase, wrong: str) -> Contrast:
    dice = draft.dice
    verb, frame, negated = dice.pick(REFLEXIVE), dice.draw(ANY_FRAME), dice.chance(0.15)
    predicate = verb_group(draft, verb, doer.agreement, frame, negated=negated, middle=middle_adverb(draft))
    word = reflexive(draft, doer)
    predicate.head.right.append(word)
    if dice.chance(0.4):
        predicate.head.right.append(place(draft) if dice.chance(0.6) else adverb(dice.pick(MANNER)))
    return Contrast(finish(draft, declarative(draft, doer, predicate)), ((word, wrong),))


def reflexive_gender(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*Mary hurt herself/himself.*; the number given says whether a woman or a man comes first."""
    gender, other = (FEMININE, MASCULINE) if number == SING else (MASCULINE, FEMININE)
    doer = name_phrase(draft, "nsubj", gender) if crux.chance(0.5) else _gendered(draft, gender, SING)
    return _reflexive(draft, doer, BY_GENDER[other].reflexive)


def reflexive_number(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*The girl hurt herself/themselves.*"""
    gender = crux.pick((FEMININE, MASCULINE))
    doer = _gendered(draft, gender, number)
    wrong = THEY if number == SING else BY_GENDER[gender]
    return _reflexive(draft, doer, wrong.reflexive)


def reflexive_over_relative(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*The girls who like the man hurt themselves/himself.*"""
    gender = crux.pick((FEMININE, MASCULINE))
    doer = _gendered(draft, gender, number)
    nouns = tuple(noun for noun in NOUNS["person"] if noun.gender == gender)
    relative_clause(draft, doer, number=OTHER[number], noun=draft.dice.pick(nouns))
    wrong = THEY if number == SING else BY_GENDER[gender]
    return _reflexive(draft, doer, wrong.reflexive)


def existential_quantifier(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*There is a/every book about cats.*"""
    good = crux.pick(("a", "a", "no", "some") if number == SING else ("many", "no", "some", "few"))
    bad = crux.pick(("each", "every") if number == SING else ("most", "all"))
    kind = draft.dice.pick(("person", "animal", "info", "thing", "clothes"))
    pivot = noun_phrase(draft, kind, "nsubj", number=number, det=good, adjectives=0.0)
    root = verb_word(BE, draft.dice.pick(("present", "past")), pivot.agreement, "root")
    root.left.append(expletive_there())
    root.right.append(pivot.noun)
    quantified.happening(draft, pivot)
    return Contrast(finish(draft, root), ((pivot.noun.left[0], bad),))


def only_or_even(draft: Draft, crux: Dice, _number: str) -> Contrast:
    """*Only/Even Mary has ever slept.*"""
    doer = polarity.focus(draft, "only")
    predicate = polarity.with_npi(draft, doer, crux.draw(polarity.NPI_FRAME), shape="ever")
    root = finish(draft, declarative(draft, doer, predicate))
    return Contrast(root, ((doer.noun.left[0], "even"),), critical=_ever(root))


def _ever(root: Node) -> Node:
    return next(node for node in words(root) if node.form == "ever")


def even_with_npi(draft: Draft, crux: Dice, _number: str) -> Contrast:
    """*Even Mary has really/ever slept.*"""
    doer = polarity.focus(draft, "even")
    predicate = polarity.with_npi(draft, doer, crux.draw(polarity.NPI_FRAME), shape="ever")
    root = finish(draft, declarative(draft, doer, predicate))
    word = _ever(root)
    word.form = crux.pick(("often", "really", "clearly", "certainly"))
    return Contrast(root, ((word, "ever"),))


def not_or_adverb(draft: Draft, crux: Dice, _number: str) -> Contrast:
    """*Mary has not/probably ever slept.*"""
    doer = person(draft)
    frame = crux.draw(Table(("perfect", 45), ("pluperfect", 25), ("modal", 30)))
    predicate = polarity.with_npi(draft, doer, frame, negated=True, shape="ever")
    root = finish(draft, declarative(draft, doer, predicate))
    word = next(node for node in words(root) if node.form == "not")
    return Contrast(root, ((word, crux.pick(STANCE)),), critical=_ever(root))


def question_or_statement(draft: Draft, crux: Dice, _number: str) -> Contrast:
    """*Has Mary ever slept?* against *Mary has ever slept.*"""
    doer = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.2)
    predicate = polarity.with_npi(draft, doer, crux.draw(polarity.NPI_QUESTION_FRAME), shape="ever")
    root = finish(draft, inverted(draft, doer, predicate), "?")
    order = words(root)
    statement = [*words(doer.noun), order[0], *order[1 + len(words(doer.noun)) :]]
    return Contrast(root, ((order[-1], "."),), statement, critical=_ever(root))


def amounts(draft: Draft, crux: Dice, number: str) -> Contrast:
    """*No girl saw fewer than two cats.* against *at most two cats*."""
    first, *bad = crux.pick((("more", "at", "least"), ("fewer", "at", "most")))
    doer = noun_phrase(draft, "person", "nsubj", number=number, det="no", adjectives=0.1)
    noun = draft.dice.pick(tuple(noun for noun in LISTED if noun.kind not in {"idea", "place", "group"}))
    predicate = verb_group(draft, draft.dice.pick(_taking(noun.kind)), doer.agreement, draft.dice.draw(ANY_FRAME))
    phrase = noun_phrase(draft, noun.kind, "obj", number=PLUR, det="", noun=noun, adjectives=0.0)
    quantity = amount(draft, (first, "than"))
    phrase.noun.left.append(quantity)
    add_object(predicate, phrase)
    bound = quantity.left[0]
    root = finish(draft, declarative(draft, doer, predicate))
    return Contrast(root, ((bound, bad[0]), (bound.right[0], bad[1])))


def passive(*, by: bool) -> Maker:
    """*The girls were helped/smiled by Mary.*"""

    def make(draft: Draft, crux: Dice, number: str) -> Contrast:
        doer = noun_phrase(draft, "person", "nsubj", number=number)
        verb = crux.pick((*_PERSONAL_PASSIVE, *PSYCH))
        frame = draft.dice.pick(("present", "past", "past"))
        predicate = verb_group(draft, verb, doer.agreement, frame, passive=True, negated=crux.chance(0.15))
        if by:
            predicate.head.right.append(agent(draft, PEOPLE))
        root = finish(draft, declarative(draft, doer, predicate))
        return Contrast(root, ((predicate.head, crux.pick(INTRANSITIVE).participle),))

    return make


def irregular_past(draft: Draft, crux: Dice, _number: str) -> Contrast:
    """*Mary wrote/written the story.*"""
    verb = crux.pick(tuple(verb for verb in TRANSITIVE if verb.past != verb.participle))
    doer = person(draft)
    predicate = verb_group(draft, verb, doer.agreement, "past")
    add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    return Contrast(finish(draft, declarative(draft, doer, predicate)), ((predicate.head, verb.participle),))


_PERSONAL = tuple(verb for verb in TRANSITIVE if "person" in verb.objects)
_PERSONAL_PASSIVE = tuple(verb for verb in _PERSONAL if verb.passive)


def _agreement(uid: str, term: str, make: Maker, method: str = "one_prefix", *, identical: bool = False) -> Paradigm:
    return Paradigm(uid, "morphology", term, make, method, identical=identical, balanced=True)


def _verb_agreement(uid: str, make: Callable[[Draft, Dice, str], Contrast], method: str = "one_prefix") -> Paradigm:
    return _agreement(uid, "subject_verb_agreement", make, method)


def _noun_agreement(uid: str, *, irregular: bool = False, wrong_noun: bool, adjective: bool = False) -> Paradigm:
    make = determiner_noun(irregular=irregular, wrong_noun=wrong_noun, adjective=adjective)
    method = "one_prefix" if wrong_noun else "two_prefix"
    return _agreement(uid, "determiner_noun_agreement", make, method, identical=True)


_NPI, _QUANTIFIERS, _STRUCTURE = "npi_licensing", "quantifiers", "argument_structure"
PARADIGMS: tuple[Paradigm, ...] = (
    _verb_agreement("distractor_agreement_relational_noun", across_pp),
    _verb_agreement("distractor_agreement_relative_clause", across_relative),
    _verb_agreement("regular_plural_subject_verb_agreement_1", subject_verb(irregular=False, wrong_noun=False)),
    _verb_agreement(
        "regular_plural_subject_verb_agreement_2", subject_verb(irregular=False, wrong_noun=True), "two_prefix"
    ),
    _verb_agreement("irregular_plural_subject_verb_agreement_1", subject_verb(irregular=True, wrong_noun=False)),
    _verb_agreement(
        "irregular_plural_subject_verb_agreement_2", subject_verb(irregular=True, wrong_noun=True), "two_prefix"
    ),
    _noun_agreement("determiner_noun_agreement_1", wrong_noun=True),
    _noun_agreement("determiner_noun_agreement_2", wrong_noun=False),
    _noun_agreement("determiner_noun_agreement_irregular_1", irregular=True, wrong_noun=True),
    _noun_agreement("determiner_noun_agreement_irregular_2", irregular=True, wrong_noun=False),
    _noun_agreement("determiner_noun_agreement_with_adjective_1", wrong_noun=True, adjective=True),
    _noun_agreement("determiner_noun_agreement_with_adj_2", wrong_noun=False, adjective=True),
    _noun_agreement("determiner_noun_agreement_with_adj_irregular_1", irregular=True, wrong_noun=True, adjective=True),
    _noun_agreement("determiner_noun_agreement_with_adj_irregular_2", irregular=True, wrong_noun=False, adjective=True),
    _agreement("anaphor_gender_agreement", "anaphor_agreement", reflexive_gender),
    _agreement("anaphor_number_agreement", "anaphor_agreement", reflexive_number, identical=True),
    Paradigm(
        "principle_A_c_command", "syntax_semantics", "binding", reflexive_over_relative, "one_prefix", balanced=True
    ),
    Paradigm("existential_there_quantifiers_1", "semantics", _QUANTIFIERS, existential_quantifier),
    Paradigm("superlative_quantifiers_1", "semantics", _QUANTIFIERS, amounts),
    Paradigm("only_npi_licensor_present", "semantics", _NPI, only_or_even, "two_prefix"),
    Paradigm("npi_present_1", "semantics", _NPI, even_with_npi, "one_prefix"),
    Paradigm("sentential_negation_npi_licensor_present", "semantics", _NPI, not_or_adverb, "two_prefix"),
    Paradigm(
        "matrix_question_npi_licensor_present", "semantics", _NPI, question_or_statement, "two_prefix", identical=True
    ),
    Paradigm("passive_1", "syntax", _STRUCTURE, passive(by=True)),
    Paradigm("passive_2", "syntax", _STRUCTURE, passive(by=False)),
    Paradigm("irregular_past_participle_verbs", "morphology", "irregular_forms", irregular_past, "one_prefix"),
)
