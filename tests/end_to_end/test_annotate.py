"""From raw text to matches: models trained here, `fictc annotate`, then a shipped filter on what they parsed."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.support import command, tiny_stanza

pytestmark = pytest.mark.stanza
ROOT = Path(__file__).parents[2]
TEXT = (
    "The dogs of the teacher see a cat. The teacher likes the river.\n\n"
    " A child wants the garden.  The report of the dogs helps a teacher. \n"
    "The cats find the garden.\n"
)


@pytest.fixture(scope="session")
def tiny(request: pytest.FixtureRequest) -> Path:
    return tiny_stanza.models(Path(request.config.cache.mkdir("stanza")))


fictc = partial(command.fictc, check=True, OMP_NUM_THREADS="1")


def annotate(text: Path, models: Path, store: Path, *more: object) -> subprocess.CompletedProcess[str]:
    return fictc("annotate", text, "--models", models, "--package", "tiny", "--output", store, *more)


def test_from_text_to_matches(tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    ended = annotate(text, tiny, tmp_path / "store")
    assert ended.stdout == ""
    assert "5 sentences, 36 words" in ended.stderr
    assert fictc("export", tmp_path / "store", "--format", "original").stdout == TEXT
    shipped = ROOT / "filters/fict15/agr-pp-mod.fict"
    found = fictc("match", shipped, "--corpus", tmp_path / "store", "--format", "ids").stdout
    assert found == "text.txt-1-1\ntext.txt-3-2\n"


@pytest.mark.slow
def test_other_ways_of_reading(tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    for mode, sentences in (("sentences", 3), ("pretokenized", 3), ("text", 5)):
        ended = annotate(text, tiny, tmp_path / mode, "--input", mode)
        assert f"{sentences} sentences" in ended.stderr
        assert fictc("export", tmp_path / mode, "--format", "original").stdout == TEXT


def contents(store: Path) -> dict[Path, bytes]:
    return {path.relative_to(store): path.read_bytes() for path in store.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_batches_and_jobs_do_not_change_a_byte(tiny: Path, data: Path, tmp_path: Path) -> None:
    """A thousand sentences of a real treebank by one process and by two; and each by itself, as far as trees go."""
    lines = (data / "ud-ewt" / "en_ewt-ud-test.conllu").read_text().split("\n")
    texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")][:1000]
    (tmp_path / "text.txt").write_text("\n".join(texts))
    for jobs in (1, 2):
        annotate(tmp_path / "text.txt", tiny, tmp_path / str(jobs), "--jobs", jobs)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    (tmp_path / "text.txt").write_text("\n".join(texts[700:760]))  # another batch, and another shard
    annotate(tmp_path / "text.txt", tiny, tmp_path / "some")
    some = fictc("export", tmp_path / "some", "--format", "conllu").stdout
    whole = fictc("export", tmp_path / "1", "--format", "conllu").stdout
    assert trees(some) in trees(whole)


def trees(conllu: str) -> str:
    return "\n".join(line for line in conllu.split("\n") if not line.startswith(("# sent_id", "# line")))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_five_points_and_resumed(tiny: Path, jobs: int, tmp_path: Path) -> None:
    """`kill -9` after the first shard, after each of the next three and while the store is put together."""
    text = tmp_path / "text.txt"
    text.write_text(TEXT * 1000)  # eight shards: two workers may each finish one before each kill
    command = [sys.executable, "-m", "runner.cli", "annotate", str(text), "--models", str(tiny), "--jobs", str(jobs)]
    command += ["--package", "tiny", "--output", str(tmp_path / "store")]
    kept = []
    for shards in (1, 2, 3, 4, None):
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < deadline:
            done = len(list(tmp_path.glob("store.unfinished/*.gz")))
            if list(tmp_path.glob(".store*")) if shards is None else done > max(kept, default=0):
                break
            time.sleep(0.002)
        assert process.poll() is None, "it ended before it could be killed"
        process.kill()
        process.wait()
        assert not (tmp_path / "store").exists()
        kept.append(len(list(tmp_path.glob("store.unfinished/*.gz"))))
    assert kept == sorted(set(kept))
    annotate(text, tiny, tmp_path / "store")
    annotate(text, tiny, tmp_path / "whole")
    assert contents(tmp_path / "store") == contents(tmp_path / "whole")
    assert not list(tmp_path.glob("*.unfinished"))


@pytest.mark.long
def test_mistakes_are_one_message(tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    for models, package, code in ((tmp_path, "tiny", "FICT751"), (tiny, "tyni", "FICT752")):
        ended = fictc("annotate", text, "--models", models, "--package", package, "-o", tmp_path / "s", check=False)
        assert ended.returncode == 2
        assert ended.stderr.count("error[") == 1
        assert code in ended.stderr
        assert "Traceback" not in ended.stderr
        assert ended.stdout == ""
