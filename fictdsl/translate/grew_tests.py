"""Translate the tests of Grew nodes and of metadata, and lexicons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fictdsl.syntax.text.strings import quote
from fictdsl.translate.grew_request import Lexicon
from fictdsl.translate.grew_values import RegexText, Values, split, values_of
from fictdsl.translate.writer import (
    Names,
    NoEquivalentError,
    any_of,
    attributes,
    check_single_values,
    list_entries,
    several_values,
    value,
)

_TEST = re.compile(r"(?P<absent>!)?\s*(?P<name>[\w/]+)\s*(?:(?P<op><>|=)\s*(?P<values>.+))?")
_FIELD = re.compile(r"(?P<lexicon>\w+)\.(?P<field>\w+)")
_COMPUTED = ("wordform", "textform", "__id__", "head", "position")
_SENTENCE_ATTRIBUTES = {"sent_id": "sent_id", "text": "text"}


@dataclass
class Lexicons:
    """The lexicons of a request, and the attributes that are compared with their fields."""

    lexicons: dict[str, Lexicon]
    used: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)  # lexicon → (node, attribute, field)
    list_names: Names = field(default_factory=Names)
    refusal: str | None = None  # why the part being translated cannot use a lexicon

    @contextmanager
    def refusing(self, reason: str | None) -> Iterator[None]:
        """Raise NoEquivalentError with the reason, if it is not None, for each use of a lexicon in the `with` block."""
        previous_refusal, self.refusal = self.refusal, reason or self.refusal
        try:
            yield
        finally:
            self.refusal = previous_refusal

    def find(self, text: str) -> tuple[str, str] | None:
        """Return the lexicon and field that a value names, or None if it does not name a lexicon.

        Raises NoEquivalentError if the lexicon has no such field.
        """
        match = _FIELD.fullmatch(text.strip())
        if match is None or match["lexicon"] not in self.lexicons:
            return None
        if match["field"] not in self.lexicons[match["lexicon"]].fields:
            raise NoEquivalentError(f"the lexicon {match['lexicon']} has no field {match['field']}")
        return match["lexicon"], match["field"]

    def use(self, node: str, attribute: str, lexicon: str, field_name: str) -> None:
        """Record that an attribute of a node must have the value of a field."""
        if self.refusal:
            raise NoEquivalentError(self.refusal)
        self.used.setdefault(lexicon, []).append((node, attribute, field_name))

    def items(self) -> Iterator[str]:
        """Yield a list declaration for each lexicon in use, with one column for each use."""
        for name, uses in self.used.items():
            lexicon = self.lexicons[name]
            columns = [lexicon.fields.index(field_name) for _, _, field_name in uses]
            if len(uses) == 1:
                entries = list_entries(row[columns[0]] for row in lexicon.rows)
                yield f"list {self.list_names.of(name)} = {entries}"
            else:
                rows = dict.fromkeys(tuple(row[index] for index in columns) for row in lexicon.rows)
                literals = [f"({', '.join(map(value, row))})" for row in rows]
                yield f"list {self.list_names.of(name)} = {{{', '.join(literals)}}}"

    def clauses(self) -> Iterator[str]:
        """Yield a membership test for each lexicon in use."""
        for name, uses in self.used.items():
            if len(uses) == 1:
                yield f"{uses[0][0]}[{uses[0][1]} in @{self.list_names.of(name)}]"
            else:
                cells = ", ".join(f"{node}.{attribute}" for node, attribute, _ in uses)
                # Without `;`, a bare name on the line before would take the tuple as its arguments.
                yield f"; ({cells}) in @{self.list_names.of(name)}"


def node_tests(text: str, node: str, lexicons: Lexicons) -> list[str]:
    """Translate the tests between the brackets of a node, separated by commas."""
    return [
        test
        for test_text in split(text, ",")
        if test_text.strip()
        for test in _tests(test_text.strip(), node, lexicons)
    ]


def _tests(text: str, node: str, lexicons: Lexicons) -> Iterator[str]:
    match = _TEST.fullmatch(text)
    if match is None:
        raise NoEquivalentError(f"`{text}` is not a test")
    if match["name"] in _COMPUTED:
        raise NoEquivalentError(f"the attribute `{match['name']}` has no counterpart in a filter")
    names = match["name"].split("/")
    if match["op"] and match["values"] and (lexicon_field := lexicons.find(match["values"])):
        if match["op"] == "<>" or len(names) > 1:
            raise NoEquivalentError("a lexicon is compared by `=` with one attribute")
        lexicons.use(node, single_attribute(names[0]), *lexicon_field)
        return
    if match["absent"]:
        yield ", ".join(f"not has {attribute}" for name in names for attribute in attributes(name))
    elif match["op"] is None or (match["op"] == "=" and match["values"].strip() == "*"):
        yield any_of(f"has {attribute}" for name in names for attribute in attributes(name))
    else:
        yield _first_of(names, match["op"], values_of(match["values"]))


def _first_of(names: list[str], op: str, values: Values) -> str:
    """Translate `ExtPos/upos=ADV`: the first attribute that is present has the value."""
    test = ""
    for name in reversed(names):
        value_test = any_of(_equality_test(attribute, op, values) for attribute in attributes(name))
        absence = ", ".join(f"not has {attribute}" for attribute in attributes(name))
        test = f"({value_test} or ({absence}, {test}))" if test else value_test
    return test


def _equality_test(attribute: str, op: str, values: Values) -> str:
    literals: list[str] = []
    tests: list[str] = []
    for alternative in values:
        if isinstance(alternative, RegexText):
            check_single_values(attribute, alternative.text)
            literals.append(alternative.literal())
        elif test := several_values(attribute, alternative):
            tests.append(test)
        else:
            literals.append(value(alternative))
    compared = "|".join(literals)
    if not tests:
        return f"{attribute} = {compared}" if op == "=" else f"(has {attribute}, {attribute} != {compared})"
    equality = any_of([*([f"{attribute} = {compared}"] if literals else []), *tests])
    return equality if op == "=" else f"(has {attribute}, not {equality})"


def single_attribute(name: str) -> str:
    """Return the one attribute that a name stands for. Raises NoEquivalentError if there is none or several."""
    if "/" in name or name in _COMPUTED:
        raise NoEquivalentError(f"`{name}` has no counterpart in a filter")
    candidates = attributes(name)
    if len(candidates) > 1:
        raise NoEquivalentError(f"`{name}` may be a feature or an entry of MISC")
    return candidates[0]


def sentence_test(text: str) -> str:
    """Translate a test of metadata."""
    match = _TEST.fullmatch(text)
    if match is None or "/" in match["name"]:
        raise NoEquivalentError("this item is not known")
    name = (
        _SENTENCE_ATTRIBUTES.get(match["name"])
        or f"meta.{match['name'] if match['name'].isidentifier() else quote(match['name'])}"
    )
    if match["absent"]:
        return f"not has {name}"
    if match["op"] is None or (match["op"] == "=" and match["values"].strip() == "*"):
        return f"has {name}"
    return _equality_test(name, match["op"], values_of(match["values"])).removeprefix("(").removesuffix(")")
