"""The cache: a result is whole and as it was published, or it is made again."""

import json

import pytest

from runner.execute.cache import Cache, is_intact, is_published
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
        lambda: (folder / "done.json").write_text(json.dumps({"key": cache.key(step()), "files": []})),
    ):
        harm()
        assert not cache.has(step())
        assert cache.make(step(), build)[1]
        assert cache.has(step())


def test_a_damaged_record_is_no_published_result(tmp_path):
    cache = Cache(tmp_path)
    folder, _ = cache.make(step(), build)
    key = cache.known_key(step())
    assert is_published(folder, key)
    for content in ("[]", "1", "{}", '{"files": {}}'):
        (folder / "done.json").write_text(content)
        assert not is_published(folder, key)


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


def test_keys_come_from_inputs_and_not_from_names(tmp_path):
    cache = Cache(tmp_path)
    one, two = Step.of("match", "a", {"v": 1}), Step.of("match", "b", {"v": 1})
    assert (one.recipe, cache.key(one)) == (two.recipe, cache.key(two))
    other = Step.of("corpus", "a", {"v": 1})
    assert other.recipe != one.recipe and cache.key(other) != cache.key(one)
    below, other = Step.of("tokens", "t", {}, {"corpus": one}), Step.of("tokens", "t", {}, {"corpus": step(5)})
    assert below.recipe != other.recipe


def test_a_key_is_made_of_the_contents_that_a_step_reads(tmp_path):
    cache = Cache(tmp_path)
    needs = [Step.of("corpus", "c", {"v": value}) for value in (1, 2, 3)]
    below = [Step.of("tokens", "c", {}, {"corpus": need}) for need in needs]
    assert [cache.key(step) for step in below] == [None, None, None]
    for need, text in zip(needs, ("a\n", "a\n", "b\n"), strict=True):
        cache.make(need, lambda folder, text=text: (folder / "text.txt").write_text(text))
    first, second, third = (Cache(tmp_path).known_key(step) for step in below)
    assert first == second != third


def test_only_the_files_that_are_read_count(tmp_path):
    cache, keys = Cache(tmp_path), set()
    for value in (1, 2):
        corpus = Step.of("corpus", "c", {"v": value})
        files = {"text.txt": "a\n", "stats.json": str(value)}
        cache.make(corpus, lambda folder, files=files: [(folder / n).write_text(t) for n, t in files.items()])
        keys.add(cache.known_key(Step.of("tokens", "c", {}, {"corpus": corpus})))
    assert len(keys) == 1


def test_what_reads_a_model_has_a_key_before_it_is_trained(tmp_path):
    train = Step.of("train", "t", {})
    assert Cache(tmp_path).key(Step.of("score", "s", {}, {"model": train})) is not None
