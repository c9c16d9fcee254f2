"""The few words, tags and labels that generated trees and generated filters share, so that matches happen."""

from __future__ import annotations

COMMON_FORMS = ("the", "The", "dog", "dogs", "at", "all", "not", "It", "sees", "in")
ODD_FORMS = (
    "at all", "in the", "10 000", "n't", "it's", '"', "\\", "''", "%", "_", "a_b", "--", "/*", "$$", ";", "É", "é",
    "ß", "ẞ", "İ", "ΑΣ", "ας", "Ω", "😀", "naïve", "x\u2028y", "#", "N", "DOG", "ﬁ", "١", "1", "2.5", "H\u0331",
)  # fmt: skip
FORMS = COMMON_FORMS * 6 + ODD_FORMS
LEMMAS = ("the", "dog", "see", "not", "at", "all", "it", "It", "_", "in", "é", "'s")
PHRASES = (
    "at all",
    "At All",
    "in the",
    "the dog",
    "not at all",
    "the dogs at all",
    "10 000",
    "all",
    "at",
    "dog",
    "DOG",
)
UPOS = ("NOUN", "VERB", "DET", "ADJ", "PRON", "ADP", "AUX")
XPOS = ("NN", "NNS", "VB", "DT", "''", "-LRB-", "_x")
DEPRELS = (
    "nsubj", "nsubj:pass", "nsubj:pass:x", "nsubjx", "obj", "iobj", "obl", "obl:tmod", "nmod", "nmod:poss",
    "acl:relcl", "acl", "det", "conj", "root", "case", "comp:obj@x", "nsubj@x",
)  # fmt: skip
FEATURES: dict[str, tuple[str, ...]] = {
    "Number": ("Sing", "Plur", "Dual"),
    "Case": ("Acc", "Dat", "Nom"),
    "Person": ("1", "2", "3"),
    "Degree": ("Sup", "Cmp"),
    "Number[psor]": ("Sing", "Plur"),
    "Typo": ("Yes",),
}
TOKENS = ("don't", "Don't", "du", "it's", "cannot", "É", "al_l")
FEATS = ("Number=Sing", "Number=Plur", "Case=Acc", "Case=Acc,Dat", "Case=Acc|Number=Sing", "Person=1", "Typo=Yes")
MISC_KEYS = ("Gloss", "SpaceAfter", "Score", "a b", "é'\"x", "misc")
MISC_VALUES = ("", "No", "3", "3.0", "-2.5", "+1", "007", "1e3", ".5", "5.", "x y", "dog", "é", "10", "2")
META_KEYS = ("genre", "speaker age", "flag", "s_type", "it's")
META_VALUES = ("", "news", "2", "10", "-1.5", "a=b", "yes", "No")
DOCS = ("d1", "d2")
SENT_IDS = ("s-1", "s-2", "weblog-x'y")
TEXTS = ("The dog sees it.", "at all", "", "it's 100%")
NUMBERS = ("0", "1", "2", "3", "5", "2.5", "-1", "10", "+3")
WHOLE_NUMBERS = ("1", "0", "2", "1", "0", "2", "3", "4", "5", "7", "-1")
