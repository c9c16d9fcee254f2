"""What is left of a sentence, worked out by hand: runs, gaps, multiword tokens, tags."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from runner.corpus.surface import REMOVE, Change, ClashError, Replace, ReplaceByTag, Surface, Token, rewrite

MASK = Replace("<mask>")


def spelt(text: str) -> Surface:
    """A sentence from `form/TAG` parts: `+` joins the words of a multiword token, `|` stands for a gap without space.

    `can't/AUX+PART` are two words. A word without a tag has `_`.
    """
    tokens: list[Token] = []
    rows: list[list[str]] = []
    gaps = [""]
    for number, part in enumerate(parts := text.replace("|", " | ").split()):
        if part == "|":
            continue
        form, _, tags = part.partition("/")
        words = (tags or "_").split("+")
        tokens.append(Token(form, len(rows) + 1, len(rows) + len(words)))
        rows += [["", "", "", tag, f"x{tag}", "", "", f"d{tag}"] for tag in words]
        gaps.append("" if number + 1 == len(parts) or parts[number + 1] == "|" else " ")
    return Surface(tuple(tokens), tuple(gaps), tuple(rows))


def after(text: str, **changes: Iterable[int]) -> str | None:
    kinds: dict[str, Change] = {"remove": REMOVE, "mask": MASK, "other": Replace("[X]"), "nothing": Replace("")}
    kinds |= {"upos": ReplaceByTag("upos"), "xpos": ReplaceByTag("xpos"), "deprel": ReplaceByTag("deprel")}
    found: dict[int, set[Change]] = {}
    for kind, words in changes.items():
        for word in words:
            found.setdefault(word, set()).add(kinds[kind])
    return rewrite(spelt(text), found)


def test_a_sentence_of_which_nothing_is_taken_is_as_it_was() -> None:
    assert after("“|Dogs|”|, he said|.") == "“Dogs”, he said."


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("The dog that barked ran|.", [3, 4], "The dog ran."),
        ("The dog ran|.", [1], "dog ran."),  # at the start
        ("The dog ran|.", [3], "The dog ."),  # one of the two gaps had a space
        ("The dog ran|.", [4], "The dog ran"),  # at the end
        ("The dog|, I think|, ran|.", [3, 4, 5, 6], "The dog ran."),  # commas go with the phrase
        ("The dog|, I think|, ran|.", [4, 5], "The dog, , ran."),  # or stay
        ("A|-|B", [2], "AB"),  # no gap had a space
        ("“|Well|,|” he said|.", [2, 3], "“” he said."),
        ("“|Well|,|” he said|.", [1, 2, 3, 4], "he said."),
        ("(|see above|) Dogs bark|.", [1, 2, 3, 4], "Dogs bark."),
        ("Dogs bark (|a lot|)|.", [3, 4, 5, 6], "Dogs bark ."),
        ("the cat|'s tail", [3], "the cat tail"),  # a clitic that is a word of its own
        ("the cat|'s tail", [1, 2], "'s tail"),
        ("Dogs bark", [1, 2], None),
        ("Stop|!", [1], "!"),
    ],
)
def test_removal(text: str, words: list[int], left: str | None) -> None:
    assert after(text, remove=words) == left


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("The dog that barked ran|.", [3, 4], "The dog <mask> ran."),
        ("The dog ran|.", [1], "<mask> dog ran."),
        ("The dog ran|.", [3], "The dog <mask>."),
        ("The dog ran|.", [3, 4], "The dog <mask>"),
        ("The dog|, I think|, ran|.", [3, 4, 5, 6], "The dog<mask> ran."),  # the comma stood at the dog
        ("The dog|, I think|, ran|.", [4, 5], "The dog, <mask>, ran."),
        ("“|Dogs|”|!", [2], "“<mask>”!"),
        ("the cat|'s tail", [3], "the cat<mask> tail"),
        ("Dogs and cats", [1, 3], "<mask> and <mask>"),
        ("Dogs bark", [1, 2], "<mask>"),
    ],
)
def test_masks(text: str, words: list[int], left: str) -> None:
    assert after(text, mask=words) == left


@pytest.mark.parametrize(
    ("text", "words", "masked", "removed"),
    [
        ("I can't/AUX+PART swim", [2], "I <mask> swim", "I swim"),
        ("I can't/AUX+PART swim", [3], "I <mask> swim", "I swim"),
        ("I can't/AUX+PART swim", [2, 3], "I <mask> swim", "I swim"),
        ("I can't/AUX+PART swim", [3, 4], "I <mask>", "I"),
        ("Don't/AUX+PART go|.", [2], "<mask> go.", "go."),
        ("No|, I don't/AUX+PART|.", [5], "No, I <mask>.", "No, I ."),
        ("I'm/PRON+AUX gonna/VERB+PART go", [2], "<mask> gonna go", "gonna go"),
        ("I'm/PRON+AUX gonna/VERB+PART go", [3], "I'm <mask> go", "I'm go"),
        ("I'm/PRON+AUX gonna/VERB+PART go", [2, 4], "<mask> go", "go"),
        ("y'all'd've/PRON+AUX+AUX gone", [2], "<mask> gone", "gone"),
    ],
)
def test_a_multiword_token_is_whole_or_gone(text: str, words: list[int], masked: str, removed: str) -> None:
    assert after(text, mask=words) == masked
    assert after(text, remove=words) == removed


def test_removal_beats_masking() -> None:
    assert after("a b c d", mask=[2, 3], remove=[3]) == "a <mask> d"
    assert after("I can't/AUX+PART swim", mask=[2], remove=[3]) == "I swim"
    assert after("a b c", mask=[2], other=[2], remove=[2]) == "a c"


def test_touching_runs_become_one() -> None:
    assert after("a b|c d", mask=[2, 3]) == "a <mask> d"
    assert after("a b c|, d e", mask=[2, 3, 4, 5]) == "a <mask> e"
    assert after("a b c d e", mask=[2, 4], remove=[3]) == "a <mask> e"  # they touch in what is left
    assert after("a b c d e", mask=[2, 4]) == "a <mask> c <mask> e"


def test_different_strings_stay_apart() -> None:
    assert after("a b c d", mask=[2], other=[3]) == "a <mask> [X] d"
    assert after("a b|c d", mask=[2], other=[3]) == "a <mask>[X] d"
    assert after("a b c d", mask=[2], upos=[3]) == "a <mask> _ d"


@pytest.mark.parametrize(
    ("kind", "left"), [("upos", "the NOUN _"), ("xpos", "the xNOUN x_"), ("deprel", "the dNOUN d_")]
)
def test_a_tag_for_each_word(kind: str, left: str) -> None:
    assert after("the dog/NOUN barked", **{kind: [2, 3]}) == left


def test_tags_keep_the_spacing_of_their_words() -> None:
    assert after("“|Dogs/NOUN|” bark/VERB|./PUNCT", upos=[2, 4]) == "“NOUN” VERB."
    assert after("Dogs/NOUN bark/VERB|./PUNCT", upos=[1, 2, 3]) == "NOUN VERBPUNCT"
    assert after("I can't/AUX+PART|.", upos=[3]) == "I AUX PART."
    assert after("Gonna/VERB+PART go", deprel=[1]) == "dVERB dPART go"


def test_an_empty_string_leaves_nothing() -> None:
    assert after("a b c|.", nothing=[2]) == "a c."
    assert after("a b", nothing=[1, 2]) is None


def test_two_replacements_for_one_word() -> None:
    with pytest.raises(ClashError) as clash:
        after("a b c", mask=[2, 3], other=[3])
    assert (clash.value.token.form, clash.value.changes) == ("c", {MASK, Replace("[X]")})
    with pytest.raises(ClashError, match="can't"):
        after("I can't/AUX+PART swim", upos=[2], xpos=[3])


def test_the_ends_of_a_text_stay_as_they_are() -> None:
    padded = Surface((Token("a", 1, 1), Token("b", 2, 2)), (" ", "  ", "\u00a0"), ([], []))
    assert rewrite(padded, {}) == " a  b\u00a0"
    assert rewrite(padded, {1: {REMOVE}}) == " b\u00a0"
    assert rewrite(padded, {2: {REMOVE}}) == " a\u00a0"
    assert rewrite(padded, {2: {MASK}}) == " a  <mask>\u00a0"
