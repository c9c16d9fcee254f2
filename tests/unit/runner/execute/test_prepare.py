"""Files that are no longer what they were when a run was planned: nothing is kept under the names of what they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import InputError
from runner.execute.builder import Builder
from runner.execute.cache import Cache
from runner.model.tokenizer import train_word_tokenizer
from runner.steps.names import TextName
from tests.support.experiments import planned

WORD = "# sent_id = {0}\n# text = {1} run\n1\t{1}\t{1}\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\trun\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n"
FOUR_WORDS = (
    "1\tdogs\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n2\talso\talso\tADV\t_\t_\t3\tadvmod\t_\t_\n"
    "3\trun\trun\tVERB\t_\t_\t0\troot\t_\t_\n4\tthere\tthere\tADV\t_\t_\t3\tadvmod\t_\t_\n\n"
)
MANIFEST = """
[experiment]
name = "x"
seeds = [1]
[corpus]
train = ["train.conllu"]
valid = ["valid.conllu"]
[tokenizer]
kind = "saved"
path = "words"
[[model]]
preset = "lstm-128"
[[condition]]
name = "c1"
inject = { text = ["plain.txt", "parsed.conllu"], fraction = 0.1, unit = "sentence" }
[[condition]]
name = "c2"
substitute = { alpha = 0.5, tags = "upos", reference = ["reference.txt"] }
[[evaluate]]
name = "rated"
path = "rated.conllu"
[[evaluate]]
name = "pairs"
path = "pairs.csv"
[[evaluate]]
name = "corrupted"
path = "other.conllu"
corrupt = { pairs = 2 }
"""


def conllu(path: Path, noun: str) -> None:
    path.write_text("".join(WORD.format(number, noun) for number in range(40)))


def written(folder: Path) -> Path:
    (folder / "fictc.toml").touch()
    for name in ("train", "valid", "parsed"):
        conllu(folder / f"{name}.conllu", "dogs")
    (folder / "other.conllu").write_text(FOUR_WORDS * 40)
    (folder / "rated.conllu").write_text(f"# rating = 1\n{WORD.format(1, 'dogs')}")
    (folder / "reference.txt").write_text("dogs run\n")
    (folder / "plain.txt").write_text("dogs run\n" * 40)
    (folder / "pairs.csv").write_text("good,bad\ndogs run,run dogs\n")
    train_word_tokenizer(["dogs run"], size=5).save_pretrained(folder / "words")
    (folder / "m.toml").write_text(MANIFEST)
    return folder / "m.toml"


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ("store:train", "train.conllu"),
        ("store:valid", "valid.conllu"),
        ("tokenizer", "words/tokenizer.json"),
        ("suite:pairs", "pairs.csv"),
        ("suite:corrupted", "other.conllu"),
        ("edit:c2", "reference.txt"),
        ("suite:c2/rated", "reference.txt"),
        ("units:c1", "plain.txt"),
        ("units:c1", "parsed.conllu"),
    ],
)
def test_a_file_that_changes_after_it_was_planned_with(tmp_path: Path, step: str, name: str) -> None:
    """It changes before its step or while it is read; put back, it is read and leaves what it would have left."""
    plan, cache = planned(written(tmp_path)), Cache(tmp_path / "cache")
    file, found = tmp_path / name, next(one for one in plan.steps() if one.id == step)
    before = file.read_bytes()

    def change(event: dict[str, object]) -> None:
        if event == {"event": "start", "step": step}:
            file.write_bytes(before.replace(b"dogs", b"cats"))

    with pytest.raises(InputError) as caught:
        Builder(plan, cache, change).run()
    path = plan.resolved.tokenizer.path if step == "tokenizer" else file
    assert [d.message for d in caught.value.diagnostics] == [f"{path} cannot be read: it was changed while it was read"]
    assert not cache.has(found)
    file.write_bytes(before)
    Builder(plan, cache, lambda event: None).run()
    assert cache.has(found)


def test_corrupted_sentences_that_no_comment_selects_are_refused_even_from_the_cache(tmp_path: Path) -> None:
    manifest = written(tmp_path)
    text = manifest.read_text().replace("{ pairs = 2 }", '{ pairs = 2, key = "genre", value = "reviws" }')
    manifest.write_text(text)
    plan, cache = planned(manifest), Cache(tmp_path / "cache")
    for _ in range(2):
        with pytest.raises(InputError) as caught:
            Builder(plan, cache, lambda event: None).run()
        (problem,) = caught.value.diagnostics
        reason = "no sentence with the comment genre = reviws can be corrupted"
        assert (problem.code, problem.message) == ("FICT604", f"wrong value for `corrupt`: {reason}")
        assert problem.source.position(problem.span.start)[0] == text[: text.index("corrupt = ")].count("\n") + 1


def test_fewer_corrupted_sentences_than_asked_for_are_a_warning(tmp_path: Path) -> None:
    manifest = written(tmp_path)
    manifest.write_text(manifest.read_text().replace("{ pairs = 2 }", "{ pairs = 50 }"))
    preparation = Builder(planned(manifest), Cache(tmp_path / "cache"), lambda event: None)
    preparation.run()
    assert "warning: corrupted: fewer pairs than the 50 per operation that were asked for: delete-root 40, " in "".join(
        map(str, preparation.warnings())
    )


@pytest.mark.parametrize(("lowercase", "line"), [(True, "dogs run"), (False, "[NOUN] run")])
def test_forms_are_compared_in_lower_case_if_a_saved_tokenizer_lowercases(
    tmp_path: Path, lowercase: bool, line: str
) -> None:
    manifest = written(tmp_path)
    train_word_tokenizer(["dogs run"], size=5, lowercase=lowercase).save_pretrained(tmp_path / "words")
    (tmp_path / "reference.txt").write_text("Dogs run\n" * 9 + "cats\n")
    text = manifest.read_text().replace("alpha = 0.5", "alpha = 0.05")
    manifest.write_text(text.replace("{ pairs = 2 }", '{ pairs = 2, words = "tags" }'))
    plan = planned(manifest)
    preparation = Builder(plan, Cache(tmp_path / "cache"), lambda event: None)
    preparation.corpora()
    assert set(preparation.lines(TextName("c2"))) == {line}
    assert plan.suites["corrupted"].inputs["lowercase"] is lowercase


def test_a_test_text_without_a_token_to_predict_is_refused_before_training(tmp_path: Path) -> None:
    manifest = written(tmp_path)
    (tmp_path / "one.conllu").write_text("1\tdogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    test = 'test = ["one.conllu"]\n[training]\nrows = "sentence"\n'
    manifest.write_text(manifest.read_text().replace("[tokenizer]", f"{test}[tokenizer]"))
    Builder(planned(manifest), Cache(tmp_path / "cache"), lambda event: None).encode()
    manifest.write_text(manifest.read_text().replace("[training]", '[training]\nframe = "none"'))
    with pytest.raises(InputError) as caught:
        Builder(planned(manifest), Cache(tmp_path / "cache"), lambda event: None).encode()
    (problem,) = caught.value.diagnostics
    assert problem.message == "wrong value for `test`: the test text has no token to predict"
    assert problem.source.position(problem.span.start)[0] == 8


def test_words_become_no_unknown_token_if_the_tokenizer_has_none(tmp_path: Path) -> None:
    manifest = written(tmp_path)
    text = manifest.read_text().replace('kind = "saved"\npath = "words"', 'kind = "bpe"\nsize = 300')
    manifest.write_text(text.replace("{ pairs = 2 }", '{ pairs = 2, words = "unk" }'))
    with pytest.raises(InputError) as caught:
        Builder(planned(manifest), Cache(tmp_path / "cache"), lambda event: None).corpora()
    (problem,) = caught.value.diagnostics
    assert problem.message == "wrong value for `words`: the tokenizer has no unknown token"
