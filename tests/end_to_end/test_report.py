"""`fictc report` as a user runs it, and the page as a browser shows it."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support import fict_shape, long_form
from tests.support.command import fictc
from tests.support.results import HOSTILE, Fabricated


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "made-up"
    Fabricated(items=50).write(folder / "results")
    return folder


def test_html_is_written_into_the_run(run: Path) -> None:
    done = fictc("report", run)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{run / 'report.html'}\n"
    assert (run / "report.html").stat().st_size < 400_000
    assert (run / "report" / "targeted.csv").exists()


def test_json_pipes(run: Path) -> None:
    done = fictc("report", run, "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["tables"]["targeted"]
    fell = {(row["paradigm"], row["model"]) for row in rows if row["delta_high"] < 0}
    assert fell == {("distractor_agreement_relational_noun", m) for m in ("lstm-128", "transformer-128")}


@pytest.mark.long
def test_output_names_the_file(run: Path, tmp_path: Path) -> None:
    assert fictc("report", run, "-o", tmp_path / "paper.html").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["paper-files", "paper.html"]
    assert fictc("report", run, "--format", "json", "-o", tmp_path / "all.json").returncode == 0
    assert json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["run"] == "made-up"


@pytest.mark.parametrize("broken", ["no-such-run", "empty", "damaged"])
def test_mistakes_are_one_message(tmp_path: Path, broken: str) -> None:
    (tmp_path / "empty").mkdir()
    Fabricated(items=3).write(tmp_path / "damaged" / "results")
    (tmp_path / "damaged" / "results" / "items.parquet").write_bytes(b"PAR1")
    done = fictc("report", tmp_path / broken)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.search(r"FICT89[01]", done.stderr)
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("table")
    targets = [(corpus, benchmark) for corpus, of in long_form.TARGETS.items() for benchmark in of]
    results = long_form.write(folder / "published.csv", long_form.rows())
    return results, long_form.write(folder / "targets.csv", targets, ("corpus", "benchmark"))


def test_a_table_of_results_as_text_says_every_test(table: tuple[Path, Path]) -> None:
    results, targets = table
    done = fictc("report", results, "--targets", targets, "--format", "text")
    assert done.returncode == 0, done.stderr
    for heading in (
        "Models, paired over corpora and over benchmarks",
        "Each corpus compared with full, over benchmarks",
        "Models within each corpus, over benchmarks",
        "Models within each benchmark, over corpora",
        "Change over the targeted paradigms",
        "Every targeted paradigm",
        "Intervals over seeds, as in most papers",
        "What these seeds and pairs detect and prove",
    ):
        assert f"\n{heading}\n" in done.stdout
    assert re.search(r"^accuracy delta of targeted cells +corpora +lstm +transformer +3 ", done.stdout, re.MULTILINE)
    assert re.search(
        r"^accuracy of all benchmarks, with full +benchmarks +lstm +transformer +5 ", done.stdout, re.MULTILINE
    )


def test_a_table_of_results_as_json_and_page(table: tuple[Path, Path]) -> None:
    results, targets = table
    done = fictc("report", results, "--targets", targets, "--format", "json")
    tables = json.loads(done.stdout)["tables"]
    assert {row["units"] for row in tables["comparisons"]} == {"corpora", "benchmarks"}
    assert {row["baseline"] for row in tables["comparisons"]} == {True, False}
    assert all({"holm", "bh", "low", "high", "detectable"} <= row.keys() for row in tables["comparisons"])
    assert len(tables["targeted"]) == 8
    done = fictc("report", results, "--targets", targets)
    assert done.stdout == f"{results.with_suffix('.html')}\n"
    assert "Models and corpora compared" in results.with_suffix(".html").read_text(encoding="utf-8")
    assert (results.parent / "published-files" / "comparisons.csv").exists()


def test_filters_of_the_corpora_s_names_say_their_targets(table: tuple[Path, Path]) -> None:
    done = fictc("report", table[0], "--filters", "fict15", "--format", "json")
    aimed = {(row["condition"], row["paradigm"]) for row in json.loads(done.stdout)["tables"]["targeted"]}
    assert ("passive", "passive_2") in aimed and ("npi-only", "only_npi_scope") in aimed


@pytest.mark.long
def test_a_replication_pack_as_page_and_text(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    pack = shutil.copytree(Path(__file__).parents[2] / "experiments" / "injection" / "pack", tmp_path / "pack")
    done = fictc("report", pack, "--figures", "png", "--figures", "pdf")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{pack / 'replication.html'}\n"
    page = (pack / "replication.html").read_text(encoding="utf-8")
    assert "Replication of the paper" in page
    figures = sorted((pack / "replication-files").glob("*.svg"))
    for figure in figures:
        for suffix, begin in ((".png", b"\x89PNG"), (".pdf", b"%PDF-")):
            assert figure.with_suffix(suffix).read_bytes().startswith(begin)
            assert f'href="replication-files/{figure.stem}{suffix}"' in page
    assert len(figures) > 2
    text = fictc("report", pack, "--format", "text")
    assert "Of 11 numbers of the paper, 10 agree as printed and 1 cannot be recomputed." in text.stdout


def test_figures_are_part_of_a_page(run: Path) -> None:
    done = fictc("report", run, "--format", "json", "--figures", "pdf")
    assert done.returncode == 2
    assert "--figures requires --format html" in done.stderr


@pytest.mark.parametrize("option", [("--baseline", "x"), ("--targets", "x.csv"), ("--filters", "fict15")])
def test_options_of_tables_are_refused_for_runs(run: Path, option: tuple[str, str]) -> None:
    done = fictc("report", run, *option)
    assert done.returncode == 2
    assert f"{option[0]} requires a table of results" in done.stderr


def test_help_is_for_people() -> None:
    done = fictc("report", "--help")
    assert done.returncode == 0
    assert "RUN is the folder written by `fictc run`" in " ".join(done.stdout.split())


@pytest.fixture
def page(browser, run: Path):
    """The report, opened; any request beyond the file itself and any error of its script fail the test."""
    if not (run / "report.html").exists():
        assert fictc("report", run).returncode == 0
    shown = browser.new_page(viewport={"width": 1280, "height": 900})
    troubles: list[str] = []
    shown.on("request", lambda request: troubles.append(request.url) if "report.html" not in request.url else None)
    shown.on("pageerror", lambda error: troubles.append(str(error)))
    shown.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    shown.on("dialog", lambda dialog: troubles.append(dialog.message))
    shown.goto((run / "report.html").as_uri())
    yield shown
    assert troubles == []
    shown.close()


def column(page, table: str, index: int) -> list[str]:
    return page.locator(f"#{table} tbody tr > :nth-child({index})").all_inner_texts()


def test_browser_sorts_numbers_as_numbers(page) -> None:
    button = page.locator("#table-targeted-cells th button", has_text="Δ").first
    before = column(page, "table-targeted-cells", 8)
    button.click()
    values = [
        float(text.split()[0].replace("−", "-").replace("+", "")) for text in column(page, "table-targeted-cells", 8)
    ]
    assert values == sorted(values, reverse=True)
    button.click()
    again = [
        float(text.split()[0].replace("−", "-").replace("+", "")) for text in column(page, "table-targeted-cells", 8)
    ]
    assert again == sorted(values)
    assert len(before) == len(again) == 4


def test_browser_opens_pairs_as_text(page) -> None:
    opener = page.locator("button.open", has_text="anaphor_number_agreement")
    opener.click()
    pairs = page.locator("tr.pairs td.pair")
    assert pairs.count() == 20
    assert HOSTILE in pairs.first.inner_text()
    assert page.locator("tr.pairs script").count() == 0
    opener.click()
    assert page.locator("tr.pairs").count() == 0


def test_browser_opens_pairs_with_scores_and_notes(page) -> None:
    page.locator("button.open", has_text="distractor_agreement").focus()
    page.keyboard.press("Enter")
    notes = page.locator("tr.pairs td.pair small.note").all_inner_texts()
    assert any("unknown word" in note for note in notes)
    first = page.locator("tr.pairs tbody tr").first.locator("td").nth(1)
    delta, scores = first.inner_text().split("\n")
    good, bad = (float(part.replace("−", "-")) for part in scores.split(" / "))
    assert float(delta.replace("−", "-")) == pytest.approx(good - bad, abs=0.011)


def test_browser_shows_tips_to_the_keyboard(page) -> None:
    page.locator("#table-targeted-cells th button", has_text="Holm").focus()
    assert "all conditions" in page.locator("#tip").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


def scrolling(page) -> list[str]:
    """Return the tables and sections that have to be scrolled sideways."""
    return page.evaluate(
        """() => Array.from(document.querySelectorAll(".scroll")).filter((box) => box.scrollWidth > box.clientWidth + 1)
          .map((box) => box.querySelector("table")?.id ?? box.closest("section").id)"""
    )


def test_browser_shows_whole_tables_on_wide_screens(page) -> None:
    page.set_viewport_size({"width": 1900, "height": 900})
    assert scrolling(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    assert not {"table-headlines", "table-targeted-cells", "targeted"} & set(scrolling(page))


def test_browser_shows_tables_as_cards_on_narrow_screens(page) -> None:
    """Rows of tables with more than three columns are cards, which no reader scrolls sideways."""
    page.set_viewport_size({"width": 420, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    tables = page.locator("table.grid").evaluate_all(
        "(all) => all.map((t) => [t.id, t.tHead.rows[t.tHead.rows.length - 1].cells.length, t.matches('.compact')])"
    )
    assert len(tables) > 10
    assert all(cards == (columns > 3) for _, columns, cards in tables)
    assert [name for name in scrolling(page) if name.startswith("table-")] == []
    first = page.locator("#table-targeted-cells tbody tr").first
    titles = first.locator("td").evaluate_all("(cells) => cells.map((cell) => cell.dataset.label)")
    assert titles == ["condition", "model", "full", "control", "after", "unigram", "Δ", "Holm", "verdict", "Δ full"]
    wide = page.locator("#table-paradigms-blimp tbody tr").first
    assert wide.locator("td").first.get_attribute("data-label") == "full, lstm-128"
    assert wide.locator("td.rest").first.is_hidden()
    wide.locator("button.disclosure").click()
    assert all(wide.locator("td.rest").nth(i).is_visible() for i in range(wide.locator("td.rest").count()))


def test_browser_shows_all_rows_of_a_long_table_on_demand(page) -> None:
    page.set_viewport_size({"width": 420, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    rows = page.locator("#table-perplexities, #table-correlations, #table-corpora, #table-groups-blimp").locator(
        "tbody tr"
    )
    hidden = [i for i in range(rows.count()) if rows.nth(i).is_hidden()]
    assert hidden
    page.evaluate("document.querySelectorAll('p.more button').forEach((button) => button.click())")
    assert all(rows.nth(i).is_visible() for i in hidden)
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.locator("p.more, td.more").first.is_hidden()
    assert column(page, "table-targeted-cells", 2)


@pytest.mark.parametrize(("width", "columns"), [(1280, 10), (1900, 10), (420, 2)])
def test_browser_shows_accuracies_beside_the_names_of_paradigms(page, width: int, columns: int) -> None:
    """Columns of accuracies are inside the frame before any scrolling, and scrolling leaves the names in place."""
    page.set_viewport_size({"width": width, "height": 900})
    inside = page.evaluate(
        """() => {
          const frame = document.querySelector("#table-paradigms-blimp").closest(".scroll").getBoundingClientRect();
          const cells = Array.from(document.querySelectorAll("#table-paradigms-blimp tbody tr:first-child td"));
          return cells.slice(0, 10).filter((cell) => cell.getBoundingClientRect().right <= frame.right).length;
        }"""
    )
    assert inside >= columns
    before, after, last = page.evaluate(
        """() => {
          const table = document.querySelector("#table-paradigms-blimp");
          const frame = table.closest(".scroll"), name = table.querySelector("tbody th");
          const before = name.getBoundingClientRect().left;
          frame.scrollLeft = frame.scrollWidth;
          const end = table.querySelector("tbody tr td:last-child").getBoundingClientRect().right;
          return [before, name.getBoundingClientRect().left, frame.getBoundingClientRect().right - end];
        }"""
    )
    assert abs(before - after) <= 1  # the border of the frame
    assert last >= -1  # nothing is cut off that cannot be scrolled to


def test_browser_shows_all_corpora_of_a_published_table(browser, tmp_path: Path) -> None:
    corpora = ("full", *fict_shape.targets())
    paradigms = [target.rpartition("/")[2] for targets in fict_shape.targets().values() for target in targets]
    rows = long_form.rows(corpora, paradigms, seeds=(1, 2), targets=fict_shape.targets())
    results = long_form.write(tmp_path / "published.csv", rows)
    targets = [(corpus, target) for corpus, of in fict_shape.targets().items() for target in of]
    named = long_form.write(tmp_path / "targets.csv", targets, ("corpus", "benchmark"))
    done = fictc("report", results, "--targets", named)
    assert done.returncode == 0, done.stderr
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((tmp_path / "published.html").as_uri())
    assert "table-paradigms-blimp" in scrolling(page)  # 32 columns of accuracies
    figure = page.locator("#paradigms .scroll svg.figure")
    box = figure.bounding_box()
    frame = page.locator("#paradigms .scroll.plain").bounding_box()
    assert box["x"] + box["width"] <= frame["x"] + frame["width"] <= 1280
    for corpus in corpora:
        heading = figure.locator("text", has_text=re.compile(f"^{corpus}$")).bounding_box()
        assert box["x"] <= heading["x"]
        assert heading["x"] + heading["width"] <= box["x"] + box["width"]
    page.close()


@pytest.mark.parametrize(
    "figure", ["targeted", "between-models", "sentences", "all-accuracies", "heatmap", "probability", "curves"]
)
def test_browser_draws_every_figure_inside_its_frame(page, figure: str) -> None:
    """No text of a figure ends outside its drawing."""
    beyond = page.evaluate(
        """(id) => Array.from(document.querySelectorAll(`#${id} svg.figure`)).flatMap((svg) => {
          const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
          const frame = svg.getBoundingClientRect();
          return Array.from(svg.querySelectorAll("text")).filter((text) => {
            const box = text.getBoundingClientRect();
            return box.right > frame.right + 2 || box.left < frame.left - 2 || box.bottom > frame.bottom + 2;
          }).map((text) => text.textContent);
        })""",
        figure,
    )
    assert beyond == []


def test_browser_shows_tips(page) -> None:
    tip = page.locator("#tip")
    assert tip.is_hidden()
    page.locator("svg.figure g", has_text="▾").first.hover()
    assert "Holm" in tip.inner_text()
    assert "interval [" in tip.inner_text()


@pytest.mark.parametrize("width", [360, 390])
def test_browser_scrolls_figures_in_their_boxes_on_narrow_screens(page, width: int) -> None:
    """Every figure is shown once, in a box on the page, and can be scrolled to its right end."""
    page.set_viewport_size({"width": width, "height": 900})
    boxes = page.evaluate(
        """() => Array.from(document.querySelectorAll("svg.figure"), (svg) => {
          const box = svg.parentElement, frame = box.getBoundingClientRect();
          box.scrollLeft = box.scrollWidth;
          return [box.matches(".scroll"), frame.left, frame.right, svg.getBoundingClientRect().right];
        })"""
    )
    assert len(boxes) > 5
    for scrolls, left, right, end in boxes:
        assert scrolls
        assert 0 <= left < right <= width
        assert end <= right + 1


def test_browser_keeps_the_names_of_a_scrolled_heatmap_in_place(page) -> None:
    page.set_viewport_size({"width": 700, "height": 900})
    before, after, cell = page.evaluate(
        """async () => {
          const frame = document.querySelector("#heatmap .scroll.plain"), names = frame.querySelector(".frozen");
          const cell = frame.querySelector("g:not(.frozen)"), left = (e) => e.getBoundingClientRect().left;
          const before = left(names), start = left(cell);
          frame.scrollLeft = 120;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return [before, left(names), start - left(cell)];
        }"""
    )
    assert cell == pytest.approx(120, abs=1)
    assert after == pytest.approx(before, abs=1)


@pytest.mark.parametrize("width", [360, 420, 800, 1200, 1900])
def test_browser_never_scrolls_sideways(page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_browser_text_is_legible_in_both_schemes(page, scheme: str) -> None:
    """Every number of the heatmap has a contrast of at least 3:1 with its cell (WCAG, large or bold text)."""
    page.emulate_media(color_scheme=scheme)
    worst = page.evaluate(
        """() => {
          const light = (css) => {
            const [r, g, b] = css.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
              .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const parts = (css) => css.match(/[\\d.]+/g).slice(0, 3).map(Number);
          const ground = parts(getComputedStyle(document.querySelector("#heatmap")).backgroundColor);
          const ratios = Array.from(document.querySelectorAll("#heatmap svg g")).map((cell) => {
            const a = light(getComputedStyle(cell.querySelector("text")).fill);
            const { fill, fillOpacity } = getComputedStyle(cell.querySelector("rect"));
            const b = light("rgb" + parts(fill).map((v, i) => v * fillOpacity + ground[i] * (1 - fillOpacity)).join(" "));
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          });
          return Math.min(...ratios);
        }"""
    )
    assert worst >= 3
