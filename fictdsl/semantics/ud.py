"""The tags, relations and features of Universal Dependencies 2, most of them from the glossary.

Sources: universaldependencies.org/u/pos, /u/dep, /u/feat, and for English /en/dep and /en/feat. Treebanks may define
further subtypes and features, so lint rules report an unknown one as a warning, not an error.
"""

from __future__ import annotations

from fictdsl import glossary

UPOS: tuple[str, ...] = tuple(glossary.UPOS)
RELATIONS: tuple[str, ...] = tuple(glossary.RELATIONS)

# English subtypes that are documented now, and those of older releases that are still in use.
ENGLISH_SUBTYPES: tuple[str, ...] = (
    "acl:relcl", "advcl:relcl", "aux:pass", "cc:preconj", "compound:prt", "csubj:outer", "csubj:pass", "det:predet",
    "flat:foreign", "nmod:desc", "nmod:npmod", "nmod:poss", "nmod:tmod", "nmod:unmarked", "nsubj:outer",
    "nsubj:pass", "obl:agent", "obl:npmod", "obl:tmod", "obl:unmarked",
)  # fmt: skip

# Subtypes documented for several other languages.
OTHER_SUBTYPES: tuple[str, ...] = (
    "acl:cleft", "advcl:cleft", "advcl:cmp", "advcl:cond", "advcl:pred", "advcl:purp", "advmod:emph", "advmod:lmod",
    "advmod:neg", "advmod:tmod", "aux:caus", "aux:neg", "aux:q", "aux:tense", "case:gen", "case:loc", "ccomp:obj",
    "ccomp:obl", "compound:affix", "compound:lvc", "compound:nn", "compound:preverb", "compound:redup",
    "compound:svc", "csubj:cleft", "csubj:cop", "det:numgov", "det:nummod", "det:poss", "discourse:emo",
    "discourse:filler", "discourse:sp", "dislocated:nsubj", "dislocated:obj", "expl:impers", "expl:pass",
    "expl:poss", "expl:pv", "expl:subj", "flat:date", "flat:name", "flat:num", "flat:number", "flat:range",
    "flat:redup", "flat:title", "flat:vv", "mark:adv", "mark:prt", "mark:rel", "nmod:agent", "nmod:appos",
    "nmod:arg", "nmod:att", "nmod:gen", "nmod:gobj", "nmod:gsubj", "nmod:lmod", "nmod:obj", "nmod:obl", "nmod:part",
    "nmod:subj", "nsubj:caus", "nsubj:cop", "nummod:det", "nummod:entity", "nummod:gov", "obj:agent", "obj:caus",
    "obj:lvc", "obl:about", "obl:appl", "obl:arg", "obl:cau", "obl:cmp", "obl:cmpr", "obl:comp", "obl:dat",
    "obl:lmod", "obl:mod", "obl:obj", "obl:own", "obl:patient", "obl:pmod", "obl:poss", "obl:prep", "obl:sentcon",
    "obl:smod", "orphan:missing", "parataxis:appos", "parataxis:conj", "parataxis:deletion", "parataxis:discourse",
    "parataxis:dislocated", "parataxis:hashtag", "parataxis:insert", "parataxis:newsent", "parataxis:nsubj",
    "parataxis:obj", "parataxis:parenth", "parataxis:rel", "parataxis:rep", "parataxis:restart", "parataxis:speech",
    "vocative:mention", "xcomp:cleft", "xcomp:ds", "xcomp:obj", "xcomp:pred", "xcomp:subj",
)  # fmt: skip

ENHANCED: tuple[str, ...] = ("ref", "nsubj:xsubj", "csubj:xsubj")  # in the enhanced graph only

FEATURES: dict[str, tuple[str, ...]] = {name: tuple(glossary.VALUES.get(name, ())) for name in glossary.FEATURES}
FEATURES["ExtPos"] = tuple(tag for tag in UPOS if tag not in ("PART", "PUNCT", "SYM", "X"))
FEATURES["NounClass"] = (*(f"Bantu{number}" for number in range(1, 24)), *(f"Wol{number}" for number in range(1, 13)))

SUBTYPES: frozenset[str] = frozenset(ENGLISH_SUBTYPES + OTHER_SUBTYPES)


def is_feature(name: str) -> bool:
    return name.partition("[")[0] in FEATURES


def is_base_relation(label: str, *, enhanced: bool = False) -> bool:
    """Return whether the part of a label before the colon is a UD relation, or with `enhanced`, the label is `ref`."""
    return label.partition(":")[0] in RELATIONS or (enhanced and label in ENHANCED)


def is_relation(label: str, *, enhanced: bool = False) -> bool:
    """Subtypes are those documented for some language; enhanced labels may end in a lemma: `nmod:in`, `conj:and`."""
    if enhanced:
        return label in ENHANCED or label.partition(":")[0] in RELATIONS
    return label in RELATIONS or label in SUBTYPES
