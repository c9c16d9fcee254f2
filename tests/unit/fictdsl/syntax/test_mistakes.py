"""Every example in grammar/mistakes.toml gets the message that stands beside it."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import is_misspelling
from fictdsl.installation import shipped
from fictdsl.source import Source
from fictdsl.syntax.explanations import expand_examples
from fictdsl.syntax.parse import parse
from fictdsl.syntax.regex import MISTAKES

WRAPPED = {
    "item": "{}",
    "filter": "filter a {{ {} }}",
    "clause": "filter a {{ match {{ {} }} }}",
    "test": "filter a {{ match {{ X[{}] }} }}",
}
# The same mistake in other company: in blocks and parentheses, after other clauses, in a pattern.
ELSEWHERE = {
    "clause": [
        "pattern p(A) {{ {} }}",
        'filter a {{ about "x" match {{ Q < R\n {} }} }}',
        "filter a {{ match {{ without {{ either {{ Q }} or {{ {} }} }} }} }}",
        "filter a {{ match {{ at least 2 X {{ {} }} }} }}",
    ],
    "test": ["filter a {{ match {{ Q -> X:NOUN[{}] }} }}", "filter a {{ match {{ sentence[{}] }} }}"],
    "filter": [],
    "item": ["list z = {{a}}\n{}"],
}
ENTRIES = tomllib.loads(shipped(MISTAKES).read_text(encoding="utf-8"))["mistake"]
CASES = [(entry, snippet) for entry in ENTRIES for snippet in expand_examples(entry)]


def diagnose(text: str) -> list[Diagnostic]:
    return parse(Source.of("fict 1\n" + text))[1]


def check(entry: dict[str, Any], text: str) -> None:
    first = diagnose(text)[0]
    assert first.code == entry["code"]
    hint = re.sub("<(before|found|next)>", "\0", entry.get("hint", ""))
    assert re.fullmatch(re.escape(hint).replace("\0", r"\S+"), first.hint or "", re.DOTALL), (text, first.hint)
    assert entry.get("expected", "") in first.message


@pytest.mark.parametrize(("entry", "snippet"), CASES, ids=[f"{e['in']}: {s}" for e, s in CASES])
def test_an_example_gets_its_message(entry: dict[str, Any], snippet: str) -> None:
    check(entry, WRAPPED[entry["in"]].format(snippet))


def test_examples_get_their_messages_elsewhere_too() -> None:
    for entry, snippet in CASES:
        for place in ELSEWHERE[entry["in"]]:
            if not (entry.get("at_start") and "Q < R" in place):
                check(entry, place.format(snippet))


def test_one_mistake_gets_one_message() -> None:
    for entry, snippet in CASES:
        found = diagnose(WRAPPED[entry["in"]].format(snippet))
        assert len(found) == 1, (snippet, [d.message for d in found])


MISSPELT = {
    "filtr a { match { X } }": "filter",
    "lits a = {b}": "list",
    "patern p(A) { A }": "pattern",
    "filter a { mach { X } }": "match",
    'filter a { abuot "x" match { X } }': "about",
    "filter a { match { X } remvoe sentence }": "remove",
    "filter a { match { X } remove sentnce }": "sentence",
    "filter a { match { X } remove subtre(X) }": "subtree",
    'filter a { match { X } mask node(X) wiht "a" }': "with",
    "filter a { match { witout { X } } }": "without",
    "filter a { match { X mabye { X -> Y } } }": "maybe",
    "filter a { match { ether { X } or { Y } } }": "either",
    "filter a { match { at leats 2 X { Y -> X } } }": "least",
    "filter a { match { exactely 2 X { Y -> X } } }": "exactly",
    "filter a { match { M betwen A and B } } ": "between",
    "filter a { match { X[lowr(form) = a] } }": "lower",
    "filter a { match { at_least 2 X { Y -> X } } }": "at least",
}


@pytest.mark.parametrize("text", MISSPELT)
def test_misspelt_words(text: str) -> None:
    (found,) = diagnose(text)
    assert found.code == "FICT111"
    assert f"the nearest one is `{MISSPELT[text]}`" in found.message
    assert found.fix is not None and found.fix.replacement == MISSPELT[text]
    written = text[found.fix.span.start - len("fict 1\n") : found.fix.span.end - len("fict 1\n")]
    assert found.fix.safe == is_misspelling(written, MISSPELT[text])


@pytest.mark.parametrize(
    ("text", "code", "at", "message", "hint"),
    [
        ('list a = {"b}', "FICT106", '"b}', "not closed", 'close it with `"`'),
        ("filter a { match { X[form = /b] } }", "FICT108", "/", "not closed", "close it with `/`"),
        ("filter a { match { X[form = n't] } }", "FICT118", "n't", '`"n\'t"`', None),
        ("filter a { match { X[form = e-mail|b] } }", "FICT118", "e-mail", '`"e-mail"`', None),
        ("filter a { match { X[misc.S > -0.5] } }", "FICT118", "-0.5", '`"-0.5"`', None),
        ("filter a { match { X[form = 'the'] } }", "FICT118", "'the'", '`"the"`', None),
        ("filter a { match { X[form = 's] } }", "FICT118", "'s", '`"\'s"`', None),
        ("filter a { match { X[form = 'a b'] } }", "FICT118", "'a b'", '`"a b"`', None),
        ("filter a { match { X[form = ','] } }", "FICT118", "','", '`","`', None),
        ("filter q for x in {nsubj:pass, obj} { match { V -[$x]-> S } }", "FICT123", "nsubj:pass", "a value", None),
        ("filter q for x in {obj, 'n s'} { match { V -[$x]-> S } }", "FICT123", "'n s'", "a value", None),
        ("filter a { match { X[form = “the”] } }", "FICT118", "“the”", '`"the"`', None),
        ("list a = {n't, b}", "FICT118", "n't", '`"n\'t"`', None),
        ("list a = {b, c.}", "FICT118", "c.", '`"c."`', None),
        ("use 'a.fict'", "FICT118", "'a.fict'", '`"a.fict"`', None),
        ("filter Agr { match { X } }", "FICT117", "Agr", "a filter", "`agr`"),
        ("filter agr_pp { match { X } }", "FICT117", "agr_pp", "a filter", "`agr-pp`"),
        ("filter agr--pp { match { X } }", "FICT117", "agr--pp", "a filter", "`agr-pp`"),
        ('filter "agr" { match { X } }', "FICT117", '"agr"', "a filter", "`agr`"),
        ('filter "agr pp" { match { X } }', "FICT117", '"agr pp"', "a filter", "`agr-pp`"),
        ("filter agr.pp { match { X } }", "FICT117", "agr.pp", "a filter", "`agr-pp`"),
        ("filter agr pp x { match { X } }", "FICT117", "agr pp x", "a filter", "`agr-pp-x`"),
        ("rewrite Agr { match { X } delete node(X) }", "FICT117", "Agr", "a rewrite", "`agr`"),
        ("rewrite agr.pp { match { X } delete node(X) }", "FICT117", "agr.pp", "a rewrite", "`agr-pp`"),
        ("rewrite agr pp { match { X } delete node(X) }", "FICT117", "agr pp", "a rewrite", "`agr-pp`"),
        ("filter 2nd { match { X } }", "FICT117", "2nd", "a filter", "small letters"),
        ("list my-list = {a}", "FICT117", "my-list", "a list", "`my_list`"),
        ("pattern npi-at(N) { N }", "FICT117", "npi-at", "a pattern", "`npi_at`"),
        ("list 2a = {a}", "FICT117", "2a", "a list", "letters"),
        ("filter a { match { X -> _y } }", "FICT117", "_y", "a node", "letter first"),
        ("filter a { match { X -> 1 } }", "FICT117", "1", "a node", "letter first"),
        ("filter a { match { X -> é } }", "FICT117", "é", "a node", "letter first"),
        ("list list = {a}", "FICT116", "list", "reserved word", "another name"),
        ("pattern p(node) { A }", "FICT116", "node", "reserved word", "another name"),
        ("filter a { match { X -> count } }", "FICT116", "count", "reserved word", "another name"),
        ("filter a for in in {b} { match { X } }", "FICT116", "in", "reserved word", "another name"),
        ("filter a { match { X } ", "FICT115", "{", "never closed", None),
        ("filter a { match { X[has Y } }", "FICT115", "[", "never closed", None),
        ("filter a { match { X[(has Y] } }", "FICT115", "(", "never closed", None),
        ("filter a { match { X) } }", "FICT128", ")", "unmatched", None),
        ("filter a { match { X } } }", "FICT128", "}", "unmatched", None),
        ("filter a { match { } }", "FICT114", "{ }", "empty", None),
        ("filter a { match { without { ; } } }", "FICT114", "{ ; }", "empty", None),
        ("pattern p(A) {}", "FICT114", "{}", "empty", None),
        (r'list a = {"b\n"}', "FICT107", r"\n", r"`\n`", "backslash"),
        ("filter a { match { X[form = /a/g] } }", "FICT109", "g", "`g`", None),
        (r"filter a { match { X[form = /a\b/] } }", "FICT130", r"\b", "not supported", "whole value"),
        ('filter a { about "x" about "y" match { X } }', "FICT119", 'about "y"', "twice", None),
        ("filter a { targets a/b targets c/d match { X } }", "FICT119", "targets c/d", "twice", None),
        ("filter a { match { X } keep node(X) }", "FICT120", "node(X)", "only `sentence`", None),
        ("filter a { match { X } mask sentence }", "FICT120", "sentence", "`span(…, …)`", None),
        ("filter a { match { X } mask node(X) with form }", "FICT121", "form", "not `form`", '`with "form"`'),
        ('filter a { match { X } remove node(X) with "x" }', "FICT122", 'with "x"', "only `mask`", None),
        ('filter a for p in {"b c"} { match { X } }', "FICT123", '"b c"', "`b c`", None),
        ("filter a for p in {b, c, b} { match { X } }", "FICT124", "b}"[:1], "`b` is given twice", None),
        ("filter a for p in {} { match { X } }", "FICT125", "for p in {}", "no values", None),
        ("filter a { match { X ->>{1234567890} Y } }", "FICT127", "1234567890", "too large", None),
        ("filter a { match { X ->>{00001234567890} Y } }", "FICT127", "00001234567890", "123456789…", None),
        ("filter a { match { at least 2 _ { X } } }", "FICT129", "_", "needs a name", None),
        ("filter a { match { X[Number.psor = b] } }", "FICT133", "Number.psor", "`Number[psor]`", None),
        ('filter a { match { X[Number."psor" = b] } }', "FICT133", 'Number."psor"', "`Number[psor]`", None),
        ('filter a { match { X[Number."a b" = b] } }', "FICT133", 'Number."a b"', "`Number[layer]`", None),
        ("filter a { match { X[form[length] > 3] } }", "FICT133", "form[length]", "`form.length`", None),
    ],
)
def test_messages_say_what_where_and_what_to_write(
    text: str, code: str, at: str, message: str, hint: str | None
) -> None:
    (found,) = diagnose(text)
    assert found.code == code and found.source is not None and found.span is not None
    assert found.source.text[found.span.start : found.span.end] == at
    assert message in found.message
    if hint is not None:
        assert hint in (found.hint or "")


@pytest.mark.parametrize(
    "attribute",
    ["Number.psor", 'Number."psor"', 'Number."a b"', "misc[Gloss]", "form[length]", "number[psor]", "form[psor]"],
)
def test_the_suggested_form_of_an_attribute_is_accepted(attribute: str) -> None:
    (found,) = diagnose(f"filter a {{ match {{ X[{attribute} = b] }} }}")
    assert found.code == "FICT133"
    suggestion = found.message.split("`")[-2]
    assert diagnose(f"filter a {{ match {{ X[{suggestion} = b] }} }}") == []


@pytest.mark.parametrize(
    ("clause", "meant"),
    [
        ("V.upos = NOUN", "V[upos = NOUN]"),
        ("V.upos = NOUN S -> V", "V[upos = NOUN]"),
        ("A.id < B.id V.upos != NOUN", "V[upos != NOUN]"),
        ('V.upos = "NOUN"', 'V[upos = "NOUN"]'),
        ("V.form = /a.*/", "V[form = /a.*/]"),
        ("V.id < 3", "V[id < 3]"),
        ("V.Number[psor] = Sing", "V[Number[psor] = Sing]"),
        ("V.upos == NOUN", "V[upos = NOUN]"),
        ("V.deprel == nsubj", "V[deprel == nsubj]"),
        ("V.upos == S.upos", "a single `=`"),
        ("lower(V.form) = the", "V[lower(form) = the]"),
        ("V >nsubj S", "-[nsubj]-> S"),
        ("V >>obl:arg S -> T", "-[obl:arg]->> S"),
        ("V –[nsubj]-> S", "is `-`"),
        ("V -[nsubj]—> S", "is `->`"),
        ("V → S", "is `->`"),
        ("V ⟵ S", "is `<-`"),
        ("V[upos = VERB or AUX]", "VERB|AUX"),
        ('V[has X, form = "a" or "b"]', '"a"|"b"'),
        ("V <-[nsubj]– S", "is `-`"),
        ("V =[nsubj]⇒ S", "is `=>`"),
        ("V[upos not VERB]", "upos != VERB"),
        ("V[form = not the]", "form != the"),
        ("V[form.length not 3]", "form.length != 3"),
        ("V[has Case, lower(form) not the]", "`lower(form) != the`"),
        ("V[Number[psor] = not Sing]", "`Number[psor] != Sing`"),
        ("V[form = +*]", r"`/\+.*/`"),
        ("V[form = a/b.*]", r"`/a\/b.*/`"),
        ("Subj-1 -> V", "`Subj_1`"),
        ("V -> Subj-1 -> W", "`Subj_1`"),
        ("V -nsubj-> S", "`-[nsubj]->`"),
        ("V[upos = PRP*]", "`/PRP.*/`"),
    ],
)
def test_what_was_meant_is_written_out(clause: str, meant: str) -> None:
    (found,) = diagnose(f"filter a {{ match {{ {clause} }} }}")
    assert meant in (found.hint or "")


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("", "FICT101", (1, 1)),
        ("# a comment\n\n", "FICT101", (1, 1)),
        ("filter a { match { X } }", "FICT101", (1, 1)),
        ("\n  FICT 1\nlist a = {b}", "FICT101", (2, 3)),
        ("fict\nlist a = {b}", "FICT101", (1, 1)),
        ("fict 2\nlist a = {b c}", "FICT102", (1, 6)),
        ("fict 1.1\n", "FICT102", (1, 6)),
        ("fict 10", "FICT102", (1, 6)),
        ("{", "FICT101", (1, 1)),
        ('fict "1"\nlist a = {b}', "FICT101", (1, 1)),
    ],
)
def test_the_first_line(text: str, code: str, at: tuple[int, int]) -> None:
    source = Source.of(text)
    first = parse(source)[1][0]
    assert first.code == code and first.span is not None
    assert source.position(first.span.start) == at


def test_a_missing_first_line_hides_nothing() -> None:
    file, problems = parse(Source.of("list a = {b}\nlist c = {d e}"))
    assert [problem.code for problem in problems] == ["FICT101", "FICT110"]
    assert file is not None and len(file.items) == 1


def test_another_version_is_not_read() -> None:
    assert parse(Source.of("fict 2\nlist a = {b c}"))[0] is None


@pytest.mark.parametrize(
    ("clause", "hint"),
    [
        ("V -[nsubj:pass, obj]-> S", "`-[nsubj:pass|obj]->`"),
        ("V -[nsubj:pass or obl:arg]-> S", "`-[nsubj:pass|obl:arg]->`"),
        ("V -[=nsubj, =obj]-> S", "`-[=nsubj|=obj]->`"),
        ("X[deprel = nsubj:pass or obj]", "`nsubj:pass|obj`"),
        ("X[deprel = obj or nsubj:pass]", "`obj|nsubj:pass`"),
        ("X[deprel not nsubj:pass]", "`deprel != nsubj:pass`"),
        ("X[deprel not obj|nsubj:pass]", "`deprel != obj|nsubj:pass`"),
        ("X[!misc.Key]", "`not has misc.Key`"),
        ("X[!Number[psor]]", "`not has Number[psor]`"),
    ],
)
def test_a_hint_repeats_whole_values(clause: str, hint: str) -> None:
    first = diagnose(f"filter a {{ match {{ {clause} }} }}")[0]
    assert first.hint is not None and hint in first.hint


@pytest.mark.parametrize("text", ["{nsubj:pass, obj:x}", "{a.b, 'n s'}"])
def test_a_family_value_that_cannot_be_one_gets_one_message(text: str) -> None:
    found = diagnose(f"filter q for x in {text} {{ match {{ V -[$x]-> S }} }}")
    assert [problem.code for problem in found] == ["FICT123", "FICT123"]


def test_an_apostrophe_does_not_reach_to_the_next_one() -> None:
    text = "filter a { match { X[form = 's] -> Y[lemma in {'t, 'm}] } }"
    assert [problem.fix and problem.fix.replacement for problem in diagnose(text)] == ['"\'s"', '"\'t"', '"\'m"']


def test_a_relation_without_its_bracket_is_that_first() -> None:
    assert diagnose("filter a { match { V:VERB -[obj-> O } }")[0].code == "FICT115"


@pytest.mark.parametrize(
    ("clause", "nearest_name"),
    [("length(subtre(O)) > 3", "subtree"), ("lenght(subtree(O)) > 3", "length"), ("length(spam(O, V)) > 3", "span")],
)
def test_a_misspelt_measure_is_told_the_nearest_name(clause: str, nearest_name: str) -> None:
    first = diagnose(f"filter a {{ match {{ V -> O {clause} }} }}")[0]
    assert f"`{nearest_name}`" in f"{first.message} {(first.hint or '').partition(';')[0]}"
