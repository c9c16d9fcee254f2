"""Check tests, values and relations (FICT3xx), and the limits of filters (FICT4xx)."""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.glossary.attributes import Kind
from fictdsl.semantics.check.attributes import full_name, kind_of
from fictdsl.semantics.check.check_rewrites import check_action
from fictdsl.semantics.check.check_tests import Context, check_attribute, check_test
from fictdsl.semantics.check.limits import MAX_MEASURES, check_limits
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.sums import normal_sum
from fictdsl.semantics.walk import block_of, clauses, definitions, family_of, links, measures, tests
from fictdsl.syntax import nodes


def check(resolution: Resolution) -> list[Diagnostic]:
    """Check the resolved module and the modules it uses.

    Unresolved names are skipped, since they have been reported. Limits are checked only if there are no errors.
    """
    diagnostics: list[Diagnostic] = []
    for module in resolution.modules:
        for definition in definitions(module.file):
            context = Context(module, resolution, family_of(definition))
            for action in definition.actions if isinstance(definition, nodes.RewriteDef) else ():
                diagnostics += check_action(action, context)
            for clause in clauses(block_of(definition)):
                diagnostics += _check_clause(clause, context)
    if not diagnostics and not resolution.diagnostics:
        diagnostics += check_limits(resolution)
    return diagnostics


def _check_clause(clause: nodes.Clause, context: Context) -> Iterator[Diagnostic]:
    for test, level in tests(clause):
        yield from check_test(test, level, context)
    for _, link in links(clause):
        if isinstance(link.relation, nodes.Path | nodes.Before) and link.relation.bounds is not None:
            yield from _check_bounds(link.relation, link.relation.bounds, context)
    if isinstance(clause, nodes.Count) and clause.quantifier == "at least" and clause.number == 0:
        hint = "write `at least 1` for at least one, or `exactly 0` for none"
        yield diagnostic("FICT316", context.module.source, clause.span, hint=hint)
    if isinstance(clause, nodes.TupleMember):
        for side in clause.attributes:
            yield from _check_tuple_attribute(side, context)
    if isinstance(clause, nodes.AttributeComparison):
        yield from _check_comparison(clause, context)
    if isinstance(clause, nodes.SumComparison):
        yield from _check_sums(clause, context)


def _check_bounds(relation: nodes.Path | nodes.Before, bounds: nodes.Bounds, context: Context) -> Iterator[Diagnostic]:
    low = 1 if bounds.low is None else bounds.low
    source = context.module.source
    if bounds.high is not None and low > bounds.high:
        parameters = {"low": str(low), "high": str(bounds.high)}
        if bounds.low is None:
            hint = "`{..n}` begins at 1"
        elif bounds.high == 0 and isinstance(relation, nodes.Before):
            hint = f"a distance is at least 1: `{{1..{low}}}`"
        else:
            hint = f"swap the bounds: `{{{bounds.high}..{low}}}`"
        yield diagnostic("FICT314", source, bounds.span, hint=hint, labels=(), fix=None, **parameters)
    elif low == 0 and isinstance(relation, nodes.Before):
        yield diagnostic("FICT315", source, bounds.span, relation="<<")


def _check_sums(clause: nodes.SumComparison, context: Context) -> Iterator[Diagnostic]:
    normal, source = normal_sum(clause), context.module.source
    if not normal.factors:
        yield diagnostic("FICT323", source, clause.span, outcome="true" if normal.truth() else "false")
    if len(list(measures(clause))) > MAX_MEASURES:
        yield diagnostic("FICT411", source, clause.span, limit=MAX_MEASURES)


def _check_tuple_attribute(side: nodes.NodeAttribute, context: Context) -> Iterator[Diagnostic]:
    problems = list(check_attribute(side.attribute, "word", context))
    yield from problems
    if not problems and kind_of(side.attribute, "word") in (Kind.NUMBER, Kind.PHRASE):
        yield diagnostic("FICT320", context.module.source, side.span, attribute=full_name(side.attribute))


def _check_comparison(clause: nodes.AttributeComparison, context: Context) -> Iterator[Diagnostic]:
    source = context.module.source
    sides = (clause.left, clause.right)
    problems = [problem for side in sides for problem in check_attribute(side.attribute, "word", context)]
    for side in sides:
        if side.attribute.name == "phrase":
            hint = '`phrase` is compared with values, in the brackets of a node: `X[phrase = "at all"]`'
            problems.append(diagnostic("FICT313", source, side.span, hint=hint))
    yield from problems
    if problems:
        return
    left, right = (full_name(side.attribute) for side in sides)
    kinds = [kind_of(side.attribute, "word") for side in sides]
    are_numbers = [kind is Kind.NUMBER for kind in kinds]
    if are_numbers[0] != are_numbers[1] and clause.op in ("=", "!="):
        types = ["a number" if number else "a string" for number in are_numbers]
        parameters = {"left": left, "right": right, "left_kind": types[0], "right_kind": types[1]}
        yield diagnostic("FICT317", source, clause.span, hint=None, labels=(), fix=None, **parameters)
    if clause.left.attribute.lower != clause.right.attribute.lower:
        yield diagnostic("FICT318", source, clause.span, left=left, right=right)
