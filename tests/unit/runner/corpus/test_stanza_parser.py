"""Models that cannot be used are one message each; models that can give every word its place in the text."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.corpus.stanza_parser import StanzaFactory, StanzaOptions, check_models
from runner.errors import InputError
from tests.support import tiny_stanza

pytestmark = pytest.mark.stanza


@pytest.fixture(scope="session")
def tiny(request: pytest.FixtureRequest) -> Path:
    return tiny_stanza.models(Path(request.config.cache.mkdir("stanza")))


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny, tmp_path / "models", ignore=shutil.ignore_patterns("data")))


class _Evil:
    def __reduce__(self) -> object:
        return (Path.touch, (Path("/tmp/fictc-evil"),))


def _truncate(folder: Path) -> None:
    path = folder / "en/pos/tiny.pt"
    path.write_bytes(path.read_bytes()[:1000])


def _poison(folder: Path) -> None:
    path = folder / "en/depparse/tiny.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(_Evil()))
        archive.writestr("archive/version", "3\n")


def _without_parser(folder: Path) -> None:
    file = folder / "resources.json"
    resources = json.loads(file.read_text())
    del resources["en"]["depparse"]
    for package in resources["en"]["packages"].values():
        del package["depparse"]
    shutil.rmtree(folder / "en/depparse")
    file.write_text(json.dumps(resources))


FAULTS: dict[str, tuple[Callable[[Path], object], dict[str, str], str, str]] = {
    "no resources.json": (lambda f: (f / "resources.json").unlink(), {}, "FICT751", "resources.json"),
    "resources.json is no JSON": (lambda f: (f / "resources.json").write_text("{"), {}, "FICT756", "resources.json"),
    "another package": (lambda f: None, {"package": "tny"}, "FICT752", "tny"),
    "another language": (lambda f: None, {"lang": "ne"}, "FICT752", "ne"),
    "no language folder": (lambda f: shutil.rmtree(f / "en"), {}, "FICT755", "en"),
    "no model file": (lambda f: (f / "en/pos/tiny.pt").unlink(), {}, "FICT755", "en/pos/tiny.pt"),
    "a model cut short": (_truncate, {}, "FICT756", "en/pos/tiny.pt"),
    "a model with code in it": (_poison, {}, "FICT757", "en/depparse/tiny.pt"),
    "a package without a parser": (_without_parser, {}, "FICT755", "depparse"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_models_that_cannot_be_used(name: str, copy: Path) -> None:
    damage, changes, code, named = FAULTS[name]
    damage(copy)
    options = {"lang": "en", "package": "tiny", **changes}
    with pytest.raises(InputError) as caught:
        StanzaFactory(StanzaOptions(copy, mode="lines", **options), 1)()  # type: ignore[arg-type]
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert named in found.message
    assert "\n" not in found.message
    assert not Path("/tmp/fictc-evil").exists()


TEXTS = (
    " The dog of the teachers sees  a cat. A child likes the river. ",
    "\ufeffThe reports help the teacher.",
    "The dogs want a report . The",
)


def test_words_have_their_places(tiny: Path) -> None:
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines"), 1)()
    found = parser.parse(TEXTS, 200)
    assert [len(sentences) for sentences in found][:2] == [2, 1]
    for text, sentences in zip(TEXTS, found, strict=True):
        spelt = [text[t.start : t.end] for s in sentences for t in s.tokens]
        assert spelt == [word[0] for s in sentences for t in s.tokens for word in t.words]
        assert "".join(spelt) == "".join(text.replace("\ufeff", "").split())
    columns = [word for token in found[0][0].tokens for word in token.words]
    assert [word[5:] for word in columns] == [
        ("2", "det"),
        ("6", "nsubj"),
        ("5", "case"),
        ("5", "det"),
        ("2", "nmod"),
        ("0", "root"),
        ("8", "det"),
        ("6", "obj"),
        ("6", "punct"),
    ]


def test_pretokenized_lines_are_sentences(tiny: Path) -> None:
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "pretokenized"), 1)()
    texts = ["The dog  sees a cat. A", "x"]
    first, second = (sentences for (sentences,) in parser.parse(texts, 200))
    assert [(t.start, t.end) for t in first.tokens] == [(0, 3), (4, 7), (9, 13), (14, 15), (16, 20), (21, 22)]
    assert [word[0] for t in second.tokens for word in t.words] == ["x"]


def test_a_byte_order_mark_is_no_part_of_a_pretokenized_word(tiny: Path) -> None:
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "pretokenized"), 1)()
    ((sentence,),) = parser.parse(["\ufeffThe dog sees a cat ."], 200)
    assert (sentence.tokens[0].start, sentence.tokens[0].end, sentence.tokens[0].words[0][0]) == (1, 4, "The")


def test_a_very_long_token_keeps_its_letters(tiny: Path) -> None:
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines"), 1)()
    address = "x" * 1_500
    ((sentence,),) = parser.parse([f"The dog sees {address}."], 200)
    forms = [word[0] for token in sentence.tokens for word in token.words]
    assert address in "".join(forms)
    assert "<UNK>" not in forms


def test_a_line_can_be_one_sentence(tiny: Path) -> None:
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "sentences"), 1)()
    assert [len(sentences) for sentences in parser.parse(TEXTS, 200)] == [1, 1, 1]


def test_long_sentences_are_not_parsed(tiny: Path) -> None:
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines"), 1)()
    (sentences,) = parser.parse(TEXTS[:1], 6)
    assert [sentence.parsed for sentence in sentences] == [False, True]
    (only,) = parser.parse(TEXTS[1:2], 2)
    assert [sentence.parsed for sentence in only] == [False]


def test_batches_do_not_change_trees(tiny: Path) -> None:
    """All texts at once or one by one: the same words and trees."""
    parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines"), 1)()
    texts = [block.replace(" .", ".") for block in TEXTS] * 7
    assert parser.parse(texts, 200) == [parser.parse([text], 200)[0] for text in texts]


@pytest.mark.slow
def test_batches_of_any_size_give_the_same_trees(tiny: Path, data: Path) -> None:
    """Texts of a real treebank, parsed in batches of few and of many sentences and words."""
    lines = (data / "ud-ewt" / "en_ewt-ud-dev.conllu").read_text().split("\n")
    texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")][:400]
    found = []
    for units, words in ((400, 300), (400, 5_000), (37, 1_000), (5, 200), (1, 300)):
        parser = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines"), 1)()
        parser._pipeline.processors["depparse"]._config["batch_size"] = words
        parts = [parser.parse(texts[start : start + units], 200) for start in range(0, len(texts), units)]
        found.append([sentences for part in parts for sentences in part])
    assert all(one == found[0] for one in found)


def test_a_device_that_is_not_there(tiny: Path) -> None:
    with pytest.raises(InputError) as caught:
        StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines", device="cuda:99"), 1)()
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.hint and problem.hint.startswith("available devices: cpu")) == ("FICT754", True)
    assert StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines", device="auto"), 1)().parse(["Dogs bark."], 9)


def test_models_and_options_are_described(tiny: Path) -> None:
    described = StanzaFactory(StanzaOptions(tiny, "en", "tiny", "lines", resolve_heads=False), 1)().describe()
    assert described["options"] == {
        "depparse_resolve_head_constraints": False,
        "depparse_batch_size": 300,
        "device": "cpu",
    }
    models = described["models"]
    assert isinstance(models, dict)
    assert sorted(entry["file"] for entry in models.values()) == [
        f"en/{name}/tiny.pt" for name in ("depparse", "lemma", "pos", "tokenize")
    ]
    assert all(len(entry["sha256"]) == 64 for entry in models.values())


def test_models_that_are_not_there_are_missed_before_anything_is_loaded(copy: Path, tmp_path: Path) -> None:
    check_models(StanzaOptions(copy, "en", "tiny", "lines"))
    for options, code in (
        (StanzaOptions(tmp_path / "wrong", "en", "tiny", "lines"), "FICT751"),
        (StanzaOptions(copy, "en", "tny", "lines"), "FICT752"),
    ):
        with pytest.raises(InputError) as caught:
            check_models(options)
        assert caught.value.diagnostics[0].code == code
    program = "import sys; from runner.cli import main; sys.argv[1:] = {!r}; main()"
    arguments = ["annotate", str(tmp_path / "no-text"), "--models", "wrong", "-o", str(tmp_path / "store")]
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program.format(arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, "FICT751" in ended.stderr) == (2, True)
    assert "| torch" not in ended.stderr.replace(" ", "").replace("|", "| ")
