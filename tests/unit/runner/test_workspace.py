"""Files appear whole or not at all, whatever ends the process that writes them."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from runner import workspace
from runner.errors import InputError, refused


def test_key_depends_on_values_only() -> None:
    assert workspace.key({"b": 1, "a": [1, 2]}) == workspace.key({"a": [1, 2], "b": 1})
    assert workspace.key("ab", "c") != workspace.key("a", "bc")
    assert workspace.canonical_json({"é": None, "a": 1.5}) == '{"a":1.5,"é":null}'
    with pytest.raises(ValueError, match="JSON"):
        workspace.canonical_json(float("nan"))


def test_sha256_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert workspace.sha256_file(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_atomic_write_replaces_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x.txt"
    workspace.write_text(path, "old")
    with workspace.atomic_write(path) as temp:
        temp.write_text("new")
        assert path.read_text() == "old"
        assert temp.parent == path.parent
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", ["語" * 80 + ".txt", "é" * 120, "a" * 255])
def test_the_longest_file_names_can_be_written(tmp_path: Path, name: str) -> None:
    workspace.write_text(tmp_path / name, "text")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    workspace.write_text(path, "old")
    with pytest.raises(ZeroDivisionError), workspace.atomic_write(path) as temp:
        temp.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_publish_dir(tmp_path: Path) -> None:
    final = tmp_path / "store"
    with workspace.publish_dir(final) as temp:
        (temp / "a").mkdir()
        (temp / "a" / "b").write_text("1")
        assert not final.exists()
    assert (final / "a" / "b").read_text() == "1"
    with pytest.raises(FileExistsError), workspace.publish_dir(final):
        pytest.fail("must not begin")
    with workspace.publish_dir(final, replace=True) as temp:
        (temp / "c").write_text("2")
    assert [p.name for p in final.iterdir()] == ["c"]
    assert list(tmp_path.iterdir()) == [final]


def test_publish_dir_loses_against_another(tmp_path: Path) -> None:
    final = tmp_path / "store"
    with pytest.raises(FileExistsError), workspace.publish_dir(final) as temp:
        (temp / "mine").write_text("1")
        final.mkdir()
        (final / "theirs").write_text("2")
    assert [p.name for p in final.iterdir()] == ["theirs"]
    assert list(tmp_path.iterdir()) == [final]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_an_input_error(tmp_path: Path, code: int) -> None:
    with pytest.raises(InputError) as caught, workspace.atomic_write(tmp_path / "x") as temp:
        temp.write_text("half")
        raise OSError(code, os.strerror(code))
    assert caught.value.diagnostics[0].code == "FICT790"
    assert list(tmp_path.iterdir()) == []


def test_a_file_size_limit_leaves_nothing(tmp_path: Path) -> None:
    """A real limit in a real process: the message, no file, and a rerun without the limit works."""
    script = (
        "import sys; from pathlib import Path; from runner.workspace import write_text; "
        "write_text(Path(sys.argv[1]), 'x' * 300_000)"
    )

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    target = tmp_path / "big"
    command = [sys.executable, "-c", script, str(target)]
    failed = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert "FICT790" in failed.stderr
    assert list(tmp_path.iterdir()) == []
    subprocess.run(command, check=True)
    assert target.stat().st_size == 300_000


def test_a_parent_that_is_a_file_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError) as caught:
        workspace.write_text(tmp_path / "file" / "x", "text")
    assert caught.value.diagnostics[0].code == "FICT791"


def test_a_folder_in_the_place_of_the_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        workspace.write_text(tmp_path, "text")
    assert caught.value.diagnostics[0].message == f"{tmp_path} cannot be written: is a directory"


def test_links_stay_links(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    for text in ("one", "two"):
        workspace.write_text(tmp_path / "link", text)
        assert (tmp_path / "real").read_text() == text
    assert (tmp_path / "link").is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_devices_are_written_to_and_stay_what_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    workspace.write_text(pipe, "through")
    assert reader.communicate()[0] == b"through"
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_an_unreadable_input_is_not_blamed_on_the_output(tmp_path: Path) -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "/elsewhere/input")
    with pytest.raises(PermissionError), workspace.atomic_write(tmp_path / "x"):
        raise error


def test_clean_stale_takes_only_what_is_abandoned(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host = workspace._HOST
    gone = tmp_path / f".store.abc123.tmp.{host}.{ended.pid}.deadbeef"
    gone.mkdir()
    (gone / "part").write_text("x")
    reused = tmp_path / f".a.abc123.tmp.{host}.{os.getpid()}.deadbeef"
    reused.write_text("")
    mine = workspace._temporary(tmp_path / "x")
    mine.write_text("")
    running = tmp_path / f".a.abc123.tmp.{host}.{os.getppid()}.deadbeef"
    running.write_text("")
    elsewhere = tmp_path / f".a.abc123.tmp.00000000.{ended.pid}.deadbeef"
    elsewhere.write_text("")
    long_ago = tmp_path / f".b.abc123.tmp.00000000.{ended.pid}.deadbeef"
    long_ago.write_text("")
    os.utime(long_ago, (time.time() - 30 * 86400,) * 2)
    other = tmp_path / ".config.tmp.bak"
    other.write_text("")
    assert set(workspace.clean_stale(tmp_path)) == {gone, reused, long_ago}
    assert set(tmp_path.iterdir()) == {mine, running, elsewhere, other}


_WRITER = """
import sys, time
from pathlib import Path
from runner.workspace import atomic_write, publish_dir
folder = Path(sys.argv[1])
print("go", flush=True)
for number in range(10_000):
    with atomic_write(folder / "file") as temp:
        temp.write_bytes(bytes([number % 256]) * 200_000)
    with publish_dir(folder / "dir", replace=True) as temp:
        for name in "abc":
            (temp / name).write_bytes(bytes([number % 256]) * 50_000)
