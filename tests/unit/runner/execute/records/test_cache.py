"""The cache: a result is whole and as it was published, or it is made again."""

import json

import pytest

from runner.execute.records.cache import Cache, is_intact, is_published
from runner.steps.step import Step
from runner.workspace import link_or_copy


def step(value: int = 1) -> Step:
    return Step.of("match", "x", {"value": value})


def build(folder):
    (folder / "inner").mkdir()
    (folder / "inner" / "a.txt").write_text("a")


def test_a_step_is_made_once(tmp_path):
    cache, calls = Cache(tmp_path), []
    for _ in range(2):
        cache.make(step(), lambda folder: (calls.append(1), build(folder)))
    assert len(calls) == 1
    assert cache.has(step())
    assert not cache.has(step(2))


def test_a_changed_a_missing_and_an_unfinished_file_are_noticed_and_made_again(tmp_path):
    cache = Cache(tmp_path)
    folder, _ = cache.make(step(), build)
    file = folder / "inner" / "a.txt"
    for harm in (
        lambda: (file.chmod(0o644), file.write_text("b")),
        lambda: file.unlink(),
        lambda: (folder / "done.json").unlink(),
        lambda: (folder / "done.json").write_text("{"),
        lambda: (folder / "done.json").write_text("[]"),
        lambda: (folder / "done.json").write_text(json.dumps({"key": step().key, "files": []})),
    ):
        harm()
        assert not cache.has(step())
        assert cache.make(step(), build)[1]
        assert cache.has(step())


def test_a_damaged_record_is_no_published_result(tmp_path):
    folder, _ = Cache(tmp_path).make(step(), build)
    assert is_published(folder, step().key)
    for content in ("[]", "1", "{}", '{"files": {}}'):
        (folder / "done.json").write_text(content)
        assert not is_published(folder, step().key)


def test_who_edits_a_file_under_another_name_does_not_edit_the_cache(tmp_path):
    folder, _ = Cache(tmp_path / "cache").make(step(), build)
    link_or_copy(folder / "inner" / "a.txt", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").stat().st_mode & 0o222 == 0
    again, made = Cache(tmp_path / "cache").make(step(2), build)
    assert made
    assert (again / "inner" / "a.txt").read_text() == "a"


def test_nothing_is_published_when_building_fails(tmp_path):
    cache = Cache(tmp_path)

    def fail(folder):
        (folder / "half").write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        cache.make(step(), fail)
    assert not cache.folder(step()).exists()


def test_a_result_of_another_key_does_not_count(tmp_path):
    cache = Cache(tmp_path)
    folder, _ = cache.make(step(), build)
    record = json.loads((folder / "done.json").read_text())
    assert record["files"].keys() == {"inner/a.txt"}
    assert not is_intact(folder, "another")


def test_keys_come_from_inputs_and_not_from_names():
    one, two = Step.of("match", "a", {"v": 1}), Step.of("match", "b", {"v": 1})
    assert one.key == two.key
    assert Step.of("corpus", "a", {"v": 1}).key != one.key
    below, other = Step.of("tokens", "t", {}, {"corpus": one}), Step.of("tokens", "t", {}, {"corpus": step(5)})
    assert below.key != other.key
