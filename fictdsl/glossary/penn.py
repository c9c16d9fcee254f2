"""Descriptions of English XPOS tags: those of the Penn Treebank and its successors that consist of letters.

Tags such as `PRP$`, `WP$` and `-LRB-` are not included.
"""

from __future__ import annotations

PENN: dict[str, str] = {
    "ADD": "e-mail or web address",
    "AFX": "affix written apart (*pre*, *non*)",
    "CC": "coordinating conjunction (*and*, *or*, *but*)",
    "CD": "cardinal number (*three*, *2014*)",
    "DT": "determiner (*the*, *a*, *this*, *every*)",
    "EX": "existential *there* (***there** is a ghost*)",
    "FW": "foreign word",
    "GW": "part of a word that is split by mistake",
    "HYPH": "hyphen between the parts of a word",
    "IN": "preposition or subordinating conjunction (*of*, *in*, *that*, *if*)",
    "JJ": "adjective (*green*)",
    "JJR": "adjective, comparative (*greener*)",
    "JJS": "adjective, superlative (*greenest*)",
    "LS": "marker of a list item (*a*, *1*)",
    "MD": "modal verb (*can*, *will*, *should*)",
    "NFP": "superfluous punctuation, such as a line of stars",
    "NN": "noun, singular or mass (*car*, *milk*)",
    "NNP": "proper noun, singular (*Mary*)",
    "NNPS": "proper noun, plural (*Alps*)",
    "NNS": "noun, plural (*cars*)",
    "PDT": "predeterminer (***all** the boys*)",
    "POS": "possessive ending (*'s*)",
    "PRP": "personal pronoun (*I*, *he*, *them*)",
    "RB": "adverb (*often*, *not*)",
    "RBR": "adverb, comparative (*sooner*)",
    "RBS": "adverb, superlative (*soonest*)",
    "RP": "particle of a phrasal verb (*shut **down***)",
    "SYM": "symbol",
    "TO": "*to* before an infinitive",
    "UH": "interjection (*oh*, *yes*)",
    "VB": "verb, base form (*take*)",
    "VBD": "verb, past tense (*took*)",
    "VBG": "verb, gerund or present participle (*taking*)",
    "VBN": "verb, past participle (*taken*)",
    "VBP": "verb, present, not third person singular (*take*)",
    "VBZ": "verb, present, third person singular (*takes*)",
    "WDT": "wh-determiner (*which*, *that* as a relative)",
    "WP": "wh-pronoun (*who*, *what*)",
    "WRB": "wh-adverb (*where*, *how*)",
    "XX": "word without an analysis",
}
