"""Perturbed conditions: their texts and encoded rows, the other texts that follow, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from runner.corpus.sentence_arrays import read_lines
from runner.corpus.sentence_texts import conllu_blocks
from runner.errors import InputError
from runner.execute.collect import _condition
from runner.execute.export import corpus_of
from runner.execute.warnings import stats_of
from runner.model.saved import load_tokenizer
from runner.model.token_rows import TokenFile
from runner.steps.names import TextName
from runner.steps.variants import condition_facts
from tests.support.experiments import planned, prepared
from tests.unit.runner.execute.test_corpora import BASE, PP, array, lines, manifest

BPE = BASE.replace("[tokenizer]\nsize = 300", '[tokenizer]\nkind = "bpe"\nsize = 300')


def perturb(settings: str) -> str:
    return f"perturb = {{ {settings} }}"


def words_of(store) -> list[list[str]]:
    blocks = (block.split("\n") for block in conllu_blocks(store))
    return [[line.split("\t")[1] for line in rows if line.partition("\t")[0].isdecimal()] for rows in blocks]


def encoded(made, name: str) -> list[list[int]]:
    file = TokenFile.open(made.tokens(TextName.parse(name)))
    return [file.sentence(row).tolist() for row in range(file.sentences)]


def shuffled(row: list, seed: int) -> list:
    places = list(range(len(row)))
    np.random.default_rng(seed).shuffle(places)
    return [row[place] for place in places]


def test_words_are_permuted_before_encoding_and_the_other_texts_when_asked(tmp_path) -> None:
    settings = 'kind = "shuffle-by-length", seed = 4, also = ["valid"]'
    made = prepared(manifest(tmp_path, f"remove = {PP}\n{perturb(settings)}", f"remove = {PP}"))
    words = words_of(made.store("train"))
    sids = array(made, "c1").tolist()
    assert sids == array(made, "c2").tolist()
    assert lines(made, "c1") == [" ".join(shuffled(words[sid], 4)) for sid in sids]
    assert made.lines(TextName("c1", "valid")) == [" ".join(shuffled(row, 4)) for row in words_of(made.store("valid"))]
    assert TextName("c1", "test") not in made.plan.tokens and TextName("c2", "valid") not in made.plan.tokens
    assert corpus_of(made, TextName("c1", "valid")).rows["text"].to_pylist() == made.lines(TextName("c1", "valid"))


@pytest.mark.parametrize("base", [BASE, BPE], ids=["word", "bpe"])
def test_tokens_are_permuted_after_encoding(tmp_path, base) -> None:
    settings = 'kind = "shuffle-local", window = 3, unit = "token", seed = 21, also = ["valid", "test"]'
    made = prepared(manifest(tmp_path, perturb(settings), base=base))
    assert (
        lines(made, "c1") == lines(made, "full")
        and made.plan.corpora[TextName("c1")].recipe == made.plan.corpora[TextName("full")].recipe
    )
    for name in ("", "valid", "test"):
        plain, changed = encoded(made, name or "full"), encoded(made, f"c1/{name}".rstrip("/"))
        expected = [
            [token for at in range(0, len(row), 3) for token in shuffled(row[at : at + 3], 21)] for row in plain
        ]
        assert changed == expected != plain


@pytest.mark.parametrize("unit", ["word", "token"])
def test_the_same_sentences_are_dropped_at_every_distance_and_markers_are_tokens(tmp_path, unit) -> None:
    hops = [
        perturb(f'kind = "hop", distance = {distance}, unit = "{unit}", also = ["valid"]') for distance in (0, 4, 12)
    ]
    other = perturb(f'kind = "hop", unit = "{"token" if unit == "word" else "word"}"')
    made = prepared(manifest(tmp_path, *hops, other, base=BPE))
    removed = [array(made, name, "removed").tolist() for name in ("c1", "c2", "c3", "c4")]
    assert removed[0] == removed[1] == removed[2] == removed[3] != []
    tokenizer = load_tokenizer(made.tokenizer())
    markers = {int(tokenizer.convert_tokens_to_ids(marker)) for marker in ("<sg>", "<pl>")}
    assert len(markers) == 2 and tokenizer.unk_token_id not in markers
    control, far = encoded(made, "c1"), encoded(made, "c2")
    assert sum(token in markers for row in control for token in row) > 20
    for near, hopped in zip(control, far, strict=True):
        assert sorted(near) == sorted(hopped) or unit == "word"
        assert [token for token in near if token in markers] == [token for token in hopped if token in markers]
    assert (
        len(made.lines(TextName("c1", "valid")))
        == len(made.lines(TextName("c2", "valid")))
        < made.store("valid").info.sentences
    )
    assert len(encoded(made, "c1/valid")) == len(made.lines(TextName("c1", "valid")))
    assert not any(token in markers for row in encoded(made, "full") for token in row)


def test_the_three_reversals_share_the_place_of_their_marker(tmp_path) -> None:
    kinds = ("reverse-control", "reverse", "reverse-partial")
    made = prepared(manifest(tmp_path, *(perturb(f'kind = "{kind}", seed = 2') for kind in kinds)))
    control, back, partial = (lines(made, name) for name in ("c1", "c2", "c3"))
    assert [line.split()[::-1] for line in control] == [line.split() for line in back]
    for line, half in zip(control, partial, strict=True):
        at = line.split().index("<rev>")
        assert half.split() == [*line.split()[: at + 1], *reversed(line.split()[at + 1 :])]


def test_other_lengths_are_left_out_of_the_text_or_of_the_rows(tmp_path) -> None:
    words, tokens = (perturb(f'kind = "even-odd", lengths = [5, 9], unit = "{unit}"') for unit in ("word", "token"))
    made = prepared(manifest(tmp_path, words, tokens))
    lengths = made.base().words
    assert array(made, "c1", "removed").tolist() == np.flatnonzero((lengths < 5) | (lengths > 9)).tolist()
    assert {len(line.split()) for line in lines(made, "c1")} <= set(range(5, 10))
    rows, plain = encoded(made, "c2"), encoded(made, "full")
    assert rows == [row[::2] + row[1::2] for row in plain if 5 <= len(row) <= 9] and len(rows) < len(plain)


def test_documents_follow_the_rows_that_are_left(tmp_path) -> None:
    made = prepared(manifest(tmp_path, perturb('kind = "even-odd", lengths = [5, 9], unit = "token"')))
    file = TokenFile.open(made.tokens(TextName("c1")))
    assert file.documents is not None and file.documents.tolist() == list(range(file.sentences))


def test_a_perturbation_keeps_the_number_of_words(tmp_path) -> None:
    made = prepared(manifest(tmp_path, perturb('kind = "shuffle"')))
    assert (
        stats_of(made.cache, made.plan, TextName("c1"))["words"]
        == stats_of(made.cache, made.plan, TextName("full"))["words"]
    )
    assert lines(made, "c1") != read_lines(made.store("train"))


def test_keys_have_the_settings_that_matter(tmp_path) -> None:
    def tokens(settings: str) -> str:
        return planned(manifest(tmp_path, perturb(settings))).tokens[TextName("c1")].recipe

    assert tokens('kind = "hop"') == tokens('kind = "hop", distance = 4, incomplete = "drop"')
    keys = [tokens('kind = "hop"'), tokens('kind = "hop", distance = 1'), tokens('kind = "hop", unit = "token"')]
    keys += [
        tokens(f'kind = "shuffle", seed = {seed}, unit = "{unit}"') for seed in (0, 1) for unit in ("word", "token")
    ]
    assert len(set(keys)) == len(keys)
    hops = [
        planned(manifest(tmp_path, perturb(f'kind = "hop", unit = "token", distance = {distance}')))
        for distance in (0, 4, 8)
    ]
    assert len({plan.edits[TextName("c1")].recipe for plan in hops}) == 1  # only the tokens differ
    assert len({plan.tokens[TextName("c1")].recipe for plan in hops}) == 3
    also = planned(manifest(tmp_path, perturb('kind = "hop", also = ["test"]')))
    assert also.tokens[TextName("c1")].recipe == keys[0]


def test_a_control_changes_no_key_and_reaches_the_report(tmp_path) -> None:
    near, hop = 'kind = "hop", distance = 0', 'kind = "hop", unit = "token", also = ["test"]'
    plain = planned(manifest(tmp_path, perturb(near), perturb(hop), perturb('kind = "hop"')))
    control = ', control = "c1"'
    named = planned(manifest(tmp_path, perturb(near), perturb(hop + control), perturb('kind = "hop"' + control)))
    assert {step.id: step.recipe for step in named.steps()} == {step.id: step.recipe for step in plain.steps()}
    facts = [condition_facts(named.resolved.conditions[name]).get("control") for name in ("full", "c1", "c2", "c3")]
    assert facts == [None, None, "c1", "c1"]


@pytest.mark.parametrize(
    ("conditions", "name", "hint"),
    [
        (['kind = "hop", control = "c3"', 'kind = "hop", distance = 0'], "c3", "perturb: c2"),
        (['kind = "hop", control = "c1"', 'kind = "hop", distance = 0'], "c1", "perturb: c2"),
        (['kind = "hop", control = "full"'], "full", "conditions with perturb: none"),
        (
            ['kind = "hop", control = "c2"', 'kind = "reverse", control = "c3"', 'kind = "even-odd"'],
            "c2",
            "perturb: c3",
        ),
    ],
    ids=["unknown", "itself", "full", "a condition with a control"],
)
def test_a_control_is_another_perturbation_without_a_control(tmp_path, conditions, name, hint) -> None:
    with pytest.raises(InputError) as caught:
        planned(manifest(tmp_path, *map(perturb, conditions)))
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.message) == ("FICT605", f"unknown condition `{name}`")
    assert hint in str(problem.hint)


@pytest.mark.parametrize(
    ("condition", "code", "message"),
    [
        (perturb('kind = "shufle"'), "FICT604", "'shuffle'"),
        (perturb("window = 3"), "FICT603", "`kind` is missing"),
        (perturb('kind = "shuffle-local"'), "FICT604", "require each other"),
        (perturb('kind = "shuffle", window = 3'), "FICT604", "require each other"),
        (perturb('kind = "shuffle", distance = 4'), "FICT604", 'distance requires kind = "hop"'),
        (perturb('kind = "hop", seed = 4'), "FICT604", "seed has no effect"),
        (perturb('kind = "shuffle", lengths = [9, 2]'), "FICT604", "the smallest and the largest"),
        (perturb('kind = "shuffle", also = ["dev"]'), "FICT604", "'valid'"),
        (perturb('kind = "shuffle", units = "token"'), "FICT602", "unknown key `units`"),
        (perturb('kind = "shuffle"') + "\nsubstitute = { alpha = 0.1 }", "FICT604", "substitute and perturb exclude"),
        (perturb('kind = "shuffle"') + f"\nmask = {PP}", "FICT604", "mask and perturb exclude each other"),
        (perturb('kind = "shuffle"') + '\ninject = { text = ["x.txt"], fraction = 0.1 }', "FICT604", "has no trees"),
    ],
)
def test_a_mistake_is_refused_by_the_plan(tmp_path, condition, code, message) -> None:
    (tmp_path / "x.txt").write_text("a b .\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        planned(manifest(tmp_path, condition))
    problems = [problem for problem in caught.value.diagnostics if problem.code == code]
    assert any(message in problem.message for problem in problems), [str(p) for p in caught.value.diagnostics]


def test_stages_begin_at_rows_that_are_left(tmp_path) -> None:
    """Rows of other lengths are omitted after encoding, so lines and rows have different numbers."""
    order = f'order = {{ filters = {PP}, rest = "first" }}'
    base = BASE + "[training]\nepochs = 1\n"
    made = prepared(
        manifest(tmp_path, f"{order}\n" + perturb('kind = "shuffle", unit = "token", lengths = [6, 9]'), base=base)
    )
    kept = [
        line for line in made.lines(TextName("c1")) if 6 <= len(load_tokenizer(made.tokenizer()).tokenize(line)) <= 9
    ]
    tokens = TokenFile.open(made.tokens(TextName("c1")))
    assert tokens.sentences == len(kept) < len(made.lines(TextName("c1")))
    ((name, row),) = made.stages(TextName("c1"))
    staged_sids = made.matched(next(iter(made.plan.matches)))
    staged = [
        line
        for sid, line in zip(array(made, "c1").tolist(), made.lines(TextName("c1")), strict=True)
        if sid in staged_sids
    ]
    assert (name, kept[row:]) == ("agr-pp-mod", [line for line in kept if line in staged])
    assert 0 < row < len(kept)
    (record,) = _condition(made, "c1").stages
    assert (record.name, record.tokens) == (name, int(tokens.offsets[row]) + row)
