"""Validate the output of the renderers against the schemas of its readers."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft4Validator
from lxml import etree

SCHEMAS = Path(__file__).parent / "schemas"


@cache
def _sarif() -> Draft4Validator:
    schema = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema)


@cache
def _junit() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd"))


def sarif(text: str) -> dict[str, Any]:
    """Return the run of a SARIF log after checking the schema and rules beyond it."""
    log = json.loads(text)
    _sarif().validate(log)
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result.get("locations", []) + result.get("relatedLocations", []):
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            assert uri.isascii() and uri.isprintable() and " " not in uri
            assert urlsplit(uri).scheme == ("" if "uriBaseId" in place["artifactLocation"] else "file")
            if region := place.get("region"):
                start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
                assert (1, 1) <= start <= end
        assert "](" not in result["message"]["text"]
    return dict(run)


def junit(text: str) -> etree._Element:
    """Return the root of a JUnit report after checking the schema."""
    root = etree.fromstring(text.encode())
    _junit().assertValid(root)
    for suite in root.iter("testsuite"):
        assert int(suite.get("tests")) == len(suite) > 0
        assert int(suite.get("failures")) == sum(case.find("failure") is not None for case in suite)
    return root


def github(text: str) -> list[dict[str, str]]:
    """Return the annotations that GitHub would create from each line: their properties, level and message."""
    annotations = []
    for line in text.split("\n") if text else []:
        head, separator, message = line.removeprefix("::").partition("::")
        assert line.startswith("::") and separator, line
        level, _, properties = head.partition(" ")
        assert level in ("error", "warning", "notice")
        pairs = dict(pair.split("=", 1) for pair in properties.split(","))
        assert not set(pairs) - {"file", "line", "col", "endLine", "endColumn", "title"}
        annotations.append({name: _unescaped(value) for name, value in pairs.items()})
        annotations[-1] |= {"level": level, "message": _unescaped(message)}
    return annotations


def _unescaped(text: str) -> str:
    for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, char)
    return text


def tame(text: str) -> bool:
    """Return whether text is safe to show: line breaks, but no other control or invisible characters."""
    return all(char == "\n" or char.isprintable() or unicodedata.category(char) == "Zs" for char in text)
