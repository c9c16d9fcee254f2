"""`fraction` and `beyond`: options of interventions by filters that act on a part of the matching sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field, field_validator

from runner.interventions.intervention import SEED, Key, selection_of
from runner.interventions.subject import BaseCorpus, Entry, Filters, Subject
from runner.toml.part import Part

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.query.word_values import Attribute
    from runner.corpus.sentences.common_size import Indices

ATTRIBUTES = ("form", "lemma", "upos", "xpos", "deprel")
_PER = re.compile(rf"({'|'.join(ATTRIBUTES)})\((\w+)\)")


class Beyond(Part):
    """`beyond = {…}`: spare at most so many sentences for each value of an attribute of a word, such as `lemma(V)`."""

    per: str
    at_most: int = Field(ge=0)

    @field_validator("per")
    @classmethod
    def _check_per(cls, per: str) -> str:
        if _PER.fullmatch(per) is None:
            raise ValueError(f"it should be an attribute ({', '.join(ATTRIBUTES)}) of a name, such as lemma(V)")
        return per

    @property
    def attribute(self) -> Attribute:
        """The attribute: lemma in `lemma(V)`."""
        return cast("Attribute", self.per.partition("(")[0])

    @property
    def name(self) -> str:
        """The name of the word: V in `lemma(V)`."""
        return self.per.partition("(")[2].removesuffix(")")


OPTIONS: Mapping[str, Key] = {
    "fraction": Key(float | None, Field(None, gt=0, le=1)),
    "beyond": Key(Beyond | None),
    "seed": SEED,
}


def share_problems(entry: Entry, key: str, filters: Filters) -> Iterator[Diagnostic]:
    """Yield the mistakes in `fraction` and `beyond` of an entry with the intervention `key`."""
    both = [name for name in ("fraction", "beyond") if name in entry.raw]
    edits = [name for name in ("mask", "drop", "rewrite") if name in entry.raw]
    if key == "remove" and both and edits:
        reason = f"remove and {edits[0]} match different sentences; use two conditions"
        yield entry.problem("FICT604", both[0], key=f"condition.{both[0]}", reason=reason)
    if len(both) > 1 and key == next(name for name in ("remove", *edits) if name in entry.raw):
        yield entry.problem(
            "FICT604", "beyond", key="condition.beyond", reason="fraction and beyond exclude each other"
        )
    settings = entry.raw.get("beyond")
    per = _PER.fullmatch(str(settings.get("per"))) if isinstance(settings, dict) else None
    for item in filters if per is not None else ():
        if per is not None and per[2] not in item.names:
            names = ", ".join(f"`{name}`" for name in item.names)
            hint = f"it has {names}" if names else "it binds no word"
            yield entry.problem("FICT655", "beyond", filter=item.name, name=per[2], hint=hint)


def share_content(subject: Subject, filters: Filters) -> dict[str, Any]:
    """Return plain JSON that determines the part of the sentences, or an empty table if it is all of them."""
    drawn = {"seed": subject.values["seed"]} | subject.redrawn
    if (fraction := subject.values["fraction"]) is not None:
        return {"fraction": fraction} | drawn
    settings: Beyond | None = subject.values["beyond"]
    if settings is None:
        return {}
    nodes = sorted((item.key, item.names.index(settings.name)) for item in filters)
    per = [settings.attribute, [list(node) for node in nodes]]
    return {"beyond": settings.at_most, "per": per} | drawn


def share_description(subject: Subject) -> str:
    """Return the end of a description, such as ` (0.5 of the matching sentences)`."""
    if (fraction := subject.values["fraction"]) is not None:
        return f" ({fraction:.4g} of the matching sentences)"
    settings: Beyond | None = subject.values["beyond"]
    return "" if settings is None else f" (sparing {settings.at_most} sentences for each {settings.per})"


def acted_on(subject: Subject, filters: Filters, base: BaseCorpus, among: Indices | None = None) -> Indices:
    """Return the sentences that an intervention acts on: the matching ones, or the part that the condition states.

    With `among`, these are the only sentences that count as matching.
    """
    import numpy as np

    from runner.intervene.shares import beyond, fraction_of

    matched = base.matching(filters)
    matched = matched if among is None else np.intersect1d(matched, among, assume_unique=True)
    seed = subject.seed(subject.values["seed"])
    if (fraction := subject.values["fraction"]) is not None:
        return fraction_of(matched, base.ranks(f"fraction:{seed}"), fraction)
    settings: Beyond | None = subject.values["beyond"]
    if settings is None:
        return matched
    return beyond(matched, base.ranks(f"beyond:{seed}"), _values(settings, filters, base), settings.at_most)


def _values(settings: Beyond, filters: Filters, base: BaseCorpus) -> dict[int, set[str]]:
    """Return the values of all matches of all filters, by sentence."""
    from runner.corpus.query.word_values import values_by_sentence

    values: dict[int, set[str]] = {}
    for item in filters:
        for sid, own in values_by_sentence(base.store, item, settings.name, settings.attribute).items():
            values.setdefault(sid, set()).update(own)
    return values


def left_after_removal(subject: Subject, base: BaseCorpus) -> Indices | None:
    """Return the sentences that are left after filters remove some, None if they remove none.

    A random removal does not count, since it may be undone in part when the common size is drawn.
    """
    from runner.intervene.select_sentences import other_sentences

    selection = selection_of(subject)
    if selection is None or not selection.filters(subject):
        return None
    return other_sentences(base.everything(), selection.removed(subject, base))


def sentences_to_rewrite(subject: Subject, filters: Filters, base: BaseCorpus) -> Indices | None:
    """Return the sentences that rewrites apply to, None if to all."""
    left = left_after_removal(subject, base)
    return acted_on(subject, filters, base, left) if has_share(subject) else left


def has_share(subject: Subject) -> bool:
    """Return whether an intervention acts on a part of the matching sentences."""
    return subject.values["fraction"] is not None or subject.values["beyond"] is not None
