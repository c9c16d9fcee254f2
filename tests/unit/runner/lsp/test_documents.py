"""Open documents, their copies for another thread, and the files they use."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.syntax import files
from runner.lsp.documents import Documents
from runner.lsp.text_document import TextDocument


def test_a_copy_reads_only_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names_read: list[str] = []
    read_content = files._read_content

    def record_name(data, real_path, display_name, reader):  # type: ignore[no-untyped-def]
        names_read.append(real_path.name)
        return read_content(data, real_path, display_name, reader)

    monkeypatch.setattr(files, "_read_content", record_name)
    text = 'fict 1\nlist a = file "a.txt"\nlist b = file "b.txt"\nfilter f { match { X[lemma in @a, form in @b] } }\n'
    documents = Documents()
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("word\n", encoding="utf-8")
    documents.open("file:main", tmp_path / "main.fict", text)
    for change, expected in ((None, ["a.txt", "b.txt"]), (None, []), ("b.txt", ["b.txt"])):
        if change is not None:
            (tmp_path / change).write_text("another word\n", encoding="utf-8")
        documents.change("file:main", TextDocument(text, "utf-16"))
        names_read.clear()
        analysed = documents.copy()
        assert not analysed.snapshot("file:main").has_load_errors
        documents.adopt(analysed)
        assert names_read == expected
