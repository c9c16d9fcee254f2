"""`fraction` and `beyond`: which of the matching sentences a condition acts on, by loops written out here."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import pytest

from runner.corpus.matches import match, matching_sids
from runner.corpus.sentence_arrays import read_lines
from runner.errors import InputError
from runner.execute.collect import rewriting_facts
from runner.steps.names import TextName
from tests.support.experiments import planned, prepared
from tests.unit.runner.execute.test_corpora import BASE, array, lines, manifest

FILTERS = """fict 1
filter objects { match { V:VERB -[obj]-> O } mask node(O) with "<o>" }
filter subjects { match { V:VERB -[nsubj]-> O } mask node(O) with "<s>" }
filter bare { match { V:VERB -[obj]-> O } remove node(O) }
filter other { match { N:NOUN } }
rewrite fronted { match { V:VERB -[obj]-> O  V << O } move subtree(O) before node(V) }
rewrite everywhere { match { } reverse sentence }
"""
REMOVE = 'remove = ["f.fict::objects", "f.fict::subjects"]'
ALL = {
    "remove": 'remove = ["f.fict::objects"]',
    "mask": 'mask = ["f.fict::objects"]',
    "drop": 'drop = ["f.fict::bare"]',
    "rewrite": 'rewrite = ["f.fict::fronted"]',
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "f.fict").write_text(FILTERS, encoding="utf-8")
    return tmp_path


def rank(made, purpose: str, sid: int) -> str:
    base = made.base()
    return hashlib.md5(f"{purpose}\x1f{base.sources[sid]}\x1f{base.numbers[sid]}".encode()).hexdigest()


def matched(made, condition: str, key: str) -> list[int]:
    filters = made.plan.resolved.conditions[condition].filters_of(key)
    return matching_sids(made.store("train"), filters).tolist()


def acted_on(made, condition: str) -> set[int]:
    """The sentences that a condition changed, before it was cut to the common size."""
    return {*array(made, condition, "removed").tolist(), *made.edits(TextName.parse(condition))}


@pytest.mark.parametrize("key", ALL)
def test_a_fraction_acts_on_the_sentences_of_lowest_hash(folder, key) -> None:
    shares = (0.25, 0.5, 1.0)
    made = prepared(manifest(folder, *(f"{ALL[key]}\nfraction = {share}\nseed = 3" for share in shares)))
    order = sorted(matched(made, "c1", key), key=lambda sid: rank(made, "fraction:3", sid))
    parts = [acted_on(made, f"c{number}") for number in (1, 2, 3)]
    assert parts == [set(order[: int(share * len(order) + 0.5)]) for share in shares]
    assert parts[0] < parts[1] < parts[2] == set(order)


def test_a_fraction_is_of_the_union_of_the_filters_and_independent_of_the_size(folder) -> None:
    size = BASE.replace("[tokenizer]", "[size]\ncount = 30\nseed = 3\n[tokenizer]")
    made = prepared(
        manifest(folder, f"{REMOVE}\nfraction = 0.25\nseed = 3", f"{REMOVE}\nfraction = 0.5\nseed = 3", base=size)
    )
    union = matched(made, "c1", "remove")
    quarter, half = (set(array(made, name, "removed").tolist()) for name in ("c1", "c2"))
    assert len(quarter) == int(0.25 * len(union) + 0.5) and quarter < half < set(union)
    sizes = sorted(set(range(120)) - quarter, key=lambda sid: rank(made, "size:3", sid))
    assert array(made, "c1").tolist() == sorted(sizes[:30])
    assert set(sorted(union, key=lambda sid: rank(made, "size:3", sid))[: len(half)]) != half


def by_hand(made, condition: str, key: str, column: str, at_most: int, purpose: str) -> set[int]:
    """Sentences beyond the first `at_most` of each value, from the CoNLL-U text alone."""
    values: dict[int, set[str]] = {}
    blocks = _blocks(made)
    for item in made.plan.resolved.conditions[condition].filters_of(key):
        place = item.names.index("V")
        for row in match(made.store("train"), item).to_pylist():
            values.setdefault(row["sid"], set()).add(blocks[row["sid"]][row[f"m{place}"]][column])
    spared, acted = Counter(), set()
    for sid in sorted(values, key=lambda sid: rank(made, purpose, sid)):
        if max(spared[value] for value in values[sid]) < at_most:
            spared.update(values[sid])
        else:
            acted.add(sid)
    return acted


def _blocks(made) -> list[dict[int, dict[str, str]]]:
    from runner.corpus.sentence_texts import conllu_blocks

    store, sentences = made.store("train"), []
    for block in conllu_blocks(store, list(range(120))):
        rows = [line.split("\t") for line in block.splitlines() if line.partition("\t")[0].isdecimal()]
        sentences.append({int(row[0]): {"form": row[1], "lemma": row[2], "upos": row[3]} for row in rows})
    return sentences


@pytest.mark.parametrize("key", ALL)
@pytest.mark.parametrize(("per", "at_most"), [("lemma", 2), ("form", 1)])
def test_beyond_spares_so_many_sentences_of_each_value(folder, tmp_path_factory, key, per, at_most) -> None:
    settings = f'beyond = {{ per = "{per}(V)", at-most = {at_most} }}\nseed = 1\nallow-empty = true'
    condition = ALL[key] if key != "remove" else REMOVE
    made = prepared(manifest(folder, f"{condition}\n{settings}"))
    assert acted_on(made, "c1") == by_hand(made, "c1", key, per, at_most, "beyond:1")


def test_a_part_of_what_is_left_after_keep_is_rewritten(folder) -> None:
    made = prepared(manifest(folder, f'keep = ["f.fict::subjects"]\n{ALL["rewrite"]}\nfraction = 0.5'))
    left = sorted(set(matched(made, "c1", "keep")) & set(matched(made, "c1", "rewrite")))
    order = sorted(left, key=lambda sid: rank(made, "fraction:0", sid))
    assert set(made.edits(TextName("c1"))) == set(order[: int(0.5 * len(order) + 0.5)])
    assert rewriting_facts(made, TextName("c1"))["rewrites"][0]["sentences"] == len(made.edits(TextName("c1")))


@pytest.mark.parametrize(
    ("key", "control"), [("remove", "remove-random"), ("mask", "mask-random"), ("drop", "drop-random")]
)
def test_a_control_is_matched_to_the_part(folder, key, control) -> None:
    half = f"{ALL[key]}\nfraction = 0.5"
    made = prepared(manifest(folder, half, f'{control} = "c1"', ALL[key], f'{control} = "c3"'))
    if key == "remove":
        sizes = {name: len(array(made, name, "removed")) for name in ("c1", "c2", "c3", "c4")}
    else:
        sizes = {
            name: sum(edit.words for edit in made.edits(TextName.parse(name)).values())
            for name in ("c1", "c2", "c3", "c4")
        }
    assert sizes["c1"] == sizes["c2"] < sizes["c3"] == sizes["c4"]


@pytest.mark.parametrize("removal", ['keep = ["f.fict::other"]', 'remove = ["f.fict::other"]'])
@pytest.mark.parametrize(("key", "control"), [("mask", "mask-random"), ("drop", "drop-random")])
def test_a_control_counts_and_edits_the_sentences_that_remain_after_a_removal(folder, key, control, removal) -> None:
    (folder / "f.fict").write_text(FILTERS.replace("N:NOUN }", 'W [lemma="the"] }'), encoding="utf-8")
    like = f'{control} = "c1"'
    made = prepared(manifest(folder, f"{removal}\n{ALL[key]}", f"{removal}\n{like}", like))
    left = set(range(120)) - set(array(made, "c1", "removed").tolist())
    words = sum(edit.words for sid, edit in made.edits(TextName("c1")).items() if sid in left)
    own, everywhere = made.edits(TextName("c2")), made.edits(TextName("c3"))
    assert 0 < words < sum(edit.words for edit in made.edits(TextName("c1")).values())
    assert sum(edit.words for edit in own.values()) == words == sum(edit.words for edit in everywhere.values())
    assert set(own) <= left and not set(everywhere) <= left


def test_only_keys_of_controls_with_a_removal_depend_on_it(folder) -> None:
    def key(first: str, second: str) -> str:
        return (
            planned(manifest(folder, f"{first}\n{ALL['mask']}", f'{second}\nmask-random = "c1"'))
            .edits[TextName("c2")]
            .recipe
        )

    keep, remove = 'keep = ["f.fict::other"]', 'remove = ["f.fict::other"]'
    pairs = [("", ""), (keep, ""), ("", keep), (keep, keep), (remove, remove), (keep, remove)]
    assert len({key(*pair) for pair in pairs}) == len(pairs)
    content = planned(manifest(folder, ALL["mask"], 'mask-random = "c1"')).edits[TextName("c2")].inputs
    assert set(content) == {"like", "seed", "disjoint"}


def test_a_key_has_the_part_and_not_the_name_of_the_word(folder) -> None:
    def key(settings: str) -> str:
        return planned(manifest(folder, f"{ALL['remove']}\n{settings}")).corpora[TextName("c1")].recipe

    before = key('beyond = { per = "lemma(V)", at-most = 2 }')
    assert len({key(""), key("fraction = 0.5"), key("fraction = 0.25"), key("fraction = 0.5\nseed = 1"), before}) == 5
    assert before != key('beyond = { per = "lemma(O)", at-most = 2 }')
    (folder / "f.fict").write_text(FILTERS.replace("V:VERB -[obj]-> O }", "Verb:VERB -[obj]-> O }"), encoding="utf-8")
    assert before == key('beyond = { per = "lemma(Verb)", at-most = 2 }')


def test_every_seed_has_a_part_of_its_own_under_redraw(folder) -> None:
    base = BASE.replace("seeds = [1]", "seeds = [1, 2]").replace("[tokenizer]", '[size]\nredraw = "seed"\n[tokenizer]')
    made = prepared(manifest(folder, f"{ALL['remove']}\nfraction = 0.5", base=base))
    first, second = (array(made, f"c1/seed-{seed}", "removed").tolist() for seed in (1, 2))
    assert first != second and len(first) == len(second)


@pytest.mark.parametrize(("key", "control"), [("mask", "mask-random"), ("drop", "drop-random")])
def test_a_control_is_matched_to_the_part_of_its_seed(folder, key, control) -> None:
    base = BASE.replace("seeds = [1]", "seeds = [1, 2, 3]").replace(
        "[tokenizer]", '[size]\nredraw = "seed"\n[tokenizer]'
    )
    made = prepared(manifest(folder, f"{ALL[key]}\nfraction = 0.3", f'{control} = "c1"', base=base))
    sizes = [
        [sum(edit.words for edit in made.edits(TextName.parse(f"{name}/seed-{seed}")).values()) for seed in (1, 2, 3)]
        for name in ("c1", "c2")
    ]
    assert sizes[0] == sizes[1] and len(set(sizes[0])) > 1


def test_untouched_sentences_keep_their_text(folder) -> None:
    made = prepared(manifest(folder, f"{ALL['mask']}\nfraction = 0.5"))
    base, edits = read_lines(made.store("train")), made.edits(TextName("c1"))
    texts = [line for sid, line in enumerate(lines(made, "c1")) if sid not in edits]
    assert texts == [line for sid, line in enumerate(base) if sid not in edits]


@pytest.mark.parametrize(
    ("condition", "code", "message"),
    [
        (
            'keep = ["f.fict::other"]\nfraction = 0.5',
            "FICT604",
            "fraction requires one of remove, mask, drop and rewrite",
        ),
        (f"{REMOVE}\nfraction = 1.5", "FICT604", "above 0 and at most 1"),
        (f"{REMOVE}\nfraction = 0", "FICT604", "above 0 and at most 1"),
        (f'{REMOVE}\nbeyond = {{ per = "lemma", at-most = 2 }}', "FICT604", "such as lemma(V)"),
        (f'{REMOVE}\nbeyond = {{ per = "lema(V)", at-most = 2 }}', "FICT604", "such as lemma(V)"),
        (f'{REMOVE}\nbeyond = {{ per = "lemma(V)" }}', "FICT603", "`at-most` is missing"),
        (f'{REMOVE}\nbeyond = {{ per = "lemma(X)", at-most = 2 }}', "FICT655", "filter objects has no name `X`"),
        (f"{REMOVE}\n{ALL['mask']}\nfraction = 0.5", "FICT604", "remove and mask match different sentences"),
        (f'{REMOVE}\nfraction = 0.5\nbeyond = {{ per = "lemma(V)", at-most = 2 }}', "FICT604", "exclude each other"),
        (
            'rewrite = ["f.fict::everywhere"]\nbeyond = { per = "lemma(V)", at-most = 2 }',
            "FICT655",
            "rewrite everywhere has no name `V`",
        ),
    ],
)
def test_a_mistake_is_refused_by_the_plan(folder, condition, code, message) -> None:
    with pytest.raises(InputError) as caught:
        planned(manifest(folder, condition))
    problems = [problem for problem in caught.value.diagnostics if problem.code == code]
    assert any(message in problem.message for problem in problems), json.dumps([p.message for p in problems])
