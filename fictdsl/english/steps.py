"""Describe the steps of a query plan in linguistic terms: `S: words with deprel nsubj (or a subtype)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from fictdsl.english.clauses import label_phrase
from fictdsl.plan import nodes as plan
from fictdsl.plan.nodes import provided_columns
from fictdsl.schema import ALL, LOWERED, Kind, Neighbour
from fictdsl.semantics import ir
from fictdsl.words import inflected, listed

_MAX_SHOWN = 4  # values of a test
_NUMBER_NOUNS = {
    entry.column: f"{entry.noun} of {name.partition('.')[0]}" if "." in name else entry.measured_noun
    for name, entry in ALL.items()
    if entry.kind is Kind.NUMBER
}
_NEIGHBOURS: dict[Neighbour, str] = {
    "h": "its head",
    "hh": "the head of its head",
    "n": "the next word",
    "n2": "the next word but one",
    "n3": "the third word after it",
}
_LOWERED_NOUNS = {lowered: f"{column} in lower case" for column, lowered in LOWERED.items()}


def describe_steps(query_plan: plan.Plan, names: Mapping[ir.Node, str]) -> list[str]:
    return _Steps(query_plan, names).lines()


class _Steps:
    def __init__(self, query_plan: plan.Plan, names: Mapping[ir.Node, str]) -> None:
        self._plan = query_plan
        self._names = names
        self._nodes: list[tuple[ir.Node, ...]] = []  # the nodes of each step
        available: list[set[plan.NodeColumn]] = []
        for relation in query_plan.relations:
            available.append(provided_columns(relation, available))
            self._nodes.append(tuple(sorted({node for node, _ in available[-1]})))

    def lines(self) -> list[str]:
        return [self._line(relation) for relation in self._plan.relations]

    def _line(self, relation: plan.Relation) -> str:
        match relation:
            case plan.TokenScan(node=node, tests=tests):
                return f"{self._name(node)}: {f'words with {_tests(tests)}' if tests else 'every word'}"
            case plan.RowScan():
                return self._row_scan(relation)
            case plan.EdgeScan(edge=edge, labels=label_test):
                labels_phrase = "" if label_test is None else f" {_labels(label_test)}"
                return f"{self._name(edge)}: edges of the enhanced graph{labels_phrase}"
            case plan.Paths():
                return self._paths(relation)
            case plan.SentenceScan(tests=tests):
                return f"sentences with {_tests(tests)}" if tests else "every sentence"
            case plan.Join(inputs=inputs, conditions=conditions):
                subjects = self._joined_names(
                    sorted({node for ref in inputs for node in self._nodes[ref] if node >= 0})
                )
                condition_phrases = [text for condition in conditions for text in self._condition(condition)]
                restriction = f", where {'; '.join(condition_phrases)}" if condition_phrases else ""
                return f"{subjects}{' together' if len(inputs) > 1 else ''}{restriction}"
            case plan.SemiJoin(source=source, other=other):
                return f"those of step {source + 1} that step {other + 1} has too"
            case plan.AntiJoin(source=source, other=other):
                return f"those of step {source + 1} that step {other + 1} lacks"
            case plan.Grouped():
                return self._grouped(relation)
        assert_never(relation)

    def _row_scan(self, scan: plan.RowScan) -> str:
        neighbours = [f"{self._name(node)} ({_NEIGHBOURS[neighbour]})" for node, neighbour in scan.neighbours]
        condition_phrases = [text for condition in scan.conditions for text in self._condition(condition)]
        subject = f"{self._name(scan.node)}, read with {listed(neighbours)}"
        return f"{subject}{': ' if condition_phrases else ''}{'; '.join(condition_phrases)}"

    def _paths(self, paths: plan.Paths) -> str:
        distance = "" if (paths.low, paths.high) == (1, None) else f" {_range(paths.low, paths.high)} steps"
        start = f"{'above' if paths.up else 'below'} {self._name(paths.node)} of step {paths.source + 1}"
        return f"{self._name(paths.edge)}: paths from all words{distance} {start}"

    def _grouped(self, grouped: plan.Grouped) -> str:
        low, high = grouped.low, grouped.high
        amount = f"{low} or more" if high is None else str(low) if low == high else f"{low} to {high}"
        counted = listed(list(dict.fromkeys(self._name(node) for _, node in grouped.sources)), "or")
        steps = listed([str(ref + 1) for ref, _ in grouped.sources])
        subject = self._joined_names(grouped.nodes) if grouped.nodes else "sentences"
        return f"{subject} with {amount} different {counted} in {inflected(len(grouped.sources), 'step')} {steps}"

    def _name(self, node: ir.Node) -> str:
        return f"edge {-node - 1}" if node < 0 else self._names[node]

    def _joined_names(self, nodes: Sequence[ir.Node]) -> str:
        return listed([self._name(node) for node in nodes]) if nodes else "sentences"

    def _condition(self, condition: plan.JoinCondition) -> Iterator[str]:
        name = self._name
        match condition:
            case ir.Distinct():
                pass  # readers expect different names to be different words
            case ir.Tested(node=node, test=test):
                yield f"{name(node)} has {_test(test)}"
            case ir.Edge(head=head, dependent=dependent):
                yield f"{name(dependent)} depends on {name(head)}"
            case plan.Ends(edge=edge, head=head, dependent=dependent):
                yield f"{name(edge)} goes from {name(head)} to {name(dependent)}"
            case ir.Dominates(above=above, below=below, low=low, high=high):
                distance = "" if (low, high) == (1, None) else f"{_range(low, high)} steps "
                yield f"{name(below)} is {distance}below {name(above)}"
            case ir.Precedes(left=left, right=right, low=low, high=high):
                distance = "right" if high == 1 else "" if (low, high) == (1, None) else f"{_range(low, high)} places"
                yield f"{name(left)} is {distance}{' ' if distance else ''}before {name(right)}"
            case ir.Between(middle=middle, left=left, right=right):
                yield f"{name(middle)} is between {name(left)} and {name(right)}"
            case ir.Siblings(left=left, right=right):
                yield f"{name(left)} and {name(right)} have the same head"
            case ir.Crossing(left=left, right=right):
                yield f"the edges into {name(left)} and {name(right)} cross"
            case ir.Shares(left=left, right=right, negated=negated):
                first, second = (
                    _attribute(attribute) for attribute in (condition.left_attribute, condition.right_attribute)
                )
                yield f"{first} of {name(left)} {'!=' if negated else '='} {second} of {name(right)}"
            case ir.InRows(nodes=members, attributes=attributes, rows=rows, negated=negated):
                sides = [
                    f"{_attribute(attribute)} of {name(node)}"
                    for node, attribute in zip(members, attributes, strict=True)
                ]
                yield f"{listed(sides)} {'not ' if negated else ''}among {len(rows)} rows"
            case ir.Ordered(left=left, op=op, right=right):
                first, second = _attribute(condition.left_attribute), _attribute(condition.right_attribute)
                yield f"{first} of {name(left)} {op} {second} of {name(right)}, as numbers"
            case ir.SumCompares(terms=terms, op=op, number=number):
                yield f"{self._sum(terms)} {op} {number}"
            case ir.NumbersCompare(left=left, op=op, right=right):
                first, second = (_attribute(column) for column in (condition.left_column, condition.right_column))
                yield f"{first} of {name(left)} {op} {second} of {name(right)}"
            case _:
                assert_never(condition)

    def _sum(self, terms: Sequence[tuple[int, ir.Measure]]) -> str:
        name = self._name
        text = ""
        for factor, measure in terms:
            match measure:
                case ir.SubtreeLength(node=node):
                    noun = f"words of the subtree of {name(node)}"
                case ir.Distance(left=left, right=right):
                    noun = f"distance of {name(left)} and {name(right)}"
                case _:
                    assert_never(measure)
            sign = "−" if factor < 0 else "+" if text else ""
            times = "" if abs(factor) == 1 else f"{abs(factor)} × "
            text += f"{' ' if text else ''}{sign}{' ' if sign else ''}{times}{noun}"
        return text


def _tests(tests: Iterable[ir.Test]) -> str:
    return ", ".join(_tests(test.tests) if isinstance(test, ir.All) and test.tests else _test(test) for test in tests)


def _test(test: ir.Test) -> str:
    match test:
        case ir.OneOf(attribute=ir.Feature(name=name), values=values):
            return f"{name}={_values(values)}"
        case ir.OneOf(attribute=attribute, values=values):
            return f"{_attribute(attribute)} {_values(values)}"
        case ir.Bears(labels=label_test):
            return f"deprel {_labels(label_test)}"
        case ir.Matches(attribute=attribute):
            return f"{_attribute(attribute)} matching a regular expression"
        case ir.Contains(attribute=attribute, at=operator, part=substring):
            verb = operator if operator == "contains" else f"{operator} with"
            return f"{_attribute(attribute)} that {verb} {substring}"
        case ir.Projective():
            return "no crossing edges"
        case ir.Present(attribute=attribute):
            return f"{_attribute(attribute)} present"
        case ir.Compares(attribute=attribute, op=op, number=number):
            return f"{_attribute(attribute)} {op} {number}"
        case ir.Phrase(values=values, lower=lower):
            return f"a phrase{' in lower case' if lower else ''} that begins here, {_values(values)}"
        case ir.Not(test=negated_test):
            return f"not ({_test(negated_test)})"
        case ir.All(tests=tests):
            return f"({_tests(tests)})" if tests else "nothing in particular"
        case ir.Any(tests=tests):
            return f"({' or '.join(_test(alternative) for alternative in tests)})" if tests else "what nothing has"
    assert_never(test)


def _attribute(attribute: ir.Strings | ir.Numbers) -> str:
    match attribute:
        case ir.Column(name=name) | ir.SentenceColumn(name=name):
            return _LOWERED_NOUNS.get(name, name)
        case ir.NumberColumn(name=name):
            return _NUMBER_NOUNS[name]
        case ir.Feature(name=name):
            return name
        case ir.Misc(key=key):
            return f"MISC {key}"
        case ir.Computed(name=name):
            return ALL[name].noun
        case ir.Meta(key=key):
            return f"comment {key}"
    assert_never(attribute)


def _values(values: Sequence[str]) -> str:
    if len(values) <= _MAX_SHOWN:
        return listed(values, "or")
    return f"one of {len(values)} ({', '.join(values[:_MAX_SHOWN])}, …)"


def _labels(label_test: ir.Labels) -> str:
    patterns = ["a regular expression"] * bool(label_test.patterns)
    return f"{'not ' if label_test.negated else ''}{label_phrase(label_test.plain, label_test.exact, patterns)}"


def _range(low: int, high: int | None) -> str:
    return f"{low} or more" if high is None else str(low) if low == high else f"{low} to {high}"
