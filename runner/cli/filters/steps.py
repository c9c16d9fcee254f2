"""The steps of a filter's plan, each with the rows that it keeps of a corpus, as lines."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from runner.cli.shared.terminal import for_output

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.query.steps import Kept
    from runner.corpus.store.opening import Store


def steps(compiled: CompiledFilter, store: Store | None) -> Iterator[str]:
    """A line for each step, then the result; with a store the rows that its counts promise, the rows, and the time."""
    from fictdsl.english.steps import describe_steps
    from fictdsl.plan.estimate import estimates
    from fictdsl.semantics.lower.lower import node_names

    names = node_names(compiled.module, compiled.definition, compiled.value)
    plan = compiled.plan if store is None else compiled.plan_for(store.layout)
    said = describe_steps(plan, names)
    if store is None:
        yield from (f"{number:>4}  {for_output(text)}" for number, text in enumerate(said, 1))
        return
    from runner.corpus.query.steps import run_steps

    found = run_steps(store, plan)
    expected = estimates(plan, store.layout)
    width = _width(said)
    yield f"step  {'':{width}}  {'estimated':>11}  {'rows':>11}  {'time':>9}"
    for number, text in enumerate(said):
        yield from _row(f"{number + 1:>4}", text, f"{expected[number]:,}", found.steps[number], width)
    yield from _row("", "all matches", "", found.matches, width)
    count, total = found.sentences, store.info.sentences
    yield f"{count:,} of {total:,} sentences match ({count / max(1, total):.2%})"


def _row(number: str, text: str, expected: str, kept: Kept, width: int) -> Iterator[str]:
    first, *rest = textwrap.wrap(for_output(text), width, subsequent_indent="   ")
    yield f"{number:>4}  {first:{width}}  {expected:>11}  {kept.rows:>11,}  {kept.seconds * 1000:>6,.0f} ms"
    yield from (f"      {line}" for line in rest)


def _width(said: list[str]) -> int:
    """Of the column of words: what they need, or what the terminal has."""
    room = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 120
    return max(20, min(room - 47, max(map(len, said))))
