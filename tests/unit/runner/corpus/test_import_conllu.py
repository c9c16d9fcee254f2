"""Import keeps everything, refuses what is no tree, and publishes a store whole or not at all."""

from __future__ import annotations

import gzip
import lzma
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.reference.sentences import Sentence, read
from fictdsl.schema import FEATURE_PREFIX, identifier
from runner.corpus import import_conllu, sentence_texts
from runner.corpus.byte_columns import read_pieces
from runner.corpus.conllu_reader import read_trees
from runner.corpus.import_conllu import import_files
from runner.corpus.match_keys import metadata_query
from runner.corpus.run_query import run_query
from runner.corpus.store import Store
from runner.errors import InputError
from runner.workspace import sha256_file
from tests.support import corpora, tables
from tests.support.strategies.sentences import treebanks
from tests.support.tables import COPIES

TWO = (
    "# newdoc id = d1\n# sent_id = 1\n# text = Dogs bark.\n1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t2:nsubj\t_\n"
    "2\tbark\tbark\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No|W=1.5\n3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_\n\n"
    "# sent_id = 2\n1\tGo\tgo\tVERB\t_\tnumber=x\t0\troot\t_\t_\n\n"
)


def content(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all views, with every feature, in order."""
    connection = store.connect(store.info.features)
    keys = {"tokens": "sid, id", "misc": "sid, id, key, value", "meta": "ALL", "enhanced": "ALL"}
    columns = {"meta": "sid, key, value, num"}
    return {
        table: connection.execute(
            f"SELECT {columns.get(table, '*')} FROM {table} ORDER BY {keys.get(table, 'sid')}"
        ).fetchall()
        for table in ("tokens", "sentences", "misc", "meta", "enhanced", "raw")
    }


def test_what_a_store_holds(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO)
    assert (store.info.sentences, store.info.words, store.info.chunks) == (2, 4, 1)
    (source,) = store.info.sources
    assert (source.label, source.sentences, source.words, source.rejected) == ("corpus.conllu", 2, 4, 0)
    assert store.info.features == {"Number": "feat_Number", "number": "feat_number~2"}
    assert store.info.values["upos"] == {"VERB": 2, "NOUN": 1, "PUNCT": 1}
    found = content(store)
    dogs = (0, 1, 3, "Dogs", "dog", "NOUN", None, "nsubj", 2, "dogs", "dog", 2, 2, 2)
    copies = ("VERB", "root", "bark", 0, None, "VERB", "root")  # of bark, of no head above it, and of bark
    assert found["tokens"][0] == (*dogs, *copies, 4, 3, "Plur", None)
    assert found["sentences"] == [
        (0, "corpus.conllu", 1, "1", "d1", "Dogs bark.", 3, None),
        (1, "corpus.conllu", 2, "2", "d1", "Go", 1, None),
    ]
    assert found["misc"] == [(0, 2, "SpaceAfter", "No", None), (0, 2, "W", "1.5", 1.5)]
    assert (0, "newdoc id", "d1", None) in found["meta"]
    assert found["enhanced"] == [(0, 2, 1, "nsubj"), (0, 2, 3, "punct")]
    first, second = TWO.split("\n\n")[:2]
    assert found["raw"] == [(0, first, None), (1, second, None)]


def test_a_feature_named_like_a_tag_hides_no_counts(tmp_path: Path) -> None:
    text = TWO.replace("Number=Plur", "deprel=Zork|upos=x|xpos=y")
    store = corpora.store(tmp_path, text)
    assert store.info.values == {
        "upos": {"VERB": 2, "NOUN": 1, "PUNCT": 1},
        "deprel": {"root": 2, "nsubj": 1, "punct": 1},
        "number": {"x": 1},
    }
    counted = [("deprel", "root"), ("deprel", "Zork"), ("feat_deprel", "Zork"), ("xpos", "y"), ("feat_xpos", "y")]
    assert [store.counts.count(column, value) for column, value in counted] == [2, 0, 1, 0, 1]
    assert [note.code for note in import_conllu.corpus_notes(store)] == []


def test_features_are_columns_on_demand(tmp_path: Path) -> None:
    connection = corpora.store(tmp_path, TWO).connect(["NUMBER", "number", "Number"])
    names = [identifier(FEATURE_PREFIX + name) for name in ("NUMBER", "number", "Number")]
    listed = ", ".join(f'"{name}"' for name in names)
    found = connection.execute(f"SELECT {listed} FROM tokens ORDER BY sid, id").fetchall()
    assert found == [(None, None, "Plur"), (None, None, None), (None, None, None), (None, "x", None)]
    columns = [row[0] for row in connection.execute("DESCRIBE tokens").fetchall()]
    assert [name for name in columns if name.startswith(FEATURE_PREFIX)] == names


def _columns(connection: object) -> set[str]:
    return {row[0] for row in connection.execute("DESCRIBE tokens").fetchall()}  # type: ignore[attr-defined]


def _shared_columns(connection: object, table: str) -> list[tuple[object, ...]]:
    columns = {
        "sentences": "sid, number, sent_id, doc, text, length",
        "meta": "sid, key, value, num",
        "tokens": ", ".join(f'"{name}"' for name in sorted(_columns(connection) - COPIES)),
    }.get(table, "*")
    return connection.execute(f"SELECT {columns} FROM {table} ORDER BY ALL").fetchall()  # type: ignore[attr-defined]


@settings(max_examples=25)
@given(treebanks())
def test_a_store_says_what_the_plain_reader_says(sentences: list[Sentence]) -> None:
    """Trees → text → store equals trees → text → plain reader → tables, in every column of every table."""
    import tempfile

    text = corpora.conllu(sentences).replace("1.1:", "1:")  # empty nodes that are not there are refused
    with tempfile.TemporaryDirectory() as folder:
        store = corpora.store(Path(folder), text)
        ours = store.connect(sorted(store.info.features))
        plain = tables.connect(read(text))
        for table in ("tokens", "sentences", "misc", "meta", "enhanced"):
            assert _shared_columns(ours, table) == _shared_columns(plain, table)


@pytest.mark.shared
def test_real_treebanks_say_what_the_plain_reader_says(data: Path, tmp_path: Path) -> None:
    for file in (data / "ud-ewt/en_ewt-ud-dev.conllu", data / "ud-childes/Lily_Providence_eud_gold.conllu"):
        store = import_files([file], tmp_path / file.stem)
        ours = store.connect(sorted(store.info.features))
        plain = tables.connect(read(file.read_text(encoding="utf-8")))
        for table in ("tokens", "sentences", "misc", "meta", "enhanced"):
            assert _shared_columns(ours, table) == _shared_columns(plain, table)


def many(sentences: int) -> str:
    """Numbered sentences of two words; only the last third has a feature."""
    return "".join(
        f"# sent_id = s{i}\n1\tw{i}\tw\tNOUN\t_\t{'Number=Sing' if 3 * i > 2 * sentences else '_'}\t2\tnsubj\t_\t_\n"
        f"2\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
        for i in range(sentences)
    )


def test_chunks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One chunk or many: the same rows, and each chunk alone has its own sentences."""
    from runner.corpus import sorted_tokens, store_writer

    whole = corpora.store(tmp_path / "whole", many(300))
    monkeypatch.setattr(store_writer, "ROW_GROUP", 40)
    monkeypatch.setattr(sorted_tokens, "ROW_GROUP", 40)
    monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 100)
    parts = corpora.store(tmp_path / "parts", many(300))
    assert (whole.info.chunks, parts.info.chunks) == (1, 6)
    assert content(parts) == content(whole)
    query = 'SELECT min(sid), max(sid), count("feat_Number") FROM tokens'
    ranges = [parts.connect(["Number"], chunks=[i]).execute(query).fetchone() for i in range(6)]
    assert [r[:2] for r in ranges if r] == [(50 * i, 50 * i + 49) for i in range(6)]
    assert [r[2] for r in ranges if r] == [0, 0, 0, 0, 49, 50]


