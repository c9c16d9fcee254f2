"""Documents that Python's readers end on with other errors than their own, in every place that reads them."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from fictdsl.lint import baseline
from runner.corpus.store import Store
from runner.errors import InputError
from runner.fetch import data_sets
from runner.generate.endpoint import completion_text, error_message
from runner.manifest.text import read_draft
from runner.model.recipe import kind_and_positions
from runner.readers import MAX_DEPTH, parse_json, parse_toml
from runner.score.any_suite import open_suite
from runner.settings import load
from runner.workspace import key
from tests.support import corpora

DEEP = 100_000
DIGITS = "1" * 5_000
JSON = {
    "arrays": "[" * DEEP + "]" * DEEP,
    "objects": '{"a":' * DEEP + "1" + "}" * DEEP,
    "above the limit": "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2),
    "open arrays": "[" * DEEP,
    "digits": f'{{"a": {DIGITS}}}',
    "half a pair": '{"a": "\\ud800"}',
    "half a pair as a key": '{"\\udfff": 1}',
    "a key twice": '{"a": 1, "a": 2}',
    "a key twice below": '{"a": [{"b": {"c": 1, "d": 2, "c": 1}}]}',
    "a list": "[]",
    "a number": "1",
    "no JSON": "{",
    "nothing": "",
}
TOML = {
    "arrays": f"a = {'[' * DEEP}{']' * DEEP}",
    "above the limit": f"a = {'[' * (MAX_DEPTH + 2)}{']' * (MAX_DEPTH + 2)}",
    "tables": f"a = {'{b = ' * 5_000}1{'}' * 5_000}",
    "dotted keys": ".".join("a" * 5_000) + " = 1",
    "digits": f"a = {DIGITS}",
}


def as_store(path: Path, text: str) -> None:
    path.mkdir()
    (path / "store.json").write_text(text)
    Store.open(path)


def as_model(path: Path, text: str) -> None:
    path.mkdir()
    (path / "config.json").write_text(text)
    kind_and_positions(path)


def as_pairs(path: Path, text: str) -> None:
    path.with_suffix(".jsonl").write_text(text + "\n")
    open_suite(path.with_suffix(".jsonl"))


def as_syntaxgym(path: Path, text: str) -> None:
    path.with_suffix(".json").write_text(f'{{"predictions": {text or "1"}}}')
    open_suite(path.with_suffix(".json"))


def as_manifest(path: Path, text: str) -> None:
    path.write_text(text)
    read_draft(path)


def as_settings(path: Path, text: str) -> None:
    path.mkdir()
    (path / "fictc.toml").write_text(text)
    load(path)


def as_registry(path: Path, text: str) -> None:
    path.write_text(text)
    data_sets(path)


@pytest.mark.parametrize("read", [as_store, as_model, as_pairs, as_syntaxgym])
@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_is_refused_in_every_place(read: Callable[[Path, str], None], text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path / "x", text)
    assert refused.value.diagnostics


@pytest.mark.parametrize("read", [as_manifest, as_settings, as_registry])
@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_is_refused_in_every_place(read: Callable[[Path, str], None], text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path / "x", text)
    assert refused.value.diagnostics


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_other_readers_say_that_it_is_nothing_of_theirs(text: str, tmp_path: Path) -> None:
    assert completion_text(text)[0] is None
    assert error_message(text)
    with pytest.raises(ValueError, match=r"."):
        baseline.from_json(text, tmp_path)


@pytest.mark.parametrize("text", [text for name, text in JSON.items() if name not in ("a list", "a number")])
def test_the_reader_of_json_has_one_kind_of_error(text: str) -> None:
    for form in (text, text.encode()):
        with pytest.raises(json.JSONDecodeError):
            parse_json(form)


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_the_reader_of_toml_has_one_kind_of_error(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml(text)


def test_what_is_within_the_limits_is_read() -> None:
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_json(deep) == json.loads(deep)
    assert parse_json('"\\ud83d\\ude00"') == "\U0001f600"
    assert parse_toml("a = 1") == {"a": 1}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    return corpora.store(folder, "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n").path


@pytest.mark.parametrize("value", [None, True, -1, 1.5, "text", [[1]], [{"a": 1}], {"a": 1}, {"a": {"b": "c"}}, 2**70])
@pytest.mark.parametrize(
    "name", ["counts", "sources", "features", "values", "files", "ends", "absent", "copies", "layers"]
)
def test_a_description_of_other_types_is_damaged(store: Path, name: str, value: object, tmp_path: Path) -> None:
    shutil.copytree(store, tmp_path / "store")
    file = tmp_path / "store/store.json"
    content = json.loads(file.read_text()) | {name: value}
    del content["sha256"]
    file.write_text(json.dumps(content | {"sha256": key(content)}))
    with pytest.raises(InputError) as refused:
        Store.open(tmp_path / "store").info.sources  # noqa: B018
    assert [problem.code for problem in refused.value.diagnostics] == ["FICT742"]
