"""`fictc show --rewritten` and `fictc diff` of rewrites: what changes, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.corpus.import_conllu import import_files
from tests.support import corpora
from tests.unit.runner.cli.conftest import Fictc

OTHER = "1\tHush\thush\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
DATIVE = """fict 1
rewrite dative {
  about "gave books to him → gave him books"
  match { V -[obj]-> T   V -[obl]-> R -[case]-> P   V << T << P }
  delete node(P)
  move subtree(R) before subtree(T)
  set R.deprel = iobj
}
"""
MARKED = ["  - She gave books to/deleted him/moved,changed.", "  + She gave him/moved,changed books."]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = f"# sent_id = one\n# text = She gave books to him.\n{corpora.SHE_GAVE_BOOKS}# text = Hush\n{OTHER}"
    return corpora.store(tmp_path, text).path


@pytest.fixture
def dative(tmp_path: Path) -> Path:
    path = tmp_path / "dative.fict"
    path.write_text(DATIVE)
    return path


def test_changed_words_are_marked_before_and_after(call: Fictc, dative: Path, store: Path) -> None:
    ended = call("show", dative, "-c", store, "--rewritten")
    assert ended.out.splitlines() == ["corpus.conllu:1  one", *MARKED]
    assert ended.err == "1 of 1 sentences that change\n"


def test_without_it_the_matches_are_shown(call: Fictc, dative: Path, store: Path) -> None:
    assert call("show", dative, "-c", store).out == "corpus.conllu:1  She gave/V books/T to/P him/R.\n"


def test_filters_beside_rewrites_are_named(call: Fictc, dative: Path, store: Path) -> None:
    dative.write_text(f"{DATIVE}filter verbs {{ match {{ V:VERB }} }}\nfilter nouns {{ match {{ N:NOUN }} }}\n")
    note = "note: verbs, nouns: not a rewrite, and ignored\n"
    ended = call("show", dative, "-c", store, "--rewritten")
    assert (ended.out.splitlines()[1:], ended.err) == (MARKED, f"{note}1 of 1 sentences that change\n")
    ended = call("diff", dative, dative)
    assert (ended.out, ended.err) == ("dative: the same rewrite except for names\n", note)


def test_both_trees(call: Fictc, dative: Path, store: Path) -> None:
    lines = call("show", dative, "-c", store, "--rewritten", "--format", "tree").out.splitlines()
    assert lines[1] == MARKED[0][4:]
    assert "  │ ╭─── to/deleted       ADP    case" in lines
    assert "  ├─── him/moved,changed  PRON   iobj" in lines


def test_rows_and_objects(call: Fictc, dative: Path, store: Path) -> None:
    rows = call("show", dative, "-c", store, "--rewritten", "--format", "tsv").out.splitlines()
    assert rows[1] == "dative\tcorpus.conllu\t1\tone\tShe gave books to him.\tShe gave him books."
    (line,) = call("show", dative, "-c", store, "--rewritten", "--format", "jsonl").out.splitlines()
    entry = json.loads(line)
    assert (entry["before"], entry["after"]) == ("She gave books to him.", "She gave him books.")
    assert entry["changed"] == {"before": {"4": "deleted", "5": "moved,changed"}, "after": {"3": "moved,changed"}}


def test_conllu_can_be_imported_as_a_pair(call: Fictc, dative: Path, store: Path, tmp_path: Path) -> None:
    text = call("show", dative, "-c", store, "--rewritten", "--format", "conllu").out
    assert "# sent_id = one-rewritten\n# text = She gave him books.\n# rewrite = dative\n# changed = 3:moved" in text
    assert corpora.store(tmp_path / "pair", text).info.sentences == 2


@pytest.mark.parametrize("comment", ["#sent_id = one", "# sent_id=one", "# sent_id = one  "])
def test_a_rewritten_tree_has_a_sent_id_of_its_own(call: Fictc, dative: Path, tmp_path: Path, comment: str) -> None:
    text = f"{comment}\n# text = She gave books to him.\n{corpora.SHE_GAVE_BOOKS}"
    store = corpora.store(tmp_path / "other", text).path
    shown = call("show", dative, "-c", store, "--rewritten", "--format", "conllu").out
    pair = corpora.store(tmp_path / "pair", shown).path
    assert call("match", "{ V:VERB }", "-c", pair).out.splitlines() == ["one", "one-rewritten"]


def test_drawings(call: Fictc, dative: Path, store: Path, tmp_path: Path) -> None:
    call("show", dative, "-c", store, "--rewritten", "--format", "svg", "-o", tmp_path / "svg")
    names = sorted(path.name for path in (tmp_path / "svg").iterdir())
    assert names == ["dative-corpus.conllu-1-after.svg", "dative-corpus.conllu-1-before.svg"]
    assert "moved,changed" in (tmp_path / "svg" / names[0]).read_text()
    page = call("show", dative, "-c", store, "--rewritten", "--format", "html").out
    assert page.count("<svg") == 2
    assert "The rewrite" in page
    ended = call("show", dative, "-c", store, "--rewritten", "--format", "svg")
    assert [code for code, _, _ in ended.problems] == ["FICT777"]


def test_drawings_of_similar_names_are_all_kept(call: Fictc, dative: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a b.conllu", "a_b.conllu")]
    for file in files:
        file.write_text(corpora.SHE_GAVE_BOOKS)
    store, out = import_files(files, tmp_path / "store").path, tmp_path / "out"
    ended = call("show", dative, "-c", store, "--rewritten", "--format", "svg", "-o", out)
    assert ended.err == f"4 drawings in {out}\n"
    assert len(list(out.iterdir())) == 4


def test_a_sentence_that_is_dropped(call: Fictc, tmp_path: Path, store: Path) -> None:
    file = tmp_path / "drop.fict"
    file.write_text("fict 1 rewrite drop { match { A:INTJ } delete sentence }")
    assert call("show", file, "-c", store, "--rewritten").out.splitlines() == [
        "corpus.conllu:2",
        "  - Hush",
        "  + (dropped)",
    ]
    for kind in ("tree", "tsv", "jsonl", "conllu", "html"):
        assert call("show", file, "-c", store, "--rewritten", "--format", kind).code == 0


def test_inserted_words_and_samples(call: Fictc, tmp_path: Path, store: Path) -> None:
    file = tmp_path / "say.fict"
    file.write_text(
        'fict 1 rewrite say { match { A:VERB|INTJ } insert "so"[upos = ADV] as advmod of A before node(A) }'
    )
    lines = call("show", file, "-c", store, "--rewritten").out.splitlines()
    assert lines[-2:] == ["  - Hush/changed", "  + So/new hush/changed"]
    assert call("show", file, "-c", store, "--rewritten", "--sample", "1").err == "1 of 2 sentences that change\n"


def test_what_does_not_go_together(call: Fictc, filters: Path, dative: Path, store: Path) -> None:
    assert "exclude each other" in call("show", dative, "-c", store, "--rewritten", "--not").err
    assert [code for code, _, _ in call("show", filters, "-c", store, "--rewritten").problems] == ["FICT291"]


# --- fictc diff


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.fict"
    path.write_text(DATIVE.replace("set R.deprel = iobj", "").replace("V << T << P", "V << T"))
    return path


def test_sentences_that_come_out_differently(call: Fictc, dative: Path, other: Path, store: Path) -> None:
    lines = call("diff", dative, other, "-c", store).out.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["A", "changes", "B", "changes", "different"],
        ["dative", "1", "1", "1"],
    ]
    assert lines[-3:] == ["corpus.conllu:1  one", "  A She gave him books.", "  B She gave him books."]
    assert call("diff", dative, other, "-c", store, "--format", "ids").out == "one\n"
    (pair,) = json.loads(call("diff", dative, other, "-c", store, "--format", "json").out)["pairs"]
    assert (pair["different"], pair["same_definition"], len(pair["examples"])) == (1, False, 1)
    blocks = call("diff", dative, other, "-c", store, "--format", "conllu").out.rstrip("\n").split("\n\n")
    assert [block.split("\n")[2] for block in blocks] == ["# diff = A dative", "# diff = B dative"]
    assert "\tiobj\t" in blocks[0]
    assert "\tiobj\t" not in blocks[1]


def test_the_same_rewrite(call: Fictc, dative: Path, other: Path, store: Path) -> None:
    assert call("diff", dative, dative).out == "dative: the same rewrite except for names\n"
    assert call("diff", dative, dative, "-c", store).out.splitlines()[1].split() == ["dative", "1", "1", "0"]
    assert "these rewrites differ: dative" in call("diff", dative, other).err


def test_a_rewrite_and_a_filter_are_not_compared(call: Fictc, dative: Path, filters: Path) -> None:
    assert "has a rewrite, and" in call("diff", dative, filters).err


def test_a_list_that_rewrites_do_not_declare_is_refused(call: Fictc, dative: Path, store: Path, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a\n")
    replaced = ("--list", f"nosuch={tmp_path / 'words.txt'}")
    for arguments in (("show", dative, "-c", store, "--rewritten"), ("diff", dative, dative)):
        assert [code for code, *_ in call(*arguments, *replaced).problems] == ["FICT293"]


def test_rewrites_are_compared_on_conllu_files(
    call: Fictc, dative: Path, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "one.conllu").write_text(corpora.SHE_GAVE_BOOKS)
    ended = call("diff", dative, other, "-c", tmp_path / "one.conllu", "--format", "ids")
    assert (ended.code, ended.out) == (0, "one.conllu:1\n")


def test_all_rewrites_of_the_folder_are_applied(
    call: Fictc, dative: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(dative.parent)
    ended = call("apply", "--corpus", store, "--dry-run")
    assert ended.code == 0
    assert ended.err.splitlines()[0].split()[0] == "rewrite"
