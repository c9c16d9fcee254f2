"""To which block a name belongs."""

from __future__ import annotations

from fictdsl.semantics.scopes import Scopes, scopes_of
from fictdsl.syntax import nodes
from tests.support.linting import module_of


def scopes(match: str) -> tuple[nodes.Block, Scopes]:
    item = module_of(f"filter f {{ match {{ {match} }} }}").file.items[0]
    assert isinstance(item, nodes.FilterDef)
    return item.match, scopes_of(item)


def owned(match: str) -> list[str]:
    """The names of each block, outer before inner, as texts such as "A B"."""
    block, found = scopes(match)
    result: list[str] = []

    def visit(part: nodes.Block) -> None:
        result.append(" ".join(found.of(part).owned))
        for clause in part.clauses:
            for inner in getattr(clause, "branches", ()) or ([clause.block] if hasattr(clause, "block") else []):
                visit(inner)

    visit(block)
    return result


def test_a_name_belongs_to_the_outermost_block_in_which_it_occurs() -> None:
    assert owned("V -> S without { S -> X without { X -> V } }") == ["V S", "X", ""]


def test_before_or_after() -> None:
    assert owned("without { S -> X } V -> S") == ["V S", "X"]


def test_siblings_may_use_one_name_for_two_nodes() -> None:
    assert owned("V:VERB without { V -> X } without { X << V }") == ["V", "X", "X"]


def test_what_all_branches_share_belongs_to_the_block_around() -> None:
    assert owned("either { V -> A } or { V -> A A -> B }") == ["V A", "", "B"]
    assert owned("either { V -> A } or { V:VERB without { A -> V } }") == ["V", "A", "", "A"]


def test_also_through_an_either_inside() -> None:
    assert owned("either { either { A -> B } or { A -> C } } or { A:NOUN }") == ["A", "", "B", "C", ""]


def test_a_name_of_the_block_around_is_none_of_its_branches() -> None:
    assert owned("either { V -> A } or { V:VERB } A:NOUN") == ["V A", "", ""]


def test_a_counted_node_belongs_to_its_block() -> None:
    assert owned("V:VERB at least 2 X { V -> X }") == ["V", "X"]
    assert owned("V:VERB at least 2 X { V -> X } exactly 1 X { X << V }") == ["V", "X", "X"]


def test_calls_and_comparisons_introduce_their_nodes() -> None:
    item = module_of("pattern p(A, B) { A -> B } filter f { match { p(X, Y) without { Y.form = Z.form } } }")
    definition = item.file.items[1]
    assert isinstance(definition, nodes.FilterDef)
    assert list(scopes_of(definition).of(definition.match).owned) == ["X", "Y"]


def test_parameters_belong_to_the_pattern_even_if_only_a_block_inside_names_them() -> None:
    item = module_of("pattern p(A, B) { A:NOUN without { A -> B } }").file.items[0]
    assert isinstance(item, nodes.PatternDef)
    assert list(scopes_of(item).of(item.block).owned) == ["A", "B"]


def test_private_names_reach_through_nested_eithers_but_not_other_blocks() -> None:
    block, found = scopes("either { either { A -> B } or { C:X } without { D -> _ } } or { E:X }")
    either = block.clauses[0]
    assert isinstance(either, nodes.Either)
    assert set(found.private(either)) == {"A", "B", "C", "E"}


def conflicts(match: str) -> list[str]:
    return [conflict.outside.text for conflict in scopes(match)[1].conflicts]


def test_a_private_name_beside_its_either_is_a_conflict() -> None:
    assert conflicts("either { A -> B } or { A -> C } without { C -> _ }") == ["C"]
    assert conflicts("without { without { B -> _ } } either { A -> B } or { A -> C }") == ["B"]
    assert conflicts("either { A -> B } or { A -> C } either { A << B } or { A << D }") == ["B"]
    assert conflicts("either { A -> B } or { A -> C } at least 1 B { A -> B }") == ["B"]
    assert conflicts("either { either { A -> B } or { A -> C } without { B -> _ } } or { A -> D }") == ["B"]


def test_a_block_inside_another_branch_is_not_beside() -> None:
    assert conflicts("either { A -> B } or { A:NOUN without { A -> B } }") == []
    assert conflicts("either { A -> B } or { A -> B }  without { B -> _ }") == []
    assert conflicts("without { either { A -> B } or { A -> C } } without { B:NOUN }") == []


def test_a_counted_node_that_is_known_is_noted() -> None:
    found = scopes("V -> X at least 1 X { V -> X }")[1].already_bound
    assert [conflict.outside.text for conflict in found] == ["X"]
