"""Raw text becomes a store that can give every byte of it back, however often the work was interrupted."""

from __future__ import annotations

import gzip
import json
import lzma
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus import raw_text
from runner.corpus.annotate import AnnotateOptions, annotate
from runner.corpus.sentence_texts import original_texts, sentence_texts
from runner.corpus.store import Store
from runner.corpus.unit_records import ParsedSentence
from runner.errors import InputError
from tests.support.parsers import ToyParser

TEXT = "The dog barks. It cannot stop!\n\n  Two  spaces.\tA tab , here. \n \t\nNo stop\nLast. One.No space"


LINES = AnnotateOptions()
TOY = ToyParser()


def made(folder: Path, text: str | bytes, options: AnnotateOptions = LINES, parser: ToyParser = TOY) -> Store:
    source = folder / "x.txt"
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    return annotate([source], folder / "store", parser, options)


def test_a_shard_of_blank_lines_is_not_parsed(tmp_path: Path) -> None:
    class NeverEmpty(ToyParser):
        def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
            assert texts  # Stanza returns no document for an empty list of pretokenized texts
            return super().parse(texts, max_words)

    text = "\n" * (2 * raw_text.SHARD_UNITS) + "The dog barks."
    store = made(tmp_path, text, parser=NeverEmpty())
    assert "".join(original_texts(store)) == text


def test_a_store_without_sentences_names_what_was_left_out(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        made(tmp_path, "The dog barks. It stops.", AnnotateOptions(max_words=2))
    assert [(d.code, d.hint) for d in caught.value.diagnostics] == [
        ("FICT730", "left out: 2 sentences of more than 2 words")
    ]
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError) as caught:
        made(tmp_path / "other", "a\0b")
    assert [d.hint for d in caught.value.diagnostics] == [
        "left out: 1 malformed tree (the character NUL (U+0000) is not allowed in a corpus)"
    ]
    made(tmp_path / "other", "The dog barks.")  # the failed work does not stand in the way of other work


def mapping(store: Store) -> list[tuple[object, ...]]:
    import duckdb

    path = store.path / "lines.parquet"
    query = f"SELECT line, first, last, skipped FROM '{path}' ORDER BY line"
    return duckdb.connect().execute(query).fetchall()


def test_lines_and_sentences(tmp_path: Path) -> None:
    store = made(tmp_path, TEXT)
    assert list(sentence_texts(store)) == [
        "The dog barks.",
        "It cannot stop!",
        "Two  spaces.",
        "A tab , here.",
        "No stop",
        "Last.",
        "One.",
        "No space",
    ]
    assert "".join(original_texts(store)) == TEXT
    assert mapping(store) == [
        (1, 0, 1, 0),
        (2, None, None, 0),
        (3, 2, 3, 0),
        (4, None, None, 0),
        (5, 4, 4, 0),
        (6, 5, 7, 0),
    ]
    blocks = store.connect().execute("SELECT conllu FROM raw ORDER BY sid").fetchall()
    assert blocks[1][0] == (
        "# sent_id = x.txt-1-2\n# line = 1\n# text = It cannot stop!\n1\tIt\tit\tX\t_\t_\t0\troot\t_\t_\n"
        "2-3\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n2\tcan\tcan\tX\t_\t_\t1\tdep\t_\t_\n3\tnot\tnot\tX\t_\t_\t2\tdep\t_\t_\n"
        "4\tstop\tstop\tX\t_\t_\t3\tdep\t_\tSpaceAfter=No\n5\t!\t!\tX\t_\t_\t4\tdep\t_\t_"
    )
    last = [row.rpartition("\t")[2] for (block,) in blocks[5:] for row in block.split("\n")[-1:]]
    assert last == ["_", "SpaceAfter=No", "_"]
    rebuilt = store.connect().execute("SELECT sid FROM raw WHERE rebuilt IS NOT NULL ORDER BY sid").fetchall()
    assert rebuilt == [(2,)]  # two spaces between words are kept in the text, not in the tokens


ODD = st.text(st.sampled_from("aB.! \t\r\n\u00a0\u0085\u2028\ufeff\0é́cannot#="), max_size=40)


