"""A filter and its example sentences into the parts that no example exercises, found with the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fictdsl.branches.points import Variant, parts
from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentence import Sentence
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


@dataclass(frozen=True)
class Use:
    """A part of a filter (or a member of its family), and how many examples exercise it."""

    kind: str
    text: str
    source: Source
    span: Span
    examples: int


def exercised(
    module: Module, definition: nodes.FilterDef, value: str | None, sentences: Sequence[Sentence]
) -> list[Use]:
    """Each part of a filter with the number of sentences that exercise it.

    An alternative is exercised by a sentence that matches through it alone, or whose outcome changes without it; a
    `without`, a count or a call of a pattern by one whose outcome changes without it. A filter without parts is
    one part itself, exercised by what it matches; so is each member of a family.
    """
    holds = _outcomes((module, definition), value, sentences)
    found = list(_itself(module, definition, value, sum(holds)))
    for part in parts(module, definition):
        removed = _outcomes(part.removed, value, sentences)
        alone = [_outcomes(variant, value, sentences) for variant in part.alone]
        through = [any(ways) for ways in zip(*alone, strict=True)] if alone else [False] * len(sentences)
        examples = sum(one != before or by for one, before, by in zip(removed, holds, through, strict=True))
        found.append(Use(part.kind, part.text, part.source, part.span, examples))
    return found


def _itself(module: Module, definition: nodes.FilterDef, value: str | None, matching: int) -> Iterator[Use]:
    if definition.family is None:
        yield Use("filter", f"filter {definition.name.text}", module.source, definition.name.span, matching)
        return
    member = next(one for one in definition.family.values if one.text == value)
    yield Use("member", f"{definition.family.parameter.text} = {member.text}", module.source, member.span, matching)


def _outcomes(variant: Variant, value: str | None, sentences: Sequence[Sentence]) -> list[bool]:
    evaluator = Evaluator(*variant, value)
    return [evaluator.holds(sentence) for sentence in sentences]
