import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl import glossary
from fictdsl.installation import shipped
from fictdsl.semantics import ud
from fictdsl.semantics.check import INFLECTED_TAGS
from fictdsl.syntax.grammar import lexemes
from fictdsl.syntax.nodes import RESERVED
from runner.lsp.completion import complete
from runner.lsp.completion_context import _context, context
from tests.support.documents import marked, snapshot
from tests.support.sessions import PIECES

SHIPPED = sorted(shipped("filters").rglob("*.fict"))


def offered(text: str, path: Path | None = None) -> list[str]:
    text, at = marked(text)
    return [proposal.label for proposal in complete(snapshot(text, path), at)[1]]


def match(clauses: str) -> list[str]:
    return offered("fict 1\nfilter f for p in {Sing, Plur} {\n  match {\n    " + clauses + "\n  }\n}\n")


# --- what there is to choose from


def test_a_tag_is_offered_after_a_colon_and_after_upos():
    for clauses in ("V:¦", "V:VERB|¦", "V:V¦", "V[upos = ¦]", "V[upos != A¦", "V[upos = VERB|¦]", "V[upos in {¦"):
        assert match(clauses) == [*ud.UPOS, "$p"], clauses


def test_a_relation_is_offered_wherever_a_label_stands():
    every = [*ud.RELATIONS, *ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES, "$p"]
    for clauses in (
        "V -[¦", "V -[¦]-> S", "V -[nsubj|¦]-> S", "V -[^¦", "V -[=¦", "V -[nsubj:¦", "S <-[¦", "V[deprel = ¦]",
        "V[deprel == nsubj:p¦", "V[has Number, deprel in {obj, ¦", "V[(deprel = ¦",
    ):  # fmt: skip
        assert match(clauses) == every, clauses
    assert "nsubj:xsubj" in match("V =[¦")
    assert "nsubj:xsubj" not in match("V -[¦")


def test_a_feature_is_offered_where_a_test_begins_and_its_values_after_it():
    for clauses in ("V[¦", "V[upos = VERB, ¦", "V[not ¦", "V[has ¦", "V[Tense = Past or ¦", "V[(¦", "V[lemma = or, ¦"):
        assert {"Number", "VerbForm", "upos", "lemma"} <= set(match(clauses)), clauses
    assert match("V[Number = ¦]") == [*ud.FEATURES["Number"], "$p"]
    assert match("V[not Number != S¦]") == [*ud.FEATURES["Number"], "$p"]
    assert match("V[Case = Nom|¦]") == [*ud.FEATURES["Case"], "$p"]
    assert match("V[Number[psor] = ¦]") == [*ud.FEATURES["Number"], "$p"]
    assert "psor" in match("V[Number[¦")
    assert match("V[lemma = ¦]") == ["$p"]
    assert match("V.¦") == match("V.Number = S.¦")
    assert "Number" in match("V.¦")


def test_attributes_of_the_sentence_and_of_words_are_kept_apart():
    assert {"length", "doc", "meta"} <= set(match("sentence[¦"))
    assert not {"upos", "Number"} & set(match("sentence[length > 3, (¦"))
    assert match("V[lower(¦") == match("lower(V.¦") == ["form", "lemma", "phrase"]
    assert match("V[form.¦") == ["length"]
    assert match("V[form ¦") == ["=", "!=", "in", "not", "contains", "starts", "ends", "not in"]
    assert match("V[form = the ¦") == ["or"]


def test_nodes_of_the_item_are_offered_but_not_the_name_being_typed():
    assert match("V -[nsubj]-> S\n V < ¦")[:4] == ["V", "S", "_", "lower"]
    assert match("V -[nsubj]-> S\n lower(V.form) = ¦")[:4] == ["V", "S", "_", "lower"]
    assert "N" not in match("V -[nsubj]-> S\n N¦")
    assert match("A:DET[lemma = the] V -> ¦ Z < B")[:5] == ["A", "V", "Z", "B", "_"]
    text = "fict 1 filter a { match { X } } filter b { match { Y -> Z } remove node(¦) }"
    assert offered(text) == ["Y", "Z", "_", "lower"]
    assert match("A -> B  B may be A  ¦")[:3] == ["A", "B", "_"]