def test_two_imports_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = corpora.store(tmp_path / "1", many(50)), corpora.store(tmp_path / "2", many(50))
    assert one.key == two.key
    for name in one.files:
        assert (one.path / name).read_bytes() == (two.path / name).read_bytes()
    assert corpora.store(tmp_path / "3", many(51)).key != one.key


def test_malformed_sentences_stop_the_import(tmp_path: Path) -> None:
    bad = TWO.replace("\t2\tnsubj", "\t9\tnsubj")
    (tmp_path / "a").write_text(TWO)
    (tmp_path / "b").write_text(bad * 30)
    with pytest.raises(InputError) as caught:
        import_files([tmp_path / "a", tmp_path / "b"], tmp_path / "store")
    found = caught.value.diagnostics
    assert [d.code for d in found] == ["FICT712"] * 20 + ["FICT732"]
    assert found[-1].message == "10 more errors in these files"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_malformed_sentences_kept_aside(tmp_path: Path) -> None:
    bad = TWO.replace("\t2\tnsubj", "\t9\tnsubj")
    source = tmp_path / "x.conllu"
    source.write_text(TWO + bad)
    notes: list[Diagnostic] = []
    store = import_files([source], tmp_path / "store", on_error="skip", on_note=notes.append)
    assert [(s.sentences, s.rejected) for s in store.info.sources] == [(3, 1)]
    assert [d.code for d in notes] == ["FICT734", "FICT725", "FICT735"]
    reason = "# fictc: x.conllu:14: FICT712 the head 9 is out of range: the sentence has 3 words\n"
    assert (tmp_path / "store" / "rejected.conllu").read_text() == reason + bad.split("\n\n")[0] + "\n\n"
    assert "rejected.conllu" in store.files


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_a_document_begins_in_a_malformed_sentence(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where pieces end between the sentences."""
    monkeypatch.setattr(import_conllu, "read_pieces", partial(read_pieces, size=size))
    good, bad = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n", "1\tGo\tgo\tVERB\t_\t_\t9\troot\t_\t_\n\n"
    blocks = [
        *("# newdoc id = d1\n" + good, "# newdoc id = d2\n" + bad, bad, good, good),
        *("# newdoc id = d3\n" + bad, "# newdoc id = d4\n" + good, good),
        *("# newdoc id = d5\n" + bad, "# newdoc id = d6\n" + bad, good),
        *("# newdoc\n" + bad, good, "# newdoc id = d7\n" + bad),
    ]
    for name in ("a", "b"):  # no document continues in the next file
        (tmp_path / name).write_text("".join(blocks if name == "a" else [good]))
    store = import_files([tmp_path / "a", tmp_path / "b"], tmp_path / "store", on_error="skip")
    with store.connect(tables=["sentences"]) as connection:
        docs = [doc for (doc,) in connection.execute("SELECT doc FROM sentences ORDER BY sid").fetchall()]
    assert docs == ["d1", "d2", "d2", "d4", "d4", "d6", "a-7", None]


def test_a_feature_given_twice_in_two_normal_forms_is_malformed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(TWO.replace("Number=Plur", "e\u0301=1|\u00e9=2"))
    with pytest.raises(InputError) as caught:
        import_files([tmp_path / "a"], tmp_path / "store")
    assert [d.code for d in caught.value.diagnostics] == ["FICT719"]


def test_repeated_sent_ids_are_noted_with_their_number(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(TWO + TWO.replace("sent_id = 1", "sent_id = 3"))
    (tmp_path / "b").write_text(TWO.replace("sent_id = 2", "sent_id = 4"))
    notes: list[Diagnostic] = []
    import_files([tmp_path / "a", tmp_path / "b"], tmp_path / "store", on_note=notes.append)
    (note,) = [d for d in notes if d.code == "FICT725"]
    assert note.message == "not unique: 2 sent_ids, 1 of them in more than one file"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("empty.conllu", b"", "FICT730"),
        ("blank.conllu", b"\n\n \n", "FICT730"),
        ("half.conllu.gz", gzip.compress(TWO.encode(), mtime=0)[:-10], "FICT700"),
    ],
)
def test_what_is_no_corpus(name: str, data: bytes, code: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        corpora.store(tmp_path, data, name)
    assert caught.value.diagnostics[0].code == code
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_store_of_skipped_sentences_says_why_it_is_empty(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_text("1\ta\n\n1\tb\n\n")
    with pytest.raises(InputError) as caught:
        import_files([tmp_path / "x.conllu"], tmp_path / "store", on_error="skip")
    assert [(d.code, d.hint) for d in caught.value.diagnostics] == [
        ("FICT730", "2 malformed sentences skipped; without `--on-error skip`, the errors are listed")
    ]


def zipped(path: Path, members: list[tuple[str, str]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of names that occur twice
        for name, text in members:
            archive.writestr(name, text)
    return path


def test_an_archive_with_two_members_of_one_name_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "x.zip", [("a.conllu", TWO), ("b.conllu", TWO), ("a.conllu", many(3))])
    with pytest.raises(InputError) as caught:
        import_files([archive], tmp_path / "store")
    assert [(found.code, found.message) for found in caught.value.diagnostics] == [
        ("FICT738", f"{archive} contains a second file named `a.conllu`")
    ]
    assert not (tmp_path / "store").exists()


def test_a_folder_named_as_an_archive_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "one" / "x.zip", [("a.conllu", TWO)])
    files = [tmp_path / "other" / name / "a.conllu" for name in ("x.zip", "y.zip")]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text(TWO)
    with pytest.raises(InputError) as caught:
        import_files([archive, *files], tmp_path / "store")
    assert caught.value.diagnostics[0].code == "FICT738"


def test_of_two_imports_at_once_the_second_finds_the_store_there(tmp_path: Path) -> None:
    source, output = tmp_path / "corpus.conllu", tmp_path / "store"
    source.write_text(TWO)

    def other(*_: object) -> None:
        if not output.exists():
            import_files([source], output)

    with pytest.raises(InputError) as caught:
        import_files([source], output, progress=other)
    assert caught.value.diagnostics[0].code == "FICT743" and caught.value.diagnostics[0].hint == "`--force` replaces it"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.conllu", "store"]


def test_a_store_is_replaced_only_with_force(tmp_path: Path) -> None:
    first = corpora.store(tmp_path, TWO)
    source = tmp_path / "corpus.conllu"
    source.write_text(TWO * 2)
    with pytest.raises(InputError) as caught:
        import_files([source], first.path)
    assert caught.value.diagnostics[0].code == "FICT743" and caught.value.diagnostics[0].hint == "`--force` replaces it"
    assert Store.open(first.path).key == first.key
    assert import_files([source], first.path, force=True).info.sentences == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["corpus.conllu", "store"]


def test_what_is_no_store_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.txt").write_text("years of work")
    (tmp_path / "x.conllu").write_text(TWO)
    for target in (tmp_path / "folder", tmp_path / "x.conllu"):
        with pytest.raises(InputError) as caught:
            import_files([tmp_path / "x.conllu"], target, force=True)
        assert caught.value.diagnostics[0].code == "FICT744"
    (tmp_path / "empty").mkdir()
    assert import_files([tmp_path / "x.conllu"], tmp_path / "empty").info.sentences == 2


def test_a_source_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "x.conllu"
    source.write_text(many(2000))

    def touch(done: int, total: int) -> None:
        os.utime(source, ns=(1, 1))

    with pytest.raises(InputError) as caught:
        import_files([source], tmp_path / "store", progress=touch)
    assert caught.value.diagnostics[0].code == "FICT700"
    assert not (tmp_path / "store").exists()


def test_progress_ends_at_the_total(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(TWO)
    (tmp_path / "b").write_bytes(gzip.compress(TWO.encode()))
    seen: list[tuple[int, int]] = []
    import_files(
        [tmp_path / "a", tmp_path / "b"], tmp_path / "store", progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1][0] == seen[-1][1] == sum((tmp_path / name).stat().st_size for name in "ab")


@pytest.mark.slow
def test_killed_imports_leave_nothing_or_all(tmp_path: Path) -> None:
    source = tmp_path / "x.conllu"
    source.write_text(many(20_000))
    expected = import_files([source], tmp_path / "expected").key
    command = [sys.executable, "-m", "runner.cli", "import", str(source), "-o", str(tmp_path / "store")]
    for delay in (0.2, 0.4, 0.6, 0.8, 1.0, 1.2):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (tmp_path / "store").exists():
            assert Store.open(tmp_path / "store").key == expected
            shutil.rmtree(tmp_path / "store")
    subprocess.run(command, check=True)
    assert Store.open(tmp_path / "store").key == expected
    assert sorted(p.name for p in tmp_path.iterdir()) == ["expected", "store", "x.conllu"]


@given(st.data())
@settings(max_examples=8)
def test_sentence_order_changes_nothing_but_numbers(data: st.DataObject) -> None:
    import tempfile

    sentences = many(12).split("\n\n")[:-1]
    order = data.draw(st.permutations(range(12)))
    with tempfile.TemporaryDirectory() as folder:
        store = corpora.store(Path(folder), "".join(sentences[i] + "\n\n" for i in order))
        found = store.connect().execute("SELECT sid, form FROM tokens WHERE id = 1 ORDER BY sid").fetchall()
    assert found == [(position, f"w{i}") for position, i in enumerate(order)]


def test_processes_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several pieces, chunks, files (one of them packed) and rejected sentences, by one process and by several: the same
    bytes."""
    from runner.corpus import store_writer

    monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", 50_000)
    text, bad = many(60_000), TWO.replace("\t2\tnsubj", "\t9\tnsubj")
    (tmp_path / "a").write_text(bad + text + bad + text.replace("= s", "= t"))
    (tmp_path / "b").write_bytes(gzip.compress(TWO.encode()))
    (tmp_path / "c").write_text(bad)
    stores = []
    for jobs in (1, 2, 3):
        notes: list[Diagnostic] = []
        files = [tmp_path / name for name in "abc"]
        made = import_files(files, tmp_path / str(jobs), on_error="skip", jobs=jobs, on_note=notes.append)
        stores.append(made)
        assert [d.code for d in notes] == ["FICT734", "FICT725", "FICT735"]
    assert len({store.key for store in stores}) == 1
    assert stores[0].info.chunks > 2
    assert [(s.sentences, s.rejected) for s in stores[0].info.sources] == [(120_002, 2), (2, 0), (1, 1)]
    assert len({(store.path / "rejected.conllu").read_bytes() for store in stores}) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_changes_while_it_is_read(jobs: int, tmp_path: Path) -> None:
    source = tmp_path / "x.conllu"
    source.write_text(TWO)
    with pytest.raises(InputError) as caught:
        import_files([source], tmp_path / "store", jobs=jobs, progress=lambda _, __: os.utime(source, ns=(1, 1)))
    assert [d.code for d in caught.value.diagnostics] == ["FICT700"]
    assert "it was changed while it was read" in caught.value.diagnostics[0].message
    assert [path.name for path in tmp_path.iterdir()] == ["x.conllu"]


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress, lzma.compress])
def test_packed_files_give_the_same_rows(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_bytes(pack(TWO.encode()))
    store = import_files([tmp_path / "x.conllu"], tmp_path / "store")
    assert content(store) == content(corpora.store(tmp_path / "plain", TWO, "x.conllu"))


def test_an_archive_has_a_source_for_each_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ud/b.conllu", TWO)
        archive.writestr("ud/a.conllu", TWO.split("\n\n", maxsplit=1)[0] + "\n\n")
        archive.writestr("ud/README", "nothing")
        archive.writestr("__MACOSX/ud/._a.conllu", b"\0\5\x16\xb0")
    store = import_files([tmp_path / "x.zip"], tmp_path / "store")
    found = [(source.label, source.sentences) for source in store.info.sources]
    assert found == [("x.zip/ud/a.conllu", 1), ("x.zip/ud/b.conllu", 2)]


@pytest.mark.parametrize("names", [[], ["a.CONLLU", "a.conllu.gz", "._a.conllu"]])
def test_an_archive_without_trees_is_named(names: list[str], tmp_path: Path) -> None:
    archive = zipped(tmp_path / "x.zip", [(name, TWO) for name in names])
    with pytest.raises(InputError) as caught:
        import_files([archive], tmp_path / "store")
    assert [(found.code, found.message) for found in caught.value.diagnostics] == [
        ("FICT733", f"no *.conllu files in {archive}")
    ]


def test_a_folder_without_files_leaves_no_new_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="FICT733"):
        import_files([tmp_path / "empty"], tmp_path / "stores/new/store")
    assert not (tmp_path / "stores").exists()


