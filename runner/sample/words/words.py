"""Create annotated words, with the forms, tags and features of UD English EWT: `words.tsv` has the closed classes."""

from __future__ import annotations

import csv
from functools import partial
from pathlib import Path
from typing import NamedTuple

from runner.sample.words.lexicon import FEMININE, MASCULINE, NEUTER, Adjective, Noun, Verb
from runner.sample.words.tree import Node


class _Words(dict[tuple[str, str], list[str]]):
    """Maps a kind and a form to lemma, UPOS, XPOS, features, relation, and the form in the other number.

    The form `*` stands for all other forms of a kind, which are their own lemmas.
    """

    def __missing__(self, key: tuple[str, str]) -> list[str]:
        kind, form = key
        self[key] = [form, *self[kind, "*"][1:]]
        return self[key]


with Path(__file__).with_name("words.tsv").open(encoding="utf-8", newline="") as _file:
    _WORDS = _Words({(kind, form): row for kind, form, *row in csv.reader(_file, "excel-tab", quoting=csv.QUOTE_NONE)})


def word(kind: str, form: str, deprel: str = "") -> Node:
    """Create a word of a closed class, or a name. `deprel` replaces the relation of its class."""
    lemma, upos, xpos, feats, relation, other_number_form = _WORDS[kind, form]
    return Node(form, lemma, upos, xpos, feats, deprel or relation, other_number_form)


determiner = partial(word, "determiner")
modal = partial(word, "modal")
adverb = partial(word, "adverb")
adposition = partial(word, "adposition")
subordinator = partial(word, "subordinator")
infinitive_to = partial(word, "infinitive", "to")
conjunction = partial(word, "conjunction")
punctuation = partial(word, "punctuation")
numeral = partial(word, "numeral")
bound_word = partial(word, "bound")
name_word = partial(word, "name")
relative_pronoun = partial(word, "relative")
interrogative_pronoun = partial(word, "interrogative")
whose = partial(word, "interrogative", "whose")
expletive_there = partial(word, "expletive", "there")

SING, PLUR = "Sing", "Plur"
OTHER_NUMBER = {SING: PLUR, PLUR: SING}


class Agreement(NamedTuple):
    """The number and person that a finite verb agrees with."""

    number: str
    person: str = "3"


# Verb forms: two finite and four non-finite ones.
PRESENT, PAST, BASE, PAST_PARTICIPLE, ING, PASSIVE = "present", "past", "base", "participle", "ing", "passive"
_NONFINITE = {
    BASE: ("VB", "VerbForm=Inf"),
    PAST_PARTICIPLE: ("VBN", "Tense=Past|VerbForm=Part"),
    ING: ("VBG", "Tense=Pres|VerbForm=Part"),
    PASSIVE: ("VBN", "Tense=Past|VerbForm=Part|Voice=Pass"),
}
BE = Verb("be", "is", "was", "been", "being")
HAVE = Verb("have", "has", "had", "had", "having")
DO = Verb("do", "does", "did", "done", "doing")


def _finite_form(verb: Verb, verb_form: str, agreement: Agreement) -> str:
    is_third_singular = agreement.number == SING and agreement.person == "3"
    if verb is BE:
        is_first_singular = agreement.number == SING and agreement.person == "1"
        if verb_form == PRESENT:
            return "is" if is_third_singular else "am" if is_first_singular else "are"
        return "was" if is_third_singular or is_first_singular else "were"
    if verb_form == PAST:
        return verb.past
    return verb.third if is_third_singular else verb.lemma


def verb_word(verb: Verb, verb_form: str, agreement: Agreement, deprel: str, *, upos: str = "VERB") -> Node:
    """Create a verb form. A finite form also gets the form for the other number, if that differs."""
    if verb_form in _NONFINITE:
        xpos, feats = _NONFINITE[verb_form]
        form = {BASE: verb.lemma, ING: verb.ing}.get(verb_form, verb.participle)
        return Node(form, verb.lemma, upos, xpos, feats, deprel)
    form = _finite_form(verb, verb_form, agreement)
    other_number_form = _finite_form(verb, verb_form, Agreement(OTHER_NUMBER[agreement.number], agreement.person))
    is_third_singular = agreement.number == SING and agreement.person == "3"
    xpos, tense = ("VBD", "Past") if verb_form == PAST else ("VBZ" if is_third_singular else "VBP", "Pres")
    feats = f"Mood=Ind|Number={agreement.number}|Person={agreement.person}|Tense={tense}|VerbForm=Fin"
    return Node(
        form,
        verb.lemma,
        upos,
        xpos,
        feats,
        deprel,
        other_number_form=other_number_form if other_number_form != form else "",
    )


_CONTRACTED_FORMS = {"can": "ca", "will": "wo"}
NOT_CONTRACTED = frozenset({"am", "might"})  # words after which *not* is not contracted


def negation(host: Node, *, contracted: bool) -> Node:
    """Create `not`, or `n't` glued to its host, whose form may change (`ca`, `wo`)."""
    if not contracted:
        return word("negation", "not")
    host.form = _CONTRACTED_FORMS.get(host.form, host.form)
    return glued("negation", "n't")


def glued(kind: str, form: str) -> Node:
    """Create a word that is written together with the word before it."""
    clitic = word(kind, form)
    clitic.glued = True
    return clitic


def noun_word(noun: Noun, number: str, deprel: str) -> Node:
    """Create a noun, with its form in the other number."""
    forms = {SING: noun.lemma, PLUR: noun.plural}
    xpos = "NN" if number == SING else "NNS"
    return Node(
        forms[number],
        noun.lemma,
        "NOUN",
        xpos,
        f"Number={number}",
        deprel,
        other_number_form=forms[OTHER_NUMBER[number]],
    )


def adjective_word(adjective: Adjective, degree: str = "Pos", deprel: str = "amod") -> Node:
    form, xpos = {
        "Pos": (adjective.lemma, "JJ"),
        "Cmp": (adjective.comparative, "JJR"),
        "Sup": (adjective.superlative, "JJS"),
    }[degree]
    return Node(form, adjective.lemma, "ADJ", xpos, f"Degree={degree}", deprel)


DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})


class PersonalPronoun(NamedTuple):
    """A personal pronoun: its four forms, number, person and gender."""

    nominative: str
    accusative: str
    genitive: str
    reflexive: str
    number: str
    person: str
    gender: str


HE = PersonalPronoun("he", "him", "his", "himself", SING, "3", MASCULINE)
SHE = PersonalPronoun("she", "her", "her", "herself", SING, "3", FEMININE)
IT = PersonalPronoun("it", "it", "its", "itself", SING, "3", NEUTER)
THEY = PersonalPronoun("they", "them", "their", "themselves", PLUR, "3", "")
WE = PersonalPronoun("we", "us", "our", "ourselves", PLUR, "1", "")
I = PersonalPronoun("I", "me", "my", "myself", SING, "1", "")  # noqa: E741 - the pronoun I
PRONOUN_BY_GENDER = {MASCULINE: HE, FEMININE: SHE, NEUTER: IT}


def pronoun(personal_pronoun: PersonalPronoun, form: str, deprel: str) -> Node:
    """Create a personal pronoun. `form` is `Nom`, `Acc`, `Gen` (possessive) or `Reflex` (reflexive)."""
    return word(f"pronoun {form}", personal_pronoun[("Nom", "Acc", "Gen", "Reflex").index(form)], deprel)


def demonstrative_pronoun(number: str, deprel: str) -> Node:
    """Create `this` or `these` as a pronoun."""
    return word("demonstrative", "this" if number == SING else "these", deprel)
