"""Which features a CoNLL-U file has, told without importing it."""

import gzip
import lzma
import zipfile

import pytest

from fictdsl.schema import Field
from runner.corpus.conllu_reader import features_missing_in, file_contents, label_occurs
from runner.errors import InputError


def missing_features(paths, features):
    return features_missing_in(file_contents(paths), features)


ROW = "1\ta|Voice=Pass\tb\tX\t_\tNumber=Sing|Number[psor]=Plur\t0\troot\t_\tReflex=Yes\n"


def test_features_are_sought_in_their_own_column_alone(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(f"# text = x\tx\tx\tx\tx\tCase=Nom\n{ROW}\n")
    asked = ["Number", "Number[psor]", "Voice", "Reflex", "Case", "umber"]
    assert missing_features([path], asked) == {"Voice", "Reflex", "Case", "umber"}


def test_features_of_multiword_tokens_and_empty_nodes_are_not_of_words(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(f"1-2\tab\t_\t_\t_\tTypo=Yes\t_\t_\t_\t_\n{ROW}1.1\tx\tx\tADJ\t_\tCase=Nom\t_\t_\t0:x\t_\n\n")
    assert missing_features([path], ["Number", "Typo", "Case"]) == {"Typo", "Case"}
    assert not label_occurs([path], "ADJ", Field.UPOS)


def test_one_file_of_several_is_enough_and_gzip_is_read(tmp_path):
    (tmp_path / "a.conllu").write_text(ROW)
    (tmp_path / "b.conllu.gz").write_bytes(gzip.compress(ROW.replace("Number=Sing", "Degree=Sup").encode()))
    assert missing_features(sorted(tmp_path.iterdir()), ["Number", "Degree", "Mood"]) == {"Mood"}


def test_every_compression_of_the_import_is_read(tmp_path):
    (tmp_path / "a.conllu.xz").write_bytes(lzma.compress(ROW.encode()))
    with zipfile.ZipFile(tmp_path / "b.conllu.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", ROW.replace("Number=Sing", "Mood=Ind"))
        archive.writestr("b/b.conllu", ROW.replace("Number=Sing", "Degree=Sup").replace("root", "dep"))
    paths = sorted(tmp_path.iterdir())
    assert missing_features(paths, ["Number", "Degree", "Mood"]) == {"Mood"}
    assert [label_occurs([path], "dep", Field.DEPREL) for path in paths] == [False, True]


def test_a_damaged_file_is_an_error_of_the_user(tmp_path):
    path = tmp_path / "a.conllu.xz"
    path.write_bytes(lzma.compress(ROW.encode())[:-20])
    with pytest.raises(InputError, match="FICT700"):
        missing_features([path], ["Mood"])


def test_labels_are_sought_whole_or_with_a_subtype_in_their_own_column(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("# text = x\tx\tx\tdobj\tx\tx\tx\tdobj\n1\tdobj\tNN\tVB\tNN\t_\t0\troot:x\tnmod\t_\n\n")

    def occurs(label, field):
        return label_occurs([path], label, field)

    assert occurs("VB", Field.UPOS) and occurs("root", Field.DEPREL) and occurs("root:x", Field.DEPREL)
    assert not any(occurs(label, Field.UPOS) for label in ("NN", "V", "B", "root", "dobj"))
    assert not any(occurs(label, Field.DEPREL) for label in ("dobj", "roo", "x", "nmod", "VB"))
