"""Added conditions leave every other line of a manifest as it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.manifest.insert import insert_conditions

NEW = '[[condition]]\nname = "new"\nremove = ["new.fict"]\n'


def test_after_the_last_condition_and_before_the_comments_of_the_next_table() -> None:
    text = (
        '[experiment]\nname = "e"\n\n[[condition]]\nname = "a" # first\nremove = [\n  "x",\n]\n\n# models\n[[model]]\n'
    )
    assert insert_conditions(text, NEW) == text.replace("# models", NEW + "\n# models")


@pytest.mark.parametrize("comments_of_next_table", ["", "# models\n", "# models\n\n"])
def test_a_comment_that_closes_the_last_condition_stays_there(comments_of_next_table: str) -> None:
    condition = '[[condition]]\nname = "a"\n# the end of a\n'
    next_table = comments_of_next_table + "[[model]]\n"
    assert insert_conditions(condition + "\n\n" + next_table, NEW) == f"{condition}\n{NEW}\n{next_table}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[experiment]\nname = "e"',
        '[[condition]]\nname = "a"\n[condition.inject]\ntext = ["t"]\n[report]\n',
        '[[condition]]\nname = "a"\nstages = [\n  ["b"],\n]\n[report]\nties = "half"\n',
        '[[condition]]\r\nname = "a"\r\n\r\n[report]\r\n',
        'text = """\n[[condition]]\n[x]\n"""\n[[condition]]\nname = "a"\n',
        "[ [condition] ]".replace(" ", "") + '\nname = "a"\n# the end',
    ],
)
def test_only_the_conditions_change(text: str) -> None:
    before, inserted = tomllib.loads(text), insert_conditions(text, NEW)
    assert inserted is not None
    after = tomllib.loads(inserted)
    assert [each["name"] for each in after.pop("condition")] == [
        *(each["name"] for each in before.pop("condition", ())),
        "new",
    ]
    assert after == before
    assert ("\r\n" in text) == ("\r\n" in inserted) and "\n\n\n" not in inserted


def test_conditions_that_are_no_tables() -> None:
    assert insert_conditions('condition = [{ name = "a" }]\n', NEW) is None


LINES = st.sampled_from(
    [
        '[[condition]]\nname = "a"', "[condition.inject]", "[report]", "# [[condition]]", "",
        'x = ["]"]', "y = [\n[1],\n]", 'z = """\n[[condition]]\n"""',
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_any_manifest(text: str) -> None:
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    inserted = insert_conditions(text, NEW)
    if isinstance(before.get("condition"), dict):
        assert inserted is None
        return
    assert inserted is not None
    assert tomllib.loads(inserted) == before | {
        "condition": [*before.get("condition", ()), *tomllib.loads(NEW)["condition"]]
    }
    assert [line for line in text.split("\n") if line] == [
        line for line in inserted.replace(NEW.rstrip(), "", 1).split("\n") if line
    ]
