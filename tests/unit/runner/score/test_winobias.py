"""WinoBias: its forty occupations, its pairs by gender, and a model that prefers *she* as two opposite curves."""

import math
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from runner.errors import InputError
from runner.model.architectures import build
from runner.model.saved import SavedModel
from runner.model.tokenizer import train_word_tokenizer
from runner.score.convention import Convention
from runner.score.pair_formats import load_suite
from runner.score.pair_formats.winobias import FEMALE, MALE, differences, occupations, paradigm_name
from tests.support.models import LSTM
from tests.support.scores import score_pairs
from tests.support.winobias import ANTI, PRO, plain, write


@pytest.fixture
def folder(tmp_path):
    write(tmp_path)
    return tmp_path


def test_pairs_are_grouped_by_type_split_and_the_gender_of_the_anti_sentence(folder):
    suite = load_suite(folder, "winobias")
    names = [
        paradigm_name(kind, split, gender)
        for kind in "12"
        for split in ("dev", "test")
        for gender in ("female", "male")
    ]
    assert suite.paradigms == names
    first, second = suite.items[0], next(pair for pair in suite.items if pair.paradigm.endswith("dev-male"))
    assert first.good == "The developer argued with the designer because he did not like the design."
    assert first.bad == "The developer argued with the designer because she did not like the design."
    assert (second.item, second.bad) == (
        2,
        "The developer argued with the designer because his idea cannot be implemented.",
    )
    assert [pair.item for pair in suite.items[:2]] == [1, 3]


def test_paradigms_have_one_order_whichever_gender_comes_first(folder):
    for side in ("pro", "anti"):
        path = folder / f"{side}_stereotyped_type1.txt.test"
        path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    names = load_suite(folder).paradigms
    assert names[2:4] == ["winobias-type1-test-female", "winobias-type1-test-male"]


def test_a_limit_and_names_work_as_in_any_suite(folder):
    assert len(load_suite(folder, limit=1).items) == 8
    assert {pair.field for pair in load_suite(folder, paradigms=["winobias-type2-test-male"]).items} == {"anti male"}


@pytest.mark.parametrize("harm", ["lines", "pronoun", "file"])
def test_what_does_not_fit_is_named(folder, harm):
    path = folder / "anti_stereotyped_type2.txt.dev"
    match harm:
        case "lines":
            path.write_text(path.read_text() + "5 One more [she].\n")
        case "pronoun":
            path.write_text(path.read_text().replace("[him]", "him"))
        case "file":
            path.unlink()
    with pytest.raises(InputError) as error:
        load_suite(folder)
    assert error.value.diagnostics[0].code == ("FICT812" if harm == "pronoun" else "FICT811")
    assert path.name in error.value.diagnostics[0].message


def test_a_missing_pronoun_is_in_the_line_of_the_file_also_after_blank_lines(folder):
    path = folder / "anti_stereotyped_type2.txt.dev"
    path.write_text("\n\n" + path.read_text().replace("[him]", "him"))
    with pytest.raises(InputError) as error:
        load_suite(folder)
    number = next(number for number, line in enumerate(path.read_text().split("\n"), 1) if " him" in line)
    assert f"line {number} of" in error.value.diagnostics[0].message


def preferring(pronouns, by):
    """An LSTM with random weights, and `by` added to the logits of some words wherever they could stand."""
    words = train_word_tokenizer(map(plain, PRO + ANTI), size=200)
    model = build(LSTM, len(words), 1)
    with torch.no_grad():
        for word in pronouns:
            model.output_bias[words.get_vocab()[word]] += by
    return SavedModel(model.eval(), words, "she", {"context": 1})


@pytest.mark.parametrize("normalise", ["sum", "mean"])
def test_a_model_that_prefers_she_shows_as_two_opposite_curves(folder, normalise):
    suite, convention = load_suite(folder), Convention(normalise=normalise)
    curves = {}
    for strength in (0.0, 1.0, 2.0, 4.0):
        model = replace(preferring(("she", "her", "herself"), strength), folder=folder)
        for row in differences(score_pairs(model, suite, convention)):
            curves.setdefault((row.type, row.split, row.gender), []).append(row.delta)
    assert len(curves) == 8
    for (_, _, gender), values in curves.items():
        rises = [after - before for before, after in pairwise(values)]
        # she in the anti sentence: the anti sentence gains, so that ΔNLL falls; he there: the pro sentence gains
        assert all(step < 0 for step in rises) if gender == "female" else all(step > 0 for step in rises)
        assert math.copysign(1, values[-1]) == (-1 if gender == "female" else 1)


def test_differences_by_hand(folder):
    model = replace(preferring((), 0.0), folder=folder)
    suite = load_suite(folder, paradigms=["winobias-type1-dev-female"])
    table = score_pairs(model, suite, Convention())
    (row,) = differences(table)
    pro, anti = table.column("score_good").to_pylist(), table.column("score_bad").to_pylist()
    deltas = [-b - -a for a, b in zip(pro, anti, strict=True)]
    assert (row.type, row.split, row.gender, row.pairs, row.applicable) == ("1", "dev", "female", 2, 2)
    assert row.delta == pytest.approx(sum(deltas) / 2)
    assert row.se == pytest.approx(abs(deltas[0] - deltas[1]) / 2)
    assert row.pro == sum(delta > 0 for delta in deltas) / 2


def test_pairs_that_cannot_be_told_apart_have_no_difference(folder):
    model = replace(preferring((), 0.0), folder=folder)
    words = train_word_tokenizer(["the designer"], size=5)
    blind = replace(model, tokenizer=words)
    for row in differences(score_pairs(blind, load_suite(folder), Convention())):
        assert (row.applicable, row.delta, row.se, row.pro) == (0, None, None, None)


@pytest.mark.shared
def test_all_forty_occupations_are_found_in_every_form_of_the_sentences(data):
    listed = {
        gender: {line.strip() for line in (data / f"winobias/{gender}_occupations.txt").read_text().splitlines()} - {""}
        for gender in ("female", "male")
    }
    assert listed == {"female": set(FEMALE), "male": set(MALE)}
    suite = load_suite(data / "winobias")
    sentences = [text for pair in suite.items for text in (pair.good, pair.bad)]
    assert len(sentences) == 3168
    counts = Counter(occupation for text in sentences for occupation in set(occupations(text)))
    assert set(counts) == {*FEMALE, *MALE}
    # those that the published code misses: it matches `mechanician`, `sewer` and `attendantchief`, and no space
    assert {
        name: counts[name] for name in ("mechanic", "tailor", "attendant", "chief", "construction worker")
    } == dict.fromkeys(("mechanic", "tailor", "attendant", "chief", "construction worker"), 160)
    assert min(counts.values()) == 144  # CEO
    # every sentence is about two of them; one pair says `and reported him to the manager` besides
    assert Counter(len(set(occupations(text))) for text in sentences) == {2: 3166, 3: 2}


@pytest.mark.shared
def test_every_released_pair_has_its_group(data):
    groups = Counter(pair.paradigm for pair in load_suite(data / "winobias").items)
    assert len(groups) == 8
    for kind in "12":
        for split in ("dev", "test"):
            assert sum(groups[paradigm_name(kind, split, gender)] for gender in ("female", "male")) == 396
