"""Encoding: one line, one sentence; the tokenizer's ids and nothing else."""

import pytest

from runner.model import token_rows
from runner.model.token_rows import encode_text
from tests.support.models import LINES, gapped, tokenizer


@pytest.mark.parametrize("batch", [3, 4096])
def test_every_line_is_a_sentence(tmp_path, monkeypatch, batch):
    monkeypatch.setattr(token_rows, "LINES_PER_CALL", batch)
    words = tokenizer()
    lines = [*LINES, "", "  ", "something unknown", "<eos>"]
    file = encode_text(iter(lines), words, tmp_path)
    assert file.sentences == len(lines)
    assert [file.sentence(i).tolist() for i in range(len(lines))] == [words(line)["input_ids"] for line in lines]
    assert (file.vocabulary, file.separator, file.unknown) == (len(words), 1, 0)
    assert file.sentence(len(lines) - 2).tolist() == [0, 0]


def test_the_separator_of_a_tokenizer_without_eos_is_its_bos(tmp_path):
    words = tokenizer()
    words.eos_token = None
    words.bos_token = "<unk>"
    assert encode_text(LINES, words, tmp_path).separator == 0


def test_every_id_of_a_tokenizer_with_gaps_is_counted(tmp_path):
    counts = encode_text(LINES, gapped(separator=60), tmp_path).counts()
    assert (len(counts), counts[60]) == (61, len(LINES))
