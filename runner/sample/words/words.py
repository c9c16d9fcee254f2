"""Create annotated words, with the forms, tags and features of UD English EWT."""

from __future__ import annotations

from typing import NamedTuple

from runner.sample.words.lexicon import (
    ADVERB_FEATS,
    FEMININE,
    MASCULINE,
    NEUTER,
    Adjective,
    Noun,
    Verb,
)
from runner.sample.words.tree import Node

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


def modal(word: str) -> Node:
    """Create a modal auxiliary."""
    return Node(word, word, "AUX", "MD", "VerbForm=Fin", "aux")


_CONTRACTED_FORMS = {"can": "ca", "will": "wo"}
NOT_CONTRACTED = frozenset({"am", "might"})  # words after which *not* is not contracted


def negation(host: Node, *, contracted: bool) -> Node:
    """Create `not`, or `n't` glued to its host, whose form may change (`ca`, `wo`)."""
    if not contracted:
        return Node("not", "not", "PART", "RB", "Polarity=Neg", "advmod")
    host.form = _CONTRACTED_FORMS.get(host.form, host.form)
    clitic = Node("n't", "not", "PART", "RB", "Polarity=Neg", "advmod")
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


def name_word(name: str, deprel: str) -> Node:
    """Create a proper name."""
    return Node(name, name, "PROPN", "NNP", "Number=Sing", deprel)


def adjective_word(adjective: Adjective, degree: str = "Pos", deprel: str = "amod") -> Node:
    """Create an adjective in a degree."""
    form, xpos = {
        "Pos": (adjective.lemma, "JJ"),
        "Cmp": (adjective.comparative, "JJR"),
        "Sup": (adjective.superlative, "JJS"),
    }[degree]
    return Node(form, adjective.lemma, "ADJ", xpos, f"Degree={degree}", deprel)


def adverb(word: str, deprel: str = "advmod") -> Node:
    """Create an adverb, or *only* or *even* before a noun."""
    return Node(word, word, "ADV", "RB", ADVERB_FEATS.get(word, "_"), deprel)


def adposition(word: str, deprel: str = "case") -> Node:
    """Create a preposition."""
    return Node(word, word, "ADP", "IN", "_", deprel)


def subordinator(word: str) -> Node:
    """Create a subordinator: `that`, `because`."""
    return Node(word, word, "SCONJ", "IN", "_", "mark")


def infinitive_to() -> Node:
    """Create the *to* of an infinitive."""
    return Node("to", "to", "PART", "TO", "_", "mark")


def conjunction(word: str) -> Node:
    """Create a coordinating conjunction: `and`, `or`, `but`."""
    return Node(word, word, "CCONJ", "CC", "_", "cc")


def punctuation(form: str) -> Node:
    """Create a punctuation mark."""
    return Node(form, form, "PUNCT", "," if form == "," else ".", "_", "punct")


def numeral(word: str) -> Node:
    """Create a numeral."""
    return Node(word, word, "NUM", "CD", "NumForm=Word|NumType=Card", "nummod")


# form → lemma, UPOS, XPOS, features, relation, form in the other number
_DETERMINERS: dict[str, tuple[str, str, str, str, str, str]] = {
    "the": ("the", "DET", "DT", "Definite=Def|PronType=Art", "det", ""),
    "a": ("a", "DET", "DT", "Definite=Ind|PronType=Art", "det", ""),
    "this": ("this", "DET", "DT", "Number=Sing|PronType=Dem", "det", "these"),
    "that": ("that", "DET", "DT", "Number=Sing|PronType=Dem", "det", "those"),
    "these": ("this", "DET", "DT", "Number=Plur|PronType=Dem", "det", "this"),
    "those": ("that", "DET", "DT", "Number=Plur|PronType=Dem", "det", "that"),
    "every": ("every", "DET", "DT", "PronType=Tot", "det", ""),
    "each": ("each", "DET", "DT", "PronType=Tot", "det", ""),
    "all": ("all", "DET", "DT", "PronType=Tot", "det", ""),
    "some": ("some", "DET", "DT", "PronType=Ind", "det", ""),
    "any": ("any", "DET", "DT", "PronType=Ind", "det", ""),
    "another": ("another", "DET", "DT", "PronType=Ind", "det", ""),
    "no": ("no", "DET", "DT", "PronType=Neg", "det", ""),
    "which": ("which", "DET", "WDT", "PronType=Int", "det", ""),
    "what": ("what", "DET", "WDT", "PronType=Int", "det", ""),
    "many": ("many", "ADJ", "JJ", "Degree=Pos", "amod", ""),
    "few": ("few", "ADJ", "JJ", "Degree=Pos", "amod", ""),
    "several": ("several", "ADJ", "JJ", "Degree=Pos", "amod", ""),
    "most": ("most", "ADJ", "JJS", "Degree=Sup", "amod", ""),
}
DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})


def determiner(form: str) -> Node:
    """Create a determiner or quantifier."""
    lemma, upos, xpos, feats, deprel, other_number_form = _DETERMINERS[form]
    return Node(form, lemma, upos, xpos, feats, deprel, other_number_form=other_number_form)


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
    gender = f"Gender={personal_pronoun.gender}|" if personal_pronoun.gender else ""
    agreement_feats = f"{gender}Number={personal_pronoun.number}|Person={personal_pronoun.person}"
    match form:
        case "Gen":
            feats = f"Case=Gen|{agreement_feats}|Poss=Yes|PronType=Prs"
            return Node(personal_pronoun.genitive, personal_pronoun.genitive, "PRON", "PRP$", feats, deprel)
        case "Reflex":
            feats = f"Case=Acc|{agreement_feats}|PronType=Prs|Reflex=Yes"
            return Node(personal_pronoun.reflexive, personal_pronoun.reflexive, "PRON", "PRP", feats, deprel)
        case _:
            word = personal_pronoun.nominative if form == "Nom" else personal_pronoun.accusative
            feats = f"Case={form}|{agreement_feats}|PronType=Prs"
            return Node(word, personal_pronoun.nominative, "PRON", "PRP", feats, deprel)


def demonstrative_pronoun(number: str, deprel: str) -> Node:
    """Create `this` or `these` as a pronoun."""
    form, other_number_form = ("this", "these") if number == SING else ("these", "this")
    return Node(
        form, "this", "PRON", "DT", f"Number={number}|PronType=Dem", deprel, other_number_form=other_number_form
    )


def relative_pronoun(form: str, deprel: str) -> Node:
    """Create a relative pronoun: `who`, `that`, `which`."""
    return Node(form, form, "PRON", "WP" if form == "who" else "WDT", "PronType=Rel", deprel)


def interrogative_pronoun(form: str, deprel: str) -> Node:
    """Create an interrogative pronoun: `who`, `what`."""
    return Node(form, form, "PRON", "WP", "PronType=Int", deprel)


def whose(deprel: str = "nmod:poss") -> Node:
    """Create `whose` before a noun in a question."""
    return Node("whose", "whose", "PRON", "WP$", "Poss=Yes|PronType=Int", deprel)


def expletive_there() -> Node:
    """Create the *there* of existential sentences."""
    return Node("there", "there", "PRON", "EX", "_", "expl")
