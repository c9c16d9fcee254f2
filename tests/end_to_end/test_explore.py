"""`fictc explore` as a user starts it: over HTTP, and in a browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from fictdsl.diagnostics.codes import CATALOGUE
from runner.audit.sheet import read_sheet
from runner.explore.server import help_page
from runner.workspace import alive
from tests.support import corpora
from tests.support.explorer import Explorer, explorer, has_value, small_store, status, watched_page, write
from tests.support.reading import tree
from tests.support.results import Fabricated

RUNAWAY = "\n".join(f"W{n}" for n in range(8))  # eight words of one sentence of 300


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_store(tmp_path_factory.mktemp("explore"))


@pytest.fixture(scope="module")
def served(store: Path) -> Iterator[Explorer]:
    with explorer(store, "--processes", "2", "--timeout", "20") as running:
        yield running


def test_a_search_streams_rows_and_counts(served: Explorer) -> None:
    answer = served.ask("search", text="V -[nsubj]-> S")
    assert [each["kind"] for each in answer] == ["plan", "rows", "counts", "done"]
    assert answer[1]["html"].count("<tr ") == 50
    done = answer[-1]
    assert (done["matches"], done["matching_sentences"], done["searched"], done["sentences"]) == (120, 120, 122, 122)


def test_the_last_page(served: Explorer) -> None:
    answer = served.ask("search", text="V -[nsubj]-> S", offset=100)
    assert answer[1]["html"].count("<tr ") == 20
    assert 'data-sid="119"' in answer[1]["html"]


def test_sorted_by_a_word(served: Explorer) -> None:
    answer = served.ask("search", text="V -[nsubj]-> S", sort="form(V)")
    rows = next(each for each in answer if each["kind"] == "rows")
    assert rows["first"]
    assert re.findall(r">(\w+)<sub>V", rows["html"]) == ["bark"] * 30 + ["run"] * 20


def test_mistakes_are_answers(served: Explorer) -> None:
    (answer,) = served.ask("search", text="V -[")
    assert answer["kind"] == "problem" and answer["problems"][0]["code"].startswith("FICT1")
    (answer,) = served.ask("count", text="V:VERB", keys="upos(X)")
    assert answer["problems"][0]["code"] == "FICT776"


@pytest.mark.parametrize(
    "values",
    [
        {"store": 1}, {"store": -1}, {"store": "../store"}, {"store": True}, {"base": "/etc/passwd"}, {"base": 10**6},
        {"view": "../x"}, {"offset": -1}, {"name": 5}, {"text": 5}, {"text": "x" * 200_001},
    ],
)  # fmt: skip
def test_what_is_not_offered_is_refused(served: Explorer, values: dict[str, object]) -> None:
    assert served.post("search", **values).status_code in (400, 413)


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("open", {"sid": 122, "match": "V:1"}, "sentence 123, but the store has 122 sentences"),
        ("open", {"sid": 0, "match": "V:3 S:9"}, "word 9, but sentence 1 has 4 words"),
        ("word", {"text": "V", "sid": 0, "match": "V:3", "word": 5}, "word 5, but sentence 1 has 4 words"),
        ("relation", {"text": "V", "sid": 0, "match": "V:3", "word": 0x7FFFFFFF}, "but sentence 1 has 4 words"),
        ("relation", {"text": "V", "sid": 10**6, "match": "V:3", "word": 1}, "sentence 1000001, but the store has"),
        ("word", {"text": "A -> B", "sid": 0, "match": "V:3 B:2", "word": 1}, "a match of V, but the query binds A B"),
        ("search", {"text": 'fict 1\nuse "../../../etc/passwd"'}, "FICT149"),
        ("search", {"text": "fict 1\nlist a = {b}"}, "the query contains no filter or rewrite"),
        ("condition", {"text": "fict 1\n", "title": "", "kind": "mask", "control": 0}, "no filter or rewrite"),
    ],
)  # fmt: skip
def test_a_request_is_checked_against_its_query_and_store(
    served: Explorer, name: str, values: dict[str, object], said: str
) -> None:
    (answer,) = served.ask(name, **values)
    (problem,) = answer["problems"]
    assert said in f"{problem['code']} {problem['message']}"


def test_the_language_and_each_message_have_a_page() -> None:
    links = {"/pages/language", "/pages/reference", "language", "reference"}
    for name in ("language", "reference", *CATALOGUE):
        markup = help_page(name) or ""
        anchors = {f"#{each}" for each in re.findall(r' id="([^"]*)"', markup)}
        assert markup.count("<h1 ") == 1 and "<script" not in markup, name
        assert set(re.findall(r'<a href="([^"]*)"', markup)) <= links | anchors, name


def test_pages_are_served(served: Explorer) -> None:
    for name, status_code in (("language", 200), ("FICT518", 200), ("FICT999", 404), ("..%2fREADME", 404), ("x", 404)):
        assert served.client.get(f"{served.origin}/pages/{name}").status_code == status_code
    assert httpx.get(f"{served.origin}/pages/language").status_code == 403


@pytest.mark.parametrize("path", ["/assets/../app.py", "/assets/%2e%2e/page.html", "/assets/page.html", "/etc/passwd"])
def test_paths_name_no_file(served: Explorer, path: str) -> None:
    assert served.client.get(f"{served.origin}{path}").status_code == 404


def test_a_file_of_the_query_is_refused(served: Explorer) -> None:
    text = 'fict 1\nlist a = file "/etc/passwd"\nfilter f { match { X[form in @a] } }'
    (answer,) = served.ask("search", text=text)
    assert answer["problems"][0]["code"] == "FICT149"


def test_strangers_are_refused(served: Explorer) -> None:
    body = {"store": 0, "text": "V:VERB", "view": "kwic", "sort": "", "offset": 0}
    url = f"{served.origin}/api/search"
    assert httpx.post(url, json=body, headers=served.headers).status_code == 403  # no cookie
    for changed in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"x-fictc-token": "x"}):
        assert served.client.post(url, json=body, headers={**served.headers, **changed}).status_code == 403
    assert httpx.get(served.origin, headers={"host": "evil.example"}).status_code == 421


def test_the_server_listens_on_loopback_only(served: Explorer) -> None:
    port = int(served.origin.rsplit(":", 1)[1])
    listening = [
        line.split()[1] for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
        if line.split()[3] == "0A" and int(line.split()[1].split(":")[1], 16) == port
    ]  # fmt: skip
    assert listening == [f"0100007F:{port:04X}"]


def test_a_query_that_runs_away_ends_with_its_client(served: Explorer) -> None:
    workers = served.workers()
    started = time.monotonic()
    with pytest.raises(httpx.ReadTimeout), served.client.stream(
        "POST", f"{served.origin}/api/search", headers=served.headers, timeout=2,
        json={"store": 0, "text": RUNAWAY, "view": "kwic", "sort": "", "offset": 0},
    ) as response:  # fmt: skip
        list(response.iter_lines())
    time.sleep(1.0)
    assert busy(served.workers()) == []
    assert time.monotonic() - started < 10
    assert len(served.workers()) == len(workers)
    assert served.ask("search", text="V:VERB")[-1]["kind"] == "done"


def busy(pids: set[int]) -> list[int]:
    """Return the processes that use a processor for a fifth of a second; starting ones do as well for a moment."""

    def ticks(pid: int) -> int:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        except FileNotFoundError:
            return 0
        return int(fields[11]) + int(fields[12])

    for _ in range(10):
        before = {pid: ticks(pid) for pid in pids}
        time.sleep(0.5)
        working = [pid for pid in pids if ticks(pid) - before[pid] > 10]
        if not working:
            return []
    return working


def test_a_query_that_runs_away_ends_at_the_time_limit(store: Path) -> None:
    with explorer(store, "--processes", "1", "--timeout", "2") as running:
        answer = running.ask("search", text=RUNAWAY)
        assert "There is no response after 2 s" in answer[-1]["problems"][0]["message"]
        assert running.ask("search", text="V:VERB")[-1]["matches"] == 120


def test_the_processes_end_with_the_server(store: Path) -> None:
    with explorer(store, "--processes", "2") as running:
        workers = running.workers()
        assert len(workers) >= 3
        os.kill(running.pid, 9)
        until = time.monotonic() + 10
        while any(map(alive, workers)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(map(alive, workers))


@pytest.mark.long
def test_mistakes_of_the_command_are_one_message(store: Path, tmp_path: Path) -> None:
    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "runner.cli", "explore", *map(str, arguments), "--no-browser"]
        root = Path(__file__).parents[2]
        return subprocess.run(command, capture_output=True, text=True, cwd=root, env=os.environ, check=False)

    done = run(tmp_path / "none")
    assert done.returncode == 2 and "FICT740" in done.stderr
    done = run(store, "--host", "192.0.2.1")
    assert done.returncode == 2 and "FICT850" in done.stderr and "Traceback" not in done.stderr
    for arguments in ((), (store, "--suite", "s.csv"), (store, "--parses", store), ("--runs", tmp_path / "none")):
        done = run(*arguments)
        assert done.returncode == 2 and "Traceback" not in done.stderr


@pytest.fixture
def page(browser, served: Explorer):
    with watched_page(browser, served) as shown:
        yield shown


def test_the_first_page_is_small(browser, served: Explorer) -> None:
    shown = browser.new_page()
    sizes: list[int] = []
    shown.on("response", lambda response: sizes.append(len(response.body())) if response.status == 200 else None)
    shown.goto(served.url)
    shown.fill("#text", "V -[nsubj]-> S")
    status(shown, "120 matches")
    assert len(sizes) > 8
    assert sum(sizes) < 300_000
    assert "token" not in shown.url
    shown.close()


def test_matches_appear_as_one_types(page) -> None:
    page.focus("#text")
    page.keyboard.type("V -[nsubj]-> S:NOUN")
    status(page, "1–50 of 120 matches in 120 of 122 sentences")
    assert page.locator("#results tr").count() == 50
    assert page.locator("#overlay .nt").inner_text() == "nsubj"


def test_matches_in_random_order_are_marked_by_keys(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.select_option("#sort", label="random order")
    status(page, "in random order (seed 1)")
    page.focus("#tab-matches")
    for key in "yyn?yu":
        page.keyboard.press(key)
    page.locator("#precision", has_text="precision 66.7 % (2 of 3), 95 % interval 20.8–93.9 %, 1 unsure").wait_for()
    assert page.locator("#results tr[data-mark]").count() == 4
    assert page.locator("#results tr[data-mark]").last.get_attribute("data-mark") == "?"
    assert page.evaluate("document.activeElement.closest('tr') === document.querySelectorAll('#results tr')[4]")
    with page.expect_download() as download:
        page.select_option("#export", "marks")
    sheet = read_sheet(Path(download.value.path()))
    assert [row.judgement for row in sheet.rows] == ["y", "y", "n", "?"]
    assert sheet.strata["matches"].sentences == 120
    page.reload()
    page.locator("#precision", has_text="2 of 3").wait_for()
    write(page, "V -[obj]-> S")  # another query has no marks
    page.locator("#precision", has_text="or keys").wait_for()
    page.focus("#text")
    page.keyboard.type("\ny")
    status(page, "matches")
    page.wait_for_function("document.querySelectorAll('#results tr[data-mark]').length === 0")
    page.evaluate("localStorage.clear()")


def test_the_sheet_of_an_audit_is_judged_by_keys(browser, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    command = ("audit", "sheet", "V -[nsubj]-> S:NOUN[lemma = dog]", "--corpus", store, "--sample", "80", "-o", path)
    subprocess.run([sys.executable, "-m", "runner.cli", *map(str, command)], check=True, capture_output=True)
    with explorer(store, "--audit", path) as served, watched_page(browser, served) as page:
        page.click("#tab-audit")
        page.locator("#precision", has_text="0 of 80 judged").wait_for()
        assert page.locator("#results tr[data-sid]").count() == 50
        assert page.locator("#view").is_hidden()
        for key in "yn?yu":
            page.keyboard.press(key)
        page.locator("#precision", has_text="3 of 80 judged").wait_for()
        page.click("#next")
        page.locator("#results tr[data-sid]").nth(29).wait_for()
        assert page.locator("#results tr[data-sid]").count() == 30
        page.locator("#results .open").first.click()
        page.locator("#results .opened svg").wait_for()
        page.keyboard.press("n")
        page.locator("#precision", has_text="4 of 80 judged").wait_for()
        page.reload()
        page.locator("#precision", has_text="4 of 80 judged").wait_for()
        assert page.locator("#results tr[data-mark=n]").count() == 1
    judged = read_sheet(path, is_open=True)
    assert [row.judgement for row in judged.rows[:4]] == ["y", "n", "?", None]
    assert judged.rows[50].judgement == "n"


def test_a_sheet_of_another_corpus_is_refused(store: Path, tmp_path: Path) -> None:
    path, other = tmp_path / "sheet.csv", corpora.store(tmp_path, corpora.SHE_GAVE_BOOKS).path
    for arguments in (("audit", "sheet", "V:VERB -> X", "-c", other, "-o", path), ("explore", store, "--audit", path)):
        command = [sys.executable, "-m", "runner.cli", *map(str, arguments)]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 2
    assert f"--audit {path} was drawn from store" in " ".join(ended.stderr.split())


def test_a_long_sentence_shows_its_match(page) -> None:
    write(page, "X[id = 150]")
    page.locator(".open").first.click()
    for part in (".detail svg .form.bound", ".detail .tree b.bound"):
        page.locator(part).first.wait_for()
        assert page.evaluate(
            """(part) => {
            const bound = document.querySelector(part), box = bound.closest(".drawing, .tree").getBoundingClientRect();
            const { left, right, top, bottom } = bound.getBoundingClientRect();
            return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
        }""",
            part,
        )
    chips = page.locator(".detail .forms button")
    assert chips.count() == 300 and max(chips.nth(index).bounding_box()["height"] for index in (0, 150, 299)) < 40


def test_names_alone_lead_to_the_words_and_messages_to_their_pages(page) -> None:
    page.fill("#text", "dog")
    page.locator("#problems button", has_text="search for the word").click()
    has_value(page, "#text", "dog[lemma = dog]")
    page.fill("#text", "V:NOUNN")
    with page.expect_popup() as opened:
        page.locator("#problems a", has_text="FICT501").click()
    opened.value.locator("h1", has_text="FICT501").wait_for()
    with page.expect_popup() as opened:
        page.click("#language")
    opened.value.locator("h1", has_text="The filter language").wait_for()


def test_rates_per_genre_need_no_key(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.click("#tab-count")
    page.locator("#results th", has_text="genre").wait_for()
    page.locator("#results", has_text="No sentence has a value of genre.").wait_for()


def test_hostile_text_does_not_run(page) -> None:
    write(page, "X[deprel = root]\nX:X")
    assert "<script>alert(2)</script>" in page.locator("#results").inner_text()
    page.locator(".open").first.click()
    page.wait_for_selector(".detail svg")
    for view in ("text", "arcs", "tree"):
        page.select_option("#view", view)
        status(page, "2 matches")
    assert page.locator("#results img, #results script").count() == 0


def test_problems_and_a_completion(page) -> None:
    page.fill("#text", "V:NOUNN")
    page.locator("#problems li", has_text="FICT501").wait_for()
    assert page.locator("#overlay .error").inner_text() == "NOUNN"
    page.fill("#text", "")
    page.focus("#text")
    page.keyboard.type("V -[nsu")
    page.keyboard.press("Control+Space")
    page.locator("#completions li").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.type("]-> S")
    page.keyboard.press("Control+Enter")
    status(page, "120 matches")
    has_value(page, "#text", "V -[nsubj]-> S")


def test_the_formatter_and_undo(page) -> None:
    write(page, "V   -[nsubj]->   S")
    page.focus("#text")
    page.keyboard.press("Alt+f")
    has_value(page, "#text", "V -[nsubj]-> S")
    page.keyboard.press("Control+z")
    has_value(page, "#text", "V   -[nsubj]->   S")


def test_a_word_and_a_relation_are_added_to_the_query(page) -> None:
    write(page, "V:VERB")
    page.locator("#results tr").first.locator("[data-w='2']").click()
    page.locator(".detail .columns").wait_for()
    page.locator(".detail button.add", has_text="-[nsubj]->").click()
    has_value(page, "#text", "V:VERB\nV -[nsubj]-> W1")
    status(page, "120 matches")
    page.select_option("#view", "arcs")
    page.locator("#results text", has_text="W1").first.wait_for()
    page.locator("#results .label", has_text="obj").last.wait_for()
    page.locator("#results .label", has_text=re.compile("^obj$")).first.click()
    page.wait_for_selector("#overlay >> text=-[obj]->")
    has_value(page, "#text", "V:VERB\nV -[nsubj]-> W1\nV -[obj]-> W2")


def test_counts_lead_to_matches_and_csv(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.click("#tab-count")
    page.fill("#keys-of-count", "lemma(V)")
    page.press("#keys-of-count", "Enter")
    page.wait_for_selector("table.counts")
    with page.expect_download() as download:
        page.click("#csv")
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["lemma(V),matches,share,per_million_words", "bark,30,0.250000,38412.292"]
    page.locator("button.add", has_text="sing").click()
    page.click("#tab-matches")
    status(page, "30 matches")


def test_rates_over_a_key_are_plotted(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.click("#tab-count")
    page.fill("#over", "length:100")
    page.fill("#keys-of-count", "lemma(V)")
    page.press("#over", "Enter")
    page.locator("#results svg.figure").wait_for()
    assert page.locator("#results svg.figure path.series").count() == 2 * 4
    assert "over=length" in page.url


def test_any_key_sorts(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.select_option("#sort", label="another key …")
    page.fill("#sort-key", "distance(S,V)")
    page.press("#sort-key", "Enter")
    page.locator("#sort option:checked", has_text="distance(S,V)").wait_for(state="attached")
    page.focus("#text")
    page.keyboard.press("Control+Enter")
    page.locator("#sort-form").wait_for(state="hidden")
    status(page, "1–50 of 120")
    assert "sort=distance" in page.url
    page.select_option("#sort", label="another key …")
    page.fill("#sort-key", "upos(X)")
    page.press("#sort-key", "Enter")
    status(page, "FICT776")


def test_the_view_is_saved_as_it_is(page, browser) -> None:
    write(page, "V -[nsubj]-> S")
    page.select_option("#sort", "form(V)")
    page.locator("#results tr").nth(1).filter(has_text="bark").wait_for()
    status(page, "1–50 of 120")
    page.locator(".open").first.click()
    page.wait_for_selector(".detail svg")
    with page.expect_download() as download:
        page.select_option("#export", "view")
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "<script" not in text and "token" not in text
    saved = browser.new_page()
    asked: list[str] = []
    saved.on("request", lambda request: asked.append(request.url))
    saved.set_content(text)
    assert (
        saved.locator("#results tr[data-sid]").all_inner_texts()
        == page.locator("#results tr[data-sid]").all_inner_texts()
    )
    assert saved.locator(".detail svg").count() == 1 and saved.locator("button").count() == 0
    assert saved.locator("pre.text").inner_text() == "V -[nsubj]-> S" and asked == []
    saved.close()


def test_a_relation_is_added_once(page) -> None:
    write(page, "V:VERB")
    page.select_option("#view", "arcs")
    label = page.locator("#results .label", has_text=re.compile("^obj$")).first
    label.wait_for()
    label.click()
    page.wait_for_selector("#overlay >> text=-[obj]->")
    page.locator("#results b sub", has_text="W1").or_(page.locator("#results text", has_text="W1")).first.wait_for()
    page.locator("#results .label", has_text=re.compile("^obj$")).first.click()
    status(page, "The query has this relation already")
    has_value(page, "#text", "V:VERB\nV -[obj]-> W1")


def test_the_other_tabs(page) -> None:
    write(page, "V -[nsubj]-> S")
    for tab, text in (
        ("near", "all clauses except"),
        ("explain", "S depends on V"),
        ("plan", "of 122 sentences match"),
    ):
        page.click(f"#tab-{tab}")
        page.locator("#results", has_text=text).wait_for()
    page.click("#tab-diff")
    page.fill("#other", 'V[lemma = "bark"] -[nsubj]-> S')
    page.click("#diff-form button")
    page.locator("#results", has_text="90 sentences, lost").wait_for()


def test_a_file_of_the_library(page) -> None:
    page.select_option("#library", label="fict15/passive")
    page.wait_for_selector("#overlay >> text=filter passive")
    status(page, "0 matches")


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("SVG", b"<svg"),
        ("PNG", b"\x89PNG"),
        ("conllu", b"# "),
        ("tsv", b"filter\t"),
        ("jsonl", b"{"),
        ("html", b"<!DOC"),
    ],
)
def test_exports(page, label: str, kind: bytes) -> None:
    write(page, "V -[nsubj]-> S")
    if label.isupper():
        page.locator(".open").first.click()
        page.locator(".detail button", has_text=label).wait_for()
    with page.expect_download() as download:
        if label.isupper():
            page.locator(".detail button", has_text=label).click()
        else:
            page.select_option("#export", label)
    assert Path(download.value.path()).read_bytes().startswith(kind)


def test_the_keyboard_alone_suffices(page) -> None:
    page.focus("#text")
    page.keyboard.type("V -[nsubj]-> S")
    status(page, "120 matches")
    page.focus("#tab-matches")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-count"
    page.keyboard.press("ArrowLeft")
    status(page, "120 matches")
    page.focus("#next")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".detail .forms button")
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".detail .columns").wait_for()


def test_another_site_cannot_ask(browser, served: Explorer) -> None:
    """A page of another origin, in the browser that has the cookie, learns nothing and changes nothing."""
    context = browser.new_context()
    shown = context.new_page()
    shown.goto(served.url)
    other = context.new_page()
    other.route("http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html"))
    other.goto("http://evil.example/")
    script = """async (origin) => {
        const answers = [];
        for (const mode of ["cors", "no-cors"])
            for (const method of ["GET", "POST"])
                try {
                    const answer = await fetch(`${origin}/${method === "POST" ? "api/search" : ""}`,
                        {method, mode, credentials: "include", body: method === "POST" ? "{}" : undefined});
                    answers.push(`${answer.type} ${answer.status} ${(await answer.text()).length}`);
                } catch (error) { answers.push("refused"); }
        return answers;
    }"""
    answers = other.evaluate(script, served.origin)
    assert all(answer in ("refused", "opaque 0 0") for answer in answers)
    context.close()


@pytest.mark.parametrize("width", [400, 1280, 2000])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(browser, served: Explorer, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown = context.new_page()
    shown.goto(served.url)
    shown.fill("#text", "V -[nsubj]-> S")
    status(shown, "120 matches")
    shown.locator(".open").first.click()
    shown.wait_for_selector(".detail svg")
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    for tab, shows in (("near", "section"), ("plan", "table"), ("rewrite", ".lines"), ("condition", "pre")):
        shown.click(f"#tab-{tab}")
        shown.wait_for_selector(f"#results {shows}")
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_runs_lead_to_the_trees_of_a_pair(browser, store: Path, tmp_path: Path) -> None:
    Fabricated(items=60).write(tmp_path / "runs" / "made-up" / "results")
    pair = tree("A DET 2 det\nsentence NOUN 0 root", "text = A made-up good sentence 55 of only_npi_scope .")
    parses = corpora.store(tmp_path / "parses", corpora.conllu([pair])).path
    for stores in ((store,), ()):
        with explorer(*stores, "--runs", tmp_path / "runs", "--parses", parses, "--processes", "1") as running:
            shown = browser.new_page()
            shown.goto(running.url)
            if stores:
                shown.click("#tab-runs")
            shown.locator("button.go", has_text="made-up").click()
            shown.locator("button.go", has_text="blimp/only_npi_scope").click()
            shown.locator("button.go", has_text="next").click()
            shown.locator(".lines", has_text="51–60 of 60 pairs").wait_for()
            url = shown.url
            shown.locator("button.go", has_text=re.compile("^56$")).click()
            shown.locator(".detail .drawing svg").wait_for()
            assert shown.locator(".detail", has_text="The parses of the suite lack this sentence").count() == 1
            for control in ("#text", "#store", "#library", "#export", "#share"):
                assert shown.locator(control).is_visible() == bool(stores)
            shown.goto(url)
            shown.locator(".lines", has_text="51–60 of 60 pairs").wait_for()
            shown.locator("button.go", has_text=re.compile("^runs$")).click()
            shown.locator("td", has_text="360").wait_for()
            shown.close()


def test_nothing_is_saved_without_a_folder(served: Explorer) -> None:
    assert served.post("save", text="V", title="x").status_code == 403
    assert served.post("keep", sid=0, title="x").status_code == 403


def test_a_rewrite_before_and_after(page) -> None:
    page.fill("#text", "fict 1\nrewrite swapped { match { V -[obj]-> O V -[nsubj]-> S } swap node(O) with node(S) }")
    page.click("#tab-rewrite")
    page.locator("table.rewritten tbody tr").nth(29).wait_for()
    cells = page.locator("table.rewritten tbody tr").first.locator("td")
    before, after = (cells.nth(number).inner_text() for number in range(2))  # each waits if the view is drawn again
    assert before.replace("moved", "").split() == ["the", "dogs", "bark", "dogs"]
    assert "moved" in after


def test_coverage_of_a_suite(browser, store: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.csv"
    suite.write_text(
        "good,bad,paradigm\nthe dogs bark dogs,x,<b>order</b>\nthe cats see cats,y,<b>order</b>\n", encoding="utf-8"
    )
    with explorer(store, "--suite", suite, "--parses", store, "--processes", "1") as running:
        shown = browser.new_page()
        shown.goto(running.url)
        write(shown, 'V[lemma = "bark"] -[nsubj]-> S')
        shown.click("#tab-coverage")
        shown.locator("table.counts").wait_for()
        assert shown.locator("table.counts tbody td").all_inner_texts()[:4] == ["<b>order</b>", "2", "1", "50.0%"]
        shown.close()
