"""Statistics of a corpus of six words against counts and formulas worked by hand, however the store is cut."""

import math
from pathlib import Path

import pytest
from scipy.spatial.distance import jensenshannon

from runner.corpus import store_writer
from runner.corpus.import_conllu import import_files
from runner.corpus.overlap import overlap
from runner.corpus.statistics import (
    associations,
    divergence,
    frequencies,
    jensen_shannon,
    log_odds,
    nats_to_bits,
    overrepresented,
    read_groups,
    resolve_layers,
    select_groups,
    unseen,
    whole_corpus,
)
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support import corpora

TEXT = """\
# newdoc id = d-1
# sent_id = news-1
# genre = news
# meta::year = 1999
# text = Dogs bark.
1	Dogs	dog	NOUN	NNS	Number=Plur	2	nsubj	_	_
2	bark	bark	VERB	VBP	_	0	root	_	SpaceAfter=No
3	.	.	PUNCT	_	_	2	punct	_	_

# sent_id = news-2
# genre = news
# text = cats
1	cats	cat	NOUN	NNS	Number=Plur	0	root	_	_

# newdoc id = d-2
# sent_id = blog-1
# genre = blog
# text = A dog
1	A	a	DET	DT	_	2	det	_	_
2	dog	dog	NOUN	NN	Number=Sing	0	root	_	_

# sent_id = none-1
# text = hm
1	hm	hm	INTJ	UH	_	0	root	_	_

"""


@pytest.fixture(params=[1, 4])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param > 1:
        monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 1)
    made = corpora.store(tmp_path, TEXT)
    assert made.info.chunks == request.param
    return made


def test_groups_by_comment_column_and_beginning(store: Store) -> None:
    genres = read_groups(store, "genre")
    assert (genres.names, genres.sentences, genres.sentences_without_value) == (("blog", "news"), (1, 2), 1)
    assert sorted(zip(genres.rows["sid"].to_pylist(), genres.rows["grp"].to_pylist(), strict=True)) == [
        (0, 1), (1, 1), (2, 0),
    ]  # fmt: skip
    begun = read_groups(store, "sent_id", "-")
    assert (begun.names, begun.sentences, begun.sentences_without_value) == (("blog", "news", "none"), (1, 2, 1), 0)
    assert read_groups(store, "doc").sentences == (2, 2)
    assert read_groups(store, "source").names == ("corpus.conllu",)
    years = read_groups(store, "meta::year")  # holds for the whole document
    assert (years.names, years.sentences, years.sentences_without_value) == (("1999",), (2,), 2)
    assert whole_corpus(store).sentences == (4,)
    with pytest.raises(InputError, match="FICT797"):
        read_groups(store, "gerne")
    with pytest.raises(InputError, match="FICT798"):
        select_groups(genres, ("forum",))


@pytest.mark.parametrize(
    ("document", "hint"),
    [
        ("weblog-a_b", "`--by doc --until -` groups by the first part of the documents' names"),
        ("weblog_a-b", "`--by doc --until _` groups by the first part of the documents' names"),
        ("weblog", "there is `source`, `doc`, `sent_id`, `newdoc id`"),
    ],
)
def test_a_genre_in_the_name_of_a_document_is_suggested(tmp_path: Path, document: str, hint: str) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(f"# newdoc id = {document}\n# sent_id = 1\n1\thm\thm\tINTJ\t_\t_\t0\troot\t_\t_\n\n")
    store = import_files([path], tmp_path / "store")
    with pytest.raises(InputError) as caught:
        read_groups(store, "genre")
    assert caught.value.diagnostics[0].hint == hint


def test_a_documents_comment_is_not_one_of_a_document_of_that_name_in_another_file(tmp_path: Path) -> None:
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    paths[0].write_text(TEXT, encoding="utf-8")
    paths[1].write_text(TEXT.replace("# meta::year = 1999\n", ""), encoding="utf-8")
    years = read_groups(import_files(paths, tmp_path / "store"), "meta::year")
    assert (years.sentences, years.sentences_without_value) == ((2,), 6)


def test_a_sentence_has_its_own_comment_before_its_documents_and_needs_no_document(tmp_path: Path) -> None:
    alone = TEXT.replace("# newdoc id = d-1\n", "").replace("# newdoc id = d-2\n", "")
    years = read_groups(corpora.store(tmp_path / "alone", alone), "meta::year")
    assert (years.names, years.sentences, years.sentences_without_value) == (("1999",), (1,), 3)
    own = TEXT.replace("# sent_id = news-2\n", "# sent_id = news-2\n# meta::year = 2001\n")
    years = read_groups(corpora.store(tmp_path / "own", own), "meta::year")
    assert (years.names, years.sentences, years.sentences_without_value) == (("1999", "2001"), (1, 1), 2)


