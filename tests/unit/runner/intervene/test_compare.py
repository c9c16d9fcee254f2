"""Two corpora compared: nothing is counted twice, edits are seen within a run, held by properties."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.compare import Corpus, compare
from runner.errors import InputError

LINES = st.lists(st.sampled_from(["a", "b", "c c", "d"]), max_size=12)


@given(LINES, LINES)
def test_what_is_lost_and_gained_makes_one_of_the_other(one, other):
    found = compare(Corpus(Path("x"), one, None), Corpus(Path("y"), other, None))
    assert Counter(one) - Counter(found.lost) + Counter(found.gained) == Counter(other)
    assert len(one) - len(found.lost) == len(other) - len(found.gained) == found.unchanged
    assert not found.edited
    assert one != other or not found.reordered


@given(st.lists(st.integers(0, 9), unique=True, max_size=8), st.lists(st.integers(0, 9), unique=True, max_size=8))
def test_in_one_run_a_sentence_is_its_number(one, other):
    a = Corpus(Path("run/a"), [f"s{sid}" for sid in one], one)
    b = Corpus(Path("run/b"), [f"s{sid}" if sid % 2 else f"edited {sid}" for sid in other], other)
    found = compare(a, b)
    both = [sid for sid in one if sid in other]
    assert found.lost == [f"s{sid}" for sid in one if sid not in other]
    assert found.edited == [(f"s{sid}", f"edited {sid}") for sid in both if not sid % 2]
    assert found.unchanged == sum(sid % 2 for sid in both)
    assert found.reordered == (both != [sid for sid in other if sid in one])


def test_injected_lines_are_compared_by_their_text():
    a = Corpus(Path("run/a"), ["x", "new", "y"], [0, -1, 1])
    b = Corpus(Path("run/b"), ["x", "y", "new"], [0, 1, -5])
    found = compare(a, b)
    assert (found.lost, found.gained, found.unchanged, found.reordered) == ([], [], 3, True)


def test_only_a_newline_ends_a_line_and_marks_of_other_systems_are_no_text(tmp_path):
    (tmp_path / "text.txt").write_bytes("a\rb\nc\x85d\n".encode())
    np.save(tmp_path / "sids.npy", np.array([4, 7]))
    assert Corpus.read(tmp_path).lines == ["a\rb", "c\x85d"]
    (tmp_path / "one.txt").write_bytes("\ufeffA b.\r\nC d.".encode())
    (tmp_path / "other.txt").write_bytes(b"A b.\nC d.\n")
    found = compare(Corpus.read(tmp_path / "one.txt"), Corpus.read(tmp_path / "other.txt"))
    assert (found.lost, found.gained, found.unchanged) == ([], [], 2)


def test_a_folder_whose_files_do_not_fit_is_told(tmp_path):
    (tmp_path / "text.txt").write_text("a\nb\n", encoding="utf-8")
    np.save(tmp_path / "sids.npy", np.array([1]))
    with pytest.raises(InputError, match="2 lines"):
        Corpus.read(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"\x93NUMPY\x01\x00\x10\x00{{{{{{{{{{{{{{{\n", b"PK\x03\x04", "scalar", "text"]
)
def test_damaged_sentence_numbers_are_a_mistake(tmp_path, content):
    (tmp_path / "text.txt").write_text("a\n", encoding="utf-8")
    arrays = {"scalar": np.array(3), "text": np.array(["a"])}
    if isinstance(content, bytes):
        (tmp_path / "sids.npy").write_bytes(content)
    else:
        np.save(tmp_path / "sids.npy", arrays[content])
    with pytest.raises(InputError, match=r"FICT646.*sids\.npy"):
        Corpus.read(tmp_path)
