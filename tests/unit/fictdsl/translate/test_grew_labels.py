"""Labels of Grew edges, and comparisons of positions as ranges of distances."""

from __future__ import annotations

from itertools import product

import pytest

from fictdsl.compiler import compile_text
from fictdsl.reference.sentences import Sentence, Word
from fictdsl.source import Source
from fictdsl.translate.grew import translate_grew
from fictdsl.translate.grew_labels import arrows, ranges_of
from fictdsl.translate.grew_reader import read_request
from fictdsl.translate.grew_request import Edge, Label
from fictdsl.translate.writer import NoEquivalentError
from tests.support.tables import connect

LABELS = [
    f"{relation}{subtype}{deep}"
    for relation, subtype, deep in product(("mod", "comp", "nsubj", "n"), ("", ":obj", ":pass"), ("", "@relcl", "@x:y"))
]
UD_LABELS = ["nsubj", "nsubj:pass", "n", "mod"]  # no UD label has a deep part


def read_label(content: str) -> Label:
    (item,) = read_request(Source.of(f"pattern {{ X -[{content}]-> Y }}")).blocks[0].items
    assert isinstance(item, Edge)
    return item.label


def matched_labels(content: str, labels: list[str]) -> set[str]:
    """Return the labels of the edges that the translation of `X -[content]-> Y` matches."""
    translation = translate_grew(Source.of(f"pattern {{ X -[{content}]-> Y }}"), "query")
    assert not translation.untranslated
    (compiled,) = compile_text(translation.text).filters
    sentences = [
        Sentence((Word(1, "a", head=0, deprel="root"), Word(2, "b", head=1, deprel=edge_label)))
        for edge_label in labels
    ]
    with connect(sentences) as connection:
        rows = connection.execute(f"SELECT sid FROM ({compiled.statement().text})").fetchall()
    return {labels[sid] for (sid,) in rows}


def parts(edge_label: str) -> tuple[str, str, str]:
    rest, _, deep = edge_label.partition("@")
    relation, _, subtype = rest.partition(":")
    return relation, subtype, deep


@pytest.mark.parametrize(
    ("content", "condition"),
    [
        ("1=mod", lambda relation, subtype, deep: relation == "mod"),
        ("1=nsubj", lambda relation, subtype, deep: relation == "nsubj"),
        ("1<>nsubj", lambda relation, subtype, deep: relation != "nsubj"),
        ("1=mod|comp", lambda relation, subtype, deep: relation in ("mod", "comp")),
        ("1=comp, 2=obj", lambda relation, subtype, deep: (relation, subtype) == ("comp", "obj")),
        ("1=comp|mod, 2=obj|pass", lambda relation, subtype, deep: relation in ("comp", "mod") and subtype),
        ("1=comp, !2", lambda relation, subtype, deep: (relation, subtype) == ("comp", "")),
        ("1<>mod", lambda relation, subtype, deep: relation != "mod"),
        ("1=comp, !deep", lambda relation, subtype, deep: (relation, deep) == ("comp", "")),
        ('1=re"n.*", !2', lambda relation, subtype, deep: relation[0] == "n" and not subtype),
        ('1=re".*d", 2=obj', lambda relation, subtype, deep: (relation, subtype) == ("mod", "obj")),
        ('1=re"n.*", 2=*', lambda relation, subtype, deep: relation[0] == "n" and subtype),
        ('1=re".*j"', lambda relation, subtype, deep: relation == "nsubj"),
        ('1<>re".*j"', lambda relation, subtype, deep: relation != "nsubj"),
        ("1=/[^c]+/", lambda relation, subtype, deep: "c" not in relation),
        ("1=/[^-c]+/, !2", lambda relation, subtype, deep: "c" not in relation and not subtype),
        ('2=re"[^s]*"', lambda relation, subtype, deep: subtype == "obj"),
        ('2=re".*l"', lambda relation, subtype, deep: False),
        ('deep=re".*y"', lambda relation, subtype, deep: deep == "x:y"),
    ],
)
def test_a_condition_is_on_one_part(content, condition):
    labels = LABELS if "nsubj" not in content else UD_LABELS
    assert matched_labels(content, labels) == {edge_label for edge_label in labels if condition(*parts(edge_label))}


def test_a_relation_that_only_ud_has_needs_no_regular_expression():
    assert arrows(read_label("1=nsubj|obj")) == ["-[nsubj|obj]->"]
    assert arrows(read_label("1=nsubj, 2=pass")) == ["-[=nsubj:pass]->"]
    assert arrows(read_label("1<>nsubj")) == ["-[^nsubj]->"]
    assert arrows(read_label("1=nsubj|conj")) == ["-[nsubj|conj|/conj@.+/]->"]


@pytest.mark.parametrize("content", ['1=re"a:b"', "1=/[!-z]+/", r"1=/\p{P}/", '2=re"a@b"', '1="a:b"', '2<>"a@b"'])
def test_a_value_with_a_separator_of_parts_is_refused(content):
    with pytest.raises(NoEquivalentError, match="ends the part"):
        arrows(read_label(content))


def test_a_deep_part_may_contain_a_separator():
    assert arrows(read_label('deep=re"a[:@].*"')) == ["-[/[^:@]+(:[^@]+)?@(a[:@].*)/]->"]


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "=", "<>"])
def test_the_ranges_of_an_operator_contain_the_numbers_that_satisfy_it(op: str) -> None:
    python_op = {"=": "==", "<>": "!="}.get(op, op)
    for number in range(-3, 4):
        in_ranges = {x for low, high in ranges_of(op, number) for x in range(max(low, -9), min(high, 9) + 1)}
        assert in_ranges == {x for x in range(-9, 10) if eval(f"{x} {python_op} {number}")}


@pytest.mark.parametrize("op", ["!=", "==", ""])
def test_an_unknown_operator_is_not_taken_for_another(op: str) -> None:
    with pytest.raises(ValueError, match="unknown operator"):
        ranges_of(op, 1)
