"""Change the token ids of encoded sentences, as the word edits of some conditions require."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runner.corpus.sentence_arrays import read_sentences
from runner.corpus.store import Store
from runner.interventions.context import ConditionContext
from runner.interventions.word_edit import word_edits_of

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from runner.train.encode import ChangeLine

INJECTED = "injected"  # the source of injected lines


def row_change(
    context: ConditionContext | None, tokenizer: PreTrainedTokenizerBase, store: Store, sids: Sequence[int]
) -> ChangeLine | None:
    """Return a function that changes the rows of a condition's text, or None.

    `sids` has the sentence id of each line, or −k − 1 for line k of an injected text. The change
    of a row depends on the source of its sentence and its number there, not on other lines of the corpus.
    """
    changes = (edit.row_change(context, tokenizer) for edit in word_edits_of(context)) if context is not None else ()
    change = next((change for change in changes if change is not None), None)
    if change is None:
        return None
    sentences = read_sentences(store)

    def change_line(line: int, row: list[int]) -> list[int] | None:
        sid = sids[line]
        if sid < 0:
            return change(INJECTED, ~sid, row)
        return change(sentences.sources[sid], sentences.numbers[sid], row)

    return change_line
