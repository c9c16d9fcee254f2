"""Descriptions of the morphological features of UD and their values, after universaldependencies.org/u/feat."""

from __future__ import annotations

FEATURES: dict[str, str] = {
    "Abbr": "abbreviation",
    "Animacy": "animacy",
    "Aspect": "aspect: how an event unfolds in time",
    "Case": "grammatical case",
    "Clusivity": "whether *we* includes the hearer",
    "Definite": "definiteness or state",
    "Degree": "degree of comparison",
    "Deixis": "relative location that a demonstrative shows",
    "DeixisRef": "person that a deictic location is relative to",
    "Evident": "evidentiality: the source of what is said",
    "ExtPos": "part of speech that a whole fixed or flat expression acts as",
    "Foreign": "foreign word",
    "Gender": "grammatical gender",
    "Mood": "mood of a finite verb",
    "NounClass": "noun class, of Bantu and Wolof languages",
    "NumForm": "how a numeral is written",
    "NumType": "type of a numeral",
    "Number": "grammatical number",
    "Person": "person",
    "Polarity": "whether affirmed or negated",
    "Polite": "politeness",
    "Poss": "possessive word",
    "PronType": "type of a pronoun, determiner or pronominal adverb",
    "Reflex": "reflexive word",
    "Style": "style or register of the form",
    "Tense": "tense",
    "Typo": "misspelt word",
    "VerbForm": "form of a verb: finite, infinitive, participle, …",
    "Voice": "voice",
}

LAYERS: dict[str, str] = {
    "psor": "of the possessor",
    "psed": "of what is possessed",
    "abs": "of the absolutive argument",
    "erg": "of the ergative argument",
    "dat": "of the dative argument",
    "subj": "of the subject",
    "obj": "of the object",
    "dem": "of the demonstrative",
    "grnd": "of the ground",
}

_YES = {"Yes": "yes: it is one"}

