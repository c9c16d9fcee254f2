"""Annotated words as in UD English EWT, with the closed classes in `words.tsv`, and trees as text and CoNLL-U."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from runner.sample.lexicon import FEMININE, MASCULINE, NEUTER, Adjective, Noun, Verb


@dataclass(slots=True, eq=False)
class Node:
    """A word with its annotation and its dependents on both sides, in order; `glued` as in `does` + `n't`."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    deprel: str
    other_number_form: str = ""
    glued: bool = False
    left: list[Node] = field(default_factory=list)
    right: list[Node] = field(default_factory=list)


def words(root: Node) -> list[Node]:
    order: list[Node] = []
    _collect(root, order)
    return order


def _collect(node: Node, order: list[Node]) -> None:
    for child in node.left:
        _collect(child, order)
    order.append(node)
    for child in node.right:
        _collect(child, order)


def capitalized(form: str) -> str:
    return form[0].upper() + form[1:]


def text(order: Iterable[Node]) -> str:
    """Return the capitalized text of a sentence, with a space before words that are neither punctuation nor glued."""
    pieces: list[str] = []
    for node in order:
        if pieces and not node.glued and node.upos != "PUNCT":
            pieces.append(" ")
        pieces.append(node.form)
    return capitalized("".join(pieces))


def conllu(root: Node, order: list[Node], comments: Iterable[str]) -> str:
    """Return a sentence in CoNLL-U, with comments (given without `# `) and the final blank line."""
    ids = {id(node): number for number, node in enumerate(order, 1)}
    heads = {id(root): 0}
    for node in order:
        for child in (*node.left, *node.right):
            heads[id(child)] = ids[id(node)]
    rows = [f"# {comment}" for comment in comments]
    length = len(order)
    for number, node in enumerate(order, 1):
        form = capitalized(node.form) if number == 1 else node.form
        next_is_glued = number < length and order[number].glued
        if next_is_glued and not node.glued:
            rows.append(_surface_row(order, number, form))
        # for a multiword token, SpaceAfter=No is in the row of the token
        has_space_after = next_is_glued or node.glued or number == length or order[number].upos != "PUNCT"
        misc = "_" if has_space_after else "SpaceAfter=No"
        rows.append(
            f"{number}\t{form}\t{node.lemma}\t{node.upos}\t{node.xpos}\t{node.feats}"
            f"\t{heads[id(node)]}\t{node.deprel}\t_\t{misc}"
        )
    return "\n".join(rows) + "\n\n"


def _surface_row(order: list[Node], number: int, form: str) -> str:
    last_number = number
    while last_number < len(order) and order[last_number].glued:
        form += order[last_number].form
        last_number += 1
    before_punctuation = last_number < len(order) and order[last_number].upos == "PUNCT"
    return f"{number}-{last_number}\t{form}\t" + "_\t" * 7 + ("SpaceAfter=No" if before_punctuation else "_")


class _Words(dict[tuple[str, str], list[str]]):
    """Maps a kind and a form (`*`: all others) to lemma, UPOS, XPOS, features, relation, and the other form."""

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


SING, PLUR = "Sing", "Plur"
OTHER_NUMBER = {SING: PLUR, PLUR: SING}


class Agreement(NamedTuple):
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
    if verb_form in _NONFINITE:
        xpos, feats = _NONFINITE[verb_form]
        form = {BASE: verb.lemma, ING: verb.ing}.get(verb_form, verb.participle)
        return Node(form, verb.lemma, upos, xpos, feats, deprel)
    form = _finite_form(verb, verb_form, agreement)
    other_number_form = _finite_form(verb, verb_form, Agreement(OTHER_NUMBER[agreement.number], agreement.person))
    is_third_singular = agreement.number == SING and agreement.person == "3"
    xpos, tense = ("VBD", "Past") if verb_form == PAST else ("VBZ" if is_third_singular else "VBP", "Pres")
    feats = f"Mood=Ind|Number={agreement.number}|Person={agreement.person}|Tense={tense}|VerbForm=Fin"
    return Node(form, verb.lemma, upos, xpos, feats, deprel, "" if other_number_form == form else other_number_form)


_CONTRACTED_FORMS = {"can": "ca", "will": "wo"}
NOT_CONTRACTED = frozenset({"am", "might"})  # words after which *not* is not contracted


def negation(host: Node, *, contracted: bool) -> Node:
    """Create `not`, or `n't` glued to its host, whose form may change (`ca`, `wo`)."""
    if not contracted:
        return word("negation", "not")
    host.form = _CONTRACTED_FORMS.get(host.form, host.form)
    return glued("negation", "n't")


def glued(kind: str, form: str) -> Node:
    clitic = word(kind, form)
    clitic.glued = True
    return clitic


def noun_word(noun: Noun, number: str, deprel: str) -> Node:
    forms = {SING: noun.lemma, PLUR: noun.plural}
    xpos = "NN" if number == SING else "NNS"
    return Node(forms[number], noun.lemma, "NOUN", xpos, f"Number={number}", deprel, forms[OTHER_NUMBER[number]])


def adjective_word(adjective: Adjective, degree: str = "Pos", deprel: str = "amod") -> Node:
    form, xpos = {
        "Pos": (adjective.lemma, "JJ"),
        "Cmp": (adjective.comparative, "JJR"),
        "Sup": (adjective.superlative, "JJS"),
    }[degree]
    return Node(form, adjective.lemma, "ADJ", xpos, f"Degree={degree}", deprel)


DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})


class PersonalPronoun(NamedTuple):
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
    return word("demonstrative", "this" if number == SING else "these", deprel)
