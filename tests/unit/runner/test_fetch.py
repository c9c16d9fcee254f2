"""What is downloaded is what the registry describes, or nothing."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.fetch import data_sets, fetch
from runner.score.any_suite import open_suite
from runner.score.ratings import Rated, Sentences

FILES = {"a.txt": b"one\n", "b.txt": b"two\n"}


class _Quiet(SimpleHTTPRequestHandler):
    requests: list[str] = []  # noqa: RUF012

    def log_message(self, *_: object) -> None:
        self.requests.append(self.path)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the files, from the folder `served`."""
    folder = tmp_path / "served"
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    _Quiet.requests.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    path = tmp_path / "registry.toml"
    hashes = "".join(f'"{name}" = "{hashlib.sha256(data).hexdigest()}"\n' for name, data in FILES.items())
    path.write_text(f'[mine]\nbase = "http://192.0.2.1/nowhere"\n[mine.files]\n{hashes}')
    return path


def code(call: object) -> str:
    with pytest.raises(InputError) as caught:
        call()  # type: ignore[operator]
    return caught.value.diagnostics[0].code


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_files_come_from_the_mirror(served: str, registry: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    paths = fetch("mine", tmp_path / "out", mirror=served + "/", registry=registry, progress=lambda *n: seen.append(n))
    assert {path.name: path.read_bytes() for path in paths} == FILES
    assert left(tmp_path / "out") == ["a.txt", "b.txt"]
    assert seen == [(1, 2), (2, 2)]


def test_what_is_there_is_not_fetched_again(served: str, registry: Path, tmp_path: Path) -> None:
    fetch("mine", tmp_path / "out", mirror=served, registry=registry)
    (tmp_path / "out" / "a.txt").write_text("changed")
    _Quiet.requests.clear()
    fetch("mine", tmp_path / "out", mirror=served, registry=registry)
    assert _Quiet.requests == ["/a.txt"]
    assert (tmp_path / "out" / "a.txt").read_bytes() == FILES["a.txt"]


def test_a_file_may_be_called_otherwise_at_its_home(served: str, tmp_path: Path) -> None:
    digest = hashlib.sha256(FILES["a.txt"]).hexdigest()
    inner = tmp_path / "served" / "x y"
    inner.mkdir()
    (tmp_path / "served" / "a.txt").rename(inner / "words.txt")
    text = f'[mine]\nbase = "{served}"\n[mine.files]\n"a.txt" = "{digest}"\n[mine.paths]\n"a.txt" = "x y/words.txt"\n'
    (tmp_path / "r.toml").write_text(text)
    (path,) = fetch("mine", tmp_path / "out", registry=tmp_path / "r.toml")
    assert (path.name, path.read_bytes()) == ("a.txt", FILES["a.txt"])
    (inner / "words.txt").rename(inner / "a.txt")  # a mirror has the files under the names that they get here
    (found,) = fetch("mine", tmp_path / "again", mirror=f"{served}/x y", registry=tmp_path / "r.toml")
    assert found.read_bytes() == FILES["a.txt"]


def test_a_tampered_file_is_refused(served: str, registry: Path, tmp_path: Path) -> None:
    (tmp_path / "served" / "b.txt").write_text("two, and more\n")
    with pytest.raises(InputError) as caught:
        fetch("mine", tmp_path / "out", mirror=served, registry=registry)
    (found,) = caught.value.diagnostics
    assert found.code == "FICT771"
    assert hashlib.sha256(b"two, and more\n").hexdigest() in found.message
    assert left(tmp_path / "out") == ["a.txt"]


def test_a_missing_file(served: str, registry: Path, tmp_path: Path) -> None:
    (tmp_path / "served" / "a.txt").unlink()
    with pytest.raises(InputError) as caught:
        fetch("mine", tmp_path / "out", mirror=served, registry=registry)
    (found,) = caught.value.diagnostics
    assert (found.code, "404" in found.message) == ("FICT772", True)
    assert left(tmp_path / "out") == []


def test_no_server(registry: Path, tmp_path: Path) -> None:
    assert code(lambda: fetch("mine", tmp_path / "out", mirror="http://127.0.0.1:9", registry=registry)) == "FICT772"


@pytest.mark.parametrize("mirror", ["file:///etc", "/etc", "ftp://127.0.0.1/x"])
def test_only_the_web(mirror: str, registry: Path, tmp_path: Path) -> None:
    assert code(lambda: fetch("mine", tmp_path / "out", mirror=mirror, registry=registry)) == "FICT772"


def test_no_hash_no_download(served: str, tmp_path: Path) -> None:
    (tmp_path / "served" / "en_gum-ud-dev.conllu").write_text("")
    assert code(lambda: fetch("ud-gum", tmp_path / "out", mirror=served)) == "FICT770"
    assert _Quiet.requests == []


def test_a_registry_gives_the_missing_hash(served: str, tmp_path: Path) -> None:
    digest = hashlib.sha256(FILES["a.txt"]).hexdigest()
    (tmp_path / "r.toml").write_text(f'[ud-gum.files]\n"a.txt" = "{digest}"\n')
    (path,) = fetch("ud-gum", tmp_path / "out", mirror=served, registry=tmp_path / "r.toml")
    assert path.read_bytes() == FILES["a.txt"]


def test_an_unknown_name_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        fetch("blmp", tmp_path)
    assert (caught.value.diagnostics[0].code, caught.value.diagnostics[0].hint) == ("FICT773", "the nearest is `blimp`")


@pytest.mark.parametrize(
    "text",
    [
        "[mine",
        "mine = 1",
        "[mine]\nbase = 'http://x'",
        "[mine.files]\n'../a' = ''",
        "[mine.files]\n'.bashrc' = ''",
        "[mine.files]\n'a' = 'abc'",
        "[mine]\nbase = 1\n[mine.files]\n'a' = ''",
        "[mine]\npaths = 1\n[mine.files]\n'a' = ''",
        "[mine.files]\n'a' = ''\n[mine.paths]\n'a' = 1",
        "[mine.files]\n'a' = ''\n[mine.paths]\n'b' = 'x/b'",
        "[mine]\nsizes = 1\n[mine.files]\n'a' = ''",
        "[mine.files]\n'a' = ''\n[mine.sizes]\n'a' = true",
        "[mine.files]\n'a' = ''\n[mine.sizes]\n'a' = -1",
        "[mine.files]\n'a' = ''\n[mine.sizes]\n'b' = 1",
    ],
)
def test_bad_registries(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(text)
    assert code(lambda: data_sets(tmp_path / "r.toml")) == "FICT774"
    assert code(lambda: data_sets(tmp_path / "absent.toml")) == "FICT774"


def test_the_built_in_registry() -> None:
    known = data_sets()
    names = "ud-ewt ud-gum blimp blimp-vocabulary winobias aann msr-compression fict-lists fict-results"
    assert set(known) == set(names.split())
    assert len(known["blimp"].files) == 67
    assert [name for name, chosen in known.items() if not all(chosen.files.values())] == [
        "ud-gum",
        "fict-results",
        "msr-compression",
    ]
    assert all(chosen.sizes.keys() == {f for f, sha in chosen.files.items() if sha} for chosen in known.values())
    assert all((chosen.base or chosen.page).startswith("https://") and chosen.licence for chosen in known.values())


RATED = """1\tNewswire\tThe old king sleeps a lot. ||| The king sleeps. \tILP\t2\t6\tMost\tFlawless\t12\tMuch\tMinor
2\tLetters\tDear all, we met. ||| We all met .\tILP\t1\t24\tLittle\tDisfluent
"""


def test_rated_sentences_are_fetched_and_read(served: str, tmp_path: Path) -> None:
    files = data_sets()["msr-compression"].files
    with pytest.raises(InputError) as caught:
        fetch("msr-compression", tmp_path / "out", mirror=served)
    assert "details.aspx?id=54262" in str(caught.value.diagnostics[0].hint)
    texts = {name: RATED if "ilp" in name else RATED.split("\n")[1].replace("ILP", name) for name in files}
    for name, text in texts.items():
        (tmp_path / "served" / name).write_bytes(("\ufeff" + text).encode())
    hashes = [f'"{n}" = "{hashlib.sha256((tmp_path / "served" / n).read_bytes()).hexdigest()}"' for n in texts]
    (tmp_path / "r.toml").write_text("\n".join(["[msr-compression.files]", *hashes]))
    fetch("msr-compression", tmp_path / "out", mirror=served, registry=tmp_path / "r.toml")
    found = open_suite(tmp_path / "out", "ratings")
    assert found == Sentences("ratings", [Rated("The king sleeps.", 2.5), *[Rated("We all met .", 1.0)] * 4])


@pytest.mark.parametrize("harm", ["1\t6\tMost", "2\t6\tMost\tFlawless", "1\t8\tMost\tFlawless", "none"])
def test_a_line_without_ratings_is_named(tmp_path: Path, harm: str) -> None:
    (tmp_path / "test_output.t3.tsv").write_text(
        f"{RATED}3\tLetters\tA. ||| A .\tT3\t{harm}\n".replace("1\t6\tMost\n", "0\n")
    )
    with pytest.raises(InputError) as caught:
        open_suite(tmp_path)
    assert "line 3 of test_output.t3.tsv" in caught.value.diagnostics[0].message


@pytest.mark.shared
def test_the_registry_describes_the_real_files(data: Path) -> None:
    for name, chosen in data_sets().items():
        for file, digest in chosen.files.items():
            if digest:
                content = (data / name / file).read_bytes()
                assert (hashlib.sha256(content).hexdigest(), len(content)) == (digest, chosen.sizes[file])


class _Hostile(_Quiet):
    def do_GET(self) -> None:
        if "redirect" in self.path:
            self.send_response(302)
            self.send_header("Location", "file:///etc/hostname")
            self.end_headers()
            return
        self.send_response(200)
        if "announced" in self.path:
            self.send_header("Content-Length", "5000")
        self.end_headers()
        for _ in range(5_000):
            try:
                self.wfile.write(b"x")
                if "slow" in self.path:
                    threading.Event().wait(0.02)
            except OSError:
                return


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("redirect", "neither http nor https"),
        ("announced", "more than the 1,000 bytes"),
        ("endless", "more than the 1,000 bytes"),
        ("slow", "not complete after 0.2 s"),
    ],
)
def test_a_server_cannot_send_for_ever(
    path: str, reason: str, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.fetch.MAX_BYTES", 1_000)
    monkeypatch.setattr("runner.fetch._MAX_SECONDS", 0.2)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hostile) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(InputError) as caught:
            fetch("mine", tmp_path / "out", mirror=f"http://127.0.0.1:{server.server_port}/{path}", registry=registry)
        server.shutdown()
    assert caught.value.diagnostics[0].code == "FICT772"
    assert reason in caught.value.diagnostics[0].message
    assert left(tmp_path / "out") == []


