"""The paradigms of minimal pairs, under BLiMP's names, with a function for each that creates contrasts."""

from __future__ import annotations

from collections.abc import Callable

from runner.sample.grammar import polarity, quantified
from runner.sample.grammar.clauses import finish, person_subject
from runner.sample.grammar.modifiers import agent, relative_clause
from runner.sample.grammar.phrases import (
    Draft,
    Phrase,
    add_pp,
    amount,
    any_phrase,
    locative_phrase,
    name_phrase,
    noun_phrase,
    reflexive,
)
from runner.sample.grammar.predicates import (
    ANY_TENSE,
    Predicate,
    add_object,
    adjectival_head,
    copula,
    declarative,
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
from runner.sample.words.rng import Rng, Weighted
from runner.sample.words.tree import Node, words
from runner.sample.words.words import BE, BY_GENDER, OTHER_NUMBER, PLUR, SING, THEY, adverb, expletive_there, verb_word

AGREEING_SHAPES = Weighted(
    ("present", 40), ("perfect", 22), ("progressive", 15), ("was-progressive", 8), ("copula", 15)
)
EITHER_NUMBER = ("the", "the", "some", "possessive")
LISTED = tuple(noun for group in NOUNS.values() for noun in group if noun.listed)  # those of BLiMP


def _listed_nouns(*, irregular: bool) -> tuple[Noun, ...]:
    return tuple(noun for noun in LISTED if noun.irregular == irregular)


def _agreeing(draft: Draft, shared_rng: Rng, subject: Phrase) -> Predicate:
    """Return a predicate whose first word agrees with the subject in number."""
    human = is_person(subject)
    shape = shared_rng.weighted_choice(AGREEING_SHAPES)
    verb = shared_rng.choice(
        shared_rng.choice((INTRANSITIVE, PSYCH, _PERSON_OBJECT_VERBS)) if human else shared_rng.choice((EVENTS, PSYCH))
    )
    negated, contracted = shared_rng.chance(0.15), shared_rng.chance(0.5)
    if shape == "copula":
        tense = shared_rng.choice(("present", "present", "past"))
        return copula(
            draft, adjectival_head(draft, human=human), subject.agreement, tense, negated=negated, contracted=contracted
        )
    predicate = verb_group(draft, verb, subject.agreement, shape, negated=negated, contracted=contracted)
    if verb.objects:
        add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    elif draft.rng.chance(0.5):
        predicate.head.right.append(locative_phrase(draft))
    return predicate


def _wrong_verb(draft: Draft, shared_rng: Rng, subject: Phrase) -> Contrast:
    predicate = _agreeing(draft, shared_rng, subject)
    root = finish(draft, declarative(draft, subject, predicate))
    return Contrast(root, ((predicate.finite, predicate.finite.flip),))


def across_pp(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The sketch of the trucks has/have vanished.*"""
    noun = shared_rng.choice(NOUNS[shared_rng.choice(("info", "info", "info", "kin", "kin"))])
    subject = noun_phrase(draft, noun.kind, "nsubj", number=number, noun=noun, adjectives=0.0)
    return _wrong_verb(draft, shared_rng, add_pp(draft, subject, number=OTHER_NUMBER[number]))


def across_relative(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The boys who saw the girl are/is tall.*"""
    noun = shared_rng.choice(NOUNS["person"])
    subject = noun_phrase(draft, "person", "nsubj", number=number, noun=noun, adjectives=0.0)
    return _wrong_verb(draft, shared_rng, relative_clause(draft, subject, number=OTHER_NUMBER[number]))


def subject_verb(*, irregular: bool, wrong_noun: bool) -> Maker:
    """Return a maker of *The boys sing/sings.* or, with `wrong_noun`, of *The boys/boy sing.*"""
    nouns = _listed_nouns(irregular=irregular)

    def make(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
        noun = shared_rng.choice(nouns)
        det = draft.rng.choice(EITHER_NUMBER) if wrong_noun else None
        subject = noun_phrase(draft, noun.kind, "nsubj", number=number, noun=noun, det=det, adjectives=0.0)
        if not wrong_noun:
            return _wrong_verb(draft, shared_rng, subject)
        predicate = _agreeing(draft, shared_rng, subject)
        root = finish(draft, declarative(draft, subject, predicate))
        return Contrast(root, ((subject.noun, subject.noun.flip),), critical=predicate.finite)

    return make


def determiner_noun(*, irregular: bool, wrong_noun: bool, adjective: bool) -> Maker:
    """Return a maker of *Mary saw this/these hat.* or, with `wrong_noun`, of *Mary saw this hat/hats.*"""
    nouns = _listed_nouns(irregular=irregular)

    def make(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
        noun = shared_rng.choice(nouns)
        is_proximal = shared_rng.chance(0.5)
        det = {SING: ("that", "this"), PLUR: ("those", "these")}[number][is_proximal]
        subject = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.0)
        verb = draft.rng.choice(_verbs_taking(noun.kind))
        predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(ANY_TENSE))
        share = 1.0 if adjective else 0.0
        phrase = noun_phrase(draft, noun.kind, "obj", number=number, det=det, noun=noun, adjectives=share)
        add_object(predicate, phrase)
        root = finish(draft, declarative(draft, subject, predicate))
        word = phrase.noun if wrong_noun else phrase.noun.left[0]
        return Contrast(root, ((word, word.flip),), critical=None if wrong_noun else phrase.noun)

    return make


def _verbs_taking(kind: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in TRANSITIVE if kind in verb.objects)


def _gendered_subject(draft: Draft, gender: str, number: str) -> Phrase:
    nouns = tuple(noun for noun in NOUNS["person"] if noun.gender == gender)
    return noun_phrase(draft, "person", "nsubj", number=number, noun=draft.rng.choice(nouns), adjectives=0.1)


def _reflexive(draft: Draft, subject: Phrase, wrong: str) -> Contrast:
    rng = draft.rng
    verb, tense, negated = rng.choice(REFLEXIVE), rng.weighted_choice(ANY_TENSE), rng.chance(0.15)
    predicate = verb_group(draft, verb, subject.agreement, tense, negated=negated, middle=middle_adverb(draft))
    word = reflexive(draft, subject)
    predicate.head.right.append(word)
    if rng.chance(0.4):
        predicate.head.right.append(locative_phrase(draft) if rng.chance(0.6) else adverb(rng.choice(MANNER)))
    return Contrast(finish(draft, declarative(draft, subject, predicate)), ((word, wrong),))


def reflexive_gender(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *Mary hurt herself/himself.* The gender of the subject depends on `number`."""
    gender, other = (FEMININE, MASCULINE) if number == SING else (MASCULINE, FEMININE)
    subject = name_phrase(draft, "nsubj", gender) if shared_rng.chance(0.5) else _gendered_subject(draft, gender, SING)
    return _reflexive(draft, subject, BY_GENDER[other].reflexive)


def reflexive_number(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The girl hurt herself/themselves.*"""
    gender = shared_rng.choice((FEMININE, MASCULINE))
    subject = _gendered_subject(draft, gender, number)
    wrong = THEY if number == SING else BY_GENDER[gender]
    return _reflexive(draft, subject, wrong.reflexive)


def reflexive_over_relative(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The girls who like the man hurt themselves/himself.*"""
    gender = shared_rng.choice((FEMININE, MASCULINE))
    subject = _gendered_subject(draft, gender, number)
    nouns = tuple(noun for noun in NOUNS["person"] if noun.gender == gender)
    relative_clause(draft, subject, number=OTHER_NUMBER[number], noun=draft.rng.choice(nouns))
    wrong = THEY if number == SING else BY_GENDER[gender]
    return _reflexive(draft, subject, wrong.reflexive)


def existential_quantifier(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *There is a/every book about cats.*"""
    good = shared_rng.choice(("a", "a", "no", "some") if number == SING else ("many", "no", "some", "few"))
    bad = shared_rng.choice(("each", "every") if number == SING else ("most", "all"))
    kind = draft.rng.choice(("person", "animal", "info", "thing", "clothes"))
    pivot = noun_phrase(draft, kind, "nsubj", number=number, det=good, adjectives=0.0)
    root = verb_word(BE, draft.rng.choice(("present", "past")), pivot.agreement, "root")
    root.left.append(expletive_there())
    root.right.append(pivot.noun)
    quantified.add_participle(draft, pivot)
    return Contrast(finish(draft, root), ((pivot.noun.left[0], bad),))


def only_or_even(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Only/Even Mary has ever slept.*"""
    subject = polarity.focus(draft, "only")
    predicate = polarity.with_npi(draft, subject, shared_rng.weighted_choice(polarity.NPI_TENSE), shape="ever")
    root = finish(draft, declarative(draft, subject, predicate))
    return Contrast(root, ((subject.noun.left[0], "even"),), critical=_ever(root))


def _ever(root: Node) -> Node:
    return next(node for node in words(root) if node.form == "ever")


def even_with_npi(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Even Mary has really/ever slept.*"""
    subject = polarity.focus(draft, "even")
    predicate = polarity.with_npi(draft, subject, shared_rng.weighted_choice(polarity.NPI_TENSE), shape="ever")
    root = finish(draft, declarative(draft, subject, predicate))
    word = _ever(root)
    word.form = shared_rng.choice(("often", "really", "clearly", "certainly"))
    return Contrast(root, ((word, "ever"),))


def not_or_adverb(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Mary has not/probably ever slept.*"""
    subject = person_subject(draft)
    tense = shared_rng.weighted_choice(Weighted(("perfect", 45), ("pluperfect", 25), ("modal", 30)))
    predicate = polarity.with_npi(draft, subject, tense, negated=True, shape="ever")
    root = finish(draft, declarative(draft, subject, predicate))
    word = next(node for node in words(root) if node.form == "not")
    return Contrast(root, ((word, shared_rng.choice(STANCE)),), critical=_ever(root))


def question_or_statement(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Has Mary ever slept?* and *Mary has ever slept.*"""
    subject = any_phrase(draft, PEOPLE, "nsubj", pronouns=0.2)
    predicate = polarity.with_npi(draft, subject, shared_rng.weighted_choice(polarity.NPI_QUESTION_TENSE), shape="ever")
    root = finish(draft, inverted(draft, subject, predicate), "?")
    order = words(root)
    statement = [*words(subject.noun), order[0], *order[1 + len(words(subject.noun)) :]]
    return Contrast(root, ((order[-1], "."),), statement, critical=_ever(root))


def amounts(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *No girl saw fewer than/at most two cats.*"""
    first, *bad = shared_rng.choice((("more", "at", "least"), ("fewer", "at", "most")))
    subject = noun_phrase(draft, "person", "nsubj", number=number, det="no", adjectives=0.1)
    noun = draft.rng.choice(tuple(noun for noun in LISTED if noun.kind not in {"idea", "place", "group"}))
    predicate = verb_group(
        draft, draft.rng.choice(_verbs_taking(noun.kind)), subject.agreement, draft.rng.weighted_choice(ANY_TENSE)
    )
    phrase = noun_phrase(draft, noun.kind, "obj", number=PLUR, det="", noun=noun, adjectives=0.0)
    quantity = amount(draft, (first, "than"))
    phrase.noun.left.append(quantity)
    add_object(predicate, phrase)
    bound = quantity.left[0]
    root = finish(draft, declarative(draft, subject, predicate))
    return Contrast(root, ((bound, bad[0]), (bound.right[0], bad[1])))


def passive(*, by: bool) -> Maker:
    """Return a maker of *The girls were helped/smiled (by Mary).*"""

    def make(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
        subject = noun_phrase(draft, "person", "nsubj", number=number)
        verb = shared_rng.choice((*_PASSIVE_PERSON_OBJECT_VERBS, *PSYCH))
        tense = draft.rng.choice(("present", "past", "past"))
        predicate = verb_group(draft, verb, subject.agreement, tense, passive=True, negated=shared_rng.chance(0.15))
        if by:
            predicate.head.right.append(agent(draft, PEOPLE))
        root = finish(draft, declarative(draft, subject, predicate))
        return Contrast(root, ((predicate.head, shared_rng.choice(INTRANSITIVE).participle),))

    return make


def irregular_past(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Mary wrote/written the story.*"""
    verb = shared_rng.choice(tuple(verb for verb in TRANSITIVE if verb.past != verb.participle))
    subject = person_subject(draft)
    predicate = verb_group(draft, verb, subject.agreement, "past")
    add_object(predicate, any_phrase(draft, verb.objects, "obj"))
    return Contrast(finish(draft, declarative(draft, subject, predicate)), ((predicate.head, verb.participle),))


_PERSON_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if "person" in verb.objects)
_PASSIVE_PERSON_OBJECT_VERBS = tuple(verb for verb in _PERSON_OBJECT_VERBS if verb.passive)


def _agreement(uid: str, term: str, make: Maker, method: str = "one_prefix", *, identical: bool = False) -> Paradigm:
    return Paradigm(uid, "morphology", term, make, method, identical=identical, balanced=True)


def _verb_agreement(uid: str, make: Callable[[Draft, Rng, str], Contrast], method: str = "one_prefix") -> Paradigm:
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
