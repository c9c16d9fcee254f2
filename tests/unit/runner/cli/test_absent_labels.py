"""Misspelt labels of filters are noted by every command that runs them, once, unless the corpus has the label."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.corpus.import_conllu import import_files
from tests.unit.runner.cli.conftest import Fictc

MISSPELT = """fict 1
filter one { match { V:VREB -[nsub]-> S[Numbr = Plur, Number = Plural] } }
filter two { match { V:VREB -[nsubj:passive]-> S } }
"""
NOTES = [
    "note: one tests Numbr, which no word of this corpus has (the nearest name is `Number`)",
    "note: one and two test the UPOS tag VREB, which no word of this corpus has (the nearest name is `VERB`)",
    "note: one tests Number=Plural, which no word of this corpus has (the nearest value is `Plur`)",
    "note: one tests the relation nsub, which no word of this corpus has (the nearest name is `nsubj`)",
    "note: two tests the relation nsubj:passive, which no word of this corpus has (the nearest name is `nsubj:pass`)",
]


@pytest.mark.parametrize("command", ["count", "match", "show", "apply", "cooccurrence", "diff"])
def test_each_misspelt_label_is_noted_once(command: str, call: Fictc, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "misspelt.fict"
    path.write_text(MISSPELT)
    arguments = {
        "apply": ("apply", path, "--corpus", store, "--output", tmp_path / "out"),
        "cooccurrence": ("stats", "cooccurrence", path, "--corpus", store),
        "diff": ("diff", path, path, "--corpus", store),
    }
    ended = call(*arguments.get(command, (command, path, "--corpus", store)))
    assert ended.code == 0
    assert sorted(line for line in ended.err.splitlines() if line.startswith("note: ")) == sorted(NOTES)


def test_a_label_that_the_corpus_has_is_not_noted(call: Fictc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trees = "1\tdogs\tdog\tNN\tNNS\tNumbr=Many\t2\tnsubjpass\t2:dobj:of\t_\n2\tbark\tbark\tVB\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "c.conllu").write_text(trees)
    import_files([tmp_path / "c.conllu"], tmp_path / "store")
    path = tmp_path / "other.fict"
    path.write_text("fict 1 filter f { match { V:VB -[nsubjpass]-> S:NN[Numbr = Many]  V =[dobj]=> S } }")
    ended = call("count", path, "--corpus", tmp_path / "store")
    assert (ended.code, ended.err) == (0, "")


def test_tags_of_a_declared_tag_set_are_not_noted(call: Fictc, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.fict"
    path.write_text("fict 1\n# tagset: other\nfilter f { match { V:VB -[SBJ]-> S[Number = Many] } }")
    assert call("count", path, "--corpus", store).err.splitlines() == [
        "note: f tests Number=Many, which no word of this corpus has (its values in UD are Coll, Count, Dual, Grpa, Grpl,"
        " Inv, Pauc, Plur, Ptan, Sing, Tri)"
    ]


def test_many_filters_are_counted(call: Fictc, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.fict"
    path.write_text("fict 1 " + " ".join(f"filter f{number} {{ match {{ A:NUON }} }}" for number in range(5)))
    assert call("count", path, "--corpus", store).err.splitlines() == [
        "note: f0, f1 and 3 more test the UPOS tag NUON, which no word of this corpus has (the nearest name is `NOUN`)"
    ]
