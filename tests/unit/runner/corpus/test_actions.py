"""Actions of filters on a store: edited sentences, and whole sentences that are dropped."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from runner.corpus import sentence_texts, store_writer
from runner.corpus.actions import ActionTargets, EditedSentence, action_targets, drop_sentences, edit_sentences
from runner.corpus.engine import LocalEngine
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import conllu, tree
from tests.unit.fictdsl.semantics.test_lower import lowered

DOGS = conllu("The DET 2 det\ndogs NOUN 3 nsubj feats=Number=Plur\nbark VERB 0 root", "text =  The  dogs\u00a0bark ")
CAT = conllu("the DET 2 det\ncat NOUN 0 root feats=Number=Sing misc=SpaceAfter=No\n! PUNCT 2 punct")
HM = conllu("hm INTJ 0 root", "text = hm")
TEXTS = [" The  dogs\u00a0bark ", "the cat!", "hm"]


@pytest.fixture(params=[1, 6])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param > 1:
        monkeypatch.setattr(store_writer, "ROW_GROUP", 1)
        monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 1)
    made = corpora.store(tmp_path, (DOGS + CAT + HM) * 2)
    assert made.info.chunks == request.param
    return made


def filters(*texts: str) -> tuple[CompiledFilter, ...]:
    """Filters from texts such as `N:NOUN : mask node(N)`."""
    parts = (text.partition(" : ") for text in texts)
    items = [f"filter f{place} {{ match {{ {match} }} {action} }}" for place, (match, _, action) in enumerate(parts)]
    compilation = compile_text("\n".join(["fict 1", *items]))
    assert not compilation.errors, compilation.errors
    return compilation.filters


def left(store: Store, *texts: str) -> list[str | None]:
    """The texts that are left, which are the same in both halves of the store."""
    sentences = list(edit_sentences(store, filters(*texts)))
    assert [sentence.sid for sentence in sentences] == list(range(6))
    found = [sentence.text for sentence in sentences]
    assert found[:3] == found[3:]
    return found[:3]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), TEXTS),
        (("N:NOUN : count node(N)",), TEXTS),
        (("N:ADJ : remove node(N)",), TEXTS),
        (("N:NOUN : mask node(N)",), [" The  <mask>\u00a0bark ", "the <mask>!", "hm"]),
        (("N:NOUN : remove node(N)",), [" The bark ", "the !", "hm"]),
        (("N:NOUN : mask subtree(N)", "N[Number = Plur] : remove sentence"), [None, "<mask>", "hm"]),
        (("N:NOUN : keep sentence",), [*TEXTS[:2], None]),
        (("N:NOUN : keep sentence", "V:VERB : keep sentence"), [TEXTS[0], None, None]),
        (("N:INTJ : remove node(N)", "N[Number = Sing] : remove node(N)"), [TEXTS[0], "the !", None]),
        (("N:NOUN : mask node(N) with xpos",), [" The  _\u00a0bark ", "the _!", "hm"]),
    ],
)
def test_what_is_left(store: Store, texts: tuple[str, ...], expected: list[str | None]) -> None:
    assert left(store, *texts) == expected


def test_masks_of_two_filters_meet(store: Store) -> None:
    assert left(store, "D:DET : mask node(D)", "N:NOUN : mask node(N)")[1] == "<mask>!"
    assert left(store, "D:DET : mask node(D)", 'N:NOUN : mask node(N) with "…"')[1] == "<mask> …!"
    assert left(store, "N:NOUN : mask node(N)", "N:NOUN : mask node(N)")[1] == "the <mask>!"


def test_masks_that_differ_clash_only_where_a_word_is_left_to_mask(store: Store) -> None:
    masks = ("N:NOUN : mask node(N)", 'N[Number = Sing] : mask node(N) with "…"')
    with pytest.raises(InputError) as error:
        list(edit_sentences(store, filters(*masks)))
    (problem,) = error.value.diagnostics
    assert (problem.code, "sentence 2 of" in problem.message) == ("FICT747", True)
    assert left(store, *masks, "N[Number = Sing] : remove node(N)")[1] == "the !"
    assert left(store, *masks, "N[Number = Sing] : remove sentence")[1] is None


def test_what_is_taken_says_which_action_took_it(store: Store) -> None:
    chosen = filters("W -> X : remove node(X) count node(W)", "N:NOUN : remove sentence")
    found = [sentence for sentence in edit_sentences(store, chosen) if sentence.targets]
    assert found[0] == EditedSentence(
        0, None, [ActionTargets(0, 0, 2, (1, 2)), ActionTargets(0, 1, 2, ()), ActionTargets(1, 0, 1, ())]
    )
    assert [sentence.sid for sentence in found] == [0, 1, 3, 4]
    together = {sid: taken for chunk in action_targets(store, chosen) for sid, taken in chunk.items()}
    assert together == {sentence.sid: sentence.targets for sentence in found}


def test_targets_of_counts(store: Store) -> None:
    (chosen,) = filters("W -> X : count node(W) count span(X, W) remove node(X) count sentence")
    assert LocalEngine(store).target_counts(chosen) == {"count node(W)": 6, "count span(X, W)": 8, "count sentence": 4}
    assert LocalEngine(store).target_counts(*filters("W -> X : remove node(X)")) == {}


TREES = [
    tree("dogs NOUN 2 nsubj\nbark VERB 0 root"),
    tree("the DET 2 det\ncat NOUN 0 root"),
    tree("über ADP 2 case\ncats NOUN 0 root"),
    tree("hm INTJ 0 root"),
    tree("go VERB 0 root"),
]
FILTERS = [lowered("N:NOUN"), lowered("V:VERB"), lowered("X[form = absent]"), lowered("X << Y"), lowered("X")]
LEFT = [[3, 4], [1, 2, 3], [0, 1, 2, 3, 4], [3, 4], []]


@pytest.mark.parametrize("kind", ["text", "conllu"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("chunk_words", "rows"), [(10**6, 10**6), (1, 2), (10**6, 2), (4, 1)])
def test_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, threads: int, chunk_words: int, rows: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", chunk_words)
    monkeypatch.setattr(sentence_texts, "_BATCH_ROWS", rows)
    store = Store.open(corpora.store(tmp_path, corpora.conllu(TREES)).path, Limits(threads=threads))
    out = [io.BytesIO() for _ in FILTERS] + [io.BytesIO()]
    wanted = [[place] for place in range(len(FILTERS))] + [[0, 1]]
    left = drop_sentences(store, FILTERS, wanted, kind, out)  # type: ignore[arg-type]
    for file, sids in zip(out, [*LEFT, [3]], strict=True):
        kept = [TREES[sid] for sid in sids]
        spelt = corpora.conllu(kept) if kind == "conllu" else "".join(f"{_text(one)}\n" for one in kept)
        assert file.getvalue().decode() == spelt
    assert left.kept == [len(sids) for sids in LEFT] + [1]
    assert [left.targets[place, 0] for place in range(len(FILTERS))] == [5 - len(sids) for sids in LEFT]


def _text(sentence: object) -> str:
    return " ".join(word.form for word in sentence.words)  # type: ignore[attr-defined]
