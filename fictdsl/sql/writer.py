"""Write the steps of a plan as queries, one common table expression (CTE) each."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from fictdsl.plan.columns import condition_nodes, inputs, presence_checks, provided_columns
from fictdsl.plan.layout_passes import sorted_copy
from fictdsl.plan.nodes import (
    AntiJoin,
    EdgeScan,
    Grouped,
    Join,
    NodeColumn,
    Output,
    Paths,
    Plan,
    Ref,
    Relation,
    RowScan,
    SemiJoin,
    SentenceScan,
    TokenScan,
)
from fictdsl.plan.passes import alternatives
from fictdsl.schema import FEATURE_PREFIX, PLAIN, Layout
from fictdsl.semantics import ir
from fictdsl.sql import fragments
from fictdsl.sql.conditions import Rows, condition_sql, has_subquery
from fictdsl.sql.fragments import Row, StatementBuilder, TableRow
from fictdsl.sql.paths import paths_query, phrase_table
from fictdsl.sql.statement import DIALECTS
from fictdsl.sql.tests import NeighbourRow, conjuncts, label_sql, neighbour_exists


@dataclass(frozen=True)
class _ColumnRow:
    """A word whose columns are in a common table expression."""

    alias: str
    node: ir.Node
    writer: PlanWriter
    sort_column: None = None

    def column(self, name: str) -> exp.Expression:
        if name == "sid":
            return fragments.column(self.alias, "sid")
        return fragments.column(self.alias, self.writer.label((self.node, name)))


@dataclass(frozen=True)
class _JoinRows(Rows):
    """The rows of the inputs of a join, by node."""

    rows: Mapping[ir.Node, Row]

    def word(self, node: ir.Node) -> Row:
        return self.rows[node]


class PlanWriter:
    """Writes one plan. All aliases are generated: node names of a filter never become SQL identifiers.

    If `flat`, CTEs are never nested.
    """

    def __init__(self, plan: Plan, dialect: str, layout: Layout = PLAIN, *, flat: bool = False) -> None:
        self._plan = plan
        self.builder = StatementBuilder(DIALECTS[dialect], layout)
        self._labels: dict[str, str] = {}
        self._provided: list[set[NodeColumn]] = []
        self._uses = [0] * len(plan.relations)
        self._inlined = [_is_inlined(relation) for relation in plan.relations]
        for relation in plan.relations:
            for ref in inputs(relation):
                self._uses[ref] += 1
                self._inlined[ref] &= isinstance(relation, Join)
        for output in plan.outputs:
            self._inlined[output.source] = False
        self._outputs_by_step = _outputs_by_step(plan) if self.builder.dialect.nested and not flat else {}
        self._nested_ctes: dict[Output, list[exp.CTE]] = {output: [] for output in plan.outputs}

    def label(self, node_column: NodeColumn) -> str:
        """Return the generated name of a column: `n3_head` of node 3 (`n3_f0` for a feature), `e3_head` of edge -3."""
        node, column = node_column
        if column.startswith(FEATURE_PREFIX):
            column = self._labels.setdefault(column, f"f{len(self._labels)}")
        return f"e{-node}_{column}" if node < 0 else f"n{node}_{column}"

    def write_steps(self) -> None:
        """Write all steps as common table expressions (CTEs), except scans that are inlined in a join.

        A step that only one of several readings needs is nested in that reading's part of the union, because the
        database's planning time grows faster than linearly in the number of CTEs in one scope.
        """
        for step, relation in enumerate(self._plan.relations):
            self._provided.append(provided_columns(relation, self._provided))
            if not self._inlined[step]:
                owner = self._outputs_by_step.get(step)
                ctes = self.builder.ctes if owner is None else self._nested_ctes[owner]
                query = self._paths(relation, ctes) if isinstance(relation, Paths) else self._relation(relation)
                is_small_scan = isinstance(relation, TokenScan | RowScan) and relation.materialized
                materialized = is_small_scan or self._uses[step] > 1 or isinstance(relation, Grouped)
                self.builder.add(f"r{step}", query, materialized=materialized, ctes=ctes)

    def inlined(self) -> Iterator[tuple[Ref, exp.Expression]]:
        """Yield the scans that are inlined in joins, each as a separate query."""
        for step, relation in enumerate(self._plan.relations):
            if self._inlined[step]:
                yield step, self._relation(relation)

    def result(self, name_count: int) -> exp.Select:
        """Return the union of the readings with the words of the first `name_count` names, sorted and distinct."""
        columns = ["sid", *(f"m{index}" for index in range(name_count))]
        outputs = [self._output(output, name_count) for output in self._plan.outputs]
        union = outputs[0]
        for output in outputs[1:]:
            union = exp.union(union, output, distinct=False, copy=False)
        query = exp.select(*(fragments.column("u", name) for name in columns)).distinct()
        query.from_(exp.Subquery(this=union, alias=exp.TableAlias(this=exp.to_identifier("u"))), copy=False)
        order = (exp.Ordered(this=fragments.column("u", name), nulls_first=True) for name in columns)
        return query.order_by(*order, copy=False)

    def _output(self, output: Output, name_count: int) -> exp.Expression:
        alias = "t"
        word_ids = [
            fragments.null("int") if node is None else fragments.column(alias, self.label((node, "id")))
            for node in output.bound[:name_count]
        ]
        result_columns = [exp.alias_(value, f"m{index}", quoted=True) for index, value in enumerate(word_ids)]
        query = exp.select(fragments.column(alias, "sid"), *result_columns).from_(
            fragments.table(f"r{output.source}", alias), copy=False
        )
        if not self._nested_ctes[output]:
            return query
        query.set("with_", self.builder.with_(self._nested_ctes[output]))
        return query.subquery(copy=False)

    def _relation(self, relation: Relation) -> exp.Expression:
        match relation:
            case TokenScan() | EdgeScan() | SentenceScan():
                return self._scan(relation)
            case RowScan():
                return self._row_scan(relation)
            case Paths():
                return self._paths(relation, self.builder.ctes)
            case Join():
                return self._join(relation)
            case SemiJoin(source=source, other=other, nodes=nodes):
                return self._semi_join(source, other, nodes, "semi")
            case AntiJoin(source=source, other=other, nodes=nodes):
                return self._semi_join(source, other, nodes, "anti")
            case Grouped():
                return self._grouped(relation)

    def _scan(self, scan: TokenScan | EdgeScan | SentenceScan) -> exp.Expression:
        match scan:
            case TokenScan(node=node, tests=(ir.Phrase(values=values, lower=lower),), columns=("id",)) if values:
                row = self._row("t")  # the phrase table already lists the words
                table = phrase_table(values, lower=lower, builder=self.builder)
                columns = [row.column("sid"), self._aliased(row.column("id"), (node, "id"))]
                return exp.select(*columns).from_(fragments.table(table, "t"), copy=False)
            case TokenScan():
                first_query, *other_queries = map(self._scan_rows, alternatives(scan, self.builder.layout))
                return functools.reduce(
                    lambda left, right: exp.union(left, right, distinct=False, copy=False), other_queries, first_query
                )
        return self._scan_rows(scan)

    def _scan_rows(self, scan: TokenScan | EdgeScan | SentenceScan) -> exp.Expression:
        table, row = "tokens", self._row("t")
        if isinstance(scan, TokenScan):
            table, row = self._words(scan, "t")
        elif not self.builder.raw:
            table = _TABLES[type(scan)]
        columns = []
        match scan:
            case TokenScan(node=node, columns=names):
                columns = [self._aliased(row.column(name), (node, name)) for name in names]
            case EdgeScan(edge=edge):
                columns = [self._aliased(row.column(name), (edge, name)) for name in ("head", "dep")]
            case SentenceScan():
                pass
        query = exp.select(row.column("sid"), *columns).from_(fragments.table(table, "t"), copy=False)
        conditions = self._scan_tests(scan, row)
        query = query.where(*conditions, copy=False) if conditions else query
        has_duplicates = isinstance(scan, EdgeScan) or (self.builder.raw and isinstance(scan, SentenceScan))
        return query.distinct(copy=False) if has_duplicates else query

    def _scan_tests(self, scan: TokenScan | EdgeScan | SentenceScan, row: Row) -> list[exp.Expression]:
        match scan:
            case EdgeScan(labels=labels):
                return [] if labels is None else [label_sql(labels, row.column("label"), self.builder)]
            case TokenScan(tests=tests) | SentenceScan(tests=tests):
                return conjuncts(tests, row, self.builder)

    def _row_scan(self, scan: RowScan) -> exp.Expression:
        table, rows = self._neighbour_rows(scan, "t")
        columns = [self._aliased(rows[node].column(name), (node, name)) for node, name in scan.keeps]
        query = exp.select(rows[scan.node].column("sid"), *columns).from_(fragments.table(table, "t"), copy=False)
        return query.where(*self._neighbour_tests(scan, rows), copy=False)

    def _words(self, scan: TokenScan | RowScan, alias: str) -> tuple[str, TableRow]:
        """Return the table that a scan reads (`tokens` or a sorted copy of it) and its row under an alias."""
        copy = sorted_copy(scan, self.builder.layout)
        return ("tokens", self._row(alias)) if copy is None else (copy.table, self._row(alias, copy.by))

    def _row(self, alias: str, sort_column: str = "deprel") -> TableRow:
        return TableRow(alias, self.builder, sort_column)

    def _neighbour_rows(self, scan: RowScan, alias: str) -> tuple[str, dict[ir.Node, Row]]:
        table, row = self._words(scan, alias)
        return table, {scan.node: row, **{node: NeighbourRow(row, neighbour) for node, neighbour in scan.neighbours}}

    def _neighbour_tests(self, scan: RowScan, rows: dict[ir.Node, Row]) -> list[exp.Expression]:
        conditions: list[exp.Expression] = []
        for condition in scan.conditions:
            match condition:
                case ir.Tested(node=node, test=test):
                    conditions += conjuncts([test], rows[node], self.builder)
                case _:
                    conditions.append(condition_sql(condition, _JoinRows(rows), self.builder))
        return conditions + [neighbour_exists(rows[scan.node], neighbour) for neighbour in presence_checks(scan)]

    def _paths(self, paths: Paths, ctes: list[exp.CTE]) -> exp.Expression:
        word = self.label((paths.node, "id"))
        query = paths_query(paths, f"r{paths.source}", word, self.builder, ctes)
        columns = [self._aliased(column, (paths.edge, column.name)) for column in query.expressions[1:]]
        query.set("expressions", [query.expressions[0], *columns])
        return query

    def _aliased(self, value: exp.Expression, node_column: NodeColumn) -> exp.Expression:
        return exp.alias_(value, self.label(node_column), quoted=True)

    def _join(self, join: Join) -> exp.Expression:
        rows: dict[ir.Node, Row] = {}
        applied: set[int] = set()
        query = exp.Select()
        where_conditions: list[exp.Expression] = []
        for position, ref in enumerate(join.inputs):
            alias = f"j{position}"
            table, input_rows, tests = self._source(ref, alias)
            rows |= input_rows
            join_conditions = (
                [exp.EQ(this=fragments.column(alias, "sid"), expression=fragments.column("j0", "sid"))]
                if position
                else []
            )
            for index, condition in enumerate(join.conditions):
                if index in applied or not condition_nodes(condition) <= rows.keys():
                    continue
                applied.add(index)
                sql = condition_sql(condition, _JoinRows(rows), self.builder)
                (where_conditions if has_subquery(condition) or not position else join_conditions).append(sql)
            where_conditions += tests
            query = (
                query.join(table, on=fragments.all_of(join_conditions), copy=False)
                if position
                else query.from_(table, copy=False)
            )
        if len(applied) != len(join.conditions):
            raise AssertionError("a condition of a join refers to a node that no input binds")
        columns = [self._aliased(rows[node].column(name), (node, name)) for node, name in join.keeps]
        query = query.select(fragments.column("j0", "sid"), *columns, copy=False)
        return query.where(*where_conditions, copy=False) if where_conditions else query

    def _source(self, ref: Ref, alias: str) -> tuple[exp.Expression, dict[ir.Node, Row], list[exp.Expression]]:
        """Return an input of a join: its table, the rows of its nodes, and the tests of an inlined scan."""
        relation = self._plan.relations[ref]
        if self._inlined[ref] and isinstance(relation, TokenScan):
            table, row = self._words(relation, alias)
            return fragments.table(table, alias), {relation.node: row}, self._scan_tests(relation, row)
        nodes = {node for node, _ in self._provided[ref]}
        if self._inlined[ref] and isinstance(relation, RowScan):
            table, rows = self._neighbour_rows(relation, alias)
            tests = self._neighbour_tests(relation, rows)
            return fragments.table(table, alias), {node: rows[node] for node in nodes}, tests
        column_rows: dict[ir.Node, Row] = {node: _ColumnRow(alias, node, self) for node in nodes}
        return fragments.table(f"r{ref}", alias), column_rows, []

    def _semi_join(self, source: Ref, other: Ref, nodes: tuple[ir.Node, ...], join_type: str) -> exp.Expression:
        return (
            exp.select(*self._all_columns("l", source))
            .from_(fragments.table(f"r{source}", "l"), copy=False)
            .join(
                fragments.table(f"r{other}", "r"), on=self._same_words("l", "r", nodes), join_type=join_type, copy=False
            )
        )

    def _same_words(self, left: str, right: str, nodes: tuple[ir.Node, ...]) -> exp.Expression:
        names = ["sid", *(self.label((node, "id")) for node in nodes)]
        return fragments.all_of(
            [exp.EQ(this=fragments.column(left, name), expression=fragments.column(right, name)) for name in names]
        )

    def _all_columns(self, alias: str, ref: Ref) -> list[exp.Expression]:
        names = ["sid", *(self.label(node_column) for node_column in sorted(self._provided[ref]))]
        return [fragments.column(alias, name) for name in names]

    def _grouped(self, grouped: Grouped) -> exp.Expression:
        keys = ["sid", *(self.label((node, "id")) for node in grouped.nodes)]
        counted_words = [
            exp.select(
                *(fragments.column("t", name) for name in keys),
                exp.alias_(fragments.column("t", self.label((node, "id"))), "counted", quoted=True),
            ).from_(fragments.table(f"r{ref}", "t"), copy=False)
            for ref, node in grouped.sources
        ]
        union = counted_words[0]
        for query in counted_words[1:]:
            union = exp.union(union, query, distinct=False, copy=False)
        count = exp.Count(this=exp.Distinct(expressions=[fragments.column("u", "counted")]))
        bounds = [exp.GTE(this=count, expression=fragments.integer(grouped.low))]
        if grouped.high is not None:
            bounds.append(exp.LTE(this=count.copy(), expression=fragments.integer(grouped.high)))
        columns = [fragments.column("u", name) for name in keys]
        return (
            exp.select(*columns)
            .from_(exp.Subquery(this=union, alias=exp.TableAlias(this=exp.to_identifier("u"))), copy=False)
            .group_by(*(column.copy() for column in columns), copy=False)
            .having(*bounds, copy=False)
        )


_TABLES: dict[type[Relation], str] = {EdgeScan: "enhanced", SentenceScan: "sentences"}


def _outputs_by_step(plan: Plan) -> dict[Ref, Output]:
    """Return the steps that only one of several outputs needs, each with that output."""
    if len(plan.outputs) == 1:
        return {}
    needing_outputs: list[set[int]] = [set() for _ in plan.relations]
    for index, output in enumerate(plan.outputs):
        needing_outputs[output.source].add(index)
    for step in reversed(range(len(plan.relations))):
        for ref in inputs(plan.relations[step]):
            needing_outputs[ref] |= needing_outputs[step]
    return {
        step: plan.outputs[index]
        for step, (index, *other_outputs) in enumerate(map(tuple, needing_outputs))
        if not other_outputs
    }


def _is_inlined(relation: Relation) -> bool:
    return isinstance(relation, TokenScan | RowScan) and not relation.materialized