@settings(max_examples=60)
@given(ODD, st.sampled_from(["lines", "text"]), st.integers(1, 6))
@example("\ufeffcannot a", "lines", 6)
@example("a\rb.\r\n", "lines", 6)
@example("a\nb. c\n\nd", "text", 6)
def test_every_text_comes_back(text: str, mode: raw_text.Mode, longest: int) -> None:
    """Any text, whatever it holds, whatever is left out of it: the store spells it exactly."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            store = made(Path(folder), text, AnnotateOptions(mode, max_words=longest))
        except InputError as error:  # a text without a sentence, or with none that was kept
            assert error.diagnostics[0].code == "FICT730"
            return
        assert "".join(original_texts(store)) == text
        flat = text.replace("\n", " ").replace("\r", " ")
        assert all(surface in flat for surface in sentence_texts(store))


def test_a_paragraph_may_have_line_breaks(tmp_path: Path) -> None:
    text = "One sentence\nover two lines. And\nmore.\n\nNext."
    store = made(tmp_path, text, AnnotateOptions("text"))
    assert list(sentence_texts(store)) == ["One sentence over two lines.", "And more.", "Next."]
    assert mapping(store) == [(1, 0, 1, 0), (4, None, None, 0), (5, 2, 2, 0)]
    assert "".join(original_texts(store)) == text


def test_only_the_first_lines_with_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n\ntwo\n")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"three\n"))
    (tmp_path / "c.txt.xz").write_bytes(lzma.compress(b"four\n\nfive\n"))
    store = annotate([tmp_path], tmp_path / "store", ToyParser(), AnnotateOptions(max_units=4))
    assert list(sentence_texts(store)) == ["one", "two", "three", "four"]
    assert [(s.label, s.sentences) for s in store.info.sources] == [("a.txt", 2), ("b.txt.gz", 1), ("c.txt.xz", 1)]
    assert "".join(original_texts(store)) == "one\n\ntwo\nthree\nfour\n"


def test_long_sentences_are_left_out_and_listed(tmp_path: Path) -> None:
    notes: list[Diagnostic] = []
    source = tmp_path / "x.txt"
    source.write_text("a b. c d e f g h. i\nj k l m n o\np")
    options = AnnotateOptions(max_words=4)
    store = annotate([source], tmp_path / "store", ToyParser(), options, on_note=notes.append)
    assert list(sentence_texts(store)) == ["a b.", "i", "p"]
    listed = (store.path / "left-out.tsv").read_text()
    assert listed == "x.txt\t1\t7\tc d e f g h.\nx.txt\t2\t6\tj k l m n o\n"
    assert mapping(store) == [(1, 0, 1, 1), (2, None, None, 1), (3, 2, 2, 0)]
    assert [d.code for d in notes] == ["FICT759"]
    assert "".join(original_texts(store)) == source.read_text()


def test_what_made_the_store_is_in_it(tmp_path: Path) -> None:
    annotator = made(tmp_path, TEXT).info.annotator
    assert annotator is not None
    assert (annotator["tool"], annotator["text"]["mode"], annotator["text"]["max_tokens"]) == ("toy", "lines", 200)


def contents(store: Store) -> dict[str, bytes]:
    return {str(p.relative_to(store.path)): p.read_bytes() for p in store.path.rglob("*") if p.is_file()}


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_text, "SHARD_UNITS", 3)


@pytest.mark.usefixtures("small_shards")
def test_a_failure_costs_one_shard(tmp_path: Path) -> None:
    """What was done before an error is not done again, and the store is the same to the byte."""
    text = "".join(f"Line {i} is here. Yes.\n" for i in range(20))
    with pytest.raises(RuntimeError):
        made(tmp_path, text, parser=ToyParser(fail="Line 10 "))
    assert not (tmp_path / "store").exists()
    assert len(list((tmp_path / "store.unfinished").glob("*.jsonl.gz"))) == 3
    parsed: list[str] = []

    class Counting(ToyParser):
        def parse(self, texts, max_words):  # type: ignore[no-untyped-def]
            parsed.extend(texts)
            return super().parse(texts, max_words)

    store = made(tmp_path, text, parser=Counting())
    assert len(parsed) == 11
    (tmp_path / "whole").mkdir()
    assert contents(store) == contents(made(tmp_path / "whole", text))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store", "whole", "x.txt"]


@pytest.mark.usefixtures("small_shards")
def test_a_damaged_shard_is_done_again(tmp_path: Path) -> None:
    text = "".join(f"Line {i}.\n" for i in range(9))
    with pytest.raises(RuntimeError):
        made(tmp_path, text, parser=ToyParser(fail="Line 7"))
    for number, damage in enumerate((lambda b: b[:-20], lambda b: b[:30] + bytes([b[30] ^ 4]) + b[31:])):
        path = tmp_path / "store.unfinished" / f"{number:06d}.jsonl.gz"
        path.write_bytes(damage(path.read_bytes()))
    store = made(tmp_path, text)
    assert list(sentence_texts(store)) == [line for line in text.split("\n") if line]


@pytest.mark.usefixtures("small_shards")
def test_a_shard_that_cannot_be_read_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"Line {i}.\n" for i in range(9))
    with pytest.raises(RuntimeError):
        made(tmp_path, text, parser=ToyParser(fail="Line 7"))
    shard = tmp_path / "store.unfinished" / "000000.jsonl.gz"
    content, read_bytes = shard.read_bytes(), Path.read_bytes

    def refuse_shard(path: Path) -> bytes:
        if path == shard:
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse_shard)
    with pytest.raises(PermissionError):
        made(tmp_path, text)
    assert read_bytes(shard) == content


@pytest.mark.usefixtures("small_shards")
def test_work_with_a_setting_that_is_gone_is_not_resumed(tmp_path: Path) -> None:
    text = "".join(f"Line {i}.\n" for i in range(9))
    with pytest.raises(RuntimeError):
        made(tmp_path, text, parser=ToyParser(fail="Line 7"))
    job = tmp_path / "store.unfinished" / "job.json"
    job.write_text(json.dumps({**json.loads(job.read_text()), "seed": 1}), encoding="utf-8")
    with pytest.raises(InputError, match=r"FICT758.*different seed"):
        made(tmp_path, text)


@pytest.mark.usefixtures("small_shards")
def test_other_work_is_not_resumed(tmp_path: Path) -> None:
    text = "".join(f"Line {i}.\n" for i in range(9))
    with pytest.raises(RuntimeError):
        made(tmp_path, text, parser=ToyParser(fail="Line 7"))
    for change in (
        {"parser": ToyParser(version=2)},
        {"options": AnnotateOptions(max_words=9)},
        {"text": text + "More.\n"},
    ):
        with pytest.raises(InputError) as caught:
            made(tmp_path, **{"text": text, **change})  # type: ignore[arg-type]
        assert caught.value.diagnostics[0].code == "FICT758"
        assert "`--force` starts over" in (caught.value.diagnostics[0].hint or "")
    source = tmp_path / "x.txt"
    store = annotate([source], tmp_path / "store", ToyParser(version=2), AnnotateOptions(), force=True)
    assert store.info.sentences == 10


def test_the_same_work_is_not_done_twice(tmp_path: Path) -> None:
    first = made(tmp_path, TEXT)
    assert made(tmp_path, TEXT, parser=ToyParser(fail="dog")).key == first.key
    with pytest.raises(InputError) as caught:
        made(tmp_path, TEXT + "\nMore.")
    assert caught.value.diagnostics[0].code == "FICT743"


@pytest.mark.parametrize(
    ("name", "data", "code", "line"),
    [
        ("x.txt", b"fine\n\nbr\xc3oken\n", "FICT701", 3),
        ("x.txt.gz", gzip.compress(b"fine\n" * 1000, mtime=0)[:-10], "FICT700", None),
        ("x.txt", b"", "FICT730", None),
        ("x.txt", b"\n \n\t\n", "FICT730", None),
    ],
)
def test_mistakes_in_the_text(name: str, data: bytes, code: str, line: int | None, tmp_path: Path) -> None:
    """They are found before the parser is loaded."""
    (tmp_path / name).write_bytes(data)

    def never() -> ToyParser:
        pytest.fail("the models were loaded")

    with pytest.raises(InputError) as caught:
        annotate([tmp_path / name], tmp_path / "store", never, AnnotateOptions())
    (found,) = caught.value.diagnostics
    assert found.code == code
    if line is not None:
        assert found.source is not None
        assert found.span is not None
        assert found.source.position(found.span.start) == (line, 3)


@pytest.mark.usefixtures("small_shards")
def test_progress_counts_what_was_done_before(tmp_path: Path) -> None:
    text = "".join(f"Line {i}.\n\n" for i in range(9))
    with pytest.raises(RuntimeError):
        made(tmp_path, text, parser=ToyParser(fail="Line 7"))
    seen: list[tuple[int, int]] = []
    annotate(
        [tmp_path / "x.txt"], tmp_path / "store", ToyParser(), AnnotateOptions(), progress=lambda *n: seen.append(n)
    )
    assert seen[-1] == (9, 9)
    assert seen == sorted(seen)


def test_several_processes_give_the_same_bytes(tmp_path: Path) -> None:
    text = "".join(f"Line {i} cannot be long. It is short.\n" for i in range(1500))
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = made(tmp_path / "one", text)
    two = made(tmp_path / "two", text, AnnotateOptions(jobs=2))
    assert contents(one) == contents(two)


def test_a_process_that_dies_is_an_input_error(tmp_path: Path) -> None:
    text = "".join(f"Line {i}.\n" for i in range(1200))
    with pytest.raises(InputError) as caught:
        made(tmp_path, text, AnnotateOptions(jobs=2), ToyParser(die="Line 700."))
    assert caught.value.diagnostics[0].code == "FICT760"
    assert made(tmp_path, text).info.sentences == 1200


_RUN = """
import sys
from pathlib import Path
from runner.corpus import raw_text
raw_text.SHARD_UNITS = 5
from runner.corpus.annotate import AnnotateOptions, annotate
from tests.support.parsers import ToyParser
folder = Path(sys.argv[1])
annotate([folder / "x.txt"], folder / "store", ToyParser(delay=float(sys.argv[2])), AnnotateOptions())
"""


def test_killed_and_resumed_gives_the_same_bytes(tmp_path: Path) -> None:
    """`kill -9` at several moments, then the same command: the store of an uninterrupted run, byte for byte."""
    text = "".join(f"Line {i} is here. It cannot stay.\n" for i in range(100))
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for folder in (killed, whole):
        folder.mkdir()
        (folder / "x.txt").write_text(text)
    command = [sys.executable, "-c", _RUN, str(killed)]
    progress = []
    for _ in range(4):
        process = subprocess.Popen([*command, "0.01"])
        started = len(list(killed.glob("store.unfinished/*.gz")))
        deadline = time.monotonic() + 20
        while len(list(killed.glob("store.unfinished/*.gz"))) < started + 3 and time.monotonic() < deadline:
            time.sleep(0.005)
        process.kill()
        process.wait()
        progress.append(len(list(killed.glob("store.unfinished/*.gz"))))
    assert progress == sorted(set(progress))
    subprocess.run([*command, "0"], check=True)
    subprocess.run([sys.executable, "-c", _RUN, str(whole), "0"], check=True)
    assert contents(Store.open(killed / "store")) == contents(Store.open(whole / "store"))
    assert sorted(p.name for p in killed.iterdir()) == ["store", "x.txt"]


def test_a_nul_in_one_sentence_is_named_with_the_store(tmp_path: Path) -> None:
    notes: list[Diagnostic] = []
    (tmp_path / "x.txt").write_text("The dog barks.\nThe\0 cat.\n")
    annotate([tmp_path / "x.txt"], tmp_path / "store", ToyParser(), AnnotateOptions(), on_note=notes.append)
    assert [(note.code, note.hint) for note in notes] == [
        ("FICT734", "the character NUL (U+0000) is not allowed in a corpus")
    ]
