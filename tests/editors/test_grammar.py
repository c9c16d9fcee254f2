"""The TextMate grammar of the VS Code extension gives every token the scope that our own parser says it deserves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Token, Tree

from fictdsl.glossary import MEASURES
from fictdsl.installation import shipped
from fictdsl.schema import TAGS
from fictdsl.source import Span
from fictdsl.syntax.grammar import comments, parse_tree
from fictdsl.syntax.nodes import RESERVED, REWRITE_WORDS, SUBSTRING_OPERATORS
from tests.support.textmate import GRAMMAR, scopes, vscode_scopes

ROOT = Path(__file__).parent.parent.parent
SHIPPED = sorted(shipped("filters").rglob("*.fict"))

EVERYTHING = r"""fict 1 # a comment
use "other.fict"
list words = {a, "b c", most, 3}   # fict: ignore[FICT519] why not
list rows = {(a, "b c"), (d, 3)}
list others from "others.tsv"
list more =
  file "more.txt"
pattern p(A, B) { A -> B }
filter f-one for n in {Sing, "Plur"} {
  about "With $n and \"quotes\"."   source "s" note "n"
  targets blimp/passive_1, blimp/a_b-2
  match {
    A:VERB|AUX[lemma = be|have, upos != NOUN, not Number = $n or (has Tense, misc."a b" = x)]
    A -[nsubj|=obj:x]-> B <-[^obl]- C ->> D ->>{2..3} E -[conj]->>{..4} F < G << H <<{2} I ~ J
    A =[nsubj]=> K ==> L:$n  _ -> _
    B[lower(form) in @words, lemma not in {a, b, "c"}, form = /a.*b/i|/x\/y/, Number[psor] = Sing,
      deprel == nsubj:pass|obj, form.length >= 3, id < 7,
      xpos =
        or | and, Person = 3,
      lower(phrase) in @more]
    M between A and B  crossing A, B:NOUN  A may be M; (A.form, lower(B.lemma)) not in @rows  A -[/obl.*/i|x@y]-> B
    A[form contains "a", lemma starts "b", not xpos ends "c"]
    A.Number != B.Number; lower(A.form) = lower(B.lemma) A.id <= B.id A.Number[psor] = B.Case
    sentence[length > 40, meta.key = x, text = "y"] sentence[not projective]
    length(subtree(A)) > length(span(A, B)) + 2 - distance(A, B)  distance(B, A) < -3 + 4 length( subtree(A) )!=1
    maybe { A -> Z }
    p(A, _)
    without { X -> A  without { Y } }
    either { P } or { Q } or { R }
    at least 2 S { S -> A } at most 3 T { T } exactly 1 U { U }
  }
  remove sentence mask node(A) with upos mask span(A, B) with "x" count subtree(A) keep sentence
}
rewrite r-one for n in {Sing, "Plur"} {
  about "x $n"   targets blimp/passive_1
  as-is case as-is article
  match { A -> B  move -> order without { X -> A } }
  delete node(A)   move subtree(A) before span(A, B)   swap node(A) with subtree(B)
  insert "w"[upos = ADP, misc."a b" = x, Number = $n] as nmod:poss of A after sentence   # why not
  insert $n as $n of move before node(A)
  set A.form = B.lemma  set A.Number[psor] = Plur  set A.Person = 3  set A.misc.Gloss = "a b"  set A.deprel = nmod:poss
  set A.form = lower(B.form)  set A.form = upper(B.form) set A.form = inflect(B.lemma, VBZ)  set A.lemma = _  set A.xpos = $n
  reverse sentence  order sentence by length desc  order subtree(A) by length head-final  order sentence by chance
  shuffle node(A) by length  shuffle sentence in 3  interleave span(A, B)
}
"""

OF_RULE = {
    ("list_def", "NAME"): "entity.name.constant.list",
    ("family", "NAME"): "variable.parameter.family",
    ("node", "NAME"): "variable.other.node",
    ("target", "NAME"): "variable.other.node",
    ("node_attribute", "NAME"): "variable.other.node",
    ("coincide", "NAME"): "variable.other.node",
    ("label", "EQUAL"): "keyword.operator.label",
    ("list_def", "EQUAL"): "keyword.operator.assignment",
    ("replacement", "WORD"): "support.constant.tag",
    ("relate", "LESSTHAN"): "keyword.operator.comparison",
    ("relate_sums", "LESSTHAN"): "keyword.operator.comparison",
    **dict.fromkeys((("relate_sums", "PLUS"), ("relate_sums", "MINUS")), "keyword.operator.arithmetic"),
    ("compare", "LESSTHAN"): "keyword.operator.comparison",
    ("node_attribute", "DOT"): "punctuation.accessor",
    ("attribute", "DOT"): "punctuation.accessor",
    ("of_node", "DOT"): "punctuation.accessor",
    ("property", "DOT"): "punctuation.accessor",
    ("set", "EQUAL"): "keyword.operator.comparison",
    ("insert", "NAME"): "variable.other.node",
    ("function", "WORD"): "string.unquoted.value",
    **{(rule, "DOT"): "punctuation.accessor" for rule in ("changed", "copied", "function")},
    **{(rule, kind): "variable.other.node" for rule in ("changed", "copied", "function") for kind in ("NAME", "OWNER")},
}
OF_TYPE = {
    "FILTER_NAME": "entity.name.class.filter",
    "VERSION": "constant.numeric.version",
    "STRING": "string.quoted.double",
    "REGEX": "string.regexp",
    "PARAM": "variable.parameter.family",
    "LIST_REF": "variable.other.constant.list",
    "INT": "constant.numeric",
    "TARGET": "constant.other.target",
    "CHOICE": "string.unquoted.value",
    "ANY": "variable.language.anonymous",
    "LABEL": "entity.name.tag.relation",
    "LOWER": "support.function.lower",
    **dict.fromkeys(("CONTAINS", "STARTS", "ENDS", "MAY", "BE"), "keyword.operator.word"),
    "FROM": "keyword.control.item",
    "PROJECTIVE": "variable.other.property",
    **dict.fromkeys(("LOWER_OF", "UPPER_OF", "INFLECT_OF"), "support.function.lower"),
    "PHRASE": "variable.other.property",
    **dict.fromkeys(("LBRACE", "RBRACE", "LSQB", "RSQB", "LPAR", "RPAR"), "punctuation.section"),
    **dict.fromkeys(("COMMA", "COLON"), "punctuation.separator"),
    "SEMICOLON": "punctuation.terminator",
    "VBAR": "keyword.operator.alternative",
    "CIRCUMFLEX": "keyword.operator.label",
}
OF_SIGN = {
    **dict.fromkeys(("->", "->>", "<-", "-", "==>", "=>", "<", "<<", "~"), "keyword.operator.relation"),
    **dict.fromkeys(("!=", "==", "<=", ">=", ">", "="), "keyword.operator.comparison"),
    "..": "keyword.operator.range",
}


def expected(tree: Tree, above: str = "", around: str = "") -> Iterator[tuple[Token, str]]:
    """Each token of a parse tree, with what its scope begins with."""
    rule = str(tree.data)
    for number, child in enumerate(tree.children):
        if isinstance(child, Tree):
            yield from expected(child, rule, above)
        else:
            yield child, _scope(rule, above, number, child)


def _scope(rule: str, above: str, number: int, token: Token) -> str:
    kind = token.type
    if (rule, kind) in OF_RULE:
        return OF_RULE[rule, kind]
    if rule == "edge" and token == "=":
        return "keyword.operator.relation"
    if rule in ("length", "call") and token in MEASURES:
        return "support.function.measure"
    if rule in ("pattern", "call") and kind == "NAME":
        if number < 2 and (rule == "call") == (number == 0):
            return "entity.name.function.pattern"
        return "variable.parameter.node" if rule == "pattern" else "variable.other.node"
    if rule in ("attribute", "of_node", "property") and kind == "NAME":
        return "entity.other.attribute-name.feature" if token[0].isupper() else "variable.other.property"
    if rule in ("attribute", "of_node", "property") and kind == "WORD":
        return "variable.other.property"
    if rule in ("value", "literal") and kind == "WORD":
        special = {"upos": "support.constant.upos"}
        return special.get(above) or ("constant.numeric" if token.isdigit() else "string.unquoted.value")
    if kind in OF_TYPE:
        return OF_TYPE[kind]
    return "keyword" if token in (*RESERVED, *REWRITE_WORDS) else OF_SIGN[str(token)]


def wrong(text: str, folder: Path) -> list[str]:
    """What the grammar says of a text that our parser does not."""
    found = scopes(text, folder)
    tree = parse_tree(text, Span(0, len(text)), "file")
    assert tree is not None and len(found) == len(text)
    places = [(token.start_pos, token.end_pos, scope) for token, scope in expected(tree)]
    places += [(found.span.start, found.span.end, "comment.line") for found in comments(text)]
    lines = []
    for start, end, scope in places:
        for at in range(start, end):
            if not any(name == scope or name.startswith(scope + ".") for name in found[at]):
                lines.append(f"line {text.count(chr(10), 0, at) + 1}: `{text[start:end]}` is {found[at]}, not {scope}")
                break
    illegal = [at for at, names in enumerate(found) if any("invalid" in name or "illegal" in name for name in names)]
    bare = [at for start, end, _ in places for at in range(start, end) if found[at] == ("source.fict",)]
    return lines + [f"`{text[at]}` at {at} is invalid" for at in illegal] + [f"`{text[at]}` is bare" for at in bare]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_token_of_a_shipped_filter_has_its_scope(path, tmp_path):
    assert wrong(path.read_text(encoding="utf-8"), tmp_path) == []


def test_every_kind_of_token_has_its_scope(tmp_path):
    assert wrong(EVERYTHING, tmp_path) == []
    tree = parse_tree(EVERYTHING, Span(0, len(EVERYTHING)), "file")
    used = {token.type for token, _ in expected(tree)}
    assert {word.upper() for word in RESERVED} | (OF_TYPE.keys() - {"LOWER", "PHRASE"}) <= used


def test_filters_in_the_documentation_have_their_scopes(tmp_path):
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    blocks = [b for p in pages for b in re.findall(r"```fict\n(.*?)```", p.read_text(encoding="utf-8"), re.DOTALL)]
    whole = [block for block in blocks if parse_tree(block, Span(0, len(block)), "file") is not None]
    assert len(whole) >= 4
    assert [line for block in whole for line in wrong(block, tmp_path)] == []


def test_what_other_tools_write_is_marked_as_wrong(tmp_path):
    text = "fict 1\nfilter f { match { A >> B && C } }\n"
    found = scopes(text, tmp_path)
    assert [text[at] for at, names in enumerate(found) if "invalid.illegal.fict" in names] == [">", ">", "&", "&"]


def test_a_string_that_is_not_closed_ends_with_its_line(tmp_path):
    text = 'fict 1\nfilter f { about "abc\n match { A } }\n'
    assert "keyword.control.block.fict" in scopes(text, tmp_path)[text.index("match")]


def test_the_engine_of_vs_code_finds_the_same_scopes(tmp_path):
    texts = [EVERYTHING, *(path.read_text(encoding="utf-8") for path in SHIPPED)]
    for text, theirs in zip(texts, vscode_scopes(texts), strict=True):
        ours = scopes(text, tmp_path)
        assert len(theirs) == len(ours)
        differ = [(text[at:][:9], theirs[at], ours[at]) for at in range(len(text)) if theirs[at] != ours[at]]
        assert [one for one in differ if not one[0][0].isspace()] == []


def test_the_words_of_the_grammar_are_the_words_of_the_language():
    found: set[str] = set()

    def gather(part: object) -> None:
        if isinstance(part, dict):
            for key, value in part.items():
                if key in ("match", "begin", "end"):
                    found.update(re.findall(r"[a-z]{2,}", re.sub(r"\\.|\[[^\]]*\]", " ", value)))
                else:
                    gather(value)
        elif isinstance(part, list):
            for value in part:
                gather(value)

    gather(json.loads(GRAMMAR.read_text(encoding="utf-8")))
    free = {
        *SUBSTRING_OPERATORS,
        "be",
        "from",
        *MEASURES,
        *(part for word in REWRITE_WORDS for part in word.split("-")),
    }
    assert found - {"ignore"} == {*RESERVED, *TAGS, *free} - {"phrase"}  # `phrase` is coloured as an attribute
