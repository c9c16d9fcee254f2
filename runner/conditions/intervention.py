"""The base classes of interventions: those that select sentences, edit words and arrange lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from pydantic import Field

from runner.conditions.condition import BaseCorpus, Condition, Filters
from runner.toml_tables import Seed

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.corpus import ConditionCorpus
    from runner.conditions.edits import Edit, Trees
    from runner.conditions.perturbation import RowChange
    from runner.corpus.sentence_arrays import Indices
    from runner.corpus.store import Store
    from runner.generate.documents import Constraints


V = TypeVar("V")


class Phase(IntEnum):
    """When an intervention is applied. The interventions of a condition in one phase must have the same `group`."""

    SELECT = 0  # sentences
    EDIT = 1  # words
    PERTURB = 2  # all sentences, after edits
    ARRANGE = 3  # lines, after sampling to the common size
    INJECT = 4


@dataclass(frozen=True, slots=True)
class Key:
    """The type and the default of a manifest key. If `is_checked`, a key that has no effect is an error."""

    type: Any
    default: Any = None
    is_checked: bool = True


SEED = Key(Seed, 0, is_checked=False)  # of the random choices of a condition


def filter_list() -> Key:
    return Key(tuple[str, ...], Field((), strict=False))


class Intervention(ABC, Generic[V]):
    """A key of `[[condition]]` with a value of type `V`, and its effect on the base corpus.

    `usage` and `doc` are its row in a table of docs/experiments.md; `doc` describes the training corpus. `options` are
    keys that it may share with other interventions. `filter_lists` are the dotted keys of filters that run on the base
    corpus, and `rewrite_lists` are those among them whose files have rewrites. `text_lists` are the keys of the texts
    that it reads, and `text_filter_lists` are those of the filters that run on these texts. `results` are the names of
    the files that it writes beside the corpus.
    """

    key: ClassVar[str]
    usage: ClassVar[str]
    doc: ClassVar[str]
    value: ClassVar[Key]
    phase: ClassVar[Phase]
    options: ClassVar[Mapping[str, Key]] = {}
    filter_lists: ClassVar[tuple[str, ...]] = ()
    rewrite_lists: ClassVar[tuple[str, ...]] = ()
    text_filter_lists: ClassVar[tuple[str, ...]] = ()
    text_lists: ClassVar[tuple[str, ...]] = ()
    results: ClassVar[tuple[str, ...]] = ()
    controls: ClassVar[tuple[str, ...]] = ()  # a condition that its value names must have one of these keys
    reads_once: ClassVar[bool] = False  # whether training reads the lines in order and only once

    @property
    def group(self) -> str:
        return self.key

    def of(self, condition: Condition) -> V:
        return cast("V", condition.values[self.key])

    def control_of(self, value: V) -> tuple[str, ...] | None:
        """Return the path of the key that names the controlled condition, followed by that name, or None."""
        return None

    def control(self, value: V) -> tuple[str, ...] | None:
        """Return the path of the key that names the condition's control, followed by that name, or None."""
        return None

    def draws(self, values: Mapping[str, Any]) -> int | None:
        """Return the number of draws of a placebo, or None. `values` are the values of the condition's keys."""
        return None

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        """Yield diagnostics for a condition, which may be invalid, that depend on its filters and texts."""
        yield from ()

    @abstractmethod
    def content(self, condition: Condition) -> dict[str, Any]:
        """Return plain JSON that determines the result for a base corpus. It is part of the content key."""

    @abstractmethod
    def describe(self, condition: Condition) -> str:
        """Describe the training corpus in one line."""

    def facts(self, condition: Condition) -> dict[str, Any]:
        return {}


class Selection(Intervention[V]):
    """An intervention that removes sentences. If `keeps`, it removes those that its filters do not match."""

    phase = Phase.SELECT
    keeps: ClassVar[bool] = False

    def filters(self, condition: Condition) -> Filters:
        return ()

    def sets_common_size(self, condition: Condition) -> bool:
        return True

    @abstractmethod
    def removed_sentences(self, condition: Condition, base: BaseCorpus) -> Indices:
        """Return the sentences that it removes."""


