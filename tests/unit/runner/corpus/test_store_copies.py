"""Parts of a store have its sentences, each once and as they were; merged, they are the store again, to the byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runner.corpus.annotate import AnnotateOptions, annotate
from runner.corpus.import_conllu import import_files
from runner.corpus.sentence_arrays import read_sentences
from runner.corpus.sentence_texts import conllu_blocks, original_texts
from runner.corpus.store import Store
from runner.corpus.store_copies import Part, consecutive_parts, merge, parts_by_key, split
from runner.corpus.store_writer import StoreWriter
from runner.errors import InputError
from tests.support.parsers import ToyParser

GENRES = ("news", None, "fiction", "News", "a/b", "fiction")


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 20)


def block(number: int, newline: str = "\n") -> str:
    genre = GENRES[number % len(GENRES)]
    comments = [*([f"# newdoc id = d{number}"] if number % 7 == 3 else []), f"# sent_id = {number}"]
    comments += [f"# genre = {genre}", "# genre = second"] if genre else []
    words = [
        f"{i}\tw{i}\tw\tNOUN\t_\t{'Case=Acc' if i == 3 else '_'}\t{i - 1}\tdep\t_\t_" for i in range(2, 2 + number % 4)
    ]
    return newline.join([*comments, f"1\tW{number}\tw\tNOUN\t_\t_\t0\troot\t_\t_", *words, "", ""])


def made(folder: Path, sizes: tuple[int, ...] = (25, 1, 14), *, first: int = 0) -> Store:
    """A store of a file for each size; the second has Windows line ends."""
    folder.mkdir()
    files, number = [], first
    for place, size in enumerate(sizes):
        files.append(folder / f"{'abc'[place]}.conllu")
        text = "".join(block(n, "\r\n" if place == 1 else "\n") for n in range(number, number + size))
        files[-1].write_bytes(text.encode())
        number += size
    return import_files(files, folder / "store")


def text(*stores: Store) -> str:
    return "".join(piece for store in stores for piece in conllu_blocks(store))


def parts(store: Store, found: list[Part], folder: Path) -> list[Store]:
    return [Store.open(path) for path in split(store, found, folder)]


@pytest.mark.parametrize("how", [{"sentences": 7}, {"words": 30}, {"parts": 4}, {"parts": 1}, {"sentences": 100}])
def test_runs_are_the_store_again(how: dict[str, int], tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    made_of = parts(store, consecutive_parts(store, **how), tmp_path / "parts")
    assert text(*made_of) == text(store)
    assert sum(part.info.words for part in made_of) == store.info.words
    assert merge(made_of, tmp_path / "again").key == store.key


def test_runs_have_the_sizes_asked_for(tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    lengths = read_sentences(store).words
    assert [int(part.mask.sum()) for part in consecutive_parts(store, sentences=7)] == [7, 7, 7, 7, 7, 5]
    by_words = [lengths[part.mask] for part in consecutive_parts(store, words=30)]
    assert all(part.sum() >= 30 > part[:-1].sum() for part in by_words[:-1])
    sizes = [int(lengths[part.mask].sum()) for part in consecutive_parts(store, parts=4)]
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) <= 2 * lengths.max()
    assert [part.name for part in consecutive_parts(store, sentences=1)][:2] == ["01", "02"]


def test_groups_by_source_and_by_comment(tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    assert [part.name for part in parts_by_key(store, "source")] == ["a.conllu", "b.conllu", "c.conllu"]
    found = parts_by_key(store, "meta.genre")
    assert [part.name for part in found] == ["news", "_", "fiction", "News~2", "a_b"]
    made_of = parts(store, found, tmp_path / "parts")
    for part, genre in zip(made_of, ("news", None, "fiction", "News", "a/b"), strict=True):
        blocks = text(part).replace("\r", "").split("\n\n")[:-1]
        assert {next(iter(re.findall("# genre = (.*)", each)), None) for each in blocks} == {genre}
    everywhere = [place for part in made_of for place in places(part)]
    assert sorted(everywhere) == sorted(places(store))
    assert len(set(everywhere)) == store.info.sentences
    assert merge(made_of, tmp_path / "all").info.sentences == store.info.sentences


@pytest.mark.parametrize("key", ["meta.genre", "meta.meta::genre"])
def test_comments_on_documents_apply_to_all_their_sentences(tmp_path: Path, key: str) -> None:
    word = "1\tW\tw\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    documents = [f"# newdoc id = {genre}\n# meta::genre = {genre}\n{word}{word}{word}" for genre in ("zeta", "alpha")]
    (tmp_path / "a.conllu").write_text(f"{word}{''.join(documents)}")
    found = parts_by_key(import_files([tmp_path / "a.conllu"], tmp_path / "store"), key)
    assert [(part.name, int(part.mask.sum())) for part in found] == [("_", 1), ("zeta", 3), ("alpha", 3)]


def test_names_of_parts_fit_into_the_file_system(tmp_path: Path) -> None:
    values = ("あ" * 120, "あ" * 121)
    content = "".join(f"# genre = {value}\n1\tD\td\tNOUN\t_\t_\t0\troot\t_\t_\n\n" for value in values)
    (tmp_path / "x.conllu").write_text(content)
    store = import_files([tmp_path / "x.conllu"], tmp_path / "made")
    found = parts_by_key(store, "meta.genre")
    assert [part.name for part in found] == ["あ" * 50, "あ" * 50 + "~2"]
    assert all(path.is_dir() for path in split(store, found, tmp_path / "parts"))


def places(store: Store) -> list[tuple[str, int, str | None]]:
    """Source, number in it, document and sent_id of each sentence: by what they are known in any store."""
    with store.connect() as connection:
        return connection.execute("SELECT source, number, sent_id, doc FROM sentences ORDER BY sid").fetchall()


def test_documents_run_on_where_a_part_begins_inside_one(tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    assert [
        place
        for part in parts(store, consecutive_parts(store, sentences=5), tmp_path / "parts")
        for place in places(part)
    ] == (places(store))


def test_a_comment_that_nobody_has_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        parts_by_key(made(tmp_path / "made"), "meta.gnre")
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.hint) == ("FICT787", "the nearest name is `meta.genre`")


def test_too_many_parts_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.corpus.store_copies.MAX_PARTS", 3)
    with pytest.raises(InputError) as caught:
        consecutive_parts(made(tmp_path / "made"), sentences=1)
    assert caught.value.diagnostics[0].code == "FICT788"


def test_stores_that_exist_are_not_replaced_by_accident(tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    found = consecutive_parts(store, parts=3)
    split(store, found[2:], tmp_path / "parts")
    with pytest.raises(InputError) as caught:
        split(store, found, tmp_path / "parts")
    assert caught.value.diagnostics[0].code == "FICT743"
    assert [path.name for path in (tmp_path / "parts").iterdir()] == ["3"]
    split(store, found, tmp_path / "parts", force=True)


def test_the_same_sentences_are_not_merged_twice(tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    one, two = parts(store, consecutive_parts(store, parts=2), tmp_path / "parts")
    for stores in ([one, two, one], [store, two]):
        with pytest.raises(InputError) as caught:
            merge(stores, tmp_path / "out")
        assert caught.value.diagnostics[0].code == "FICT779"
    assert not (tmp_path / "out").exists()


def test_files_with_the_same_name_are_told_apart(tmp_path: Path) -> None:
    one, two = made(tmp_path / "one", (3,)), made(tmp_path / "two", (3, 2), first=50)
    merged = merge([one, two], tmp_path / "out")
    assert [source.label for source in merged.info.sources] == ["one/store/a.conllu", "two/store/a.conllu", "b.conllu"]
    assert text(merged) == text(one, two)
    assert merged.info.features == {"Case": "feat_Case"}
    assert merged.counts.count("upos", "NOUN") == one.info.words + two.info.words


def annotated(folder: Path, content: str, parser: ToyParser) -> Store:
    folder.mkdir()
    (folder / "x.txt").write_text(content)
    return annotate([folder / "x.txt"], folder / "store", parser, AnnotateOptions(max_words=4))


def test_texts_keep_their_lines_and_one_parser(tmp_path: Path) -> None:
    one = annotated(tmp_path / "one", "A b.  C d\n\nThis is too long for it.\n", ToyParser())
    two = annotated(tmp_path / "two", "E f.\n G.", ToyParser())
    merged = merge([one, two], tmp_path / "out")
    assert "".join(original_texts(merged)) == "".join(original_texts(one)) + "".join(original_texts(two))
    assert merged.info.annotator == {key: value for key, value in one.info.annotator.items() if key != "job"}
    assert (merged.path / "left-out.tsv").read_text() == (one.path / "left-out.tsv").read_text()


def test_other_parsers_are_refused_or_noted(tmp_path: Path) -> None:
    one = annotated(tmp_path / "one", "A b.", ToyParser())
    two = annotated(tmp_path / "two", "C d.", ToyParser(version=2))
    for other in (two, made(tmp_path / "gold")):
        with pytest.raises(InputError) as caught:
            merge([one, other], tmp_path / "out")
        assert caught.value.diagnostics[0].code == "FICT789"
    noted = merge([one, two], tmp_path / "out", mixed=True).info.annotator
    assert [each["version"] for each in noted["annotators"].values()] == [1, 2]


def test_a_split_that_ends_early_leaves_no_part(tmp_path: Path) -> None:
    store = made(tmp_path / "made")
    passed = 0

    def stop(sentences: int) -> None:
        nonlocal passed
        passed += sentences
        if passed > store.info.sentences // 2:  # within the second part
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        split(store, consecutive_parts(store, parts=3), tmp_path / "parts", advance=stop)
    assert not (tmp_path / "parts").exists()
    assert len(split(store, consecutive_parts(store, parts=3), tmp_path / "parts")) == 3
