"""Check a module: resolve its names, then check types, values and actions (FICT3xx) and sizes (FICT4xx).

Pattern calls are counted without expanding them: each pattern is measured once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard, cast

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix
from fictdsl.schema import COMPUTED, Kind
from fictdsl.semantics.check_attributes import Context, check_attribute, check_test, kind_of, texts_of
from fictdsl.semantics.resolve import resolve
from fictdsl.semantics.scopes import Resolution, Scopes
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import (
    block_of,
    blocks_of,
    clauses,
    definitions,
    family_of,
    links,
    measures,
    normal_sum,
    simple_tests,
    terms,
    tests,
)

INFLECTED_TAGS = (
    "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "NN", "NNS", "JJ", "JJR", "JJS", "RB", "RBR", "RBS",
)  # fmt: skip
# Entries of MISC that the engine rewrites or drops, because they describe the text.
TEXT_ENTRIES = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "start_char", "end_char", "TokenRange", "Entity")

_LABEL = re.compile(r"[^\s|=]+")
_MISC_VALUE = re.compile(r"[^|\t\r\n]*[^|\s][^|\t\r\n]*")
_MISC_KEY = re.compile(r"[^|=\s]([^|=\t\r\n]*[^|=\s])?")
_LINE = re.compile(r"\S([^\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]*\S)?")


# --- set ------------------------------------------------------------------------------------------


def _check_set(action: nodes.Set, context: Context) -> Iterator[Diagnostic]:
    attribute, value = action.attribute.attribute, action.value
    problems = [*_check_settable(attribute, context), *_check_source(value, context)]
    yield from problems
    if problems:
        return
    match value:
        case nodes.NodeAttribute(attribute=source):
            yield from _check_copy(attribute, source, value.span, context)
        case nodes.Function(argument=argument):
            yield from _check_copy(attribute, argument.attribute, value.span, context)
        case _:
            yield from _check_value(attribute, value, context)


def _check_settable(attribute: nodes.Attribute, context: Context) -> Iterator[Diagnostic]:
    kind = kind_of(attribute, "word")
    is_fixed = attribute.name in ("id", "phrase", "head", *COMPUTED) or attribute.lower or kind is Kind.NUMBER
    key_problem = _key_problem(attribute.key) if attribute.name == "misc" and attribute.key is not None else None
    if is_fixed or key_problem is not None:
        hint = "set the attribute itself; `lower(…)` stands after `=`" if attribute.lower else key_problem
        yield diagnostic("FICT330", context.module.source, attribute.span, hint=hint, attribute=attribute.text())
    else:
        yield from check_attribute(attribute, "word", context)


def _key_problem(key: str) -> str | None:
    if key in TEXT_ENTRIES:
        return "it follows the new text"
    return None if _MISC_KEY.fullmatch(key) else "a key of MISC contains no `=` and no `|`, and no space at its ends"


def _check_source(value: nodes.Atom | nodes.NodeAttribute | nodes.Function, context: Context) -> Iterator[Diagnostic]:
    if isinstance(value, nodes.NodeAttribute):
        yield from check_attribute(value.attribute, "word", context)
    if not isinstance(value, nodes.Function):
        return
    attribute, source = value.argument.attribute, context.module.source
    yield from check_attribute(attribute, "word", context)
    expected = "lemma" if value.name == "inflect" else "form or lemma"
    if attribute.text() not in expected.split(" or "):
        yield diagnostic("FICT331", source, attribute.span, function=value.name, expected=f"the {expected}")
    if value.tag is not None and value.tag.text not in INFLECTED_TAGS:
        hint = f"the tags are {', '.join(INFLECTED_TAGS)}"
        upper = value.tag.text.upper()
        fix = Fix(value.tag.span, upper) if upper in INFLECTED_TAGS else None
        yield diagnostic("FICT332", source, value.tag.span, hint=hint, fix=fix, tag=value.tag.text)


def _check_copy(target: nodes.Attribute, source: nodes.Attribute, span: Span, context: Context) -> Iterator[Diagnostic]:
    if not _may_be_copied(target, source):
        yield diagnostic("FICT333", context.module.source, span, target=target.text(), origin=source.text())


def _may_be_copied(target: nodes.Attribute, source: nodes.Attribute) -> bool:
    """Return whether `target` may be copied from `source`. FICT333 lists the allowed pairs."""
    target_kind, source_kind = kind_of(target, "word"), kind_of(source, "word")
    if source_kind in (Kind.NUMBER, Kind.PHRASE) or source.name in COMPUTED:
        return False
    if target_kind is Kind.FEATURE:
        return source_kind is Kind.FEATURE
    if target.name in ("form", "lemma"):
        return source.name in ("form", "lemma", "misc")
    return target.name in ("misc", source.name)


def _check_value(attribute: nodes.Attribute, value: nodes.Atom, context: Context) -> Iterator[Diagnostic]:
    kind = kind_of(attribute, "word")
    column = "feature" if kind is Kind.FEATURE else attribute.name
    for text, description in texts_of(value, context):
        is_absent = text == "_" and not (isinstance(value, nodes.Value) and value.quoted)
        if (is_absent and column == "form") or (not is_absent and not _WRITABLE[column].fullmatch(text)):
            name = attribute.text()
            value_text = description if text else "an empty string"
            yield diagnostic("FICT334", context.module.source, value.span, value=value_text, attribute=name)


_WRITABLE = {
    "form": _LINE,
    "lemma": _LINE,
    "upos": _LABEL,
    "xpos": re.compile(r"\S+"),
    "deprel": _LABEL,
    "feature": re.compile(r"[A-Za-z0-9]+(,[A-Za-z0-9]+)*"),
    "misc": _MISC_VALUE,
}


# --- insert ---------------------------------------------------------------------------------------


def _check_insert(action: nodes.Insert, context: Context) -> Iterator[Diagnostic]:
    source = context.module.source
    form = nodes.Attribute("form", None, False, span=action.word.span)
    yield from _check_value(form, action.word, context)
    label = nodes.Attribute("deprel", None, False, span=action.label.span)
    yield from _check_value(label, action.label, context)
    for text, _ in texts_of(action.label, context):
        if text == "root":
            yield diagnostic("FICT336", source, action.label.span)
    assigned: set[str] = set()
    for test in _conjuncts(action.test):
        if not _is_assignment(test) or test.attribute.text() in assigned:
            yield diagnostic("FICT335", source, test.span)
            continue
        assigned.add(test.attribute.text())
        problems = list(_check_settable(test.attribute, context))
        yield from problems or _check_value(test.attribute, cast("nodes.Atom", test.values[0]), context)


def _conjuncts(test: nodes.Test | None) -> tuple[nodes.Test, ...]:
    if test is None:
        return ()
    return test.tests if isinstance(test, nodes.And) else (test,)


def _is_assignment(test: nodes.Test) -> TypeGuard[nodes.Compare]:
    if not isinstance(test, nodes.Compare) or test.op != "=" or len(test.values) != 1:
        return False
    return not isinstance(test.values[0], nodes.RegexValue) and test.attribute.name not in ("form", "deprel")


MAX_NODES = 32
MAX_DEPTH = 64
MAX_MEASURES = 32  # of one comparison, so that no engine's integers overflow
MAX_FAMILY = 256
MAX_FAMILY_TESTS = 50_000  # tests of all members of a family, which are compiled separately


@dataclass(frozen=True, slots=True)
class Size:
    nodes: int
    depth: int


def check_limits(resolution: Resolution) -> Iterator[Diagnostic]:
    measure = Measure(resolution)
    for module in resolution.modules:
        for definition in module.file.items:
            if not isinstance(definition, nodes.FilterDef | nodes.RewriteDef):
                continue
            yield from _check_family(module.source, definition)
            size = measure.size_of(definition)
            name = definition.name
            if size.nodes > MAX_NODES:
                hint = "split it into several filters"
                parameters = {"name": name.text, "count": str(size.nodes), "limit": str(MAX_NODES)}
                yield diagnostic("FICT402", module.source, name.span, hint=hint, labels=(), fix=None, **parameters)
            if size.depth > MAX_DEPTH:
                what = f"the blocks of `{name.text}`, including its patterns,"
                yield diagnostic("FICT403", module.source, name.span, what=what, limit=MAX_DEPTH)


def _check_family(source: Source, definition: nodes.Query) -> Iterator[Diagnostic]:
    if definition.family is None:
        return
    count = len(definition.family.values)
    test_count = sum(1 for clause in clauses(definition.match) for test, _ in tests(clause) for _ in simple_tests(test))
    limit = min(MAX_FAMILY, max(1, MAX_FAMILY_TESTS // max(1, test_count)))
    if count > limit:
        size_note = f" for a filter of {test_count} tests" if limit < MAX_FAMILY else ""
        yield diagnostic(
            "FICT410", source, definition.name.span, name=definition.name.text, count=count, limit=limit, size=size_note
        )


class Measure:
    """The sizes of filters and patterns, cached. Requires that no pattern is recursive."""

    def __init__(self, resolution: Resolution) -> None:
        self._resolution = resolution
        self._sizes: dict[int, Size] = {}

    def size_of(self, definition: nodes.PatternDef | nodes.Query) -> Size:
        """Return the size of a filter, or of a pattern without its parameters, which are nodes of the caller."""
        stack: list[nodes.PatternDef | nodes.Query] = [definition]  # not recursive, as chains of calls may be long
        while stack:
            unmeasured = [callee for callee in self._resolution.callees(stack[-1]) if id(callee) not in self._sizes]
            if unmeasured:
                stack += unmeasured
            else:
                measured = stack.pop()
                self._sizes[id(measured)] = self._measured(measured)
        return self._sizes[id(definition)]

    def _measured(self, definition: nodes.PatternDef | nodes.Query) -> Size:
        size = self._block_size(block_of(definition), self._resolution.scopes(definition))
        parameters = len(definition.parameters) if isinstance(definition, nodes.PatternDef) else 0
        return Size(size.nodes - parameters, size.depth)

    def _block_size(self, block: nodes.Block, scopes: Scopes) -> Size:
        count, depth = len(scopes.of(block).owned), 0
        for clause in block.clauses:
            count += sum(term.name is None for term in terms(clause))
            inner_sizes = [self._block_size(inner_block, scopes) for inner_block in blocks_of(clause)]
            if isinstance(clause, nodes.Either):
                count -= sum(len(scopes.of(inner_block).owned) for inner_block in clause.branches)
                count += len({name for inner_block in clause.branches for name in scopes.of(inner_block).owned})
            if isinstance(clause, nodes.Call):
                pattern = self._resolution.pattern_of(clause)
                assert pattern is not None, clause.pattern.text
                callee_size = self._sizes[id(pattern.item)]
                count += sum(argument is None for argument in clause.arguments)
                inner_sizes.append(Size(callee_size.nodes, callee_size.depth - 1))
            count += sum(size.nodes for size in inner_sizes)
            depth = max([depth, *(size.depth for size in inner_sizes)])
        return Size(count, depth + 1)


def check(resolution: Resolution) -> list[Diagnostic]:
    """Check all modules. Unresolved names are skipped, and limits are checked only if there are no errors."""
    diagnostics: list[Diagnostic] = []
    for module in resolution.modules:
        for definition in definitions(module.file):
            context = Context(module, resolution, family_of(definition))
            for action in definition.actions if isinstance(definition, nodes.RewriteDef) else ():
                if isinstance(action, nodes.Set):
                    diagnostics += _check_set(action, context)
                elif isinstance(action, nodes.Insert):
                    diagnostics += _check_insert(action, context)
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
        if bounds.low is None:
            hint = "`{..n}` begins at 1"
        elif bounds.high == 0 and isinstance(relation, nodes.Before):
            hint = f"a distance is at least 1: `{{1..{low}}}`"
        else:
            hint = f"swap the bounds: `{{{bounds.high}..{low}}}`"
        yield diagnostic("FICT314", source, bounds.span, hint=hint, low=str(low), high=str(bounds.high))
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
        yield diagnostic("FICT320", context.module.source, side.span, attribute=side.attribute.text())


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
    left, right = (side.attribute.text() for side in sides)
    kinds = [kind_of(side.attribute, "word") for side in sides]
    are_numbers = [kind is Kind.NUMBER for kind in kinds]
    if are_numbers[0] != are_numbers[1] and clause.op in ("=", "!="):
        types = ["a number" if number else "a string" for number in are_numbers]
        yield diagnostic(
            "FICT317", source, clause.span, left=left, right=right, left_kind=types[0], right_kind=types[1]
        )
    if clause.left.attribute.lower != clause.right.attribute.lower:
        yield diagnostic("FICT318", source, clause.span, left=left, right=right)


def analyse(module: Module) -> tuple[Resolution, list[Diagnostic]]:
    """Resolve and check a module and the modules it uses. Diagnostics are in the order of modules and text."""
    resolution = resolve(module)
    module_order = {id(used_module.source): index for index, used_module in enumerate(resolution.modules)}
    diagnostics = [*resolution.diagnostics, *check(resolution)]
    return resolution, sorted(diagnostics, key=lambda problem: _sort_key(problem, module_order))


def _sort_key(problem: Diagnostic, module_order: dict[int, int]) -> tuple[int, int]:
    return module_order.get(id(problem.source), 0), problem.span.start if problem.span else 0
