"""Emit a plan as one SELECT over the tables of a store: each step is a common table expression (CTE)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

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
    condition_nodes,
    inputs,
    presence_checks,
    provided_columns,
)
from fictdsl.plan.passes import alternatives
from fictdsl.schema import FEATURE_PREFIX, PLAIN, Layout
from fictdsl.semantics import ir
from fictdsl.sql.conditions import condition_sql, conjuncts, has_subquery, label_sql
from fictdsl.sql.fragments import (
    NeighbourRow,
    Row,
    StatementBuilder,
    TableRow,
    aliased,
    all_of,
    column,
    columns,
    equal_columns,
    neighbour_exists,
    select,
    subquery,
    table,
    union,
)
from fictdsl.sql.paths import paths_query, phrase_table
from fictdsl.sql.statement import DIALECTS, CommonTableExpression, Select, Statement, quoted, with_clause

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True)
class _ColumnRow:
    alias: str
    node: ir.Node
    writer: PlanWriter
    sort_column: None = None

    def column(self, column_name: str) -> str:
        return column(self.alias, "sid" if column_name == "sid" else self.writer.label((self.node, column_name)))


class PlanWriter:
    """Writes one plan. All aliases are generated, never names of a filter. If `flat`, CTEs are never nested."""

    def __init__(self, plan: Plan, dialect: str, layout: Layout = PLAIN, *, flat: bool = False) -> None:
        self._plan = plan
        self.builder = StatementBuilder(DIALECTS[dialect], layout)
        self._labels: dict[str, str] = {}
        self._provided: list[set[NodeColumn]] = []
        self._uses = [0] * len(plan.relations)
        self._inlined = [isinstance(each, TokenScan | RowScan) and not each.materialized for each in plan.relations]
        for relation in plan.relations:
            for ref in inputs(relation):
                self._uses[ref] += 1
                self._inlined[ref] &= isinstance(relation, Join)
        for output in plan.outputs:
            self._inlined[output.source] = False
        self._outputs_by_step = _outputs_by_step(plan) if self.builder.dialect.nested and not flat else {}
        self._nested_ctes: dict[Output, list[CommonTableExpression]] = {output: [] for output in plan.outputs}

    def label(self, node_column: NodeColumn) -> str:
        """Return the generated name of a column: `n3_head` of node 3 (`n3_f0` for a feature), `e3_head` of edge -3."""
        node, name = node_column
        if name.startswith(FEATURE_PREFIX):
            name = self._labels.setdefault(name, f"f{len(self._labels)}")
        return f"e{-node}_{name}" if node < 0 else f"n{node}_{name}"

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
                query = self._relation(relation, ctes)
                is_small_scan = isinstance(relation, TokenScan | RowScan) and relation.materialized
                materialized = is_small_scan or self._uses[step] > 1 or isinstance(relation, Grouped)
                self.builder.add(f"r{step}", query, materialized=materialized, ctes=ctes)

    def inlined(self) -> Iterator[tuple[Ref, str]]:
        for step, relation in enumerate(self._plan.relations):
            if self._inlined[step]:
                yield step, self._relation(relation, self.builder.ctes)

    def result(self, name_count: int) -> str:
        """Return the union of the readings with the words of the first `name_count` names, sorted and distinct."""
        outputs = union(self._output(output, name_count) for output in self._plan.outputs)
        names = columns("u", "sid", *(f"m{index}" for index in range(name_count)))
        order = ", ".join(f"{name} NULLS FIRST" for name in names)
        return f"{select(names, subquery(outputs, 'u'), distinct=True)} ORDER BY {order}"

    def _output(self, output: Output, name_count: int) -> str:
        word_ids = (
            "CAST(NULL AS INT)" if node is None else column("t", self.label((node, "id")))
            for node in output.bound[:name_count]
        )
        values = [column("t", "sid"), *(aliased(value, f"m{index}") for index, value in enumerate(word_ids))]
        query = select(values, table(f"r{output.source}", "t"))
        definitions = (cte.definition for cte in self._nested_ctes[output])
        nested = with_clause(definitions, recursive=self.builder.recursive)
        return f"({nested}{query})" if nested else query

    def _relation(self, relation: Relation, ctes: list[CommonTableExpression]) -> str:
        match relation:
            case TokenScan() | EdgeScan() | SentenceScan():
                return self._scan(relation)
            case RowScan():
                return self._row_scan(relation)
            case Paths(edge=edge, source=source, node=node):
                ends = self.label((edge, "head")), self.label((edge, "dep"))
                return paths_query(relation, f"r{source}", self.label((node, "id")), ends, self.builder, ctes)
            case Join():
                return self._join(relation)
            case SemiJoin(source=source, other=other, nodes=nodes):
                return self._semi_join(source, other, nodes, "SEMI")
            case AntiJoin(source=source, other=other, nodes=nodes):
                return self._semi_join(source, other, nodes, "ANTI")
            case Grouped():
                return self._grouped(relation)

    def _scan(self, scan: TokenScan | EdgeScan | SentenceScan) -> str:
        match scan:
            case TokenScan(node=node, tests=(ir.Phrase(values=values, lower=lower),), columns=("id",)) if values:
                row = TableRow("t", self.builder)  # the phrase table already lists the words
                phrases = table(phrase_table(values, lower=lower, builder=self.builder), "t")
                return select([row.column("sid"), *self._columns({node: row}, ((node, "id"),))], phrases)
            case TokenScan():
                return union(map(self._scan_rows, alternatives(scan, self.builder.layout)))
        return self._scan_rows(scan)

    def _scan_rows(self, scan: TokenScan | EdgeScan | SentenceScan) -> str:
        row, raw, values = TableRow("t", self.builder), self.builder.layout.raw, list[str]()
        match scan:
            case TokenScan(node=node, columns=names):
                table_name, row = self._words(scan, "t")
                values = self._columns({node: row}, [(node, name) for name in names])
            case EdgeScan(edge=edge):
                table_name = "tokens" if raw else "enhanced"
                values = self._columns({edge: row}, ((edge, "head"), (edge, "dep")))
            case SentenceScan():
                table_name = "tokens" if raw else "sentences"
        has_duplicates = isinstance(scan, EdgeScan) or (raw and isinstance(scan, SentenceScan))
        source, tests = table(table_name, "t"), self._scan_tests(scan, row)
        return select([row.column("sid"), *values], source, *tests, distinct=has_duplicates)

    def _scan_tests(self, scan: TokenScan | EdgeScan | SentenceScan, row: Row) -> list[str]:
        match scan:
            case EdgeScan(labels=labels):
                return [] if labels is None else [label_sql(labels, row.column("label"), self.builder)]
            case TokenScan(tests=tests) | SentenceScan(tests=tests):
                return conjuncts(tests, row, self.builder)

    def _row_scan(self, scan: RowScan) -> str:
        table_name, rows = self._neighbour_rows(scan, "t")
        values = [rows[scan.node].column("sid"), *self._columns(rows, scan.keeps)]
        return select(values, table(table_name, "t"), *self._neighbour_tests(scan, rows))

    def _words(self, scan: TokenScan | RowScan, alias: str) -> tuple[str, TableRow]:
        copy = sorted_copy(scan, self.builder.layout)
        if copy is None:
            return "tokens", TableRow(alias, self.builder)
        return copy.table, TableRow(alias, self.builder, copy.by)

    def _neighbour_rows(self, scan: RowScan, alias: str) -> tuple[str, dict[ir.Node, Row]]:
        table_name, row = self._words(scan, alias)
        neighbours = {node: NeighbourRow(row, neighbour) for node, neighbour in scan.neighbours}
        return table_name, {scan.node: row, **neighbours}

    def _neighbour_tests(self, scan: RowScan, rows: dict[ir.Node, Row]) -> list[str]:
        conditions: list[str] = []
        for condition in scan.conditions:
            match condition:
                case ir.Tested(node=node, test=test):
                    conditions += conjuncts([test], rows[node], self.builder)
                case _:
                    conditions.append(condition_sql(condition, rows, self.builder))
        return conditions + [neighbour_exists(rows[scan.node], neighbour) for neighbour in presence_checks(scan)]

    def _columns(self, rows: Mapping[ir.Node, Row], node_columns: Iterable[NodeColumn]) -> list[str]:
        return [aliased(rows[node].column(name), self.label((node, name))) for node, name in node_columns]

    def _join(self, join: Join) -> str:
        rows: dict[ir.Node, Row] = {}
        source = ""
        remaining = list(join.conditions)
        where_conditions: list[str] = []
        for position, ref in enumerate(join.inputs):
            alias = f"j{position}"
            input_table, input_rows, tests = self._source(ref, alias)
            rows |= input_rows
            join_conditions = equal_columns(["sid"], alias, "j0") if position else []
            for condition in [each for each in remaining if condition_nodes(each) <= rows.keys()]:
                remaining.remove(condition)
                in_where = has_subquery(condition) or not position
                sql = condition_sql(condition, rows, self.builder)
                (where_conditions if in_where else join_conditions).append(sql)
            where_conditions += tests
            source += f" JOIN {input_table} ON {all_of(join_conditions)}" if position else input_table
        if remaining:
            raise AssertionError("a condition of a join refers to a node that no input binds")
        values = [column("j0", "sid"), *self._columns(rows, join.keeps)]
        return select(values, source, *where_conditions)

    def _source(self, ref: Ref, alias: str) -> tuple[str, Mapping[ir.Node, Row], list[str]]:
        relation = self._plan.relations[ref]
        if self._inlined[ref] and isinstance(relation, TokenScan):
            table_name, row = self._words(relation, alias)
            return table(table_name, alias), {relation.node: row}, self._scan_tests(relation, row)
        nodes = {node for node, _ in self._provided[ref]}
        if self._inlined[ref] and isinstance(relation, RowScan):
            table_name, rows = self._neighbour_rows(relation, alias)
            tests = self._neighbour_tests(relation, rows)
            return table(table_name, alias), {node: rows[node] for node in nodes}, tests
        return table(f"r{ref}", alias), {node: _ColumnRow(alias, node, self) for node in nodes}, []

    def _semi_join(self, source: Ref, other: Ref, nodes: tuple[ir.Node, ...], kind: str) -> str:
        names = ["sid", *(self.label(node_column) for node_column in sorted(self._provided[source]))]
        same_words = all_of(equal_columns(["sid", *self._ids(nodes)], "l", "r"))
        join = f"{table(f'r{source}', 'l')} {kind} JOIN {table(f'r{other}', 'r')} ON {same_words}"
        return select(columns("l", *names), join)

    def _ids(self, nodes: Iterable[ir.Node]) -> list[str]:
        return [self.label((node, "id")) for node in nodes]

    def _grouped(self, grouped: Grouped) -> str:
        keys = ["sid", *self._ids(grouped.nodes)]
        counted_words = union(
            select(
                [*columns("t", *keys), aliased(column("t", self.label((node, "id"))), "counted")], table(f"r{ref}", "t")
            )
            for ref, node in grouped.sources
        )
        count = f"COUNT(DISTINCT {column('u', 'counted')})"
        bounds = [f"{count} >= {grouped.low}", *([] if grouped.high is None else [f"{count} <= {grouped.high}"])]
        values = columns("u", *keys)
        query = select(values, subquery(counted_words, "u"))
        return f"{query} GROUP BY {', '.join(values)} HAVING {all_of(bounds)}"


def _outputs_by_step(plan: Plan) -> dict[Ref, Output]:
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


# --- statements

_REFERENCE = re.compile(r"""'[^']*'|(?:FROM|JOIN) "([^"]+)\"""")  # a literal, or a reference to a table or CTE


