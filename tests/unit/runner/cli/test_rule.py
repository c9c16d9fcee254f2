"""`fictc rule`: pages by code and by name, all of them for tools, the nearest for a slip of the pen."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from fictdsl.diagnostics.codes import CATALOGUE
from runner.cli import fictc


def run(*arguments: str) -> Result:
    return CliRunner().invoke(fictc, arguments)


@pytest.mark.parametrize("written", ["FICT203", "fict203", "203", "unknown-parameter", "Unknown-Parameter"])
def test_a_page_by_code_or_name(written: str) -> None:
    out = run("rule", written).stdout
    assert out.startswith("# FICT203: unknown-parameter\n\n**error:** `$…` is not a parameter of `…`\n")
    bad, good = re.findall(r"```fict\n(.*?)\n```", out)
    assert "$m" in bad and "$n" in good


def test_several_pages_stand_in_the_order_asked_for() -> None:
    out = run("rule", "FICT501", "FICT203").stdout
    assert re.findall("^# (FICT...)", out, re.MULTILINE) == ["FICT501", "FICT203"]
    assert "## Why" in out


def test_explain_says_the_same_of_a_code() -> None:
    assert run("explain", "FICT203").stdout == run("rule", "FICT203").stdout


@pytest.mark.parametrize(
    ("written", "nearest"),
    [("FICT204x", ""), ("FICT889", "FICT890"), ("unknwon-upos", "unknown-upos"), ("x", ""), ("9" * 5000, "")],
)
def test_an_unknown_code_gets_the_nearest(written: str, nearest: str) -> None:
    result = run("rule", written)
    assert result.exit_code == 2
    assert result.stderr.rstrip("\n").endswith(
        f"There is no diagnostic {written}." + (f" The nearest is {nearest}." if nearest else "")
    )


def test_all_are_listed_by_family() -> None:
    out = run("rule").stdout
    assert out.startswith("Syntax\n  FICT101  no-version ")
    assert re.findall("FICT[0-9]+", out) == sorted(CATALOGUE)
    assert re.findall("^[A-Z].*$", out, re.MULTILINE)[-3:] == ["Manifests", "Corpora", "Runs"]


def test_all_for_tools() -> None:
    listed = json.loads(run("rule", "--all", "--format", "json").stdout)
    assert [entry["code"] for entry in listed] == sorted(CATALOGUE)
    keys = {"code", "name", "family", "severity", "message", "explanation", "bad", "good", "text"}
    assert all(set(entry) == keys and all(entry.values()) for entry in listed)
    markdown = run("rule", "--all", "--format", "markdown").stdout
    assert re.findall("^# (FICT...)", markdown, re.MULTILINE) == sorted(CATALOGUE)


def test_nothing_in_a_page_acts_on_a_terminal() -> None:
    out = run("rule", "--all").stdout
    assert all(char.isprintable() or char in "\n\t" for char in out)
