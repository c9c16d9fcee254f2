"""Notes on suites that are scored in another context than models are trained in."""

import pytest

from runner.manifest.text import read_draft
from runner.steps.paths import Roots
from runner.steps.resolve import resolve

MANIFEST = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = {{ sentences = 200 }}
[[condition]]
name = "no-passive"
remove = ["${{filters}}/fict15/passive.fict"]
[tokenizer]
size = 300
[[model]]
preset = "{preset}"
training = {{ frame = "{frame}", epochs = {epochs} }}
[[evaluate]]
name = "pairs"
path = "sample"
{convention}
"""


def notes(folder, convention, preset="lstm-128", frame="eos", epochs=1):
    text = MANIFEST.format(convention=convention, preset=preset, frame=frame, epochs=epochs)
    (folder / "m.toml").write_text(text)
    draft = read_draft(folder / "m.toml")
    return [note.message for note in resolve(draft, Roots.of(draft.folder)).warnings if note.kind == "context"]


@pytest.mark.parametrize(
    ("frame", "convention", "said"),
    [
        ("eos", 'convention = "fict"', 'training has <eos> before each sentence, but scoring has no token; they agree with '
         '`frame = "none"` in [training], or with `scoring = { context = "as_trained" }`'),
        ("eos", 'convention = "babylm"', "scoring has no token"),
        ("none", 'convention = "lm-eval"', "training has no token before a sentence, but scoring has bos"),
        ("none", 'scoring = { context = "eos" }', "scoring has eos"),
    ],
)  # fmt: skip
def test_other_contexts_are_noted_with_what_mends_them(tmp_path, frame, convention, said):
    (note,) = notes(tmp_path, convention, frame=frame)
    assert note.startswith("pairs: lstm-128: ")
    assert said in note


@pytest.mark.parametrize(
    ("frame", "convention"),
    [
        ("eos", ""),
        ("eos", 'convention = "lm-eval"'),
        ("eos", 'convention = "fict"\nscoring = { context = "as_trained" }'),
        ("none", ""),
        ("none", 'convention = "fict"'),
    ],
)
def test_equal_contexts_need_no_note(tmp_path, frame, convention):
    assert notes(tmp_path, convention, frame=frame) == []


def test_masked_and_untrained_models_have_no_such_context(tmp_path):
    assert notes(tmp_path, 'convention = "fict"', preset="bert-128") == []
    assert notes(tmp_path, 'convention = "fict"', epochs=0) == []
