"""Random controls: as much as another condition changes, at random places."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.errors import InputError
from runner.interventions.intervention import SEED, Intervention, Key
from runner.interventions.shares import acted_on, has_share, share_content
from runner.interventions.subject import BaseCorpus, Subject
from runner.interventions.word_edit import WordEdit

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.store.opening import Store
    from runner.intervene.edits import Edit
    from runner.intervene.remove_random import ShortError

OPTIONS = {"disjoint": Key(bool, False), "seed": SEED}


class RandomControl(Intervention[str]):
    """A control of the condition that its value names."""

    value = Key(str | None)
    options = OPTIONS

    def control_of(self, value: str) -> tuple[str, ...]:
        """Return the key and the name of the other condition."""
        return (self.key, value)

    def other(self, subject: Subject) -> Subject:
        """Return the other condition."""
        return subject.other(self.of(subject))

    def seed(self, subject: Subject) -> int:
        """Return the seed of the random choice."""
        return subject.seed(subject.values["seed"])

    def disjoint(self, subject: Subject) -> bool:
        """Return whether the choice avoids what the other condition changes."""
        return bool(subject.values["disjoint"])

    def suffix(self, subject: Subject) -> str:
        """Return the end of the description."""
        return ", disjoint from these" if self.disjoint(subject) else ""

    def too_short(self, subject: Subject, short: ShortError) -> Diagnostic:
        """Return FICT640: there are not enough sentences or words to draw from."""
        parameters: dict[str, Any] = {"condition": subject.name, "like": self.of(subject)}
        parameters |= {"wanted": short.requested, "found": short.available, "unit": short.unit}
        return subject.problem("FICT640", self.key, **parameters)


class RandomEdit(RandomControl, WordEdit[str]):
    """Edit as many words, subtrees and spans as the filters of another condition do."""

    def content(self, subject: Subject) -> dict[str, Any]:
        """Return the filters of the other condition, and how random places are chosen."""
        other = self.other(subject)
        like, share = other.filter_keys(*self.controls), share_content(other, other.filters_of(*self.controls))
        content = {"like": like, "seed": subject.values["seed"], "disjoint": self.disjoint(subject)}
        return content | ({"share": share} if share else {}) | subject.redrawn

    def edits(self, subject: Subject, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the sentences with edited words. Raises InputError (FICT640) if there are too few places."""
        from runner.intervene.edit_random import random_edits
        from runner.intervene.remove_random import ShortError

        other = self.other(subject)
        filters = other.filters_of(*self.controls)
        sids = acted_on(other, filters, base) if has_share(other) else None
        try:
            yield from random_edits(store, filters, self.seed(subject), self.disjoint(subject), sids)
        except ShortError as short:
            raise InputError(self.too_short(subject, short)) from short