def _references(text: str) -> Iterator[str]:
    return (match[1] for match in _REFERENCE.finditer(text) if match[1])


def emit(plan: Plan, names: tuple[str, ...], dialect: str = "duckdb", layout: Layout = PLAIN) -> Statement:
    """Emit a plan of a filter with these node names. All aliases are generated: the names never become identifiers."""
    writer = PlanWriter(plan, dialect, layout)
    writer.write_steps()
    results = writer.result(plan.name_count), writer.result(0)
    features = () if layout.raw else tuple(sorted(writer.builder.features))
    tables = _tables(writer, results)
    ctes: dict[str, CommonTableExpression] = {}
    if writer.builder.recursive or dialect != "duckdb":
        statement = translated(writer.builder.with_clause + results[0], dialect)
        first, second = (translated(result, dialect) for result in results)
        results = statement, statement.removesuffix(first) + second
    else:
        for cte in writer.builder.ctes:
            ctes[cte.name] = _with_key(cte, ctes)
    matches, matching_sentences = (Select(result, _ctes_read(result, ctes)) for result in results)
    return Statement(names, features, tables, dialect, matches, matching_sentences, tuple(ctes.values()))


def _tables(writer: PlanWriter, results: Iterable[str], inlined: Iterable[str] = ()) -> tuple[str, ...]:
    queries = (*(cte.query for cte in writer.builder.ctes), *results, *inlined)
    return tuple(sorted({name for query in queries for name in _references(query)} - writer.builder.names))


