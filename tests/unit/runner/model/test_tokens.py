"""Token files: what is written is what is read, and broken files are named."""

import json

import numpy as np
import pytest

from runner.errors import InputError
from runner.model.token_rows import TokenFile, write_tokens


def write(folder, sentences, vocabulary=10):
    return write_tokens(sentences, folder, vocabulary=vocabulary, separator=1, unknown=0)


def test_sentences_come_back_empty_ones_too(tmp_path):
    sentences = [[2, 3, 0], [], [4], [5, 5]]
    written = write(tmp_path / "t", sentences)
    for file in (written, TokenFile.open(tmp_path / "t")):
        assert [file.sentence(i).tolist() for i in range(file.sentences)] == sentences
        assert (file.sentences, file.tokens, file.vocabulary) == (4, 6, 10)
        assert isinstance(file.ids, np.memmap)
        assert file.unknown_rate() == pytest.approx(1 / 6)


def test_documents_come_back_and_count_for_the_hash(tmp_path):
    about = {"vocabulary": 10, "separator": 1, "unknown": 0}
    file = write_tokens([[2], [3], [4]], tmp_path / "t", **about, documents=lambda: np.array([0, 2]))
    assert TokenFile.open(tmp_path / "t").documents.tolist() == [0, 2]
    assert write(tmp_path / "u", [[2], [3], [4]]).documents is None
    assert file.sha256() != TokenFile.open(tmp_path / "u").sha256()


@pytest.mark.parametrize(("vocabulary", "dtype"), [(65_536, np.uint16), (65_537, np.uint32)])
def test_ids_take_two_bytes_where_they_can(tmp_path, vocabulary, dtype):
    file = write(tmp_path, [[vocabulary - 1]], vocabulary)
    assert file.ids.dtype == dtype
    assert file.ids[0] == vocabulary - 1


def test_counts_are_of_predicted_tokens(tmp_path):
    assert write(tmp_path, [[2, 3, 2], [2]], 5).counts().tolist() == [0, 2, 3, 1, 0]


def test_a_text_without_sentences_is_a_file_too(tmp_path):
    file = write(tmp_path, [])
    assert (file.sentences, file.tokens, file.unknown_rate()) == (0, 0, 0.0)


def test_many_tokens_are_written_in_pieces(tmp_path):
    file = write(tmp_path, ([i % 7] * 1000 for i in range(2500)))
    assert file.tokens == 2_500_000
    assert set(file.sentence(2499)) == {2499 % 7}


def test_the_hash_is_of_all_that_is_read(tmp_path):
    hashes = {
        write(tmp_path / str(i), sentences, size).sha256()
        for i, (sentences, size) in enumerate([([[2, 3]], 10), ([[2], [3]], 10), ([[3, 2]], 10), ([[2, 3]], 11)])
    }
    assert len(hashes) == 4
    assert write(tmp_path / "again", [[2, 3]]).sha256() in hashes


@pytest.mark.parametrize("harm", ["missing", "short", "empty", "json", "list", "keys", "mismatch"])
def test_a_broken_folder_is_named(tmp_path, harm):
    write(tmp_path, [[2, 3], [4]])
    match harm:
        case "missing":
            (tmp_path / "offsets.npy").unlink()
        case "short":
            (tmp_path / "ids.npy").write_bytes((tmp_path / "ids.npy").read_bytes()[:-2])
        case "empty":
            (tmp_path / "ids.npy").write_bytes(b"")
        case "json":
            (tmp_path / "tokens.json").write_text("{")
        case "list":
            (tmp_path / "tokens.json").write_text("[]")
        case "keys":
            (tmp_path / "tokens.json").write_text('{"tokens": 3}')
        case "mismatch":
            about = json.loads((tmp_path / "tokens.json").read_text())
            (tmp_path / "tokens.json").write_text(json.dumps({**about, "tokens": 4}))
    with pytest.raises(InputError) as error:
        TokenFile.open(tmp_path)
    assert error.value.diagnostics[0].code == "FICT802"
    assert str(tmp_path) in error.value.diagnostics[0].message
