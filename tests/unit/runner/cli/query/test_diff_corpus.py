"""`fictc diff-corpus` as its user sees it."""

import json

import numpy as np
from click.testing import CliRunner

from runner.cli import fictc


def corpora(folder):
    for name, lines, sids in (("full", ["A b.", "C d e.", "F."], [0, 1, 2]), ("less", ["F.", "A <mask>."], [2, 0])):
        (folder / name).mkdir()
        (folder / name / "text.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        np.save(folder / name / "sids.npy", np.array(sids))
    return [str(folder / "full"), str(folder / "less")]


def test_lost_and_edited_sentences_are_counted_and_shown(tmp_path):
    a, b = corpora(tmp_path)
    done = CliRunner().invoke(fictc, ["diff-corpus", a, b])
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        f"{a}: 3 sentences, 6 words between spaces",
        f"{b}: 2 sentences, 3 words between spaces",
        "1 sentence is the same; the order differs",
        "1 only in A:",
        "  - C d e.",
        "1 edited:",
        "  - A b.",
        "  + A <mask>.",
    ]


def test_one_sentence_and_one_word_are_singular_and_edited_sentences_may_move(tmp_path):
    for name, lines, sids in (("full", ["A.", "B."], [0, 1]), ("edited", ["D.", "C."], [1, 0]), ("one", ["A."], [0])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "text.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        np.save(tmp_path / name / "sids.npy", np.array(sids))
    full, edited, one = (str(tmp_path / name) for name in ("full", "edited", "one"))
    lines = CliRunner().invoke(fictc, ["diff-corpus", full, one]).output.splitlines()
    assert lines[1:3] == [f"{one}: 1 sentence, 1 word between spaces", "1 sentence is the same"]
    lines = CliRunner().invoke(fictc, ["diff-corpus", full, edited]).output.splitlines()
    assert lines[2:4] == ["0 sentences are the same; the order differs", "2 edited:"]


def test_tools_get_counts_and_as_many_examples_as_they_ask_for(tmp_path):
    done = CliRunner().invoke(fictc, ["diff-corpus", *corpora(tmp_path), "--format", "json", "-n", "0"])
    found = json.loads(done.output)
    assert (found["lost"], found["gained"], found["edited"], found["same"], found["moved"]) == (1, 0, 1, 1, True)
    assert found["examples"] == {"lost": [], "gained": [], "edited": []}
