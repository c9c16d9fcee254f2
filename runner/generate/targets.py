"""Genres, and target sentences for the nine paradigms of the targeted-injection paper (its appendix)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from runner.readers import parse_toml
from runner.sample import polarity, sentences
from runner.sample.clauses import (
    declarative,
    drawn_group,
    finish,
    inverted,
    is_person,
    predicate_of,
    relative_clause,
    sentence,
    verb_group,
)
from runner.sample.lexicon import (
    INTRANSITIVE,
    PERSON_KINDS,
    PERSON_OBJECT_VERBS,
    PSYCH_VERBS,
    REFLEXIVE,
    TRANSITIVE,
    UNACCUSATIVE,
    Verb,
    Weighted,
)
from runner.sample.phrases import Draft, Phrase, any_phrase, locative_phrase, noun_phrase, reflexive
from runner.sample.polarity import NPI_QUESTION_TENSES, NPI_TENSES, with_npi
from runner.sample.words import BE, ING, IT, PLUR, SING, Agreement, Node, glued, pronoun, verb_word, word

Production = Callable[[Draft], Node]

_AUXILIARY_TENSES = Weighted(("do", 20), ("did", 30), ("perfect", 20), ("progressive", 10), ("modal", 20))
_ECHO_TENSES = Weighted(("perfect", 30), ("pluperfect", 15), ("progressive", 15), ("modal", 40))
_FINITE_TENSES = Weighted(("present", 30), ("past", 35), ("perfect", 20), ("modal", 15))
_KNOWLEDGE_VERBS = tuple(verb for verb in PERSON_OBJECT_VERBS if verb.lemma in {"know", "forget", "remember"})
_THING_OBJECT_VERBS = tuple(verb for verb in TRANSITIVE if set(verb.objects) & {"info", "thing", "clothes", "place"})


def only_npi_scope(draft: Draft) -> Node:
    """Generate *Only those boys who Mary had seen have ever complained.*"""
    subject = noun_phrase(draft, draft.rng.choice(("person", "person", "relational", "animal")), "nsubj")
    subject.head.left.insert(0, word("adverb", "only"))
    relative_clause(draft, subject, object_relative=True, omit_pronoun_probability=0.0)
    predicate = with_npi(draft, subject, draft.rng.weighted_choice(NPI_TENSES), npi="ever")
    return sentence(draft, subject, predicate)


def existential_there_quantifiers(draft: Draft) -> Node:
    """Generate *Every report is there annoying Anna.*"""
    number = draft.rng.choice((SING, PLUR))
    det = draft.rng.choice(("every", "each") if number == SING else ("all", "most"))
    kind = draft.rng.choice(("person", "animal", "info", "thing", "clothes", "group"))
    subject = noun_phrase(draft, kind, "nsubj", number=number, det=det)
    verb = draft.rng.choice(draft.rng.choice((INTRANSITIVE if is_person(subject) else UNACCUSATIVE, PSYCH_VERBS)))
    there = word("adverb", "there")
    tense = draft.rng.choice(("progressive", "past-progressive"))
    negated = draft.rng.chance(0.2)
    predicate = predicate_of(draft, verb, subject.agreement, tense, negated=negated, adverbs=(there,))
    return sentence(draft, subject, predicate)


def wh_with_gap_long_distance(draft: Draft) -> Node:
    """Generate *Mary forgot who the boys that laughed had visited.*"""
    matrix_subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.1)
    matrix_predicate = drawn_group(draft, _KNOWLEDGE_VERBS, matrix_subject.agreement, _FINITE_TENSES)
    subject = relative_clause(draft, noun_phrase(draft, draft.rng.choice(("person", "relational")), "nsubj"))
    verb = draft.rng.choice(draft.rng.choice((PERSON_OBJECT_VERBS, _THING_OBJECT_VERBS)))
    embedded_predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(_FINITE_TENSES))
    embedded_clause = declarative(draft, subject, embedded_predicate)
    embedded_clause.left.insert(
        0, word("interrogative", "who" if set(verb.objects) & set(PERSON_KINDS) else "what", "obj")
    )
    embedded_clause.deprel = "ccomp"
    matrix_predicate.head.right.append(embedded_clause)
    return sentence(draft, matrix_subject, matrix_predicate)


def matrix_question_npi(draft: Draft) -> Node:
    """Generate *Has Mary ever slept?*"""
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.2)
    predicate = with_npi(draft, subject, draft.rng.weighted_choice(NPI_QUESTION_TENSES), npi="ever")
    return finish(draft, inverted(draft, subject, predicate), "?")


def principle_a_reconstruction(draft: Draft) -> Node:
    """Generate *It's herself that Mary described.*"""
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.1)
    root = reflexive(draft, subject, "root")
    copula_word = verb_word(BE, "present", Agreement(SING), "cop", upos="AUX")
    if draft.rng.chance(0.7):
        copula_word.form, copula_word.glued = "'s", True
    root.left = [pronoun(IT, "Nom", "expl"), copula_word]
    negated = draft.rng.chance(0.15)
    predicate = drawn_group(draft, REFLEXIVE, subject.agreement, _FINITE_TENSES, negated=negated)
    clause = declarative(draft, subject, predicate)
    clause.left.insert(0, word("relative", draft.rng.choice(("that", "that", "who")), "obj"))
    clause.deprel = "advcl:relcl"
    root.right.append(clause)
    return finish(draft, root)


