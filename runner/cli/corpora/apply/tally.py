"""The table of `fictc apply`: how much each action of each filter changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from runner.cli.shared.filters import filter_labels
from runner.cli.shared.messages import print_message
from runner.counted import counted
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.actions.edit import EditedSentence
    from runner.corpus.actions.targets import ActionTargets


def kept_texts(sentences: Iterator[EditedSentence]) -> Iterator[str]:
    """Yield the texts of the sentences that are not dropped."""
    return (sentence.text for sentence in sentences if sentence.text is not None)


class ActionCounts:
    """Counts of sentences, targets and words changed by each action of each filter."""

    def __init__(self, filters: Sequence[CompiledFilter]) -> None:
        self._filters = filters
        self._sentences: Counter[tuple[int, int]] = Counter()  # by the indices of filter and action
        self._targets: Counter[tuple[int, int]] = Counter()
        self._words: Counter[tuple[int, int]] = Counter()
        self._total = self._dropped = self._changed = 0

    def count(self, sentences: Iterator[EditedSentence]) -> Iterator[EditedSentence]:
        """Count and yield the sentences."""
        for sentence in sentences:
            self._total += 1
            self._dropped += sentence.text is None
            self._changed += sentence.text is not None and any(targets.words for targets in sentence.targets)
            for targets in sentence.targets:
                self._count_targets(targets)
            yield sentence

    def add(self, filter_index: int, action_index: int, sentences: int) -> None:
        """Add the number of sentences that are targets of an action on whole sentences."""
        self._sentences[filter_index, action_index] += sentences
        self._targets[filter_index, action_index] += sentences

    def add_corpus(self, sentences: int, dropped: int) -> None:
        """Add the size of a corpus, of which `dropped` sentences are omitted and the others unchanged."""
        self._total += sentences
        self._dropped += dropped

    def _count_targets(self, targets: ActionTargets) -> None:
        key = targets.filter, targets.action
        self._sentences[key] += 1
        self._targets[key] += targets.count
        self._words[key] += len(targets.words)

    def print(self) -> None:
        """Print the table to standard error."""
        rows = [("filter", "action", "sentences", "targets", "words")]
        for filter_index, (name, compiled) in enumerate(zip(filter_labels(self._filters), self._filters, strict=True)):
            for action_index, action in enumerate(compiled.actions):
                key = filter_index, action_index
                target, verb = compiled.ir.actions[action_index].target, compiled.ir.actions[action_index].verb
                changes_words = target != "sentence" and verb != "count"
                words = f"{self._words[key]:,}" if changes_words else ""
                rows.append((name, action, f"{self._sentences[key]:,}", f"{self._targets[key]:,}", words))
        for line in aligned(rows, range(2, 5)):
            print_message(line, err=True)
        if not self._total:
            return
        unchanged = self._total - self._dropped - self._changed
        summary = f"{self._dropped:,} omitted, {self._changed:,} changed, {unchanged:,} unchanged"
        print_message(f"{counted(self._total, 'sentence')}: {summary}", err=True)
