"""Where no intervals are, dominance is walked from the few words that all else leaves."""

from __future__ import annotations

import pytest

from fictdsl.plan.build import build
from fictdsl.plan.layout_passes import expand_dominance_paths
from fictdsl.plan.nodes import Join, Paths, TokenScan
from fictdsl.schema import PLAIN, RAW
from tests.unit.fictdsl.semantics.test_lower import lowered


def walked(text: str) -> tuple[Paths, list[int]]:
    """The one walk, and the nodes of the step that it starts from."""
    plan = expand_dominance_paths(build(lowered(text).ir), RAW)
    (paths,) = (relation for relation in plan.relations if isinstance(relation, Paths))
    match plan.relations[paths.source]:
        case TokenScan(node=node):
            return paths, [node]
        case Join(keeps=keeps):
            return paths, sorted({node for node, _ in keeps})
    raise AssertionError("a walk from something else")


@pytest.mark.parametrize(
    ("text", "up", "start", "source"),
    [
        ("A:NOUN ->> B[lemma = dog]", True, 1, [1]),
        ("A[lemma = dog] ->> B:NOUN", False, 0, [0]),
        ("A:NOUN ->> B:NOUN", True, 1, [1]),
        ("A:NOUN ->> B:VERB  B -> C[lemma = dog]", True, 1, [1, 2]),
        ("A -> B  B ->> C  C < A", True, 2, [0, 1, 2]),
    ],
)
def test_where_a_walk_starts(text: str, up: bool, start: int, source: list[int]) -> None:
    paths, nodes = walked(text)
    assert (paths.up, paths.node) == (up, start)
    assert set(nodes) <= set(source) and start in nodes


def test_the_bounds_are_kept() -> None:
    paths, _ = walked("A ->>{2..3} B[lemma = dog]")
    assert (paths.low, paths.high) == (2, 3)


def test_intervals_are_used_where_they_are() -> None:
    plan = build(lowered("A ->> B").ir)
    assert expand_dominance_paths(plan, PLAIN) is plan
