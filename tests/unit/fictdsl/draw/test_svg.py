"""Arc diagrams: valid XML whatever the corpus holds, nothing on top of anything else, everything said in words too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from fictdsl.draw.svg import LABEL_SIZE, Entry, Section, diagram, ems, marked, page, svg
from fictdsl.draw.tree import Token, Tree, Word

SVG = "{http://www.w3.org/2000/svg}"
DOGS = [
    Word(1, "big", "ADJ", 2, "amod", True),
    Word(2, "dogs", "NOUN", 3, "nsubj", True),
    Word(3, "bark", "VERB", 0, "root", False),
    Word(4, "!", "PUNCT", 3, "punct", False),
]


def with_heads(heads: Sequence[int], labels: dict[int, str] | None = None) -> Tree:
    return Tree([Word(n, f"w{n}", "X", head, "nsubj:pass", True) for n, head in enumerate(heads, 1)], labels or {})


def test_a_drawing() -> None:
    root = ElementTree.fromstring(svg(Tree(DOGS, {2: "S", 3: "V"}), "<A & B>"))
    texts = {kind: [t.text for t in root.iter(f"{SVG}text") if t.get("class") == kind] for kind in ("tag", "name")}
    assert texts == {"tag": ["ADJ", "NOUN", "VERB", "PUNCT"], "name": ["S", "V"]}
    assert [t.text for t in root.iter(f"{SVG}text") if "form" in t.get("class", "")] == ["big", "dogs", "bark", "!"]
    assert [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "label bound"] == ["nsubj"]
    assert root.findtext(f"{SVG}title") == "<A & B>"
    assert root.findtext(f"{SVG}desc") == (
        "S is dogs (2); V is bark (3); 1 big: ADJ, amod of 2 dogs; 2 dogs: NOUN, nsubj of 3 bark; "
        "3 bark: VERB, root; 4 !: PUNCT, punct of 3 bark"
    )
    assert len([r for r in root.iter(f"{SVG}rect") if r.get("class") == "box"]) == 2


@given(st.lists(st.text(max_size=8), min_size=1, max_size=6))
def test_any_text_makes_valid_markup(forms: list[str]) -> None:
    words = [Word(n, form, form, n - 1, form, True) for n, form in enumerate(forms, 1)]
    ElementTree.fromstring(svg(Tree(words, {1: "A"})))
    whole = page("p", [Section("p", "".join(forms), "x<y", "1", [Entry(forms[0], [Tree(words, {1: "A"})])])])
    assert "<script" not in whole.lower() or "&lt;" in whole


@given(st.lists(st.integers(0, 14), min_size=1, max_size=14))
def test_words_and_labels_have_room_of_their_own(heads: list[int]) -> None:
    plan = diagram(with_heads(heads, {1: "Name", len(heads): "Other"}))
    for left, right in pairwise(plan.words):
        assert left.middle + left.width / 2 < right.middle - right.width / 2
    for one, other in combinations([arc for arc in plan.arcs if arc.start != arc.end], 2):
        if one.level == other.level:
            first, second = sorted([sorted((one.start, one.end)), sorted((other.start, other.end))])
            assert first[1] <= second[0]
    for arc in plan.arcs:
        assert arc.start == arc.end or abs(arc.start - arc.end) >= ems(arc.label) * LABEL_SIZE


def test_an_arc_is_above_all_that_it_spans() -> None:
    plan = diagram(with_heads([2, 5, 2, 3, 0, 7, 5]))
    levels = {(arc.start, arc.end): arc.level for arc in plan.arcs}
    for (a, b), level in levels.items():
        for (c, d), other in levels.items():
            if a != b and c != d and min(a, b) < min(c, d) and max(c, d) < max(a, b):
                assert level > other


@given(st.lists(st.integers(0, 20), min_size=1, max_size=20))
def test_a_level_is_the_lowest_that_is_free_above_what_it_spans(heads: list[int]) -> None:
    tree = with_heads(heads)
    ids = {round(spot.middle, 6): number for number, spot in enumerate(diagram(tree).words)}
    arcs = [(*sorted((number, head - 1)), number) for number, head in enumerate(tree.heads()) if head]
    expected: dict[int, int] = {}
    for first, last, number in sorted(arcs, key=lambda arc: (arc[1] - arc[0], arc)):
        below = [level for a, b, other in arcs if first <= a and b <= last and (level := expected.get(other))]
        taken = {expected.get(other) for a, b, other in arcs if a < last and first < b}
        expected[number] = next(level for level in range(1 + max(below, default=0), 99) if level not in taken)
    drawn = {ids[round(arc.end, 6)]: arc.level for arc in diagram(tree).arcs if arc.start != arc.end}
    assert drawn == expected


def test_right_to_left() -> None:
    words = [Word(1, "הילד", "NOUN", 2, "nsubj", True), Word(2, "אכל", "VERB", 0, "root", True)]
    first, second = diagram(Tree(words)).words
    assert first.middle > second.middle


def test_a_contraction_on_a_page_is_one_token_unless_a_word_of_it_is_bound() -> None:
    im = Token("im", 2, 3)
    words = [
        Word(1, "geht", "VERB", 0, "root", True),
        Word(2, "in", "ADP", 4, "case", False, im),
        Word(3, "dem", "DET", 4, "det", True, im),
        Word(4, "Wald", "NOUN", 1, "obl", False),
    ]
    assert marked(Tree(words)) == "<bdi>geht im Wald</bdi>"
    assert marked(Tree(words, {2: "P"})) == "<bdi>geht <mark>in<sub>P</sub></mark>·dem Wald</bdi>"
    assert marked(Tree(words, {3: "D"})) == "<bdi>geht in·<mark>dem<sub>D</sub></mark> Wald</bdi>"


def test_a_page() -> None:
    section = Section("<f>", "about & so", "filter f {}", "3 sentences", [Entry("a:1", [Tree(DOGS, {2: "S", 3: "V"})])])
    whole = page("<f>", [section])
    assert "<h1>&lt;f&gt;</h1>" in whole
    assert "<bdi>big <mark>dogs<sub>S</sub></mark> <mark>bark<sub>V</sub></mark>!</bdi>" in whole
    assert "filter f {}" in whole
    assert "<script" not in whole
    assert "http" not in whole.replace("http://www.w3.org", "")
