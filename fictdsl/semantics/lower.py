"""Lower a filter of a checked module to the core language."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias, assert_never, cast

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.semantics import ir
from fictdsl.semantics.expand import CallArgument, Expander, Frame, Key, LimitError, Reading, own_keys
from fictdsl.semantics.lower_attributes import lower_labels, lower_test, number_column, string_attribute, upos_test
from fictdsl.semantics.scopes import Resolution
from fictdsl.syntax import nodes
from fictdsl.syntax.files import TAB
from fictdsl.syntax.walk import blocks_of, normal_sum, own_names, terms

MASK = "<mask>"  # the default replacement of `mask`

Origin: TypeAlias = tuple[Hashable, ...]  # identifies the position in the source that a node comes from


def lower(
    resolution: Resolution, definition: nodes.FilterDef, value: str | None
) -> tuple[ir.Filter | None, tuple[Diagnostic, ...]]:
    """Lower a filter of the first module, or a family member; None and a diagnostic beyond a limit."""
    try:
        return _Lowering(resolution, definition).filter(_frame(resolution, definition, value)), ()
    except LimitError as error:
        return None, (error.problem,)


def node_names(resolution: Resolution, definition: nodes.FilterDef, value: str | None) -> dict[int, str]:
    """Return the display name of each role of a lowered filter: its name in the file, or `_1`, `_2`, …"""
    lowering = _Lowering(resolution, definition)
    roles = lowering.filter(_frame(resolution, definition, value)).roles
    names = {role: lowering.names.get(node) for node, role in enumerate(roles)}
    unnamed = count(1)
    return {role: names[role] or f"_{next(unnamed)}" for role in sorted(names)}


def _frame(resolution: Resolution, definition: nodes.FilterDef, value: str | None) -> Frame:
    family = definition.family
    parameter = None if family is None or value is None else (family.parameter.text, value)
    return Frame(resolution, resolution.modules[0], parameter)


def match_names(block: nodes.Block) -> list[str]:
    """Return the names that a match binds, not those only in `without` or counting blocks, in order of occurrence."""
    names: dict[str, None] = {}
    for clause in block.clauses:
        match clause:
            case nodes.Either() | nodes.Maybe():
                for branch in blocks_of(clause):
                    names |= dict.fromkeys(match_names(branch))
            case nodes.Coincide():
                pass
            case _:
                names |= dict.fromkeys(name.text for name in own_names(clause))
    return list(names)


@dataclass
class _Scope:
    """The named nodes visible in a block, and the enclosing nodes, from which the block's own nodes must differ."""

    origin: Origin = ()
    nodes_by_key: dict[Key, ir.Node] = field(default_factory=dict)
    enclosing: tuple[ir.Node, ...] = ()


@dataclass
class _Block:
    nodes_by_key: dict[Key, ir.Node]
    own_nodes: list[ir.Node] = field(default_factory=list)
    conditions: list[ir.Condition] = field(default_factory=list)
    may_coincide: set[frozenset[ir.Node]] = field(default_factory=set)

    def named(self, frame: Frame, *names: nodes.Name) -> list[ir.Node]:
        return [self.nodes_by_key[frame.key(name.text)] for name in names]


