"""Each part of a filter is exercised by the sentences that match through it, or that it alone keeps out."""

from __future__ import annotations

import pytest

from fictdsl.branches import part_coverage
from fictdsl.reference.sentences import Sentence
from fictdsl.syntax.load import Module
from fictdsl.syntax.nodes import FilterDef
from tests.support.reading import module, tree

DOGS = tree("dogs NOUN 2 nsubj\nbark VERB 0 root\nloudly ADV 2 advmod")
CATS = tree("she PRON 2 nsubj\nsees VERB 0 root\ncats NOUN 2 obj")
HUSH = tree("hush INTJ 0 root")
B, C = (module(f'fict 1 use "d" pattern in_{name}(S) {{ lonely(S) }}') for name in "bc")


def uses(text: str, *sentences: Sentence, before: str = "", value: str | None = None, **used: str) -> dict[str, int]:
    family = "" if value is None else f"for p in {{{value}, other}}"
    found = module(f"{before} filter it {family} {{ match {{ {text} }} }}", **used)
    definition = next(item for item in found.file.items if isinstance(item, FilterDef))
    parts = part_coverage(found, definition, value, sentences)
    return {f"{part.kind} {part.text}": part.examples for part in parts if part.kind != "filter"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("V:VERB either { V -[obj]-> _ } or { V -[iobj]-> _ }", {"branch { V -[obj]-> _ }": 1, "branch { V -[iobj]-> _ }": 0}),
        ("S[deprel = nsubj|obj|iobj]", {"value deprel = nsubj": 2, "value deprel = obj": 1, "value deprel = iobj": 0}),
        ("S:NOUN|PRON|DET -> _ ", {"value S:NOUN": 0, "value S:PRON": 0, "value S:DET": 0}),
        ("_:NOUN|PRON < V:VERB", {"value _:NOUN": 1, "value _:PRON": 1}),
        ("V -[obj|advmod|=aux]-> _", {"value [obj]": 1, "value [advmod]": 1, "value [=aux]": 0}),
        ("A[form = she or form = it]", {"side form = she": 1, "side form = it": 0}),
        # conditions: only a sentence that they alone keep out exercises them
        ("V:VERB without { V -[obj]-> _ }", {"without without { V -[obj]-> _ }": 1}),
        ("V:VERB without { V -[iobj]-> _ }", {"without without { V -[iobj]-> _ }": 0}),
        ("V:VERB at least 1 X { V -[obj]-> X }", {"count at least 1 X { V -[obj]-> X }": 1}),
        # under a negation, an alternative counts where it keeps something out
        ("V:VERB without { V -[obj|iobj]-> _ }", {"without without { V -[obj|iobj]-> _ }": 1, "value [obj]": 1, "value [iobj]": 0}),
        ("V:VERB  A[upos != VERB, deprel != nsubj|obj|det]", {"value deprel != nsubj": 1, "value deprel != obj": 1, "value deprel != det": 0}),
    ],
)  # fmt: skip
def test_parts(text: str, expected: dict[str, int]) -> None:
    assert uses(text, DOGS, CATS, HUSH) == expected


def test_a_value_counts_only_through_its_own_branch() -> None:
    found = uses("either { A[form = dogs|cows] } or { A:PRON }", DOGS, CATS)
    assert found["value form = dogs"] == 1
    assert found["value form = cows"] == 0


def test_members_of_a_family_and_whole_filters() -> None:
    assert uses("A[form = $p]", DOGS, CATS, value="dogs") == {"member p = dogs": 1}
    assert uses("A[form = $p]", CATS, value="dogs") == {"member p = dogs": 0}
    found = module("filter it { match { A:NOUN } }")
    (definition,) = found.file.items
    assert isinstance(definition, FilterDef)
    (part,) = part_coverage(found, definition, None, [DOGS, HUSH])
    assert (part.kind, part.text, part.examples) == ("filter", "filter it", 1)


def test_a_call_and_the_parts_of_its_pattern() -> None:
    before = (
        "pattern subject(S) { S[deprel = nsubj|csubj]  other(S) } pattern other(S) { either { S:NOUN } or { S:X } }"
    )
    assert uses("V:VERB -> S  subject(S)", DOGS, before=before) == {
        "call subject(S)": 0,
        "value deprel = nsubj": 1,
        "value deprel = csubj": 0,
        "call other(S)": 0,
        "branch { S:NOUN }": 1,
        "branch { S:X }": 0,
    }
    assert (
        uses("V:VERB -> S  subject(S)", tree("go VERB 0 root\nnow ADV 1 advmod"), before=before)["call subject(S)"] == 1
    )


def test_the_pattern_of_another_file_called_twice() -> None:
    shared = "fict 1 pattern is(N) { either { N:NOUN } or { N:PRON } or { N:DET } }"
    text = "either { is(A)  A -[det]-> _ } or { is(B)  B[deprel = nsubj] }"
    found = uses(text, DOGS, CATS, before='use "shared.fict"', **{"shared.fict": shared})
    assert [found[f"branch {{ N:{tag} }}"] for tag in ("NOUN", "PRON", "DET")] == [1, 1, 0]
    assert found["branch { is(A) A -[det]-> _ }"] == 0


@pytest.mark.parametrize("first", ["b", "c"])
def test_the_pattern_of_a_file_that_two_used_files_share(first: str) -> None:
    shared = module("fict 1 pattern lonely(N) { N without { N -[det]-> _ } }")
    paths = {name: Module(used.source, used.file, {"d": shared}) for name, used in (("b", B), ("c", C))}
    order = sorted(paths, reverse=first == "c")
    found = module(
        "".join(f'use "{path}"\n' for path in order) + "filter it { match { S:NOUN in_b(S) in_c(S) } }", b="", c=""
    )
    found.uses.update(paths)
    (definition,) = [item for item in found.file.items if isinstance(item, FilterDef)]
    sentence = tree("the DET 2 det\ndogs NOUN 3 nsubj\nbark VERB 0 root")
    examples = {part.text: part.examples for part in part_coverage(found, definition, None, [sentence])}
    assert examples["without { N -[det]-> _ }"] == 1
