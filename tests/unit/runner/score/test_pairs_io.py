"""Suites in Parquet: every field comes back, the same bytes each time."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.errors import InputError
from runner.score.any_suite import PAIRS, write_suite
from runner.score.minimal_pairs import read_pair_suite
from runner.score.suite_files import Pair, Suite

SUITE = Suite(
    "my suite",
    [
        Pair("p", "ph", "f", 3, "Good é.", "Bad."),
        Pair("q", "", "", 0, "a b", "a c", "one_prefix", ("a", "a"), ("b", "c")),
        Pair("q", "", "", 1, "a b", "c b", "two_prefix", ("a", "c"), (" b", " b")),
    ],
)


@pytest.mark.parametrize("suite", [SUITE, Suite("none", [])])
def test_a_suite_comes_back(tmp_path, suite):
    for name in ("a", "b"):
        write_suite(suite, tmp_path / name)
    assert read_pair_suite(tmp_path / "a" / PAIRS.file) == suite
    assert (tmp_path / "a" / PAIRS.file).read_bytes() == (tmp_path / "b" / PAIRS.file).read_bytes()


def test_a_file_that_is_no_suite_is_named(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"no parquet")
    for name in ("x.parquet", "absent.parquet"):
        with pytest.raises(InputError) as error:
            read_pair_suite(tmp_path / name)
        assert error.value.diagnostics[0].code == "FICT811"


@pytest.mark.parametrize("part", ["name", "column"])
def test_text_that_is_not_utf_8_is_refused(tmp_path, part):
    write_suite(SUITE, tmp_path)
    table = pq.read_table(tmp_path / PAIRS.file)
    if part == "name":
        table = table.replace_schema_metadata({b"suite": b"\xff"})
    else:
        invalid = pa.array([b"\xff"] * len(table), pa.binary()).view(pa.string())
        table = table.set_column(table.schema.get_field_index("good"), "good", invalid)
    pq.write_table(table, tmp_path / "b")
    with pytest.raises(InputError) as error:
        read_pair_suite(tmp_path / "b")
    assert error.value.diagnostics[0].code == "FICT811"
