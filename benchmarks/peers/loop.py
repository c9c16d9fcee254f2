"""The twelve FiCT filters with released code, as plain Python loops over the words of a sentence.

A word has `id`, `head`, `deprel`, `text`, `lemma`, `upos` and `feats`, as in Stanza's documents; `lemma` and
`feats` may be None. Conditions on a single word are tested before those that need a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Protocol

from benchmarks.cases import words as word_list

DEMONSTRATIVES = {"this", "that", "these", "those"}
QUANTIFIERS = {"a", "an", "no", "some", "few", "many", "all", "most", "every", "each"}
SV_NOUNS, DET_NOUNS, PASSIVE_VERBS = (set(word_list(name)) for name in ("sv_nouns", "det_nouns", "passive_verbs"))
OBJECTS = {"obj", "iobj", "obl"}


class Word(Protocol):
    """A word of a sentence."""

    id: int
    head: int
    deprel: str
    text: str
    lemma: str | None
    upos: str
    feats: str | None


Words = Sequence[Word]


def is_subject(word: Word) -> bool:
    """Return whether the relation is nsubj or one of its subtypes."""
    return word.deprel == "nsubj" or word.deprel.startswith("nsubj:")


def is_reflexive(word: Word) -> bool:
    """Return whether the word has Reflex=Yes."""
    return "Reflex=Yes" in (word.feats or "")


def children(words: Words, head: Word) -> Iterator[Word]:
    """Yield the dependents of a word."""
    return (word for word in words if word.head == head.id)


def descendants(words: Words, top: Word) -> Iterator[Word]:
    """Yield the descendants of `top`."""
    for child in children(words, top):
        yield child
        yield from descendants(words, child)


def agr_pp_mod(words: Words) -> bool:
    """Test for a modifier between a subject and its predicate."""
    return any(
        s.id < m.id < s.head
        for s in words
        if is_subject(s)
        for m in children(words, s)
        if m.deprel == "nmod"
    )  # fmt: skip


def agr_re_irr_sv(words: Words) -> bool:
    """Test for a subject that is in the noun list."""
    return any(is_subject(s) and s.text.lower() in SV_NOUNS for s in words)


def agr_rel_cl(words: Words) -> bool:
    """Test for a relative clause on a subject or on its modifier."""

    def has_relative_clause(noun: Word) -> bool:
        return any(child.deprel == "acl:relcl" for child in children(words, noun))

    return any(
        has_relative_clause(s) or any(m.deprel == "nmod" and has_relative_clause(m) for m in children(words, s))
        for s in words
        if is_subject(s)
    )


def binding_c_command(words: Words) -> bool:
    """Test for a reflexive after a relative clause in a subject with the same head."""
    return any(
        s.head == r.head and any(c.deprel == "acl:relcl" and s.id < c.id < r.id for c in descendants(words, s))
        for r in words
        if is_reflexive(r) and r.head
        for s in words
        if s.deprel == "nsubj"
    )


def binding_case(words: Words) -> bool:
    """Test for a pronoun after the marker of a complement clause, or a reflexive before a clause with the same head."""

    def subject_pronoun(word: Word) -> bool:
        return word.upos == "PRON" and word.deprel in {"nsubj", "nsubj:pass"}

    for word, following in pairwise(words):
        if word.deprel == "mark" and subject_pronoun(following) and words[word.head - 1].deprel == "ccomp":
            return True
        if is_reflexive(word) and following.deprel in {"xcomp", "advcl"} and 0 < word.head == following.head:
            return True
    return False


def binding_domain(words: Words) -> bool:
    """Test for a pronoun or reflexive within a complement clause."""
    for clause in words:
        if clause.deprel in {"ccomp", "xcomp"}:
            dependents = list(children(words, clause))
            if any(is_reflexive(word) for word in dependents):
                return True
            if clause.deprel == "ccomp" and any(word.deprel == "mark" for word in dependents):
                objects = (word for word in dependents if word.deprel in {"obj", "obl"} and word.id > clause.id)
                if any(word.upos == "PRON" for word in objects):
                    return True
    return False


def binding_reconstruction(words: Words) -> bool:
    """Test for a reflexive with a subject."""
    return any(any(c.deprel == "nsubj" for c in children(words, r)) for r in words if is_reflexive(r))


def det_adj_noun(words: Words) -> bool:
    """Test for a demonstrative right before a word that is not a noun."""
    return any(
        d.upos == "DET" and d.text.lower() in DEMONSTRATIVES and x.upos not in {"NOUN", "PROPN"}
        for d, x in pairwise(words)
    )


def det_noun(words: Words) -> bool:
    """Test for a noun in the noun list that has a demonstrative."""
    return any(
        d.deprel == "det" and (d.text.lower() in DEMONSTRATIVES or (d.lemma or "").lower() in DEMONSTRATIVES)
        for n in words
        if n.text.lower() in DET_NOUNS
        for d in children(words, n)
    )


def passive(words: Words) -> bool:
    """Test for a word in the verb list that is passive or has a copula."""
    return any(
        "Voice=Pass" in (v.feats or "") or any(c.deprel == "cop" for c in children(words, v))
        for v in words
        if v.text.lower() in PASSIVE_VERBS or (v.lemma or "").lower() in PASSIVE_VERBS
    )


def quantifier_existential_there(words: Words) -> bool:
    """Test for a quantified subject of an existential there."""
    for there in words:
        if there.lemma == "there" and there.deprel == "expl":
            be = words[there.head - 1]
            if be.lemma == "be":
                for noun in children(words, be):
                    if is_subject(noun) and any(q.lemma in QUANTIFIERS for q in children(words, noun)):
                        return True
    return False


def quantifier_superlative(words: Words) -> bool:
    """Test for a comparative or superlative that is an object or inside one."""
    for word in words:
        feats = word.feats or ""
        if "Degree=Sup" in feats or "Degree=Cmp" in feats:
            ancestor = word
            while ancestor.deprel not in OBJECTS and ancestor.head:
                ancestor = words[ancestor.head - 1]
            if ancestor.deprel in OBJECTS:
                return True
    return False


FILTERS: dict[str, Callable[[Words], bool]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        agr_pp_mod,
        agr_re_irr_sv,
        agr_rel_cl,
        binding_c_command,
        binding_case,
        binding_domain,
        binding_reconstruction,
        det_adj_noun,
        det_noun,
        passive,
        quantifier_existential_there,
        quantifier_superlative,
    )
}