def test_frequencies_count_every_word_once_a_layer(store: Store) -> None:
    found = frequencies(store, read_groups(store, "genre"), resolve_layers(store, ["upos", "xpos", "Number", "lemma"]))
    assert found.words == (2, 4)  # blog, news
    assert found.counts["upos"] == {"NOUN": (1, 2), "DET": (1, 0), "PUNCT": (0, 1), "VERB": (0, 1)}
    assert found.counts["xpos"]["Other"] == (0, 1)
    assert found.counts["Number"] == {"Other": (1, 2), "Plur": (0, 2), "Sing": (1, 0)}
    assert found.counts["lemma"]["dog"] == (1, 1)
    for counts in found.counts.values():
        assert tuple(map(sum, zip(*counts.values(), strict=True))) == found.words
    assert resolve_layers(store) == ("upos", "xpos", "deprel", "Number")
    with pytest.raises(InputError, match="FICT799"):
        resolve_layers(store, ["number"])


def test_a_value_that_is_called_other_is_no_missing_value(tmp_path: Path) -> None:
    text = TEXT.replace("Number=Sing", "Number=Other").replace("\t2\tnsubj\t_\t_", "\t2\tnsubj\t_\tCue=Other")
    store = corpora.store(tmp_path, text)
    found = frequencies(store, read_groups(store, "genre"), resolve_layers(store, ["misc.Cue", "Number"]))
    assert found.counts["Number"] == {"Other": (1, 2), "Plur": (0, 2), "=Other": (1, 0)}
    assert found.counts["misc.Cue"].keys() == {"Other", "=Other"}
    assert {layer.name: layer.absent for layer in divergence(found).layers}["Number"] == ()


def test_a_value_that_looks_like_the_label_of_a_value_called_other_is_counted_alone(tmp_path: Path) -> None:
    text = TEXT.replace("\t2\tnsubj\t_\t_", "\t2\tnsubj\t_\tCue=Other").replace(
        "\t2\tdet\t_\t_", "\t2\tdet\t_\tCue==Other"
    )
    store = corpora.store(tmp_path, text)
    found = frequencies(store, read_groups(store, "genre"), resolve_layers(store, ["misc.Cue"]))
    assert found.counts["misc.Cue"] == {"Other": (1, 3), "==Other": (1, 0), "=Other": (0, 1)}


MISC = TEXT.replace("Number=Plur\t2\tnsubj\t_\t_", "Number=Plur\t2\tnsubj\t_\tCue=b|Cue=a").replace(
    "Number=Sing\t0\troot\t_\t_", "Number=Sing\t0\troot\t_\tCue=b|Gloss=x"
)


@pytest.mark.parametrize("chunk_words", [1, 100])
def test_an_entry_of_misc_is_a_layer_if_asked_for(tmp_path: Path, monkeypatch, chunk_words: int) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", chunk_words)
    store = corpora.store(tmp_path, MISC)
    found = frequencies(store, read_groups(store, "genre"), resolve_layers(store, ["misc.Cue", "upos"]))
    assert found.counts["misc.Cue"] == {"Other": (1, 3), "a,b": (0, 1), "b": (1, 0)}
    assert found.counts["upos"]["NOUN"] == (1, 2)
    assert "misc.Cue" not in resolve_layers(store)
    with pytest.raises(InputError) as caught:
        resolve_layers(store, ["misc.cue"])
    assert "misc.Cue" in str(caught.value.diagnostics[0].hint)


def test_chosen_groups_keep_their_order(store: Store) -> None:
    groups = select_groups(read_groups(store, "sent_id", "-"), ("none", "news"))
    found = frequencies(store, groups, ["upos"])
    assert found.words == (1, 4)
    assert found.counts["upos"]["NOUN"] == (0, 2)


def test_divergence_by_hand(store: Store) -> None:
    found = divergence(frequencies(store, read_groups(store, "genre"), ["Number"]))
    # blog ½ Sing ½ Other; news ½ Plur ½ Other: halves that do not meet, so half of ln 2
    assert found.pairs[0, 1] == pytest.approx(math.log(2) / 2)
    assert nats_to_bits(found.pairs[0, 1]) == pytest.approx(0.5)
    (number,) = found.layers
    assert dict(number.values) == {"Plur": pytest.approx(0.5), "Sing": pytest.approx(0.5)}


def test_a_layer_that_a_part_lacks_is_named_and_not_averaged(store: Store) -> None:
    found = divergence(frequencies(store, read_groups(store, "sent_id", "-"), ["upos", "Number"]))
    number, upos = (next(layer for layer in found.layers if layer.name == name) for name in ("Number", "upos"))
    assert [found.names[place] for place in number.absent] == ["none"]
    assert set(number.pairs) == {(0, 1)}
    assert found.pairs[0, 2] == pytest.approx(upos.pairs[0, 2]) == pytest.approx(math.log(2))
    assert found.pairs[0, 1] == pytest.approx((upos.pairs[0, 1] + number.pairs[0, 1]) / 2)
    assert sum(found.share(layer) for layer in found.layers) == pytest.approx(1)
    assert [layer.name for layer in found.layers] == ["upos", "Number"]  # by their mean over pairs


