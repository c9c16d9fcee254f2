"""Conditions that are rewritten and then perturbed, against loops over the CoNLL-U that `fictc apply` writes."""

from __future__ import annotations

import io
import json

import pytest

from runner.corpus.filter_arguments import load_rewrites
from runner.corpus.rewrite import write_rewritten
from runner.corpus.sentence_arrays import read_lines
from runner.execute.collect import rewriting_facts
from runner.execute.export import corpus_of
from runner.execute.warnings import stats_of
from runner.model.saved import load_tokenizer
from runner.steps.names import TextName
from runner.steps.variants import describe_condition
from tests.support.experiments import planned, prepared
from tests.unit.runner.execute.test_corpora import PP, array, lines, manifest
from tests.unit.runner.execute.test_perturb import encoded, perturb, shuffled, words_of
from tests.unit.runner.execute.test_rewrite import ORIGINAL, rewrite

REWRITES = """fict 1
rewrite fronted { match { V:VERB -[obj]-> O  V << O } move subtree(O) before node(V) }
rewrite bare { match { N:NOUN -[det]-> D } delete node(D) }
rewrite past { match { V:VERB[Tense=Pres, Number=Plur] } set V.Number = Sing }
rewrite dropped { match { V:VERB V -[obj]-> O } delete sentence }
"""
EVEN_ODD = 'perturb = { kind = "even-odd" }'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "r.fict").write_text(REWRITES, encoding="utf-8")
    return tmp_path


def rewritten_words(made, name: str) -> list[list[str]]:
    """The words of every sentence of the base corpus after a rewrite that drops none, as `fictc apply` writes them."""
    rewrites = load_rewrites([f"{made.plan.resolved.roots.folder}/r.fict::{name}"])
    out = io.BytesIO()
    write_rewritten(made.store("train"), rewrites, "conllu", out, 0)
    blocks = out.getvalue().decode().strip("\n").split("\n\n")
    rows = ([line.split("\t") for line in block.split("\n")] for block in blocks)
    return [[row[1] for row in block if row[0].isdecimal()] for block in rows]


def even_odd(words: list[str]) -> str:
    return " ".join([*words[::2], *words[1::2]])


def test_words_are_those_of_the_rewritten_trees_of_what_is_left(folder) -> None:
    settings = 'kind = "shuffle-by-length", seed = 4, also = ["valid"]'
    made = prepared(manifest(folder, f"remove = {PP}\n{rewrite('bare')}\n{perturb(settings)}", f"remove = {PP}"))
    after, before = rewritten_words(made, "bare"), words_of(made.store("train"))
    sids = array(made, "c1").tolist()
    assert sids == array(made, "c2").tolist()
    assert lines(made, "c1") == [" ".join(shuffled(after[sid], 4)) for sid in sids]
    assert sum(after[sid] != before[sid] for sid in sids) > 10
    assert made.lines(TextName("c1", "valid")) == [" ".join(shuffled(row, 4)) for row in words_of(made.store("valid"))]
    assert stats_of(made.cache, made.plan, TextName("c1"))["words"] == sum(len(after[sid]) for sid in sids)
    kept = [json.loads(line) for line in _file(made, "rewritten.jsonl").splitlines()]
    left = [sid for sid in range(120) if sid not in set(array(made, "c1", "removed").tolist())]
    base = read_lines(made.store("train"))
    assert [line["before"] for line in kept] == [base[sid] for sid in left if after[sid] != before[sid]]
    assert rewriting_facts(made, TextName("c1"))["rewrites"][0]["sentences"] == len(kept)
    assert describe_condition(made.plan.resolved.conditions["c1"]).endswith(
        "by bare; every sentence perturbed (shuffle-by-length, unit word)"
    )
    assert [edit.text for edit in made.corpus(TextName("c1")).edited_lines] == lines(made, "c1")


def _file(made, name: str) -> str:
    return (made.cache.folder(made.plan.edits[TextName("c1")]) / name).read_text(encoding="utf-8")


def test_tokens_are_those_of_the_rewritten_text(folder) -> None:
    settings = 'kind = "shuffle-local", window = 3, unit = "token", seed = 21'
    made = prepared(manifest(folder, f"{rewrite('fronted')}\n{perturb(settings)}", rewrite("fronted")))
    assert made.plan.edits[TextName("c1")].recipe == made.plan.edits[TextName("c2")].recipe
    assert lines(made, "c1") == lines(made, "c2") != lines(made, "full")
    windows = ([row[at : at + 3] for at in range(0, len(row), 3)] for row in encoded(made, "c2"))
    assert encoded(made, "c1") == [[token for part in row for token in shuffled(part, 21)] for row in windows]


