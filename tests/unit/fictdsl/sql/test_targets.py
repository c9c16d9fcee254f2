"""The statements of an action: one SELECT each over `matches`, in either dialect, with generated names only."""

from __future__ import annotations

import re

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from fictdsl.semantics import ir
from fictdsl.sql.emit import pretty_targets, targets

ACTIONS = [
    ir.Action("remove", "sentence", (), None, None),
    ir.Action("mask", "node", (1,), "'; DROP TABLE tokens", None),
    ir.Action("count", "subtree", (0,), None, None),
    ir.Action("mask", "span", (2, 0), None, "upos"),
    ir.Action("remove", "span", (1, 1), None, None),
]


@pytest.mark.parametrize("action", ACTIONS, ids=[f"{action.verb} {action.target}" for action in ACTIONS])
def test_statements(action: ir.Action) -> None:
    known = {"matches", "tokens", "sid", "id", "pre", "last"}
    for text in (targets(action).distinct, targets(action).words):
        with duckdb.connect() as connection:
            (statement,) = connection.extract_statements(text)
        assert statement.type == duckdb.StatementType.SELECT
        for name in sqlglot.parse_one(text, dialect="duckdb").find_all(exp.Identifier):
            assert name.this in known or re.fullmatch(r"[amwx]|[mt]\d", name.this), name.this
    assert sqlglot.parse_one(pretty_targets(action, "duckdb")) == sqlglot.parse_one(targets(action).words)


@pytest.mark.parametrize("action", ACTIONS, ids=[f"{action.verb} {action.target}" for action in ACTIONS])
def test_spark_says_the_same(action: ir.Action) -> None:
    for spark, own in zip(
        (targets(action, "spark").distinct, targets(action, "spark").words),
        (targets(action).distinct, targets(action).words),
        strict=True,
    ):
        assert '"' not in spark
        assert spark.replace("`", '"') == own