def test_lists_and_patterns_in_scope_are_offered_with_what_they_hold(tmp_path):
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "words.txt").write_text("a\nb\nc\n")
    (tmp_path / "shared.fict").write_text('fict 1\nlist far = file "words.txt"\npattern p(A, B) { A -> B }\n')
    text = 'fict 1\nuse "shared.fict"\nlist near = {x}\npattern q(N) { N:NOUN }\nfilter f {\n match { ¦ } }'
    path = tmp_path / "f.fict"
    found = {proposal.label: proposal for proposal in complete(snapshot(*_placed(text, path)), text.index("¦"))[1]}
    assert found["p"].about == "pattern p(A, B), from shared.fict"
    assert found["p"].snippet == "p(${1:A}, ${2:B})"
    assert found["q"].snippet == "q(${1:N})"
    assert {"without", "either", "at least", "at most", "exactly", "sentence"} <= set(found)
    text = text.replace("¦", "N[lower(form) in ¦")
    found = {proposal.label: proposal for proposal in complete(snapshot(*_placed(text, path)), text.index("¦"))[1]}
    assert [(name, proposal.about) for name, proposal in found.items()][:2] == [
        ("@near", "list of 1"),
        ("@far", "list of 3, from shared.fict"),
    ]
    assert offered(text.replace("¦", "@¦"), path) == ["near", "far"]
    assert offered('fict 1\nuse "¦', path) == ["shared.fict"]
    assert offered('fict 1\nlist l = file "w¦"', path) == ["words.txt"]
    (tmp_path / "rows.tsv").write_text("a\tb\n")
    assert offered('fict 1\nlist l from "¦', path) == ["rows.tsv"]
    assert offered('fict 1\nlist l from "rows.tsv"\nfilter f { match { N[lemma in @¦', path) == ["l"]


def _placed(text: str, path: Path) -> tuple[str, Path]:
    return marked(text)[0], path


def test_numbers_of_words_are_offered_with_their_nodes():
    assert {"length", "distance"} <= set(match("V -[nsubj]-> S\n ¦"))
    for clauses in ("V -> S\n length(¦", "V -> S\n distance(V, S) > length(¦"):
        assert match(clauses) == ["subtree", "span"], clauses
    for clauses in (
        "length(subtree(¦",
        "length(span(¦",
        "length(span(V, ¦",
        "distance(¦",
        "distance(V, S) > distance(¦",
    ):
        assert match(f"V -> S\n {clauses}")[:2] == ["V", "S"], clauses
    for clauses in (
        "distance(V, S) > ¦",
        "length(subtree(S)) + 1 < ¦",
        "distance(V, S) - ¦",
        "distance(V, S) >= 2 + ¦",
    ):
        assert match(f"V -> S\n {clauses}") == ["length", "distance"], clauses


