"""The vocabulary: its size, its forms, and that the shipped word lists know it."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.sample import lexicon
from runner.sample.lexicon import NOUNS, PSYCH_VERBS, TRANSITIVE, Verb, plural_of
from runner.sample.polarity import WEIGHTED_NPIS

WORDS = Path(__file__).parents[4] / "filters" / "words"


def entries(name: str) -> set[str]:
    lines = (WORDS / name).read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


@pytest.mark.parametrize(
    ("noun", "plural"), [("cat", "cats"), ("lady", "ladies"), ("boy", "boys"), ("couch", "couches"), ("ox", "oxes")]
)
def test_regular_plurals(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural


def test_verbs_have_all_forms() -> None:
    verbs = {verb.lemma: verb for verb in (*TRANSITIVE, *PSYCH_VERBS)}
    assert verbs["see"] == Verb("see", "sees", "saw", "seen", "seeing", verbs["see"].objects, "", True)
    assert (verbs["annoy"].third, verbs["annoy"].past) == ("annoys", "annoyed")
    assert (verbs["write"].ing, verbs["write"].participle) == ("writing", "written")
    assert (verbs["describe"].third, verbs["describe"].past, verbs["describe"].ing) == (
        "describes",
        "described",
        "describing",
    )
    assert verbs["hug"].ing == "hugging"


def test_no_number_is_hidden() -> None:
    nouns = [noun for group in NOUNS.values() for noun in group]
    assert all(noun.lemma != noun.plural for noun in nouns)
    forms = [form for noun in nouns for form in (noun.lemma, noun.plural)]
    assert len(forms) == len(set(forms)), "no form belongs to two nouns"
    assert 10 <= sum(noun.irregular for noun in nouns) <= len(nouns) / 2


@pytest.mark.parametrize("name", ["det_nouns.txt", "sv_nouns.txt"])
def test_listed_nouns_are_in_the_lists_of_the_shipped_filters_and_the_others_are_not(name: str) -> None:
    known = entries(name)
    for noun in (noun for group in NOUNS.values() for noun in group):
        assert ({noun.lemma, noun.plural} <= known) == noun.listed
        assert noun.listed or not {noun.lemma, noun.plural} & known


def test_names_are_in_the_list_of_the_shipped_filter() -> None:
    assert {name.lower() for group in lexicon.NAMES.values() for name in group} <= entries("sv_nouns.txt")


def test_verbs_in_the_passive_are_in_the_list_of_the_shipped_filter() -> None:
    assert {verb.participle for verb in (*TRANSITIVE, *PSYCH_VERBS) if verb.passive} <= entries("passive_verbs.txt")


def test_polarity_items_are_known_to_the_shipped_filters_and_nothing_else_is() -> None:
    known = entries("npi.txt")
    assert set(WEIGHTED_NPIS.entries) <= known
    plain = {verb.lemma for verb in (*TRANSITIVE, *PSYCH_VERBS, *lexicon.INTRANSITIVE)}
    plain |= {*lexicon.FREQUENCY_ADVERBS, *lexicon.STANCE_ADVERBS, *lexicon.MANNER_ADVERBS, *lexicon.MODALS}
    assert not plain & known