@pytest.mark.parametrize("path", ["announced", "endless"])
def test_more_bytes_than_registered_are_refused(path: str, registry: Path, tmp_path: Path) -> None:
    registry.write_text(registry.read_text() + "[mine.sizes]\n'a.txt' = 4\n")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hostile) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(InputError) as caught:
            fetch("mine", tmp_path / "out", mirror=f"http://127.0.0.1:{server.server_port}/{path}", registry=registry)
        server.shutdown()
    assert "more than the 4 bytes in the registry" in caught.value.diagnostics[0].message
    assert left(tmp_path / "out") == []


def test_as_many_bytes_as_registered_are_kept(served: str, registry: Path, tmp_path: Path) -> None:
    registry.write_text(registry.read_text() + "[mine.sizes]\n'a.txt' = 4\n'b.txt' = 4\n")
    assert len(fetch("mine", tmp_path / "out", mirror=served, registry=registry)) == 2


def test_an_answer_that_is_cut_off(registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Hostile, "do_GET", _cut)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hostile) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        mirror = f"http://127.0.0.1:{server.server_port}"
        assert code(lambda: fetch("mine", tmp_path / "out", mirror=mirror, registry=registry)) == "FICT772"
        server.shutdown()


def _cut(handler: _Hostile) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "4")
    handler.end_headers()
    handler.wfile.write(b"on")


