"""Random controls of rewrites: which sentences they change, at which places, and what has no control."""

from __future__ import annotations

import re

import pytest

from runner.conditions.rewrite_random import trees_with_changes, with_changes
from runner.corpus.matches import matching_sids
from runner.corpus.rewrite import Rewritten
from runner.corpus.rewrite_draft import EditedTree, read_stored
from runner.corpus.rewrite_spelling import spell
from runner.corpus.sentence_arrays import read_lines
from runner.errors import InputError
from runner.steps.names import TextName
from tests.support import corpora
from tests.support.experiments import planned, prepared
from tests.unit.runner.execute.test_corpora import array, lines, manifest

REWRITES = """fict 1
rewrite fronted { match { V:VERB -[obj]-> O  V << O } move subtree(O) before node(V) }
rewrite marked { match { V:VERB -[obj]-> O } insert "at"[upos = ADP] as case of O before subtree(O) set O.form = "it" }
rewrite short-first { match { } order sentence by length }
rewrite shuffled { match { } shuffle sentence }
rewrite set-only { match { V:VERB -[obj]-> O } set O.form = "it" }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "r.fict").write_text(REWRITES, encoding="utf-8")
    return tmp_path


def sentence(size: int) -> tuple[str, str]:
    """The CoNLL-U and the text of `w1 w2 …`, all dependents of the first word."""
    rows = [f"{n}\tw{n}\tw{n}\tX\t_\t_\t{n > 1:d}\t{'dep' if n > 1 else 'root'}\t_\t_" for n in range(1, size + 1)]
    return "\n".join(rows), " ".join(f"w{n}" for n in range(1, size + 1))


def draft(size: int) -> EditedTree:
    return EditedTree(read_stored(*sentence(size)))


def changed(model: EditedTree, size: int) -> str | None:
    result = with_changes(draft(size), model)
    return None if result.dropped else spell(result, frozenset()).text


def test_places_are_those_of_the_model() -> None:
    moved = draft(5)
    moved.order = [1, 4, 2, 3, 5]
    assert changed(moved, 5) == "w1 w4 w2 w3 w5"
    assert changed(moved, 7) == "w1 w4 w2 w3 w5 w6 w7"  # the rest stays
    assert changed(moved, 4) == "w1 w4 w2 w3"
    assert changed(moved, 3) == "w3 w1 w2"  # the stretch is shifted to the left
    assert changed(moved, 2) == "w1 w2"  # what does not fit is left out


def test_words_are_deleted_inserted_and_dropped_by_place() -> None:
    deleted = draft(4)
    deleted.order, deleted.deleted = [1, 3, 4], {2}
    assert changed(deleted, 4) == "w1 w3 w4" and changed(deleted, 6) == "w1 w3 w4 w5 w6"
    assert changed(deleted, 1) is None  # no word is left
    inserted = draft(3)
    word = inserted.add(["_", "new", *"________"], 3)
    inserted.order = [1, word, 2, 3]
    assert changed(inserted, 3) == "w1 new w2 w3" and changed(inserted, 1) == "w1 new"
    gone = draft(3)
    gone.dropped = True
    assert changed(gone, 3) is None
    renamed = draft(3)
    renamed._rows[2] = ["2", "x", *"________"]
    assert changed(renamed, 3) == "w1 w2 w3"  # `set` is left out


def rewrite(name: str, *more: str) -> str:
    return "\n".join([f'rewrite = ["r.fict::{name}"]', *more])


CONTROL = 'rewrite-random = "c1"'
FORMS = (("Cats", "hiss"), ("Dogs", "bark"))


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@pytest.mark.parametrize("name", ["fronted", "marked"])
def test_as_many_sentences_without_a_match_and_of_the_same_lengths_change(folder, name) -> None:
    share = "fraction = 0.25"  # most sentences match
    made = prepared(manifest(folder, rewrite(name, share), CONTROL, f"{CONTROL}\nseed = 1"))
    matched = set(
        matching_sids(made.store("train"), made.plan.resolved.conditions["c1"].filters_of("rewrite")).tolist()
    )
    own, drawn, other = (made.edits(TextName.parse(condition)) for condition in ("c1", "c2", "c3"))
    assert set(own) <= matched and not set(drawn) & matched and set(drawn) != set(other)
    words = made.base().words
    assert len(drawn) >= 0.8 * len(own)  # a short sentence may lack the places
    assert abs(sum(words[sorted(own)]) - sum(words[sorted(drawn)])) <= 0.35 * sum(words[sorted(own)])
    assert sum(edit.removed for edit in drawn.values()) == sum(edit.removed for edit in own.values())
    base = read_lines(made.store("train"))
    if name == "fronted":
        texts = [(base[sid], drawn[sid].text) for sid in drawn]
        assert all(sorted(words_of(before)) == sorted(words_of(after)) for before, after in texts)
    else:
        assert all(len(edit.text.split()) == len(base[sid].split()) + 1 for sid, edit in drawn.items())


@pytest.mark.parametrize(("as_is", "text"), [(frozenset(), "Bark dogs."), (frozenset({"case"}), "bark Dogs.")])
def test_capitals_are_kept_where_the_rewrite_keeps_them(tmp_path, as_is, text) -> None:
    rows = ("1\t{}\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_", "2\t{}\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No")
    end = "3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_"
    blocks = ["\n".join([*(row.format(form) for row, form in zip(rows, forms, strict=True)), end]) for forms in FORMS]
    store = corpora.store(tmp_path, "".join(f"{block}\n\n" for block in blocks))
    model = EditedTree(read_stored(blocks[0], "Cats hiss."))
    model.order = [2, 1, 3]
    ((sid, rewritten),) = trees_with_changes(store, {0: Rewritten("Cats hiss.", model, None, as_is)}, [(0, 1)])
    assert (sid, rewritten.text) == (1, text)


def test_what_is_ordered_by_length_is_ordered_by_chance(folder) -> None:
    made = prepared(manifest(folder, rewrite("short-first"), CONTROL, f"{CONTROL}\nseed = 1"))
    texts = [lines(made, name) for name in ("full", "c1", "c2", "c3")]
    assert len({tuple(part) for part in texts}) == 4
    assert [len(line.split()) for line in texts[0]] == [len(line.split()) for line in texts[2]]


def test_a_control_of_pairs_has_pairs(folder) -> None:
    made = prepared(manifest(folder, rewrite("fronted", 'with = "original"', "fraction = 0.25"), CONTROL))
    assert not made.is_edited(TextName("c1")).all() and not made.is_edited(TextName("c2")).all()


def test_controls_with_different_removals_draw_different_sentences(folder) -> None:
    """They shared an edit, so the second lost the drawn sentences that it removes."""
    (folder / "f.fict").write_text('fict 1\nfilter the { match { W [lemma="the"] } }', encoding="utf-8")
    removal, other = 'remove = ["f.fict"]', rewrite("fronted", "fraction = 0.1")
    made = prepared(manifest(folder, other, CONTROL, f"{removal}\n{CONTROL}"))
    plan, alone = made.plan, planned(manifest(folder, other, f"{removal}\n{CONTROL}"))
    assert plan.edits[TextName("c2")].recipe != plan.edits[TextName("c3")].recipe == alone.edits[TextName("c2")].recipe
    removed = set(array(made, "c3", "removed").tolist())
    assert set(made.edits(TextName("c2"))) & removed and not set(made.edits(TextName("c3"))) & removed
    assert set(plan.edits[TextName("c2")].inputs) == {"random", "seed"}


def test_a_key_follows_the_other_condition_and_the_seed(folder) -> None:
    def key(condition: str, control: str = CONTROL) -> str:
        return planned(manifest(folder, condition, control)).edits[TextName("c2")].recipe

    assert len({key(rewrite("fronted")), key(rewrite("marked")), key(rewrite("fronted"), f"{CONTROL}\nseed = 1")}) == 3


@pytest.mark.parametrize(
    ("conditions", "code", "message"),
    [
        ([rewrite("shuffled"), CONTROL], "FICT656", "it permutes whole sentences"),
        (['rewrite = ["r.fict::short-first", "r.fict::fronted"]', CONTROL], "FICT656", "with a rewrite with `order`"),
        ([rewrite("fronted"), 'rewrite-random = "c3"'], "FICT605", "unknown condition `c3`"),
        (['remove = ["${filters}/fict15/passive.fict"]', CONTROL], "FICT605", "unknown condition `c1`"),
    ],
)
def test_a_mistake_is_refused_by_the_plan(folder, conditions, code, message) -> None:
    with pytest.raises(InputError) as caught:
        planned(manifest(folder, *conditions))
    assert any(problem.code == code and message in problem.message for problem in caught.value.diagnostics)


def test_too_few_sentences_without_a_match_are_refused(folder) -> None:
    (folder / "r.fict").write_text(
        "fict 1\nrewrite all { match { R -[nsubj]-> S } move node(R) before subtree(S) }", encoding="utf-8"
    )
    with pytest.raises(InputError) as caught:
        prepared(manifest(folder, 'rewrite = ["r.fict"]', CONTROL))
    assert [problem.code for problem in caught.value.diagnostics] == ["FICT640"]
