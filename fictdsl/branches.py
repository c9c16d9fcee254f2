"""Branch coverage: the parts of a filter that its examples exercise, by the reference interpreter.

Enumerate the parts of a filter that an example can exercise, each with variants of the filter.
One variant lacks the part. If the part is an alternative, other variants lack all other alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentences import Sentence
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module

Rebuild: TypeAlias = Callable[[Any], Any]  # takes the new node, or NOTHING to remove the node; returns the tree

NOTHING = object()


def walk(
    value: Any, rebuild: Rebuild, rebuild_branch: Rebuild, positive: bool
) -> Iterator[tuple[Any, Rebuild, Rebuild, bool]]:
    """Yield every node of a tree, outermost first, with two rebuild functions and whether no negation encloses it.

    The first function keeps all other nodes. The second also reduces each `either` and `or` around the node to the
    branch that contains it. `rebuild`, `rebuild_branch` and `positive` belong to the root, `value`. `maybe` blocks are
    skipped, because they never decide whether a sentence matches.
    """
    if not is_dataclass(value) or isinstance(value, Span | nodes.RegexValue | nodes.Maybe):
        return
    yield value, rebuild, rebuild_branch, positive
    inner_positive = positive and not _negates(value)
    for field in fields(value):
        field_value = getattr(value, field.name)
        set_field = partial(_with_field, value, field.name)
        if not isinstance(field_value, tuple):
            yield from walk(
                field_value, _compose(set_field, rebuild), _compose(set_field, rebuild_branch), inner_positive
            )
            continue
        for index, item in enumerate(field_value):
            set_item = _compose(partial(replaced_at, field_value, index), set_field)
            set_only = _compose(_singleton, set_field) if isinstance(value, nodes.Either | nodes.Or) else set_item
            yield from walk(item, _compose(set_item, rebuild), _compose(set_only, rebuild_branch), inner_positive)


def identity(value: Any) -> Any:
    """Return the value itself: the rebuild function of the root."""
    return value


def _singleton(value: Any) -> tuple[Any, ...]:
    return (value,)


def _compose(first: Rebuild, second: Rebuild) -> Rebuild:
    return lambda value: second(first(value))


def _with_field(value: Any, name: str, new_value: Any) -> Any:
    return replace(value, **{name: new_value})


def replaced_at(items: tuple[Any, ...], index: int, new_item: Any) -> tuple[Any, ...]:
    """Return the items with the item at `index` replaced, or removed if `new_item` is NOTHING."""
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
    """Return the text on one line, truncated to `max_length` characters."""
    text = " ".join(text.split())
    return text if len(text) <= max_length else f"{text[: max_length - 2]} …"


_MAX_CALLS = 16  # calls of one pattern that are considered; further calls are ignored

Variant: TypeAlias = tuple[Module, nodes.FilterDef]


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


def parts(module: Module, definition: nodes.FilterDef) -> list[Part]:
    """Return the parts of a filter in the order of the text, followed by those of the patterns that it calls."""
    by_span: dict[tuple[str, Span], Part] = {}
    call_counts: dict[tuple[str, str], int] = {}
    queue = [_filter_context(module, definition)]
    while queue:
        context = queue.pop(0)
        for part in context.parts():
            existing = by_span.get((part.source.name, part.span))
            by_span[part.source.name, part.span] = (
                part if existing is None else replace(existing, isolated=existing.isolated + part.isolated)
            )
        for callee in context.calls():
            key = (callee.home.source.name, callee.name)
            call_counts[key] = call_counts.get(key, 0) + 1
            queue += [callee] if call_counts[key] <= _MAX_CALLS else []
    return list(by_span.values())


@dataclass(frozen=True)
class _Context:
    """A block with its context: the block of the filter, or for one call, the block of the pattern `name` in `home`.

    `variant` returns the filter with this block replaced, and `home_variant` with the module `home` replaced.
    `narrowed_variant` also reduces every `either` and `or` around the call to the branch that contains the call.
    `narrowed_home_variant` also does so, and replaces both the module and the block. `positive` is False under a
    negation.
    """

    home: Module
    name: str
    block: nodes.Block
    positive: bool
    variant: Callable[[nodes.Block], Variant]
    narrowed_variant: Callable[[nodes.Block], Variant]
    home_variant: Callable[[Module], Variant]
    narrowed_home_variant: Callable[[Module, nodes.Block], Variant]

    def parts(self) -> Iterator[Part]:
        for node, rebuild, rebuild_branch, positive in walk(self.block, identity, identity, self.positive):
            for kind, text, span, removed, isolated in choices(node, self.home.source):
                variants = (
                    (self.narrowed_variant(rebuild_branch(isolated)),) if positive and isolated is not None else ()
                )
                yield Part(kind, shorten(text), self.home.source, span, self.variant(rebuild(removed)), variants)

    def calls(self) -> Iterator[_Context]:
        for node, _, rebuild_branch, positive in walk(self.block, identity, identity, self.positive):
            if isinstance(node, nodes.Call):
                yield self._callee(node.pattern.text, rebuild_branch(node), positive)

    def _callee(self, name: str, narrowed_block: nodes.Block, positive: bool) -> _Context:
        def with_narrowed_block(new_home: Module) -> Variant:
            return self.narrowed_home_variant(new_home, narrowed_block)

        for path, home in ((None, self.home), *self.home.uses.items()):
            for item in home.file.items:
                if isinstance(item, nodes.PatternDef) and item.name.text == name:
                    home_variant, narrowed_home_variant = (
                        rebuild if path is None else partial(_with_use, self.home, path, rebuild)
                        for rebuild in (self.home_variant, with_narrowed_block)
                    )
                    return _pattern_context(home, item, positive, home_variant, narrowed_home_variant)
        raise AssertionError(f"unresolved pattern {name}")


def _filter_context(module: Module, definition: nodes.FilterDef) -> _Context:
    def with_block(block: nodes.Block) -> Variant:
        return module, replace(definition, match=block)

    def with_home_and_block(new_home: Module, block: nodes.Block) -> Variant:
        return new_home, replace(definition, match=block)

    def with_home(new_home: Module) -> Variant:
        return new_home, definition

    return _Context(module, "", definition.match, True, with_block, with_block, with_home, with_home_and_block)


def _pattern_context(
    home: Module,
    pattern: nodes.PatternDef,
    positive: bool,
    home_variant: Callable[[Module], Variant],
    narrowed_home_variant: Callable[[Module], Variant],
) -> _Context:
    name = pattern.name.text
    return _Context(
        home,
        name,
        pattern.block,
        positive,
        lambda new_block: home_variant(_with_block(home, name, new_block)),
        lambda new_block: narrowed_home_variant(_with_block(home, name, new_block)),
        home_variant,
        lambda new_home, block: narrowed_home_variant(_with_block(new_home, name, block)),
    )


def _with_block(module: Module, name: str, block: nodes.Block) -> Module:
    items = tuple(
        replace(item, block=block) if isinstance(item, nodes.PatternDef) and item.name.text == name else item
        for item in module.file.items
    )
    return replace(module, file=replace(module.file, items=items))


def _with_use(module: Module, path: str, rebuild: Callable[[Module], Variant], used_module: Module) -> Variant:
    """Return the variant in which `used_module` replaces the module that `path` names, wherever a file uses it."""
    root, definition = rebuild(replace(module, uses={**module.uses, path: used_module}))
    return _with_module(root, module.uses[path], used_module), definition


def _with_module(module: Module, old: Module, new: Module) -> Module:
    if module is old:
        return new
    uses = {path: _with_module(used, old, new) for path, used in module.uses.items()}
    return replace(module, uses=uses) if any(uses[path] is not module.uses[path] for path in uses) else module


@dataclass(frozen=True)
class PartCoverage:
    """A part of a filter (or a member of its family), and the number of examples that exercise it."""

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
    coverage = list(_filter_coverage(module, definition, value, sum(outcomes)))
    for part in parts(module, definition):
        outcomes_without = _outcomes(part.removed, value, sentences)
        outcomes_alone = [_outcomes(variant, value, sentences) for variant in part.isolated]
        matched_alone = (
            [any(matched) for matched in zip(*outcomes_alone, strict=True)]
            if outcomes_alone
            else [False] * len(sentences)
        )
        outcome_changes = (
            matched_without != matched for matched_without, matched in zip(outcomes_without, outcomes, strict=True)
        )
        examples = sum(change or matched for change, matched in zip(outcome_changes, matched_alone, strict=True))
        coverage.append(PartCoverage(part.kind, part.text, part.source, part.span, examples))
    return coverage


def _filter_coverage(
    module: Module, definition: nodes.FilterDef, value: str | None, examples: int
) -> Iterator[PartCoverage]:
    if definition.family is None:
        text = f"filter {definition.name.text}"
        yield PartCoverage("filter", text, module.source, definition.name.span, examples)
        return
    family_value = next(item for item in definition.family.values if item.text == value)
    text = f"{definition.family.parameter.text} = {family_value.text}"
    yield PartCoverage("member", text, module.source, family_value.span, examples)


def _outcomes(variant: Variant, value: str | None, sentences: Sequence[Sentence]) -> list[bool]:
    evaluator = Evaluator(*variant, value)
    return [evaluator.holds(sentence) for sentence in sentences]
