"""The page of `fictc explore` in a browser: tasks of a user, the keyboard, history, links, quick fixes and mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.support.explorer import HOSTILE, Explorer, explorer, has_value, small_store, status, watched_page, write

DOCS = Path(__file__).parents[2] / "docs" / "explore.md"
RUNAWAY = "\n".join(f"W{n}" for n in range(8))  # eight words of one sentence of 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("save")


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Explorer]:
    store = small_store(tmp_path_factory.mktemp("store"))
    with explorer(store, "--save", folder, "--processes", "2", "--timeout", "60") as running:
        yield running


@pytest.fixture
def page(browser, served: Explorer):
    with watched_page(browser, served) as shown:
        yield shown


class Hand:
    """A user of the page. `actions` counts clicks, choices in menus, fields that are filled in, and keys."""

    def __init__(self, page: Any) -> None:
        self.page, self.actions = page, 0

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.actions += 1

    def choose(self, selector: str, label: str) -> None:
        self.page.select_option(selector, label=label)
        self.actions += 1

    def type(self, selector: str, text: str) -> None:
        self.page.fill(selector, text)
        self.actions += 1

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.actions += 1

    def sees(self, text: str | re.Pattern[str], within: str = "#results") -> None:
        self.page.locator(within, has_text=text).first.wait_for(timeout=20_000)


def find(hand: Hand) -> None:
    hand.type("#text", "V -[nsubj]-> S")
    hand.sees("1–50 of 120 matches", "#status")


def sort(hand: Hand) -> None:
    hand.choose("#sort", "lemma(V)")
    hand.sees(re.compile("^bark"), "#results .middle b")
    hand.sees("1–50 of 120 matches", "#status")


def cluster(hand: Hand) -> None:
    hand.click("#tab-count")
    hand.type("#keys-of-count", "lemma(V)")
    hand.press("Enter")
    hand.sees("bark30")


def look_at_a_tree(hand: Hand) -> None:
    hand.page.click("#tab-matches")  # where the user was before
    hand.sees("bark")
    hand.click("#results .open")
    hand.page.wait_for_selector(".detail svg")
    hand.page.wait_for_selector(".detail pre.tree")


def refine_by_clicking(hand: Hand) -> None:
    hand.click('.detail svg .label:text-is("obj")')
    hand.sees("V -[obj]-> W1", "#overlay")
    hand.sees("W1", "#results .middle b")


def near_misses(hand: Hand) -> None:
    hand.click("#tab-near")
    hand.sees("all clauses except")


def compare_two_queries(hand: Hand) -> None:
    hand.click("#tab-diff")
    hand.type("#other", 'V[lemma = "bark"] -[nsubj]-> S')
    hand.click("#diff-form button")
    hand.sees("90 sentences, lost")


def keep_an_example(hand: Hand) -> None:
    hand.page.click("#tab-matches")
    hand.sees("W1", "#results .middle b")
    hand.type("#title", "has-object")
    hand.press("Enter")
    hand.sees("Saved as", "#status")
    hand.click("#results .open")
    hand.click(".detail .keep")
    hand.sees("# expect = match", "#status")


def use_as_a_condition(hand: Hand) -> None:
    hand.click("#tab-condition")
    hand.sees('remove = ["has-object.fict"]')
    hand.click("button.copy")
    hand.sees("Copied.", "#status")
    table = '[[condition]]\nname = "has-object"\nremove = ["has-object.fict"]\n'
    assert hand.page.evaluate("navigator.clipboard.readText()") == table


def share(hand: Hand) -> None:
    hand.click("#share")
    hand.sees("The link is copied", "#status")
    assert hand.page.evaluate("navigator.clipboard.readText()") == hand.page.url


TASKS = (
    find, sort, cluster, look_at_a_tree, refine_by_clicking, near_misses, compare_two_queries, keep_an_example,
    use_as_a_condition, share,
)  # fmt: skip


def documented() -> dict[str, int]:
    """Return the tasks of the documentation with their numbers of actions."""
    section = DOCS.read_text(encoding="utf-8").partition("## Ten tasks\n")[2].partition("\n## ")[0]
    return {task: int(number) for task, number in re.findall(r"^\| ([^|]+?) \|.*\| (\d+) \|$", section, re.M)}


@pytest.mark.slow
def test_ten_tasks_take_as_many_actions_as_documented(page, folder: Path) -> None:
    taken = {}
    for task in TASKS:
        task(hand := Hand(page))
        taken[task.__name__.replace("_", " ")] = hand.actions
    assert taken == documented()
    assert "filter has-object" in (folder / "has-object.fict").read_text(encoding="utf-8")
    assert "dogs" in (folder / "examples" / "has-object.conllu").read_text(encoding="utf-8")


def test_a_condition_with_a_control_is_shown_to_copy(page, folder: Path) -> None:
    write(page, "V -[nsubj]-> S")
    page.click("#tab-condition")
    page.locator("#results", has_text="condition removes 120 of 122 sentences").wait_for()
    page.fill("#condition-title", "no-subject")
    page.check("#control")
    page.locator("pre.text", has_text='remove-random = "no-subject"').wait_for()
    page.locator("button.copy").nth(1).click()
    status(page, "Copied.")
    assert "filter no-subject {" in page.evaluate("navigator.clipboard.readText()")
    assert not (folder / "no-subject.fict").exists()


@pytest.mark.parametrize(
    ("text", "title", "after"),
    [
        ("V:VERBB -[nsubj]-> S", "Replace VERBB with VERB", "V:VERB -[nsubj]-> S"),
        ("V -[nsubj]-> S\nV -[nsubj]-> S", "Remove", "V -[nsubj]-> S"),
        ("V -[nsubj]-> S\nwithout { V -[iobj]-> X }", "Ignore FICT505",
         "V -[nsubj]-> S\nwithout { V -[iobj]-> X }  # fict: ignore[FICT505] say why"),
        ('fict 1\n\nfilter f {\n  about "é"\n  match { V -[nsbj]-> S:NOUN  V:VERB }\n}', "Replace nsbj with nsubj",
         'fict 1\n\nfilter f {\n  about "é"\n  match { V -[nsubj]-> S:NOUN  V:VERB }\n}'),
    ],
)  # fmt: skip
def test_a_quick_fix_changes_the_query(page, text: str, title: str, after: str) -> None:
    page.fill("#text", text)
    page.locator("#problems button", has_text=title).first.click()
    has_value(page, "#text", after)
    page.locator("#problems").filter(has_not_text=re.escape(title)).wait_for(state="attached")
    status(page, "of 120 matches")
    page.keyboard.press("Control+z")
    has_value(page, "#text", text)


def test_the_back_button_returns_to_what_was_shown(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.select_option("#view", "text")
    page.locator("#results td.sentence").first.wait_for()
    page.click("#next")
    status(page, "51–100 of 120")
    page.click("#tab-count")
    page.fill("#keys-of-count", "lemma(V)")
    page.press("#keys-of-count", "Enter")
    page.locator("button.add", has_text="sing").click()
    page.locator("#results", has_text="(all)30").wait_for()
    page.go_back()
    page.locator("#results", has_text="(all)120").wait_for()
    has_value(page, "#text", "V -[nsubj]-> S")
    page.go_back()  # the tab, before a key was named
    has_value(page, "#keys-of-count", "")
    page.go_back()
    status(page, "51–100 of 120")
    page.go_back()
    status(page, "1–50 of 120")
    has_value(page, "#view", "text")
    page.go_back()
    page.locator("#results .middle").first.wait_for()
    has_value(page, "#view", "kwic")
    page.go_forward()
    page.locator("#results td.sentence").first.wait_for()


@pytest.mark.parametrize(
    "state",
    [
        {"text": "V -[nsubj]-> S", "sort": "lemma(S)", "view": "tree", "offset": "10"},
        {"text": "V -[nsubj]-> S", "tab": "count", "keys": "lemma(V),lemma(S)"},
        {"text": "V -[nsubj]-> S", "tab": "diff", "other": "V:VERB & é"},
        {"text": "V:VERB", "store": "7", "view": "text"},
        {"text": "fict 1\nfilter a { match { V:VERB } }\nfilter b { match { S:NOUN } }", "name": "b"},
    ],
)
def test_a_copied_link_opens_the_same_view(page, state: dict[str, str]) -> None:
    from playwright.sync_api import expect

    page.goto(f"{page.url.partition('?')[0]}?{urlencode(state)}")
    page.locator("#results table").or_(page.locator("#status.of-error")).first.wait_for()
    page.locator("#stop").wait_for(state="hidden")
    page.click("#share")
    status(page, "The link is copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "token" not in link
    other = page.context.new_page()
    other.goto(link)
    for shown in ("#results", "#overlay"):
        expect(other.locator(shown)).to_have_text(page.locator(shown).text_content())
    other.close()


def test_a_long_query_stays_in_this_window_only(page) -> None:
    text = f"# {'a' * 9000}\nV -[nsubj]-> S"
    write(page, text)
    page.locator("#long").wait_for()
    assert "aaa" not in page.url
    page.reload()
    status(page, "120 matches")
    has_value(page, "#text", text)
    page.click("#share")
    status(page, "without the query")


def test_a_query_without_matches(page) -> None:
    page.fill("#text", 'V[lemma = "no_such_word"]')
    status(page, "0 matches in 0 of 122 sentences")
    assert page.locator("#results tr").count() == 0
    assert page.is_disabled("#next") and page.is_disabled("#previous")
    for tab in ("count", "near", "plan"):
        page.click(f"#tab-{tab}")
        if tab == "count":
            page.fill("#keys-of-count", "lemma(V)")
            page.press("#keys-of-count", "Enter")
        page.locator("#results *").first.wait_for()
        assert page.locator("#status.of-error").count() == 0


def test_a_mistake_is_shown_at_its_place(page) -> None:
    page.fill("#text", "V:VERB\nV -[nsubj]->")
    page.locator("#problems li", has_text="FICT110 found the end of the query, expected a node").wait_for()
    assert page.locator("#overlay .error").inner_text() == ">"
    status(page, "found the end of the query")
    assert page.is_disabled("#next") and page.locator("#results *").count() == 0
    page.click("#tab-near")
    status(page, "found the end of the query")
    page.click("#tab-matches")
    write(page, "V:VERB\nV -[nsubj]-> S")
    assert page.locator("#problems li").count() == 0


def test_a_query_that_runs_away_can_be_stopped(page) -> None:
    page.fill("#text", RUNAWAY)
    page.click("#stop")
    status(page, "Stopped.")
    assert page.locator("#results *").count() == 0
    assert page.evaluate("document.getElementById('text').rows") == 9
    assert page.evaluate("document.getElementById('problems').clientHeight") < 250  # several scroll
    assert page.locator("#progress").is_hidden() and page.locator("#stop").is_hidden()
    write(page, "V -[nsubj]-> S")


def test_an_empty_page_offers_examples(page, served: Explorer) -> None:
    examples = page.locator(".examples button")
    bodies = [examples.nth(number).locator("code").inner_text() for number in range(examples.count())]
    assert len(bodies) == page.locator("#example option").count() - 1 > 3
    for body in bodies:
        (answer,) = served.ask("study", text=body)
        assert answer["result"]["problems"] == []
    assert page.locator("#problems li").count() == 0
    examples.first.click()
    status(page, "120 matches")
    page.select_option("#example", label="a passive")
    status(page, "0 matches")
    page.go_back()
    status(page, "120 matches")


def test_tabs_say_what_they_need(page) -> None:
    for tab in ("count", "near", "explain", "plan", "rewrite", "diff", "condition"):
        page.click(f"#tab-{tab}")
        status(page, "Write a query first.")
    page.fill("#text", "V -[nsubj]-> S")
    page.click("#tab-diff")
    status(page, "Write a second query")
    page.fill("#other", "V -[")
    page.click("#diff-form button")
    status(page, "FICT115")
    page.click("#tab-rewrite")
    page.locator("#results", has_text="The query has no rewrite").wait_for()


def test_one_of_several_filters_is_chosen(page) -> None:
    write(page, "fict 1\nfilter a { match { V:VERB } }\nfilter b { match { S:NOUN } }")
    status(page, "of 120 matches")
    page.select_option("#name", "b")
    status(page, "of 240 matches")
    assert "name=b" in page.url


def test_a_clause_is_added_to_the_chosen_filter(page) -> None:
    write(page, "# match { this\nfict 1\nfilter a { match { V:VERB } }\nfilter b { match { S:NOUN # } ]\n} }")
    status(page, "of 120 matches")
    page.select_option("#name", "b")
    status(page, "of 240 matches")
    page.click("#tab-count")
    page.fill("#keys-of-count", "deprel(S)")
    page.press("#keys-of-count", "Enter")
    page.locator("button.add", has_text="nsubj").click()
    page.locator("#results", has_text="(all)120").wait_for()
    has_value(page, "#text", re.compile(re.escape("{ S:NOUN # } ]\n  S[deprel == nsubj]\n  } }") + "$"))


def test_the_columns_of_a_word_are_beside_or_below_the_tree(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.locator(".open").first.click()
    page.locator(".detail .forms button").first.click()
    parts = [page.locator(f".detail {part}") for part in (".tree", ".of-word")]
    parts[1].wait_for()
    tree, columns = (part.bounding_box() for part in parts)
    assert columns["x"] >= tree["x"] + tree["width"]
    assert columns["y"] < tree["y"] + tree["height"]
    page.set_viewport_size({"width": 400, "height": 900})
    tree, columns = (part.bounding_box() for part in parts)
    assert columns["y"] >= tree["y"] + tree["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == 400


def test_hostile_text_does_not_run_on_any_tab(page) -> None:
    write(page, "X[deprel = root]\nX:X")
    shown = HOSTILE.replace(" ", "_")
    page.locator(".open").first.click()
    page.locator(".detail .forms button").first.click()
    page.locator(".columns", has_text=shown).wait_for()
    for tab, field, value in (
        ("count", "#keys-of-count", "form(X)"),
        ("diff", "#other", "V:VERB"),
        ("near", "#text", "X:NOUN[form = /<.*/]"),
    ):
        page.click(f"#tab-{tab}")
        page.fill(field, value)
        if tab != "near":
            page.locator(f"#{tab}-form button[type=submit]").click()
        page.locator("#results", has_text=shown).wait_for()
        assert page.locator("#results img, #results script").count() == 0


def test_inline_scripts_do_not_run(browser, served: Explorer) -> None:
    shown = browser.new_page()
    shown.goto(served.url)
    ran = shown.evaluate("""() => {
        const script = document.createElement("script"), box = document.createElement("div");
        script.textContent = "window.ran = 1";
        document.body.append(script, box);
        box.innerHTML = '<b onclick="window.ran = 2">x</b>';
        box.firstChild.click();
        return window.ran ?? 0;
    }""")
    shown.close()
    assert ran == 0


def test_focus_follows_the_page_and_every_control_has_a_name(page) -> None:
    write(page, "V -[nsubj]-> S")
    page.locator("#stop").wait_for(state="hidden")
    page.focus("#store")
    order = []
    for _ in range(16):
        order.append(
            page.evaluate(
                "document.activeElement.id || document.activeElement.className || document.activeElement.dataset.mark"
            )
        )
        page.keyboard.press("Tab")
    assert order == [
        "store", "library", "example", "export", "title", None, "share", "text", "language", "tab-matches", "view", "sort",
        "y", "n", "?", "next",
    ]  # fmt: skip
    assert page.evaluate("document.activeElement.className") == "open"
    page.keyboard.press("Enter")
    page.wait_for_selector('.open[aria-expanded="true"]')
    for tab in page.locator("[role=tab]").all():
        tab.click()
        unnamed = page.evaluate("""() => [...document.querySelectorAll("button, select, input, textarea")]
            .filter((each) => each.checkVisibility({ visibilityProperty: true }))
            .filter((each) => !(each.textContent.trim() && each.tagName === "BUTTON") && !each.ariaLabel
                && ![...(each.labels ?? [])].some((label) => label.textContent.trim()))
            .map((each) => each.outerHTML)""")
        assert unnamed == []
        assert page.get_attribute("#panel", "aria-labelledby") == tab.get_attribute("id")
    page.click("#tab-matches")
    page.locator(".open").first.click()
    page.wait_for_selector(".detail svg")
    page.locator(".open").first.click()
    page.wait_for_selector(".detail", state="detached")
    assert page.locator(".open").first.get_attribute("aria-expanded") == "false"
