"""Lemmas of a store and of lists: what each part of speech needs, inflected; and what a tokenizer knows."""

from __future__ import annotations

import pytest

from runner.errors import InputError
from runner.generate.lemmas import Lemmas, lemmas_of_store, lemmas_of_wordfreq, lemmas_of_words, read_word_list
from runner.sample.lexicon import NEUTER, Adjective, Noun, Verb
from tests.support import corpora

pytest.importorskip("lemminflect")
pytest.importorskip("wordfreq")

ROWS = """1	The	the	DET	DT	_	3	det	_	_
2	costly	costly	ADJ	JJ	_	3	amod	_	_
3	child	child	NOUN	NN	_	4	nsubj	_	_
4	bought	buy	VERB	VBD	_	0	root	_	_
5	shoes	shoe	NOUN	NNS	_	4	obj	_	_

1	A	a	DET	DT	_	3	det	_	_
2	costly	costly	ADJ	JJ	_	3	amod	_	_
3	shoe	shoe	NOUN	NN	_	4	nsubj	_	_
4	fell	fall	VERB	VBD	_	0	root	_	_

1	Children	child	NOUN	NNS	_	2	nsubj	_	_
2	buy	buy	VERB	VBP	_	0	root	_	_
3	water	water	NOUN	NN	_	2	obj	_	_
4	and	and	CCONJ	CC	_	5	cc	_	_
5	fall	fall	VERB	VBP	_	2	conj	_	_

1	Shoes	shoe	NOUN	NNS	_	2	nsubj	_	_
2	have	have	VERB	VBP	_	0	root	_	_
3	water	water	NOUN	NN	_	2	obj	_	_
"""


def test_a_store_says_which_nouns_have_both_numbers_and_which_verbs_take_objects(tmp_path):
    found = lemmas_of_store(corpora.store(tmp_path, ROWS + "\n"))
    assert [(noun.lemma, noun.plural) for noun in found.nouns] == [("shoe", "shoes"), ("child", "children")]
    assert found.adjectives == (Adjective("costly"),)
    assert found.transitive == (Verb("buy", "buys", "bought", "bought", "buying", ("thing", "info", "idea")),)
    assert [verb.participle for verb in found.intransitive] == ["fallen"]


def test_a_list_gives_nouns_and_adjectives(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# counts\nthe\t9000\nhouses 40\nhouse 30\nbeautiful 20\nmice 10\nxx 5\nMary 4\n", encoding="utf-8")
    assert read_word_list(path) == ["the", "houses", "house", "beautiful", "mice", "xx", "mary"]
    found = lemmas_of_words(read_word_list(path))
    assert [(noun.lemma, noun.plural) for noun in found.nouns] == [("house", "houses"), ("mouse", "mice")]
    assert [word.lemma for word in found.adjectives] == ["beautiful"]
    assert not found.transitive and not found.intransitive


def test_nouns_that_have_no_plural_are_left_out_of_lists_and_rare_ones_are_not_judged():
    masses = ["information", "advice", "news", "equipment", "furniture", "they", "money"]
    found = lemmas_of_words([*masses, "president", "hour", "hypothesis", "plectrum"])
    assert [noun.lemma for noun in found.nouns] == ["president", "hour", "hypothesis", "plectrum"]


def test_a_list_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeffdog\ncaf\u00e9\n".encode())
    assert read_word_list(path) == ["dog", "caf\u00e9"]
    path.write_bytes("dog\ncaf\u00e9\n".encode("latin-1"))
    with pytest.raises(InputError) as caught:
        read_word_list(path)
    assert caught.value.diagnostics[0].code == "FICT701"


def test_wordfreqs_list_is_read_most_frequent_first():
    found = lemmas_of_wordfreq(300)
    assert 100 < len(found) <= 300
    assert not {"this", "they", "information", "music"} & set(found.words)
    assert "year" in [noun.lemma for noun in found.nouns][:40]


def test_an_entry_is_known_if_all_its_forms_are():
    lemmas = Lemmas(
        (Noun("fee", "fees", "thing", NEUTER, False, False), Noun("toy", "toys", "thing", NEUTER, False, False)),
        (Adjective("costly"),),
        (Verb("buy", "buys", "bought", "bought", "buying"),),
    )
    known, dropped = lemmas.known({"fee", "fees", "toy", "costly", "buy", "buys", "bought", "buying"}.__contains__)
    assert known.words == ["fee", "costly", "buy"]
    assert dropped == 1
