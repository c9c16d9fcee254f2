"""Text to syntax tree: every construct of the language, and how each is printed again."""

from __future__ import annotations

import dataclasses
import unicodedata

import pytest

from fictdsl.source import Source, Span
from fictdsl.syntax import nodes as n
from fictdsl.syntax.nodes import RESERVED
from fictdsl.syntax.parse import parse
from fictdsl.syntax.printer import print_file
from fictdsl.syntax.regex import Char, Repeat, Sequence

AT = Span(0, 0)


def file(text: str) -> n.File:
    found, problems = parse(Source.of("fict 1\n" + text))
    assert found is not None and problems == [], problems
    return found


def item(text: str) -> n.Item:
    (only,) = file(text).items
    return only


def clause(text: str) -> n.Clause:
    filter_def = item(f"filter f {{ match {{ {text} }} }}")
    assert isinstance(filter_def, n.FilterDef)
    (only,) = filter_def.match.clauses
    return only


def test(text: str) -> n.Test:
    chain = clause(f"X[{text}]")
    assert isinstance(chain, n.Chain) and chain.first.test is not None
    return chain.first.test


test.__test__ = False  # type: ignore[attr-defined]


def name(text: str) -> n.Name:
    return n.Name(text, span=AT)


def value(text: str, quoted: bool = False) -> n.Value:
    return n.Value(text, quoted, span=AT)


def node(text: str) -> n.NodeTerm:
    return n.NodeTerm(name(text), (), None, span=AT)


def attribute(text: str, key: str | None = None, lower: bool = False, quoted: bool = False) -> n.Attribute:
    return n.Attribute(text, key, lower, span=AT, key_quoted=quoted)


def compare(attr: n.Attribute, op: str, *values: object) -> n.Compare:
    return n.Compare(attr, op, values, span=AT)  # type: ignore[arg-type]


def has(text: str) -> n.Has:
    return n.Has(attribute(text), span=AT)


def labels(*texts: str, negated: bool = False) -> n.Labels:
    made = tuple(n.LabelTest(value(text.lstrip("=")), text.startswith("="), span=AT) for text in texts)
    return n.Labels(made, negated, span=AT)


ANY = n.NodeTerm(None, (), None, span=AT)
A, B = node("A"), node("B")

RELATIONS = {
    "->": n.Edge(None, False, False, span=AT),
    "-[nsubj]->": n.Edge(labels("nsubj"), False, False, span=AT),
    "-[obj|iobj]->": n.Edge(labels("obj", "iobj"), False, False, span=AT),
    "-[=obj|=obl]->": n.Edge(labels("=obj", "=obl"), False, False, span=AT),
    "-[=obj|obl]->": n.Edge(labels("=obj", "obl"), False, False, span=AT),
    "-[^nsubj|obj]->": n.Edge(labels("nsubj", "obj", negated=True), False, False, span=AT),
    "-[^=acl:relcl]->": n.Edge(labels("=acl:relcl", negated=True), False, False, span=AT),
    '-["a b"|$p]->': n.Edge(
        n.Labels(
            (n.LabelTest(value("a b", True), False, span=AT), n.LabelTest(n.Param("p", span=AT), False, span=AT)),
            False,
            span=AT,
        ),
        False,
        False,
        span=AT,
    ),
    "<-": n.Edge(None, True, False, span=AT),
    "<-[nsubj]-": n.Edge(labels("nsubj"), True, False, span=AT),
    "==>": n.Edge(None, False, True, span=AT),
    "=[nmod:of]=>": n.Edge(labels("nmod:of"), False, True, span=AT),
    "=[^=obl]=>": n.Edge(labels("=obl", negated=True), False, True, span=AT),
    "->>": n.Path(None, None, span=AT),
    "->>{2..3}": n.Path(None, n.Bounds(2, 3, span=AT), span=AT),
    "->>{0..}": n.Path(None, n.Bounds(0, None, span=AT), span=AT),
    "->>{..4}": n.Path(None, n.Bounds(None, 4, span=AT), span=AT),
    "->>{2}": n.Path(None, n.Bounds(2, 2, span=AT), span=AT),
    "-[conj]->>": n.Path(labels("conj"), None, span=AT),
    "-[conj]->>{1..3}": n.Path(labels("conj"), n.Bounds(1, 3, span=AT), span=AT),
    "<": n.Next(span=AT),
    "<<": n.Before(None, span=AT),
    "<<{1..3}": n.Before(n.Bounds(1, 3, span=AT), span=AT),
    "~": n.Siblings(span=AT),
}


