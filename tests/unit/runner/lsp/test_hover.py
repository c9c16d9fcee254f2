from pathlib import Path

import pytest

from fictdsl import glossary
from fictdsl.syntax.nodes import REWRITINGS
from runner.lsp.hover import hover
from tests.support.documents import marked, snapshot

PAGE = Path(__file__).parents[4] / "docs" / "actions.md"
TEXT = """fict 1
list words = {a, b, c, d, e, f, g, h, i}
list one = {"a b"}
pattern p(A) { A:NOUN  without { A -> Q:ADP } }
filter f for n in {Sing, Plur} {
  about "A filter."
  match {
    X:VERB|AUX[Number = $n, lower(form) in @words, Number[psor] = Sing] -[nsubj|=obl:arg]-> Y ->> _
    Y[deprel = obj, form.length > 3]  Y << X  sentence[length > 3]  p(Y)
    either { X -> V } or { X < V[lemma = not] }   # nsubj
    either { X -> T[Tense = Past] } or { X ~ Y }
    at least 2 C { X =[ref]=> C }
    maybe { X -> I:NOUN }
    distance(Y, X) > 2 + length(subtree(X))
  }
  mask node(Y) with upos
}
"""


def said(where: str) -> str | None:
    """What is said at the ¦ of a piece of the text."""
    found = hover(snapshot(TEXT), TEXT.index(where.replace("¦", "")) + where.index("¦"))
    return found and found.markdown


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (":¦VERB", f"`VERB` {glossary.UPOS['VERB']}"),
        ("|¦AUX", f"`AUX` {glossary.UPOS['AUX']}"),
        ("[¦Number =", f"`Number` {glossary.FEATURES['Number']}"),
        ("[¦psor]", "`psor` of the possessor"),
        ("psor] = S¦ing", "`Sing` singular (*car*), of the possessor"),
        ("¦form)", f"`form` {glossary.WORD_ATTRIBUTES['form']}"),
        ("¦lower", f"`lower` {glossary.KEYWORDS['lower']}"),
        ("[¦nsubj", f"`nsubj` {glossary.RELATIONS['nsubj']}"),
        ("obl:¦arg", f"`obl:arg` {glossary.SUBTYPES['obl:arg']}"),
        ("[¦ref", f"`ref` {glossary.SUBTYPES['ref']}"),
        ("= ¦obj", f"`obj` {glossary.RELATIONS['obj']}"),
        ("¦-[nsubj", f"`->` {glossary.SIGNS['->']}"),
        ("¦]-> Y", f"`->` {glossary.SIGNS['->']}"),
        ("¦->> _", f"`->>` {glossary.SIGNS['->>']}"),
        ("->> ¦_", f"`_` {glossary.SIGNS['_']}"),
        ("Y ¦<< X", f"`<<` {glossary.SIGNS['<<']}"),
        ("¦=[ref", f"`==>` {glossary.SIGNS['==>']}"),
        ("X ¦~", f"`~` {glossary.SIGNS['~']}"),
        ("form.¦length", "`length` the number of characters; a number"),
        ("sentence[¦length", f"`length` {glossary.SENTENCE_ATTRIBUTES['length']}"),
        ("¦without", f"`without` {glossary.KEYWORDS['without']}"),
        ("with ¦upos", f"`upos` {glossary.REPLACEMENTS['upos']}"),
        ("¦mask", f"`mask` {glossary.KEYWORDS['mask']}"),
        ("lemma = ¦not", None),
        ("# ¦nsubj", None),
        ('"A ¦filter', None),
        ("{¦a, b", None),
        ("@¦words", "list `@words`, 9 entries: a, b, c, d, e, f, g, h, …"),
        ("list ¦one", "list `@one`, 1 entry: a b"),
        ("$¦n", "`$n`, in turn `Sing`, `Plur`"),
        ("¦p(Y)", "```fict\npattern p(A) { A:NOUN  without { A -> Q:ADP } }\n```"),
        ("(¦A)", "node `A`, a parameter of this pattern\n\n```fict\nA:NOUN\n```"),
        ("¦Q:", "node `Q`, a word of the `without` block, not part of a match\n\n```fict\nQ:ADP\n```"),
        ("(¦Y)\n", "node `Y`, a word that a match binds\n\n```fict\nY[deprel = obj, form.length > 3]\n```"),
        ("¦V }", "node `V`, a word that a match binds\n\n```fict\nV[lemma = not]\n```"),
        (
            "¦T[",
            "node `T`, a word that a match binds where it takes this branch\n\n```fict\nT[Tense = Past]\n```",
        ),
        ("¦I:", "node `I`, a word that a match binds if there is one\n\n```fict\nI:NOUN\n```"),
        ("¦distance(", f"`distance` {glossary.MEASURES['distance']}"),
        ("¦length(", f"`length` {glossary.MEASURES['length']}"),
        ("(¦subtree", f"`subtree` {glossary.KEYWORDS['subtree']}"),
        ("2 ¦+", f"`+` {glossary.SIGNS['+']}"),
        (
            "subtree(¦X",
            "node `X`, a word that a match binds\n\n```fict\n"
            + TEXT[TEXT.index("X:VERB") : TEXT.index(" -[nsubj")]
            + "\n```",
        ),
        ("¦C {", "node `C`, a word of the `at least 2` block, not part of a match"),
    ],
)
def test_whatever_stands_there_is_explained(where, expected):
    assert said(where) == expected


