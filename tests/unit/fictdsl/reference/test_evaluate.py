"""What a filter means, sentence by sentence of the language page."""

from __future__ import annotations

import pytest

from fictdsl.reference.evaluate import Evaluator
from fictdsl.syntax.nodes import FilterDef
from tests.support.reading import matches, module, tree

# 1 The  2 dogs  3 in  4 the  5 park  6 saw  7 it  8 .
PARK = tree(
    """
    The  DET   2 det
    dogs NOUN  6 nsubj feats=Number=Plur lemma=dog
    in   ADP   5 case
    the  DET   5 det
    park NOUN  2 nmod:in feats=Number=Sing|Case=Acc,Dat misc=Score=-2.5|Score=7
    saw  VERB  0 root lemma=see
    it   PRON  6 obj feats=Number=Sing lemma=_ misc=Gloss
    .    PUNCT 6 punct
    """,
    "sent_id = s1",
    "genre = news",
    "n = 12",
    "flag",
)
# c1 b2 a3 d4 e5, a chain a -> b -> c with d, e under a
CHAIN = tree("c X 2 conj\nb X 3 conj:and\na X 0 root\nd X 3 dep\ne X 3 dep")


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        # nodes and tests
        ("X[form = dogs]", {"X2"}),
        ("X:NOUN|VERB", {"X2", "X5", "X6"}),
        ("X[upos = NOUN, Number = Sing]", {"X5"}),
        ("X:NOUN X[Number = Sing]", {"X5"}),
        ("X[lower(form) = the]", {"X1", "X4"}),
        ("X[form = the]", {"X4"}),
        ("X:NOUN[Number != Sing]", {"X2"}),
        ("X[upos = DET or upos = VERB, not form = The]", {"X4", "X6"}),
        ("X[not (upos = DET or upos = VERB)]", {"X2", "X3", "X5", "X7", "X8"}),
        ("X[form in {dogs, park, cat}]", {"X2", "X5"}),
        ("X[form in {}]", set()),
        ("X:VERB[form not in {}]", {"X6"}),
        ("X[has Number]", {"X2", "X5", "X7"}),
        ("X:PRON[not has lemma]", {"X7"}),
        ("X[form = /.*[ao]w?/]", {"X6"}),
        ("X[form = /THE/i]", {"X1", "X4"}),
        # numbers
        ("X[id <= 2]", {"X1", "X2"}),
        ("X[form.length = 4]", {"X2", "X5"}),
        ('X[id in {1, "07"}]', {"X1", "X7"}),
        ("X:VERB|DET[id not in {1, 4}]", {"X6"}),
        ("X:VERB sentence[length in {7, 8}]", {"X6"}),
        ("X[lemma.length != 3]", {"X3", "X5", "X7", "X8"}),  # an absent lemma has no length
        ("X[lemma.length >= 4]", {"X5"}),
        # absence is two-valued
        ("X[lemma != it]", {f"X{i}" for i in range(1, 9)}),
        ("X[lemma = it]", set()),
        ("X:PRON[lemma not in {a}]", {"X7"}),
        # several values
        ("X[Case = Acc]", {"X5"}),
        ("X[Case = Dat]", {"X5"}),
        ('X[Case = "Acc,Dat"]', set()),
        ("X[Case = /D.*/]", {"X5"}),
        ("X:NOUN[Case != Acc]", {"X2"}),
        ("X[misc.Score < 0]", {"X5"}),
        ("X[misc.Score > 6]", {"X5"}),
        ("X[misc.Score = 7]", {"X5"}),
        ('X[misc.Score = "7.0"]', set()),
        ("X[has misc.Gloss]", {"X7"}),
        ('X[misc.Gloss = ""]', {"X7"}),
        ("X[misc.Gloss < 5]", set()),
        # relations as values
        ("X[deprel = nmod]", {"X5"}),
        ("X[deprel == nmod]", set()),
        ("X[deprel == nmod:in|obj]", {"X5", "X7"}),
        ("X[deprel in {nmod, obj}]", {"X5", "X7"}),
        ("X:NOUN[deprel != nmod]", {"X2"}),
        ("X:NOUN[deprel not in {nmod}]", {"X2"}),
        ("X[deprel = /nmod/]", set()),
        ("X[deprel = nm]", set()),
        # phrase
        ("X[lower(phrase) in {the dog}]".replace("{the dog}", '{"the dogs"}'), {"X1"}),
        ('X[phrase = "in the park"]', {"X3"}),
        ("X[phrase = park]", {"X5"}),
        ('X:DET[phrase != "the park"]', {"X1"}),
        ('X[phrase = "it . x"]', set()),
    ],
)
def test_nodes(match: str, expected: set[str]) -> None:
    assert matches(match, PARK) == expected


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("V -[nsubj]-> S", {"S2 V6"}),
        ("S <-[nsubj]- V", {"S2 V6"}),
        ("A:NOUN -> B:NOUN", {"A2 B5"}),
        ("A -[nmod]-> B", {"A2 B5"}),
        ("A -[=nmod]-> B", set()),
        ("A -[=nmod|obj]-> B", {"A6 B7"}),
        ("A:NOUN -[^det]-> B", {"A2 B5", "A5 B3"}),
        ("A[form = saw] ->> B:DET", {"A6 B1", "A6 B4"}),
        ("A[form = saw] ->>{2} B:DET", {"A6 B1"}),
        ("A[form = saw] ->>{..2} B[form = park]", {"A6 B5"}),
        ("A:VERB ->>{0..} B:VERB", {"A6 B6"}),
        ("A[form = dogs] < B", {"A2 B3"}),
        ("A[form = park] << B", {"A5 B6", "A5 B7", "A5 B8"}),
        ("A[form = park] <<{2..3} B", {"A5 B7", "A5 B8"}),
        ("A[form = park] <<{1..1} B", {"A5 B6"}),
        ("M:ADP between A:NOUN and B:NOUN", {"A2 B5 M3", "A5 B2 M3"}),
        ("A:PRON ~ B", {"A7 B2", "A7 B8"}),
        ("A:VERB ~ B", set()),
        ("A:NOUN B:NOUN A.Number != B.Number A < C", {"A2 B5 C3", "A5 B2 C6"}),
        ("A:NOUN A.Number = B.Number", {"A5 B7"}),
        ("A:DET lower(A.form) = lower(B.form)", {"A1 B4", "A4 B1"}),
        ("A:PRON A.lemma != B.lemma B:VERB", {"A7 B6"}),
        ("A:NOUN B:NOUN A.id < B.id", {"A2 B5"}),
        ("V -[nsubj]-> S -> _:DET", {"S2 V6"}),
    ],
)
def test_relations(match: str, expected: set[str]) -> None:
    assert matches(match, PARK) == expected


