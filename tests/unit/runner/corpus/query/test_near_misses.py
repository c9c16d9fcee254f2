"""Near misses are what a weaker filter finds and the filter does not, in stores of one chunk and of many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fictdsl.compiler import compile_text
from runner.corpus import matches as near_misses_module
from runner.corpus import store_writer
from runner.corpus.limits import Limits
from runner.corpus.matches import find_near_misses, matching_sids
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import tree

TREES = [
    tree("dogs NOUN 2 nsubj feats=Number=Plur\nbark VERB 0 root"),
    tree("cat NOUN 2 nsubj feats=Number=Sing\nbarks VERB 0 root"),
    tree("barks VERB 0 root\ndogs NOUN 1 obj feats=Number=Plur"),
    tree("they PRON 2 nsubj feats=Number=Plur\nbark VERB 0 root"),
]
FILTER = compile_text("fict 1 filter f { match { V -[nsubj]-> S:NOUN[Number = Plur] } }").filters[0]


@pytest.fixture(params=[1, 4])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param > 1:
        monkeypatch.setattr(store_writer, "ROW_GROUP", 2)
        monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 2)
    made = corpora.store(tmp_path, corpora.conllu(TREES))
    assert made.info.chunks == request.param
    return made


def test_each_condition(store: Store) -> None:
    found = {one.left_out: (one.sentences, one.sids.tolist()) for one in find_near_misses(store, FILTER, 9)}
    assert found == {
        "label [nsubj] in V -[nsubj]-> S": (1, [2]),
        "V -[nsubj]-> S": (1, [2]),
        "S:NOUN": (1, [3]),
        "S[Number = Plur]": (1, [1]),
    }


def test_they_are_the_difference(store: Store) -> None:
    own = matching_sids(store, [FILTER])
    for one in find_near_misses(store, FILTER, 9):
        beyond = np.setdiff1d(matching_sids(store, [one.weaker]), own)
        assert (one.sentences, one.sids.tolist()) == (len(beyond), beyond.tolist())


def test_only_so_many_are_fetched(store: Store) -> None:
    everything = compile_text("fict 1 filter f { match { X  X[form = absent] } }").filters[0]
    (one,) = find_near_misses(store, everything, 3)
    assert (one.sentences, one.sids.tolist()) == (4, [0, 1, 2])


def test_what_takes_too_long_is_not_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weaker filters, not the filter itself, take for ever."""
    endless = "SELECT count(*) AS sid FROM range(1000000000) AS a, range(1000000000) AS b"
    honest = near_misses_module.run_select

    def select(connection, text):
        return honest(connection, endless if "excluded" in text else text)

    monkeypatch.setattr(near_misses_module, "run_select", select)
    limited = Store.open(store.path, Limits(timeout=0.3))
    assert {one.sentences for one in find_near_misses(limited, FILTER, 9)} == {None}
