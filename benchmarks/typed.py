"""Queries as users type them in the explorer, with frequent matches, rare matches or none."""

from __future__ import annotations

TYPED = {
    "every word": "W",
    "subject": "V -[nsubj]-> S:NOUN",
    "rare lemma": "W[lemma = unicorn]",
    "absent word": 'W[form = "xyzzyx"]',
    "absent feature": "W[Number = Dual]",
    "absent structure": "P:PUNCT -[nsubj]-> S:PUNCT",
    "frequent regex": "W[form = /.*ness/]",
    "absent regex": "W[form = /.*q[^u].*qx.*/]",
    "phrases": 'W[lower(phrase) in {"as well as", "on the other hand", "by and large"}]',
    "five words": "D:DET < A:ADJ < B:ADJ < N:NOUN < P:ADP",
    "list": "V[lemma in {devour, gobble, munch, nibble, slurp}] -[obj]-> O",
    "negations": "V:VERB\nwithout { V -[nsubj]-> _ }\nwithout { V -> _:PUNCT }\nwithout { V -[obj]-> _ }",
    "equal lemmas": "A:NOUN -[conj]-> B:NOUN\nA.lemma = B.lemma",
    "many dependents": "V:VERB\nat least 4 X { V -> X:NOUN }",
    "crossing edges": "A -> B\nC -> D\ncrossing B, D",
}
