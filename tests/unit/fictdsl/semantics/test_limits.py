"""How large a filter is, its patterns written out."""

from __future__ import annotations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.semantics.check import MAX_DEPTH, Measure, Size, analyse
from fictdsl.semantics.resolve import resolve
from fictdsl.syntax import nodes
from tests.support.linting import module_of


def size(match: str, before: str = "") -> Size:
    module = module_of(f"{before} filter f {{ match {{ {match} }} }}")
    definition = next(item for item in module.file.items if isinstance(item, nodes.FilterDef))
    return Measure(resolve(module)).size_of(definition)


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("A -> B -> A", Size(2, 1)),
        ("A -> _  _ << A", Size(3, 1)),
        ("A -> B without { B -> C } without { B << C }", Size(4, 2)),
        ("at least 2 X { X -> Y }", Size(2, 2)),
        ("either { A -> B } or { A -> C } or { A -> B  B -> D }", Size(4, 2)),
        ("either { A -> B } or { A:X without { A -> B } }", Size(3, 3)),
        ("sentence[length > 3]", Size(0, 1)),
        ("A:X p(A, B) p(A, _)", Size(7, 1)),
        ("A:X without { q(A) }", Size(4, 4)),
    ],
)
def test_nodes_and_depth(match: str, expected: Size) -> None:
    patterns = "pattern p(A, B) { A -> X -> B << _ } pattern q(A) { without { p(A, C) without { C:X } } }"
    assert size(match, patterns) == expected


def codes(text: str) -> list[str]:
    return [problem.code for problem in analyse(module_of(text))[1]]


def chain(number: int) -> str:
    return " -> ".join(f"N{place}" for place in range(number))


def test_thirty_two_nodes_are_enough() -> None:
    assert codes(f"filter f {{ match {{ {chain(32)} }} }}") == []
    assert codes(f"filter f {{ match {{ {chain(33)} }} }}") == ["FICT402"]
    assert codes(f"pattern big(N0) {{ {chain(33)} }} filter f {{ match {{ A:X }} }}") == []


def test_patterns_that_call_patterns_are_measured_without_being_written_out() -> None:
    calls = " ".join(f"pattern p{n}(N) {{ p{n + 1}(N) p{n + 1}(N) }}" for n in range(60))
    text = f"{calls} pattern p60(N) {{ N -> _ }} filter f {{ match {{ p0(N) }} }}"
    [problem] = analyse(module_of(text))[1]
    assert problem.code == "FICT402"
    assert str(2**60 + 1) in problem.message


def test_blocks_of_patterns_nest_in_those_that_call_them() -> None:
    def text(depth: int) -> str:
        calls = " ".join(f"pattern p{n}(N) {{ without {{ p{n + 1}(N) }} }}" for n in range(depth))
        return f"{calls} pattern p{depth}(N) {{ N:X }} filter f {{ match {{ p0(N) }} }}"

    assert codes(text(MAX_DEPTH - 1)) == []
    assert codes(text(MAX_DEPTH)) == ["FICT403"]


def test_long_chains_of_pattern_calls_end_in_a_message() -> None:
    calls = " ".join(f"pattern p{n}(N) {{ p{n + 1}(N) }}" for n in range(3_000))
    compilation = compile_text(f"fict 1 {calls} pattern p3000(N) {{ N:X }} filter f {{ match {{ p0(N) }} }}")
    assert [problem.code for problem in compilation.errors] == ["FICT403"]


def test_nothing_is_measured_where_names_or_types_are_wrong() -> None:
    assert codes(f"filter f {{ match {{ {chain(17)} gone(N0) }} }}") == ["FICT202"]
    assert codes("pattern p(A) { p(A) } filter f { match { p(A) } }") == ["FICT207"]