VALUES: dict[str, dict[str, str]] = {
    "Abbr": _YES,
    "Animacy": {"Anim": "animate", "Hum": "human", "Inan": "inanimate", "Nhum": "non-human"},
    "Aspect": {
        "Hab": "habitual", "Imp": "imperfective", "Iter": "iterative", "Perf": "perfective",
        "Prog": "progressive", "Prosp": "prospective",
    },
    "Case": {
        "Abe": "abessive, *without*", "Abl": "ablative, *from*", "Abs": "absolutive", "Acc": "accusative (*me*, *him*)",
        "Add": "additive, *to*", "Ade": "adessive, *at*", "All": "allative, *to*", "Ben": "benefactive, *for*",
        "Cau": "causative, *because of*", "Cmp": "comparative, *than*", "Cns": "considerative, *in exchange for*",
        "Com": "comitative, *together with*", "Dat": "dative, *to* someone", "Del": "delative, *from the top of*",
        "Dis": "distributive, *per*", "Ela": "elative, *out of*", "Equ": "equative, *as … as*", "Erg": "ergative",
        "Ess": "essive, *as*", "Gen": "genitive, *of*", "Ill": "illative, *into*", "Ine": "inessive, *in*",
        "Ins": "instrumental, *with*", "Lat": "lative, *towards*", "Loc": "locative, *at*", "Nom": "nominative (*I*)",
        "Par": "partitive", "Per": "perlative, *along*", "Sbe": "subessive, *under*", "Sbl": "sublative, *onto*",
        "Spl": "superlative, *over*", "Sub": "sublocative, *to under*", "Sup": "superessive, *on*",
        "Tem": "temporal, *at* a time", "Ter": "terminative, *up to*", "Tra": "translative, *becoming*",
        "Voc": "vocative, for the person addressed",
    },
    "Clusivity": {"Ex": "exclusive: not the hearer", "In": "inclusive: the hearer too"},
    "Definite": {
        "Com": "complex", "Cons": "construct state", "Def": "definite (*the*)", "Ind": "indefinite (*a*)",
        "Spec": "specific indefinite",
    },
    "Degree": {
        "Abs": "absolute superlative", "Aug": "augmentative", "Cmp": "comparative (*bigger*)", "Dim": "diminutive",
        "Equ": "equative, *as big as*", "Pos": "positive, the first degree (*big*)", "Sup": "superlative (*biggest*)",
    },
    "Deixis": {
        "Abv": "above the reference point", "Bel": "below the reference point",
        "Even": "at the level of the reference point", "Med": "medial, neither near nor far",
        "Nvis": "not visible", "Prox": "proximal, near (*this*)", "Remt": "remote, far (*that*)",
    },
    "DeixisRef": {"1": "relative to the speaker", "2": "relative to the hearer"},
    "Evident": {"Fh": "first-hand", "Nfh": "not first-hand"},
    "ExtPos": {},
    "Foreign": _YES,
    "Gender": {"Com": "common: masculine or feminine", "Fem": "feminine (*she*)", "Masc": "masculine (*he*)",
               "Neut": "neuter (*it*)"},
    "Mood": {
        "Adm": "admirative: surprise", "Cnd": "conditional", "Des": "desiderative: a wish", "Imp": "imperative",
        "Ind": "indicative", "Int": "interrogative", "Irr": "irrealis", "Jus": "jussive: *let …*",
        "Nec": "necessitative: *must*", "Opt": "optative: *may it …*", "Pot": "potential: possible or probable",
        "Prp": "purposive: *in order to*", "Qot": "quotative: direct speech", "Sub": "subjunctive",
    },
    "NounClass": {},
    "NumForm": {"Combi": "digits with a suffix (*1st*)", "Digit": "digits (*42*)", "Roman": "Roman numeral (*IV*)",
                "Word": "a word (*four*)"},
    "NumType": {
        "Card": "cardinal (*three*)", "Dist": "distributive, *three each*", "Frac": "fraction (*half*)",
        "Mult": "multiplicative (*twice*)", "Ord": "ordinal (*third*)", "Range": "range (*two to five*)",
        "Sets": "number of sets",
    },
    "Number": {
        "Coll": "collective", "Count": "count plural", "Dual": "dual, two", "Grpa": "greater paucal",
        "Grpl": "greater plural", "Inv": "inverse", "Pauc": "paucal, a few", "Plur": "plural (*cars*)",
        "Ptan": "plurale tantum (*scissors*)", "Sing": "singular (*car*)", "Tri": "trial, three",
    },
    "Person": {"0": "impersonal", "1": "first (*I*, *we*)", "2": "second (*you*)", "3": "third (*she*, *they*)",
               "4": "fourth, obviative"},
    "Polarity": {"Neg": "negative (*not*)", "Pos": "positive (*yes*)"},
    "Polite": {"Elev": "elevates the person spoken of", "Form": "formal", "Humb": "humbles the speaker",
               "Infm": "informal"},
    "Poss": _YES,
    "PronType": {
        "Art": "article (*the*, *a*)", "Dem": "demonstrative (*this*)", "Emp": "emphatic (*himself*)",
        "Exc": "exclamative (*what a …*)", "Ind": "indefinite (*some*)", "Int": "interrogative (*who?*)",
        "Neg": "negative (*nobody*)", "Prs": "personal or possessive (*she*, *her*)", "Rcp": "reciprocal",
        "Rel": "relative (*the man **who***)", "Tot": "total (*every*, *all*)",
    },
    "Reflex": _YES,
    "Style": {
        "Arch": "archaic", "Coll": "colloquial", "Expr": "expressive", "Form": "formal", "Rare": "rare",
        "Slng": "slang", "Vrnc": "vernacular", "Vulg": "vulgar",
    },
    "Tense": {"Fut": "future", "Imp": "imperfect", "Past": "past (*went*)", "Pqp": "pluperfect",
              "Pres": "present (*goes*)"},
    "Typo": _YES,
    "VerbForm": {
        "Conv": "converb, adverbial participle", "Fin": "finite (*goes*)", "Gdv": "gerundive", "Ger": "gerund",
        "Inf": "infinitive (*to go*)", "Part": "participle (*gone*)", "Sup": "supine", "Vnoun": "verbal noun, masdar",
    },
    "Voice": {
        "Act": "active", "Antip": "antipassive", "Bfoc": "beneficiary focus", "Cau": "causative", "Dir": "direct",
        "Inv": "inverse", "Lfoc": "location focus", "Mid": "middle", "Pass": "passive (*seen*)", "Rcp": "reciprocal",
    },
}  # fmt: skip


def value(feature: str, name: str) -> str | None:
    """Return the description of a value of a feature; None if it has none."""
    return VALUES.get(feature, {}).get(name)