def test_progress_of_an_archive_ends_with_its_total(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.conllu", many(200))
        archive.writestr("b.conllu", many(300))
        archive.writestr("README", "nothing" * 1_000)
    reported: list[tuple[int, int]] = []
    import_files([tmp_path / "x.zip"], tmp_path / "store", progress=lambda done, total: reported.append((done, total)))
    size = len(many(200).encode()) + len(many(300).encode())
    assert reported[-1] == (size, size)


def test_an_archive_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped(tmp_path / "x.zip", [(f"{number}.conllu", TWO) for number in range(5)])
    hashed: list[Path] = []
    monkeypatch.setattr(import_conllu, "sha256_file", lambda path: hashed.append(path) or sha256_file(path))
    store = import_files([archive], tmp_path / "store")
    assert hashed == [archive]
    assert {source.sha256 for source in store.info.sources} == {sha256_file(archive)}


@pytest.mark.parametrize(("offset", "value"), [(8, 99), (6, 1)])
def test_unsupported_archives_are_one_message(offset: int, value: int, tmp_path: Path) -> None:
    archive = zipped(tmp_path / "x.zip", [("a.conllu", TWO)])
    data = bytearray(archive.read_bytes())
    entry = data.index(b"PK\x01\x02")
    for position in (offset, entry + offset + 2):  # the local header, and the entry of the directory
        data[position : position + 2] = value.to_bytes(2, "little")
    archive.write_bytes(data)
    with pytest.raises(InputError) as caught:
        import_files([archive], tmp_path / "store")
    assert [d.code for d in caught.value.diagnostics] == ["FICT700"]
    assert "archives of this kind are not supported" in caught.value.diagnostics[0].message


def test_closed_standard_input_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError) as caught:
        import_files([Path("-")], tmp_path / "store")
    assert [d.message for d in caught.value.diagnostics] == ["- cannot be read: standard input is closed"]


