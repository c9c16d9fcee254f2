"""The page: one file, nothing fetched, nothing executed that is not its own, the same bytes every time."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runner.report.analysis import analyse
from runner.report.document import report_of
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.page import files, write_page, write_report
from runner.report.section import Figure, Section, slug
from tests.support import long_form
from tests.support.results import HOSTILE, PARADIGMS, Fabricated


class Parsed(HTMLParser):
    """Collects tags with attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self.stack: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in self.raw:
            self.stack.append(tag)
            self.raw[tag].append("")

    def handle_data(self, data):
        if self.stack:
            self.raw[self.stack[-1]][-1] += data

    def handle_endtag(self, tag):
        if self.stack and self.stack[-1] == tag:
            self.stack.pop()


@pytest.fixture(scope="module")
def page(folder, tmp_path_factory) -> str:
    return write_report(folder, tmp_path_factory.mktemp("out")).read_text(encoding="utf-8")


def test_nothing_is_fetched(page: str) -> None:
    assert not re.search(r"https?:", page)
    parsed = Parsed(page)
    for tag, attributes in parsed.tags:
        assert not {"src", "srcset", "data", "action", "ping"} & set(attributes), tag
        assert tag not in {"link", "iframe", "img", "object", "embed", "base", "form"}
        target = attributes.get("href", "#")
        assert target.startswith(("#", "report/")), target
    assert not re.search(r"@import|url\(", "".join(parsed.raw["style"]))


