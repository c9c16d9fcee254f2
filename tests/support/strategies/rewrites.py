"""Rewrites as text, and the CoNLL-U of sentences in which they find something to do."""

from __future__ import annotations

import re

from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import drawn_heads

MATCHES = (
    "A", "A:NOUN|PROPN", "A:DET", "A -> B", "A -> B", "A -[nsubj|obj|det]-> B", "B <- A", "A << B", "A < B",
    "A -> B   A -> C   B << C", "A ->> B", "A[deprel = root]", "A:PUNCT < B", "A ~ B   A << B",
    "A -> B   either { A:VERB } or { B:NOUN }", "A -> B   B -> C", "A   without { A -> X }", "A   maybe { A -> B }", "A:NOUN   maybe { B -> A   B < C }", "sentence[length < 6]   A -> B",
)  # fmt: skip
OF_SENTENCES = ("sentence[length > 3]", "A:VERB", "A:DET < B")
FORMS = (
    ("The", "the", "DET"), ("a", "a", "DET"), ("a", "a", "DET"), ("A", "a", "DET"), ("an", "a", "DET"),
    ("AN", "a", "DET"), ("per", "a", "DET"), ("dog", "dog", "NOUN"), ("Apple", "apple", "NOUN"), ("gave", "give", "VERB"),
    ("Paris", "Paris", "PROPN"), ("I", "I", "PRON"), ("I'm", "I", "PRON"), ("hour", "hour", "NOUN"), ("egg", "egg", "NOUN"),
    ("NATO", "NATO", "NOUN"), ("FBI", "fbi", "NOUN"), ("XL", "xl", "ADJ"), ("U", "u", "NOUN"), ("8", "8", "NUM"),
    ("11th", "11", "ADJ"), ("180", "180", "NUM"), ("McDonald", "mcdonald", "NOUN"), ("n't", "not", "PART"),
    ("'s", "'s", "PART"), ("’ll", "will", "AUX"), ("n’t", "not", "PART"), (".", ".", "PUNCT"), (",", ",", "PUNCT"),
    ("!?", "!?", "PUNCT"), ('"', '"', "PUNCT"), ('"', '"', "PUNCT"), ("'", "'", "PUNCT"), ("(", "(", "PUNCT"),
    (")", ")", "PUNCT"), ("“", "“", "PUNCT"), ("”", "”", "PUNCT"), ("…", "…", "PUNCT"), ("-", "-", "PUNCT"),
    ("(a", "(a", "PUNCT"), ("'Twas", "be", "AUX"), ("_", "_", "SYM"), ("10 000", "10000", "NUM"), ("ßen", "_", "X"),
    ("Émile", "Émile", "NOUN"), ("i", "i", "PRON"), ("¿", "¿", "PUNCT"), ("a|b", "_", "SYM"), ("Is", "be", "AUX"),
    ("ǆ", "ǆ", "X"), ("run", "run", "VERB"), ("quickly", "quickly", "ADV"), ("iPhone", "iphone", "NOUN"),
    ("İstanbul", "istanbul", "NOUN"), ("ŉ", "ŉ", "DET"), ("e\u0301te\u0301", "été", "NOUN"), ("שלום", "שלום", "INTJ"),
    ("👩\u200d🚀", "_", "SYM"), ("ΣΟΦΟΣ", "σοφός", "ADJ"), ("Donaudampfschifffahrt", "_", "NOUN"), ("٣", "3", "NUM"),
    ("km\u00a0", "km", "NOUN"), ("1\u00a0000", "1000", "NUM"), ("−", "−", "SYM"), ("½", "½", "NUM"), ("#x", "#x", "X"),
    ("=", "=", "SYM"), ("18", "18", "NUM"), ("A", "A", "PROPN"), ("UN", "UN", "PROPN"), ("\u200b", "_", "X"),
    ("„", "„", "PUNCT"), ("“", "“", "PUNCT"), ("‚", "‚", "PUNCT"), ("‘", "‘", "PUNCT"), ("«", "«", "PUNCT"),
    ("»", "»", "PUNCT"), ("،", "،", "PUNCT"), ("؟", "؟", "PUNCT"), ("。", "。", "PUNCT"), ("」", "」", "PUNCT"),
    ("犬", "犬", "NOUN"), ("が", "が", "ADP"), ("ＡＢＣ", "ＡＢＣ", "NOUN"), ("ก็", "ก็", "PART"), ("읽다", "읽다", "VERB"),
)  # fmt: skip
LABELS = ("nsubj", "obj", "det", "obl", "case", "punct", "conj", "nmod:poss")
MISC = (
    "_",
    "_",
    "_",
    "Gloss=x",
    "start_char=1|end_char=4",
    "Entity=(1",
    "flag",
    "Gloss=a|Gloss=b",
    "TokenRange=0:3|K=v",
)