@pytest.mark.parametrize("name", ["half.conllu.xz", "half.zip"])
def test_damaged_packing_is_one_message(name: str, tmp_path: Path) -> None:
    if name.endswith("xz"):
        data = lzma.compress(TWO.encode())[:-20]
    else:
        with zipfile.ZipFile(tmp_path / "whole", "w") as archive:
            archive.writestr("a.txt", TWO)
        data = (tmp_path / "whole").read_bytes()[:-20]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        import_files([tmp_path / name], tmp_path / "store")
    assert [d.code for d in caught.value.diagnostics] == ["FICT700"]
    assert not (tmp_path / "store").exists()


@pytest.mark.slow
def test_interrupted_imports_leave_nothing(tmp_path: Path) -> None:
    source = tmp_path / "x.conllu"
    source.write_text(many(600_000))
    command = [sys.executable, "-m", "runner.cli", "import", str(source), "-o", str(tmp_path / "store"), "--jobs", "2"]
    for delay in (1.0, 2.0):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (130, 0, -2)
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        assert [p.name for p in tmp_path.iterdir()] == ["x.conllu"]


@pytest.mark.shared
def test_real_treebanks_come_out_as_they_went_in(data: Path, tmp_path: Path) -> None:
    files = [*sorted((data / "ud-ewt").glob("*.conllu")), *sorted((data / "ud-childes").glob("*.conllu"))]
    store = import_files(files, tmp_path / "store", jobs=2)
    with (tmp_path / "out.conllu").open("wb") as out:
        sentence_texts.write_sentences(store, "conllu", out)
    assert (tmp_path / "out.conllu").read_bytes() == b"".join(file.read_bytes() for file in files)


