"""Documents: one target each, as the filters judge; the control holds none; same choices, same lengths, same bytes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fictdsl.installation import shipped
from runner.corpus.filter_arguments import load_filters
from runner.corpus.matches import matching_sids
from runner.corpus.sentence_texts import conllu_blocks
from runner.errors import InputError
from runner.generate import MIN_WORDS_PER_TARGET
from runner.generate.documents import Constraints, Counts, documents
from runner.generate.lemmas import Lemmas, Recipe
from runner.generate.targets import TARGETS, TEMPLATES, genres
from runner.sample.lexicon import NEUTER, Adjective, Noun, Verb
from tests.support import corpora

PARADIGMS = st.sampled_from([*TARGETS, None])
OWN = Lemmas(
    (Noun("gadget", "gadgets", "thing", NEUTER, False, False), Noun("fee", "fees", "thing", NEUTER, False, False)),
    (Adjective("costly"),),
    (Verb("approve", "approves", "approved", "approved", "approving", ("thing", "info", "idea")),),
)


def made(recipe: Recipe, lemmas: Lemmas | None = None, constraints: Constraints | None = None):
    counts = Counts()
    return list(documents(recipe, counts, lemmas, constraints)), counts


def judged(tmp_path: Path, text: str) -> dict[str, list[int]]:
    """The sentences that the filter of each paradigm matches, by the paradigm."""
    store = corpora.store(tmp_path, text)
    filters = load_filters([str(shipped("filters") / "injection")])
    return {item.metadata.targets[0].removeprefix("blimp/"): matching_sids(store, [item]).tolist() for item in filters}


@pytest.mark.parametrize("paradigm", [*TARGETS, None])
def test_every_target_is_found_by_the_filter_of_its_paradigm_and_nothing_else_by_any(tmp_path, paradigm):
    found, counts = made(Recipe(paradigm, 6_000, 60, seed=4), OWN)
    text = "".join(document.conllu(paradigm) for document in found)
    sentences = [sentence for document in found for sentence in document.sentences]
    targets = [sid for sid, sentence in enumerate(sentences) if sentence.is_target]
    assert len(targets) == counts.targets == (0 if paradigm is None else counts.documents)
    by_filter = judged(tmp_path, text)
    assert set(by_filter) == set(TARGETS) == set(TEMPLATES)
    assert by_filter == {name: targets if name == paradigm else [] for name in TARGETS}


@settings(max_examples=25, deadline=None)
@given(PARADIGMS, st.integers(0, 99), st.integers(40, 120), st.integers(100, 1_500))
def test_a_document_has_its_length_its_one_target_and_what_the_control_has(paradigm, seed, every, words):
    found, counts = made(Recipe(paradigm, words, every, seed), OWN)
    control, _ = made(Recipe(None, words, every, seed), OWN)
    lengths = [sum(len(one.words) for one in document.sentences) for document in found]
    assert counts.words == sum(lengths) >= words > sum(lengths[:-1])
    assert all(0.7 * every - 4 <= length <= 1.3 * every + 1 for length in lengths)
    for one, other in zip(found, control, strict=False):
        assert (one.genre, one.subgenre) == (other.genre, other.subgenre)
        assert sum(sentence.is_target for sentence in one.sentences) == (paradigm is not None)
        assert not any(sentence.is_target for sentence in other.sentences)
    control_lengths = [sum(len(one.words) for one in document.sentences) for document in control]
    assert sum(abs(a - b) for a, b in zip(lengths, control_lengths, strict=False)) <= 0.05 * sum(lengths) + 4


@settings(max_examples=15, deadline=None)
@given(PARADIGMS, st.integers(0, 99))
def test_more_words_add_documents(paradigm, seed):
    few, _ = made(Recipe(paradigm, 400, 60, seed))
    many, _ = made(Recipe(paradigm, 900, 60, seed))
    assert [one.conllu(paradigm) for one in few] == [one.conllu(paradigm) for one in many[: len(few)]]


def test_bytes_are_the_same_in_every_process():
    program = (
        "from runner.generate.documents import *; from hashlib import sha256; c = Counts();"
        "print(sha256(''.join(d.conllu('x') for d in documents(Recipe('only_npi_scope', 3000, 60), c)).encode()).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(hashes) == 1


def test_sentences_of_a_suite_and_unknown_words_are_drawn_again_and_counted():
    recipe = Recipe("only_npi_scope", 2_000, 60)
    plain, counts = made(recipe)
    assert (counts.in_suite, counts.with_unknown) == (0, 0)
    texts = {sentence.text for document in plain for sentence in document.sentences}
    some = set(sorted(texts)[::7])
    words = {"Mary", "Susan", "Julia"}
    found, counts = made(recipe, constraints=Constraints(some.__contains__, lambda word: word not in words))
    again = {sentence.text for document in found for sentence in document.sentences}
    assert not again & some
    assert counts.in_suite > 0
    assert counts.with_unknown == sum(counts.unknown.values()) or counts.unknown
    assert set(counts.unknown) <= words
    assert not counts.remaining_unknown
    assert not any(word in text.replace("'", " ").split() for text in again for word in words)


@pytest.mark.parametrize("pattern", ["The", "[A-Z][a-z]+'s", "[a-z]+n't"])
def test_words_are_unknown_as_the_text_has_them(pattern):
    recipe = Recipe("only_npi_scope", 2_000, 60)

    def tokens(found):
        return {token for document in found for sentence in document.sentences for token in sentence.text.split()}

    unknown = min(token for token in tokens(made(recipe)[0]) if re.fullmatch(pattern, token))
    found, counts = made(recipe, constraints=Constraints(is_known=lambda word: word != unknown))
    assert not counts.remaining_unknown and set(counts.unknown) == {unknown}
    assert unknown not in tokens(found)


def test_where_every_word_is_unknown_they_stay_and_are_told():
    found, counts = made(Recipe(None, 150, 60), constraints=Constraints(is_known=lambda word: word == "."))
    assert found
    assert counts.remaining_unknown and "." not in counts.remaining_unknown


@pytest.mark.parametrize("paradigm", TARGETS)
def test_the_shortest_documents_have_their_target(paradigm):
    found, counts = made(Recipe(paradigm, 4_000, MIN_WORDS_PER_TARGET))
    assert counts.targets == counts.documents == len(found)


@pytest.mark.parametrize("paradigm", [*TARGETS, None])
def test_a_suite_with_all_sentences_is_an_error(paradigm):
    with pytest.raises(InputError) as caught:
        made(Recipe(paradigm, 100), constraints=Constraints(in_suite=lambda _: True))
    assert caught.value.diagnostics[0].code == "FICT657"


def test_a_document_without_its_target_is_an_error():
    def is_question(text: str) -> bool:
        return text.endswith("?")

    with pytest.raises(InputError) as caught:
        made(Recipe("matrix_question_npi_licensor_present", 100), constraints=Constraints(in_suite=is_question))
    assert caught.value.diagnostics[0].code == "FICT657"


def test_the_lemmas_of_a_document_stand_for_its_things_and_are_told(tmp_path):
    found, _ = made(Recipe(None, 3_000, 100), OWN)
    assert {lemma for document in found for lemma in document.lemmas} >= {"gadget", "fee", "costly", "approve"}
    for document in found:
        lemmas = {node.lemma for sentence in document.sentences for node in sentence.words}
        assert lemmas >= set(document.lemmas)
        assert not lemmas & {"cup", "plate", "clock"}
    text = found[0].conllu(None)
    assert f"# genre = {found[0].genre}" in text
    assert f"# lemmas = {', '.join(found[0].lemmas)}" in text
    assert (
        "".join(conllu_blocks(corpora.store(tmp_path, text))).strip() == text.strip()
    )  # what is written is what comes in


def test_there_are_the_39_genres_of_the_paper():
    assert len({genre.name for genre in genres()}) == 39
    assert all(len(set(genre.subgenres)) >= 4 for genre in genres())