@pytest.mark.parametrize("sign", RELATIONS)
def test_relations(sign: str) -> None:
    assert clause(f"A {sign} B") == n.Chain(A, (n.Link(RELATIONS[sign], B, span=AT),), span=AT)
    assert clause(f"A{sign}B") == clause(f"A {sign} B")


def test_white_space_stands_anywhere_between_signs() -> None:
    assert clause("A - [ = nsubj | obj ] ->> { 1 .. 2 } B") == clause("A -[=nsubj|obj]->>{1..2} B")
    assert clause("A\n<-\n[nsubj]\n-\nB") == clause("A <-[nsubj]- B")


def test_chains() -> None:
    chain = clause("A -> B < C <- _")
    assert isinstance(chain, n.Chain)
    assert [link.target for link in chain.links] == [B, node("C"), ANY]


def test_nodes() -> None:
    noun = compare(attribute("Number"), "=", value("Sing"))
    assert clause("A") == n.Chain(A, (), span=AT)
    assert clause("_") == n.Chain(ANY, (), span=AT)
    assert clause("A:NOUN|$p[Number = Sing]") == n.Chain(
        n.NodeTerm(name("A"), (value("NOUN"), n.Param("p", span=AT)), noun, span=AT), (), span=AT
    )
    assert clause('_:"X"') == n.Chain(n.NodeTerm(None, (value("X", True),), None, span=AT), (), span=AT)


def test_clauses() -> None:
    block = n.Block((n.Chain(A, (), span=AT),), span=AT)
    other = n.Block((n.Chain(B, (), span=AT),), span=AT)
    assert clause("A between B and _") == n.Between(A, B, ANY, span=AT)
    assert clause("without { A }") == n.Without(block, span=AT)
    assert clause("either { A } or { B } or { A }") == n.Either((block, other, block), span=AT)
    assert clause("at least 2 B { A }") == n.Count("at least", 2, B, block, span=AT)
    assert clause("at most 0 B { A }") == n.Count("at most", 0, B, block, span=AT)
    assert clause("exactly 1 B { A }") == n.Count("exactly", 1, B, block, span=AT)
    assert clause("sentence[length > 40]") == n.SentenceTest(compare(attribute("length"), ">", value("40")), span=AT)
    assert clause("p(A, _)") == n.Call(name("p"), (name("A"), None), span=AT)
    assert clause("p()") == n.Call(name("p"), (), span=AT)


def test_attributes_of_two_words() -> None:
    def side(node_name: str, attr: n.Attribute) -> n.NodeAttribute:
        return n.NodeAttribute(name(node_name), attr, span=AT)

    assert clause("S.Number[psor] != V.Number") == n.AttributeComparison(
        side("S", attribute("Number", "psor")), "!=", side("V", attribute("Number")), span=AT
    )
    lowered = n.AttributeComparison(
        side("V", attribute("lemma", None, True)), "=", side("S", attribute("form", None, True)), span=AT
    )
    assert clause("lower(V.lemma) = lower(S.form)") == lowered
    assert clause("V.lower(lemma) = S.lower(form)") == lowered
    for op in ("=", "!=", "<", "<=", ">", ">="):
        found = clause(f"A.form.length {op} B.id")
        assert found == n.AttributeComparison(
            side("A", attribute("form", "length")), op, side("B", attribute("id")), span=AT
        )


def test_clauses_need_no_separator() -> None:
    both = "A.id < B.id A -> B p(A) without { A } B A < B"
    spread = "; A.id < B.id;; A -> B ; p(A) ; without { ; A ; } ; B; A < B;"
    assert item(f"filter f {{ match {{ {both} }} }}") == item(f"filter f {{ match {{ {spread} }} }}")


