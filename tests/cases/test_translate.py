"""The gallery of translations, `translate/<tool>.md`: queries of another tool, the filters, and what they find.

A case begins at a `##` heading and holds

- a block ```grew or ```semgrex: the query;
- a block ```fict: its translation. `FICTC_ACCEPT=1 pytest tests/cases/test_translate.py` writes it anew;
- for most, a block ```python: an expression for the matches in one sentence, which says what the query means by a loop
  over the tree: `words` are its words, `head(w)` the head or None, `feat(w, "Number")` a feature or None, `misc`
  likewise, `above(a, b)` whether a dominates b, and `sentence` has its comments. The filter finds as many matches in
  the examples of the shipped filters, and in UD English EWT.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from fictdsl.compiler import compile_text
from fictdsl.lint.engine import lint_text
from fictdsl.reference.sentences import Sentence, Word, read
from fictdsl.semantics.ud import FEATURES
from fictdsl.source import Source
from fictdsl.syntax.printer import format_text
from fictdsl.translate.grew import translate_grew
from fictdsl.translate.semgrex import translate_semgrex
from tests.support.gallery import Case, cases
from tests.support.tables import connect

GALLERY = Path(__file__).parent / "translate"
ROOT = Path(__file__).parents[2]
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
CASES = cases(GALLERY)
TRANSLATORS = {"grew": translate_grew, "semgrex": translate_semgrex}
Treebank = tuple[list[Sentence], Any]  # and a connection to its tables
LOOPS = [case for case in CASES if case.all("python")]


def _id(case: Case) -> str:
    return f"{case.path.stem}: {case.title}"


def translated(case: Case) -> tuple[str, tuple[str, ...]]:
    tool = case.path.stem
    translation = TRANSLATORS[tool](Source.of(case.only(tool)[1]), "query")
    formatted = format_text(translation.text)
    assert formatted.text is not None, (translation.text, formatted.diagnostics)
    return formatted.text, translation.untranslated


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_a_query_becomes_a_filter(case: Case) -> None:
    text, refused = translated(case)
    compilation = compile_text(text)
    assert not compilation.errors, (text, compilation.errors)
    assert text.count("# no equivalent: ") == len(refused)
    codes = {problem.code for problem in lint_text(text) if problem.severity.value == "error"}
    assert not codes
    if ACCEPT:
        _accept(case, text)
    else:
        assert text == case.only("fict")[1]


def _accept(case: Case, text: str) -> None:
    page = case.path.read_text("utf-8")
    start = page.index(f"## {case.title}\n")
    end = page.find("\n## ", start)
    section = page[start : end if end > 0 else len(page)]
    without = re.sub(r"```fict\n.*?```\n?", "", section, flags=re.DOTALL).rstrip("\n")
    written = f"{without}\n\n```fict\n{text}```\n"
    case.path.write_text(page[:start] + written + (page[end:] if end > 0 else ""), encoding="utf-8")


def test_there_are_enough() -> None:
    counts = {tool: sum(case.path.stem == tool for case in CASES) for tool in TRANSLATORS}
    assert counts["grew"] >= 60
    assert counts["semgrex"] >= 40
    assert len(LOOPS) >= 70


@pytest.mark.parametrize("case", LOOPS, ids=_id)
def test_it_finds_what_the_query_finds(case: Case, examples: Treebank) -> None:
    _compare(case, *examples)


@pytest.mark.shared
@pytest.mark.parametrize("case", LOOPS, ids=_id)
def test_it_finds_what_the_query_finds_in_ewt(case: Case, ewt: Treebank) -> None:
    _compare(case, *ewt)


@pytest.fixture(scope="module")
def examples() -> Iterator[Treebank]:
    """The examples of the shipped filters."""
    yield from _treebank(sorted((ROOT / "filters").rglob("*.conllu")))


@pytest.fixture(scope="module")
def ewt(data: Path) -> Iterator[Treebank]:
    """Every sentence of UD English EWT."""
    yield from _treebank(sorted((data / "ud-ewt").glob("*.conllu")))


def _treebank(files: Iterable[Path]) -> Iterator[Treebank]:
    sentences = [sentence for file in files for sentence in read(file.read_text("utf-8"))]
    with connect(sentences, (*FEATURES, "Foo", "Number[psor]")) as connection:
        yield sentences, connection


def _compare(case: Case, sentences: list[Sentence], connection: Any) -> None:
    (compiled,) = compile_text(translated(case)[0]).filters
    rows = connection.execute(f"SELECT count(*) FROM ({compiled.statement().text})").fetchone()
    assert rows == (sum(_counts(case, sentences)),)


def _counts(case: Case, sentences: Iterable[Sentence]) -> Iterator[int]:
    code = compile(case.only("python")[1].strip(), case.title, "eval")
    return (len(set(_matches(code, sentence))) for sentence in sentences)


def _matches(code: CodeType, sentence: Sentence) -> Iterable[object]:
    """Evaluate the loop of a case on a sentence; a match is the words of its nodes."""
    words = [_Node(word) for word in sentence.words]

    def head(word: _Node) -> _Node | None:
        return words[word.head - 1] if word.head else None

    def above(one: _Node, other: _Node) -> bool:
        current = head(other)
        while current is not None and current is not one:
            current = head(current)
        return current is one

    scope = {"words": words, "head": head, "above": above, "sentence": sentence, "feat": _feat, "misc": _misc, "re": re}
    return eval(code, scope)  # type: ignore[no-any-return]


class _Node:
    """A word that is compared by identity, so that different nodes are different words."""

    def __init__(self, word: Word) -> None:
        self.word = word
        self.id, self.head, self.form, self.lemma = word.id, word.head, word.form, word.lemma
        self.upos, self.xpos, self.deprel, self.token = word.upos, word.xpos, word.deprel or "", word.token


def _feat(node: _Node, name: str) -> str | None:
    return ",".join(node.word.feats[name]) if name in node.word.feats else None


def _misc(node: _Node, name: str) -> str | None:
    return node.word.misc[name][0] if name in node.word.misc else None
