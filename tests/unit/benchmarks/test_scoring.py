"""The benchmark of scoring refuses what it cannot measure."""

import sys

import pytest

from benchmarks.scoring import main


def test_a_size_of_vocabulary_without_a_number_of_pairs_is_refused(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["scoring", "--data", str(tmp_path), "--vocabulary", "10000", "700"])
    with pytest.raises(SystemExit):
        main()
    assert "invalid choice: 700 (choose from 10000, 50000)" in capsys.readouterr().err