class _Lowering:
    """Lowers one filter, once: `filter` numbers the nodes from 0 in order of creation, and fills `names`.

    Each reading has nodes of its own. Nodes of different readings have the same role if they come from the same place
    of the source in the same `Frame`; frames differ by identity, so `Expander` must return the same frames for a block.
    Clauses of a block are lowered before its `without` and counting blocks, which see all of its nodes.
    """

    def __init__(self, resolution: Resolution, definition: nodes.FilterDef) -> None:
        self._definition = definition
        self._expander = Expander(resolution, definition)
        self._roles: dict[Origin, int] = {}
        self._role_by_node: list[int] = []  # the role of each node, by index
        self.names: dict[ir.Node, str] = {}

    def filter(self, frame: Frame) -> ir.Filter:
        names = match_names(self._definition.match)
        readings = []
        for clauses in self._expander.readings(self._definition.match, frame):
            conjunction, nodes_by_key = self._conjunction(clauses, _Scope())
            readings.append(ir.Reading(conjunction, tuple(nodes_by_key.get(frame.key(name)) for name in names)))
        actions = tuple(_lower_actions(self._definition, names))
        return ir.Filter(tuple(names), tuple(readings), actions, tuple(self._role_by_node))

    def _new_node(self, *origin: Hashable) -> ir.Node:
        self._role_by_node.append(self._roles.setdefault(origin, len(self._roles)))
        return len(self._role_by_node) - 1

    def _conjunction(self, clauses: Reading, scope: _Scope) -> tuple[ir.Conjunction, Mapping[Key, ir.Node]]:
        block = _Block(dict(scope.nodes_by_key))
        for key in own_keys(clauses):
            if key not in block.nodes_by_key:
                node = block.nodes_by_key[key] = self._new_node(scope.origin, key)
                block.own_nodes.append(node)
                self.names[node] = key[1]
        for clause, frame in clauses:
            self._add_clause(clause, frame, block)
        self._add_distinctness(block, scope.enclosing)
        enclosing = (*scope.enclosing, *block.own_nodes)
        for clause, frame in clauses:
            match clause:
                case nodes.Without(block=body):
                    inner_scope = _Scope((id(body), frame), block.nodes_by_key, enclosing)
                    readings = tuple(reading for reading, _ in self._readings(body, (), frame, inner_scope))
                    block.conditions.append(ir.Without(readings))
                case nodes.Count():
                    inner_scope = _Scope((id(clause.block), frame), block.nodes_by_key, enclosing)
                    block.conditions.append(self._count(clause, frame, inner_scope))
        return ir.Conjunction(tuple(block.own_nodes), tuple(block.conditions)), block.nodes_by_key

    def _readings(
        self, body: nodes.Block, prefix: Reading, frame: Frame, scope: _Scope
    ) -> Iterator[tuple[ir.Conjunction, Mapping[Key, ir.Node]]]:
        for clauses in self._expander.readings(body, frame):
            yield self._conjunction(prefix + clauses, scope)

    def _count(self, clause: nodes.Count, frame: Frame, scope: _Scope) -> ir.Count:
        term = clause.node
        if term.name is None:  # use a name that no clause can refer to
            term = replace(term, name=nodes.Name("_", span=term.span))
        name = cast("nodes.Name", term.name)
        prefix: Reading = ((nodes.Chain(term, (), span=term.span), frame),)
        readings = list(self._readings(clause.block, prefix, frame, scope))
        counted = tuple(nodes_by_key[frame.key(name.text)] for _, nodes_by_key in readings)
        number = clause.number
        low, high = {"at least": (number, None), "at most": (0, number), "exactly": (number, number)}[clause.quantifier]
        return ir.Count(low, high, tuple(conjunction for conjunction, _ in readings), counted)

    def _add_distinctness(self, block: _Block, enclosing: tuple[ir.Node, ...]) -> None:
        """Require that a block's nodes differ from each other and from enclosing nodes, unless they may coincide."""
        other_nodes = list(enclosing)
        for node in block.own_nodes:
            block.conditions += [
                ir.Distinct(other, node) for other in other_nodes if frozenset((other, node)) not in block.may_coincide
            ]
            other_nodes.append(node)

    def _add_clause(self, clause: nodes.Clause | CallArgument, frame: Frame, block: _Block) -> None:
        match clause:
            case nodes.Chain(first=first, links=links):
                left = self._lower_node(first, frame, block)
                for link in links:
                    right = self._lower_node(link.target, frame, block)
                    self._add_relation(link.relation, left, right, frame, block)
                    left = right
            case nodes.Between():
                middle, left, right = (self._lower_node(term, frame, block) for term in terms(clause))
                block.conditions.append(ir.Between(middle, left, right))
            case nodes.Crossing():
                block.conditions.append(ir.Crossing(*(self._lower_node(term, frame, block) for term in terms(clause))))
            case nodes.Coincide(left=first_name, right=second_name):
                pair = [block.nodes_by_key.get(frame.key(name.text)) for name in (first_name, second_name)]
                if any(node in block.own_nodes for node in pair):
                    block.may_coincide.add(frozenset(node for node in pair if node is not None))
            case nodes.TupleMember():
                block.conditions += _tuple_conditions(clause, frame, block)
            case nodes.AttributeComparison():
                left, right = block.named(frame, clause.left.node, clause.right.node)
                block.conditions.append(_comparison_condition(clause, left, right))
            case nodes.SumComparison():
                block.conditions.append(_sum_condition(clause, frame, block))
            case nodes.SentenceTest(test=test):
                block.conditions.append(ir.SentenceTested(lower_test(test, frame, "sentence")))
            case CallArgument() | nodes.Without() | nodes.Count():
                pass  # bound before, or lowered after the block's own clauses
            case nodes.Either() | nodes.Maybe() | nodes.Call():
                raise AssertionError("not expanded")
            case _:
                assert_never(clause)

    def _lower_node(self, term: nodes.NodeTerm, frame: Frame, block: _Block) -> ir.Node:
        if term.name is None:
            node = self._new_node(id(term), frame)
            block.own_nodes.append(node)
        else:
            node = block.nodes_by_key[frame.key(term.name.text)]
        if term.upos:
            block.conditions.append(ir.Tested(node, upos_test(term.upos, frame)))
        if term.test is not None:
            block.conditions.append(ir.Tested(node, lower_test(term.test, frame, "word")))
        return node

    def _add_relation(
        self, relation: nodes.Relation, left: ir.Node, right: ir.Node, frame: Frame, block: _Block
    ) -> None:
        match relation:
            case nodes.Edge(labels=labels, from_dependent=from_dependent, enhanced=enhanced):
                head, dependent = (right, left) if from_dependent else (left, right)
                lowered = lower_labels(labels, frame)
                block.conditions += (
                    [ir.EnhancedEdge(head, dependent, lowered)]
                    if enhanced
                    else _edge_conditions(head, dependent, lowered)
                )
            case nodes.Path(labels=labels, bounds=bounds):
                low, high = _range(bounds)
                if low == 0 and (left in block.own_nodes or right in block.own_nodes):
                    block.may_coincide.add(frozenset((left, right)))
                path = ir.Dominates(left, right, low, high)
                block.conditions += self._path_conditions(path, lower_labels(labels, frame), (id(relation), frame))
            case nodes.Next():
                block.conditions.append(ir.Precedes(left, right, 1, 1))
            case nodes.Before(bounds=bounds):
                block.conditions.append(ir.Precedes(left, right, *_range(bounds)))
            case nodes.Siblings():
                block.conditions.append(ir.Siblings(left, right))
            case _:
                assert_never(relation)

    def _path_conditions(self, path: ir.Dominates, labels: ir.Labels | None, origin: Origin) -> list[ir.Condition]:
        if path.low == path.high == 1:
            return _edge_conditions(path.above, path.below, labels)
        if labels is None or path.high == 0:
            return [path]
        step = self._new_node(*origin)  # a word on the path that lacks the label; it may coincide with any other node
        unlabelled_step = ir.Conjunction(
            (step,),
            (
                ir.Dominates(path.above, step, 1, None),
                ir.Dominates(step, path.below, 0, None),
                ir.Tested(step, ir.Not(ir.Bears(labels))),
            ),
        )
        return [path, ir.Without((unlabelled_step,))]


