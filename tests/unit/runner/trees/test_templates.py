"""Sentences of a small language, read by its templates: their trees, and what has none or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.trees.blimp import Reader
from runner.trees.templates import Rule, Tag, Templates, read_templates
from runner.trees.vocabulary import Vocabulary, tokens
from tests.support.small_language import TEMPLATES, templates, vocabulary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("small")


@pytest.fixture(scope="module")
def small(folder: Path) -> Templates:
    return templates(folder)


@pytest.fixture(scope="module")
def reader(folder: Path, small: Templates) -> Reader:
    return Reader(small, Vocabulary(vocabulary(folder)))


def trees(reader: Reader, text: str, symbol: str = "both") -> list[list[str]]:
    """Return, for each derivation, `form/lemma/XPOS:relation>head` of each word."""
    sentence = tokens(text)
    found = []
    for tree in reader.trees(symbol, sentence):
        rows = [line.split("\t") for line in tree.lines(sentence)]
        words = [row for row in rows if "-" not in row[0]]
        forms = ["ROOT", *(row[1] for row in words)]
        found.append([f"{row[1]}/{row[2]}/{row[4]}:{row[7]}>{forms[int(row[6])]}" for row in words])
    return found


def test_a_word_agrees_and_takes_its_arguments(reader):
    assert trees(reader, "The zorp glims at these zorps.") == [
        [
            "The/the/DT:det>zorp",
            "zorp/zorp/NN:nsubj>glims",
            "glims/glim/VBZ:root>ROOT",
            "at/at/IN:case>zorps",
            "these/this/DT:det>zorps",
            "zorps/zorps/NNS:obl>glims",
            "././.:punct>glims",
        ]
    ]


def test_what_is_moved_belongs_where_the_gap_is(reader):
    assert trees(reader, "Who doesn't the sand zorp glim at?") == [
        [
            "Who/who/WP:obl>glim",
            "does/do/VBZ:aux>glim",
            "n't/not/RB:advmod>glim",
            "the/the/DT:det>zorp",
            "sand/sand/NN:compound>zorp",
            "zorp/zorp/NN:nsubj>glim",
            "glim/glim/VB:root>ROOT",
            "at/at/IN:case>Who",
            "?/?/.:punct>glim",
        ]
    ]


def test_words_that_are_written_as_one(reader):
    sentence = tokens("Who doesn't the zorp's zorp quib?")
    [tree] = reader.trees("asked", sentence)
    rows = [line.split("\t") for line in tree.lines(sentence)]
    assert [(row[0], row[1], row[9]) for row in rows] == [
        ("1", "Who", "_"),
        ("2-3", "doesn't", "_"),
        ("2", "does", "_"),
        ("3", "n't", "_"),
        ("4", "the", "_"),
        ("5-6", "zorp's", "_"),
        ("5", "zorp", "_"),
        ("6", "'s", "_"),
        ("7", "zorp", "_"),
        ("8", "quib", "SpaceAfter=No"),
        ("9", "?", "_"),
    ]
    assert [token.words for token in tokens("Can't boys' won't.")] == [
        ("Ca", "n't"),
        ("boys", "'"),
        ("wo", "n't"),
        (".",),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The zorp blips.",  # an unknown word
        "The zorp quibs the.",  # no noun
        "The zorp quib?",  # neither a statement nor a question
        "Who does the zorp quib the zorp?",  # nothing is missing
        "the",
        "",
    ],
)
def test_no_derivation(reader, text):
    assert trees(reader, text) == []


def test_the_cheapest_derivation(reader):
    [agreeing] = trees(reader, "The zorp put the zorps.")
    assert agreeing[2] == "put/put/VBD:root>ROOT"  # a singular subject leaves the past
    [past] = trees(reader, "The zorps put the zorp.")
    assert past[2] == "put/put/VBD:root>ROOT"  # the present costs more
    [wrong] = trees(reader, "The zorp quibs these zorp.")  # only a rule with a cost allows it
    assert wrong[3:5] == ["these/this/DT:det>zorp", "zorp/zorp/NN:obj>quibs"]


def test_several_derivations(folder, small):
    text = TEMPLATES + "told -> obj:NP[N] *VP[N,0] punct:STOP\n"
    other = Reader(templates(folder, text=text), Vocabulary(vocabulary(folder)))
    relations = [tree[1].split(":")[1] for tree in trees(other, "The zorp quibs the zorps.", "told")]
    assert sorted(relations) == ["nsubj>quibs", "obj>quibs"]
    assert len(trees(other, "The zorp quibs the zorps.", "same")) == 2


def test_a_rule_that_says_the_same_twice_has_one_tree(folder):
    text = TEMPLATES + "both -> *same\n"
    other = Reader(templates(folder, text=text), Vocabulary(vocabulary(folder)))
    assert len(trees(other, "Who does the zorp quib?")) == 1


def test_a_gap_that_nothing_fills_is_an_error_of_the_templates(reader):
    with pytest.raises(ValueError, match="nothing fills a gap"):
        trees(reader, "The zorp quibs.", "lost")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("told nsubj:NP[N]", r"mistake.txt:2: `told` begins neither a rule nor a list of words"),
        ("told -> nsubj:NP punct:STOP", r"mistake.txt:2: .* needs one head"),
        ("told -> *NP *STOP", r"mistake.txt:2: .* needs one head"),
        ("told -> *NP STOP", r"mistake.txt:2: `STOP` is not `relation:SYMBOL` or `\*SYMBOL`"),
        ("told -> *MISSING", "told has MISSING, which no template defines"),
    ],
)
def test_mistakes_name_the_line(tmp_path, line, message):
    (tmp_path / "mistake.txt").write_text(f"words NP NOUN NN _ : a\n{line}\n")
    with pytest.raises(ValueError, match=message):
        read_templates(tmp_path / "mistake.txt")


# Every sentence of the small language with its trees, by expanding the rules, as an oracle of the matcher.

Arcs = frozenset[tuple[int, int, str]]
Phrase = tuple[tuple[Tag, ...], int, int, Arcs]  # head word (-1 for the gap), cost, arcs (dependent, head, relation)
FORMS = {"VBZ": "puts", "VBP": "put", "VBD": "put", "VB": "quib", "NN": "zorp", "NNS": "zorps"}


def phrases(small: Templates, symbol: str, tags: Sequence[Tag]) -> Iterator[Phrase]:
    """Yield all that a symbol may be in words of some tags."""
    if symbol == "_":
        yield (), -1, 0, frozenset()
    for tag in tags:
        if tag.symbol == symbol:
            yield (tag,), 0, tag.cost, frozenset()
    for rule in small.rules.get(symbol, ()):
        for parts in product(*(list(phrases(small, element.symbol, tags)) for element in rule.elements)):
            yield joined(rule, parts)


def joined(rule: Rule, parts: Sequence[Phrase]) -> Phrase:
    starts = [sum(len(part[0]) for part in parts[:n]) for n in range(len(parts))]
    heads = [-1 if part[1] < 0 else part[1] + start for part, start in zip(parts, starts, strict=True)]
    arcs = {
        (word if word < 0 else word + start, head if head < 0 else head + start, name)
        for part, start in zip(parts, starts, strict=True)
        for word, head, name in part[3]
    }
    by_relation = [(element.relation, head) for element, head in zip(rule.elements, heads, strict=True)]
    [main] = [head for name, head in by_relation if name == "*"]
    arcs |= {(head, main, name) for name, head in by_relation if name not in ("*", "gap")}
    for name, filler in by_relation:
        if name == "gap":
            arcs = {(filler if word < 0 else word, filler if head < 0 else head, label) for word, head, label in arcs}
    cost = rule.cost + sum(part[2] for part in parts)
    return tuple(tag for part in parts for tag in part[0]), main, cost, frozenset(arcs)


@pytest.fixture(scope="module")
def sentences(small: Templates) -> list[tuple[str, set[tuple[object, ...]]]]:
    """Return each sentence in a few words of the small language with its trees of the lowest cost."""
    kept = [tag for tag in small.tags if tag.symbol not in ("SAND", "HEAD", "AT") and not tag.symbol.endswith("p]")]
    cheapest: dict[str, tuple[int, set[tuple[object, ...]]]] = {}
    for tags, head, cost, arcs in phrases(small, "both", kept):
        words = [next(iter(tag.words)) if tag.words else FORMS[tag.xpos] for tag in tags]
        text = " ".join(words).replace(" n't", "n't").replace(" 's", "'s").replace(" .", ".").replace(" ?", "?")
        tree = tuple((tag.upos, tag.xpos, tag.feats) for tag in tags), head, arcs
        best, found = cheapest.get(text, (cost, set()))
        if cost <= best:
            cheapest[text] = cost, {tree} if cost < best else found | {tree}
    return sorted((text, found) for text, (_, found) in cheapest.items())


def test_every_sentence_has_the_cheapest_trees_of_the_rules(reader, sentences):
    assert len(sentences) > 2_000
    for text, expected in sentences:
        found = set()
        for tree in reader.trees("both", tokens(text)):
            columns = tuple(tuple(each.split("\t")[1:]) for each in tree.columns)
            arcs = enumerate(zip(tree.heads, tree.relations, strict=True))
            relations = frozenset((word, head - 1, name) for word, (head, name) in arcs if head)
            found.add((columns, tree.heads.index(0), relations))
        assert found == expected, text


@given(st.data())
def test_the_lines_of_a_tree_give_back_the_sentence(reader, sentences, data):
    text, _ = data.draw(st.sampled_from(sentences))
    text = text[0].upper() + text[1:]
    sentence = tokens(text)
    for tree in reader.trees("both", sentence):
        rows = [line.split("\t") for line in tree.lines(sentence)]
        within = {int(number) for row in rows if "-" in row[0] for number in row[0].split("-")}
        shown = [(row[1], row[9]) for row in rows if not row[0].isdigit() or int(row[0]) not in within]
        assert "".join(form + (" " if misc == "_" else "") for form, misc in shown).rstrip() == text
        assert tree.heads.count(0) == 1
