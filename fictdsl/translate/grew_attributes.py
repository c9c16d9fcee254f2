"""Translate the tests of Grew nodes and of metadata, and lexicons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fictdsl.semantics.check_attributes import is_number
from fictdsl.syntax.nodes import quote
from fictdsl.translate.grew_request import AttributeTest, Lexicon, RegexText, Values
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

    def use(self, node: str, attribute: str, lexicon: str, field_name: str) -> None:
        """Record that an attribute of a node must have the value of a field. Raises NoEquivalentError if it cannot."""
        if field_name not in self.lexicons[lexicon].fields:
            raise NoEquivalentError(f"the lexicon {lexicon} has no field {field_name}")
        if self.refusal:
            raise NoEquivalentError(self.refusal)
        self.used.setdefault(lexicon, []).append((node, attribute, field_name))

    def items(self) -> Iterator[str]:
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
        for name, uses in self.used.items():
            if len(uses) == 1:
                yield f"{uses[0][0]}[{uses[0][1]} in @{self.list_names.of(name)}]"
            else:
                cells = ", ".join(f"{node}.{attribute}" for node, attribute, _ in uses)
                # Without `;`, a bare name on the line before would take the tuple as its arguments.
                yield f"; ({cells}) in @{self.list_names.of(name)}"


def attribute_test(test: AttributeTest, node: str, lexicons: Lexicons) -> str | None:
    """Translate a test of a node, or record it in `lexicons` and return None if it compares with a lexicon."""
    if computed := next((name for name in test.names if name in _COMPUTED), None):
        raise NoEquivalentError(f"the attribute `{computed}` has no counterpart in a filter")
    if test.lexicon:
        if test.op != "=" or len(test.names) > 1:
            raise NoEquivalentError("a lexicon is compared by `=` with one attribute")
        lexicons.use(node, single_attribute(test.names[0]), *test.lexicon)
        return None
    if test.op == "!":
        return ", ".join(f"not has {attribute}" for name in test.names for attribute in attributes(name))
    if test.op == "*":
        return any_of(f"has {attribute}" for name in test.names for attribute in attributes(name))
    if test.op not in ("=", "<>"):
        return _order_test(single_attribute("/".join(test.names)), test.op, test.values)
    return _first_of(test.names, test.op, test.values)


def _order_test(attribute: str, op: str, values: Values) -> str:
    number = values[0] if len(values) == 1 else ""
    if not isinstance(number, str) or not is_number(number):
        raise NoEquivalentError("only numbers have an order")
    return f"{attribute} {op} {value(number)}"


def _first_of(names: tuple[str, ...], op: str, values: Values) -> str:
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


def sentence_test(test: AttributeTest) -> str:
    if test.lexicon:
        raise NoEquivalentError("metadata are not compared with a lexicon")
    (key,) = test.names
    name = _SENTENCE_ATTRIBUTES.get(key) or f"meta.{key if key.isidentifier() else quote(key)}"
    if test.op in ("!", "*"):
        return f"{'not ' if test.op == '!' else ''}has {name}"
    if test.op not in ("=", "<>"):
        return _order_test(name, test.op, test.values)
    return _equality_test(name, test.op, test.values).removeprefix("(").removesuffix(")")