@pytest.mark.parametrize("unit", ["word", "token"])
def test_markers_hop_from_the_verbs_of_the_rewritten_trees(folder, unit) -> None:
    hop = perturb(f'kind = "hop", distance = 0, incomplete = "end", unit = "{unit}"')
    made = prepared(manifest(folder, f"{rewrite('past')}\n{hop}", hop))
    tokenizer = load_tokenizer(made.tokenizer())
    singular, plural = (int(tokenizer.convert_tokens_to_ids(marker)) for marker in ("<sg>", "<pl>"))
    after, before = ([token for row in encoded(made, name) for token in row] for name in ("c1", "c2"))
    turned = sum(line["taken"] for line in json.loads(_file(made, "rewrites.json"))["rewrites"])
    assert turned > 3 and before.count(plural) - after.count(plural) == turned
    assert after.count(singular) - before.count(singular) == turned


def test_both_lines_of_a_pair_are_perturbed(folder) -> None:
    made = prepared(manifest(folder, f"{rewrite('fronted')}\n{ORIGINAL}\n{EVEN_ODD}"))
    after, before = rewritten_words(made, "fronted"), words_of(made.store("train"))
    expected, sids = [], array(made, "c1").tolist()
    for sid in sorted(set(sids)):
        expected += [even_odd(before[sid])]
        expected += [even_odd(after[sid])] if after[sid] != before[sid] else []
    assert lines(made, "c1") == expected
    assert 0 < (~made.is_edited(TextName("c1"))).sum() == sum(after[sid] != before[sid] for sid in set(sids))
    rows = corpus_of(made, TextName("c1")).rows.to_pylist()
    assert sum(row["sent_id"].endswith("-rewritten") for row in rows) == (~made.is_edited(TextName("c1"))).sum()
    words = {sid: len(before[sid]) * (2 if after[sid] != before[sid] else 1) for sid in set(sids)}
    assert stats_of(made.cache, made.plan, TextName("c1"))["words"] == sum(words.values())


def test_a_line_that_is_left_out_leaves_the_other_one_of_its_pair(folder) -> None:
    settings = perturb('kind = "even-odd", lengths = [6, 9]')
    made = prepared(manifest(folder, f"{rewrite('bare')}\n{ORIGINAL}\n{settings}"))
    after, before = rewritten_words(made, "bare"), words_of(made.store("train"))
    expected, kinds = [], set()
    for old, new in zip(before, after, strict=True):
        pair = [old] if old == new else [old, new]
        fits = [6 <= len(words) <= 9 for words in pair]
        kinds.add(tuple(fits))
        expected += [even_odd(words) for words, fit in zip(pair, fits, strict=True) if fit]
    assert lines(made, "c1") == expected
    assert kinds == {(True,), (False,), (True, True), (True, False), (False, True), (False, False)}


def test_a_dropped_sentence_is_perturbed_only_beside_its_original(folder) -> None:
    settings = perturb('kind = "even-odd"')
    made = prepared(
        manifest(folder, f"{rewrite('dropped')}\n{EVEN_ODD}", f"{rewrite('dropped')}\n{ORIGINAL}\n{settings}")
    )
    before = [even_odd(words) for words in words_of(made.store("train"))]
    removed = array(made, "c1", "removed").tolist()
    assert removed == array(prepared(manifest(folder, rewrite("dropped"))), "c1", "removed").tolist() != []
    assert lines(made, "c1") == [text for sid, text in enumerate(before) if sid not in set(removed)]
    assert lines(made, "c2") == [before[sid] for sid in array(made, "c2").tolist()]
    assert array(made, "c2", "removed").tolist() == []


def test_a_random_control_is_perturbed_too(folder) -> None:
    rewritten = f"{rewrite('fronted')}\nfraction = 0.25"
    control = 'rewrite-random = "c1"'
    made = prepared(manifest(folder, f"{rewritten}\n{EVEN_ODD}", f"{control}\n{EVEN_ODD}", control))
    plain = {sid: str(edit.text) for sid, edit in made.edits(TextName("c3")).items()}
    texts = [str(made.edits(TextName("c2"))[sid].text) for sid in range(120)]
    stored = [even_odd(words) for words in words_of(made.store("train"))]
    moved = [sid for sid in range(120) if texts[sid] != stored[sid]]
    assert moved and set(moved) <= set(plain)
    assert all(sorted(plain[sid].replace(" ", "")) == sorted(texts[sid].replace(" ", "")) for sid in plain)


def test_keys_of_a_condition_cover_both(folder) -> None:
    shuffle, token = perturb('kind = "shuffle"'), perturb('kind = "shuffle", unit = "token"')
    conditions = [
        rewrite("bare"),
        shuffle,
        f"{rewrite('bare')}\n{shuffle}",
        f"{rewrite('bare')}\n{ORIGINAL}\n{shuffle}",
    ]
    plan = planned(manifest(folder, *conditions, f"{rewrite('bare')}\n{token}"))
    assert len({plan.edits[TextName.parse(name)].recipe for name in ("c1", "c2", "c3", "c4")}) == 4
    assert (
        plan.edits[TextName("c5")].recipe == plan.edits[TextName("c1")].recipe
        and plan.tokens[TextName("c5")].recipe != plan.tokens[TextName("c1")].recipe
    )
    assert len({plan.corpora[TextName.parse(name)].recipe for name in ("c1", "c2", "c3", "c4")}) == 4
