"""Noun phrases of the descriptions: attributes, nodes, values, lists, numerals and articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from fictdsl.attributes import ALL, KEYED, WITH_LENGTH, Kind
from fictdsl.compiler import CompiledFilter
from fictdsl.semantics.scopes import Scopes, scopes_of
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from fictdsl.words import listed


def joined(clauses: Sequence[str], word: str) -> str:
    """Join clauses: `a or b`; `a; b; or c` if there are more than two or if a clause has a conjunction or comma."""
    if len(clauses) == 2 and not any(mark in clause for clause in clauses for mark in (",", " and ", " or ")):
        return f"{clauses[0]} {word} {clauses[1]}"
    return f"{'; '.join(clauses[:-1])}; {word} {clauses[-1]}"


def quoted(values: Iterable[str]) -> list[str]:
    return [f"“{value}”" for value in values]


def labels(plain: Sequence[str], exact: Sequence[str], patterns: Sequence[str] = ()) -> str:
    """Describe labels: `nsubj (or a subtype)`, `exactly obj or iobj`, `exactly obj or a label that matches /obl:.*/`.

    `plain` labels include their subtypes. `patterns` are regular expressions as written.
    """
    if not plain and not patterns:
        return f"exactly {listed(exact, 'or')}"
    subtypes = "(or a subtype)" if len(plain) == 1 else "(or a subtype of one of them)"
    parts = [f"{listed(plain, 'or')} {subtypes}"] if plain else []
    parts += [f"exactly {label}" for label in exact]
    return listed([*parts, *(f"a label that matches {pattern}" for pattern in patterns)], "or")


def regex(value: nodes.RegexValue) -> str:
    return f"/{value.text}/{', ignoring case' if value.ignore_case else ''}"


def is_feature(attribute: nodes.Attribute) -> bool:
    return attribute.name[:1].isupper()


def is_number(attribute: nodes.Attribute) -> bool:
    entry = ALL.get(attribute.name)
    return entry is not None and (entry.kind is Kind.NUMBER or has_length(attribute))


def has_length(attribute: nodes.Attribute) -> bool:
    return attribute.key == "length" and attribute.name in WITH_LENGTH


def noun_phrase(attribute: nodes.Attribute) -> str:
    """Return the noun phrase without the word: `the form`, `the feature Number[psor]`, `the MISC entry Gloss`."""
    name, key = attribute.name, attribute.key
    if key is not None and not key.replace("_", "").isalnum():
        key = f"“{key}”"
    if name in KEYED:
        return f"the {ALL[name].noun} {key}"
    if has_length(attribute):
        return f"the length of the {name}"
    return f"the {ALL[name].noun}" if name in ALL else f"the feature {feature_name(attribute)}"


def feature_name(attribute: nodes.Attribute) -> str:
    return attribute.name if attribute.key is None else f"{attribute.name}[{attribute.key}]"


def phrase_of(attribute: nodes.Attribute, owner: str) -> str:
    return f"{noun_phrase(attribute)} of {owner}{', in lower case,' if attribute.lower else ''}"


def mentions_absence(attribute: nodes.Attribute) -> bool:
    return is_feature(attribute) or ALL[attribute.name].often_absent


@dataclass
class Mention:
    """The expressions for a node: one for its first mention, one for later mentions."""

    first: str
    later: str

    def use(self) -> str:
        expression, self.first = self.first, self.later
        return expression


@dataclass
class _State:
    word_mentioned: bool
    unnamed_count: int = 0
    call_counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Names:
    """The names of nodes in a filter, or in one call of a pattern.

    Node N of the first call of a pattern P is called `P.N`, and node N of the second call `P2.N`.
    """

    compiled: CompiledFilter
    module: Module
    scopes: Scopes
    state: _State
    parameters: dict[str, str] = field(default_factory=dict)
    prefix: str = ""

    @classmethod
    def of(cls, compiled: CompiledFilter) -> Names:
        scopes = scopes_of(compiled.definition)
        word_mentioned = bool(scopes.of(compiled.definition.match).owned)
        return cls(compiled, compiled.module, scopes, _State(word_mentioned))

    def name(self, text: str) -> str:
        """Return the name of a node; for a parameter of a pattern, the name that the caller uses."""
        return self.parameters.get(text, self.prefix + text)

    def owned(self, block: nodes.Block) -> list[str]:
        return [self.name(text) for text in self.scopes.of(block).owned if text not in self.parameters]

    def node(self, term: nodes.NodeTerm, *, once: bool) -> Mention:
        """Return the expressions for a node. An unnamed node gets a name, unless it is mentioned only `once`."""
        if term.name is not None:
            name = self.name(term.name.text)
            return Mention(name, name)
        return self.unnamed(once=once)

    def unnamed(self, *, once: bool) -> Mention:
        expression = "some other word" if self.state.word_mentioned else "some word"
        self.state.word_mentioned = True
        if once:
            return Mention(expression, expression)
        self.state.unnamed_count += 1
        return Mention(f"{expression} _{self.state.unnamed_count}", f"_{self.state.unnamed_count}")

    @contextmanager
    def inside(self, owned: Sequence[str]) -> Iterator[None]:
        """Enter a block whose own nodes are `owned`. They count as mentioned inside the block only."""
        mentioned_before = self.state.word_mentioned
        self.state.word_mentioned = mentioned_before or bool(owned)
        yield
        self.state.word_mentioned = mentioned_before

    def value(self, atom: nodes.Atom) -> str:
        return atom.text if isinstance(atom, nodes.Value) else (self.compiled.value or f"${atom.name}")

    def enter_pattern(self, call: nodes.Call, arguments: Sequence[str]) -> tuple[nodes.Block, Names]:
        """Return the body of the pattern that is called, and the names in it."""
        module, pattern = next(
            (module, item)
            for module in self._modules()
            for item in module.file.items
            if isinstance(item, nodes.PatternDef) and item.name.text == call.pattern.text
        )
        self.state.call_counts[call.pattern.text] += 1
        count = self.state.call_counts[call.pattern.text]
        prefix = f"{call.pattern.text}{count if count > 1 else ''}."
        parameters = dict(zip((parameter.text for parameter in pattern.parameters), arguments, strict=True))
        pattern_names = replace(self, module=module, scopes=scopes_of(pattern), parameters=parameters, prefix=prefix)
        return pattern.block, pattern_names

    def entries(self, name: str) -> list[str]:
        return list(
            next(
                module.entries(item) or ()
                for module in self._modules()
                for item in module.file.items
                if isinstance(item, nodes.ListDef) and item.name.text == name
            )
        )

    def _modules(self) -> Sequence[Module]:
        return (self.module, *self.module.uses.values())