def sentential_subject(draft: Draft) -> Node:
    """Generate *Who has the boys' visiting Mary annoyed?*"""
    gerund = verb_word(draft.rng.choice(PERSON_OBJECT_VERBS), ING, Agreement(SING), "csubj")
    gerund.feats = "VerbForm=Ger"
    possessor = noun_phrase(draft, draft.rng.choice(("person", "person", "relational", "group")), "nmod:poss")
    possessor.head.right.append(glued("genitive", "'" if possessor.head.form.endswith("s") else "'s"))
    gerund.left.append(possessor.head)
    gerund.right.append(any_phrase(draft, PERSON_KINDS, "obj", pronoun_probability=0.0).head)
    predicate = drawn_group(draft, PSYCH_VERBS, Agreement(SING), _AUXILIARY_TENSES)
    root = inverted(draft, Phrase(gerund, "idea", SING, "Neut"), predicate)
    root.left.insert(0, word("interrogative", "who", "obj"))
    return finish(draft, root, "?")


def echo_question(draft: Draft) -> Node:
    """Generate *Mary would sell which book?*"""
    subject = any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.1)
    verb = draft.rng.choice(TRANSITIVE)
    predicate = verb_group(draft, verb, subject.agreement, draft.rng.weighted_choice(_ECHO_TENSES))
    predicate.add_object(_question_object(draft, verb))
    if draft.rng.chance(0.2):
        predicate.head.right.append(locative_phrase(draft))
    return sentence(draft, subject, predicate, "?")


def coordinate_left_branch(draft: Draft) -> Node:
    """Generate *What books did Mary read and the boys buy?*"""
    first_subject, second_subject = (
        any_phrase(draft, PERSON_KINDS, "nsubj", pronoun_probability=0.0) for _ in range(2)
    )
    first_verb = draft.rng.choice(TRANSITIVE)
    parallel_verbs = tuple(other for other in TRANSITIVE if other.objects == first_verb.objects)
    tense = draft.rng.weighted_choice(_AUXILIARY_TENSES)
    second_verb = draft.rng.choice(parallel_verbs)
    first_predicate = verb_group(draft, first_verb, first_subject.agreement, tense)
    second_predicate = verb_group(draft, second_verb, first_subject.agreement, tense)
    root = inverted(draft, first_subject, first_predicate)
    root.left.insert(0, _question_object(draft, first_verb).head)
    second_predicate.head.left = [word("conjunction", "and"), second_subject.head]
    second_predicate.head.deprel = "conj"
    root.right.append(second_predicate.head)
    return finish(draft, root, "?")


def _question_object(draft: Draft, verb: Verb) -> Phrase:
    """Generate the object of a question: *which book*, *what books*, *whose book*."""
    kind = draft.rng.choice(tuple(kind for kind in verb.objects if kind != "name"))
    determiner_form = draft.rng.choice(("which", "what", "whose"))
    phrase = noun_phrase(draft, kind, "obj", det="" if determiner_form == "whose" else determiner_form)
    if determiner_form == "whose":
        phrase.head.left.insert(0, word("interrogative", "whose"))
    return phrase


def principle_a_c_command(draft: Draft) -> Node:
    """Generate *The girls who like the man hurt themselves.*"""
    subject = noun_phrase(draft, draft.rng.choice(("person", "relational")), "nsubj")
    relative_clause(draft, subject, number=draft.rng.choice((SING, PLUR)))
    negated = draft.rng.chance(0.15)
    predicate = drawn_group(draft, REFLEXIVE, subject.agreement, _FINITE_TENSES, negated=negated)
    predicate.head.right.append(reflexive(draft, subject))
    return sentence(draft, subject, predicate)


# By BLiMP's names, in the order of the paper's table 2.
TARGETS: dict[str, Production] = {
    "only_npi_scope": only_npi_scope,
    "existential_there_quantifiers_2": existential_there_quantifiers,
    "wh_vs_that_with_gap_long_distance": wh_with_gap_long_distance,
    "matrix_question_npi_licensor_present": matrix_question_npi,
    "principle_A_reconstruction": principle_a_reconstruction,
    "sentential_subject_island": sentential_subject,
    "left_branch_island_echo_question": echo_question,
    "coordinate_structure_constraint_complex_left_branch": coordinate_left_branch,
    "principle_A_c_command": principle_a_c_command,
}
TEMPLATES: dict[str, str] = parse_toml(Path(__file__).with_name("templates.toml").read_text(encoding="utf-8"))


_FILE = Path(__file__).with_name("genres.toml")


@dataclass(frozen=True, slots=True)
class Genre:
    name: str
    subgenres: tuple[str, ...]
    register: str


@cache
def genres() -> tuple[Genre, ...]:
    registers: dict[str, dict[str, list[str]]] = parse_toml(_FILE.read_text(encoding="utf-8"))
    return tuple(
        Genre(name, tuple(subgenres), register)
        for register, subgenres_by_genre in registers.items()
        for name, subgenres in subgenres_by_genre.items()
    )


# No mixture generates the construction of a target: reflexives, polarity items, existential *there*, wh-questions.
_COMMON = ((sentences.plain, 30), (sentences.subject_with_pp, 8), (sentences.demonstrative, 8), (sentences.counted, 4))
REGISTERS: dict[str, Weighted[Production]] = {
    "spoken": Weighted(*_COMMON, (sentences.coordination, 10), (polarity.question, 10), (polarity.stance, 6)),
    "narrative": Weighted(
        *_COMMON, (sentences.fronted, 10), (sentences.because, 8), (sentences.subject_with_relative, 8)
    ),
    "factual": Weighted(
        *_COMMON, (sentences.passive, 10), (sentences.subject_with_participle, 8), (sentences.fronted, 5)
    ),
    "formal": Weighted(*_COMMON, (sentences.passive, 16), (sentences.subject_with_relative, 8), (sentences.because, 5)),
    "persuasive": Weighted(*_COMMON, (polarity.stance, 10), (sentences.because, 8), (sentences.coordination, 8)),
}
