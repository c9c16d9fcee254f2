"""The strata of an audit: each sentence is in one, sizes are allocated, and the same key draws the same sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.compiler import CompiledFilter, compile_text
from runner.audit.strata import MIN_ROWS, STRATA, allocate, draw, partition, proposed_cues
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import conllu

PASSIVE = "it PRON 3 nsubj:pass\nwas AUX 3 aux:pass lemma=be\nseen VERB 0 root lemma=see feats=Voice=Pass"
NO_VOICE = "it PRON 3 nsubj\nwas AUX 3 aux lemma=be\nseen VERB 0 root lemma=see"  # a near miss
NOUN = "a DET 3 det\nseen NOUN 3 compound lemma=see\nthing NOUN 0 root"  # a cue word, but two conditions fail
OTHER = "dogs NOUN 2 nsubj\nbark VERB 0 root"
TEXTS = [PASSIVE] * 3 + [NO_VOICE] * 5 + [NOUN] * 7 + [OTHER] * 60


def compiled(match: str) -> CompiledFilter:
    (found,) = compile_text(f"fict 1\nfilter f {{ match {{ {match} }} }}\n").filters
    return found


FILTER = compiled("V:VERB[lemma in {see, write}, Voice = Pass] -[nsubj:pass]-> _")
PASSIVES = compiled("V:VERB[lemma in {see, write}, Voice = Pass]")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    rows = (conllu(text, f"sent_id = s{index}") for index, text in enumerate(TEXTS))
    return corpora.store(tmp_path_factory.mktemp("audit"), "".join(rows))


def test_each_sentence_is_in_the_first_stratum_that_it_belongs_to(store: Store) -> None:
    found = {stratum.name: stratum.sids.tolist() for stratum in partition(store, PASSIVES).strata}
    assert found == {
        "matches": [0, 1, 2],
        "near misses": [3, 4, 5, 6, 7],
        "cue words": list(range(8, 15)),
        "others": list(range(15, 75)),
    }


def test_a_condition_that_most_sentences_fail_has_no_near_misses(store: Store) -> None:
    strata = {stratum.name: len(stratum.sids) for stratum in partition(store, compiled("S:PRON <-[=nsubj]- V")).strata}
    assert strata == {"matches": 5, "near misses": 3, "others": 67}  # not the 60 of another part of speech


@pytest.mark.parametrize("cues", [None, (), ("dogs",), ("see", "bark"), ("absent",)])
@pytest.mark.parametrize("match", ["V:VERB", "V:VERB[lemma = see]", "X[form = dogs]", "V:SYM", "D:DET -> X"])
def test_strata_are_a_partition_with_all_words(store: Store, match: str, cues: tuple[str, ...] | None) -> None:
    strata = partition(store, compiled(match), cues).strata
    assert np.concatenate([stratum.sids for stratum in strata]).size == store.info.sentences
    assert sorted(sid for stratum in strata for sid in stratum.sids.tolist()) == list(range(store.info.sentences))
    assert sum(stratum.words for stratum in strata) == store.info.words
    assert [stratum.name for stratum in strata] == [name for name in STRATA if name in {s.name for s in strata}]


@pytest.mark.parametrize(
    ("match", "cues"),
    [
        ("V:VERB[lemma in {see, write}]", ("see", "write")),
        ('V[lower(form) in {seen, bark} or lemma = "see"]', ("bark", "see", "seen")),
        ("V[lemma = see] -> A[lemma = be]", ("be",)),  # five sentences fewer than those with `see`
        ("either { V[lemma = see] } or { V[lemma = bark] }", ("bark", "see")),
        ("V:VERB[not lemma = see]", ()),
        ("V[lemma = see or Voice = Pass]", ()),  # the word is not required
        ("V:VERB[Voice = Pass]", ()),
    ],
)
def test_cues_are_the_rarest_words_that_each_reading_requires(store: Store, match: str, cues: tuple[str, ...]) -> None:
    assert proposed_cues(store, compiled(match)) == cues


def test_cues_match_forms_and_lemmas_in_any_case(store: Store) -> None:
    for cue in ("SEEN", "see"):
        strata = {stratum.name: len(stratum.sids) for stratum in partition(store, compiled("X:SYM"), (cue,)).strata}
        assert strata == {"cue words": 15, "others": 60}


def test_neyman_allocation_worked_by_hand() -> None:
    # N·√(p·(1−p)) is 1,000·0.4, 1,000·0.3 and 6,000·0.1: 400, 300 and 597 of 1,297
    assert allocate([1000, 1000, 6000], [0.8, 0.9, 0.01], 400) == [123, 93, 184]
    # 25 for the first, and 175 in the ratio 300 : 597
    assert allocate([100, 1000, 6000], [0.5, 0.9, 0.01], 200) == [25, 59, 116]
    assert allocate([7, 1000], [0.5, 0.5], 50) == [7, 43]


@given(
    st.lists(st.tuples(st.integers(1, 5000), st.floats(0.001, 0.999)), min_size=1, max_size=4),
    st.integers(1, 3000),
)
def test_allocation_keeps_its_limits(strata: list[tuple[int, float]], rows: int) -> None:
    sizes = [size for size, _ in strata]
    counts = allocate(sizes, [share for _, share in strata], rows)
    least = [min(size, MIN_ROWS) for size in sizes]
    assert sum(counts) == min(max(rows, sum(least)), sum(sizes))
    assert all(low <= count <= size for low, count, size in zip(least, counts, sizes, strict=True))


def test_a_draw_is_of_its_stratum_and_depends_on_filter_and_seed(store: Store) -> None:
    strata = partition(store, PASSIVES).strata

    def others(compiled: CompiledFilter, seed: int) -> list[int]:
        return draw(store, compiled, strata, 40, seed)[-1].sids.tolist()

    assert others(PASSIVES, 0) == others(PASSIVES, 0)
    assert set(others(PASSIVES, 0)) < set(range(15, 75))
    assert len({tuple(others(*key)) for key in ((PASSIVES, 0), (PASSIVES, 1), (FILTER, 0))}) == 3


def test_highlighted_words_are_those_of_the_filter_that_found_the_sentence(store: Store) -> None:
    drawn = draw(store, PASSIVES, partition(store, PASSIVES).strata, 80, 0)
    assert [set(map(tuple, each.highlighted.values())) for each in drawn] == [{(3,)}, {(3,)}, {(2,)}, set()]


def test_one_census_of_a_small_corpus(tmp_path: Path) -> None:
    small = corpora.store(tmp_path, conllu(OTHER, "sent_id = only"))
    (only,) = draw(small, PASSIVES, partition(small, PASSIVES).strata, 300, 0)
    assert (only.stratum.name, only.sids.tolist()) == ("others", [0])
