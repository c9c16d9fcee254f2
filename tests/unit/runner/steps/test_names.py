"""The names of texts, and titles of steps in the words of users."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.steps.names import SPLIT_TITLES, TextName, activity_of, title_of

CONDITIONS = st.from_regex(r"\A[a-z][a-z0-9._-]{0,9}\Z").filter(lambda name: name not in SPLIT_TITLES)
DRAWS = st.integers(0, 10**6)
NAMES = st.one_of(
    st.builds(TextName, split=st.sampled_from(sorted(SPLIT_TITLES))),
    st.builds(TextName, CONDITIONS, st.sampled_from(["valid", "test"])),
    st.builds(TextName, CONDITIONS),
    st.builds(TextName, CONDITIONS, seed=DRAWS),
    st.builds(TextName, CONDITIONS, draw=DRAWS),
)


@given(NAMES)
def test_the_name_of_a_text_is_read_as_it_was_written(name: TextName) -> None:
    assert TextName.parse(str(name)) == name


@pytest.mark.parametrize(
    ("step", "title"),
    [
        ("sample", "generating the sample"),
        ("store:train", "importing the training text"),
        ("store:blimp.parses", "importing the parses of blimp"),
        ("edit:c1/seed-2", "editing the corpus of c1 · seed 2"),
        ("edit:c1/valid", "editing the validation text of c1"),
        ("units:c1", "reading the injected text of c1"),
        ("corpus:c1/draw-3", "making the corpus of c1 · draw 3"),
        ("tokens:test", "encoding the test text"),
        ("suite:c1/ratings", "reading ratings for c1"),
        ("unigram:full/seed-1/blimp", "scoring full · seed 1 · unigram on blimp"),
        ("state:full/m/1@step-50", "training full · m · seed 1 up to step 50"),
        ("train:placebo/m/draw-3", "training placebo · m · draw 3"),
        ("score:npi-only/lstm-128/1/blimp", "scoring npi-only · lstm-128 · seed 1 on blimp"),
    ],
)
def test_a_step_is_named_in_words_of_users(step: str, title: str) -> None:
    assert title_of(step) == title


def test_the_status_of_a_cell_does_not_repeat_its_name() -> None:
    steps = ("train:c/m/1", "perplexity:c/m/1", "score:c/m/1/blimp")
    assert [activity_of(step) for step in steps] == ["training", "measuring the perplexity", "scoring blimp"]
