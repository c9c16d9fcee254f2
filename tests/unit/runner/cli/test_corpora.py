"""`fictc corpora`: the corpora of an experiment as files, the same however often the command is interrupted."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from runner.execute import export
from runner.execute.builder import Builder
from runner.execute.export import Corpus, corpus_of
from runner.steps.names import TextName
from tests.support.experiments import prepared
from tests.unit.runner.cli.conftest import Fictc

TREE = (
    "{head}# sent_id = {word}-{number}\n# genre = web\n# genre = news\n"
    "1\t{word}\tit\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)
MANIFEST = """[experiment]
name = "barks"
description = "Who barks?"
seeds = [1]
[corpus]
train = ["train.conllu"]
valid = ["valid.conllu"]
test = ["test.conllu"]
[size]
count = 8
[[condition]]
name = "no-dogs"
remove = ["dogs.fict"]
targets = ["pairs/agreement"]
[[condition]]
name = "no-dogs-control"
remove-random = "no-dogs"
[[condition]]
name = "tags"
substitute = { alpha = 0.2, tags = "upos" }
[[condition]]
name = "injected"
inject = { text = ["extra.txt"], fraction = 0.2, unit = "sentence" }
[[model]]
preset = "lstm-128"
training = { epochs = 1 }
"""
CONDITIONS = ["full", "no-dogs", "no-dogs-control", "tags", "injected"]
SUFFIX = {"text": ".txt", "jsonl": ".jsonl", "parquet": ".parquet", "hf": ".parquet"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "fictc.toml").touch()
    for name, words in (("train", ("dogs", "cats", "cows") * 4), ("valid", ("dogs", "mice")), ("test", ("cats",))):
        heads = [f"# newdoc id = {name}{number // 3}\n" if number % 3 == 0 else "" for number in range(len(words))]
        trees = [TREE.format(head=heads[number], word=word, number=number) for number, word in enumerate(words)]
        (folder / f"{name}.conllu").write_text("".join(trees))
    (folder / "extra.txt").write_text("the wolf howls\n" * 20)
    (folder / "dogs.fict").write_text('fict 1\nfilter dogs { about "Dogs." match { S[lower(form) = dogs] } }\n')
    (folder / "m.toml").write_text(MANIFEST)
    return folder


def written(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def call_corpora(call: Fictc, project: Path, output: Path, form: str) -> None:
    ended = call("corpora", project / "m.toml", "-o", output, "--format", form, "--cache", project / "cache")
    assert (ended.code, ended.problems) == (0, ())
    assert ended.out == f"5 conditions, 9 files: {output}\n"


@pytest.mark.parametrize("form", SUFFIX)
def test_every_condition_and_text_is_written_as_a_run_would_train_on_it(
    form: str, call: Fictc, project: Path, tmp_path: Path
) -> None:
    call_corpora(call, project, tmp_path, form)
    suffix = SUFFIX[form]
    expected = {f"{name}/train{suffix}" for name in CONDITIONS}
    expected |= {f"valid{suffix}", f"test{suffix}", f"tags/valid{suffix}", f"tags/test{suffix}"}
    assert set(written(tmp_path)) - {"README.md"} == expected | {"corpora.json", "targets.csv"}
    preparation = prepared(project / "m.toml", project / "run-cache")
    for name in CONDITIONS:
        assert texts(tmp_path / f"{name}/train{suffix}") == preparation.lines(TextName.parse(name))
    assert texts(tmp_path / f"tags/valid{suffix}") == preparation.lines(TextName("tags", "valid"))
    assert (tmp_path / "targets.csv").read_text() == "corpus,benchmark\nno-dogs,pairs/agreement\n"


class StoppedError(Exception):
    """The command ends in the middle."""


def texts(path: Path) -> list[str]:
    match path.suffix:
        case ".txt":
            return [line for line in path.read_text().split("\n") if line]
        case ".jsonl":
            return [json.loads(line)["text"] for line in path.read_text().splitlines()]
    found: list[str] = pq.read_table(path)["text"].to_pylist()
    return found


def test_progress_counts_no_steps_that_the_command_does_not_take(call: Fictc, project: Path, tmp_path: Path) -> None:
    ended = call("corpora", project / "m.toml", "--output", tmp_path / "out", "--cache", tmp_path / "cache")
    counts = re.findall(r"^\[(.*)\] ", ended.err, re.MULTILINE)
    assert counts == [str(number) for number in range(1, len(counts) + 1)] and counts


def test_documents_metadata_and_injected_lines_are_kept(call: Fictc, project: Path, tmp_path: Path) -> None:
    call_corpora(call, project, tmp_path / "json", "jsonl")
    records = [json.loads(line) for line in (tmp_path / "json/injected/train.jsonl").read_text().splitlines()]
    base = [record for record in records if record["source"] == "train.conllu"]
    added = [record for record in records if record["source"] == "injected"]
    assert base and added and len(base) + len(added) == len(records)
    for record in base:
        word, number = record["sent_id"].split("-")
        assert record["text"] == f"{word} bark"
        assert (record["number"], record["document"]) == (int(number) + 1, f"train{int(number) // 3}")
        assert record["metadata"] == {"genre": ["news", "web"]}
    assert {(r["text"], r["sent_id"], r["number"]) for r in added} == {("the wolf howls", None, None)}
    assert all(record["document"].startswith("injected-") and record["metadata"] == {} for record in added)


def test_an_empty_line_separates_documents_of_plain_text(call: Fictc, project: Path, tmp_path: Path) -> None:
    call_corpora(call, project, tmp_path, "text")
    assert (tmp_path / "valid.txt").read_text() == "dogs bark\nmice bark\n"
    call_corpora(call, project, tmp_path, "jsonl")
    assert not (tmp_path / "valid.txt").exists()  # another format replaces the files
    documents = [json.loads(line)["document"] for line in (tmp_path / "full/train.jsonl").read_text().splitlines()]
    call_corpora(call, project, tmp_path, "text")
    blocks = (tmp_path / "full/train.txt").read_text().split("\n\n")
    sizes = [len(block.splitlines()) for block in blocks]
    changes = [index for index in range(1, len(documents)) if documents[index] != documents[index - 1]]
    assert sizes == np.diff([0, *changes, len(documents)]).tolist()


def test_a_folder_for_hugging_face_names_every_file_by_condition_and_split(
    call: Fictc, project: Path, tmp_path: Path
) -> None:
    yaml = pytest.importorskip("yaml")
    call_corpora(call, project, tmp_path, "hf")
    _, front, body = (tmp_path / "README.md").read_text().split("---\n", 2)
    card = yaml.safe_load(front)
    assert card["pretty_name"] == "barks" and "Who barks?" in body
    assert [config["config_name"] for config in card["configs"]] == CONDITIONS
    assert [config.get("default", False) for config in card["configs"]] == [True, False, False, False, False]
    for config in card["configs"]:
        splits = {entry["split"]: entry["path"] for entry in config["data_files"]}
        assert list(splits) == ["train", "validation", "test"]
        assert splits["train"] == f"{config['config_name']}/train.parquet"
        own = config["config_name"] == "tags"
        assert splits["validation"] == ("tags/valid.parquet" if own else "valid.parquet")
        for path in splits.values():
            names = pq.read_schema(tmp_path / path).names
            assert names == ["text", "source", "number", "sent_id", "document", "metadata"]
        assert f"| `{config['config_name']}` |" in body


def test_another_format_leaves_no_card_but_that_of_the_user(call: Fictc, project: Path, tmp_path: Path) -> None:
    call_corpora(call, project, tmp_path, "hf")
    call_corpora(call, project, tmp_path, "jsonl")
    assert not (tmp_path / "README.md").exists()
    (tmp_path / "README.md").write_text("notes")
    call_corpora(call, project, tmp_path, "text")
    assert (tmp_path / "README.md").read_text() == "notes"


def test_datasets_loads_the_folder(call: Fictc, project: Path, tmp_path: Path) -> None:
    import datasets

    call_corpora(call, project, tmp_path / "hf", "hf")
    for name in CONDITIONS:
        loaded = datasets.load_dataset(str(tmp_path / "hf"), name, cache_dir=str(tmp_path / "cache"))
        assert {split: len(rows) for split, rows in loaded.items() if split != "train"} == {"validation": 2, "test": 1}
        assert loaded["train"]["text"] == texts(tmp_path / f"hf/{name}/train.parquet")


@pytest.mark.parametrize("form", ["text", "hf"])
def test_an_interrupted_command_continues_to_the_same_bytes(
    form: str, call: Fictc, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_corpora(call, project, tmp_path / "whole", form)
    made: list[TextName] = []

    def interrupted(preparation: Builder, name: TextName) -> Corpus:
        if len(made) == 3:
            raise StoppedError
        made.append(name)
        return corpus_of(preparation, name)

    with monkeypatch.context() as patch:
        patch.setattr(export, "corpus_of", interrupted)
        with pytest.raises(StoppedError):
            call("corpora", project / "m.toml", "-o", tmp_path / "part", "--format", form, "--cache", project / "cache")
    assert len(list((tmp_path / "part").glob("*/train*"))) == 3
    (tmp_path / "part" / f"full/train{SUFFIX[form]}").write_text("damaged")
    rebuilt: list[TextName] = []

    def noted(preparation: Builder, name: TextName) -> Corpus:
        rebuilt.append(name)
        return corpus_of(preparation, name)

    monkeypatch.setattr(export, "corpus_of", noted)
    call_corpora(call, project, tmp_path / "part", form)
    assert rebuilt[0] == TextName("full") and not set(rebuilt) & set(made[1:])
    assert written(tmp_path / "part") == written(tmp_path / "whole")


def test_corpora_that_are_drawn_anew_for_each_seed_are_separate_configurations(
    call: Fictc, project: Path, tmp_path: Path
) -> None:
    text = MANIFEST.replace("seeds = [1]", "seeds = [1, 2]").replace("[size]", '[size]\nredraw = "seed"')
    (project / "redrawn.toml").write_text(text)
    ended = call(
        "corpora", project / "redrawn.toml", "-o", tmp_path, "--format", "hf", "--cache", project / "redrawn-cache"
    )
    assert (ended.code, ended.problems) == (0, ())
    first, second = (texts(tmp_path / f"full/seed-{seed}/train.parquet") for seed in (1, 2))
    assert len(first) == len(second) == 8 and first != second
    assert '- config_name: "full-seed-2"\n' in (tmp_path / "README.md").read_text()


def test_files_of_the_user_are_neither_replaced_nor_removed(call: Fictc, project: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("my notes\n")
    form = ("--format", "hf", "--cache", project / "cache")
    refused = call("corpora", project / "m.toml", "-o", tmp_path, *form)
    assert (refused.code, [code for code, *_ in refused.problems]) == (2, ["FICT791"])
    assert written(tmp_path).keys() == {"README.md"}
    call_corpora(call, project, tmp_path, "text")
    assert readme.read_text() == "my notes\n"
    readme.unlink()
    call_corpora(call, project, tmp_path, "hf")
    call_corpora(call, project, tmp_path, "hf")
    readme.write_text(readme.read_text() + "\nLicence: CC BY 4.0\n")
    assert call("corpora", project / "m.toml", "-o", tmp_path, *form).code == 2
    call_corpora(call, project, tmp_path, "text")
    assert "CC BY 4.0" in readme.read_text()


def test_injected_documents_do_not_separate_sentences_without_documents(
    call: Fictc, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "fictc.toml").touch()
    for name in ("valid.conllu", "test.conllu", "extra.txt", "dogs.fict"):
        (tmp_path / name).write_bytes((project / name).read_bytes())
    trees = (project / "train.conllu").read_text()
    (tmp_path / "train.conllu").write_text(re.sub("# newdoc .*\n", "", trees))
    (tmp_path / "m.toml").write_text(MANIFEST)
    call_corpora(call, tmp_path, tmp_path / "corpora", "text")
    texts = {name: (tmp_path / "corpora" / name / "train.txt").read_text() for name in CONDITIONS}
    assert "the wolf howls\n" in texts["injected"]
    assert not any("\n\n" in text for text in texts.values())


@pytest.mark.parametrize("name", ["valid.txt", "full/train.txt", "targets.csv", "corpora.json"])
def test_no_file_of_the_user_is_replaced(name: str, call: Fictc, project: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    refused = call("corpora", project / "m.toml", "-o", tmp_path, "--cache", project / "cache")
    [(code, message, _)] = refused.problems
    assert (refused.code, code) == (2, "FICT791") and str(path) in message
    assert path.read_text() == "{}"


def test_a_record_that_no_export_can_have_written_is_refused(call: Fictc, project: Path, tmp_path: Path) -> None:
    (tmp_path / "targets.csv").touch()
    (tmp_path / "corpora.json").write_text('{"files": {}, "extras": {"targets.csv": 3}}')
    refused = call("corpora", project / "m.toml", "-o", tmp_path, "--cache", project / "cache")
    [(code, message, _)] = refused.problems
    assert (refused.code, code) == (2, "FICT791") and "corpora.json" in message


def test_a_card_that_is_added_to_an_interrupted_export_is_not_replaced(
    call: Fictc, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("-o", tmp_path, "--format", "hf", "--cache", project / "cache")

    def interrupted(preparation: Builder, name: TextName) -> Corpus:
        if name != "full":
            raise StoppedError
        return corpus_of(preparation, name)

    with monkeypatch.context() as patch:
        patch.setattr(export, "corpus_of", interrupted)
        with pytest.raises(StoppedError):
            call("corpora", project / "m.toml", *options)
    (tmp_path / "README.md").write_text("my notes\n")
    assert call("corpora", project / "m.toml", *options).code == 2
    assert (tmp_path / "README.md").read_text() == "my notes\n"


def test_a_file_is_recorded_before_it_is_published(
    call: Fictc, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise StoppedError

    with monkeypatch.context() as patch:
        patch.setattr(export, "_write_record", interrupted)
        with pytest.raises(StoppedError):
            call("corpora", project / "m.toml", "-o", tmp_path, "--cache", project / "cache")
    call_corpora(call, project, tmp_path, "text")
