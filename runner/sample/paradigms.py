"""Minimal pairs of paradigms that are named as in BLiMP. In examples, the good form precedes the slash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runner.sample import paradigm_rows, polarity, sentences
from runner.sample.clauses import (
    ANY_TENSES,
    Predicate,
    add_gerund,
    adjectival_head,
    agent,
    drawn_group,
    finish,
    inverted,
    is_person,
    optional_adverb,
    predicate_of,
    relative_clause,
    sentence,
    verb_group,
    with_auxiliaries,
)
from runner.sample.lexicon import (
    FEMININE,
    INTRANSITIVE,
    MANNER_ADVERBS,
    MASCULINE,
    NOUNS,
    PERSON_KINDS,
    PERSON_OBJECT_VERBS,
    PSYCH_VERBS,
    REFLEXIVE,
    STANCE_ADVERBS,
    TRANSITIVE,
    UNACCUSATIVE,
    Noun,
    Rng,
    Verb,
    Weighted,
)
from runner.sample.phrases import (
    Draft,
    Phrase,
    add_pp,
    amount,
    any_phrase,
    locative_phrase,
    name_phrase,
    noun_phrase,
    person_subject,
    reflexive,
)
from runner.sample.words import BE, OTHER_NUMBER, PLUR, PRONOUN_BY_GENDER, SING, THEY, Node, verb_word, word, words


@dataclass(slots=True)
class Contrast:
    """A good sentence, and the changed words with their bad forms.

    `bad_order` is the order of words in the bad sentence if it differs. `critical` is the word after two prefixes.
    """

    root: Node
    swaps: tuple[tuple[Node, str], ...] = ()
    bad_order: list[Node] | None = None
    critical: Node | None = None


# (draft, shared_rng, number) → contrast, where `number` is SING or PLUR. Two consecutive pairs form a couple with equal
# `shared_rng` and different `number`. The words chosen with `shared_rng` are in both pairs: in one pair in the good
# form, in the other in the bad form.
Maker = Callable[[Draft, Rng, str], Contrast]


@dataclass(frozen=True, slots=True)
class Paradigm:
    uid: str
    field: str
    term: str
    make: Maker
    method: str = ""  # one_prefix, two_prefix or neither
    identical: bool = False  # BLiMP's lexically_identical


AGREEING_TENSES_AND_COPULA = Weighted(
    ("present", 40), ("perfect", 22), ("progressive", 15), ("past-progressive", 8), ("copula", 15)
)
NUMBER_NEUTRAL_DETERMINERS = ("the", "the", "some", "possessive")
LISTED_NOUNS = tuple(noun for group in NOUNS.values() for noun in group if noun.listed)


def _listed_nouns(*, irregular: bool) -> tuple[Noun, ...]:
    return tuple(noun for noun in LISTED_NOUNS if noun.irregular == irregular)


def _agreeing_predicate(draft: Draft, shared_rng: Rng, subject: Phrase) -> Predicate:
    is_human = is_person(subject)
    shape = shared_rng.weighted_choice(AGREEING_TENSES_AND_COPULA)
    human_verbs, other_verbs = (INTRANSITIVE, PSYCH_VERBS, PERSON_OBJECT_VERBS), (UNACCUSATIVE, PSYCH_VERBS)
    verb = shared_rng.choice(shared_rng.choice(human_verbs if is_human else other_verbs))
    negated, contracted = shared_rng.chance(0.15), shared_rng.chance(0.5)
    if shape == "copula":
        tense = shared_rng.choice(("present", "present", "past"))
        head = adjectival_head(draft, is_human=is_human)
        return with_auxiliaries(draft, head, subject.agreement, tense, negated=negated, contracted=contracted)
    predicate = verb_group(draft, verb, subject.agreement, shape, negated=negated, contracted=contracted)
    if verb.objects:
        predicate.add_object(any_phrase(draft, verb.objects, "obj"))
    elif draft.rng.chance(0.5):
        predicate.head.right.append(locative_phrase(draft))
    return predicate


def _verb_contrast(draft: Draft, shared_rng: Rng, subject: Phrase) -> Contrast:
    predicate = _agreeing_predicate(draft, shared_rng, subject)
    root = sentence(draft, subject, predicate)
    return Contrast(root, ((predicate.finite, predicate.finite.other_number_form),))


def pp_distractor(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The sketch of the trucks has/have vanished.*"""
    noun = shared_rng.choice(NOUNS[shared_rng.choice(("info", "info", "info", "relational", "relational"))])
    subject = noun_phrase(draft, noun.kind, "nsubj", number=number, noun=noun, adjective_probability=0.0)
    return _verb_contrast(draft, shared_rng, add_pp(draft, subject, number=OTHER_NUMBER[number]))


