"""Each idiom of the coming-from pages: another tool's words, the filter, and what it finds in UD English EWT.

A page is a list of sections; in each stand a block of the other language, a block ```fict and the line
`EWT: 1,234 sentences, 1,300 matches.`, which `FICTC_ACCEPT=1 FICTC_DATA=… pytest -m shared` writes anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from fictdsl.lint.engine import lint_text

if TYPE_CHECKING:
    import pyarrow as pa

PAGES = sorted((Path(__file__).parents[2] / "docs" / "coming-from").glob("*.md"))
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!^## ).*\n)*)", re.MULTILINE)
THEIRS = re.compile(r"^```(?:grew|semgrex|python|cql|tregex)\n.+?\n```$", re.MULTILINE | re.DOTALL)
OURS = re.compile(r"^```fict\n(.+?)\n```$", re.MULTILINE | re.DOTALL)
COUNT = re.compile(r"^EWT: (.+)$", re.MULTILINE)
IDIOMS = [
    pytest.param(section["body"], id=f"{page.stem}: {section['title']}")
    for page in PAGES
    for section in SECTION.finditer(page.read_text("utf-8"))
]


def filter_of(body: str) -> CompiledFilter:
    (block,) = OURS.findall(body)
    (compiled,) = compile_text(block).filters
    return compiled


def test_there_are_enough() -> None:
    assert len(PAGES) == 5
    assert len(IDIOMS) >= 40


@pytest.mark.parametrize("body", IDIOMS)
def test_an_idiom_stands_beside_its_filter(body: str) -> None:
    assert len(THEIRS.findall(body)) == 1
    assert re.fullmatch(r"[\d,]+ sentences?, [\d,]+ match(es)?\.", COUNT.findall(body)[0])
    (block,) = OURS.findall(body)
    assert [p.message for p in lint_text(block) if p.severity.value != "hint" and "about" not in p.message] == []


@pytest.mark.shared
def test_what_they_find_in_ewt(data: Path, tmp_path: Path) -> None:
    from runner.corpus.apply import match
    from runner.corpus.import_conllu import import_files

    store = import_files(sorted((data / "ud-ewt").glob("*.conllu")), tmp_path / "store")
    if store.info.sentences != 16_622:
        pytest.skip("the numbers are those of the release of EWT with 16,622 sentences")
    written = {page: page.read_text("utf-8") for page in PAGES}
    counted: dict[Path, str] = {}
    for page, text in written.items():
        found = iter([match(store, filter_of(body["body"]).statement()) for body in SECTION.finditer(text)])
        counted[page] = COUNT.sub(lambda _, found=found: _count(next(found)), text)
        if os.environ.get("FICTC_ACCEPT") == "1":
            page.write_text(counted[page], "utf-8")
    assert written == counted


def _count(matches: pa.Table) -> str:
    sentences, number = len(set(matches.column("sid").to_pylist())), len(matches)
    of = f"{sentences:,} sentence{'' if sentences == 1 else 's'}"
    return f"EWT: {of}, {number:,} match{'' if number == 1 else 'es'}."
