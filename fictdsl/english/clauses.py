"""Describe attributes, nodes, tests and relations as phrases and clauses of English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar, assert_never

from fictdsl.compiler import CompiledFilter
from fictdsl.schema import ALL, KEYED, Kind
from fictdsl.semantics.check_attributes import is_feature
from fictdsl.semantics.scopes import Scopes, scopes_of
from fictdsl.syntax import nodes
from fictdsl.syntax.files import TAB
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import named_labels
from fictdsl.words import article, inflected, listed

Definition = TypeVar("Definition", nodes.PatternDef, nodes.ListDef)


def joined(clauses: Sequence[str], word: str) -> str:
    """Join clauses: `a or b`; `a; b; or c` if there are more than two or if a clause has a conjunction or comma."""
    if len(clauses) == 2 and not any(mark in clause for clause in clauses for mark in (",", " and ", " or ")):
        return f"{clauses[0]} {word} {clauses[1]}"
    return f"{'; '.join(clauses[:-1])}; {word} {clauses[-1]}"


def quoted(values: Iterable[str]) -> list[str]:
    return [f"“{value}”" for value in values]


def label_phrase(plain: Sequence[str], exact: Sequence[str], patterns: Sequence[str] = ()) -> str:
    """Describe labels: `nsubj (or a subtype)`, `exactly obj or a label that matches /obl:.*/`."""
    if not plain and not patterns:
        return f"exactly {listed(exact, 'or')}"
    subtypes = "(or a subtype)" if len(plain) == 1 else "(or a subtype of one of them)"
    parts = [f"{listed(plain, 'or')} {subtypes}"] if plain else []
    parts += [f"exactly {label}" for label in exact]
    return listed([*parts, *(f"a label that matches {pattern}" for pattern in patterns)], "or")


def regex_phrase(value: nodes.RegexValue) -> str:
    return f"/{value.text}/{', ignoring case' if value.ignore_case else ''}"


def is_number(attribute: nodes.Attribute) -> bool:
    entry = ALL.get(attribute.full_name)
    return entry is not None and entry.kind is Kind.NUMBER


def noun_phrase(attribute: nodes.Attribute) -> str:
    """Return the noun phrase without the word: `the form`, `the feature Number[psor]`, `the MISC entry Gloss`."""
    name, key = attribute.name, attribute.key
    if key is not None and not key.replace("_", "").isalnum():
        key = f"“{key}”"
    if name in KEYED:
        return f"the {ALL[name].noun} {key}"
    if attribute.full_name not in ALL:
        return f"the feature {feature_name(attribute)}"
    return f"the {ALL[attribute.full_name].noun}{'' if key is None else f' of the {name}'}"


def feature_name(attribute: nodes.Attribute) -> str:
    return attribute.name if attribute.key is None else f"{attribute.name}[{attribute.key}]"


def phrase_of(attribute: nodes.Attribute, owner: str) -> str:
    return f"{noun_phrase(attribute)} of {owner}{', in lower case,' if attribute.lower else ''}"


def mentions_absence(attribute: nodes.Attribute) -> bool:
    return is_feature(attribute.name) or ALL[attribute.name].often_absent


@dataclass
class Mention:
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
    """The names of nodes in a filter, or in a call of a pattern: node N of the second call of P is called `P2.N`."""

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
        name = call.pattern.text
        module, pattern = self._definition(nodes.PatternDef, name)
        self.state.call_counts[name] += 1
        count = self.state.call_counts[name]
        prefix = f"{name}{count if count > 1 else ''}."
        parameters = dict(zip((parameter.text for parameter in pattern.parameters), arguments, strict=True))
        pattern_names = replace(self, module=module, scopes=scopes_of(pattern), parameters=parameters, prefix=prefix)
        return pattern.block, pattern_names

    def entries(self, name: str) -> list[str]:
        module, word_list = self._definition(nodes.ListDef, name)
        return list(module.entries(word_list) or ())

    def _definition(self, kind: type[Definition], name: str) -> tuple[Module, Definition]:
        return next(
            (module, item)
            for module in (self.module, *self.module.uses.values())
            for item in module.file.items
            if isinstance(item, kind) and item.name.text == name
        )


_ORDER = {"<": "less than", "<=": "at most", ">": "greater than", ">=": "at least"}
_COMPARED = {"=": "is", "!=": "is not", **{op: f"is {words}" for op, words in _ORDER.items()}}


def describe_relation(relation: nodes.Relation, left: str, right: str, names: Names) -> str:
    match relation:
        case nodes.Edge(from_dependent=from_dependent):
            head, dependent = (right, left) if from_dependent else (left, right)
            return _edge(relation, head, dependent, names)
        case nodes.Path():
            return _path(relation, left, right, names)
        case nodes.Next():
            return f"{right} is the word right after {left}"
        case nodes.Before(bounds=bounds):
            if _limits(bounds) == (1, 1):
                return f"{right} is the word right after {left}"
            distance = "" if _limits(bounds) == (1, None) else f"{_range(*_limits(bounds), 'place')} "
            return f"{left} is {distance}before {right}"
        case nodes.Siblings():
            return f"{left} and {right} have the same head"
    assert_never(relation)


def describe_comparison(clause: nodes.AttributeComparison, names: Names) -> str:
    first, second = clause.left.attribute, clause.right.attribute
    left, right = (names.name(side.node.text) for side in (clause.left, clause.right))
    if clause.op in _ORDER:
        if first.name == second.name == "id" and clause.op in "<>":
            return f"{left} is {'before' if clause.op == '<' else 'after'} {right}"
        as_numbers = "" if is_number(first) and is_number(second) else ", as numbers"
        order = _ORDER[clause.op]
        return f"{phrase_of(first, left)} is {order} {phrase_of(second, right)}{as_numbers}"
    is_equality = clause.op == "="
    may_be_absent = not is_equality and any(mentions_absence(part) for part in (first, second))
    lacking, absent = (", or one of them lacks it", ", or one of these is absent") if may_be_absent else ("", "")
    if any(is_feature(part.name) or part.name == "misc" for part in (first, second)):
        share_phrase = f"share {'a' if is_equality else 'no'} value"
        if (first.name, first.key) == (second.name, second.key) and left != right:
            return f"{left} and {right} {share_phrase} of {noun_phrase(first)}{lacking}"
        return f"{phrase_of(first, left)} and {phrase_of(second, right)} {share_phrase}{absent}"
    same_attribute = (first.name, first.key, first.lower) == (second.name, second.key, second.lower)
    if same_attribute and left != right and not is_number(first):
        noun = noun_phrase(first).removeprefix("the ")
        case = ", in lower case" if first.lower else ""
        return f"{left} and {right} {'have' if is_equality else 'do not have'} the same {noun}{case}{lacking}"
    verb = "is" if is_equality else "is not"
    compared = f"{verb} the same as {phrase_of(second, right).rstrip(',')}"
    return f"{phrase_of(first, left)} {compared}{absent}"


def describe_sums(clause: nodes.SumComparison, names: Names) -> str:
    left, right = (_sum(side, names) for side in (clause.left, clause.right))
    return f"{left} {_COMPARED[clause.op]} {right}"


def _sum(summands: Sequence[nodes.Summand], names: Names) -> str:
    first, *others = summands
    added = (f" {'minus' if summand.negated else 'plus'} {_number(summand.number, names)}" for summand in others)
    return f"{'−' if first.negated else ''}{_number(first.number, names)}{''.join(added)}"


def _number(number: nodes.Measure | int, names: Names) -> str:
    if isinstance(number, int):
        return str(number)
    words = [names.name(name.text) for name in number.nodes]
    match number.kind:
        case "subtree":
            return f"the number of words of the subtree of {words[0]}"
        case "span":
            return f"the number of words of the span from {words[0]} to {words[1]}"
    return f"the distance of {words[0]} and {words[1]}"


def may_be_one_word(block: nodes.Block) -> bool:
    """Return whether a `->>{0..}` or `A may be B` in the block itself allows two of its nodes to be the same word."""
    chains = [clause for clause in block.clauses if isinstance(clause, nodes.Chain)]
    relations = [link.relation for chain in chains for link in chain.links]
    return any(isinstance(clause, nodes.Coincide) for clause in block.clauses) or any(
        isinstance(relation, nodes.Path) and _limits(relation.bounds)[0] == 0 for relation in relations
    )


def _edge(edge: nodes.Edge, head: str, dependent: str, names: Names) -> str:
    if edge.labels is None:
        return f"{dependent} depends on {head}{' in the enhanced graph' if edge.enhanced else ''}"
    label = _labels(edge.labels, names)
    if not edge.enhanced:
        return f"{dependent} depends on {head}{', but not' if edge.labels.negated else ''} as {label}"
    if edge.labels.negated:
        return f"in the enhanced graph some relation other than {label} goes from {head} to {dependent}"
    return f"{dependent} depends on {head} in the enhanced graph as {label}"


def _labels(labels: nodes.Labels, names: Names) -> str:
    plain, exact = (
        [names.value(name) for name, item in named_labels(labels) if item.exact == is_exact]
        for is_exact in (False, True)
    )
    patterns = [regex_phrase(item.label) for item in labels.labels if isinstance(item.label, nodes.RegexValue)]
    return label_phrase(plain, exact, patterns)


def _path(path: nodes.Path, above: str, below: str, names: Names) -> str:
    low, high = _limits(path.bounds)
    if high == 0:
        return f"{below} is {above} itself"
    itself = f"{above} itself, or " if low == 0 else ""
    low = max(low, 1)
    distance = "somewhere" if (low, high) == (1, None) else _range(low, high, "step")
    labels = path.labels
    step = f", {'no' if labels.negated else 'each'} step as {_labels(labels, names)}" if labels else ""
    return f"{below} is {itself}{distance} below {above} in the tree{step}"


def _limits(bounds: nodes.Bounds | None) -> tuple[int, int | None]:
    return (1, None) if bounds is None else (1 if bounds.low is None else bounds.low, bounds.high)


def _range(low: int, high: int | None, noun: str) -> str:
    if low == high:
        return f"{low} {inflected(low, noun)}"
    amount = f"{low} or more" if high is None else f"{low} {'or' if high == low + 1 else 'to'} {high}"
    return f"{amount} {inflected(2, noun)}"


_MAX_SHOWN = 6  # entries of a list
_AMOUNTS = {"=": "exactly", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least"}
_SUBSTRING_VERBS = {
    "contains": ("contains", "does not contain"),
    "starts": ("begins with", "does not begin with"),
    "ends": ("ends with", "does not end with"),
}
_TESTS_ORDER = {"=": "", **{op: f"{words} " for op, words in _ORDER.items()}}


def describe_test(test: nodes.Test, subject: str, names: Names, *, negated: bool = False) -> str:
    match test:
        case nodes.Not(test=negated_test):
            return describe_test(negated_test, subject, names, negated=not negated)
        case nodes.And(tests=tests) | nodes.Or(tests=tests):
            word = "and" if isinstance(test, nodes.And) != negated else "or"
            return joined([_parenthesized(part, subject, names, negated=negated) for part in tests], word)
        case nodes.Flag():
            return f"{'two' if negated else 'no two'} edges of the tree cross"
        case nodes.Has(attribute=attribute):
            return _presence(attribute, subject, negated=negated)
        case nodes.Member(attribute=attribute, negated=excluded, values=values):
            return _membership(attribute, values, subject, names, negated=excluded != negated)
        case nodes.Compare():
            return _comparison(test, subject, names, negated=negated)
    assert_never(test)


def describe_tags(tags: Sequence[str], subject: str, *, negated: bool = False) -> str:
    """Describe a test of UPOS tags: `S is a NOUN or a VERB`."""
    verb = "is not" if negated else "is"
    return f"{subject} {verb} {listed([f'{article(tag)} {tag}' for tag in tags], 'or')}"


def _parenthesized(test: nodes.Test, subject: str, names: Names, *, negated: bool) -> str:
    text = describe_test(test, subject, names, negated=negated)
    while isinstance(test, nodes.Not):
        test = test.test
    return f"({text})" if isinstance(test, nodes.And | nodes.Or) else text


def _presence(attribute: nodes.Attribute, subject: str, *, negated: bool) -> str:
    noun = noun_phrase(attribute)
    if attribute.name in ALL and attribute.name not in KEYED:
        noun = noun.removeprefix("the ")
        noun = f"{article(noun)} {noun}"
    return f"{subject} {'does not have' if negated else 'has'} {noun}"


def _comparison(test: nodes.Compare, subject: str, names: Names, *, negated: bool) -> str:
    attribute = test.attribute
    values = [names.value(value) for value in test.values if not isinstance(value, nodes.RegexValue)]
    regexes = [value for value in test.values if isinstance(value, nodes.RegexValue)]
    if is_number(attribute) or test.op in ("<", "<=", ">", ">="):
        op, negated = ("=", not negated) if test.op == "!=" else (test.op, negated)
        return _number_comparison(attribute, op, values, subject, negated=negated)
    if test.op in _SUBSTRING_VERBS:
        verb, absence = _SUBSTRING_VERBS[test.op][negated], _absence_note(attribute, negated=negated)
        return f"{phrase_of(attribute, subject)} {verb} {quoted(values)[0]}{absence}"
    negated = negated != (test.op == "!=")
    parts = [_equality(attribute, values, subject, negated=negated, exact=test.op == "==")] if values else []
    whole = f"the whole of {phrase_of(attribute, subject)} {'does not match' if negated else 'matches'}"
    parts += [f"{whole} {regex_phrase(regex)}{_absence_note(attribute, negated=negated)}" for regex in regexes]
    return parts[0] if len(parts) == 1 else joined(parts, "and" if negated else "or")


def _number_comparison(
    attribute: nodes.Attribute, op: str, values: Sequence[str], subject: str, *, negated: bool
) -> str:
    value = listed(values, "or")
    entry = ALL.get(attribute.full_name)
    if entry is not None and entry.unit is not None:
        owner = subject if attribute.key is None else f"the {attribute.name} of {subject}"
        unit = inflected(1 if value == "1" else 2, entry.unit)
        return f"{owner} {'does not have' if negated else 'has'} {_AMOUNTS[op]} {value} {unit}"
    number = "" if is_number(attribute) else "a number that is "
    return f"{phrase_of(attribute, subject)} is {'not ' if negated else ''}{number}{_TESTS_ORDER[op]}{value}"


def _equality(attribute: nodes.Attribute, values: Sequence[str], subject: str, *, negated: bool, exact: bool) -> str:
    if attribute.name == "upos":
        return describe_tags(values, subject, negated=negated)
    if attribute.name == "deprel":
        relations = label_phrase([], values) if exact else label_phrase(values, [])
        return f"{subject} {'does not have' if negated else 'has'} the relation {relations}"
    if is_feature(attribute.name):
        feature_values = [f"{feature_name(attribute)}={value}" for value in values]
        return f"{subject} {'does not have' if negated else 'has'} {listed(feature_values, 'or')}"
    return _identity(attribute, listed(quoted(values), "or"), subject, negated=negated)


def _identity(attribute: nodes.Attribute, alternatives: str, subject: str, *, negated: bool) -> str:
    if attribute.name != "phrase":
        verb, absence = "is not" if negated else "is", _absence_note(attribute, negated=negated)
        return f"{phrase_of(attribute, subject)} {verb} {alternatives}{absence}"
    run = "no run of words" if negated else "a run of one or more words"
    return f"{run} that begins with {subject}{', in lower case,' if attribute.lower else ''} is {alternatives}"


def _absence_note(attribute: nodes.Attribute, *, negated: bool) -> str:
    return " (or is absent)" if negated and mentions_absence(attribute) else ""


def _membership(
    attribute: nodes.Attribute, values: nodes.ListLiteral | nodes.ListRef, subject: str, names: Names, *, negated: bool
) -> str:
    if isinstance(values, nodes.ListRef):
        entries = names.entries(values.name)
    else:
        entries = [names.value(atom) for atom in values.values]
    if isinstance(values, nodes.ListLiteral) and 0 < len(entries) <= _MAX_SHOWN:
        if is_number(attribute):
            return _number_comparison(attribute, "=", entries, subject, negated=negated)
        return _equality(attribute, entries, subject, negated=negated, exact=False)
    subtypes = " (or a subtype of one)" if attribute.name == "deprel" else ""
    return _identity(attribute, _list_phrase(values, entries) + subtypes, subject, negated=negated)


def describe_tuple(clause: nodes.TupleMember, names: Names) -> str:
    """Describe a tuple of attributes in a list: `the pair of the lemma of V and the lemma of P is one of …`."""
    attribute_phrases = [
        phrase_of(attribute.attribute, names.name(attribute.node.text)).rstrip(",") for attribute in clause.attributes
    ]
    rows = [f"({row.replace(TAB, ', ')})" for row in names.entries(clause.values.name)]
    noun = {2: "pair", 3: "triple"}.get(len(attribute_phrases), "row")
    verb = "is not" if clause.negated else "is"
    may_be_absent = clause.negated and any(mentions_absence(part.attribute) for part in clause.attributes)
    absent = ", or one of these is absent" if may_be_absent else ""
    return f"the {noun} of {listed(attribute_phrases)} {verb} {_list_phrase(clause.values, rows)}{absent}"


def _list_phrase(values: nodes.ListLiteral | nodes.ListRef, entries: Sequence[str]) -> str:
    name = f"@{values.name}" if isinstance(values, nodes.ListRef) else ""
    if not entries:
        return f"in {name}, which is empty" if name else "in the empty list"
    shown = ", ".join(entries[:_MAX_SHOWN]) + (", …" if len(entries) > _MAX_SHOWN else "")
    if not name:
        return f"one of the {len(entries):,} values {shown}"
    return f"{f'one of the {len(entries):,} entries' if len(entries) > 1 else 'the one entry'} of {name} ({shown})"