def test_words_of_a_file_and_of_a_filter_are_offered_where_they_belong():
    assert offered("¦")[0] == "fict 1"
    assert offered("fict 1\n\n¦") == ["filter", "rewrite", "pattern", "list", "use"]
    assert offered("fict 1\nlist l = ¦") == ["file"]
    for name in ("f", "in", "for", "wh-in", "in-for", "for-all-in"):
        assert offered(f"fict 1\nfilter {name} ¦") == offered(f"fict 1\nrewrite {name} ¦") == ["for"]
        assert offered(f"fict 1\nfilter {name} for p ¦") == ["in"]
        assert offered(f"fict 1\nfilter {name} for ¦") == offered(f"fict 1\nfilter {name} for p in ¦") == []
    assert offered("fict 1\nfilter wh-¦") == offered("fict 1\nfilter f in ¦") == []
    assert offered("fict 1\nfilter f {\n¦") == ["about", "source", "note", "targets", "match"]
    assert "blimp/passive_1" in offered("fict 1\nfilter f {\n targets blimp/p¦")
    assert offered("fict 1\nfilter f { match { V } ¦") == ["remove", "keep", "mask", "count"]
    assert offered("fict 1\nfilter f { match { V } mask ¦") == ["node", "subtree", "span"]
    assert offered("fict 1\nfilter f { match { V } keep ¦") == ["sentence"]
    assert offered("fict 1\nfilter f { match { V } mask node(V) ¦")[-1] == "with"
    assert offered("fict 1\nfilter f { match { V } mask node(V) with ¦") == ["upos", "xpos", "deprel", '"<mask>"']
    assert "or" in match("either { V } ¦")
    assert match("at ¦") == ["least", "most"]
    assert "FICT503" in offered("fict 1\n# fict: ignore[¦")
    assert offered("fict 1 # fil¦") == offered('fict 1 filter f { about "V:¦') == []


def test_every_proposal_of_a_tag_says_what_it_is():
    text, at = marked("fict 1 filter f { match { V:¦ } }")
    assert {p.label: p.about for p in complete(snapshot(text), at)[1]} == glossary.UPOS
    text, at = marked("fict 1 filter f { match { V[Tense = ¦] } }")
    assert {p.label: p.about for p in complete(snapshot(text), at)[1]} == glossary.VALUES["Tense"]


def filled(proposal) -> str:
    """What is put in, with each place to fill in filled with what it shows, or a node, or the first choice."""
    text = proposal.label if proposal.snippet is None else proposal.snippet
    text = re.sub(r"\$\{\d:([^}]*)\}", r"\1", text)
    return re.sub(r"\$\{\d\|(\w+)[^}]*\}", r"\1", re.sub(r"(?<!\\)\$\d", "V", text)).replace("\\$", "$")


@pytest.mark.parametrize(
    "where",
    [
        "fict 1\n¦",
        "fict 1\nfilter f {\n match { V } ¦ sentence }",
        "fict 1\nfilter f {\n match { W } remove ¦ }",
        "fict 1\nfilter f {\n match { V } mask node(V) with ¦ }",
        "fict 1\nfilter f {\n match { ¦ } }",
        "fict 1\nfilter f {\n match { A -> ¦ } }",
        "fict 1\nfilter f for p in {a, b} {\n match { V[lemma = ¦] } }",
        "fict 1\nlist l = {a} filter f {\n match { V[lemma in ¦] } }",
    ],
)
def test_what_is_put_in_can_be_read(where):
    """But for words that need others after them, and for attributes, which need a value."""
    text, at = marked(where)
    found, proposals = complete(snapshot(text), at)
    for proposal in proposals:
        if proposal.label in {"use", "between", "crossing", "lower", "at", "sentence", "or", "mask", "with"}:
            continue
        whole = text[: found.span.start] + filled(proposal) + text[at:]
        problems = [
            problem for problem in snapshot(whole).load_diagnostics if problem.code not in ("FICT114", "FICT149")
        ]
        assert [problem.message for problem in problems] == [], whole
    assert proposals


# --- what people wrote

TAGS = {*ud.UPOS, *ud.RELATIONS, *ud.SUBTYPES, *ud.FEATURES}
FREE = re.compile(
    r"((?:filter|rewrite)\s+[\w-]*|pattern\s+\w+\([^)]*|list\s+\w+\s*=\s*\{[^}]*|\w:)$"
)  # names, parameters of patterns, entries of lists, what a word goes on with


