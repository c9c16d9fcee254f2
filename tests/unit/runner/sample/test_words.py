"""Forms, features and flips of single words."""

from __future__ import annotations

import pytest

from runner.sample.lexicon import TRANSITIVE
from runner.sample.words import (
    BE,
    DEMONSTRATIVES,
    HAVE,
    HE,
    PASSIVE,
    PAST,
    PLUR,
    PRESENT,
    SHE,
    SING,
    THEY,
    Agreement,
    I,
    negation,
    pronoun,
    verb_word,
    word,
)

SEE = next(verb for verb in TRANSITIVE if verb.lemma == "see")


@pytest.mark.parametrize(
    ("slot", "agreement", "form", "flip"),
    [
        (PRESENT, Agreement(SING), "is", "are"),
        (PRESENT, Agreement(PLUR), "are", "is"),
        (PRESENT, Agreement(SING, "1"), "am", "are"),
        (PAST, Agreement(PLUR, "1"), "were", "was"),
        (PAST, Agreement(SING), "was", "were"),
    ],
)
def test_be_agrees(slot: str, agreement: Agreement, form: str, flip: str) -> None:
    word = verb_word(BE, slot, agreement, "cop", upos="AUX")
    assert (word.form, word.other_number_form) == (form, flip)


def test_other_verbs_agree_in_the_present_only() -> None:
    assert verb_word(HAVE, PRESENT, Agreement(SING), "aux").other_number_form == "have"
    past = verb_word(SEE, PAST, Agreement(SING), "root")
    assert (past.form, past.other_number_form, past.xpos) == ("saw", "", "VBD")
    assert past.feats == "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"
    first = verb_word(SEE, PRESENT, Agreement(SING, "1"), "root")
    assert (first.form, first.xpos) == ("see", "VBP")


def test_the_passive_participle_says_so() -> None:
    word = verb_word(SEE, PASSIVE, Agreement(SING), "root")
    assert (word.form, word.xpos, word.feats) == ("seen", "VBN", "Tense=Past|VerbForm=Part|Voice=Pass")


@pytest.mark.parametrize(("host", "form"), [("can", "ca"), ("will", "wo"), ("could", "could")])
def test_short_negation_changes_its_host(host: str, form: str) -> None:
    node = word("modal", host)
    contracted = negation(node, contracted=True)
    assert (node.form, node.lemma, contracted.form, contracted.lemma, contracted.glued) == (
        form,
        host,
        "n't",
        "not",
        True,
    )


def test_demonstratives_flip_to_the_other_number() -> None:
    for form in DEMONSTRATIVES:
        node = word("determiner", form)
        other = word("determiner", node.other_number_form)
        assert other.other_number_form == form
        assert node.lemma == other.lemma
        assert node.feats != other.feats


def test_pronouns_have_case_gender_and_reflexives() -> None:
    assert pronoun(SHE, "Acc", "obj").form == "her"
    assert pronoun(SHE, "Gen", "nmod:poss").xpos == "PRP$"
    reflexive = pronoun(HE, "Reflex", "obj")
    assert reflexive.feats == "Case=Acc|Gender=Masc|Number=Sing|Person=3|PronType=Prs|Reflex=Yes"
    assert pronoun(THEY, "Nom", "nsubj").lemma == "they"
    assert pronoun(I, "Acc", "obj").lemma == "I"
