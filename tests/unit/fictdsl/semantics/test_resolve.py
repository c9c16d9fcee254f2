"""What names mean, across files; the messages themselves are in tests/cases/diagnostics."""

from __future__ import annotations

from fictdsl.semantics.resolve import resolve
from fictdsl.syntax import nodes, walk
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import clauses, simple_tests
from tests.support.linting import module_of

LISTS = 'list words = {this, "at all"}\npattern known(N) { N[form in @words] }'


def references(module: Module) -> list[nodes.ListRef]:
    found = []
    for item in module.file.items:
        if isinstance(item, nodes.FilterDef | nodes.PatternDef):
            block = item.match if isinstance(item, nodes.FilterDef) else item.block
            for clause in clauses(block):
                for test, _ in walk.tests(clause):
                    parts = (part for part in simple_tests(test) if isinstance(part, nodes.Member))
                    found += [part.values for part in parts if isinstance(part.values, nodes.ListRef)]
    return found


def codes(module: Module) -> list[str]:
    return [problem.code for problem in resolve(module).diagnostics]


def test_an_own_list_and_one_of_a_used_file() -> None:
    used = module_of(LISTS)
    own = module_of('use "w" list mine = {a} filter f { match { N[form in @mine, lemma in @words] } }', w=used)
    resolution = resolve(own)
    assert resolution.diagnostics == ()
    first, second = references(own)
    mine, words = resolution.list_of(first), resolution.list_of(second)
    assert mine is not None and mine.module is own and resolution.entries(first) == ("a",)
    assert words is not None and words.module is used and resolution.entries(second) == ("this", "at all")


def test_a_name_in_a_pattern_resolves_where_it_is_written() -> None:
    used = module_of(LISTS)
    own = module_of('use "w" list other = {x} filter f { match { known(N) N[form in @other] } }', w=used)
    resolution = resolve(own)
    [call] = [c for c in clauses(own.file.items[2].match) if isinstance(c, nodes.Call)]  # type: ignore[union-attr]
    pattern = resolution.pattern_of(call)
    assert pattern is not None and pattern.module is used
    [inside] = references(used)
    found = resolution.list_of(inside)
    assert found is not None and found.module.entries(found.item) == ("this", "at all")


def test_use_reaches_one_file_far() -> None:
    far = module_of("list far = {a}")
    near = module_of('use "far" pattern near(N) { N[form in @far] }', far=far)
    own = module_of('use "near" filter f { match { near(N) N[form in @far] } }', near=near)
    resolution = resolve(own)
    assert resolution.modules == (own, near, far)
    assert [problem.code for problem in resolution.diagnostics] == ["FICT201"]
    assert resolution.diagnostics[0].hint == "`example.fict` defines it, but this file does not `use` that file"


def test_entries_of_a_list_file_and_of_one_that_could_not_be_read() -> None:
    text = 'list words = file "w.txt" filter f { match { N[form in @words] } }'
    for lists, expected in (({"w.txt": ("a", "b")}, ("a", "b")), ({}, None)):
        module = module_of(text, lists)
        resolution = resolve(module)
        assert resolution.diagnostics == ()
        assert resolution.entries(references(module)[0]) == expected


def test_names_that_may_stand_in_a_file_that_could_not_be_read_are_not_called_unknown() -> None:
    assert codes(module_of('use "gone" filter f { match { N[form in @words] p(N) } }')) == []


def test_one_file_used_by_two_paths_does_not_clash_with_itself() -> None:
    used = module_of(LISTS)
    module = module_of('use "a" use "b" filter f { match { known(N) } }', a=used, b=used)
    assert codes(module) == []


def test_two_files_clash_and_so_does_the_file_itself() -> None:
    one, two = module_of("list words = {a}"), module_of("list words = {b}")
    assert codes(module_of('use "a" use "b" filter f { match { N:X } }', a=one, b=two)) == ["FICT206"]
    assert codes(module_of('use "a" list words = {c} filter f { match { N:X } }', a=one)) == ["FICT206"]
    patterns = module_of("pattern words(N) { N:X }")
    assert codes(module_of('use "a" use "b" filter f { match { N:X } }', a=one, b=patterns)) == []


def test_mistakes_of_used_files_are_found_too() -> None:
    used = module_of("pattern p(N) { N[form in @gone] }")
    assert codes(module_of('use "w" filter f { match { p(N) } }', w=used)) == ["FICT201"]


def test_a_circle_of_patterns_is_said_once_and_one_that_only_leads_to_it_is_not_blamed() -> None:
    text = "pattern a(N) { b(N) } pattern b(N) { c(N) } pattern c(N) { without { b(N) } } filter f { match { a(N) } }"
    problems = resolve(module_of(text)).diagnostics
    assert [problem.message for problem in problems] == ["pattern `b` calls itself: b → c → b"]


def test_a_long_chain_of_patterns_is_no_circle_and_takes_no_time() -> None:
    calls = " ".join(f"pattern p{n}(N) {{ p{n + 1}(N) p{n + 1}(N) }}" for n in range(60))
    assert codes(module_of(f"{calls} pattern p60(N) {{ N:X }} filter f {{ match {{ p0(N) }} }}")) == []


def test_parameters() -> None:
    family = "filter f for p in {a, b} { match { N:$p -[$p]-> M[form = x|$p, lemma in {$p}] } }"
    assert codes(module_of(family)) == []
    assert codes(module_of(family.replace("for p", "for q"))) == ["FICT203"] * 4
    assert codes(module_of("pattern x(N) { N:$p } filter f for p in {a} { match { x(N) } }")) == ["FICT204"]


def test_actions_name_what_every_match_binds() -> None:
    match = "V -> S either { V -> A } or { V -> B } without { V -> C }"
    for name, expected in (("S", []), ("A", ["FICT212"]), ("C", ["FICT213"]), ("Z", ["FICT213"])):
        assert codes(module_of(f"filter f {{ match {{ {match} }} remove node({name}) }}")) == expected