def test_policy_lets_only_the_own_script_and_style_run(page: str) -> None:
    parsed = Parsed(page)
    policy = next(a["content"] for t, a in parsed.tags if t == "meta" and a.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    kinds = [a.get("type") for t, a in parsed.tags if t == "script"]
    assert kinds == ["application/json", None]
    for name, text in (("style-src", parsed.raw["style"][0]), ("script-src", parsed.raw["script"][1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    for _, attributes in parsed.tags:
        assert not any(name == "style" or name.startswith("on") for name in attributes)


def test_corpus_text_stays_text(page: str) -> None:
    assert "alert(" in page  # it is shown …
    parsed = Parsed(page)
    assert not any("alert(" in text for text in parsed.raw["script"][1:])  # … and never a script
    assert "<script>alert" not in page
    assert json.loads(parsed.raw["script"][0])["paradigms"]


def test_hostile_names_everywhere(tmp_path: Path) -> None:
    evil = "\"><img src=x onerror=alert(1)>'/../\x1b]0;"
    card = {
        "name": evil,
        "description": evil,
        "models": [{"name": evil, "preset": evil}],
        "versions": {evil: evil},
        "manifest": {"text": evil, "sha256": evil},
        evil: {evil: [evil]},
    }
    failed = [{"condition": evil, "model": evil, "seed": 1, "error": evil}]
    paradigms = [(*PARADIGMS[0][:4], 0.9), ("blimp", evil, evil, evil, 0.7)]
    made = Fabricated(items=5, models=[evil, f"{evil}2"], seeds=(1, 2), paradigms=paradigms, card=card, failed=failed)
    folder = made.write(tmp_path / "run" / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    for one in conditions[1]["filters"]:
        one |= {"about": evil, "source": evil, "notes": [evil], "text": evil, "targets": [f"blimp/{evil}"]}
    conditions[1]["examples"][0]["words"][1] |= {"node": evil}
    (folder / "conditions.json").write_text(json.dumps(conditions))
    page = write_report(folder, tmp_path / "run").read_text(encoding="utf-8")
    assert not any(tag == "img" for tag, _ in Parsed(page).tags)
    assert not any(name.startswith("on") for _, attributes in Parsed(page).tags for name in attributes)
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == ["report", "report.html", "results"]
    for path in (tmp_path / "run" / "report").glob("*.svg"):
        ElementTree.parse(path)
        assert re.fullmatch(r"[A-Za-z0-9._-]+", path.name)


def test_the_same_results_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    first, second = (write_report(folder, tmp_path / name) for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    files = sorted(path.name for path in (tmp_path / "a" / "report").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "b" / "report").iterdir())
    for name in files:
        assert (tmp_path / "a" / "report" / name).read_bytes() == (tmp_path / "b" / "report" / name).read_bytes()
    assert {"heatmap-blimp.svg", "targeted.svg", "targeted.csv", "accuracy.csv", "corpora.csv"} <= set(files)
    assert len([name for name in files if name.startswith("items-")]) == 2


def test_what_a_reader_looks_for_is_there(page: str) -> None:
    text = re.sub(r"<[^>]+>", " ", page)
    for words in (
        "2 fell below the control",
        "954",
        "sentences matched",
        "Patil et al. 2024",
        "unigram",
        "float32",
        "abababababab",
    ):
        assert words in text, words
    # an example sentence with its bound words labelled
    assert re.search(r"The <mark>keys<i>S</i></mark> to the <mark>cabinet<i>M</i></mark>", page)


def test_conditions_with_the_same_filters_and_examples_show_them_once(tmp_path: Path) -> None:
    folder = Fabricated(items=4, conditions=("full", "agr-pp-mod", "det-noun")).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    conditions[2] |= {key: conditions[1][key] for key in ("filters", "examples")}
    (folder / "conditions.json").write_text(json.dumps(conditions))
    page = write_report(folder, tmp_path).read_text(encoding="utf-8")
    assert "Same filters and sentences as agr-pp-mod." in page
    assert page.count("<summary>Filter</summary>") == len(conditions[1]["filters"])


def test_stale_files_of_an_earlier_report_go(folder: Path, tmp_path: Path) -> None:
    write_report(folder, tmp_path)
    (tmp_path / "report" / "heatmap-gone.svg").write_text("old")
    write_report(folder, tmp_path)
    assert not (tmp_path / "report" / "heatmap-gone.svg").exists()


def test_a_page_elsewhere_removes_nothing(analysis, tmp_path: Path) -> None:
    (tmp_path / "paper-files").mkdir()
    (tmp_path / "paper-files" / "mine.txt").write_text("keep")
    page = write_page(report_of(analysis), tmp_path / "paper.html")
    assert 'href="paper-files/targeted.csv"' in page.read_text(encoding="utf-8")
    assert (tmp_path / "paper-files" / "targeted.csv").exists()
    assert (tmp_path / "paper-files" / "mine.txt").read_text() == "keep"


def test_names_of_suites_lead_nowhere_else(tmp_path: Path) -> None:
    """Models side by side have a table a suite; here the suites are paths, and longer than a file's name may be."""
    suites = ("a/../../../precious", "s" * 300)
    rows = [("full", m, 1, f"{s}/p", "accuracy", 0.5) for m in ("lstm", "transformer") for s in suites]
    mine = tmp_path / "precious.csv"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / "in" / "ner").mkdir(parents=True)
    table = long_form.write(tmp_path / "in" / "ner" / "t.csv", rows)
    write_page(report_of(analyse(results_of(read_long_form(table)))), table.with_suffix(".html"))
    assert mine.read_text(encoding="utf-8") == "mine"
    made = sorted(path for path in (tmp_path / "in" / "ner" / "t-files").rglob("*") if "side-by-side" in path.name)
    assert [path.suffix for path in made] == [".csv", ".tex"] * 2
    assert {path.parent for path in made} == {tmp_path / "in" / "ner" / "t-files"}


def test_files_beside_the_page_have_plain_names(analysis) -> None:
    with pytest.raises(ValueError, match=r"\.\./outside\.svg is not a file name"):
        files((Section("s", "S", figures=(Figure("../outside", "", "<svg></svg>"),)),))


def test_failed_cells_are_shown(tmp_path: Path) -> None:
    failed = [{"condition": "det-noun", "model": "lstm-128", "seed": 2, "error": "the loss is nan at step 12"}]
    folder = Fabricated(items=5, failed=failed).write(tmp_path / "results")
    page = write_report(folder, tmp_path).read_text(encoding="utf-8")
    assert "the loss is nan at step 12" in page
    assert 'id="failed"' in page


@pytest.mark.parametrize(
    "made",
    [
        {"seeds": (1,)},
        {"conditions": ("full",)},
        {"conditions": ("agr-pp-mod", "agr-pp-mod.random")},
        {"models": ("only-one",)},
    ],
)
def test_small_runs_have_a_page_too(tmp_path: Path, made) -> None:
    folder = Fabricated(**{"items": 4} | made).write(tmp_path / "results")
    assert "</html>" in write_report(folder, tmp_path).read_text(encoding="utf-8")


def test_a_run_that_scores_nothing_but_perplexity(tmp_path: Path) -> None:
    folder = Fabricated(items=4, card={"convention": {}, "suites": {}}).write(tmp_path / "results")
    (folder / "items.parquet").unlink()
    page = write_report(folder, tmp_path).read_text(encoding="utf-8")
    assert 'id="perplexity"' in page
    assert 'id="targeted"' not in page


def test_slug_keeps_names_apart() -> None:
    assert slug("items-a-b.c_d") == "items-a-b.c_d"
    assert slug("a/b") != slug("a b")
    assert re.fullmatch(r"[a-z0-9-]+", slug("a/b"))
    assert len(slug("x" * 500)) < 140


def test_hostile_text_is_the_one_of_the_fixture() -> None:
    assert "<script>" in HOSTILE  # or the tests above would prove nothing


def test_perplexities_of_masked_words_are_explained_where_there_are_any(tmp_path: Path) -> None:
    for name, models in (("causal", [{"name": "lstm-128"}]), ("both", [{"name": "lstm-128", "masked": True}])):
        folder = Fabricated(items=4, card={"models": models}).write(tmp_path / name / "results")
        page = write_report(folder, tmp_path / name).read_text(encoding="utf-8")
        assert ("A pseudo-perplexity is that of masked words" in page) == (name == "both")


def test_links_to_files_are_percent_encoded(tmp_path: Path, analysis) -> None:
    page = write_page(report_of(analysis), tmp_path / "a#b%?.html")
    links = {attrs["href"] for name, attrs in Parsed(page.read_text(encoding="utf-8")).tags if name == "a"}
    assert "a%23b%25%3F-files/corpora.csv" in links
    assert (tmp_path / "a#b%?-files" / "corpora.csv").is_file()
