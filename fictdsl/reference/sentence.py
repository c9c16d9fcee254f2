"""Sentences of a treebank as plain values, for the reference interpreter."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Word:
    """One syntactic word. Absent columns are None, or empty for FEATS, DEPS and MISC. All strings are NFC.

    `feats` and `misc` map a key to its values, in order; a key without `=` has the value "". `head` is 0 for the root.
    `deps` are the enhanced edges, as pairs of the head's id as written and the label. `token` is the form of the
    multiword token that the word is part of, or None.
    """

    id: int
    form: str
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: dict[str, tuple[str, ...]] = field(default_factory=dict)
    head: int = 0
    deprel: str | None = None
    deps: tuple[tuple[str, str], ...] = ()
    misc: dict[str, tuple[str, ...]] = field(default_factory=dict)
    token: str | None = None


@dataclass(frozen=True)
class Sentence:
    """The words of one tree, with ids 1..n in order, and its comments.

    `meta` maps the key of a comment to its values; a comment without `=` has the value "".
    """

    words: tuple[Word, ...]
    meta: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sent_id: str | None = None
    doc: str | None = None
    text: str | None = None
