"""The site is built as its readers get it: strictly, with a page for every filter and every message."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.installation import shipped

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="the site is built with the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    arguments = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_every_filter_has_a_page_with_its_trees(site: Path) -> None:
    for path in shipped("filters").rglob("*.fict"):
        if path.parent.name != "words":
            page = (site / "library" / path.parent.name / path.stem / "index.html").read_text("utf-8")
            examples = (path.parent / "examples" / f"{path.stem}.conllu").read_text("utf-8")
            assert page.count('class="fict-tree"') >= examples.count("\n# expect = ") > 0, path


@pytest.mark.slow
def test_every_message_has_a_page(site: Path) -> None:
    for code, entry in CATALOGUE.items():
        assert entry.name in (site / "messages" / code / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_no_page_asks_another_host_for_anything(site: Path) -> None:
    for page in site.rglob("*.html"):
        asked = re.findall(r'<(?:link|script|img)[^>]+(?:href|src)="(https?:[^"]+)"', page.read_text("utf-8"))
        assert [url for url in asked if "canonical" not in url] == [], page