def test_jensen_shannon_is_the_square_of_scipys_distance() -> None:
    p, q = [0.1, 0.4, 0.5, 0.0], [0.3, 0.3, 0.0, 0.4]
    assert jensen_shannon(p, q) == pytest.approx(jensenshannon(p, q) ** 2)
    assert nats_to_bits(jensen_shannon(p, q)) == pytest.approx(jensenshannon(p, q, base=2) ** 2)
    assert jensen_shannon(p, p) == 0
    assert jensen_shannon([1, 0], [0, 1]) == pytest.approx(math.log(2))


def test_log_odds_by_hand() -> None:
    # [[10, 90], [5, 195]]: ln(10.5·195.5 / (90.5·5.5)), variance 1/10.5 + 1/195.5 + 1/90.5 + 1/5.5
    estimate, low, high = log_odds(10, 90, 5, 195)
    assert estimate == pytest.approx(math.log(10.5 * 195.5 / (90.5 * 5.5)))
    half = 1.959964 * math.sqrt(1 / 10.5 + 1 / 195.5 + 1 / 90.5 + 1 / 5.5)
    assert (low, high) == (pytest.approx(estimate - half, abs=1e-6), pytest.approx(estimate + half, abs=1e-6))
    assert log_odds(5, 195, 10, 90)[0] == pytest.approx(-estimate)


def test_log_odds_agree_with_statsmodels() -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables", reason="statsmodels is not installed")
    theirs = tables.Table2x2([[10.5, 90.5], [5.5, 195.5]])
    estimate, low, high = log_odds(10, 90, 5, 195)
    assert estimate == pytest.approx(theirs.log_oddsratio)
    assert (low, high) == tuple(map(pytest.approx, theirs.log_oddsratio_confint(0.05)))


def test_unseen_and_overseen(store: Store) -> None:
    found = frequencies(store, read_groups(store, "genre"), ["Number", "upos"])
    assert [(one.value, one.inside, one.outside) for one in unseen(found, 0, minimum=2)] == [("Plur", 0, 2)]
    assert unseen(found, 0, minimum=2)[0].expected == pytest.approx(2 * 2 / 6)
    assert overrepresented(found, 0, minimum=1, ratio=1.0) == []  # of two words nothing is certain
    assert {one.value for one in associations(found, 1, minimum=1)} >= {"Plur", "Sing", "NOUN", "PUNCT"}


def test_overlap_lists_sentences_and_counts_grams(store: Store) -> None:
    benchmark = ["Dogs bark.", "dogs  bark.", "a dog barks", "cats", "Dogs bark ."]
    found = overlap(store, read_groups(store, "genre"), benchmark, words=2, characters=4)
    assert found.sentences == 5
    assert found.exact == ((), ("Dogs bark.", "cats"))
    assert found.folded == ((), ("Dogs bark.", "dogs  bark.", "cats"))
    words, characters = found.shared
    # dogs bark, bark ., a dog, dog barks; blog has `a dog`, news `dogs bark` and `bark .`
    assert (words.distinct, words.with_ngrams, words.found) == (4, 4, (1, 2))
    assert words.sentences_with_some == (1, 3)  # blog: a dog barks; news: the three that hold `dogs bark`
    assert words.sentences_with_all == (0, 3)
    assert characters.with_ngrams == 5 and characters.sentences_with_all[1] == 3


def test_grams_do_not_cross_sentences_and_count_letters_of_any_script(tmp_path: Path) -> None:
    made = corpora.store(tmp_path, TEXT.replace("# text = cats", "# text = Ёлка растёт"))
    found = overlap(made, whole_corpus(made), ["ёлка РАСТЁТ", "bark. Ёлка"], words=2, characters=0)
    (words,) = found.shared
    assert (words.found, words.sentences_with_all) == ((2,), (1,))  # `ёлка растёт` and `bark .`, not `. ёлка`


def test_overlap_compares_in_nfc_and_keeps_combining_marks_in_words(tmp_path: Path) -> None:
    made = corpora.store(tmp_path, TEXT.replace("# text = cats", "# text = naïve U\u0308bung гл\u0483ѧ"))
    found = overlap(
        made, whole_corpus(made), ["naïve Übung гл\u0483ѧ", "nai\u0308ve \u00dcbung"], words=2, characters=0
    )
    assert found.exact == (("naïve Übung гл\u0483ѧ",),)
    assert found.shared[0].distinct == 2  # `naïve übung` and `übung гл҃ѧ`
    assert (found.shared[0].found, found.shared[0].sentences_with_all) == ((2,), (2,))