def test_each_step_of_a_labelled_path_bears_the_label_and_no_step_bears_any() -> None:
    assert matches("A -[conj]->> B", CHAIN) == {"A3 B2", "A3 B1", "A2 B1"}
    assert matches("A -[=conj]->> B", CHAIN) == {"A2 B1"}
    assert matches("A -[^conj]->> B", CHAIN) == {"A3 B4", "A3 B5"}
    assert matches("A[form = a] -[x]->>{0..} B", CHAIN) == {"A3 B3"}


def test_enhanced_edges_of_which_one_suffices() -> None:
    sentence = tree("a X 0 root deps=0:root\nb X 1 obj deps=1:obj|1:nsubj:pass|1.1:x|3:conj\nc X 2 conj deps=_")
    assert matches("A ==> B", sentence) == {"A1 B2", "A3 B2"}
    assert matches("A =[nsubj]=> B", sentence) == {"A1 B2"}
    assert matches("A =[=nsubj]=> B", sentence) == set()
    assert matches("A =[^nsubj]=> B", sentence) == {"A1 B2", "A3 B2"}
    assert matches("A =[^nsubj|obj|conj]=> B", sentence) == set()


# --- distinctness --------------------------------------------------------------------------------


def test_different_nodes_are_different_words() -> None:
    assert matches("A:DET B:DET", PARK) == {"A1 B4", "A4 B1"}
    assert matches("A:VERB _:VERB", PARK) == set()
    assert matches("V -> A without { V -> B }", tree("v X 0 root\na X 1 dep")) == {"A2 V1"}
    assert matches("V -> A without { V -> B }", tree("v X 0 root\na X 1 dep\nb X 1 dep")) == set()


