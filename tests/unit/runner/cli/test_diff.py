"""`fictc diff`: what is gained and lost is counted, shown, and told in formats for tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.runner.cli.conftest import Fictc

FILTERS = """fict 1
filter plural { match { N:NOUN[Number = Plur] } }
filter subject { match { V -[nsubj]-> S } }
filter again { match { S <-[nsubj]- V } keep sentence }
filter noun { match { N:NOUN } }
"""


@pytest.fixture
def filters(tmp_path: Path) -> Path:
    path = tmp_path / "filters.fict"
    path.write_text(FILTERS)
    return path


def test_counts_and_sentences(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("diff", f"{filters}::subject", f"{filters}::noun", "-c", store)
    assert ended.code == 0
    table, shown = ended.out.split("\n\n")
    assert [line.split() for line in table.splitlines()[:2]] == [
        ["A", "B", "both", "gained", "lost"],
        ["subject", "→", "noun", "2", "(2)", "3", "(4)", "2", "+1", "-0"],
    ]
    assert table.endswith("of 3 sentences; matches in parentheses")
    assert shown == "gained\ncorpus.conllu:2  the cat/N\n"


def test_what_is_lost_is_shown_with_the_words_of_the_first(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("diff", f"{filters}::noun", f"{filters}::subject", "-c", store)
    assert ended.out.endswith("\nlost\ncorpus.conllu:2  the cat/N\n")
    assert call("diff", f"{filters}::noun", f"{filters}::subject", "-c", store, "-n", "0").out.endswith("parentheses\n")


def test_equal_filters_need_no_corpus(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("diff", f"{filters}::subject", f"{filters}::again")
    said = "subject → again: the same filter except for names and order; their actions differ\n"
    assert (ended.code, ended.out) == (0, said)
    assert said in call("diff", f"{filters}::subject", f"{filters}::again", "-c", store).out
    assert call("diff", filters, filters).out.count("the same filter except for names and order\n") == 4


def test_different_filters_without_a_corpus(call: Fictc, filters: Path) -> None:
    ended = call("diff", f"{filters}::subject", f"{filters}::noun")
    assert ended.code == 2
    assert "these filters differ: subject → noun. Compare their matches with --corpus STORE" in ended.err


@pytest.mark.parametrize("option", [("--format", "json"), ("-n", "3"), ("--sample", "3"), ("--seed", "1")])
def test_options_of_the_output_require_a_corpus(call: Fictc, filters: Path, option: tuple[str, str]) -> None:
    ended = call("diff", filters, filters, *option)
    assert (ended.code, ended.out) == (2, "")
    assert f"{option[0]} requires --corpus" in ended.err


@pytest.mark.parametrize("kind", ["filter", "rewrite"])
def test_names_of_one_side_differ(call: Fictc, tmp_path: Path, kind: str) -> None:
    action = "  delete node(N)" if kind == "rewrite" else ""
    for folder, file in (("a", "one"), ("a", "two"), ("b", "one"), ("b", "more")):
        (tmp_path / folder).mkdir(exist_ok=True)
        name = "y" if file == "more" else "x"
        (tmp_path / folder / f"{file}.fict").write_text(f"fict 1\n{kind} {name} {{ match {{ N:NOUN }} {action} }}\n")
    for sides, letter in ((("a", "b"), "A"), (("b", "a"), "B")):
        ended = call("diff", *(tmp_path / side for side in sides))
        assert (ended.code, ended.out) == (2, "")
        assert f"two {'filters' if kind == 'filter' else 'rewrites'} of {letter} have the same name: " in ended.err


def test_filters_of_two_files_are_paired_by_name(call: Fictc, filters: Path, tmp_path: Path, store: Path) -> None:
    other = tmp_path / "other.fict"
    other.write_text("fict 1 filter noun { match { N:NOUN[Number = Sing] } } filter new { match { N } }")
    ended = call("diff", filters, other, "-c", store)
    assert [line.split() for line in ended.out.splitlines()[1:2]] == [["noun", "3", "(4)", "1", "(1)", "1", "+0", "-2"]]
    assert "lost" not in ended.out.splitlines()[-1]
    assert ended.err == "note: only A has plural, subject, again\nnote: only B has new\n"
    assert "\nlost, 1 of 2 shown\n" in call("diff", filters, other, "-c", store, "-n", "1").out
    other.write_text(other.read_text() + " filter plural { match { X:X } }")
    assert "noun: lost, 1 of 2 shown\n" in call("diff", filters, other, "-c", store, "-n", "1").out
    other.write_text("fict 1 filter noun { match { N } } filter new { match { N } }")
    nothing = call("diff", f"{filters}::plural", other, "-c", store)
    assert "A and B have no filter of the same name" in nothing.err


def test_ids_and_conllu_and_json(call: Fictc, filters: Path, store: Path) -> None:
    pair = ("diff", f"{filters}::noun", f"{filters}::plural", "-c", store)
    assert call(*pair, "--format", "ids").out == "-\ttwo\n"
    lines = call(*pair, "--format", "conllu").out.splitlines()
    assert [line for line in lines if line.startswith("# ")][-2:] == ["# diff = lost noun → plural", "# match = N:2"]
    found = json.loads(call(*pair, "--format", "json").out)
    (told,) = found["pairs"]
    assert (told["both"], told["gained"], told["lost"], told["same_definition"]) == (2, 0, 1, False)
    assert (told["a"]["sentences"], told["a"]["matches"]) == (3, 4)
    assert [one["sent_id"] for one in told["examples"]["lost"]] == ["two"]
    assert told["examples"]["lost"][0]["matches"] == [{"N": 2}]


def test_a_sample_depends_on_the_seed_alone(call: Fictc, filters: Path, tmp_path: Path, store: Path) -> None:
    none = tmp_path / "none.fict"
    none.write_text("fict 1 filter noun { match { N:X } }")
    pair = ("diff", f"{filters}::noun", none, "-c", store, "--format", "ids", "--sample", "1")
    outputs = [call(*pair, "--seed", seed).out for seed in range(6)]
    assert outputs == [call(*pair, "--seed", seed).out for seed in range(6)]
    assert len(set(outputs)) > 1
    assert "exclude each other" in call(*pair, "-n", "1").err


def test_shipped_filters_by_name(call: Fictc) -> None:
    assert call("diff", "fict15/npi-only", "fict15/npi-only.fict").out.startswith("npi-only: the same filter")
