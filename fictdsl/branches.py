"""Branch coverage: the parts of a filter that its examples exercise, by the reference interpreter.

Each part has variants of the filter: one lacks the part; if the part is an alternative, others lack all other
alternatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias

from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentences import Sentence
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module

Variant: TypeAlias = tuple[Module, nodes.FilterDef]
Step: TypeAlias = tuple[Any, str, int | None]  # from a node to a node in one of its fields, at an index of a tuple
Edits: TypeAlias = dict[
    tuple[int, str], nodes.Block
]  # by the identity of the module and the pattern, "" for the filter

NOTHING = object()
_MAX_CALLS = 16  # calls of one pattern that are considered; further calls are ignored


def walk(value: Any, positive: bool, path: tuple[Step, ...] = ()) -> Iterator[tuple[Any, tuple[Step, ...], bool]]:
    """Yield every node outside of `maybe`, which decides nothing, with its path and whether no negation encloses it."""
    if not is_dataclass(value) or isinstance(value, Span | nodes.RegexValue | nodes.Maybe):
        return
    yield value, path, positive
    inner_positive = positive and not _negates(value)
    for field in fields(value):
        part = getattr(value, field.name)
        for index, item in enumerate(part) if isinstance(part, tuple) else [(None, part)]:
            yield from walk(item, inner_positive, (*path, (value, field.name, index)))


def replaced(path: tuple[Step, ...], new: Any, *, narrow: bool = False) -> Any:
    """Return the root of a path with its end replaced; with `narrow`, alternatives on it are reduced to the branch."""
    for parent, field, index in reversed(path):
        if index is not None:
            is_alternative = narrow and isinstance(parent, nodes.Either | nodes.Or)
            new = (new,) if is_alternative else replaced_at(getattr(parent, field), index, new)
        new = replace(parent, **{field: new})
    return new


def replaced_at(items: tuple[Any, ...], index: int, new_item: Any) -> tuple[Any, ...]:
    return (*items[:index], *(() if new_item is NOTHING else (new_item,)), *items[index + 1 :])


def _negates(value: object) -> bool:
    match value:
        case nodes.Without() | nodes.Not() | nodes.Compare(op="!=") | nodes.Member(negated=True):
            return True
        case nodes.Labels(negated=True) | nodes.Count(quantifier="at most" | "exactly"):
            return True
    return False


def choices(node: Any, source: Source) -> Iterator[tuple[str, str, Span, Any, Any]]:
    """Yield the kind, text and span of each alternative or removable condition, and two replacements of `node`.

    The first replacement lacks the alternative; for a condition, it is NOTHING. The second has no other alternative; it
    is None for conditions and negated tests.
    """

    def text_of(part: Any) -> str:
        return source.text[part.span.start : part.span.end]

    def alternatives(kind: str, field: str, texts: Sequence[str], *, negated: bool = False) -> Any:
        items: tuple[Any, ...] = getattr(node, field)
        for index, text in enumerate(texts):
            removed = replace(node, **{field: replaced_at(items, index, NOTHING)})
            isolated = None if negated else replace(node, **{field: (items[index],)})
            yield kind, text, items[index].span, removed, isolated

    match node:
        case nodes.Either(branches=branches):
            yield from alternatives("branch", "branches", [text_of(branch) for branch in branches])
        case nodes.Or(tests=tests):
            yield from alternatives("side", "tests", [text_of(test) for test in tests])
        case nodes.Compare(attribute=attribute, op=op, values=values) if len(values) > 1:
            texts = [f"{text_of(attribute)} {op} {text_of(item)}" for item in values]
            yield from alternatives("value", "values", texts, negated=op == "!=")
        case nodes.NodeTerm(name=name, upos=upos) if len(upos) > 1:
            yield from alternatives(
                "value", "upos", [f"{'_' if name is None else name.text}:{text_of(tag)}" for tag in upos]
            )
        case nodes.Labels(labels=labels, negated=negated) if len(labels) > 1:
            texts = [f"[{'^' if negated else ''}{text_of(label)}]" for label in labels]
            yield from alternatives("value", "labels", texts, negated=negated)
        case nodes.Without() | nodes.Count() | nodes.Call():
            yield type(node).__name__.lower(), text_of(node), node.span, NOTHING, None


def shorten(text: str, max_length: int = 72) -> str:
    text = " ".join(text.split())
    return text if len(text) <= max_length else f"{text[: max_length - 2]} …"


@dataclass(frozen=True)
class Part:
    """A branch of `either`, a side of `or`, a value of `a|b`, or a condition (`without`, a counting block or a call).

    `kind` is branch, side, value, without, count or call. `removed` is the filter without this part. `isolated` has the
    variants in which the part is the only alternative, one for each call of the pattern that contains it. It is empty
    for conditions and under a negation, where removing a part makes the filter match more.
    """

    kind: str
    text: str
    source: Source
    span: Span
    removed: Variant
    isolated: tuple[Variant, ...]


@dataclass(frozen=True)
class _Context:
    """A block to search: that of the filter, or for one call, that of the pattern `name` in `home`.

    `narrowed` has the blocks that call it, in which every `either` and `or` around the call is reduced to the branch
    that contains the call. `positive` is False under a negation.
    """

    home: Module
    name: str
    block: nodes.Block
    positive: bool
    narrowed: Edits

    def callee(self, call: nodes.Call, narrowed_block: nodes.Block, positive: bool) -> _Context:
        narrowed = {**self.narrowed, (id(self.home), self.name): narrowed_block}
        for home in (self.home, *self.home.uses.values()):
            for item in home.file.items:
                if isinstance(item, nodes.PatternDef) and item.name.text == call.pattern.text:
                    return _Context(home, item.name.text, item.block, positive, narrowed)
        raise AssertionError(f"unresolved pattern {call.pattern.text}")


def parts(module: Module, definition: nodes.FilterDef) -> list[Part]:
    by_span: dict[tuple[str, Span], Part] = {}
    call_counts: Counter[tuple[str, str]] = Counter()
    queue = [_Context(module, "", definition.match, True, {})]
    for context in queue:  # grows with the calls
        source, key = context.home.source, (id(context.home), context.name)
        for node, path, positive in walk(context.block, context.positive):
            for kind, text, span, rest, alone in choices(node, source):
                removed = _variant(module, definition, {key: replaced(path, rest)})
                existing = by_span.get((source.name, span))
                isolated = () if existing is None else existing.isolated
                if positive and alone is not None:
                    edits = {**context.narrowed, key: replaced(path, alone, narrow=True)}
                    isolated = (*isolated, _variant(module, definition, edits))
                part = existing or Part(kind, shorten(text), source, span, removed, ())
                by_span[source.name, span] = replace(part, isolated=isolated)
            if isinstance(node, nodes.Call):
                callee = context.callee(node, replaced(path, node, narrow=True), positive)
                call_counts[callee.home.source.name, callee.name] += 1
                queue += [callee] if call_counts[callee.home.source.name, callee.name] <= _MAX_CALLS else []
    return list(by_span.values())


def _variant(root: Module, definition: nodes.FilterDef, edits: Edits) -> Variant:
    edited: dict[int, Module] = {}

    def with_edits(module: Module) -> Module:
        if id(module) not in edited:
            items = tuple(
                replace(item, block=edits.get((id(module), item.name.text), item.block))
                if isinstance(item, nodes.PatternDef)
                else item
                for item in module.file.items
            )
            uses = {path: with_edits(used) for path, used in module.uses.items()}
            edited[id(module)] = replace(module, file=replace(module.file, items=items), uses=uses)
        return edited[id(module)]

    return with_edits(root), replace(definition, match=edits.get((id(root), ""), definition.match))


@dataclass(frozen=True)
class PartCoverage:
    kind: str
    text: str
    source: Source
    span: Span
    examples: int


def part_coverage(
    module: Module, definition: nodes.FilterDef, value: str | None, sentences: Sequence[Sentence]
) -> list[PartCoverage]:
    """Return each part of a filter with the number of sentences that exercise it.

    A sentence exercises a part if removing the part changes whether the filter matches the sentence. It also exercises
    an alternative if the filter still matches when the other alternatives are removed. The first part is the filter, or
    the member of its family with this `value`; the sentences that it matches exercise it.
    """
    outcomes = _outcomes((module, definition), value, sentences)
    kind, text, span = "filter", f"filter {definition.name.text}", definition.name.span
    if definition.family is not None:
        family_value = next(item for item in definition.family.values if item.text == value)
        kind, text = "member", f"{definition.family.parameter.text} = {family_value.text}"
        span = family_value.span
    coverage = [PartCoverage(kind, text, module.source, span, sum(outcomes))]
    for part in parts(module, definition):
        without = _outcomes(part.removed, value, sentences)
        alone = [_outcomes(variant, value, sentences) for variant in part.isolated]
        exercised = (
            without[index] != matched or any(variant_outcomes[index] for variant_outcomes in alone)
            for index, matched in enumerate(outcomes)
        )
        coverage.append(PartCoverage(part.kind, part.text, part.source, part.span, sum(exercised)))
    return coverage


def _outcomes(variant: Variant, value: str | None, sentences: Sequence[Sentence]) -> list[bool]:
    evaluator = Evaluator(*variant, value)
    return [evaluator.holds(sentence) for sentence in sentences]