def make_rewrite(rng: Rng, name: str = "generated", family: bool | None = None) -> str:
    """Draw a rewrite as the text of an item, without mistakes."""
    family = rng.often(15) if family is None else family
    of_sentences = rng.often(30)
    everywhere = of_sentences and rng.often(60)
    match = "" if everywhere else rng.pick((*OF_SENTENCES, *MATCHES) if of_sentences else MATCHES)
    names = sorted(set(re.findall(r"\b[ABC]\b", match)))
    makers = _MAKERS_OF_SENTENCES if everywhere or not names else _MAKERS + _MAKERS_OF_SENTENCES * of_sentences
    actions = [rng.pick(makers)(rng, names, family) for _ in range(rng.pick([1, 1, 2, 3, 4]))]
    metadata = ['  about "generated"'] * rng.flag()
    metadata += [f"  as-is {kind}" for kind in ("case", "article") if rng.often(20)]
    head = f"rewrite {name}{' for p in {Zed, an-on}' if family else ''} {{"
    return "\n".join([head, *metadata, f"  match {{ {match} }}", *(f"  {action}" for action in actions), "}"])


def _target(rng: Rng, names: list[str]) -> str:
    kind = rng.pick(["node", "subtree", "subtree", "span"])
    chosen = [rng.pick(names) for _ in range(2 if kind == "span" else 1)]
    return f"{kind}({', '.join(chosen)})"


def _any(rng: Rng, names: list[str]) -> str:
    return "sentence" if not names or rng.often(10) else _target(rng, names)


def _move(rng: Rng, names: list[str], family: bool) -> str:
    destination = "sentence" if rng.often(8) else _target(rng, names)
    return f"move {_target(rng, names)} {rng.pick(['before', 'after'])} {destination}"


def _swap(rng: Rng, names: list[str], family: bool) -> str:
    if len(names) > 1 and rng.often(60):
        one, other = rng.shuffled(names)[:2]
        return f"swap node({one}) with node({other})"
    return f"swap {_target(rng, names)} with {_target(rng, names)}"


def _insert(rng: Rng, names: list[str], family: bool) -> str:
    word = rng.pick(['"zoo"', '"an"', '","', '"n\'t"', '"Egg"', '"New York"', *(["$p"] * family)])
    columns = rng.pick([
        "", "[upos = PUNCT]", "[upos = DET, lemma = a]", "[xpos = NN, Number = Sing, misc.Gloss = new]",
        "[Case = \"Acc,Dat\", lemma = _]", *(["[lemma = $p]"] * family),
    ])  # fmt: skip
    label = rng.pick(["case", "det", "nmod:poss", *(["$p"] * family)])
    side, head = rng.pick(["before", "after"]), rng.pick(names)
    destination = "sentence" if rng.often(8) else _target(rng, names)
    return f"insert {word}{columns} as {label} of {head} {side} {destination}"


def _set(rng: Rng, names: list[str], family: bool) -> str:
    name, other = rng.pick(names), rng.pick(names)
    return rng.pick([
        f"set {name}.form = {rng.pick(['Owl', 'x', '8', 'lower'])}", f'set {name}.form = "two words"',
        f"set {name}.deprel = {rng.pick(['obj', 'root', 'iobj', '_'])}", f"set {name}.lemma = _",
        f"set {name}.upos = {rng.pick(['PUNCT', 'PROPN', 'DET', '_'])}", f"set {name}.xpos = {other}.xpos",
        f"set {name}.form = {other}.form", f"set {name}.form = lower({other}.form)", f"set {name}.lemma = {other}.lemma",
        f"set {name}.form = upper({other}.form)", f"set {name}.form = capital({other}.lemma)",
        f"set {name}.form = inflect({other}.lemma, {rng.pick(['VBZ', 'NNS', 'VBD'])})",
        f"set {name}.Number = Plur", f"set {name}.Number[psor] = {other}.Case", f"set {name}.Case = _",
        f"set {name}.misc.Gloss = {other}.form", f"set {name}.misc.Gloss = _", f'set {name}.misc."a b" = "c d"',
        f"set {name}.form = {other}.misc.Gloss", f"set {name}.deprel = {other}.deprel",
        *([f"set {name}.form = $p", f"set {name}.misc.P = $p"] * family),
    ])  # fmt: skip