def test_tests() -> None:
    noun, verb = value("NOUN"), value("VERB")
    upos = attribute("upos")
    assert test("upos = NOUN") == compare(upos, "=", noun)
    assert test("upos != NOUN|VERB") == compare(upos, "!=", noun, verb)
    assert test("deprel == nsubj:pass") == compare(attribute("deprel"), "==", value("nsubj:pass"))
    for op in ("<", "<=", ">", ">="):
        assert test(f'misc.Score {op} "0.5"') == compare(attribute("misc", "Score"), op, value("0.5", True))
    assert test('misc."a b" = $p') == compare(attribute("misc", "a b", quoted=True), "=", n.Param("p", span=AT))
    assert test("Number[psor] = Sing") == compare(attribute("Number", "psor"), "=", value("Sing"))
    assert test("form.length > 3") == compare(attribute("form", "length"), ">", value("3"))
    assert test("lower(phrase) in {}") == n.Member(
        attribute("phrase", None, True), False, n.ListLiteral((), span=AT), span=AT
    )
    assert test("form not in @npi") == n.Member(attribute("form"), True, n.ListRef("npi", span=AT), span=AT)
    assert test('form in {a, "b c", $p}') == n.Member(
        attribute("form"),
        False,
        n.ListLiteral((value("a"), value("b c", True), n.Param("p", span=AT)), span=AT),
        span=AT,
    )
    assert test("has Number") == has("Number")
    assert test("meta.source = file") == compare(attribute("meta", "source"), "=", value("file"))


def test_precedence() -> None:
    a, b, c = has("A"), has("B"), has("C")
    assert test("has A, has B or has C") == n.And((a, n.Or((b, c), span=AT)), span=AT)
    assert test("has A or has B, has C") == n.And((n.Or((a, b), span=AT), c), span=AT)
    assert test("not has A or has B") == n.Or((n.Not(a, span=AT), b), span=AT)
    assert test("not (has A or has B)") == n.Not(n.Or((a, b), span=AT), span=AT)
    assert test("not not has A") == n.Not(n.Not(a, span=AT), span=AT)
    assert test("(has A, has B) or has C") == n.Or((n.And((a, b), span=AT), c), span=AT)
    assert test("has A, (has B, has C)") == n.And((a, n.And((b, c), span=AT)), span=AT)
    assert test("has A, has B, has C") == n.And((a, b, c), span=AT)
    assert test("((has A))") == a


def test_regexes() -> None:
    form = attribute("form")
    assert test("form = /ab*/") == compare(
        form, "=", n.RegexValue("ab*", False, Sequence((Char("a"), Repeat(Char("b"), 0, None))), span=AT)
    )
    slash = n.RegexValue(r"\/#\"", True, Sequence((Char("/"), Char("#"), Char('"'))), span=AT)
    assert test(r"form != a|/\/#\"/i") == compare(form, "!=", value("a"), slash)


def test_strings() -> None:
    assert test(r'form = "a\"b\\c # d"') == compare(attribute("form"), "=", value('a"b\\c # d', True))
    assert test('form = ""') == compare(attribute("form"), "=", value("", True))
    assert test('form = "\t;\'--"') == compare(attribute("form"), "=", value("\t;'--", True))


def test_reserved_words_are_values_where_only_a_value_can_stand() -> None:
    assert item("list a = {for, with, most}") == n.ListDef(
        name("a"), n.ListLiteral((value("for"), value("with"), value("most")), span=AT), span=AT
    )
    assert test("lemma = not") == compare(attribute("lemma"), "=", value("not"))
    assert test("lemma = or or lemma = and, lemma = in|has") == n.And(
        (
            n.Or(
                (compare(attribute("lemma"), "=", value("or")), compare(attribute("lemma"), "=", value("and"))), span=AT
            ),
            compare(attribute("lemma"), "=", value("in"), value("has")),
        ),
        span=AT,
    )
    assert clause("A -[mark|in]-> B:and") == n.Chain(
        A,
        (
            n.Link(
                n.Edge(labels("mark", "in"), False, False, span=AT),
                n.NodeTerm(name("B"), (value("and"),), None, span=AT),
                span=AT,
            ),
        ),
        span=AT,
    )