def test_the_ends_of_a_path_of_no_step_may_coincide_where_the_clause_stands() -> None:
    assert "A3 B3" in matches("A ->>{0..} B", CHAIN)
    # C is apart from both, whatever the path says
    assert matches("A[form = a] ->>{0..} B C[form = a]", CHAIN) == set()
    # pairwise: A may be B and B may be C, which does not let A be C
    assert "A3 B3 C3" not in matches("A ->>{0..} B ->>{0..} C", CHAIN)
    # in a block inside, both ends are bound already, and different
    assert "A3 B3" not in matches("A:X B:X without { A ->>{0..} B }", CHAIN)
    # one end belongs to the block
    assert matches("A[form = a] at least 5 B { A ->>{0..} B }", CHAIN) == {"A3"}
    assert matches("A[form = a] at least 5 B { B ->> A }", CHAIN) == set()


# --- blocks --------------------------------------------------------------------------------------


def test_without_sees_outer_names_and_nests() -> None:
    assert matches("V without { V -> _ }", CHAIN) == {"V1", "V4", "V5"}
    assert matches("V without { V -> A without { A -> B } }", CHAIN) == {"V1", "V4", "V5"}
    assert matches("A:NOUN without { A.Number = B.Number B:PRON }", PARK) == {"A2"}
    assert matches("sentence[length = 8] without { A:INTJ }", PARK) == {""}
    assert matches("A:VERB without { sentence[length > 3] }", PARK) == set()


def test_siblings_may_use_one_name_for_unrelated_nodes() -> None:
    assert matches("V without { V -> A } without { A -[conj]-> V }", CHAIN) == {"V4", "V5"}


def test_a_name_belongs_to_the_outermost_block_before_or_after() -> None:
    assert matches("without { A -> B } B[form = d] A:X", CHAIN) == {"A1 B4", "A2 B4", "A5 B4"}


def test_either_is_the_union_with_the_branch_written_in_its_place() -> None:
    assert matches("V:VERB either { V -[nsubj]-> S } or { V -[obj]-> O }", PARK) == {"S2 V6", "O7 V6"}
    assert matches("either { A[form = dogs] } or { A[form = park] } A -> B:DET", PARK) == {"A2 B1", "A5 B4"}
    assert matches("X:VERB without { either { X -[nsubj]-> _ } or { X -[iobj]-> _ } }", PARK) == set()
    # the branch's own node is one of the block around it, so what stands beside it is another word
    assert matches("V either { V -> A } or { V -[xx]-> A } without { V -> B }", CHAIN) == {"A1 V2"}


def test_counting_counts_different_words_other_than_the_nodes_outside() -> None:
    assert matches("V at least 3 X { V -> X }", CHAIN) == {"V3"}
    assert matches("V exactly 1 X { V -> X }", CHAIN) == {"V2"}
    assert matches("V at most 0 X { V -> X }", CHAIN) == {"V1", "V4", "V5"}
    assert matches("V -> O[form = d] at least 1 X { V -> X }", CHAIN) == {"O4 V3"}
    assert matches("V -> O[form = c] at least 1 X { V -> X }", CHAIN) == set()
    # two ways of holding for one word count once
    assert matches("V[form = a] exactly 3 X { V -> X _:X }", CHAIN) == {"V3"}


def test_sentence_tests() -> None:
    assert matches("sentence[length = 8, sent_id = s1]", PARK) == {""}
    assert matches("sentence[meta.genre = news]", PARK) == {""}
    assert matches("sentence[meta.n > 9]", PARK) == {""}
    assert matches('sentence[meta.flag = ""]', PARK) == {""}
    assert matches("sentence[has doc]", PARK) == set()
    assert matches("sentence[doc != d]", PARK) == {""}
    assert matches("sentence[text = /The.*/]", PARK) == {""}


