"""Every shipped filter takes and leaves what its examples say, by both engines, and stands in the README."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from fictdsl.branches import part_coverage
from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.installation import shipped
from runner.examples.example_files import Example, examples_path, read_examples
from runner.examples.tallies import database_matches, reference_matches

LIBRARY = shipped("filters")
FILES = sorted(file for file in LIBRARY.rglob("*.fict") if file.parent.name != "words")
MINIMUM = 3


def compiled(file: Path) -> tuple[CompiledFilter, ...]:
    compilation = compile_file(file)
    assert [p for p in compilation.diagnostics if p.severity is Severity.ERROR] == []
    return compilation.filters


@pytest.fixture(scope="module")
def filters() -> dict[Path, tuple[CompiledFilter, ...]]:
    return {file: compiled(file) for file in FILES}


@pytest.fixture(scope="module")
def examples(filters: dict[Path, tuple[CompiledFilter, ...]]) -> list[Example]:
    return [example for file in FILES if filters[file] for example in read_examples(file, filters[file])]


def place(example: Example) -> str:
    return f"{example.path.relative_to(LIBRARY)}:{example.line}: {example.filter.name}"


def test_the_library_is_all_there(filters: dict[Path, tuple[CompiledFilter, ...]]) -> None:
    members = Counter(file.parent.name for file in FILES for _ in filters[file])
    assert members == {
        "fict15": 15,
        "fict15-paper": 8,
        "decaf": 17,
        "injection": 9,
        "dative": 4,
        "aann": 4,
        "blimp": 59,
    }
    rewrites = Counter(file.parent.name for file in FILES for _ in compile_file(file).rewrites)
    assert rewrites == {"dative": 3, "aann": 2, "order": 4, "impossible": 7}


def test_the_reference_agrees_with_every_example(examples: list[Example]) -> None:
    for example, found in zip(examples, reference_matches(examples), strict=True):
        assert bool(found) == example.positive, place(example)
        for bind in example.binds:
            assert any(bind <= match for match in found), (place(example), found)


def test_the_sql_finds_what_the_reference_finds(examples: list[Example]) -> None:
    pytest.importorskip("duckdb")
    database = database_matches(examples)
    assert database is not None
    for example, sql, reference in zip(examples, database, reference_matches(examples), strict=True):
        assert sql == reference, place(example)


def test_every_filter_has_enough_of_both_kinds(
    filters: dict[Path, tuple[CompiledFilter, ...]], examples: list[Example]
) -> None:
    counts = Counter((e.path, e.filter.name, e.positive) for e in examples)
    bound = {(e.path, e.filter.name) for e in examples if e.binds}
    for file in FILES:
        path = examples_path(file)
        for one in filters[file]:
            assert min(counts[path, one.name, kind] for kind in (True, False)) >= MINIMUM, (file, one.name)
            assert (path, one.name) in bound, f"no example of {one.name} says what is bound"
    of_rewrites = {examples_path(file) for file in FILES if not filters[file]}
    assert {path for path, _, _ in counts} | of_rewrites == set(LIBRARY.rglob("examples/*.conllu"))


def test_every_name_of_a_filter_is_bound_in_some_example(examples: list[Example]) -> None:
    """With names that only one branch of an `either` binds, this asks for an example of that branch."""
    bound: dict[tuple[Path, str], set[str]] = {}
    for example in examples:
        names = bound.setdefault((example.path, example.filter.name), set())
        names.update(name for bind in example.binds for name, _ in bind)
    for example in examples:
        assert bound[example.path, example.filter.name] == set(example.filter.names), place(example)


def test_every_part_of_every_filter_is_exercised(
    filters: dict[Path, tuple[CompiledFilter, ...]], examples: list[Example]
) -> None:
    for file, members in filters.items():
        for one in members:
            own = [e.sentence for e in examples if e.path == examples_path(file) and e.filter.name == one.name]
            parts = part_coverage(one.module, one.definition, one.value, own)
            assert [(part.kind, part.text) for part in parts if not part.examples] == [], file


def test_sentences_are_told_apart_by_their_ids(examples: list[Example]) -> None:
    ids = {(e.path, e.index): e.sentence.meta["sent_id"][0] for e in examples}
    assert len(set(ids.values())) == len(ids)


def test_the_readme_lists_every_filter(filters: dict[Path, tuple[CompiledFilter, ...]]) -> None:
    listed: set[tuple[str, str]] = set()
    folder = ""
    for line in (LIBRARY / "README.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            folder = line.removeprefix("## ")
        if row := re.match(r"\| \[([a-z0-9-]+)\]\((.*?)\) \|", line):
            assert row[2] == f"{folder}/{row[1]}.fict"
            listed.add((folder, row[1]))
    rewrites = {(file.parent.name, file.stem) for file in FILES if not filters[file]}
    assert listed == rewrites | {
        (file.parent.name, one.definition.name.text) for file in FILES for one in filters[file]
    }


def test_the_readme_names_only_paradigms_that_the_filters_target(
    filters: dict[Path, tuple[CompiledFilter, ...]],
) -> None:
    text = (LIBRARY / "README.md").read_text("utf-8")
    for file in FILES:
        if file.parent.name == "fict15":
            row = next(line for line in text.splitlines() if f"(fict15/{file.name})" in line)
            paradigms = [target.removeprefix("blimp/") for target in filters[file][0].metadata.targets]
            assert len(row.split(" | ")[2].split(", ")) == len(paradigms), file.name
            assert row.split(" | ")[2].split(", ")[0] in paradigms, file.name
