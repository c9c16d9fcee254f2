"""Each idiom of the coming-from pages: another tool's words, a filter without warnings, and its count in EWT."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fictdsl.lint.engine import lint_text

PAGES = sorted((Path(__file__).parents[2] / "docs" / "coming-from").glob("*.md"))
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!^## ).*\n)*)", re.MULTILINE)
THEIRS = re.compile(r"^```(?:grew|semgrex|python|cql|tregex)\n.+?\n```$", re.MULTILINE | re.DOTALL)
OURS = re.compile(r"^```fict\n(.+?)\n```\n\nEWT: [\d,]+ sentences?, [\d,]+ match(?:es)?\.$", re.MULTILINE | re.DOTALL)
IDIOMS = [
    pytest.param(section["body"], id=f"{page.stem}: {section['title']}")
    for page in PAGES
    for section in SECTION.finditer(page.read_text("utf-8"))
]


def test_there_are_enough() -> None:
    assert len(PAGES) == 5
    assert len(IDIOMS) >= 40


@pytest.mark.parametrize("body", IDIOMS)
def test_an_idiom_stands_beside_its_filter(body: str) -> None:
    """`tests/filters/test_counts_of_the_docs.py` holds the count to the corpus."""
    assert len(THEIRS.findall(body)) == 1
    (block,) = OURS.findall(body)
    problems = [problem for problem in lint_text(block) if problem.severity.value != "hint"]
    assert [problem.message for problem in problems if problem.code != "FICT520"] == []