class _Moved(_Quiet):
    """A server whose files have moved from /main to /moved."""

    def do_GET(self) -> None:
        if not self.path.startswith("/main/"):
            super().do_GET()
            return
        self.send_response(302)
        self.send_header("Location", self.path.replace("/main/", "/moved/"))
        self.end_headers()


@pytest.fixture
def aann(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The registered AANN data at a local address, as a registry, and the folder of the files at that address."""
    folder = tmp_path / "served" / "moved"
    registered = data_sets()["aann"]
    for remote in registered.paths.values():
        (folder / remote).parent.mkdir(parents=True)
    _Quiet.requests.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Moved, directory=str(folder.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tables = {name: getattr(registered, name) for name in ("files", "paths", "sizes")}
        lines = ["[aann]", f'base = "http://127.0.0.1:{server.server_port}/main"']
        for name, table in tables.items():
            lines += [f"[aann.{name}]", *(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items())]
        (tmp_path / "r.toml").write_text("\n".join(lines))
        yield tmp_path / "r.toml", folder
        server.shutdown()


def test_other_content_at_the_address_of_the_aann_data_is_refused(aann: tuple[Path, Path], tmp_path: Path) -> None:
    registry, folder = aann
    for remote in data_sets()["aann"].paths.values():
        (folder / remote).write_text("idx,sentence\n")
    with pytest.raises(InputError) as caught:
        fetch("aann", tmp_path / "out", registry=registry)
    (found,) = caught.value.diagnostics
    assert found.code == "FICT771" and data_sets()["aann"].files["aann.csv"] in found.message
    assert _Quiet.requests == ["/main/mahowald-aann/corruption.csv", "/moved/mahowald-aann/corruption.csv"]
    assert left(tmp_path / "out") == []


@pytest.mark.shared
def test_the_aann_data_is_fetched_through_redirects_and_read(
    aann: tuple[Path, Path], data: Path, tmp_path: Path
) -> None:
    registry, folder = aann
    for name, remote in data_sets()["aann"].paths.items():
        (folder / remote).write_bytes((data / "aann" / name).read_bytes())
    paths = fetch("aann", tmp_path / "out", registry=registry)
    assert [path.name for path in paths] == ["aann.csv", "anan.csv", "naan.csv"]
    assert all(len(open_suite(path, limit=1).items) for path in paths)


class _Trickle(_Quiet):
    """A server that sends its headers, its redirects or the body byte by byte, for ever."""

    def do_GET(self) -> None:
        head = b"HTTP/1.1 302 Found\r\nLocation: /redirect\r\n" if "redirect" in self.path else b"HTTP/1.1 200 OK\r\n"
        drops = itertools.repeat(b"x: y\r\n") if "headers" in self.path else [b"\r\n", *[b"x"] * 500]
        try:
            for piece in itertools.chain([head], drops):
                for byte in piece:
                    self.wfile.write(bytes([byte]))
                    threading.Event().wait(0.005)
        except OSError:
            return


@pytest.mark.parametrize("path", ["headers", "redirect", "body"])
@pytest.mark.parametrize(("limit", "seconds", "reason"), [
    ("_MAX_SECONDS", 0.6, "it was not complete after 0.6 s"),
    ("_WINDOW", 0.6, "bytes of the file arrived in 0.6 s"),
])  # fmt: skip
def test_a_server_that_sends_byte_by_byte_is_left(
    path: str, limit: str, seconds: float, reason: str, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"runner.fetch.{limit}", seconds)
    started = time.monotonic()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Trickle) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(InputError) as caught:
            fetch("mine", tmp_path / "out", mirror=f"http://127.0.0.1:{server.server_port}/{path}", registry=registry)
        assert time.monotonic() - started < 10
        server.shutdown()
    assert reason in caught.value.diagnostics[0].message
    assert left(tmp_path / "out") == []
