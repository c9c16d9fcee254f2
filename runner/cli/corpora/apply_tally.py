"""What each action of each filter takes, counted while the sentences go by, into a table on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from runner.cli.shared.filters import labels
from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.actions.edit import Edited
    from runner.corpus.actions.targets import Taken


def texts(sentences: Iterator[Edited]) -> Iterator[str]:
    """The texts of the sentences that are left."""
    return (sentence.text for sentence in sentences if sentence.text is not None)


class Tally:
    """What each action of each filter takes, counted while the sentences go by."""

    def __init__(self, filters: Sequence[CompiledFilter]) -> None:
        self._filters = filters
        self._sentences: Counter[tuple[int, int]] = Counter()
        self._targets: Counter[tuple[int, int]] = Counter()
        self._words: Counter[tuple[int, int]] = Counter()
        self._all = self._dropped = self._changed = 0

    def watch(self, sentences: Iterator[Edited]) -> Iterator[Edited]:
        """The same sentences."""
        for sentence in sentences:
            self._all += 1
            self._dropped += sentence.text is None
            self._changed += sentence.text is not None and any(taken.words for taken in sentence.taken)
            for taken in sentence.taken:
                self._count(taken)
            yield sentence

    def add(self, place: int, action: int, sentences: int) -> None:
        """Count sentences that an action on whole sentences takes."""
        self._sentences[place, action] += sentences
        self._targets[place, action] += sentences

    def leave(self, sentences: int, dropped: int) -> None:
        """Count the sentences of a corpus, and those that are left out of it, none changed."""
        self._all += sentences
        self._dropped += dropped

    def _count(self, taken: Taken) -> None:
        key = taken.filter, taken.action
        self._sentences[key] += 1
        self._targets[key] += taken.targets
        self._words[key] += len(taken.words)

    def print(self) -> None:
        """The table, on standard error."""
        rows = [("filter", "action", "sentences", "targets", "words")]
        for number, (name, compiled) in enumerate(zip(labels(self._filters), self._filters, strict=True)):
            for place, action in enumerate(compiled.actions):
                key = number, place
                on_words = (
                    compiled.ir.actions[place].target != "sentence" and compiled.ir.actions[place].verb != "count"
                )
                words = f"{self._words[key]:,}" if on_words else ""
                rows.append((name, action, f"{self._sentences[key]:,}", f"{self._targets[key]:,}", words))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            names = "  ".join(cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True))
            numbers = "  ".join(cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True))
            say(f"{names}  {numbers}".rstrip(), err=True)
        if not self._all:
            return
        same = self._all - self._dropped - self._changed
        left = f"{self._dropped:,} left out, {self._changed:,} changed, {same:,} as they came in"
        say(f"{self._all:,} sentences: {left}", err=True)