def test_names_that_begin_like_reserved_words() -> None:
    chain = clause("format -> notes -> orb -> _")
    assert isinstance(chain, n.Chain)
    assert chain.first == node("format")


def test_items() -> None:
    block = n.Block((n.Chain(A, (), span=AT),), span=AT)
    assert item('use "a/b.fict"') == n.Use(value("a/b.fict", True), span=AT)
    assert item('list a = file "b.txt"') == n.ListDef(name("a"), n.ListFile(value("b.txt", True), span=AT), span=AT)
    assert item("list a = {}") == n.ListDef(name("a"), n.ListLiteral((), span=AT), span=AT)
    assert item("pattern p(A, B) { A }") == n.PatternDef(name("p"), (name("A"), name("B")), block, span=AT)
    assert item("filter a-2b { match { A } }") == n.FilterDef(name("a-2b"), None, (), block, (), span=AT)


@pytest.mark.parametrize("name", RESERVED)
def test_a_filter_may_be_named_by_any_word(name: str) -> None:
    """Names of nodes, lists and patterns are no reserved words; where a filter's name stands nothing else can."""
    found = item(f"filter {name} {{ match {{ V }} }}")
    assert isinstance(found, n.FilterDef)
    assert found.name.text == name


def test_filters() -> None:
    found = item(
        """filter f for p in {sg, pl-2, 3, "x_y"} {
             note "n" about "a $p" note "m" source "s"
             targets blimp/a_1, x-y/B-2 z/z # comment
             match { A }
           }"""
    )
    assert isinstance(found, n.FilterDef)
    assert found.family == n.Family(name("p"), (value("sg"), value("pl-2"), value("3"), value("x_y", True)), span=AT)
    assert found.metadata == (
        n.Text("note", value("n", True), span=AT),
        n.Text("about", value("a $p", True), span=AT),
        n.Text("note", value("m", True), span=AT),
        n.Text("source", value("s", True), span=AT),
        n.TargetBenchmarks((name("blimp/a_1"), name("x-y/B-2"), name("z/z")), span=AT),
    )


def test_targets_end_at_the_next_reserved_word() -> None:
    found = item('filter f { targets a/b c/d about "x" match { A } }')
    assert isinstance(found, n.FilterDef)
    assert found.metadata[0] == n.TargetBenchmarks((name("a/b"), name("c/d")), span=AT)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("remove sentence", ("remove", "sentence", (), None, None)),
        ("keep sentence", ("keep", "sentence", (), None, None)),
        ("count sentence", ("count", "sentence", (), None, None)),
        ("count span(A, A)", ("count", "span", ("A", "A"), None, None)),
        ("remove node(A)", ("remove", "node", ("A",), None, None)),
        ("remove subtree(A)", ("remove", "subtree", ("A",), None, None)),
        ("mask span(A, B)", ("mask", "span", ("A", "B"), None, None)),
        ('mask node(A) with "…"', ("mask", "node", ("A",), "…", None)),
        ("mask subtree(A) with xpos", ("mask", "subtree", ("A",), None, "xpos")),
    ],
)
def test_actions(text: str, action: tuple[str, str, tuple[str, ...], str | None, str | None]) -> None:
    verb, kind, names, replacement, tag = action
    found = item(f"filter f {{ match {{ A -> B }} {text} remove sentence }}")
    assert isinstance(found, n.FilterDef)
    string = None if replacement is None else value(replacement, True)
    assert found.actions[0] == n.Action(verb, n.Target(kind, tuple(map(name, names)), span=AT), string, tag, span=AT)
    assert len(found.actions) == 2


# --- the file as a whole


def test_comments_stand_anywhere_but_in_strings_and_regexes() -> None:
    text = '# a\nfict 1 # b\n#\nlist a = { # c }\n x # "d\n, "#y"# e\n} # f'
    found, problems = parse(Source.of(text))
    assert found is not None and not problems
    assert found.items == (n.ListDef(name("a"), n.ListLiteral((value("x"), value("#y", True)), span=AT), span=AT),)


