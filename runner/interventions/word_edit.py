"""The base classes of interventions that edit words, and functions that combine the edits of a condition."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from runner.interventions.context import BaseCorpus, ConditionContext
from runner.interventions.intervention import Intervention, Phase

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from runner.corpus.store import Store
    from runner.intervene.edits import Edit
    from runner.intervene.perturb.perturbation import RowChange
    from runner.intervene.rewriting.rewritten import Trees

V = TypeVar("V")


class WordEdit(Intervention[V]):
    """An intervention that edits the words of sentences.

    With `edits_suites`, suites whose sentences are parsed are edited in the same way for the models of the condition.
    """

    phase = Phase.EDIT
    edits_suites: ClassVar[bool] = False

    def edited_texts(self, context: ConditionContext) -> tuple[str, ...]:
        """Return which of the texts `valid` and `test` are also edited for the models of the condition."""
        return ()

    def row_change_content(self, context: ConditionContext) -> dict[str, Any]:
        """Return plain JSON that determines how it changes encoded rows, or an empty dict if it does not."""
        return {}

    def row_change(self, context: ConditionContext, tokenizer: PreTrainedTokenizerBase) -> RowChange | None:
        """Return a function that changes the tokens of a row, or None."""
        return None

    def keeps_originals(self, context: ConditionContext) -> bool:
        """Return whether every edited sentence follows its original."""
        return False

    @abstractmethod
    def edits(self, context: ConditionContext, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the edited sentences of a store in corpus order.

        The files that `results` names are written to `folder`, if given.
        """

    def added_tokens(self, context: ConditionContext) -> Mapping[str, Set[str]]:
        """Return what determines the inserted strings that the tokenizer must not split, by kind.

        The keys are `masks` (strings), `tags` (columns whose values are inserted) and `substitutes` (names of tag
        sets).
        """
        return {}


class TreeEdit(WordEdit[V]):
    """A word edit that produces trees, which a `SentenceEdit` can edit further."""

    @abstractmethod
    def trees(self, context: ConditionContext, store: Store, base: BaseCorpus, folder: Path | None) -> Trees:
        """Yield the trees of the edited sentences of a store in corpus order, as `edits` does."""

    def edits(self, context: ConditionContext, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the edited sentences."""
        from runner.intervene.rewriting.rewritten import edit_of

        return (edit_of(sid, rewritten) for sid, rewritten in self.trees(context, store, base, folder))


class SentenceEdit(WordEdit[V]):
    """A word edit of every sentence, alone or after a `TreeEdit`."""

    phase = Phase.PERTURB

    @abstractmethod
    def edits_of_trees(
        self, context: ConditionContext, store: Store, trees: Trees, with_originals: bool
    ) -> Iterator[Edit]:
        """Yield every sentence of a store after the edit. `trees` are the trees that differ from those in the store.

        If `with_originals`, the edit of a sentence in `trees` also contains the edited original.
        """

    def edits(self, context: ConditionContext, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield every sentence after the edit."""
        return self.edits_of_trees(context, store, (), False)


def word_edits_of(context: ConditionContext) -> list[WordEdit[Any]]:
    """Return the word edits of a condition, in the order of application.

    Each word edit applies all edits of its phase in the condition, so only the first one of a phase is returned.
    """
    by_phase: dict[Phase, WordEdit[Any]] = {}
    for edit in context.interventions:
        if isinstance(edit, WordEdit):
            by_phase.setdefault(edit.phase, edit)
    return list(by_phase.values())


def text_edits_of(context: ConditionContext, text: str | None = None) -> list[WordEdit[Any]]:
    """Return the word edits that change a text before it is encoded.

    `text` is `valid` or `test`; None is the training text.
    """
    edits = [edit for edit in word_edits_of(context) if edit.content(context)]
    return edits if text is None else [edit for edit in edits if text in edit.edited_texts(context)]


def keeps_originals(context: ConditionContext) -> bool:
    """Return whether every edited sentence of a condition follows its original."""
    return any(edit.keeps_originals(context) for edit in word_edits_of(context))


def edits_originals(context: ConditionContext) -> bool:
    """Return whether a condition also edits the originals. Its edits then contain the edited originals."""
    return keeps_originals(context) and any(isinstance(edit, SentenceEdit) for edit in text_edits_of(context))


def apply_edits(
    edits: Sequence[WordEdit[Any]], context: ConditionContext, store: Store, base: BaseCorpus, folder: Path | None
) -> Iterator[Edit]:
    """Apply word edits one after the other, and yield the changed sentences of a store in corpus order."""
    first, *others = edits
    if not others:
        return first.edits(context, store, base, folder)
    (second,) = others
    assert isinstance(first, TreeEdit) and isinstance(second, SentenceEdit)
    return second.edits_of_trees(context, store, first.trees(context, store, base, folder), keeps_originals(context))