def relative_clause_distractor(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The boys who saw the girl are/is tall.*"""
    noun = shared_rng.choice(NOUNS["person"])
    subject = noun_phrase(draft, "person", "nsubj", number=number, noun=noun, adjective_probability=0.0)
    return _verb_contrast(draft, shared_rng, relative_clause(draft, subject, number=OTHER_NUMBER[number]))


def subject_verb(*, irregular: bool, wrong_noun: bool) -> Maker:
    """Return a maker of *The boys sing/sings.* or, with `wrong_noun`, of *The boys/boy sing.*"""
    nouns = _listed_nouns(irregular=irregular)

    def make(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
        noun = shared_rng.choice(nouns)
        det = draft.rng.choice(NUMBER_NEUTRAL_DETERMINERS) if wrong_noun else None
        subject = noun_phrase(draft, noun.kind, "nsubj", number=number, noun=noun, det=det, adjective_probability=0.0)
        if not wrong_noun:
            return _verb_contrast(draft, shared_rng, subject)
        predicate = _agreeing_predicate(draft, shared_rng, subject)
        root = sentence(draft, subject, predicate)
        return Contrast(root, ((subject.head, subject.head.other_number_form),), critical=predicate.finite)

    return make


def determiner_noun(*, irregular: bool, wrong_noun: bool, adjective: bool) -> Maker:
    """Return a maker of *Mary saw this/these hat.* or, with `wrong_noun`, of *Mary saw this hat/hats.*"""
    nouns = _listed_nouns(irregular=irregular)

    def make(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
        noun = shared_rng.choice(nouns)
        is_proximal = shared_rng.chance(0.5)
        det = {SING: ("that", "this"), PLUR: ("those", "these")}[number][is_proximal]
        subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.0)
        predicate = drawn_group(draft, _verbs_taking(noun.kind), subject.agreement, ANY_TENSES)
        object_phrase = noun_phrase(
            draft, noun.kind, "obj", number=number, det=det, noun=noun, adjective_probability=float(adjective)
        )
        predicate.add_object(object_phrase)
        root = sentence(draft, subject, predicate)
        changed_word = object_phrase.head if wrong_noun else object_phrase.head.left[0]
        return Contrast(
            root, ((changed_word, changed_word.other_number_form),), critical=None if wrong_noun else object_phrase.head
        )

    return make


def _verbs_taking(kind: str) -> tuple[Verb, ...]:
    return tuple(verb for verb in TRANSITIVE if kind in verb.objects)


def _gendered_noun(draft: Draft, gender: str) -> Noun:
    return draft.rng.choice(tuple(noun for noun in NOUNS["person"] if noun.gender == gender))


def _gendered_subject(draft: Draft, gender: str, number: str) -> Phrase:
    noun = _gendered_noun(draft, gender)
    return noun_phrase(draft, "person", "nsubj", number=number, noun=noun, adjective_probability=0.1)


def _wrong_number(number: str, gender: str) -> str:
    return (THEY if number == SING else PRONOUN_BY_GENDER[gender]).reflexive


def _reflexive_contrast(draft: Draft, subject: Phrase, wrong_form: str) -> Contrast:
    rng = draft.rng
    verb, tense, negated = rng.choice(REFLEXIVE), rng.weighted_choice(ANY_TENSES), rng.chance(0.15)
    predicate = verb_group(draft, verb, subject.agreement, tense, negated=negated, adverbs=optional_adverb(draft))
    pronoun = reflexive(draft, subject)
    predicate.head.right.append(pronoun)
    if rng.chance(0.4):
        predicate.head.right.append(
            locative_phrase(draft) if rng.chance(0.6) else word("adverb", rng.choice(MANNER_ADVERBS))
        )
    return Contrast(sentence(draft, subject, predicate), ((pronoun, wrong_form),))


def reflexive_gender(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *Mary hurt herself/himself.* The subject is singular. Its gender depends on `number`."""
    gender, other_gender = (FEMININE, MASCULINE) if number == SING else (MASCULINE, FEMININE)
    subject = name_phrase(draft, "nsubj", gender) if shared_rng.chance(0.5) else _gendered_subject(draft, gender, SING)
    return _reflexive_contrast(draft, subject, PRONOUN_BY_GENDER[other_gender].reflexive)


def reflexive_number(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The girl hurt herself/themselves.*"""
    gender = shared_rng.choice((FEMININE, MASCULINE))
    subject = _gendered_subject(draft, gender, number)
    return _reflexive_contrast(draft, subject, _wrong_number(number, gender))


def reflexive_over_relative(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *The girls who like the man hurt themselves/himself.*"""
    gender = shared_rng.choice((FEMININE, MASCULINE))
    subject = _gendered_subject(draft, gender, number)
    relative_clause(draft, subject, number=OTHER_NUMBER[number], noun=_gendered_noun(draft, gender))
    return _reflexive_contrast(draft, subject, _wrong_number(number, gender))


def existential_quantifier(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *There is a/every book about cats.*"""
    good_determiner = shared_rng.choice(("a", "a", "no", "some") if number == SING else ("many", "no", "some", "few"))
    bad_determiner = shared_rng.choice(("each", "every") if number == SING else ("most", "all"))
    kind = draft.rng.choice(("person", "animal", "info", "thing", "clothes"))
    pivot = noun_phrase(draft, kind, "nsubj", number=number, det=good_determiner, adjective_probability=0.0)
    root = verb_word(BE, draft.rng.choice(("present", "past")), pivot.agreement, "root")
    root.left.append(word("expletive", "there"))
    root.right.append(pivot.head)
    add_gerund(draft, pivot, sentences.COUNTABLE_OBJECT_VERBS)
    return Contrast(finish(draft, root), ((pivot.head.left[0], bad_determiner),))


def _ever_after(draft: Draft, shared_rng: Rng, particle: str) -> tuple[Node, Node]:
    """Return the root and the particle of a sentence as in *Only Mary has ever slept.*"""
    subject = polarity.focus(draft, particle)
    predicate = polarity.with_npi(draft, subject, shared_rng.weighted_choice(polarity.NPI_TENSES), npi="ever")
    return sentence(draft, subject, predicate), subject.head.left[0]


def only_or_even(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Only/Even Mary has ever slept.*"""
    root, particle = _ever_after(draft, shared_rng, "only")
    return Contrast(root, ((particle, "even"),), critical=_ever(root))


def _ever(root: Node) -> Node:
    return next(node for node in words(root) if node.form == "ever")


def even_with_npi(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Even Mary has really/ever slept.*"""
    root, _ = _ever_after(draft, shared_rng, "even")
    ever = _ever(root)
    ever.form = shared_rng.choice(("often", "really", "clearly", "certainly"))
    return Contrast(root, ((ever, "ever"),))


def not_or_adverb(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Mary has not/probably ever slept.*"""
    subject = person_subject(draft)
    tense = shared_rng.weighted_choice(Weighted(("perfect", 45), ("pluperfect", 25), ("modal", 30)))
    predicate = polarity.with_npi(draft, subject, tense, negated=True, npi="ever")
    root = sentence(draft, subject, predicate)
    negation = next(node for node in words(root) if node.form == "not")
    return Contrast(root, ((negation, shared_rng.choice(STANCE_ADVERBS)),), critical=_ever(root))


def question_or_statement(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Has Mary ever slept?* and *Mary has ever slept.*"""
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.2)
    predicate = polarity.with_npi(draft, subject, shared_rng.weighted_choice(polarity.NPI_QUESTION_TENSES), npi="ever")
    root = finish(draft, inverted(draft, subject, predicate), "?")
    order = words(root)
    statement = [*words(subject.head), order[0], *order[1 + len(words(subject.head)) :]]
    return Contrast(root, ((order[-1], "."),), statement, critical=_ever(root))


def amounts(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
    """Generate *No girl saw fewer than/at most two cats.*"""
    good_word, *bad_words = shared_rng.choice((("more", "at", "least"), ("fewer", "at", "most")))
    subject = noun_phrase(draft, "person", "nsubj", number=number, det="no", adjective_probability=0.1)
    noun = draft.rng.choice(tuple(noun for noun in LISTED_NOUNS if noun.kind not in {"idea", "place", "group"}))
    predicate = drawn_group(draft, _verbs_taking(noun.kind), subject.agreement, ANY_TENSES)
    object_phrase = noun_phrase(draft, noun.kind, "obj", number=PLUR, det="", noun=noun, adjective_probability=0.0)
    quantity = amount(draft, (good_word, "than"))
    object_phrase.head.left.append(quantity)
    predicate.add_object(object_phrase)
    bound = quantity.left[0]
    root = sentence(draft, subject, predicate)
    return Contrast(root, ((bound, bad_words[0]), (bound.right[0], bad_words[1])))


def passive(*, with_agent: bool) -> Maker:
    """Return a maker of *The girls were helped/smiled (by Mary).*"""

    def make(draft: Draft, shared_rng: Rng, number: str) -> Contrast:
        subject = noun_phrase(draft, "person", "nsubj", number=number)
        verb = shared_rng.choice((*_PASSIVE_PERSON_OBJECT_VERBS, *PSYCH_VERBS))
        tense = draft.rng.choice(("present", "past", "past"))
        predicate = verb_group(draft, verb, subject.agreement, tense, passive=True, negated=shared_rng.chance(0.15))
        if with_agent:
            predicate.head.right.append(agent(draft))
        root = sentence(draft, subject, predicate)
        return Contrast(root, ((predicate.head, shared_rng.choice(INTRANSITIVE).participle),))

    return make


def irregular_past(draft: Draft, shared_rng: Rng, _number: str) -> Contrast:
    """Generate *Mary wrote/written the story.*"""
    verb = shared_rng.choice(tuple(verb for verb in TRANSITIVE if verb.past != verb.participle))
    subject = person_subject(draft)
    predicate = predicate_of(draft, verb, subject.agreement, "past")
    return Contrast(sentence(draft, subject, predicate), ((predicate.head, verb.participle),))


_PASSIVE_PERSON_OBJECT_VERBS = tuple(verb for verb in PERSON_OBJECT_VERBS if verb.passive)


_MAKERS: dict[str, Maker] = {
    "distractor_agreement_relational_noun": pp_distractor,
    "distractor_agreement_relative_clause": relative_clause_distractor,
    **{
        f"{name}_plural_subject_verb_agreement_{number}": subject_verb(irregular=irregular, wrong_noun=number == 2)
        for name, irregular in (("regular", False), ("irregular", True))
        for number in (1, 2)
    },
    **{
        f"determiner_noun_agreement_{name}{number}": determiner_noun(
            irregular="irregular" in name, wrong_noun=number == 1, adjective="adj" in name
        )
        for name in ("", "irregular_", "with_adj_", "with_adjective_", "with_adj_irregular_")
        for number in (1, 2)
    },
    "anaphor_gender_agreement": reflexive_gender,
    "anaphor_number_agreement": reflexive_number,
    "principle_A_c_command": reflexive_over_relative,
    "existential_there_quantifiers_1": existential_quantifier,
    "superlative_quantifiers_1": amounts,
    "only_npi_licensor_present": only_or_even,
    "npi_present_1": even_with_npi,
    "sentential_negation_npi_licensor_present": not_or_adverb,
    "matrix_question_npi_licensor_present": question_or_statement,
    "passive_1": passive(with_agent=True),
    "passive_2": passive(with_agent=False),
    "irregular_past_participle_verbs": irregular_past,
}


PARADIGMS = tuple(
    Paradigm(
        row["uid"], row["field"], row["term"], _MAKERS[row["uid"]], row["method"].strip("-"), row["identical"] == "yes"
    )
    for row in paradigm_rows()
)