def _ctes_read(query: str, ctes: dict[str, CommonTableExpression]) -> tuple[str, ...]:
    names_read = set(_references(query))
    return tuple(name for name in ctes if name in names_read)


def _with_key(cte: CommonTableExpression, earlier: dict[str, CommonTableExpression]) -> CommonTableExpression:
    def with_key(reference: re.Match[str]) -> str:
        return (
            reference[0].replace(reference[1], earlier[reference[1]].key) if reference[1] in earlier else reference[0]
        )

    key = sha256(_REFERENCE.sub(with_key, cte.query).encode()).hexdigest()
    return replace(cte, reads=_ctes_read(cte.query, earlier), key=key)


def translated(text: str, dialect: str, *, pretty: bool = False) -> str:
    """Translate a statement from DuckDB's dialect to another; with `pretty`, break it into indented lines."""
    if dialect == "duckdb" and not pretty:
        return text
    from sqlglot import exp, parse_one

    statement = parse_one(text, dialect="duckdb")

    def adapted(part: exp.Expression) -> exp.Expression:
        match part:
            case exp.Ordered() if dialect != "duckdb":  # Spark's default; an id that is not bound is NULL
                part.set("nulls_first", True)
            case exp.TryCast() if dialect != "duckdb":  # a plain CAST does the same in Spark
                return exp.Cast(this=part.this, to=part.args["to"])
            case exp.ArrayOverlaps():  # not the operator `&&`
                return exp.Anonymous(this=DIALECTS[dialect].overlap, expressions=[part.this, part.expression])
        return part

    return str(statement.transform(adapted, copy=False).sql(dialect, identify=True, comments=False, pretty=pretty))


