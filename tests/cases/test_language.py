"""The gallery of the language, `language/<construct>.md`: filters, trees, and the matches worked out by hand.

A page begins with a block ```trees: sentences of rows `form upos head deprel [column=value …]`, separated by empty
lines, each under a line `# name`; further lines `# key = value` are its comments, a row `2-3 form` a multiword token.
A case begins at a `##` heading and holds

- a block ```fict: a whole file (its first filter, or the first member of its family, is meant), or just clauses;
- a block ```matches with a line `name: V2 S1` for every match of every sentence; the empty match is `name:`.
  The compiled SQL and the reference interpreter must both find exactly these;
- for some, a block ```taken with a line `name: mask subtree(S): 1 target, words 1 2` for every action and every
  sentence that it takes something of, and a block ```left with a line `name: text` for every sentence that is left
  after the filter's actions;
- for some, and at least once on each page, blocks ```ast, ```plan and ```sql; for some also ```words (the SQL of each
  action); `FICTC_ACCEPT=1 pytest tests/cases/test_language.py` writes them anew;
- for some, blocks ```file NAME: the files that it uses.

Every construct of the language (`tests/support/constructs.py`) has a case.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from fictdsl.reference.evaluate import matches
from fictdsl.reference.sentences import Sentence, read
from fictdsl.sql import emit
from fictdsl.sql.emit import pretty
from fictdsl.syntax.load import Module
from fictdsl.syntax.nodes import File
from runner.cli.explain import dump
from runner.corpus.actions import edit_sentences
from tests.cases.test_rewriting import CASES as REWRITING_CASES
from tests.support import corpora
from tests.support.constructs import CONSTRUCTS, constructs
from tests.support.engines import by_sql, reference_matches, taken_by_reference, taken_by_sql
from tests.support.tables import connect
from tests.support.tree_pages import TreeCase, tree_cases

GALLERY = Path(__file__).parent / "language"
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"


@dataclass(frozen=True)
class Case(TreeCase):
    """A case of this gallery."""

    @cached_property
    def trees(self) -> dict[str, Sentence]:
        return {name: read(text)[0] for name, text in self.texts.items()}

    @cached_property
    def compiled(self) -> CompiledFilter:
        text = self.blocks["fict"]
        whole = text if text.startswith("fict 1") else f"fict 1\nfilter case {{ match {{\n{text}}} }}\n"
        with TemporaryDirectory() as folder:
            for name, content in self.blocks.items():
                if name.startswith("file "):
                    (Path(folder) / name.removeprefix("file ")).write_text(content, encoding="utf-8")
            compilation = compile_text(whole, "case.fict", Path(folder))
        assert not compilation.errors, compilation.errors
        return compilation.filters[0]

    @property
    def expected(self) -> set[str]:
        lines = self.blocks["matches"].splitlines()
        assert len(set(lines)) == len(lines), "a match is listed twice"
        return {shown(name, part.split()) for name, _, part in (line.partition(":") for line in lines)}


def shown(sentence: str, words: list[str]) -> str:
    return f"{sentence}: {' '.join(sorted(words))}".rstrip()


CASES = tree_cases(GALLERY, Case)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_sql_and_reference_find_what_is_expected(case: Case) -> None:
    statement = case.compiled.statement()
    names, found = list(case.trees), []
    with connect(list(case.trees.values()), statement.features) as connection:
        for sid, *words in connection.execute(statement.text).fetchall():
            bound = [f"{name}{word}" for name, word in zip(statement.names, words, strict=True) if word is not None]
            found.append(shown(names[sid], bound))
    assert len(set(found)) == len(found), "a match was found twice"
    assert set(found) == case.expected

    module, definition, value = case.compiled.module, case.compiled.definition, case.compiled.value
    reference = {
        shown(name, [f"{node}{word}" for node, word in match])
        for name, sentence in case.trees.items()
        for match in matches(module, definition, value, sentence)
    }
    assert reference == case.expected


def with_block(kind: str) -> list[object]:
    return [pytest.param(case, id=f"{case.path.stem}: {case.title}") for case in CASES if kind in case.blocks]


@pytest.mark.parametrize("case", with_block("taken"))
def test_actions_take_what_is_expected(case: Case) -> None:
    treebank = list(case.trees.values())
    with connect(treebank, case.compiled.statement().features) as connection:
        found = by_sql(connection, case.compiled)
        taken = taken_by_sql(connection, case.compiled)
    assert found == reference_matches(case.compiled, treebank)
    assert taken == taken_by_reference(case.compiled, treebank, found)
    names, found = list(case.trees), set()
    for action, sentences in zip(case.compiled.actions, taken, strict=True):
        for place, (number, words) in sentences.items():
            listed = " ".join(map(str, sorted(words)))
            found.add(f"{names[place]}: {action}: {number} target{'s' * (number > 1)}, words {listed}")
    assert found == set(case.blocks["taken"].splitlines())


@pytest.mark.parametrize("case", with_block("left"))
def test_what_is_left_is_as_expected(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store = corpora.store(tmp_path, "".join(case.texts.values()))
    texts = zip(case.texts, edit_sentences(store, [case.compiled]), strict=True)
    left = [f"{name}: {sentence.text}" for name, sentence in texts if sentence.text is not None]
    assert left == case.blocks["left"].splitlines()


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_each_stage_is_as_shown(case: Case) -> None:
    compiled = case.compiled
    steps = [f"r{number} = {dump(relation)}" for number, relation in enumerate(compiled.plan.relations)]
    statements = [emit.pretty_targets(action, "duckdb") for action in compiled.ir.actions]
    words = "\n\n".join(f"-- {action}\n{text}" for action, text in zip(compiled.actions, statements, strict=True))
    stages = {
        "ast": dump(compiled.definition),
        "plan": "\n".join([*steps, *map(dump, compiled.plan.outputs)]),
        "sql": pretty(compiled.plan, "duckdb"),
        "words": words,
    }
    for kind, text in stages.items():
        if kind in case.blocks and ACCEPT:
            before, heading, after = case.path.read_text(encoding="utf-8").partition(f"\n## {case.title}\n")
            after = after.replace(f"```{kind}\n{case.blocks[kind]}```", f"```{kind}\n{text}\n```", 1)
            case.path.write_text(before + heading + after, "utf-8")
        elif kind in case.blocks:
            assert case.blocks[kind] == f"{text}\n"


def test_every_construct_has_a_case() -> None:
    modules = [case.compiled.module for case in CASES] + [case.compiled.matching.module for case in REWRITING_CASES]
    files = [file for module in modules for file in files_of(module)]
    assert constructs(files) == CONSTRUCTS


def files_of(module: Module) -> list[File]:
    return [module.file, *(used.file for used in module.uses.values())]


def test_every_page_shows_each_stage() -> None:
    shown = {(case.path, kind) for case in CASES for kind in case.blocks}
    assert {(case.path, kind) for case in CASES for kind in ("ast", "plan", "sql")} <= shown


def test_titles_are_unique() -> None:
    assert len({(case.path, case.title) for case in CASES}) == len(CASES)
