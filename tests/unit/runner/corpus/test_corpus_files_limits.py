"""Text that would fill the memory is refused at its line, before the memory for it is taken."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from runner.corpus import corpus_files
from runner.corpus.byte_columns import read_pieces
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_reader import read_blocks
from runner.corpus.corpus_files import LINE_BYTES, SENTENCE_BYTES, TooLargeError, open_input
from runner.errors import InputError

TREE = b"1\tdogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
MEMORY = 400 << 20  # that may be taken beyond what the libraries have

_READ = """
import resource, sys
from pathlib import Path
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_reader import check_trees
from runner.corpus.corpus_files import open_input
from runner.corpus.raw_text import json_units
from runner.corpus.byte_columns import read_pieces
from runner.corpus.raw_text import read_lines, read_list, read_units
from runner.errors import InputError

path = Path(sys.argv[2])

def stream(read):
    with open_input(path) as file:
        yield from read(file)

readers = {
    "pieces": lambda: stream(lambda file: read_pieces(file, Notes())),
    "blocks": lambda: stream(lambda file: check_trees(file, str(path))),
    "lines": lambda: read_units(path, "lines"),
    "text": lambda: read_units(path, "text"),
    "json": lambda: json_units(path, read_lines(path), "lines", "text"),
    "list": lambda: iter(read_list(path)),
}
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + int(sys.argv[3]),) * 2)
try:
    for _ in readers[sys.argv[1]]():
        pass
except InputError as error:
    print(error.diagnostics[0].code, error.diagnostics[0].message)
"""


def _gzip(path: Path, start: bytes, part: bytes, times: int) -> Path:
    """A compressed file of `start` and many times `part`, without all of it in memory."""
    path.write_bytes(gzip.compress(start) + gzip.compress(part, 1) * times)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
@pytest.mark.parametrize(
    ("reader", "start", "part", "line", "said"),
    [
        ("pieces", TREE + b"1\t", b"x", 3, "the line has more than 16 MiB"),
        ("pieces", TREE + b"# ", b"x", 3, "the line has more than 16 MiB"),
        ("pieces", TREE, b"# " + b"x" * 9_997 + b"\n", 3, "a sentence of more than 64 MiB"),
        ("blocks", TREE, b"# " + b"x" * 9_997 + b"\n", 3, "a sentence of more than 64 MiB"),
        ("blocks", TREE, b"x", 3, "the line has more than 16 MiB"),
        ("lines", b"One line.\n", b"x", 2, "the line has more than 16 MiB"),
        ("text", b"One line.\n\n", b"x" * 99_999 + b"\n", 3, "a sentence of more than 64 MiB"),
        ("json", b'{"text": "One."}\n{"text": "', b"x", 2, "the line has more than 16 MiB"),
        ("list", b"one\n", b"x", 2, "the line has more than 16 MiB"),
    ],
)
def test_an_endless_text_is_refused_in_bounded_memory(
    reader: str, start: bytes, part: bytes, line: int, said: str, tmp_path: Path
) -> None:
    path = _gzip(tmp_path / "long.gz", start, part * (30_000_000 // len(part)), 10)
    command = [sys.executable, "-c", _READ, reader, str(path), str(MEMORY)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=os.environ)
    assert done.stdout.startswith(f"FICT739 {path}:{line}: {said}"), done.stdout + done.stderr


@pytest.mark.parametrize("room", [0, 1])
def test_the_longest_line_is_read_and_one_byte_more_is_not(room: int) -> None:
    text = TREE + b"x" * (LINE_BYTES + room) + b"\n" + TREE
    stream = io.BufferedReader(corpus_files.BoundedReader(io.BytesIO(text)), 1000)
    if room:
        with pytest.raises(TooLargeError) as refused:
            stream.read()
        assert refused.value.line == 3
    else:
        assert stream.read() == text


@pytest.mark.parametrize("read", [lambda stream: read_pieces(stream, Notes()), read_blocks])
def test_the_sentence_begins_where_it_is_said_to(read, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("runner.corpus.corpus_files", "runner.corpus.byte_columns"):
        monkeypatch.setattr(f"{module}.SENTENCE_BYTES", 1000)
    assert SENTENCE_BYTES > 1000
    list(read(io.BytesIO(TREE * 3 + b"# x\n" * 250)))
    with pytest.raises(TooLargeError) as refused:
        list(read(io.BytesIO(TREE * 3 + b"# x\n" * 251)))
    assert refused.value.line == 7


def _xz(path: Path, text: bytes) -> None:
    path.write_bytes(lzma.compress(text))


def _gz(path: Path, text: bytes) -> None:
    path.write_bytes(gzip.compress(text))


def _zip(path: Path, text: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.conllu", text)


def _plain(path: Path, text: bytes) -> None:
    path.write_bytes(text)


@pytest.mark.parametrize(("pack", "refused"), [(_xz, True), (_gz, True), (_zip, True), (_plain, False)])
def test_an_archive_that_grows_too_much_is_refused(pack, refused, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_files, "UNPACKED_BYTES", 10_000_000)
    member = "a.conllu" if pack is _zip else None
    pack(tmp_path / "file", b"\n" * 8_000_000)  # a ratio of a thousand, and not large
    with open_input(tmp_path / "file", None, member) as stream:
        assert len(stream.read()) == 8_000_000
    pack(tmp_path / "file", b"\n" * 20_000_000)
    if not refused:
        with open_input(tmp_path / "file", None, member) as stream:
            assert len(stream.read()) == 20_000_000
        return
    with pytest.raises(InputError) as caught, open_input(tmp_path / "file", None, member) as stream:
        stream.read()
    assert caught.value.diagnostics[0].code == "FICT739"
    assert "times its size" in caught.value.diagnostics[0].message


@pytest.mark.timeout(20)
def test_a_pipe_is_no_input_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as caught, open_input(tmp_path / "pipe"):
        pass
    assert caught.value.diagnostics[0].code == "FICT700"
