"""Conditions with rewrites: which texts are trained on, what is counted, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from runner.corpus.filter_arguments import load_rewrites
from runner.corpus.rewrite import Rewriting
from runner.corpus.sentence_arrays import read_lines
from runner.errors import InputError
from runner.execute.collect import rewriting_facts
from runner.execute.export import corpus_of
from runner.execute.warnings import stats_of
from runner.steps.names import TextName
from tests.support.experiments import planned, prepared
from tests.unit.runner.execute.test_corpora import BASE, PP, array, lines, manifest

REWRITES = """fict 1
rewrite fronted { match { V:VERB -[obj]-> O  V << O } move subtree(O) before node(V) }
rewrite bare { match { N:NOUN -[det]-> D } delete node(D) }
rewrite short-first { match { } order sentence by length }
rewrite random-first { match { } order sentence by chance }
rewrite shuffled { match { } shuffle sentence in 3 }
rewrite never { match { V:VERB V:NOUN } delete node(V) }
rewrite invalid { match { V[deprel = root] } set V.deprel = obj }
rewrite dropped { match { V:VERB V -[obj]-> O } delete sentence }
rewrite past { match { V:VERB } set V.form = inflect(V.lemma, VBD) }
filter verbs { match { V:VERB } }
"""
ALLOWED = "\nallow-empty = true"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "r.fict").write_text(REWRITES, encoding="utf-8")
    return tmp_path


def rewrite(*names: str) -> str:
    return f"rewrite = {json.dumps([f'r.fict::{name}' for name in names])}"


def by_hand(made, *names: str, sids=None, seed: int = 0) -> dict[int, str | None]:
    """The changed sentences by sid, as `fictc apply` makes them."""
    rewrites = [each for name in names for each in load_rewrites([f"{made.plan.resolved.roots.folder}/r.fict::{name}"])]
    rewriting = Rewriting(made.store("train"), rewrites, seed, sids=sids)
    return {sid: sentence.text for sid, sentence in rewriting.changed()}


def test_what_is_left_after_removal_is_rewritten(folder) -> None:
    made = prepared(manifest(folder, f"remove = {PP}\n{rewrite('fronted')}", f"remove = {PP}"))
    changed, base = by_hand(made, "fronted"), read_lines(made.store("train"))
    sids = array(made, "c1").tolist()
    assert sids == array(made, "c2").tolist()
    assert lines(made, "c1") == [changed.get(sid, base[sid]) for sid in sids]
    removed = set(array(made, "c1", "removed").tolist())
    left = [sid for sid in changed if sid not in removed]
    assert 0 < len(left) < len(changed)
    facts = rewriting_facts(made, TextName("c1"))
    assert facts["rewrites"][0]["sentences"] == len(left)


def test_the_order_of_rewrites_belongs_to_the_key_and_decides_between_overlapping_matches(folder) -> None:
    plan = planned(manifest(folder, rewrite("fronted", "bare"), rewrite("bare", "fronted"), rewrite("fronted")))
    assert len({plan.edits[TextName.parse(name)].recipe for name in ("c1", "c2", "c3")}) == 3
    assert "rewritten by bare, fronted" in " ".join(_what(plan))


def _what(plan) -> list[str]:
    from runner.steps.variants import describe_condition

    return [describe_condition(condition) for condition in plan.resolved.conditions.values()]


def test_a_seed_is_in_the_key_of_rewrites_that_draw_and_of_no_other(folder) -> None:
    def key(name: str, seed: int) -> str:
        return planned(manifest(folder, f"{rewrite(name)}\nseed = {seed}")).edits[TextName("c1")].recipe

    assert key("fronted", 0) == key("fronted", 5)
    assert key("short-first", 0) == key("short-first", 5)
    for name in ("random-first", "shuffled"):
        assert key(name, 0) != key(name, 5)


def test_a_rewrite_by_hash_is_keyed_by_its_name_too(folder) -> None:
    before = planned(manifest(folder, rewrite("random-first"), rewrite("shuffled")))
    renamed = REWRITES.replace("random-first", "any-order").replace("shuffled", "mixed")
    (folder / "r.fict").write_text(renamed, encoding="utf-8")
    after = planned(manifest(folder, rewrite("any-order"), rewrite("mixed")))
    assert before.edits[TextName("c1")].recipe != after.edits[TextName("c1")].recipe  # a keyed hash has the name in it
    assert before.edits[TextName("c2")].recipe == after.edits[TextName("c2")].recipe


def test_both_texts_and_all_counts_are_kept(folder) -> None:
    made = prepared(manifest(folder, rewrite("bare", "fronted")))
    edit = made.cache.folder(made.plan.edits[TextName("c1")])
    kept = [json.loads(line) for line in (edit / "rewritten.jsonl").read_text(encoding="utf-8").splitlines()]
    changed, base = by_hand(made, "bare", "fronted"), read_lines(made.store("train"))
    assert [(line["before"], line["after"]) for line in kept] == [(base[sid], text) for sid, text in changed.items()]
    facts = rewriting_facts(made, TextName("c1"))
    assert [count["name"] for count in facts["rewrites"]] == ["bare", "fronted"]
    assert sum(count["overlapping"] for count in facts["rewrites"]) > 0
    assert len(facts["rewritten"]) == 12 and all(line in kept for line in facts["rewritten"])
    assert rewriting_facts(made, TextName("full")) == {}
    assert [edit.text for edit in made.corpus(TextName("c1")).edited_lines] == list(changed.values())


def test_a_size_in_tokens_counts_the_rewritten_text(folder) -> None:
    size = '[size]\nby = "tokens"\n'
    made = prepared(manifest(folder, rewrite("bare"), base=BASE.replace("[tokenizer]", size + "[tokenizer]")))
    words = {name: stats_of(made.cache, made.plan, TextName(name))["words"] for name in ("full", "c1")}
    deleted = sum(count["taken"] for count in rewriting_facts(made, TextName("c1"))["rewrites"])
    total = int(made.base().words.sum())
    assert words["c1"] == total - deleted and 0 <= words["c1"] - words["full"] < made.base().words.max()
    assert stats_of(made.cache, made.plan, TextName("c1"))["edited_words"] == deleted


def test_a_dropped_sentence_is_removed(folder) -> None:
    made = prepared(manifest(folder, rewrite("dropped")))
    assert array(made, "c1", "removed").tolist() == sorted(by_hand(made, "dropped"))
    assert not set(array(made, "c1").tolist()) & set(by_hand(made, "dropped"))


def test_every_sentence_may_be_rewritten(folder) -> None:
    made = prepared(manifest(folder, rewrite("shuffled") + "\nseed = 2"))
    changed = by_hand(made, "shuffled", seed=2)
    assert len(changed) > 100
    assert lines(made, "c1") == [changed.get(sid, text) for sid, text in enumerate(read_lines(made.store("train")))]
    assert len(np.unique(array(made, "c1"))) == 120


ORIGINAL = 'with = "original"'


def test_each_rewritten_sentence_follows_its_original(folder) -> None:
    made = prepared(manifest(folder, f"remove = {PP}\n{rewrite('fronted')}\n{ORIGINAL}", rewrite("fronted")))
    changed, base = by_hand(made, "fronted"), read_lines(made.store("train"))
    removed = set(array(made, "c1", "removed").tolist())
    expected = [
        line for sid in range(120) if sid not in removed for line in (base[sid], changed.get(sid)) if line is not None
    ]
    size = stats_of(made.cache, made.plan, TextName("c1"))["sentences"]
    smallest = min(120, len(expected))
    assert size in (smallest, smallest - 1)
    assert _is_part_of(lines(made, "c1"), expected)
    assert (
        made.plan.edits[TextName("c2")].recipe != made.plan.edits[TextName("c1")].recipe
    )  # of another part of the corpus
    words = stats_of(made.cache, made.plan, TextName("c1"))["words"]
    sids = array(made, "c1")
    assert words == made.base().words[sids].sum()  # `fronted` moves words only


def _is_part_of(lines: list[str], all_lines: list[str]) -> bool:
    rest = iter(all_lines)
    return all(line in rest for line in lines)


@pytest.mark.parametrize("by", ["lines", "tokens"])
@pytest.mark.parametrize("count", [1, 2, 17, 60])
def test_a_sentence_and_its_original_stay_or_go_together_under_a_size(folder, by, count) -> None:
    number = count if by == "lines" else 12 * count
    base = BASE.replace("[tokenizer]", f'[size]\nby = "{by}"\ncount = {number}\n[tokenizer]')
    made = prepared(manifest(folder, f"{rewrite('bare')}\n{ORIGINAL}", base=base), folder / "cache")
    changed, sids = by_hand(made, "bare"), array(made, "c1").tolist()
    assert all(sids.count(sid) == 1 + (sid in changed) for sid in sids)
    by_rank = np.argsort(made.base_corpus().ranks("size:0"), kind="stable").tolist()
    expected, left = [], number
    for sid in by_rank:  # as many of the first sentences as fit
        words = made.base().words[sid]
        deleted = _deleted(made, sid)
        left -= 1 + (sid in changed) if by == "lines" else words + (words - deleted if sid in changed else 0)
        if left < 0:
            break
        expected += [sid] * (1 + (sid in changed))
    assert sids == sorted(expected)


def _deleted(made, sid: int) -> int:
    edits = made.edits(TextName("c1"))
    return edits[sid].removed if sid in edits else 0


def test_a_sentence_that_is_dropped_leaves_its_original(folder) -> None:
    made = prepared(manifest(folder, f"{rewrite('dropped')}\n{ORIGINAL}"))
    assert lines(made, "c1") == lines(made, "full")


def test_pairs_survive_stages_and_injection_in_their_order(folder) -> None:
    (folder / "more.txt").write_text("\n\n".join(f"extra number {n} ." for n in range(60)), encoding="utf-8")
    inject = 'inject = { text = ["more.txt"], fraction = 0.05, unit = "sentence" }'
    order = 'order = { filters = ["r.fict::verbs"], rest = "interleave", shuffle = true }'
    once = BASE + "training = { epochs = 1 }\n"
    made = prepared(manifest(folder, f"{rewrite('fronted')}\n{ORIGINAL}\n{order}\n{inject}", base=once))
    changed, base = by_hand(made, "fronted"), read_lines(made.store("train"))
    sids, edited, texts = array(made, "c1").tolist(), made.is_edited(TextName("c1")).tolist(), lines(made, "c1")
    assert sum(sid < 0 for sid in sids) > 3 and not all(edited)
    seen: set[int] = set()
    for sid, is_edited, text in zip(sids, edited, texts, strict=True):
        if sid >= 0:
            assert text == (changed[sid] if is_edited and sid in changed else base[sid])
            assert is_edited or sid not in seen
            seen.add(sid)


def test_an_exported_line_beside_its_original_is_named_so(folder) -> None:
    made = prepared(manifest(folder, f"{rewrite('fronted')}\n{ORIGINAL}", rewrite("fronted")))
    rows = corpus_of(made, TextName("c1")).rows.to_pylist()
    marked = {row["sent_id"] for row in rows if row["sent_id"].endswith("-rewritten")}
    changed = by_hand(made, "fronted")
    assert {row["text"] for row in rows if row["sent_id"] in marked} <= set(changed.values())
    assert {name.removesuffix("-rewritten") for name in marked} <= {row["sent_id"] for row in rows} and marked
    assert not any(row["sent_id"].endswith("-rewritten") for row in corpus_of(made, TextName("c2")).rows.to_pylist())


@pytest.mark.parametrize(
    ("condition", "code", "message"),
    [
        ('rewrite = ["r.fict::verbs"]', "FICT290", "r.fict has no rewrite `verbs`"),
        ('remove = ["r.fict::bare"]', "FICT290", "r.fict has no filter `bare`"),
        ('rewrite = ["only.fict"]', "FICT291", "only.fict contains no rewrite"),
        ('rewrite = ["r.fict::bare", "r.fict"]', "FICT606", "the rewrite `bare` is defined twice"),
        (f'remove = {PP}\nwith = "original"', "FICT604", "with requires rewrite"),
        ('rewrite = ["no.fict"]', "FICT607", "no filter at `no.fict`"),
        ('rewrite = ["r.fict::bare"]\nmask = ["only.fict"]', "FICT604", "mask and rewrite exclude each other"),
        ('rewrite = ["r.fict::bare"]\nsubstitute = { alpha = 0.5 }', "FICT604", "rewrite and substitute exclude"),
    ],
)
def test_a_mistake_is_refused_by_the_plan(folder, condition, code, message) -> None:
    (folder / "only.fict").write_text('fict 1\nfilter f { match { V:VERB } mask node(V) with "x" }\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        planned(manifest(folder, condition))
    problem = next(problem for problem in caught.value.diagnostics if problem.code == code)
    assert message in problem.message


def test_rewrites_that_change_nothing_are_told(folder) -> None:
    made = prepared(manifest(folder, rewrite("invalid"), rewrite("invalid", "bare"), rewrite("invalid") + ALLOWED))
    unchanged = [warning for warning in made.warnings() if warning.kind == "unchanged"]
    assert [warning.subject for warning in unchanged] == ["condition c1"]
    assert lines(made, "c1") == lines(made, "full")


def test_rewrites_that_change_nothing_are_told_if_corpora_are_drawn_anew(folder) -> None:
    base = BASE.replace("seeds = [1]", "seeds = [1, 2]") + '[size]\nredraw = "seed"\n'
    made = prepared(manifest(folder, rewrite("invalid"), base=base))
    assert [warning.subject for warning in made.warnings() if warning.kind == "unchanged"] == ["condition c1"]


def test_a_rewrite_that_matches_nothing_stops_the_run_before_it_trains(folder) -> None:
    with pytest.raises(InputError) as caught:
        prepared(manifest(folder, rewrite("bare", "never")))
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT614" and "rewrite never" in problem.message
    prepared(manifest(folder, rewrite("bare", "never") + "\nallow-empty = true"))
