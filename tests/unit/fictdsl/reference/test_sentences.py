"""CoNLL-U is read as it stands: absence, several values, documents, text."""

from __future__ import annotations

from fictdsl.reference.sentences import read

TEXT = """# newdoc id = d1
# sent_id = s1
# text = Don't go.
# flag
# note = a = b
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=Yes
1\tDo\tdo\tAUX\tVB\tMood=Imp|Case=Acc,Dat\t3\taux\t3:aux|1.1:x:y\tA=1|A=2|Flag
1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tgo\t_\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

1\t_\t_\t_\t_\t_\t0\t_\t_\t_

# newdoc id = d2
1-2\tIt's\t_\t_\t_\t_\t_\t_\t_\t_
1\tIt\t_\t_\t_\t_\t0\troot\t_\t_
2\ts\t_\t_\t_\t_\t1\tx\t_\tSpaceAfter=No
3\te\u0301\t_\t_\t_\t_\t1\tx\t_\tSpaceAfter=No
4\t!\t_\t_\t_\t_\t1\tx\t_\t_
"""


def test_every_column_is_read() -> None:
    first, second, third = read(TEXT.replace("\n", "\r\n"))
    assert [word.form for word in first.words] == ["Do", "n't", "go", "."]
    word = first.words[0]
    assert (word.lemma, word.upos, word.xpos, word.head, word.deprel) == ("do", "AUX", "VB", 3, "aux")
    assert word.feats == {"Mood": ("Imp",), "Case": ("Acc", "Dat")}
    assert word.misc == {"A": ("1", "2"), "Flag": ("",)}
    assert word.deps == (("3", "aux"), ("1.1", "x:y"))
    assert first.words[2].lemma is None
    assert (first.sent_id, first.doc, first.text) == ("s1", "d1", "Don't go.")
    assert first.meta["flag"] == ("",)
    assert first.meta["note"] == ("a = b",)
    assert (second.words[0].form, second.words[0].lemma, second.words[0].deprel) == ("_", "_", None)
    assert (second.sent_id, second.doc) == (None, "d1")
    assert (third.doc, third.text) == ("d2", "It's é!")
    assert third.words[2].form == "é"
