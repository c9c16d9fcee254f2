"""Translate the attribute tests of Semgrex nodes."""

from __future__ import annotations

import re

from fictdsl.translate.writer import (
    NoEquivalentError,
    any_of,
    attributes,
    check_single_values,
    regex,
    several_values,
    value,
)

_ATTRIBUTES = {
    "word": "form", "text": "form", "lemma": "lemma", "tag": "xpos", "pos": "xpos", "cpos": "upos", "upos": "upos",
    "idx": "id", "index": "id",
}  # fmt: skip
_VALUE = r"/(?:\\[^\n]|[^/\\\n])*/|[^\s(){}\[\]<>=|&!?:;/#~@%\"]+"  # no sign of the syntax is in an unquoted value
_TEST = re.compile(
    rf"\s*(?:(?P<root>\$)|(?P<name>[\w.]+)\s*(?P<op>!:|\?:|:)\s*(?:\{{(?P<map>[^{{}}]*)\}}|(?P<value>{_VALUE}))"
    r"(?P<groups>(?:#\d+%\w+)*))\s*(?:;|$)"
)
_GROUP = re.compile(r"#(?P<number>\d+)%(?P<name>\w+)")
_ENTRY = re.compile(rf"\s*(?P<key>/[^/]*/|[^\s:!?;=]+)\s*(?P<op>!:|\?:|:)\s*(?P<value>{_VALUE})\s*(?:;|$)")
_ANYTHING = "__"
_GROUPS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?:")  # the openings of groups, after escapes and classes


def node_tests(text: str, *, ignore_case: bool) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the tests in the braces of a node, and (variable, attribute) pairs. Raises NoEquivalentError."""
    if text.strip() == "#":
        raise NoEquivalentError("an empty node is not a word")
    tests: list[str] = []
    groups: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        match = _TEST.match(text, position)
        if match is None:
            raise NoEquivalentError(f"`{text[position:].strip()}` is not a test")
        tests += ["deprel = root"] if match["root"] else _tests(match, groups, ignore_case=ignore_case)
        position = match.end()
    return tests, groups


def _tests(match: re.Match[str], groups: list[tuple[str, str]], *, ignore_case: bool) -> list[str]:
    name = match["name"]
    if name in ("morphofeatures", "feats"):
        if match["groups"]:
            raise NoEquivalentError("a variable cannot hold a group of features")
        return _features(match, ignore_case=ignore_case)
    if name not in _ATTRIBUTES:
        raise NoEquivalentError(f"the attribute `{name}` has no counterpart in a filter")
    attribute = _ATTRIBUTES[name]
    for group in _GROUP.finditer(match["groups"]):
        is_whole_value = match["value"].strip() in (_ANYTHING, "/.*/", "/(.*)/", "/.+/", "/(.+)/")
        if not is_whole_value or match["op"] != ":":
            raise NoEquivalentError("a variable group must capture the whole value of an attribute")
        groups.append((group["name"], attribute))
    return [_test(attribute, match["op"], match["value"].strip(), ignore_case=ignore_case)]


def _features(match: re.Match[str], *, ignore_case: bool) -> list[str]:
    if match["map"] is None:
        return [_test("feats", match["op"], match["value"].strip(), ignore_case=ignore_case)]
    tests: list[str] = []
    position = 0
    while position < len(match["map"]):
        entry = _ENTRY.match(match["map"], position)
        if entry is None:
            raise NoEquivalentError(f"`{match['map'][position:].strip()}` is not a test of a feature")
        if entry["key"].startswith("/"):
            raise NoEquivalentError("the name of a feature cannot be a regular expression")
        names = attributes(entry["key"])[:1]
        tests.append(
            any_of(_test(name, entry["op"], entry["value"].strip(), ignore_case=ignore_case) for name in names)
        )
        position = entry.end()
    return tests


def _test(attribute: str, op: str, text: str, *, ignore_case: bool) -> str:
    if attribute == "id":
        if not (text.isascii() and text.isdecimal()):
            raise NoEquivalentError("a position must be a number")
        return f"id {'!=' if op == '!:' else '='} {text}"
    if text == _ANYTHING:
        return {
            ":": f"has {attribute}",
            "!:": f"not has {attribute}",
            "?:": f"(has {attribute} or not has {attribute})",
        }[op]
    is_regex = text.startswith("/")
    if is_regex:
        check_single_values(attribute, text)
    equality = None if is_regex else several_values(attribute, text, ignore_case=ignore_case)
    literal = _value(text, ignore_case=ignore_case)
    if op == "!:":
        return f"not {equality}" if equality else f"{attribute} != {literal}"
    equality = equality or f"{attribute} = {literal}"
    return f"(not has {attribute} or {equality})" if op == "?:" else equality


def _value(text: str, *, ignore_case: bool) -> str:
    if text.startswith("/"):
        body = text[1:-1]
        return java_regex(body, ignore_case=ignore_case)
    if ignore_case:
        return regex(re.sub(r"([^\w\s])", r"\\\1", text), ignore_case=True)
    return value(text)


def java_regex(body: str, *, ignore_case: bool = False) -> str:
    """Translate a Java regular expression that must match the whole value."""
    if body.startswith("(?i)"):
        body, ignore_case = body.removeprefix("(?i)"), True
    body = _GROUPS.sub(lambda match: "(" if match[0] == "(?:" else match[0], body).removeprefix("^")
    body = body if body.endswith("\\$") else body.removesuffix("$")
    return regex(body, ignore_case=ignore_case)