def _edge_conditions(head: ir.Node, dependent: ir.Node, labels: ir.Labels | None) -> list[ir.Condition]:
    test = [] if labels is None else [ir.Tested(dependent, ir.Bears(labels))]
    return [ir.Edge(head, dependent), *test]


def _range(bounds: nodes.Bounds | None) -> tuple[int, int | None]:
    if bounds is None:
        return 1, None
    return (1 if bounds.low is None else bounds.low), bounds.high


def _tuple_conditions(clause: nodes.TupleMember, frame: Frame, block: _Block) -> list[ir.Condition]:
    """Lower a tuple membership test. Also test each word on its own, which makes the search faster."""
    tuple_nodes = tuple(block.named(frame, *(side.node for side in clause.attributes)))
    attributes = tuple(string_attribute(side.attribute, "word") for side in clause.attributes)
    rows = tuple(sorted(set(frame.list_values(clause.values))))
    condition = ir.InRows(tuple_nodes, attributes, rows, clause.negated)
    if clause.negated:
        return [condition]
    columns = zip(*(row.split(TAB) for row in rows), strict=True) if rows else ((),) * len(tuple_nodes)
    words = zip(tuple_nodes, attributes, columns, strict=True)
    tests = (ir.Tested(node, ir.OneOf(attribute, tuple(sorted(set(column))))) for node, attribute, column in words)
    return [*tests, condition]


def _comparison_condition(clause: nodes.AttributeComparison, left: ir.Node, right: ir.Node) -> ir.Condition:
    attributes = clause.left.attribute, clause.right.attribute
    op = cast("ir.Comparison", clause.op)
    match [number_column(attribute, "word") or string_attribute(attribute, "word") for attribute in attributes]:
        case [ir.NumberColumn() as left_column, ir.NumberColumn() as right_column]:
            return ir.NumbersCompare(left, left_column, op, right, right_column)
        case [left_value, right_value] if op not in ("=", "!="):
            return ir.Ordered(left, left_value, op, right, right_value)
    left_text, right_text = (string_attribute(attribute, "word") for attribute in attributes)
    return ir.Shares(left, left_text, right, right_text, op == "!=")


def _sum_condition(clause: nodes.SumComparison, frame: Frame, block: _Block) -> ir.SumCompares:
    normal = normal_sum(clause)
    terms: list[tuple[int, ir.Measure]] = []
    for measured, factor in normal.factors.items():
        first, *others = sorted(block.nodes_by_key[frame.key(name)] for name in measured)
        terms.append((factor, ir.Distance(first, *others) if others else ir.SubtreeLength(first)))
    return ir.SumCompares(tuple(terms), cast("ir.Comparison", normal.op), normal.number)


def _lower_actions(definition: nodes.FilterDef, names: list[str]) -> Iterator[ir.Action]:
    for action in definition.actions:
        indices = tuple(names.index(name.text) for name in action.target.nodes)
        replacement = None
        if action.verb == "mask" and action.tag is None:
            replacement = MASK if action.replacement is None else action.replacement.text
        verb, kind = cast("ir.Verb", action.verb), cast("ir.TargetKind", action.target.kind)
        yield ir.Action(verb, kind, indices, replacement, action.tag)
    if not definition.actions:
        yield ir.Action("remove", "sentence", (), None, None)