def test_without_text(tmp_path: Path) -> None:
    """Nothing that is left spells a sentence; trees, lemmas, tags and other comments are those of the whole store."""
    bad = TWO.replace("\t2\tnsubj", "\t9\tnsubj").replace("Dogs", "Secret")
    (tmp_path / "a.conllu").write_text(TWO + bad.replace("Go", "Gone"))
    whole = import_files([tmp_path / "a.conllu"], tmp_path / "whole", on_error="skip")
    bare = import_files([tmp_path / "a.conllu"], tmp_path / "bare", on_error="skip", text=False)
    assert not any(word in path.read_bytes() for path in bare.path.rglob("*.*") for word in (b"Dogs", b"Secret"))
    query = "SELECT sid, id, lemma, upos, deprel, head, h_deprel, pre, last, depth, lemma_len FROM tokens ORDER BY ALL"
    assert bare.connect().execute(query).fetchall() == whole.connect().execute(query).fetchall()
    keys = "SELECT DISTINCT key FROM meta ORDER BY key"
    assert bare.connect().execute(keys).fetchall() == [("newdoc id",), ("sent_id",)]
    assert bare.counts.count("lemma_l", "dog") == 1
    for ask in (lambda: list(sentence_texts.sentence_texts(bare)), lambda: list(sentence_texts.conllu_blocks(bare))):
        with pytest.raises(InputError) as caught:
            ask()
        assert [d.code for d in caught.value.diagnostics] == ["FICT749"]