def _order(rng: Rng, names: list[str], family: bool) -> str:
    target = "sentence" if not names or rng.often(10) else f"subtree({rng.pick(names)})"
    return f"order {target} by {rng.pick(['length', 'length desc', 'length head-final', 'chance'])}"


def _shuffle(rng: Rng, names: list[str], family: bool) -> str:
    return f"shuffle {_any(rng, names)}{rng.pick(['', ' by length', ' in 2', ' in 3'])}"


_WHOLE = (
    lambda rng, names, family: f"reverse {_any(rng, names)}",
    lambda rng, names, family: f"interleave {_any(rng, names)}",
    _shuffle,
    _order,
    _order,
)
_MAKERS_OF_SENTENCES = (
    *(lambda rng, names, family, make=make: make(rng, [], family) for make in _WHOLE * 2),
    lambda rng, names, family: "delete sentence",
)
_MAKERS = (
    lambda rng, names, family: f"delete {_any(rng, names) if rng.often(10) else _target(rng, names)}",
    lambda rng, names, family: f"delete {_target(rng, names)}",
    _move, _move,
    _swap, _swap,
    _insert, _insert, _set, _set, _set,
    *_WHOLE,
)  # fmt: skip


# --- sentences


def make_spelt_sentence(rng: Rng, longest: int = 9) -> str:
    """Draw the CoNLL-U of a sentence, without an empty line, whose `# text` has exactly its tokens."""
    n = rng.between(1, longest)
    words = [rng.pick(FORMS) for _ in range(n)]
    if rng.often(60):
        words[0] = rng.pick([word for word in FORMS if word[0][:1].isupper()])
    heads = drawn_heads(rng, n)
    tokens = _tokens(rng, words)
    gaps = [rng.pick([" "] * 6 + [""] * 4 + ["  ", "\u00a0"]) for _ in tokens]
    lines, text = [], ""
    for place, (first, last, form) in enumerate(tokens):
        gap = gaps[place] if place + 1 < len(tokens) else ""
        space = {"": ["SpaceAfter=No"], " ": [], "  ": ["SpacesAfter=\\s\\s"], "\u00a0": []}[gap]
        space = space if place + 1 < len(tokens) or rng.often(10) else []
        text += form + gap
        if first != last:
            lines.append("\t".join([f"{first}-{last}", form, *"_______", _misc(rng, space)]))
        for number in range(first, last + 1):
            lines.append(_row(rng, number, words[number - 1], heads[number - 1], space if first == last else []))
        lines += [_empty(last, number) for number in range(1, 1 + rng.pick([0] * 18 + [1, 2]))]
    lines = [_empty(0, 1)] * rng.often(3) + lines
    comments = [f"# sent_id = s-{rng.below(1000)}"] * rng.flag() + ["# speaker = me"] * rng.often(20)
    return "\n".join([*comments, f"# text = {text}", *lines])


def _empty(word: int, number: int) -> str:
    return f"{word}.{number}\tempty\t_\tX\t_\t_\t_\t_\t0:root\t_"


def _tokens(rng: Rng, words: list[tuple[str, str, str]]) -> list[tuple[int, int, str]]:
    tokens, number = [], 1
    while number <= len(words):
        last = min(len(words), number + rng.pick([1, 1, 2, 3])) if rng.often(12) else number
        forms = [form for form, _, _ in words[number - 1 : last]]
        spelt = "".join(forms) if last == number or rng.flag() else rng.pick(["Xdu", "'twasn", "gonna"])
        tokens.append((number, last, spelt))
        number = last + 1
    return tokens


def _row(rng: Rng, number: int, word: tuple[str, str, str], head: int, space: list[str]) -> str:
    form, lemma, upos = word
    feats = rng.pick(["_", "_", "Number=Sing", "Case=Acc|Number=Plur", "Case=Acc,Dat|Typo=Yes", "Definite=Def"])
    deps = rng.pick(["_", "_", "_", f"{head}:dep" if head else "0:root"])
    columns = [str(number), form, lemma, upos, rng.pick(["_", "NN", "VB"]), feats, str(head)]
    return "\t".join([*columns, rng.pick(LABELS) if head else "root", deps, _misc(rng, space)])


def _misc(rng: Rng, space: list[str]) -> str:
    entries = [entry for entry in rng.pick(MISC).split("|") if entry != "_"]
    return "|".join([*entries, *space]) or "_"
