"""`fictc compile`: each stage can be seen, and the SQL runs as printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.corpus.store import Store
from tests.unit.runner.cli.conftest import Fictc


def test_the_sql_runs_as_printed(call: Fictc, filters: Path, store: Path) -> None:
    printed = call("compile", filters).out
    statements = [part for part in printed.split(";\n") if part.strip()]
    assert len(statements) == 3
    with Store.open(store).connect(["Number"]) as connection:
        rows = [connection.execute(statement).fetchall() for statement in statements]
    assert rows == [[(0, 2, 1), (2, 2, 1)], [(1, 2)], [(0, 1), (2, 1)]]
    assert "-- subject\n-- m0 = V, m1 = S\nWITH" in printed


@pytest.mark.parametrize(
    ("stage", "said"),
    [("ast", "FilterDef\n"), ("ir", "Edge(head=0, dependent=1)"), ("plan", "RowScan\n  node: 1")],
)
def test_stages(call: Fictc, filters: Path, stage: str, said: str) -> None:
    ended = call("compile", f"{filters}::subject", "--emit", stage)
    assert said in ended.out
    assert ended.out.startswith("# subject\n")
    assert "span" not in ended.out


def test_spark(call: Fictc, filters: Path) -> None:
    printed = call("compile", f"{filters}::subject", "--dialect", "spark").out
    assert "`tokens`" in printed
    assert "MATERIALIZED" not in printed


def test_actions_on_words_have_a_statement_each(call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.fict").write_text(
        "fict 1 filter a { match { X -> Y } mask subtree(Y) count span(Y, X) keep sentence }"
    )
    printed = call("compile", tmp_path).out
    assert printed.count(";\n") == 3
    assert [line for line in printed.split("\n") if line.startswith("-- ")] == [
        "-- a",
        "-- m0 = X, m1 = Y",
        "-- mask subtree(Y)",
        "-- count span(Y, X)",
    ]


def test_mistakes_of_all_files_at_once(call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.fict").write_text("fict 1 filter a { match { X[form in @w] } }")
    (tmp_path / "b.fict").write_text("fict 1 filter b { match { X[id = x] } }")
    ended = call("compile", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert [code for code, _, _ in ended.problems][1:] == ["FICT310"]
    assert ended.problems[0][0].startswith("FICT2")


def test_a_folder_without_filters(call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "lists.fict").write_text("fict 1 list w = {a}")
    assert [code for code, _, _ in call("compile", tmp_path).problems] == ["FICT291"]


def test_over_the_columns_of_conllu(call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.fict").write_text("fict 1 filter a { match { X[Case = Nom] ->> Y } }")
    printed = call("compile", tmp_path, "--columns", "conllu").out
    assert "WITH RECURSIVE" in printed and '"feats"' in printed
    (tmp_path / "b.fict").write_text("fict 1 filter b { match { X[has misc.Gloss] } }")
    ended = call("compile", tmp_path, "--columns", "conllu")
    assert (ended.code, ended.out) == (2, "")
    assert [code for code, _, _ in ended.problems] == ["FICT409"]