def is_offered(text: str, start: int) -> str:
    """The word at a place if it is one that completion knows of, and not one that anybody may choose."""
    word = re.compile(r"\w*(?::\w+)*").match(text, start)[0]
    found = context(text[:start], start)
    if FREE.search(text[:start]) or (found.kind == "value" and found.subject not in ("upos", "deprel", *ud.FEATURES)):
        return ""
    if word in RESERVED or found.kind in ("reference", "parameter", "value", "relation"):
        return word
    return word if word in TAGS and found.kind not in ("clause", "node") else ""


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_whatever_a_shipped_filter_says_next_is_offered(path):
    """Before each keyword, tag, relation, feature, parameter and list, cut off there and not: it is offered."""
    text = path.read_text(encoding="utf-8")
    places = [
        lexeme.span.start for lexeme in lexemes(text) if lexeme.kind == "word" and is_offered(text, lexeme.span.start)
    ]
    for start in places:
        for there in (text[:start], text):
            labels = {part for p in complete(snapshot(there, path), start)[1] for part in (p.label, *p.label.split())}
            assert is_offered(text, start) in labels, text[:start].splitlines()[-1]
    assert len(places) >= 3


pieces = st.lists(
    st.sampled_from([*'Vf {}[]()"=|,:@$#-<>.!\n/', "filter f {", "match {", " in ", "lower(", "not ", "use "])
)


@given(pieces.map("".join))
def test_any_text_can_be_completed(text):
    for offset in range(0, len(text) + 1, 3):
        found, _ = complete(snapshot(text), offset)
        assert 0 <= found.span.start <= found.span.end == offset


@given(
    st.lists(st.sampled_from([*PIECES, "\nfilter f {", "\nlist a = {", '\nuse "x"', '"\nfilter f {', "# \nlist b = "])),
    st.data(),
)
def test_the_items_around_do_not_change_what_may_stand_at_a_place(pieces, data):
    text = "".join(pieces)
    offset = data.draw(st.integers(0, len(text)))
    assert context(text, offset) == _context(text, offset)


# --- actions of rewrites


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("set V.¦", ["form", "upos", "deprel"]),
        ("set V.deprel = ¦", ["nsubj", "iobj", "$p"]),
        ("set V.upos = ¦", ["NOUN", "$p"]),
        ("set V.Number = ¦", ["Sing", "Plur", "$p"]),
        ("set V.form = O.¦", ["form", "lemma"]),
        ("set V.form = upper(O.¦", ["form", "lemma"]),
        ('insert "so" as ¦', ["advmod", "$p"]),
        ('insert "so" as advmod of ¦', ["V", "O"]),
        ("set V.form = x move node(V) ¦", ["before", "after"]),
        ("order sentence by ¦", ["length", "chance"]),
    ],
)
def test_what_an_action_takes_is_offered(action, expected):
    labels = offered(f"fict 1\nrewrite r for p in {{a, b}} {{\n match {{ V:VERB -[obj]-> O }}\n {action}\n}}")
    assert set(expected) <= set(labels)
    assert "shuffle" not in labels or expected == ["before", "after"]


@pytest.mark.parametrize("text", ["V{.¦", "rewrite r { match set.misc.¦", "rewrite r { match set .¦", ".misc.¦"])
def test_a_dot_without_a_name_is_harmless(text):
    assert isinstance(offered(f"fict 1\n{text}"), list)


def test_keys_of_misc_and_penn_tags_are_offered():
    """`set` offers no key that it refuses, and `inflect` only the tags of inflected forms."""
    before = "fict 1\nrewrite r { match { V -[obj]-> O "
    assert {"Gloss", "SpaceAfter"} <= set(offered(f"{before} V.misc.¦"))
    assert {"Gloss", "SpaceAfter"} <= set(offered(f"{before} }} set V.form = O.misc.¦"))
    settable = offered(f"{before} }} set V.misc.¦")
    assert "Gloss" in settable and "SpaceAfter" not in settable
    assert offered(f"{before} }} set V.form = inflect(O.lemma, ¦") == list(INFLECTED_TAGS)
    assert {"VBZ", "IN"} <= set(offered(f"{before} }} set V.xpos = ¦"))
