"""Format the steps of a query plan as text, with estimated and actual rows on a corpus."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from runner.cli.shared.terminal import for_output
from runner.counted import counted

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.query.steps import StepCounts
    from runner.corpus.store.opening import Store


def step_lines(compiled: CompiledFilter, store: Store | None) -> Iterator[str]:
    """Yield the steps as lines. With a store, add the estimated rows, actual rows and time of each, and the matches."""
    from runner.corpus.query.steps import describe_plan, explain_plan

    if store is None:
        descriptions = describe_plan(compiled, compiled.plan)
        yield from (f"{number:>4}  {for_output(text)}" for number, text in enumerate(descriptions, 1))
        return
    explained = explain_plan(store, compiled)
    counts, width = explained.counts, _width(explained.texts)
    yield f"step  {'':{width}}  {'estimated':>11}  {'rows':>11}  {'time':>9}"
    for index, text in enumerate(explained.texts):
        yield from _row(str(index + 1), text, f"{explained.estimated[index]:,}", counts.steps[index], width)
    yield from _row("", "all matches", "", counts.matches, width)
    count, total = counts.sentences, store.info.sentences
    verb = "matches" if count == 1 else "match"
    yield f"{count:,} of {counted(total, 'sentence')} {verb} ({count / max(1, total):.2%})"


def _row(number: str, text: str, estimated: str, step: StepCounts, width: int) -> Iterator[str]:
    first_line, *more_lines = textwrap.wrap(for_output(text), width, subsequent_indent="   ")
    yield f"{number:>4}  {first_line:{width}}  {estimated:>11}  {step.rows:>11,}  {step.seconds * 1000:>6,.0f} ms"
    yield from (f"      {line}" for line in more_lines)


def _width(descriptions: list[str]) -> int:
    """Return the width of the description column: as needed, limited by the terminal."""
    columns = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 120
    return max(20, min(columns - 47, max(map(len, descriptions))))
