"""Files that `fictc annotate` would take for text: recognized, whatever their names, and no text is mistaken for them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from runner.corpus.raw_text import find_non_text

TREE = b"1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_"


def kinds(path: Path, content: bytes) -> list[str]:
    path.write_bytes(content)
    return [
        problem.message.removeprefix(f"{path} is ").removesuffix(", not raw text") for problem in find_non_text([path])
    ]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"# sent_id = 1\n" + TREE + b"\n", "CoNLL-U"),
        (b"\xef\xbb\xbf" + TREE.replace(b"1\t", b"1-2\t", 1).replace(b"\t2\t", b"\t_\t") + b"\r\n", "CoNLL-U"),
        (b"# global.columns = ID FORM\n1\tdogs\n", "CoNLL-U Plus"),
        (b"\n <!doctype HTML>\n<p>x", "HTML"),
        (b"<!-- saved\n --><html lang='en'>", "HTML"),
        (b'<?xml version="1.0"?><TEI>', "XML"),
        (b'{"text": "Dogs bark."}\n', "JSON"),
        (b'[\n {"text": "x"}]', "JSON"),
        (b"%PDF-1.4\n", "a PDF file"),
        (b"PAR1\x15\x04", "a Parquet file"),
        ("Dogs bark.".encode("utf-16"), "UTF-16 text"),
        (b"Dogs\x00\xe9bark", "a binary file"),
    ],
)
def test_other_formats_are_recognized_packed_too(content: bytes, kind: str, tmp_path: Path) -> None:
    assert kinds(tmp_path / "a.txt", content) == [kind]
    assert kinds(tmp_path / "a.txt.gz", gzip.compress(content)) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Dogs bark.\n",
        "[Music] He sings.\n",
        "{she laughs} Well.\n",
        "<3 you all\n",
        "<p> is a tag of HTML.\n",
        "1\tdogs\t2\tcats\n",
        "1\tthe\tten\tcolumns\tof\ta\ttable\twithout\ta\thead\n",
        "# sent_id = 1\nis a comment of CoNLL-U.\n",
        "ɐ\u0301 ünïcödé\n",
        "a\0b, which is UTF-8\n",
        "[[see there]] and {here}\n",
        '["Well," she said.\n',
    ],
)
def test_text_is_text(text: str, tmp_path: Path) -> None:
    assert kinds(tmp_path / "a.txt", text.encode()) == []


def test_json_lines_are_documents(tmp_path: Path) -> None:
    assert kinds(tmp_path / "a.jsonl", b'{"text": "Dogs bark."}\n') == []
    assert kinds(tmp_path / "a.jsonl", b"# newdoc\n" + TREE + b"\n") == ["CoNLL-U"]
