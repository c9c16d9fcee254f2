"""`fictc perturb`: the same sentences as in a condition, and options that contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.corpus.import_conllu import import_files
from runner.model.tokenizer import train_bpe_tokenizer

CONLLU = """# text = It sees two dogs in town.
1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsees\tsee\tVERB\t_\tNumber=Sing|Person=3|Tense=Pres|VerbForm=Fin\t0\troot\t_\t_
3\ttwo\ttwo\tNUM\t_\t_\t4\tnummod\t_\t_
4\tdogs\tdog\tNOUN\t_\t_\t2\tobj\t_\t_
5\tin\tin\tADP\t_\t_\t6\tcase\t_\t_
6\ttown\ttown\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


@pytest.fixture
def store(tmp_path) -> Path:
    (tmp_path / "a.conllu").write_text(CONLLU, encoding="utf-8")
    import_files([tmp_path / "a.conllu"], tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture
def perturb(store, call):
    def run(*options: object) -> str:
        ended = call("perturb", "--corpus", store, *options)
        assert ended.code == 0, ended
        return ended.out

    return run


def test_words_are_written_one_sentence_a_line(perturb) -> None:
    assert perturb("--kind", "even-odd") == "It two in . sees dogs town\n"
    # default_rng(21) permutes three units as [1, 0, 2] and one as it is
    assert perturb("-k", "shuffle-local", "--window", "3", "--seed", "21") == "sees It two in dogs town .\n"
    assert perturb("-k", "hop", "--distance", "1") == "It see two <sg> dogs in town .\n"
    assert perturb("-k", "hop", "--lengths", "1", "5") == ""


def test_tokens_are_permuted_and_decoded_into_a_file(perturb, tmp_path) -> None:
    tokenizer = train_bpe_tokenizer(["It sees two dogs in town."] * 3, size=300)
    tokenizer.save_pretrained(tmp_path / "bpe")
    options = ("--unit", "token", "--tokenizer", str(tmp_path / "bpe"), "-o", str(tmp_path / "out.txt"))
    assert perturb("-k", "even-odd", *options) == ""
    row = tokenizer("It sees two dogs in town.")["input_ids"]
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == tokenizer.decode(row[::2] + row[1::2]) + "\n"
    perturb("-k", "hop", "--distance", "0", *options)
    assert (tmp_path / "out.txt").read_text(encoding="utf-8").split("<sg>")[0].strip() == "It see"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kind", "shuffel"], "'shuffle'"),
        (["--kind", "shuffle-local"], "require each other"),
        (["--kind", "shuffle", "--distance", "2"], "distance requires"),
        (["--kind", "shuffle", "--unit", "token"], "--tokenizer FOLDER require each other"),
        (["--kind", "hop", "--seed", "3"], "seed has no effect"),
    ],
)
def test_options_that_do_not_fit_are_named(call, store, options, message) -> None:
    ended = call("perturb", "--corpus", store, *options)
    assert ended.code == 2 and message in ended.err