"""


def test_killed_writers_leave_whole_files(tmp_path: Path) -> None:
    for delay in (0.01, 0.03, 0.06, 0.1, 0.15):
        process = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.kill()
        process.wait()
        if (file := tmp_path / "file").exists():
            data = file.read_bytes()
            assert len(data) == 200_000
            assert len(set(data)) == 1
        if (published := tmp_path / "dir").exists():
            assert {(p.name, len(p.read_bytes())) for p in published.iterdir()} == {(n, 50_000) for n in "abc"}
        workspace.clean_stale(tmp_path)
        assert {p.name for p in tmp_path.iterdir()} <= {"file", "dir"}


_HOLDER = """
import sys, time
from pathlib import Path
from runner.workspace import lock
with lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_lock_waits_and_ends_with_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "locks" / "key.lock"
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    waits = []

    def waiting() -> None:
        waits.append(1)
        holder.kill()

    with workspace.lock(path, waiting):
        assert waits == [1]
    holder.wait()


def test_link_or_copy_falls_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a"
    source.write_text("x")
    workspace.link_or_copy(source, tmp_path / "b")
    assert (tmp_path / "b").samefile(source)

    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, "cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    workspace.link_or_copy(source, tmp_path / "c")
    assert (tmp_path / "c").read_text() == "x"
    assert not (tmp_path / "c").samefile(source)


def test_fault_points(tmp_path: Path) -> None:
    script = "from runner.workspace import fault_point; fault_point('a'); print('a'); fault_point('b'); print('b')"
    environment = {**os.environ, "FICTC_FAULT": "b"}
    ended = subprocess.run([sys.executable, "-uc", script], capture_output=True, env=environment, check=False)
    assert (ended.returncode, ended.stdout) == (137, b"a\n")


def test_the_next_write_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    """A file and a folder of a process killed while it wrote; one that lives keeps its own."""
    script = f"""
import os, signal, sys, time
from pathlib import Path
from runner.workspace import atomic_write, publish_dir
with atomic_write(Path({str(tmp_path)!r}) / "corpus.txt") as temp, publish_dir(Path({str(tmp_path)!r}) / "store") as new:
    temp.write_text("half")
    (new / "half").write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""
    killed, living = (subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) for _ in range(2))
    try:
        for process in (killed, living):
            assert process.stdout is not None
            assert process.stdout.readline() == b"writing\n"
        killed.kill()
        killed.wait()
        assert len(list(tmp_path.iterdir())) == 4
        workspace.write_text(tmp_path / "other.txt", "whole")
        left = [path.name for path in tmp_path.iterdir() if path.name != "other.txt"]
        assert len(left) == 2
        assert all(f".{living.pid}." in name for name in left)
    finally:
        living.kill()
        living.wait()


def test_stale_files_of_other_users_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = tmp_path / f".x.abc123.tmp.{workspace._HOST}.{os.getpid()}.deadbeef"
    stale.write_text("")

    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "unlink", refuse)
    workspace.clean_stale(tmp_path)
    assert stale.exists()


def test_a_folder_with_a_name_that_is_not_utf_8_has_a_hash(tmp_path: Path) -> None:
    (tmp_path / "é.txt").write_text("a")
    expected = hashlib.sha256(f"é.txt\0{hashlib.sha256(b'a').hexdigest()}\n".encode()).hexdigest()
    assert workspace.sha256_path(tmp_path) == expected
    (tmp_path / os.fsdecode(b"\xe9.txt")).write_text("b")
    assert workspace.sha256_path(tmp_path) != expected


@pytest.mark.parametrize("can_exchange", [True, False])
@pytest.mark.parametrize("failing", [1, 2, 3])
def test_several_files_are_replaced_together_or_not_at_all(
    failing: int, can_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:  # as on some network file systems
        monkeypatch.setattr(workspace, "_exchanged_at_once", lambda *_: False)
    paths = [tmp_path / "a", tmp_path / "b", tmp_path / "c"]
    paths[0].write_text("old")
    paths[2].write_text("old")
    sync, calls = workspace._sync, []

    def fails(path: Path) -> None:
        calls.append(path)
        if len(calls) == failing + 1:
            raise OSError(errno.EIO, "Input/output error", str(path))
        sync(path)

    with monkeypatch.context() as patch:
        patch.setattr(workspace, "_sync", fails)
        with pytest.raises(OSError, match="Input"), workspace.atomic_writes(paths) as temps:
            for temp in temps:
                temp.write_text("new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old", "c": "old"}
    with workspace.atomic_writes(paths) as temps:
        for temp in temps:
            temp.write_text("new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys("abc", "new")


def test_dropping_removes_what_a_killed_drop_left(tmp_path: Path) -> None:
    from runner.corpus.store_index import drop_index

    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path / f".index.abc123.tmp.{workspace._HOST}.{dead.pid}.00000000"
    left.mkdir()
    assert not drop_index(tmp_path)
    assert not left.exists()


def test_a_library_that_finds_no_directory_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", list)
    with pytest.raises(FileNotFoundError) as raised:
        tempfile.gettempdir()
    assert [problem.code for problem in refused(raised.value).diagnostics] == ["FICT790"]
