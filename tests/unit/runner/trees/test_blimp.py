"""BLiMP's sentences: every paradigm has templates, every sentence a tree, every tree the style of UD."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.corpus.import_conllu import import_files
from runner.corpus.sentence_arrays import read_values
from runner.fetch import data_sets
from runner.score.pair_formats import load_suite
from runner.score.suite_files import Pair
from runner.trees.blimp import COMMON, FOLDER, fields, write_trees
from runner.trees.templates import read_templates
from runner.trees.vocabulary import Vocabulary
from tests.support.small_language import vocabulary

PAIRS = 40  # of each paradigm


def test_every_paradigm_has_templates_in_one_field():
    counts = Counter(
        symbol for field in fields() for symbol in read_templates(FOLDER / COMMON, FOLDER / f"{field}.txt").rules
    )
    paradigms = [name.removesuffix(".jsonl") for name in data_sets()["blimp"].files]
    assert {paradigm: counts[paradigm] for paradigm in paradigms} == dict.fromkeys(paradigms, 1)
    assert len(fields()) == 12


def test_what_cannot_be_read_is_counted(tmp_path):
    pairs = [
        Pair("passive_1", "", "", 7, "Zorps are quibbed by zorps.", "These are."),
        Pair("unheard_of", "", "", 0, "This was.", "Was this."),
    ]
    output = io.StringIO()
    found = write_trees(pairs, Vocabulary(vocabulary(tmp_path)), output)
    counts = [(each.paradigm, each.field, each.sentences, each.trees, each.none) for each in found]
    assert counts == [("passive_1", "argument_structure", 2, 0, 2), ("unheard_of", "", 2, 0, 2)]
    assert output.getvalue() == ""


@pytest.fixture(scope="module")
def trees(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "blimp.conllu"
    pairs = load_suite(data / "blimp", limit=PAIRS).items
    words = Vocabulary(data / "blimp-vocabulary" / "vocabulary.csv")
    with path.open("w", encoding="utf-8") as file:
        coverages = write_trees(pairs, words, file)
    assert len(coverages) == 67
    assert {each.paradigm: each.trees for each in coverages} == {each.paradigm: 2 * PAIRS for each in coverages}
    return path


@pytest.mark.shared
def test_the_validator_of_ud_accepts_every_tree(trees):
    udtools = pytest.importorskip("udtools")
    report = io.StringIO()
    assert udtools.Validator(lang="en", level=3, output=report).validate_file(str(trees)).passed(), report.getvalue()


@pytest.mark.shared
def test_trees_are_imported_with_their_comments(trees, tmp_path):
    store = import_files([trees], tmp_path / "store")
    assert store.info.sentences == 67 * 2 * PAIRS
    assert Counter(read_values(store, "blimp::side")) == {"good": 67 * PAIRS, "bad": 67 * PAIRS}
    assert set(read_values(store, "blimp::field")) == set(fields())


@pytest.mark.shared
def test_shared_words_of_a_pair_have_one_analysis(trees):
    """In pairs whose words differ only in form, the good and the bad tree are the same."""
    blocks = dict(block.split("\n", 1) for block in trees.read_text(encoding="utf-8").split("\n\n") if block)
    arcs = {
        name.removeprefix("# sent_id = "): [row.split("\t")[6:8] for row in rows.split("\n") if row[0].isdigit()]
        for name, rows in blocks.items()
    }
    for paradigm in (
        "determiner_noun_agreement_1",
        "anaphor_gender_agreement",
        "regular_plural_subject_verb_agreement_2",
    ):
        for number in range(PAIRS):
            assert arcs[f"{paradigm}-{number}-good"] == arcs[f"{paradigm}-{number}-bad"]


@pytest.mark.shared
def test_the_command(data, tmp_path):
    files = [data / "blimp" / f"{paradigm}.jsonl" for paradigm in ("passive_1", "wh_island")]
    (tmp_path / "suite").mkdir()
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / "suite" / file.name).write_text("".join(lines[:3]), encoding="utf-8")
    words = data / "blimp-vocabulary" / "vocabulary.csv"
    texts = []
    for name in ("a.conllu", "b.conllu"):
        arguments = ["--suite", tmp_path / "suite", "--vocabulary", words, "-o", tmp_path / name]
        done = CliRunner().invoke(fictc, ["trees", "blimp", *map(str, arguments)])
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[1].split() == ["argument_structure", "passive_1", "6", "6", "0", "0"]
        assert f"{name}: trees of 12 of 12 sentences" in done.stderr
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    assert b"# sent_id = passive_1-0-good\n# blimp::uid = passive_1\n# blimp::field = argument_structure\n" in texts[0]
