"""The page of `fictc coverage` as a browser shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.audit.coverage import Share
from runner.report.coverage import page

PARADIGMS = {f"paradigm_{number}": f"field_{number % 3}" for number in range(40)}
SHARES = [
    Share(name, paradigm, ("blimp/p",) * (index == row), 10, (index + row) % 11, 0, (), field)
    for row, name in enumerate(["first", "second", "a-filter-with-a-name-that-is-longer-than-the-column"])
    for index, (paradigm, field) in enumerate(sorted(PARADIGMS.items(), key=lambda item: (item[1], item[0])))
]


@pytest.fixture
def address(tmp_path: Path) -> str:
    path = tmp_path / "coverage.html"
    path.write_text(page(SHARES, "suite", "good", dict.fromkeys(("first", "second"), "set")), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("width", [1280, 420])
def test_cells_are_told_by_the_arrow_keys(browser, address: str, width: int) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 800})
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    tab.goto(address)
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert tab.locator('.cells [tabindex="0"]').count() == 1
    tab.locator('.cells [tabindex="0"]').focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"):
        tab.keyboard.press(key)
    names = [share.paradigm for share in SHARES]
    told = f"first × {names[1]}\n1 of 10 items (10.0 %)"
    assert tab.locator("#tip").inner_text() == told
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == told
    assert tab.locator('.cells [tabindex="0"]').count() == 1, "the tab key comes back to the cell"
    assert problems == []
    tab.close()
