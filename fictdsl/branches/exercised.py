"""Measure which parts of a filter its example sentences exercise, with the reference interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fictdsl.branches.parts import Variant, parts
from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentence import Sentence
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


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