@pytest.mark.parametrize("text", ["fict 1", "\ufefffict 1\r\n", "fict\n1", " \t\nfict 1\n# only this"])
def test_a_file_without_items(text: str) -> None:
    assert parse(Source.of(text)) == (n.File("1", (), span=AT), [])


def test_lines_may_end_in_cr_lf() -> None:
    assert file("list a = {b} # c\r\nlist c = {d}\r\n") == file("list a = {b}\nlist c = {d}\n")


def test_text_is_nfc() -> None:
    decomposed = unicodedata.normalize("NFD", "list a = {é}")
    assert file(decomposed) == file("list a = {\u00e9}")


def test_a_bare_word_may_have_letters_of_any_language() -> None:
    assert test("form = größe|漢字|ﬁ") == compare(attribute("form"), "=", value("größe"), value("漢字"), value("ﬁ"))


def spans(tree: object) -> list[tuple[Span, object]]:
    found: list[tuple[Span, object]] = []
    if isinstance(tree, tuple):
        for part in tree:
            found += spans(part)
    elif dataclasses.is_dataclass(tree) and hasattr(tree, "span"):
        found.append((tree.span, tree))
        for field in dataclasses.fields(tree):
            found += [] if field.name == "span" else spans(getattr(tree, field.name))
    return found


def test_spans_hold_the_text_of_their_part() -> None:
    text = (
        'fict 1\nfilter f { about "x" match { V:VERB[lower(form) = a|/b/, not has X] -[=obj]->>{2..} _ } mask node(V) }'
    )
    found, _ = parse(Source.of(text))
    places = {type(part).__name__: text[span.start : span.end] for span, part in reversed(spans(found))}
    assert places["FilterDef"] == text[7:]
    assert places["Text"] == 'about "x"'
    assert places["Block"].startswith("{ V:VERB") and places["Block"].endswith("_ }")
    assert places["NodeTerm"] == "V:VERB[lower(form) = a|/b/, not has X]"
    assert places["Compare"] == "lower(form) = a|/b/"
    assert places["Attribute"] == "lower(form)"
    assert places["RegexValue"] == "/b/"
    assert places["Not"] == "not has X"
    assert places["Path"] == "-[=obj]->>{2..}"
    assert places["Bounds"] == "{2..}"
    assert places["LabelTest"] == "=obj"
    assert places["Link"] == "-[=obj]->>{2..} _"
    assert places["Target"] == "node(V)"
    assert places["Action"] == "mask node(V)"


@pytest.mark.parametrize("function", ["upper(V.form)", "capital(V.lemma)", "inflect(V.lemma, VBD)"])
def test_the_span_of_an_argument_holds_its_node(function: str) -> None:
    text = f"fict 1\nrewrite r {{ match {{ V }} set V.form = {function} }}"
    (found,) = (part for _, part in spans(parse(Source.of(text))[0]) if isinstance(part, n.Function))
    argument = found.argument.span
    assert text[argument.start : argument.end] == function[function.index("V") :].rstrip(")").removesuffix(", VBD")


@pytest.mark.timeout(30)
@pytest.mark.parametrize("value", ["word", "lower", "upper", "capital", "inflect"])
def test_a_comment_of_many_signs_after_a_value_is_skipped(value: str) -> None:
    text = f"rewrite r {{ match {{ V }} set V.form = {value}\n# {'#' * 60} #\nset V.lemma = V #{'#' * 60}\n.form }}"
    rewrite = item(text)
    assert isinstance(rewrite, n.RewriteDef)
    word, attribute = (action.value for action in rewrite.actions if isinstance(action, n.Set))
    assert isinstance(word, n.Value) and word.text == value
    assert isinstance(attribute, n.NodeAttribute) and attribute.node.text == "V"


# --- and back


@pytest.mark.parametrize("sign", RELATIONS)
def test_relations_print_as_they_are_written(sign: str) -> None:
    text = f"fict 1\n\nfilter f {{\n  match {{\n    A {sign} B\n  }}\n}}\n"
    assert print_file(file(text.removeprefix("fict 1\n"))) == text
