"""Annotations that are added to a store are found by filters at once, exactly where they belong."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from runner.corpus.add_layer import add_layer
from runner.corpus.layer_files import SCHEMA
from runner.corpus.store import Store
from runner.corpus.store_writer import StoreWriter
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.runner.cli.conftest import CAT, DOGS, NAMELESS, Fictc

SOURCE = "corpus.conllu"
ANIMACY = f"source\tnumber\tid\tAnimacy\n{SOURCE}\t1\t3\tAnim\n{SOURCE}\t3\t1\tAnim,Hum\n{SOURCE}\t1\t1\t_\n{SOURCE}\t2\t2\tHum\n"


@pytest.fixture(params=[100, 3], ids=["one chunk", "three chunks"])
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", request.param)
    return corpora.store(tmp_path, corpora.conllu([DOGS, CAT, NAMELESS]), SOURCE).path


@pytest.fixture
def found(call: Fictc, tmp_path: Path, store: Path):
    """The sentences and words that a filter matches."""

    def ask(match: str) -> list[tuple[int, dict[str, int]]]:
        path = tmp_path / "asked.fict"
        path.write_text(f'fict 1\nfilter asked {{ about "x" match {{ {match} }} }}\n')
        ended = call("match", path, "--corpus", store, "--format", "json")
        assert ended.code == 0, ended
        return [(row["number"], match["words"]) for row in json.loads(ended.out) for match in row["matches"]]

    return ask


def put(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def ids(rows: list) -> list[tuple[int, int]]:
    return [(number, words["X"]) for number, words in rows]


def test_a_table_becomes_a_feature(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in store.rglob("*.parquet")}
    key = Store.open(store).key
    added = call("store", "add-layer", store, put(tmp_path, "animacy.tsv", ANIMACY))
    assert added.err == f"{store}: layer animacy, Animacy: 3 words\n"
    assert ids(found("X[Animacy = Hum]")) == [(2, 2), (3, 1)]
    assert ids(found("X[Animacy = Anim]")) == [(1, 3), (3, 1)]
    assert ids(found("V -[nsubj]-> X[Animacy = Anim|Hum]")) == [(3, 1)]
    assert len(found("X[not has Animacy]")) == 4
    assert {path: path.read_bytes() for path in before} == before
    assert Store.open(store).key != key
    shown = call("store", "info", store).out
    assert "layer animacy: Animacy (3), from animacy.tsv" in shown
    assert "Animacy: Anim 1, Anim,Hum 1, Hum 1" in shown
    assert call("store", "verify", store).code == 0


def test_tables_become_keys_of_misc_and_comments(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    call("store", "add-layer", store, put(tmp_path, "animacy.tsv", ANIMACY), "--as", "misc", "--name", "m")
    assert ids(found("X[misc.Animacy = Hum]")) == [(2, 2)]
    table = put(tmp_path, "years.tsv", f"source\tnumber\tyear\tgenre\n{SOURCE}\t2\t1999\t_\n{SOURCE}\t3\t2005\tnews\n")
    added = call("store", "add-layer", store, table)
    assert added.err == f"{store}: layer years, meta.year, meta.genre: 3 comments\n"
    assert {number for number, _ in found("X:NOUN sentence[meta.year > 2000]")} == {3}
    assert {number for number, _ in found("X:NOUN sentence[meta.genre = news]")} == {3}


def test_annotations_are_in_nfc(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    table = put(tmp_path, "tags.tsv", f"source\tnumber\tid\tNoe\u0301\n{SOURCE}\t1\t3\tcafe\u0301\n")
    call("store", "add-layer", store, table, "--as", "misc")
    assert ids(found("X[misc.Noé = café]")) == [(1, 3)]
    text = corpora.conllu([DOGS, CAT, NAMELESS]).replace("\tcat\tcat\t", "\tcat\tcate\u0301\t")
    call("store", "add-layer", store, put(tmp_path, "again.conllu", text), "--columns", "LEMMA=Stem")
    assert ids(found('X[Stem = "caté"]')) == [(2, 2)]


def test_a_table_may_be_named_after_a_treebank(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    call("store", "add-layer", store, put(tmp_path, "corpus.conllu.tsv", ANIMACY))
    assert ids(found("X[Animacy = Anim]")) == [(1, 3), (3, 1)]


def test_a_table_in_another_encoding_is_an_error(call: Fictc, store: Path, tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_bytes(f"source\tnumber\tid\tFoo\n{SOURCE}\t1\t1\tcaf".encode() + b"\xe9\n")
    ended = call("store", "add-layer", store, tmp_path / "x.tsv")
    ((code, message, _),) = ended.problems
    assert code == "FICT762"
    assert message.endswith("x.tsv:2: the byte 0xE9 is not UTF-8")


def test_a_file_without_sentences_is_an_error(call: Fictc, store: Path, tmp_path: Path) -> None:
    ended = call("store", "add-layer", store, put(tmp_path, "empty.conllu", ""))
    ((code, message, _),) = ended.problems
    assert code == "FICT764"
    assert message.endswith("empty.conllu: it has no sentence")


def test_columns_of_conllu_become_features(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    again = corpora.conllu(
        [
            tree(
                "dogs NOUN 2 nsubj feats=Animacy=Anim|Number=Plur xpos=NNS misc=Gloss=dog\nbark VERB 0 root\ncats NOUN 2 obj xpos=NN",
                "sent_id = one",
            ),
            CAT,
            NAMELESS,
        ]
    )
    path = put(tmp_path, "again.conllu", again)
    clash = call("store", "add-layer", store, path)
    assert clash.problems[0][0] == "FICT763"
    assert call("store", "add-layer", store, path, "--columns", "FEATS.Animacy", "--name", "one").code == 0
    assert ids(found("X[Animacy = Anim, Number = Plur]")) == [(1, 1)]
    renamed = "FEATS.Number=Number2,MISC.Gloss=Gloss2"
    assert call("store", "add-layer", store, path, "--columns", renamed, "--name", "renamed").code == 0
    assert ids(found("X[Number2 = Plur]")) == ids(found("X[Number = Plur]")) == [(1, 1), (3, 1)]
    assert ids(found("X[Gloss2 = dog]")) == [(1, 1)]
    for wrong in ("FORM=X", "XPOS", "FEATS=X", "FEATS.", "MISC=x", "MISC.=x", "FEATS.Number="):
        refused = call("store", "add-layer", store, path, "--columns", wrong, "--name", "two")
        assert (refused.code, "MISC.Key=New, LEMMA=Name" in " ".join(refused.err.split())) == (2, True)
    added = call("store", "add-layer", store, path, "--columns", "XPOS=Tag,UPOS=Part")
    assert added.code == 0, added
    assert ids(found("X[Tag = NNS]")) == [(1, 1)]
    assert len(found("X[Part = NOUN]")) == 4


def test_a_file_named_like_a_source_is_about_it(call: Fictc, found, tmp_path: Path, store: Path) -> None:
    merged = corpora.store(tmp_path / "other", corpora.conllu([CAT]), "b.conllu").path
    call("store", "merge", store, merged, "-o", tmp_path / "both")
    text = corpora.conllu([CAT]).replace("cat\t_", "cat\tcat")
    path = put(tmp_path, "b.conllu", text.replace("Number=Sing", "Animacy=Anim"))
    assert call("store", "add-layer", tmp_path / "both", path).err.endswith("layer b, Animacy: 1 word\n")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("corpse.conllu\t1\t1\tA", "there is no source `corpse.conllu`; the nearest name is `corpus.conllu`"),
        (f"{SOURCE}\t4\t1\tA", "corpus.conllu has no sentence 4"),
        (f"{SOURCE}\tx\t1\tA", "corpus.conllu has no sentence x"),
        (f"{SOURCE}\t2\t3\tA", "sentence 2 of corpus.conllu has 2 words, and no word 3"),
        (f"{SOURCE}\t2\t0\tA", "sentence 2 of corpus.conllu has 2 words, and no word 0"),
        (f"{SOURCE}\t1\t3\tA", "another line annotates the same word"),
        (f"{SOURCE}\t1", "there are 2 columns instead of 4"),
    ],
)
def test_lines_that_fit_nothing_are_named(line: str, reason: str, call: Fictc, store: Path, tmp_path: Path) -> None:
    path = put(tmp_path, "animacy.tsv", f"{ANIMACY}\n{line}\n" + f"{SOURCE}\t9\t1\tA\n" * 20)
    before = sorted(store.rglob("*"))
    ended = call("store", "add-layer", store, path)
    assert ended.problems[0][:2] == ("FICT762", f"{path}:7: {reason}")
    assert ended.problems[1][1] == f"{path}:8: corpus.conllu has no sentence 9"
    assert ended.problems[-1][:2] == ("FICT732", "11 more errors in these files")
    assert [file for file in sorted(store.rglob("*")) if file.name != "layers"] == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("barks", "bark"), None),
        (("bark\t", "barks\t"), "x.conllu:1: this is not sentence 1 of corpus.conllu, which is expected here"),
        (("3\tcats\t", "3\tcats\t_\tX\t_\t_\t2\tdep\t_\t_\n4\tcats\t"), "x.conllu:1: this is not sentence 1 of"),
        ((None, "end"), "x.conllu: it ends 1 sentence too early"),
        ((None, "more"), "x.conllu:16: the store has no more sentences"),
    ],
)
def test_other_sentences_are_refused(change, problem: str | None, call: Fictc, store: Path, tmp_path: Path) -> None:
    sentences = [DOGS, CAT, NAMELESS]
    text = corpora.conllu(sentences)
    match change:
        case None, "end":
            text = corpora.conllu(sentences[:2])
        case None, "more":
            text = corpora.conllu([*sentences, CAT])
        case old, new:
            text = text.replace(old, new)
    ended = call("store", "add-layer", store, put(tmp_path, "x.conllu", text), "--columns", "UPOS=Part")
    if problem is None:
        assert ended.code == 0
    else:
        assert ended.problems[0][0] == "FICT764"
        assert problem in ended.problems[0][1]


def test_names_that_cannot_be_are_refused(call: Fictc, store: Path, tmp_path: Path) -> None:
    def code(text: str, *options: str) -> str:
        return call("store", "add-layer", store, put(tmp_path, "x.tsv", text), *options).problems[0][0]

    keys = f"source\tnumber\tid\t{{}}\n{SOURCE}\t1\t1\tA\n"
    assert code(keys.format("number")) == "FICT761"
    assert code("source\tword\tA\n") == "FICT761"
    assert code(keys.format("animacy")) == "FICT767"
    assert code(keys.format("Number")) == "FICT763"
    assert code(keys.format("Animacy").replace("\tA\n", "\t_\n")) == "FICT766"
    assert code(keys.format("Animacy"), "--columns", "Animaci") == "FICT761"
    call("store", "add-layer", store, put(tmp_path, "x.tsv", keys.format("Animacy")))
    assert code(keys.format("Other")) == "FICT765"
    assert code(keys.format("Other"), "--name", "X") == "FICT765"  # on some file systems it would be the same folder
    assert call("store", "split", store, "--parts", 2, "-o", tmp_path / "parts").problems[0][0] == "FICT768"
    assert call("store", "add-layer", store, put(tmp_path, "y.tsv", keys.format("Other")), "--as", "meta").code == 2


def test_names_that_differ_by_case_are_different_features(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    keys = "source\tnumber\tid\tNUMBER\tNumber[psor]\tNumber[PSOR]\n"
    table = put(tmp_path, "x.tsv", f"{keys}{SOURCE}\t1\t3\tA\tB\tC\n{SOURCE}\t2\t1\tD\t_\tE\n")
    assert call("store", "add-layer", store, table).code == 0
    assert (
        ids(found("X[NUMBER = A]"))
        == ids(found("X[Number[psor] = B]"))
        == ids(found("X[Number[PSOR] = C]"))
        == [(1, 3)]
    )
    assert ids(found("X[NUMBER = D, Number[PSOR] = E, not has Number[psor], not has Number]")) == [(2, 1)]
    assert ids(found("X[Number = Plur, not has NUMBER]")) == [(1, 1), (3, 1)]


def test_an_index_stays_in_use(call: Fictc, found, store: Path, tmp_path: Path) -> None:
    call("index", store)
    call("store", "add-layer", store, put(tmp_path, "animacy.tsv", ANIMACY))
    assert "sorted by form_l" in call("store", "info", store).out
    assert ids(found("X[lower(form) = cats, Animacy = Anim]")) == [(1, 3), (3, 1)]
    assert call("index", store).code == 0


def test_of_two_additions_at_once_none_is_lost(store: Path, tmp_path: Path) -> None:
    """A process that opened the store before the other one added its layer is refused, and changes nothing."""
    first, second = Store.open(store), Store.open(store)
    path = put(tmp_path, "animacy.tsv", ANIMACY)
    row = pa.table({"sid": [0], "id": [1], "name": ["Animacy"], "value": ["Anim"]}, schema=SCHEMA)
    add_layer(first, "one", "feature", [row], path)
    for name in ("one", "two"):
        with pytest.raises(InputError, match="changed"):
            add_layer(second, name, "feature", [row], path)
    opened = Store.open(store)
    opened.verify()
    assert [layer.name for layer in opened.info.layers] == ["one"]