def pretty(plan: Plan, dialect: str, layout: Layout = PLAIN) -> str:
    writer = PlanWriter(plan, dialect, layout)
    writer.write_steps()
    definitions = writer.builder.with_clause
    return translated(definitions + writer.result(plan.name_count), dialect, pretty=True)


@dataclass(frozen=True, slots=True)
class StepQuery:
    """A SELECT over the tables of a store and over earlier queries, by name.

    `step` is the relation of the plan that it computes, or None for an auxiliary query. `name` is None for a step that
    is inlined in a join, so that no later query reads it.
    """

    text: str
    name: str | None
    step: Ref | None


def step_queries(plan: Plan, layout: Layout = PLAIN) -> tuple[tuple[StepQuery, ...], Statement]:
    """Return the steps, and the statement over their results. Its tables and features include those of the steps."""
    writer = PlanWriter(plan, "duckdb", layout, flat=True)
    writer.write_steps()
    results = writer.result(plan.name_count), writer.result(0)
    inlined = dict(writer.inlined())
    queries = [StepQuery(cte.query, cte.name, _step_of(cte.name)) for cte in writer.builder.ctes]
    queries += [StepQuery(query, None, step) for step, query in inlined.items()]
    names = tuple(f"m{index}" for index in range(plan.name_count))
    tables, features = _tables(writer, results, inlined.values()), tuple(sorted(writer.builder.features))
    return tuple(queries), Statement(names, features, tables, "duckdb", Select(results[0]), Select(results[1]))


def _step_of(name: str) -> Ref | None:
    return int(name[1:]) if name[0] == "r" and name[1:].isdecimal() else None


@dataclass(frozen=True, slots=True)
class Targets:
    """Two SELECTs over `matches`, the result of the filter's statement, each returning distinct rows, sorted.

    `distinct` returns a row for each target of `action`. Its columns are `sid`, and `t0` for a node or the top word of
    a subtree, or `t0` and `t1` for the first and the last word of a span. `words` returns the `sid, id` of all words in
    the targets, and also reads `tokens`.
    """

    action: ir.Action
    distinct: str
    words: str


def targets(action: ir.Action, dialect: str = "duckdb") -> Targets:
    order = ", ".join(map(quoted, ("sid", *(f"t{index}" for index in range(len(action.nodes))))))
    distinct = f"{_target_rows(action)} ORDER BY {order}"
    return Targets(action, translated(distinct, dialect), translated(_words(action), dialect))


def pretty_targets(action: ir.Action, dialect: str) -> str:
    return translated(_words(action), dialect, pretty=True)


def _target_rows(action: ir.Action) -> str:
    ids = columns("m", *(f"m{index}" for index in action.nodes))
    if action.target == "span":
        ids = [f"{function}({', '.join(ids)})" for function in ("LEAST", "GREATEST")]
    target_columns = [aliased(value, f"t{index}") for index, value in enumerate(ids)]
    return select([column("m", "sid"), *target_columns], table("matches", "m"), distinct=True)


def _words(action: ir.Action) -> str:
    sid, word_id, position = columns("w", "sid", "id", "pre")
    target_sid, first_id, last_id = columns("a", "sid", "t0", "t1")
    source, conditions = subquery(_target_rows(action), "a"), [f"{sid} = {target_sid}"]
    match action.target:
        case "sentence":
            pass
        case "node":
            conditions.append(f"{word_id} = {first_id}")
        case "span":
            conditions.append(f"{word_id} BETWEEN {first_id} AND {last_id}")
        case "subtree":
            top_sid, top_id, low, high = columns("x", "sid", "id", "pre", "last")
            is_top_word = all_of([f"{top_sid} = {target_sid}", f"{top_id} = {first_id}"])
            source += f" JOIN {table('tokens', 'x')} ON {is_top_word}"
            conditions.append(f"{position} BETWEEN {low} AND {high}")
    words = select([sid, word_id], f"{source} JOIN {table('tokens', 'w')} ON {all_of(conditions)}", distinct=True)
    return f"{words} ORDER BY {sid}, {word_id}"
