"""The gallery of lint rules, `lint/<rule>.md`: each case is a text and what its rule says of it.

A case begins at a `##` heading and holds a block ```fict, the text of `example.fict`, blocks ```file NAME for files
beside it, and a block ```text with what the rule reports, a line each; nothing, where it must be silent.
Rules that ask a corpus ask the five trees of `CORPUS`.
`FICTC_ACCEPT=1 pytest tests/cases/test_lint.py` writes these anew.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.text import render_concise
from fictdsl.lint import rules
from fictdsl.lint.engine import lint_context, lint_text
from fictdsl.lint.rules import RULES, Rule
from fictdsl.syntax.load import load_text
from tests.support.linting import facts_in
from tests.support.reading import tree

GALLERY = Path(__file__).parent / "lint"
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
_BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TEXT = re.compile(r"^```text\n.*?^```$", re.MULTILINE | re.DOTALL)
WORDS = "fict 1\nlist words = {this, that}\npattern known(N) { N[lower(form) in @words] }\n"


@dataclass(frozen=True)
class Case:
    path: Path
    title: str
    body: str

    def blocks(self, kind: str) -> list[tuple[str, str]]:
        return [(m[2].strip(), m[3]) for m in _BLOCK.finditer(self.body) if m[1] == kind]


def cases() -> list[Case]:
    found = []
    for path in sorted(GALLERY.glob("*.md")):
        for section in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title, _, body = section.partition("\n")
            found.append(Case(path, title.strip(), body))
    return found


CASES = cases()


# What the rules that ask a corpus are given.
CORPUS = (
    tree("the DET 2 det\nDog NOUN 3 nsubj lemma=dog xpos=NN feats=Number=Sing deps=3:nsubj\nbarks VERB 0 root"),
    tree("cats NOUN 2 nsubj xpos=NNS feats=Number=Plur\nsleep VERB 0 root\nnow ADV 2 obl deps=2:obl:in"),
    tree("dogs NOUN 3 nsubj:pass lemma=dog feats=Number=Plur\nwere AUX 3 aux:pass\nseen VERB 0 root feats=Voice=Pass"),
    tree("yes INTJ 0 root"),
    tree("no INTJ 0 root"),
)


def lint(text: str, folder: Path, rule: Rule) -> list[Diagnostic]:
    facts = None
    if rule.needs_corpus:
        module, _ = load_text(text, "example.fict", folder)
        context = None if module is None else lint_context(module)[0]
        facts = None if context is None else facts_in(context, CORPUS)
    found = lint_text(text, "example.fict", folder, facts=facts)
    errors = [problem for problem in found if problem.code[4] != "5"]
    assert not errors, render_concise(errors)
    return found


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_rules_say_what_is_shown(case: Case, tmp_path: Path) -> None:
    for name, content in case.blocks("file"):
        (tmp_path / name).write_text(content, encoding="utf-8")
    rule = next(rule for rule in RULES if rule.name == case.path.stem)
    [(_, text)] = case.blocks("fict")
    shown = render_concise([problem for problem in lint(text, tmp_path, rule) if problem.code == rule.code])
    rendered = shown + "\n" if shown else ""
    if ACCEPT:
        page = case.path.read_text(encoding="utf-8")
        start = page.index(f"\n## {case.title}\n")
        page = page[:start] + _TEXT.sub(lambda _: f"```text\n{rendered}```", page[start:], count=1)
        case.path.write_text(page, encoding="utf-8")
    else:
        assert [rendered] == [content for _, content in case.blocks("text")]


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_each_rule_speaks_and_is_silent(rule: Rule) -> None:
    texts = [case.blocks("text")[0][1] for case in CASES if case.path.stem == rule.name]
    assert any(texts), "no case in which the rule speaks"
    assert not all(texts), "no case in which it is silent"


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_each_page_has_its_sections_and_its_examples_are_true(rule: Rule, tmp_path: Path) -> None:
    page = CATALOGUE[rule.code].page
    headings = re.findall(r"^## (.*)$", page, flags=re.MULTILINE)
    assert headings == ["What", "Why", "Example", "Use instead"]
    assert re.fullmatch(r"[A-Z][^\n]*\.", page.partition("\n")[0])
    bad, good = (block[3] for block in _BLOCK.finditer(page))
    (tmp_path / "words.fict").write_text(WORDS, encoding="utf-8")
    assert rule.code in {problem.code for problem in lint("fict 1\n" + bad, tmp_path, rule)}
    assert rule.code not in {problem.code for problem in lint("fict 1\n" + good, tmp_path, rule)}


def test_every_module_is_one_rule_with_a_page_of_cases() -> None:
    modules = {path.stem.replace("_", "-") for path in Path(rules.__file__).parent.glob("*.py")} - {"--init--"}
    assert sorted(rule.name for rule in RULES) == sorted(modules)
    assert {path.stem for path in GALLERY.iterdir()} == modules


def test_every_lint_code_has_a_rule_of_its_name() -> None:
    assert {(rule.code, rule.name) for rule in RULES} == {
        (entry.code, entry.name) for entry in CATALOGUE.values() if entry.code.startswith("FICT5")
    }
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name) for rule in RULES)


def test_nobody_is_addressed_on_a_page() -> None:
    for rule in RULES:
        assert not re.search(r"\b(you|your|please)\b", CATALOGUE[rule.code].page, re.IGNORECASE), rule.name
