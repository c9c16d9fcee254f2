"""Every filter printed in the documentation compiles, and warns of nothing."""

import doctest
import json
import re
from pathlib import Path

import pytest

from fictdsl.compiler import compile_text
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Fix, Label
from fictdsl.diagnostics.tool_formats import as_object
from fictdsl.source import Source, Span

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```fict\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL), 1)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_filters_in_the_documentation_compile(block):
    compilation = compile_text(block)
    assert [problem.message for problem in compilation.diagnostics] == []
    assert compilation.filters or compilation.rewrites


def test_there_are_such_blocks():
    assert len(BLOCKS) >= 4


def test_every_file_that_the_documentation_names_is_there():
    pages = [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
    for page in pages:
        for link in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), (page.name, link)


@pytest.mark.parametrize("page", [page for page in PAGES if "```pycon" in page.read_text(encoding="utf-8")], ids=str)
def test_sessions_in_the_documentation_say_what_python_says(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    session = "\n".join(re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    assert len(test.examples) > 3
    said: list[str] = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert "".join(said) == ""


def test_the_shape_of_json_is_as_documented():
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    documented = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])
    source = Source.of("fict 1\n}", "x")
    place = Span(7, 8)
    found = diagnostic("FICT128", source, place, labels=(Label(place, "x"),), fix=Fix(place, ""), closing="}")
    written = as_object(found)
    assert list(written) == list(documented)
    assert list(written["labels"][0]) == list(documented["labels"][0])
    assert list(written["fix"]) == list(documented["fix"])
    assert {key: list(point) for key, point in written["range"].items()} == {
        key: list(point) for key, point in documented["range"].items()
    }
