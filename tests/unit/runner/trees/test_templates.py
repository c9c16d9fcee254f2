"""Sentences of a small language, read by its templates: their trees, and what has none or several."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.trees.blimp import Reader
from runner.trees.templates import Templates, read_templates
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
    for derivation in reader.derivations(symbol, sentence):
        rows = [line.split("\t") for line in reader.lines(sentence, derivation)]
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
    [derivation] = reader.derivations("asked", sentence)
    rows = [line.split("\t") for line in reader.lines(sentence, derivation)]
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
    assert [token.words for token in tokens("Can't boys' won't.")] == [("Ca", "n't"), ("boys", "'"), ("wo", "n't"), (".",)]


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
    other = Reader(templates(folder, text=TEMPLATES + "told -> *same\nsame -> *asked\n"), Vocabulary(vocabulary(folder)))
    assert len(trees(other, "Who does the zorp quib?", "same")) == 1


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
Phrase = tuple[tuple[int, ...], int, int, Arcs]  # tags, head word (-1 for the gap), cost, arcs (dependent, head, relation)


def phrases(small: Templates, symbol: str, chosen: dict[str, list[int]]) -> Iterator[Phrase]:
    """Yield all that a symbol may be, with the tags of `chosen` only."""
    if symbol == "_":
        yield (), -1, 0, frozenset()
    for tag in chosen.get(symbol, ()):
        yield (tag,), 0, small.tags[tag].cost, frozenset()
    for rule in small.rules.get(symbol, ()):
        for parts in product(*(list(phrases(small, element.symbol, chosen)) for element in rule.elements)):
            tags: tuple[int, ...] = ()
            arcs: set[tuple[int, int, str]] = set()
            heads = []
            for part_tags, head, _, part_arcs in parts:
                moved = [word + len(tags) if word >= 0 else -1 for word in (head, *(w for arc in part_arcs for w in arc[:2]))]
                arcs |= {(moved[2 * n + 1], moved[2 * n + 2], arc[2]) for n, arc in enumerate(part_arcs)}
                heads.append(moved[0])
                tags += part_tags
            names = [element.relation for element in rule.elements]
            main = heads[names.index("*")]
            arcs |= {(head, main, name) for head, name in zip(heads, names, strict=True) if name not in ("*", "gap")}
            if "gap" in names:
                filler = heads[names.index("gap")]
                arcs = {tuple(filler if word == -1 else word for word in arc) for arc in arcs}
            yield tags, main, rule.cost + sum(part[2] for part in parts), frozenset(arcs)


def language(small: Templates) -> dict[tuple[str, ...], set[tuple[object, ...]]]:
    """Return the trees of the lowest cost of each sentence without possessors, by its words."""
    forms = {}
    for number, tag in enumerate(small.tags):
        words = {"noun": "zorp" if "sg=1" in tag.query else "zorps", "v": "put", "p": None}
        kind = "noun" if tag.symbol.startswith("NOUN") else "v" if tag.symbol.endswith("v]") else None
        form = next(iter(tag.words)) if tag.words else words.get(kind) if kind else None
        if form == "put" and ("3sg=1" in tag.query or "bare=1" in tag.query):
            form = "puts" if "3sg=1" in tag.query else "quib"
        if form is not None and tag.symbol not in ("POS", "SAND", "AT"):
            forms[number] = form
    chosen: dict[str, list[int]] = {}
    for number in forms:
        chosen.setdefault(small.tags[number].symbol, []).append(number)
    cheapest: dict[tuple[str, ...], tuple[int, set[tuple[object, ...]]]] = {}
    for tags, head, cost, arcs in phrases(small, "both", chosen):
        words = tuple(forms[tag] for tag in tags)
        columns = tuple((small.tags[tag].xpos, small.tags[tag].feats) for tag in tags)
        tree = (columns, head, arcs)
        best, found = cheapest.get(words, (cost, set()))
        if cost <= best:
            cheapest[words] = (cost, {tree} if cost < best else found | {tree})
    return {words: found for words, (_, found) in cheapest.items()}


@pytest.fixture(scope="module")
def sentences(small: Templates) -> list[tuple[tuple[str, ...], set[tuple[object, ...]]]]:
    return sorted(language(small).items(), key=lambda item: item[0])


def test_every_sentence_has_the_trees_of_its_rules(reader, small, sentences):
    assert len(sentences) > 500
    for words, expected in sentences:
        sentence = tokens(" ".join(words))
        found = set()
        for derivation in reader.derivations("both", sentence):
            columns = tuple((small.tags[tag].xpos, small.tags[tag].feats) for tag in derivation.tags)
            arcs = [(n, head - 1, name) for n, (head, name) in enumerate(zip(derivation.heads, derivation.relations, strict=True))]
            [root] = [n for n, head, _ in arcs if head < 0]
            found.add((columns, root, frozenset(arc for arc in arcs if arc[1] >= 0)))
        assert found == expected, " ".join(words)


@given(st.data())
def test_the_lines_of_a_tree_give_back_the_sentence(reader, sentences, data):
    words, _ = data.draw(st.sampled_from(sentences))
    owner = data.draw(st.sampled_from(["", "the zorp's ", "zorps' "]))
    text = f"{owner}{' '.join(words)}" if words[0] in ("zorp", "zorps") else " ".join(words)
    text = text.replace("does n't", "doesn't").replace(" .", ".").replace(" ?", "?")
    sentence = tokens(text[0].upper() + text[1:])
    for derivation in reader.derivations("both", sentence):
        rows = [line.split("\t") for line in reader.lines(sentence, derivation)]
        inside = {str(n) for row in rows if "-" in row[0] for n in range(*map(int, row[0].split("-")))} | {
            row[0].split("-")[1] for row in rows if "-" in row[0]
        }
        shown = [(row[1], row[9]) for row in rows if row[0] not in inside]
        assert "".join(form + ("" if misc == "SpaceAfter=No" else " ") for form, misc in shown).strip() == text[0].upper() + text[1:]
        assert sorted(derivation.heads)[0] == 0 and derivation.heads.count(0) == 1
