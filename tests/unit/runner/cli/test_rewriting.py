"""`fictc test` on rewrites: matches, texts and trees, and what `--accept` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import corpora
from tests.unit.runner.cli.conftest import Fictc

REWRITES = """fict 1
rewrite to-double-object {
  about "gave books to him → gave him books"
  match { V -[obj]-> T   V -[obl]-> R -[case]-> P   V << T << P }
  delete node(P)
  move subtree(R) before subtree(T)
  set R.deprel = iobj
}
rewrite backwards { about "All words." match { } reverse sentence }
filter object { about "An object." match { V -[obj]-> O } }
"""
AFTER = """1	She	she	PRON	_	_	2	nsubj	_	_
2	gave	give	VERB	_	_	0	root	_	_
3	him	he	PRON	_	_	2	iobj	_	_
4	books	book	NOUN	_	_	2	obj	_	SpaceAfter=No
5	.	.	PUNCT	_	_	2	punct	_	_

"""
GOOD = (
    "# rewrite = to-double-object\n# expect = match\n# bind = P:4\n# expect-text = She gave him books.\n" + corpora.SHE_GAVE_BOOKS
    + "# expect = rewritten\n" + AFTER
    + "# rewrite = to-double-object\n# expect = pass\n" + AFTER
    + "# rewrite = backwards\n# expect = match\n# expect-text = . books him gave She\n" + AFTER.replace("SpaceAfter=No", "_")
    + "# filter = object\n# expect = match\n" + corpora.SHE_GAVE_BOOKS
)  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lib" / "dative.fict"
    (path.parent / "examples").mkdir(parents=True)
    path.write_text(REWRITES)
    return path


def write(file: Path, examples: str) -> Path:
    path = file.parent / "examples" / f"{file.stem}.conllu"
    path.write_text(examples)
    return path


def test_texts_and_trees_are_compared(call: Fictc, file: Path) -> None:
    write(file, GOOD.replace(". books him gave She", ". Books him gave she"))
    ended = call("test", file)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("1 filter, 2 rewrites, 4 examples, run by the reference and the SQL: none failed.\n")


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("She gave him books.", "She gave books.", "expected the text `She gave books.`, found `She gave him books.`"),
        ("= She gave him books.", "=", "expected the text nothing (a dropped sentence), found `She gave"),
        ("PRON\t_\t_\t2\tiobj", "PRON\t_\t_\t2\tobl", "line 3 of the tree: expected `3 him he PRON _ _ 2 obl _ _`, found"),
        ("5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n# rew", "\n# rew", "line 5 of the tree: expected no line, found `5 . ."),
    ],
)  # fmt: skip
def test_a_difference_is_a_failure(call: Fictc, file: Path, before: str, after: str, problem: str) -> None:
    assert before in GOOD
    write(file, GOOD.replace(". books him gave She", ". Books him gave she").replace(before, after, 1))
    ended = call("test", file)
    assert "1 failed." in ended.out
    assert problem in ended.out


def test_control_characters_of_a_text_are_escaped(call: Fictc, file: Path) -> None:
    text = "\x1b[31mgave"
    write(file, f"# rewrite = backwards\n# expect = match\n# expect-text = {text}\n{corpora.SHE_GAVE_BOOKS}")
    out = call("test", file).out
    assert "[31mgave`, found `" in out
    assert "\x1b" not in out


def test_matches_that_are_left_out_are_counted(call: Fictc, file: Path) -> None:
    file.write_text("fict 1 rewrite r { match { A:VERB } delete subtree(A) }")
    write(file, f"# expect = match\n# expect-text = She\n{corpora.SHE_GAVE_BOOKS}")
    assert "matches left out: 1 invalid" in call("test", file).out


def test_a_sentence_may_be_dropped_or_left_as_it_is(call: Fictc, file: Path) -> None:
    file.write_text("fict 1 rewrite r { match { A:VERB } delete sentence } rewrite s { match { A:VERB } move node(A) after node(A) }")  # fmt: skip
    write(file, f"# rewrite = r\n# expect = match\n# expect-text =\n{corpora.SHE_GAVE_BOOKS}# rewrite = s\n# expect = match\n# expect-text = She gave books to him.\n{corpora.SHE_GAVE_BOOKS}# expect = rewritten\n{corpora.SHE_GAVE_BOOKS}")  # fmt: skip
    ended = call("test", file)
    assert ended.code == 0, ended.out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# filter = object\n# expect = match", "# filter = object\n# expect = match\n# expect-text = a"),
        ("# expect = pass", "# expect = pass\n# expect-text = a"),
        ("# rewrite = to-double-object\n# expect = pass", "# expect = rewritten"),
        ("# expect-text = She gave him books.", "# expect-text = a\n# expect-text = b"),
    ],
)
def test_what_cannot_be_expected(call: Fictc, file: Path, before: str, after: str) -> None:
    assert before in GOOD
    write(file, GOOD.replace(before, after, 1))
    assert [code for code, _, _ in call("test", file).problems] == ["FICT782"]


def test_a_rewrite_that_is_not_there(call: Fictc, file: Path) -> None:
    write(file, GOOD.replace("= backwards", "= backward"))
    ((code, message, _),) = call("test", file).problems
    assert code == "FICT781"
    assert message.startswith("no rewrite `backward` in ")


def test_a_rewrite_of_every_sentence_needs_no_sentence_that_passes(call: Fictc, file: Path) -> None:
    file.write_text("fict 1 rewrite backwards { match { } reverse sentence }")
    write(file, f"# expect = match\n{corpora.SHE_GAVE_BOOKS}")
    assert call("test", file, "--min", "1").code == 0
    (entry,) = json.loads(call("test", file, "--format", "json").out)["filters"]
    assert (entry["kind"], entry["match"]) == ("rewrite", 1)


def test_accepted_text_and_tree_hold_afterwards(call: Fictc, file: Path, tmp_path: Path) -> None:
    text = f"# sent_id = one\n# text = She gave books to him.\n{corpora.SHE_GAVE_BOOKS}# sent_id = two\n# text = She gave him books.\n{AFTER}"
    store = corpora.store(tmp_path / "store", text).path
    for name in ("to-double-object", "backwards"):
        for sentence in ("one", "two"):
            ended = call("test", f"{file}::{name}", "--accept", "-c", store, "--sentence", sentence)
            assert ended.code == 0, ended.err
    written = (file.parent / "examples" / "dative.conllu").read_text()
    assert "# expect-text = She gave him books.\n1\tShe" in written
    assert f"# expect = rewritten\n{AFTER}" in written
    assert written.count("# expect = rewritten") == 3
    ended = call("test", file)
    assert (ended.code, ended.out.count("none failed")) == (0, 1), ended.out
