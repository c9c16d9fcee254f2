"""Text from which words were taken is spelt right: on generated sentences, and on every sentence of two treebanks.

What is right is derived from the characters of `# text`, in `tests.support.spelling`, and stated again in words:

- the output without mask strings is a subsequence of the original text: nothing is added but spaces and masks;
- every surface token of which no word is taken stands there unchanged and in order, every other one is gone, so that
  a multiword token is whole or gone;
- between two tokens that were neighbours the text has what it had; between two that become neighbours it has one
  space if any white space stood between them, and nothing if none did. So nothing is glued that did not touch
  or have only words without spaces between it, and nothing is parted that was not;
- a mask string has the white space before its first and after its last token; what stands inside the run is gone;
- there is no double space and no space at an end that was not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.compiler import compile_text
from runner.corpus.actions import edit_sentences
from runner.corpus.import_conllu import import_files
from runner.corpus.store import Store
from runner.corpus.surface import REMOVE, Change, Replace, ReplaceByTag, Surface, Tag, Token, rewrite
from tests.support.spelling import Tree, is_subsequence, marked, masked, tagged, trees, without

MASK = "<mask>"
COLUMNS: dict[Tag, int] = {"upos": 3, "xpos": 4, "deprel": 7}


# --- generated sentences --------------------------------------------------------------------------------


@st.composite
def spelt(draw: st.DrawFn) -> Tree:
    forms = draw(
        st.lists(st.sampled_from(["a", "dog", "can't", "gonna", ",", "“", "-", "\u0301"]), min_size=1, max_size=8)
    )
    text, tokens, words = "", [], 0
    for form in forms:
        text += draw(st.sampled_from(["", " ", " ", "\u00a0"])) if text else ""
        text += form
        last = words + draw(st.sampled_from([1, 1, 1, 2, 3]))
        tokens.append((form, words + 1, last))
        words = last
    rows = tuple(("", "", "", f"U{n}", "_", "", "", f"d{n}") for n in range(words))
    return Tree(text, tuple(tokens), rows)


def surface(tree: Tree) -> Surface:
    place, gaps = 0, []
    for form, _, _ in tree.tokens:
        start = tree.text.index(form, place)
        gaps.append(tree.text[place:start])
        place = start + len(form)
    return Surface(tuple(Token(*token) for token in tree.tokens), (*gaps, ""), tree.words)


@given(spelt(), st.data())
def test_generated_sentences(tree: Tree, data: st.DataObject) -> None:
    some = st.sets(st.integers(1, len(tree.words)), max_size=6)
    removed, put = data.draw(some), data.draw(some)
    changes: dict[int, set[Change]] = {word: set() for word in removed | put}
    for word in removed:
        changes[word].add(REMOVE)
    for word in put:
        changes[word].add(Replace(MASK))
    left = rewrite(surface(tree), changes)
    assert (left or "") == masked(without(marked(tree, removed, put)), MASK)
    assert (left is None) == all(removed & set(range(first, last + 1)) for _, first, last in tree.tokens)
    for name, column in COLUMNS.items():
        assert rewrite(surface(tree), {word: {ReplaceByTag(name)} for word in put}) == tagged(tree, put, column)


# --- treebanks ------------------------------------------------------------------------------------------


def relative_clauses(tree: Tree) -> set[int]:
    tops = (n for n, word in enumerate(tree.words, 1) if word[7] == "acl:relcl" or word[7].startswith("acl:relcl:"))
    return {word for top in tops for word in tree.subtree(top)}


def pp_modifiers(tree: Tree) -> set[int]:
    cased = {int(word[6]) for word in tree.words if word[7].split(":")[0] == "case"}
    tops = (n for n in cased if tree.words[n - 1][7].split(":")[0] in {"nmod", "obl"})
    return {word for top in tops for word in tree.subtree(top)}


def adjectives(tree: Tree) -> set[int]:
    return {n for n, upos in enumerate(tree.column(3), 1) if upos == "ADJ"}


def negations(tree: Tree) -> set[int]:
    """Most of these are a part of a multiword token: `can't`."""
    return {n for n, lemma in enumerate(tree.column(2), 1) if lemma == "not"}


def auxiliaries(tree: Tree) -> set[int]:
    """Among these are `ca` of `can't` and the `'m` of `I'm`."""
    return {n for n, upos in enumerate(tree.column(3), 1) if upos == "AUX"}


CONSTRUCTIONS: dict[str, tuple[str, str, Callable[[Tree], set[int]]]] = {
    "relative clauses": ("N -[acl:relcl]-> R", "subtree(R)", relative_clauses),
    "PP modifiers": ("N -[nmod|obl]-> M -[case]-> P", "subtree(M)", pp_modifiers),
    "adjectives": ("A:ADJ", "node(A)", adjectives),
    "negations": ("N[lemma = not]", "node(N)", negations),
    "auxiliaries": ("A:AUX", "node(A)", auxiliaries),
}


@pytest.fixture(scope="module", params=["ud-ewt", "ud-childes"])
def treebank(
    request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Store, list[Tree]]:
    files = sorted((data / request.param).glob("*.conllu"))
    store = import_files(files, tmp_path_factory.mktemp(request.param) / "store")
    return store, [tree for file in files for tree in trees(file)]


def left_of(store: Store, *filters: tuple[str, str]) -> Iterator[str | None]:
    """The texts after filters of these matches and actions."""
    items = [f"filter f{number} {{ match {{ {match} }} {action} }}" for number, (match, action) in enumerate(filters)]
    compilation = compile_text("\n".join(["fict 1", *items]))
    assert not compilation.errors, compilation.errors
    return (sentence.text for sentence in edit_sentences(store, compilation.filters))


def check(tree: Tree, left: str | None, removed: Collection[int], put: Collection[int]) -> None:
    """What is right, as the head of this file says it; and that it is the one text of which all this is true."""
    if not removed and not put:
        assert left == tree.text
        return
    expected = masked(without(marked(tree, removed, put)), MASK)
    assert (left or "") == expected, tree.text
    unmasked = expected.replace(MASK, "")
    kept = [form for form, first, last in tree.tokens if not {*removed, *put} & set(range(first, last + 1))]
    assert "".join(unmasked.split()) == "".join("".join(kept).split())
    assert is_subsequence(*(re.sub(r"\s", " ", text) for text in (unmasked, tree.text)))
    assert expected == expected.strip()
    assert "  " not in expected or "  " in tree.text


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_treebanks(construction: str, treebank: tuple[Store, list[Tree]]) -> None:
    store, sentences = treebank
    match, target, words_of = CONSTRUCTIONS[construction]
    taken = [words_of(tree) for tree in sentences]
    assert sum(map(bool, taken)) > 500
    outputs = [left_of(store, (match, action)) for action in (f"remove {target}", f"mask {target}")]
    for tree, words, removed, put in zip(sentences, taken, *outputs, strict=True):
        check(tree, removed, words, ())
        check(tree, put, (), words)
    for name, column in COLUMNS.items():
        tags = left_of(store, (match, f"mask {target} with {name}"))
        for tree, words, text in zip(sentences, taken, tags, strict=True):
            assert text == tagged(tree, words, column)


@pytest.mark.shared
@pytest.mark.slow
def test_several_filters_at_once(treebank: tuple[Store, list[Tree]]) -> None:
    store, sentences = treebank
    removing, masking = ("adjectives", "negations"), ("relative clauses", "PP modifiers")
    filters = [(CONSTRUCTIONS[name][0], f"remove {CONSTRUCTIONS[name][1]}") for name in removing]
    filters += [(CONSTRUCTIONS[name][0], f"mask {CONSTRUCTIONS[name][1]}") for name in masking]
    for tree, left in zip(sentences, left_of(store, *filters), strict=True):
        removed, put = (set().union(*(CONSTRUCTIONS[name][2](tree) for name in names)) for names in (removing, masking))
        check(tree, left, removed, put)