def test_rows_of_a_list_are_told_apart():
    text, at = marked("fict 1\nlist ¦frames = {(rely, on), (look, for)}")
    assert hover(snapshot(text), at).markdown == "list `@frames`, 2 rows: (rely, on), (look, for)"


def test_a_filter_is_told_in_plain_english():
    text, at = marked('fict 1\nfilter ¦f { about "Passives." match { V[Voice = Pass] } }')
    found = hover(snapshot(text), at)
    assert found.markdown.startswith("Passives.\n\n```text\nRemoves every sentence that has a word V")
    assert text[found.span.start : found.span.end] == "f"


def test_words_of_a_broken_item_are_explained_too():
    text, at = marked("fict 1\nfilter f { match { V:¦VERB -[ } }")
    assert hover(snapshot(text), at).markdown == f"`VERB` {glossary.UPOS['VERB']}"


REWRITE = """fict 1
rewrite r {
  match {
    V:VERB -[obj]-> O[xpos in {NN, NNS}, misc.Lang = en]  V -[iobj]-> R
    V.misc.Gloss = O.misc.Own
  }
  delete node(O)
  swap subtree(R) with node(V)
  insert "to"[upos = ADP, xpos = IN, Number = Sing, misc.Ref = x] as case of R before subtree(R)
  set R.deprel = iobj
  set R.Number = Plur
  set R.form = lower(V.form)
  set R.form = inflect(V.lemma, VBZ)
  set R.xpos = PRP
  set R.misc.CorrectForm = x
  order subtree(R) by length desc
}
"""


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("¦delete", f"`delete` {glossary.REWRITE_WORDS['delete']}\n\ndocs/actions.md#delete"),
        ("¦order", f"`order` {glossary.REWRITE_WORDS['order']}\n\ndocs/actions.md#order"),
        (") ¦with", f"`with` {glossary.KEYWORDS['with']}"),
        ("[¦upos", f"`upos` {glossary.WORD_ATTRIBUTES['upos']}"),
        ("= ¦ADP", f"`ADP` {glossary.UPOS['ADP']}"),
        ("¦Sing", f"`Sing` {glossary.VALUES['Number']['Sing']}"),
        ("as ¦case", f"`case` {glossary.RELATIONS['case']}"),
        ("= ¦iobj", f"`iobj` {glossary.RELATIONS['iobj']}"),
        ("R.¦Number", f"`Number` {glossary.FEATURES['Number']}"),
        ("= ¦Plur", f"`Plur` {glossary.VALUES['Number']['Plur']}"),
        ("¦lower(", f"`lower` {glossary.KEYWORDS['lower']}"),
        ("¦inflect(", f"`inflect` {glossary.REWRITE_WORDS['inflect']}"),
        ("¦desc", f"`desc` {glossary.REWRITE_WORDS['desc']}"),
        ("[¦iobj", f"`iobj` {glossary.RELATIONS['iobj']}"),
        (", ¦VBZ", f"`VBZ` {glossary.PENN['VBZ']}"),
        ("= ¦IN", f"`IN` {glossary.PENN['IN']}"),
        ("= ¦PRP", f"`PRP` {glossary.PENN['PRP']}"),
        (", ¦NNS}", f"`NNS` {glossary.PENN['NNS']}"),
        ("misc.¦Lang", f"`Lang` {glossary.MISC['Lang']}"),
        ("V.misc.¦Gloss", f"`Gloss` {glossary.MISC['Gloss']}"),
        ("O.misc.¦Own", f"`Own` {glossary.OTHER_MISC}"),
        ("misc.¦Ref", f"`Ref` {glossary.MISC['Ref']}"),
        ("misc.Correct¦Form", f"`CorrectForm` {glossary.MISC['CorrectForm']}"),
    ],
)
def test_the_words_of_actions_are_explained(where, expected):
    at = REWRITE.index(where.replace("¦", "")) + where.index("¦")
    assert hover(snapshot(REWRITE), at).markdown == expected


def test_every_action_names_a_section_of_its_page():
    headings = {line.removeprefix("## ").strip() for line in PAGE.read_text(encoding="utf-8").splitlines()}
    assert set(REWRITINGS) <= headings
