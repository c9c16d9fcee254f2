"""Columns are carried as far as they are read, and no further."""

from __future__ import annotations

from fictdsl.plan.build import build
from fictdsl.plan.nodes import Join, TokenScan, prune_columns
from tests.unit.fictdsl.semantics.test_lower import lowered


def test_a_block_is_given_what_it_reads() -> None:
    plan = prune_columns(build(lowered("A -> B  without { C.lemma = A.lemma }").ir))
    scans = {relation.node: relation.columns for relation in plan.relations if isinstance(relation, TokenScan)}
    assert scans == {0: ("id", "lemma"), 1: ("head", "id"), 2: ("id", "lemma")}
    outer, inner = (relation.keeps for relation in plan.relations if isinstance(relation, Join))
    assert outer == ((0, "id"), (0, "lemma"), (1, "id"))
    assert inner == ((0, "id"), (1, "id"))
