"""Tests of one word or sentence as English predicates, and the names a description uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from fictdsl.compiler import CompiledFilter
from fictdsl.syntax import nodes
from fictdsl.syntax.program import Module

_SHOWN = 6  # entries of a list
_MORE = {"<": "less than", "<=": "at most", ">": "greater than", ">=": "at least"}
_KNOWN = {
    "form": "the form",
    "lemma": "the lemma",
    "upos": "the part of speech",
    "xpos": "the language's own tag",
    "id": "the position",
    "text": "the text",
    "sent_id": "the sent_id",
    "doc": "the document",
    "length": "the length in words",
}


def listed(parts: Sequence[str], word: str = "and") -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def quoted(values: Iterable[str]) -> list[str]:
    """Values between typographic quotes."""
    return [f"“{value}”" for value in values]


def said(attribute: nodes.Attribute, subject: str) -> str:
    """The noun phrase of an attribute of a word or, with `subject` "the sentence", of that."""
    name, key = attribute.name, attribute.key
    case = " in lower case" if attribute.lower else ""
    if name == "phrase":
        return f"a run of words that begins at {subject}, joined by spaces{case},"
    if name == "deprel":
        return f"the relation of {subject} to its head"
    if key == "length":
        return f"the length of the {name} of {subject}"
    if name in ("misc", "meta"):
        return f"the {'MISC entry' if name == 'misc' else 'comment'} {key} of {subject}"
    plain = _KNOWN.get(name, f"the feature {name if key is None else f'{name}[{key}]'}")
    return f"{plain} of {subject}{case}"


def _is_and(test: nodes.And | nodes.Or) -> bool:
    return isinstance(test, nodes.And)


class Words:
    """How a filter's nodes, lists and values are called where a clause stands."""

    def __init__(self, compiled: CompiledFilter, module: Module | None = None, names: dict[str, str] | None = None):
        self._compiled = compiled
        self._module = module or compiled.module
        self._names = names or {}

    def name(self, text: str) -> str:
        """A node's name, the caller's where it is the parameter of a pattern."""
        return self._names.get(text, text)

    def node(self, term: nodes.NodeTerm) -> str:
        """A node where it stands."""
        return "some other word" if term.name is None else self.name(term.name.text)

    def value(self, atom: nodes.Atom) -> str:
        """A value, the family parameter replaced."""
        return atom.text if isinstance(atom, nodes.Value) else (self._compiled.value or f"${atom.name}")

    def pattern(self, call: nodes.Call) -> tuple[nodes.Block, Words] | None:
        """The body of a pattern, with the words to describe it in."""
        for module in (self._module, *self._module.uses.values()):
            for item in module.file.items:
                if isinstance(item, nodes.PatternDef) and item.name.text == call.pattern.text:
                    given = [self.name(a.text) if a is not None else "some other word" for a in call.arguments]
                    names = dict(zip((parameter.text for parameter in item.parameters), given, strict=True))
                    return item.block, Words(self._compiled, module, names)
        return None

    def test(self, test: nodes.Test, subject: str, *, negated: bool = False) -> str:
        """What a test says of a word or of the sentence, as a clause; or, `negated`, that it does not hold."""
        match test:
            case nodes.Not(test=inner):
                return self.test(inner, subject, negated=not negated)
            case nodes.And(tests=tests) | nodes.Or(tests=tests):
                parts = [self.test(part, subject) for part in tests]
                if negated:
                    neither = "not all of this holds" if isinstance(test, nodes.And) else "none of this holds"
                    return f"{neither}: {'; '.join(parts)}"
                return listed([self._grouped(part, subject) for part in tests], "and" if _is_and(test) else "or")
            case nodes.Has(attribute=attribute):
                return f"{said(attribute, subject)} is {'not ' if negated else ''}given"
            case nodes.Member(attribute=attribute, negated=outside, values=values):
                verb = "is not" if outside != negated else "is"
                return f"{said(attribute, subject)} {verb} among {self._list(values)}"
            case nodes.Compare():
                return self._compare(test, subject, negated=negated)
        assert_never(test)

    def _grouped(self, test: nodes.Test, subject: str) -> str:
        written = self.test(test, subject)
        return f"({written})" if isinstance(test, nodes.And | nodes.Or | nodes.Not) else written

    def _compare(self, test: nodes.Compare, subject: str, *, negated: bool) -> str:
        plain = [self.value(value) for value in test.values if not isinstance(value, nodes.RegexValue)]
        shown = quoted(plain) + [
            f"a match of /{value.text}/{'i' if value.ignore_case else ''}"
            for value in test.values
            if isinstance(value, nodes.RegexValue)
        ]
        verb = "is not" if (test.op == "!=") != negated else "is"
        if test.op in _MORE:
            return f"{said(test.attribute, subject)} {verb} {_MORE[test.op]} {listed(plain, 'or')}"
        subtypes = " (or a subtype)" if test.attribute.name == "deprel" and test.op != "==" and plain else ""
        return f"{said(test.attribute, subject)} {verb} {listed(shown, 'or')}{subtypes}"

    def _list(self, values: nodes.ListLiteral | nodes.ListRef) -> str:
        name, entries = (
            "",
            [self.value(atom) for atom in values.values] if isinstance(values, nodes.ListLiteral) else [],
        )
        if isinstance(values, nodes.ListRef):
            name, entries = f" @{values.name}", list(self._entries(values.name))
        count = f"the {len(entries)} entries" if len(entries) != 1 else "the one entry"
        if not entries:
            return f"the entries of the empty list{name}"
        more = ", …" if len(entries) > _SHOWN else ""
        return f"{count}{f' of{name}' if name else ''} ({', '.join(entries[:_SHOWN])}{more})"

    def _entries(self, name: str) -> Iterable[str]:
        for module in (self._module, *self._module.uses.values()):
            for item in module.file.items:
                if isinstance(item, nodes.ListDef) and item.name.text == name:
                    body = item.body
                    if isinstance(body, nodes.ListFile):
                        return module.lists[body.path.text]
                    return [self.value(atom) for atom in body.values]
        return []