_ROWS = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
_MARK = "\ufeff"
FOREIGN = {
    "no text": (f"# text = \n{_ROWS}", ["FICT861"], ["dogs bark"]),
    "blanks": (f"#  text =  \t\n# text = dogs  bark\n{_ROWS}", ["FICT861"], ["dogs  bark"]),
    "other words": (f"# text = cats bark\n{_ROWS}", ["FICT862"], ["cats bark"]),
    "withheld": ("1\t_\t_\tX\t_\t_\t0\troot\t_\t_\n\n" + _ROWS, ["FICT863"], ["_", "dogs bark"]),
    "marks": (f"{_MARK}{_MARK}{_ROWS}{_MARK}# sent_id = 2\n{_ROWS}", ["FICT726", "FICT860"], ["dogs bark"] * 2),
    "Windows": (f"{_ROWS}{_MARK}{_ROWS}".replace("\n", "\r\n"), ["FICT727", "FICT860"], ["dogs bark"] * 2),
}


@pytest.mark.parametrize(("content", "codes", "texts"), FOREIGN.values(), ids=FOREIGN)
def test_deviations_of_the_text_are_noted(content, codes, texts, tmp_path):
    (tmp_path / "a.conllu").write_bytes(content.encode())
    notes = []
    store = import_files([tmp_path / "a.conllu"], tmp_path / "store", on_note=notes.append)
    assert [note.code for note in notes] == codes
    query = "SELECT text FROM sentences ORDER BY sid"
    rows = run_query(store, lambda connection: connection.execute(query).fetchall(), tables=["sentences"])
    assert [text for (text,) in rows] == texts


