"""Judged pairs: those stay that both found unacceptable, as they were written; what is no such file is refused."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.corrupted_pairs import review
from runner.errors import InputError

CELLS = st.text(st.sampled_from('a," \n\r;\u2028é'), max_size=5)
JUDGED = st.tuples(st.sampled_from(["0", "1", " 0"]), st.sampled_from(["0", "1"]))


@given(st.lists(st.tuples(CELLS, JUDGED)), st.sampled_from(["\n", "\r\n"]))
def test_a_pair_stays_as_it_is_if_both_judgements_are_0(tmp_path_factory, rows, end):
    path = tmp_path_factory.mktemp("judged") / "pairs.csv"

    def written(some):
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator=end, quoting=csv.QUOTE_ALL)
            writer.writerow(["judgement_2", "good", "bad", "a note", "judgement_1"])
            writer.writerows([two, "A b.", "B a.", note, one] for note, (one, two) in some)
        return path.read_bytes().decode()

    kept = [(note, both) for note, both in rows if [one.strip() for one in both] == ["0", "0"]]
    left = written(kept)
    written(rows)
    found = review(path)
    assert (found.text, found.selected, found.total) == (left, len(kept), len(rows))


HEADER = "good,bad,judgement_1,judgement_2\n"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", "FICT811", "no column good and no column bad"),
        ("acceptable,bad,judgement_1,judgement_2\nA b.,B a.,0,0\n", "FICT811", "no column good"),
        (b"good,bad\n\xff", "FICT811", "UTF-8"),
        (f"{HEADER}A b.,B a.,0,0\nA b.,B a.,0,2\n", "FICT647", "line 3 of pairs.csv has `2` in the column judgement_2"),
        (f"{HEADER}A b.,B a.,0\n", "FICT647", "nothing in the column judgement_2"),
        (f"{HEADER}A b.,B a.,1,\n", "FICT647", "nothing in the column judgement_2"),
        ("good,bad\nA b.,B a.\n", "FICT647", "nothing in the column judgement_1"),
        (f"{HEADER}A b.,B a.,0,0\n{'a' * 140_000},B a.,0,0\n", "FICT812", "line 3 of pairs.csv is invalid: field la"),
        (f'{HEADER}"A" b.,B a.,0,0\n', "FICT812", "line 2"),
        (f'{HEADER}A b.,B a.,0,0\r"A" b.,B a.,0,0', "FICT812", "line 3"),
    ],
)
def test_what_is_no_judged_suite_is_refused(tmp_path, monkeypatch, text, code, told):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "pairs.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as error:
        review(path.relative_to(tmp_path))
    (problem,) = error.value.diagnostics
    assert problem.code == code and told in problem.message
