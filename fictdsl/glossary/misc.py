"""Descriptions of the keys of the MISC column that Universal Dependencies and its tools use."""

from __future__ import annotations

MISC: dict[str, str] = {
    "SpaceAfter": "`No` where no space follows the word",
    "SpacesAfter": "the white space after the word, where it is not one space",
    "SpacesBefore": "the white space before the first word of a sentence",
    "Gloss": "translation of the word, often into English",
    "Translit": "transliteration of the form",
    "LTranslit": "transliteration of the lemma",
    "Lang": "language of a foreign word, as an ISO 639 code",
    "OrigLang": "original language of a borrowed word, as an ISO 639 code",
    "LId": "identifier of the lemma in a lexicon",
    "Ref": "reference to the position of the word in a text",
    "CorrectForm": "form of the word without its spelling mistake",
    "CorrectLemma": "lemma of the word without its mistake",
    "CorrectSpaceAfter": "`Yes` where the space after the word is missing by mistake, `No` where there should be none",
    "ModernForm": "form of the word in modern spelling",
    "MSeg": "morphemes of the word",
    "MGloss": "gloss of each morpheme",
    "MWE": "multiword expression that the word belongs to",
    "NER": "type of the named entity",
    "Cxn": "construction that the word heads",
    "CxnElt": "role of the word in a construction",
    "Promoted": "`Yes` where the word stands for an elided head",
    "Entity": "brackets of entities and coreference that open or close at the word",
    "Bridge": "bridging relation between entities",
    "SplitAnte": "antecedents of an entity that has several antecedents",
    "Discourse": "discourse relation of the unit that begins at the word",
    "start_char": "offset of the first character in the document, from Stanza",
    "end_char": "offset after the last character in the document, from Stanza",
    "TokenRange": "offsets of the word in the document, from UDPipe",
}
OTHER_DESCRIPTION = "an entry of the MISC column"
