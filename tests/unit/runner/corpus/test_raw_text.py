"""Lines of JSON become documents with comments, and come back to the byte."""

from __future__ import annotations

import gzip
import json
import lzma
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.corpus.annotate import AnnotateOptions, annotate
from runner.corpus.raw_text import Mode
from runner.corpus.sentence_texts import original_texts, sentence_texts, unit_texts
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support.parsers import ToyParser

LINES = (
    '{"text": "The dog barks. It stops.", "id": "a 1", "genre": "web", "year": 1999, "tags": ["x", "y"]}\n'
    "\n"
    '{"id": 7, "by": {"name": "Zo\\u00eb", "age": null}, "text": "Caf\\u00e9s open.\\nNo stop\\n\\nLast."}\n'
    '{"text": "", "line": 3}\n'
    '{"text": "Été.", "line": "x = y", "ok": true}'
)


def made(folder: Path, text: str, options: AnnotateOptions = AnnotateOptions(), name: str = "x.jsonl") -> Store:  # noqa: B008
    compress = {".gz": gzip.compress, ".xz": lzma.compress}.get(Path(name).suffix, bytes)
    (folder / name).write_bytes(compress(text.encode()))
    return annotate([folder / name], folder / "store", ToyParser(), options)


def test_fields_are_comments_and_objects_documents(tmp_path: Path) -> None:
    store = made(tmp_path, LINES)
    assert list(sentence_texts(store)) == ["The dog barks.", "It stops.", "Cafés open.", "No stop", "Last.", "Été."]
    assert "".join(original_texts(store)) == LINES
    with store.connect() as connection:
        rows = connection.execute("SELECT sent_id, doc FROM sentences ORDER BY sid").fetchall()
        meta = connection.execute("SELECT sid, key, value FROM meta WHERE sid IN (1, 2, 5)").fetchall()
    assert rows == [
        ("x.jsonl-1-1", "a 1"),
        ("x.jsonl-1-2", "a 1"),
        ("x.jsonl-3.1-1", "7"),
        ("x.jsonl-3.2-1", "7"),
        ("x.jsonl-3.4-1", "7"),
        ("x.jsonl-5-1", "x.jsonl-5"),
    ]
    own = {"sent_id", "text"}
    assert sorted(row for row in meta if row[1] not in own) == [
        (1, "genre", "web"),
        (1, "id", "a 1"),
        (1, "line", "1"),
        (1, "tags", "x"),
        (1, "tags", "y"),
        (1, "year", "1999"),
        (2, "by.name", "Zoë"),
        (2, "id", "7"),
        (2, "line", "3"),
        (2, "newdoc id", "7"),
        (5, "line", "5"),
        (5, "line_", "x = y"),
        (5, "newdoc id", "x.jsonl-5"),
        (5, "ok", "true"),
    ]


def test_a_null_id_names_no_document_and_nul_is_a_space(tmp_path: Path) -> None:
    lines = '{"id": null, "note\\u0000": "a\\u0000b", "text": "It stops."}\n{"id": "x\\u0000y", "text": "It stops."}\n'
    store = made(tmp_path, lines)
    with store.connect() as connection:
        documents = connection.execute("SELECT doc FROM sentences ORDER BY sid").fetchall()
        notes = connection.execute("SELECT value FROM meta WHERE key = 'note'").fetchall()
    assert documents == [("x.jsonl-1",), ("x y",)]
    assert notes == [("a b",)]
    assert "".join(original_texts(store)) == lines


def test_the_text_of_a_line_is_what_was_in_it(tmp_path: Path) -> None:
    store = made(tmp_path, LINES)
    assert [text for text, sids in unit_texts(store) if sids][2:] == ["No stop", "Last.", "Été."]


@pytest.mark.parametrize(
    ("mode", "ids"), [("text", ["3.1-1", "3.1-2", "3.3-1"]), ("sentences", ["3.1-1", "3.2-1", "3.4-1"])]
)
def test_lines_and_paragraphs_of_a_text(mode: Mode, ids: list[str], tmp_path: Path) -> None:
    store = made(tmp_path, LINES, AnnotateOptions(mode), "x.jsonl.gz")
    with store.connect() as connection:
        found = connection.execute("SELECT sent_id FROM sentences WHERE doc = '7' ORDER BY sid").fetchall()
    assert found == [(f"x.jsonl.gz-{one}",) for one in ids]
    assert "".join(original_texts(store)) == LINES


def test_xz_is_read(tmp_path: Path) -> None:
    assert "".join(original_texts(made(tmp_path, LINES, name="x.jsonl.xz"))) == LINES


def test_another_field(tmp_path: Path) -> None:
    store = made(tmp_path, '{"text": "No.", "body": "Yes."}\n', AnnotateOptions(text_field="body"))
    assert list(sentence_texts(store)) == ["Yes."]
    with store.connect() as connection:
        (found,) = connection.execute("SELECT value FROM meta WHERE key = 'text_'").fetchall()
    assert found == ("No.",)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
TEXTS = st.text(st.sampled_from('aB. \t\n\r"\\/é\u2028\ufeff\0cannot😀'), max_size=25)
OBJECTS = st.tuples(TEXTS, st.dictionaries(st.text(max_size=6), VALUES, max_size=3), st.booleans(), st.integers(0, 3))


@settings(max_examples=60)
@given(st.lists(OBJECTS, min_size=1, max_size=4), st.sampled_from(["lines", "text"]), st.integers(1, 6))
def test_every_line_comes_back(
    objects: list[tuple[str, dict[str, object], bool, int]], mode: Mode, longest: int
) -> None:
    """Whatever is in the objects, however it is written, and whatever is left out."""
    lines = []
    for text, more, ascii_only, style in objects:
        line = json.dumps(
            {**more, "text": text}, ensure_ascii=ascii_only, indent=None, separators=(",", ":" + " " * style)
        )
        lines.append(line.replace("/", "\\/") if style == 3 else line)
    whole = "\n".join(lines)
    with tempfile.TemporaryDirectory() as folder:
        try:
            store = made(Path(folder), whole, AnnotateOptions(mode, max_words=longest))
        except InputError as error:  # no sentence at all, or none that was kept
            assert error.diagnostics[0].code == "FICT730"
            return
        assert "".join(original_texts(store)) == whole


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"text": "fine"}\n{"text": \n', "it is not JSON (expecting value)"),
        ('{"text": "fine"}\n["fine"]\n', "it is not an object"),
        ('{"text": "fine"}\n{"txt": "fine"}\n', "it has no `text`"),
        ('{"text": "fine"}\n{"text": 5}\n', "its `text` is not a string"),
        ('{"text": "fine"}\n{"text": "\\ud800"}\n', "a lone surrogate"),
    ],
)
def test_mistakes_have_their_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        made(tmp_path, text)
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT753"
    assert said in problem.message
    assert problem.source is not None and problem.span is not None
    assert problem.source.position(problem.span.start)[0] == 2
