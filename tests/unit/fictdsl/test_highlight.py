import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, Punctuation, String, Whitespace

from fictdsl.highlight import FictLexer
from fictdsl.installation import shipped
from tests.editors.test_grammar import EVERYTHING

SHIPPED = sorted(shipped("filters").rglob("*.fict"))


def coloured(text: str) -> dict[str, set]:
    """Each piece of a text, with what it is."""
    found: dict[str, set] = {}
    for kind, piece in FictLexer().get_tokens(text):
        found.setdefault(piece, set()).add(kind)
    return found


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_token_of_a_shipped_filter_is_an_error(path):
    text = path.read_text(encoding="utf-8")
    tokens = list(FictLexer().get_tokens(text))
    assert "".join(piece for _, piece in tokens) == text.rstrip("\n") + "\n"
    assert [piece for kind, piece in tokens if kind is Error] == []


def test_every_kind_of_token_is_coloured_as_what_it_is():
    found = coloured(EVERYTHING)
    for piece, kind in {
        "# a comment": Comment.Single,
        "fict": Keyword.Declaration,
        "f-one": Name.Class,
        "p": Name.Function,
        "words": Name.Constant,
        "@words": Name.Constant,
        '"b c"': String.Double,
        "/a.*b/i": String.Regex,
        "$n": Name.Variable.Instance,
        "blimp/passive_1": Name.Entity,
        "without": Keyword,
        "VERB|AUX": Name.Builtin,
        "obj:x": Name.Tag,
        "lemma": Name.Attribute,
        "Tense": Name.Attribute,
        "psor": Name.Attribute,
        "nsubj:pass": Literal,
        "have": Literal,
        "has": Operator.Word,
        "->>": Operator,
        "1": Number,
        "{": Punctuation,
        "A": Name.Variable,
        "\n": Whitespace,
    }.items():
        assert kind in found[piece], piece
    assert Error not in {kind for kinds in found.values() for kind in kinds}


def test_what_no_file_may_hold_is_an_error():
    assert Error in coloured("fict 1\nfilter f { match { A && B } }\n")["&"]


def test_pygments_finds_it():
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["pygments.lexers"]["fict"].partition(":")
    assert getattr(import_module(module), name) is FictLexer
    assert (FictLexer.aliases, FictLexer.filenames) == (["fict"], ["*.fict"])


@pytest.mark.parametrize("word", ['"x"', "$p"])
def test_the_verb_of_an_insertion_is_a_keyword(word):
    tokens = coloured(f"rewrite r for p in {{a}} {{ match {{ X }} insert {word} as det of X before node(X) }}")
    assert tokens["insert"] == {Keyword}
