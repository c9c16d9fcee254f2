"""A small language with templates of every kind, and its vocabulary."""

from __future__ import annotations

from pathlib import Path

from runner.trees.templates import Templates, read_templates

VOCABULARY = """expression,category,root,sg,pl,pres,past,3sg,bare
zorp,N,,1,0,,,,
zorps,N,,0,1,,,,
sand zorp,N,,1,0,,,,
quib,V,quib_V,,,1,0,0,
quibs,V,quib_V,,,1,0,1,
quib,V,quib_V,,,0,0,0,1
quibbed,V,quib_V,,,0,1,0,
glim at,V,glim at_V,,,1,0,0,
glims at,V,glim at_V,,,1,0,1,
glim at,V,glim at_V,,,0,0,0,1
put,V,put_V,,,1,0,0,
put,V,put_V,,,0,1,0,
puts,V,put_V,,,1,0,1,
"""
TEMPLATES = r"""
variable N Sing Plur   # number
variable M Sing Plur
variable G 0 g
query n category=N
query noun n *
from NOUN[Sing] NOUN NN Number=Sing : noun sg=1
from NOUN[Plur] NOUN NNS Number=Plur : noun pl=1
from HEAD NOUN NN Number=Sing : n sand *
words SAND NOUN NN Number=Sing : sand
query v category=V *
query p category=V * at|to
variable K v p
from V[Sing,K] VERB VBZ Tense=Pres : pres=1 3sg=1 K
from V[Plur,K] VERB VBP Tense=Pres ~1 : pres=1 3sg=0 K
from V[N,K] VERB VBD Tense=Past : past=1 K
from V[Inf,K] VERB VB VerbForm=Inf : bare=1 K
words DET[N] DET DT _ : the
words DET[Plur] DET DT Number=Plur : these/this
words DO[Sing] AUX VBZ _ : does/do
words DO[Plur] AUX VBP _ : do
words NOT PART RB _ : n't/not not
words AT ADP IN _ : at to
words POS PART POS _ : 's '/'s
words WHO PRON WP _ : who
words STOP PUNCT . _ : .
words ASK PUNCT . _ : ?
NOUN[Sing] -> compound:SAND *HEAD
NP[N] -> (nmod:poss:OWNER) *PLAIN[N]
PLAIN[N] -> det:DET[N] *NOUN[N] | det:DET[M] *NOUN[N] ~3 | *NOUN[N]
OWNER -> *PLAIN[N] case:POS
OBJ[0] -> *NP[N]
OBJ[g] -> *_
VP[N,G] -> *V[N,v] obj:OBJ[G] | *V[N,p] obl:OBL[G]
  | *V[N,v]
VP[Inf,G] -> *V[Inf,v] obj:OBJ[G] | *V[Inf,p] obl:OBL[G]
OBL[G] -> case:AT *OBJ[G]
told -> nsubj:NP[N] *VP[N,0] punct:STOP
asked -> gap:WHO aux:DO[N] (advmod:NOT) nsubj:NP[N] *VP[Inf,g] punct:ASK
both same -> *told | *asked
lost -> nsubj:NP[N] *VP[N,g] punct:STOP
"""


def templates(folder: Path, *, text: str = TEMPLATES) -> Templates:
    path = folder / "small.txt"
    path.write_text(text, encoding="utf-8")
    return read_templates(path)


def vocabulary(folder: Path) -> Path:
    path = folder / "vocabulary.csv"
    path.write_text(VOCABULARY, encoding="utf-8")
    return path