# --- lists, patterns, families -------------------------------------------------------------------


def test_a_pattern_is_a_macro_whose_own_nodes_are_private() -> None:
    before = "pattern modified(N) { N -> D:DET }"
    assert matches("modified(A)", PARK, before) == {"A2", "A5"}
    assert matches("modified(_)", PARK, before) == {""}
    assert matches("modified(A) modified(B)", PARK, before) == {"A2 B5", "A5 B2"}
    # its D is apart from the D of the caller
    assert matches("modified(A) A -> D", PARK, before) == {"A2 D5", "A5 D3"}
    assert matches("A:NOUN without { modified(A) A -> B:ADP }", PARK, before) == {"A2"}


def test_an_argument_introduces_its_node() -> None:
    before = "pattern bare(N) { without { N -> _ } }"
    assert matches("bare(A)", CHAIN, before) == {"A1", "A4", "A5"}


def test_names_resolve_in_the_file_where_they_are_written() -> None:
    shared = "list words = {dogs} pattern listed(N) { N[form in @words] } pattern twice(N) { listed(N) }"
    found = module(
        'use "shared" list words_here = {park} filter it { match { either { twice(A) } or { A[form in @words_here] } } }',
        shared=shared,
    )
    definition = next(item for item in found.file.items if isinstance(item, FilterDef))
    assert {m for bound in Evaluator(found, definition).matches(PARK) for m in bound} == {("A", 2), ("A", 5)}


def test_a_family_parameter_stands_for_a_value_a_tag_or_a_label() -> None:
    assert matches("A:$p", PARK, value="DET") == {"A1", "A4"}
    assert matches("A[form = $p]", PARK, value="saw") == {"A6"}
    assert matches("A -[$p]-> B", PARK, value="obj") == {"A6 B7"}
    assert matches("A[form in {$p, x}]", PARK, value="it") == {"A7"}


# --- actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("", {1, 2, 3, 4, 5, 6, 7, 8}),
        ("keep sentence", {1, 2, 3, 4, 5, 6, 7, 8}),
        ("remove node(N)", {2, 5}),
        ("mask subtree(D)", {1, 4}),
        ("remove span(N, D)", {1, 2, 4, 5}),
        ("count subtree(N)", {1, 2, 3, 4, 5}),
    ],
)
def test_targets_are_united_over_all_matches(action: str, expected: set[int]) -> None:
    found = module(f"filter it {{ match {{ N:NOUN -> D:DET }} {action} }}")
    (definition,) = (item for item in found.file.items if isinstance(item, FilterDef))
    evaluator = Evaluator(found, definition)
    assert evaluator.action_words(PARK) == (frozenset(expected),)
    assert evaluator.action_words(CHAIN) == (frozenset(),)


def test_equal_targets_of_several_matches_are_one() -> None:
    found = module("filter it { match { N:NOUN -> _  D:DET } count subtree(N) count span(D, N) count sentence }")
    (definition,) = (item for item in found.file.items if isinstance(item, FilterDef))
    nouns, spans, sentences = Evaluator(found, definition).targets(PARK)
    assert {frozenset(range(1, 6)), frozenset({3, 4, 5})} == nouns
    assert {frozenset({1, 2}), frozenset(range(2, 5)), frozenset(range(1, 6)), frozenset({4, 5})} == spans
    assert len(sentences) == 1


def test_a_subtree_ends_where_heads_form_a_cycle() -> None:
    parsed = module("filter f { match { X[form = a] } remove subtree(X) }")
    (definition,) = parsed.file.items
    assert isinstance(definition, FilterDef)
    sentence = tree("a X 0 root\nb X 3 dep\nc X 2 dep\nd X 1 dep")
    assert Evaluator(parsed, definition).action_words(sentence) == (frozenset({1, 4}),)