_PLUS = (
    "# global.columns = PARSEME:MWE FORM ID UPOS HEAD DEPREL MISC\n"
    "*\tDogs\t1\tNOUN\t2\tnsubj\t_\n1:V|ID\tbark\t2\tVERB\t0\troot\tSpaceAfter=No\n_\t.\t3\tPUNCT\t2\tpunct\t_\n\n"
)
_PLUS_READ = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tbark\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No|PARSEME:MWE=1:V\\pID\n3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
)


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress, lzma.compress])
@pytest.mark.parametrize("marks", ["", _MARK, _MARK * 2])
@pytest.mark.parametrize("jobs", [1, 2])
def test_conllu_plus_is_read_with_its_other_columns_in_misc(pack, marks, jobs, tmp_path):
    (tmp_path / "a.conllu").write_bytes(pack((marks + _PLUS * 2).encode()))
    notes = []
    store = import_files([tmp_path / "a.conllu"], tmp_path / "store", jobs=jobs, on_note=notes.append)
    assert "".join(sentence_texts.conllu_blocks(store)) == _PLUS_READ * 2
    assert notes[0].message == (
        "a.conllu is CoNLL-U Plus, read as CoNLL-U: `PARSEME:MWE` in MISC; without `LEMMA`, `XPOS`, `FEATS`, `DEPS`"
    )
    trees = list(read_trees(tmp_path / "a.conllu", "a"))
    assert [f"{tree.text}\n\n" for tree in trees] == [_PLUS_READ] * 2


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        ("# global.columns = ID LEMMA\n", "`global.columns` lacks `FORM`", 1),
        ("# global.columns =\n", "`global.columns` lacks `ID`, `FORM`", 1),
        ("# global.columns = ID FORM A A\n", "`global.columns` has `A` more than once", 1),
        (
            "# global.columns = ID FORM A=B\n",
            "`global.columns` has `A=B`, and a key of MISC has neither `=` nor `|`",
            1,
        ),
        (f"{_PLUS}*\tDogs\t1\n\n", "3 columns instead of the 7 that `global.columns` names", 6),
    ],
)
def test_a_header_or_row_of_conllu_plus_that_is_wrong_has_its_line(content, message, line, tmp_path):
    (tmp_path / "a.conllu").write_text(content)
    with pytest.raises(InputError) as caught:
        import_files([tmp_path / "a.conllu"], tmp_path / "store", on_error="skip")
    (problem,) = caught.value.diagnostics
    assert (problem.message, problem.source.position(problem.span.start)[0]) == (message, line)


def test_a_store_without_text_has_no_lemma_of_a_withheld_word(tmp_path):
    (tmp_path / "a.conllu").write_text("1\t_\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    notes = []
    store = import_files([tmp_path / "a.conllu"], tmp_path / "store", text=False, on_note=notes.append)
    query = "SELECT lemma, lemma_l FROM tokens"
    assert run_query(store, lambda connection: connection.execute(query).fetchall(), tables=["tokens"]) == [
        (None, None)
    ]
    assert notes == []


def test_keys_of_comments_have_any_spaces_and_only_names_have_genres(tmp_path):
    documents = ("newdoc   id  =  news-1", "newdoc", "newdoc\tid=blog_2")
    (tmp_path / "fiction_a.conllu").write_text("".join(f"#  {document}\n{_ROWS}" for document in documents))
    store = import_files([tmp_path / "fiction_a.conllu"], tmp_path / "store")
    query, parameters = metadata_query("genre")
    rows = run_query(
        store,
        lambda connection: connection.execute(f"SELECT value FROM ({query}) ORDER BY sid", parameters).fetchall(),
        tables=["sentences", "meta"],
    )
    assert rows == [("news",), (None,), ("blog",)]
