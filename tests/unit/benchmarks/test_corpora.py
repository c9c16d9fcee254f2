"""The replicated treebanks: as many words as asked, the same trees, no two texts the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora import NoSentencesError, read, syllables, templates, write
from runner.corpus.import_conllu import import_files

EXAMPLES = Path(__file__).parents[3] / "filters" / "fict15" / "examples"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("made") / "5k.conllu"
    write(sorted(EXAMPLES.glob("*.conllu")), 5_000, target)
    return target


def test_a_corpus_has_the_words_asked_for_and_every_sentence_is_a_tree(made: Path, tmp_path: Path) -> None:
    info = import_files([made], tmp_path / "store").info
    assert 5_000 <= info.words < 5_100


def test_texts_and_sent_ids_are_all_different(made: Path) -> None:
    comments = [comment for comments, _ in read([made]) for comment in comments]
    for key in ("# text = ", "# sent_id = "):
        values = [comment for comment in comments if comment.startswith(key)]
        assert len(values) == len(set(values)) > 500


def test_the_text_is_that_of_the_words(made: Path) -> None:
    for comments, rows in read([made]):
        text, inside = "", 0
        for row in rows:
            if "-" in row[0]:
                inside = int(row[0].split("-")[1])
            elif int(row[0]) <= inside:
                continue
            text += row[1] + ("" if "SpaceAfter=No" in row[9] else " ")
        assert f"# text = {text.rstrip()}" in comments


def test_a_replica_has_the_same_trees_and_words_with_the_same_tags(made: Path) -> None:
    columns = slice(3, 8)
    source = [[row[columns] for row in rows] for _, rows in read(sorted(EXAMPLES.glob("*.conllu")))]
    trees = [[row[columns] for row in rows] for _, rows in read([made])]
    replica = trees.index(trees[0], 1)
    assert trees[:replica] == trees[replica : 2 * replica]
    assert all(tree in source for tree in trees[:replica])


def test_a_replica_has_other_nouns_in_the_same_places(made: Path) -> None:
    nouns: dict[str, list[str]] = {"0": [], "1": []}
    for comments, rows in read([made]):
        replica = next(comment for comment in comments if comment.startswith("# sent_id")).rpartition("-r")[2]
        nouns.get(replica, []).extend(row[1] for row in rows if row[3] == "NOUN")
    same = sum(one == two for one, two in zip(nouns["0"], nouns["1"], strict=True))
    assert same < len(nouns["0"]) / 20


def test_the_same_arguments_give_the_same_bytes(made: Path, tmp_path: Path) -> None:
    write(sorted(EXAMPLES.glob("*.conllu")), 5_000, tmp_path / "again.conllu")
    assert (tmp_path / "again.conllu").read_bytes() == made.read_bytes()


def test_multiword_tokens_follow_their_words(tmp_path: Path) -> None:
    rows = [
        "1-2\tdog's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        "1\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_",
        "2\t's\t's\tPART\tPOS\t_\t1\tcase\t_\t_",
        "3\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_",
    ]
    source = tmp_path / "source.conllu"
    source.write_text("# text = dog's!\n" + "\n".join(rows) + "\n\n")
    write([source], 6, tmp_path / "made.conllu")
    first, second = read([tmp_path / "made.conllu"])
    assert (first[1][0][1], first[1][1][1]) == ("dog's", "dog")
    suffixed = "dog" + syllables(2)
    assert (second[1][0][1], second[1][1][1:3]) == (f"{suffixed}'s", [suffixed, suffixed])
    assert f"# text = {suffixed}'s!" in second[0]


WORDS = ("1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n", "2\t{}\t{}\tVERB\tVB\t_\t0\troot\t_\t_\n\n")


def test_sentences_without_a_text_are_different_if_their_words_are(tmp_path: Path) -> None:
    source = tmp_path / "source.conllu"
    source.write_text("".join("".join(WORDS).format(verb, verb) for verb in ("bark", "sleep", "bark")))
    assert [sentence.text.split()[1] for sentence in templates([source])[0]] == ["bark", "sleep"]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", [None, "", "1\t!\t!\tPUNCT\t.\t_\t0\troot\t_\t_\n\n"])
def test_a_corpus_needs_a_sentence(tmp_path: Path, text: str | None) -> None:
    source = tmp_path / "source.conllu"
    source.write_text(text or "")
    with pytest.raises(NoSentencesError, match="--treebanks" if text is None else "source.conllu can"):
        write([] if text is None else [source], 6, tmp_path / "made.conllu")
    assert list(tmp_path.iterdir()) == [source]


def test_syllables_are_never_the_same() -> None:
    assert len({syllables(number) for number in range(1, 20_000)}) == 19_999