class Arrangement(Intervention[V]):
    """An intervention on the lines of a condition after sampling to the common size."""

    phase = Phase.ARRANGE

    @abstractmethod
    def arrange(
        self, condition: Condition, corpus: ConditionCorpus, base: BaseCorpus, units: Path | None
    ) -> ConditionCorpus:
        """Return the corpus with its lines reordered, reduced or with injected lines of the file `units`."""

    def stages(self, condition: Condition, sids: Indices, base: BaseCorpus) -> list[tuple[str, Indices]]:
        return []

    def units_content(self, condition: Condition) -> dict[str, Any]:
        """Return plain JSON that determines the injected units, or an empty dict if there are none."""
        return {}

    def write_units(
        self,
        condition: Condition,
        store: Callable[[], Store],
        constraints: Callable[[], Constraints],
        folder: Path,
    ) -> None:
        """Write the units that it injects, which may be generated under `constraints`, with lemmas of `store`."""


def selection_of(condition: Condition) -> Selection[Any] | None:
    return next((intervention for intervention in condition.interventions if isinstance(intervention, Selection)), None)


def arrangements_of(condition: Condition) -> list[Arrangement[Any]]:
    return [intervention for intervention in condition.interventions if isinstance(intervention, Arrangement)]


class WordEdit(Intervention[V]):
    """An intervention that edits the words of sentences. With `edits_suites`, those of parsed suites are edited too."""

    phase = Phase.EDIT
    edits_suites: ClassVar[bool] = False

    def edited_texts(self, condition: Condition) -> tuple[str, ...]:
        return ()

    def row_change_content(self, condition: Condition) -> dict[str, Any]:
        """Return plain JSON that determines how it changes encoded rows, or an empty dict if it does not."""
        return {}

    def row_change(self, condition: Condition, tokenizer: PreTrainedTokenizerBase) -> RowChange | None:
        return None

    def keeps_originals(self, condition: Condition) -> bool:
        return False

    @abstractmethod
    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the edited sentences of a store in corpus order. The files of `results` are written to `folder`."""

    def added_tokens(self, condition: Condition) -> Mapping[str, Set[str]]:
        """Return the `masks` (strings), `tags` (columns) and `substitutes` (tag sets) of inserted strings."""
        return {}


class TreeEdit(WordEdit[V]):
    """A word edit that produces trees, which a `SentenceEdit` can edit further."""

    @abstractmethod
    def trees(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Trees:
        """Yield the trees of the edited sentences of a store in corpus order, as `edits` does."""

    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        from runner.conditions.edits import edit_of

        return (edit_of(sid, rewritten) for sid, rewritten in self.trees(condition, store, base, folder))


class SentenceEdit(WordEdit[V]):
    """A word edit of every sentence, alone or after a `TreeEdit`."""

    phase = Phase.PERTURB

    @abstractmethod
    def edits_of_trees(self, condition: Condition, store: Store, trees: Trees, with_originals: bool) -> Iterator[Edit]:
        """Yield every sentence after the edit, or its tree in `trees`, and then also its original if asked for."""

    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        return self.edits_of_trees(condition, store, (), False)


def word_edits_of(condition: Condition) -> list[WordEdit[Any]]:
    """Return the first word edit of each phase of a condition, in order. It applies all edits of its phase."""
    by_phase: dict[Phase, WordEdit[Any]] = {}
    for edit in condition.interventions:
        if isinstance(edit, WordEdit):
            by_phase.setdefault(edit.phase, edit)
    return list(by_phase.values())


def text_edits_of(condition: Condition, text: str | None = None) -> list[WordEdit[Any]]:
    """Return the word edits that change a text (`valid`, `test` or None for training) before it is encoded."""
    edits = [edit for edit in word_edits_of(condition) if edit.content(condition)]
    return edits if text is None else [edit for edit in edits if text in edit.edited_texts(condition)]


def keeps_originals(condition: Condition) -> bool:
    return any(edit.keeps_originals(condition) for edit in word_edits_of(condition))


def edits_originals(condition: Condition) -> bool:
    """Return whether a condition also edits the originals. Its edits then contain the edited originals."""
    return keeps_originals(condition) and any(isinstance(edit, SentenceEdit) for edit in text_edits_of(condition))


def apply_edits(
    edits: Sequence[WordEdit[Any]], condition: Condition, store: Store, base: BaseCorpus, folder: Path | None
) -> Iterator[Edit]:
    first, *others = edits
    if not others:
        return first.edits(condition, store, base, folder)
    (second,) = others
    assert isinstance(first, TreeEdit) and isinstance(second, SentenceEdit)
    return second.edits_of_trees(
        condition, store, first.trees(condition, store, base, folder), keeps_originals(condition)
    )
