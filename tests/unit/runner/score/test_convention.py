"""Conventions: normalisations by hand, contexts from training, presets as the papers' tools."""

import math
from dataclasses import fields

import pytest

from runner.errors import InputError
from runner.score.convention import CHOICES, CONVENTIONS, Convention, check_fits, context_id, convention_of, normalised
from tests.support.models import tokenizer


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("sum", -12.0),
        ("mean", -3.0),
        ("penlp", -12.0 / (9 / 6) ** 0.8),
        ("slor", (-12.0 + 20.0) / 4),
        ("normlp", -0.6),
    ],
)
def test_normalisations_by_hand(how, expected):
    assert normalised(how, -12.0, 4, -20.0) == pytest.approx(expected, rel=1e-12)
    assert normalised(how, 0.0, 0, -20.0) is None


def test_presets_are_those_of_the_tools():
    assert set(CONVENTIONS) == {"default", "fict", "lm-eval", "babylm"}
    default, fict, harness, babylm = (CONVENTIONS[name] for name in ("default", "fict", "lm-eval", "babylm"))
    assert (default.context, default.first_token, default.ties) == ("as_trained", "scored", "half")
    assert (fict.context, fict.first_token, fict.ties) == ("none", "skipped", "strict")
    assert (harness.context, harness.leading_space, harness.ties) == ("bos", "yes", "argmax")
    assert (babylm.context, babylm.ties) == ("none", "argmax")
    for convention in CONVENTIONS.values():
        assert (convention.normalise, convention.eos, convention.dtype) == ("sum", "skipped", "float32")
        check_fits(convention, masked=False, model_name="m")


class Names:
    """The ids of a tokenizer's special tokens."""

    def __init__(self, bos, eos):
        self.bos_token_id, self.eos_token_id = bos, eos


@pytest.mark.parametrize(
    ("context", "names", "about", "expected"),
    [
        ("none", Names(5, 6), {"context": 1}, None),
        ("bos", Names(5, 6), {"context": 1}, 5),
        ("bos", Names(None, 6), {}, 6),
        ("bos", Names(0, None), {}, 0),
        ("eos", Names(5, 6), {"context": 1}, 6),
        ("as_trained", Names(5, 6), {"context": 1}, 1),
        ("as_trained", Names(5, 6), {"context": None}, None),
        ("as_trained", Names(5, 6), {}, 5),
        ("as_trained", Names(None, 6), {}, 6),
        ("as_trained", Names(None, None), {}, None),
    ],
)
def test_what_stands_before_the_first_word(context, names, about, expected):
    assert context_id(Convention(context=context), names, about, "m") == expected


@pytest.mark.parametrize("context", ["bos", "eos"])
def test_a_missing_token_is_named(context):
    with pytest.raises(InputError) as error:
        context_id(Convention(context=context), Names(None, None), {}, "my-model")
    assert error.value.diagnostics[0].code == "FICT815"
    assert "my-model" in error.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("masked", "given"),
    [
        (True, {"probability": "causal"}),
        (True, {"context": "bos"}),
        (True, {"context": "eos"}),
        (True, {"eos": "scored"}),
        (False, {"probability": "pll"}),
        (False, {"probability": "pll_l2r"}),
    ],
)
def test_what_a_kind_of_model_cannot_do_is_named(masked, given):
    with pytest.raises(InputError) as error:
        convention_of("default", given, masked=masked, model_name="my-model")
    (problem,) = error.value.diagnostics
    assert problem.code == "FICT813"
    assert "my-model" in problem.message
    assert next(f"{name} = {value}" for name, value in given.items()) in problem.message


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_preset_fits_both_kinds_of_model(name):
    assert convention_of(name, {}, masked=False, model_name="m") == CONVENTIONS[name]
    masked = convention_of(name, {}, masked=True, model_name="m")
    assert masked == Convention(probability="pll", ties=CONVENTIONS[name].ties)


def test_fields_are_set_one_by_one_and_nce_is_the_mean():
    found = convention_of("fict", {"normalise": "nce", "ties": "half"}, masked=False, model_name="m")
    assert found == Convention(context="none", first_token="skipped", ties="half", normalise="mean")


def test_every_field_has_its_choices_and_its_default_is_the_first_or_one_of_them():
    assert set(CHOICES) == {field.name for field in fields(Convention)}
    for name, values in CHOICES.items():
        assert getattr(Convention(), name) in values
        assert len(values) > 1


def test_our_tokenizer_has_a_separator_and_no_bos():
    assert context_id(Convention(context="bos"), tokenizer(), {}, "m") == 1
    assert math.isfinite(normalised("sum", -1.0, 1, None))
