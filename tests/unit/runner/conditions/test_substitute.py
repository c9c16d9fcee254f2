"""Words into tags: the boundary at ties and at both ends, and what is written, held by properties."""

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.substitute import WORD_TAGS, Boundary, Substitution, tag_token
from runner.corpus.statistics import form_frequencies
from runner.corpus.surface import read_surface
from runner.model.tokenizer import train_word_tokenizer
from tests.support import corpora

COUNTS = st.dictionaries(st.text("abcd", min_size=1, max_size=3), st.integers(1, 9), min_size=1, max_size=12)
ALPHAS = st.integers(0, 100).map(lambda percent: percent / 100)


# The list of the word/tag hybrid's appendix A, 1 to 43; 44 to 49 are the marks that stay.
PAPER = """NNPS NN RBR NNP NFP EX IN SYM FW WDT VBP UH RBS LS JJR GW PRP -LRB- PRP$ PDT RB VBN RP ADD WRB AFX VB -RRB- JJS
NNS WP CC VBD TO POS VBG WP$ CD VBZ JJ HYPH MD DT"""
MARKS = "'' $ , . : ``"


def test_the_word_tags_are_the_43_of_the_paper_and_none_of_its_marks():
    assert sorted(WORD_TAGS["xpos"]) == sorted(PAPER.split())
    assert len(PAPER.split()) == 43
    assert not set(WORD_TAGS["xpos"]) & set(MARKS.split())


@given(COUNTS, ALPHAS)
def test_the_boundary_keeps_as_many_of_the_most_frequent_words_as_make_at_most_the_rest(counts, alpha):
    found = Boundary.of(counts, alpha)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    kept = ranked[: len(found.kept_words)]
    assert found.kept_words == set(kept)
    limit = (1 - Fraction(str(alpha))) * sum(counts.values())
    assert sum(counts[word] for word in kept) <= limit
    if len(kept) < len(ranked):
        assert sum(counts[word] for word in ranked[: len(kept) + 1]) > limit
    assert found.rarest_kept == ((kept[-1], counts[kept[-1]]) if kept else None)


@given(COUNTS)
def test_every_word_stays_at_0_and_none_at_1(counts):
    assert Boundary.of(counts, 0.0).kept_words == set(counts)
    assert Boundary.of(counts, 1.0).kept_words == frozenset()


@given(COUNTS, ALPHAS, st.text("abcde", min_size=1, max_size=4))
def test_a_word_that_the_reference_lacks_stays_where_all_do_and_only_there(counts, alpha, word):
    found = Boundary.of(counts, alpha)
    assert Boundary.of(counts, 0.0).keeps(word)
    assert not Boundary.of(counts, 1.0).keeps(word)
    assert found.keeps(word) == (word in found.kept_words or found.kept_words == set(counts))


@given(COUNTS, ALPHAS, ALPHAS)
def test_a_larger_rate_keeps_a_part(counts, one, other):
    assert Boundary.of(counts, max(one, other)).kept_words <= Boundary.of(counts, min(one, other)).kept_words


def test_ties_go_by_code_point_and_a_decimal_is_what_was_written():
    assert Boundary.of({"b": 1, "a": 1, "B": 1, "c": 7}, 0.1).kept_words == {"c", "B", "a"}
    assert Boundary.of(dict.fromkeys("abcdefghij", 1), 0.7).kept_words == {
        "a",
        "b",
        "c",
    }  # 1 - 0.7 is 0.3, not 0.30000000000000004
    assert Boundary.of(dict.fromkeys("abcdefghij", 1), 0.9).kept_words == {"a"}


ROWS = [
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_",
    "1\tDo\tdo\tAUX\tVBP\t_\t3\taux\t_\t_",
    "2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_",
    "3\tpanic\tpanic\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No",
    "4\t!\t!\tPUNCT\t.\t_\t3\tpunct\t_\tSpaceAfter=No",
    "5\tHm\thm\tINTJ\tODD\t_\t3\tdiscourse\t_\t_",
]
BLOCK = "\n".join(["# text = Don't panic!Hm", *ROWS]) + "\n"


def hybrid(kept, tags="xpos", lowercase=False):
    made = Substitution(Boundary(frozenset(kept), None), tags, lowercase)
    return made.hybrid_text(read_surface(BLOCK, "Don't panic!Hm")), made


def test_rare_words_are_tags_spacing_is_as_it_was_and_other_tags_are_reported():
    text, made = hybrid({"Do"})
    assert text == "Do [RB] [VB]!Hm"
    assert made.substituted == Counter(RB=1, VB=1)
    assert made.unsubstituted == Counter({".": 1, "ODD": 1})
    assert hybrid({"Do", "n't", "panic"})[0] == "Don't panic!Hm"
    assert hybrid({"do", "n't"}, lowercase=True)[0] == "Don't [VB]!Hm"
    assert hybrid(set(), "upos")[0] == "[AUX] [PART] [VERB]![INTJ]"


def test_words_are_compared_in_nfc(tmp_path):
    rows = "1\tcafe\u0301\tx\tNOUN\tNN\t_\t0\troot\t_\t_\n2\t\u0958\tx\tNOUN\tNN\t_\t1\tdep\t_\t_\n\n"
    rare = "1\trare\tx\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    store = corpora.store(tmp_path, rows * 50 + rare)
    made = Substitution(Boundary.of(form_frequencies(store, lowercase=False), 0.005), "xpos", False)
    assert [edit.text for edit in made.edits(store)] == ["[NN]"]


def test_apostrophes_may_be_alike():
    boundary = Boundary(frozenset({"'s"}), None)
    assert Substitution(boundary, "xpos", False, apostrophes_alike=True).tag("’s", "POS") is None
    assert Substitution(boundary, "xpos", False).tag("’s", "POS") == "[POS]"


def test_frequencies_of_a_store_count_both_apostrophes_as_one(tmp_path):
    rows = "1\t{}\tx\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
    store = corpora.store(tmp_path, rows.format("'m") * 3 + rows.format("’M") * 2)
    assert form_frequencies(store, lowercase=True, apostrophes_alike=True) == {"'m": 5}
    assert form_frequencies(store, lowercase=False) == {"'m": 3, "’M": 2}


def test_only_changed_sentences_are_edits_and_a_tag_is_one_token(tmp_path):
    store = corpora.store(tmp_path, BLOCK + "\n" + "1\tDo\tdo\tVERB\tVB\t_\t0\troot\t_\t_\n\n")
    counts = form_frequencies(store, lowercase=False)
    assert counts == Counter({"Do": 2, "n't": 1, "panic": 1, "!": 1, "Hm": 1})
    made = Substitution(Boundary.of(counts, 0.5), "xpos", False)
    (edit,) = made.edits(store)
    assert (edit.sid, edit.text, edit.words) == (0, "Do [RB] [VB]!Hm", 2)
    whole = [tag_token(tag) for tag in WORD_TAGS["xpos"]]
    tokenizer = train_word_tokenizer(["Do Hm !", "panic"], size=9, lowercase=True, added=whole)
    assert tokenizer.tokenize("Do[RB] [PRP$]!") == ["do", "[RB]", "[PRP$]", "!"]
