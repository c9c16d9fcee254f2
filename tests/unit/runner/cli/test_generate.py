"""`fictc generate` as its user runs it: a file, what is told, and what a check finds."""

from __future__ import annotations

import json
import re

from click.testing import CliRunner

from fictdsl.installation import shipped
from runner.cli import fictc
from runner.corpus.import_conllu import import_files
from runner.errors import InputError

FILTERS = shipped("filters") / "injection"


def run(*arguments):
    return CliRunner().invoke(fictc, ["generate", *map(str, arguments)])


def test_a_checked_text_and_a_control_that_holds_no_target(tmp_path):
    path = tmp_path / "only.conllu"
    done = run("only_npi_scope", "-o", path, "-n", 1000, "--every", 100, "--check", FILTERS / "only-npi-scope.fict")
    assert done.exit_code == 0, done.output
    store = import_files([path], tmp_path / "store")
    assert f"matched: 10 of 10 target sentences, 0 of {store.info.sentences - 10} others" in done.stderr
    done = run("-o", tmp_path / "plain.conllu", "-n", 1000, "--every", 100, "--check", FILTERS)
    assert done.exit_code == 0
    assert "matched: 0 of 0 target sentences" in done.stderr


def test_a_filter_of_another_paradigm_does_not_agree(tmp_path):
    done = run(
        "only_npi_scope", "-o", tmp_path / "a.conllu", "-n", 200, "--check", FILTERS / "left-branch-echo-question.fict"
    )
    assert done.exit_code == 1
    assert "matched: 0 of 1 target sentences, 0 of" in done.stderr


def test_no_sentence_of_a_suite_is_generated(tmp_path):
    run("only_npi_scope", "-o", tmp_path / "a.conllu", "-n", 300)
    texts = [line[9:] for line in (tmp_path / "a.conllu").read_text().splitlines() if line.startswith("# text = ")]
    suite = tmp_path / "suite.jsonl"
    suite.write_text("".join(json.dumps({"good": text.upper(), "bad": "x"}) + "\n" for text in texts[:9]))
    done = run("only_npi_scope", "-o", tmp_path / "b.conllu", "-n", 300, "--suite", suite)
    assert "b.conllu: 1 document, " in done.stderr and " words, 1 target sentence\n" in done.stderr
    again = (tmp_path / "b.conllu").read_text()
    assert re.search(r"found in a suite: [\d,]+ sentences resampled\n", done.stderr)
    assert not any(f"# text = {text}\n" in again for text in texts[:9])


def test_an_unknown_paradigm_and_the_nearest(tmp_path):
    done = run("only_npi_scop", "-o", tmp_path / "a.conllu")
    assert done.exit_code == 2
    assert "the nearest name is `only_npi_scope`" in done.output
    assert not (tmp_path / "a.conllu").exists()


def test_a_suffix_of_the_other_format_is_refused(tmp_path):
    endpoint = ("--endpoint", "http://localhost:1/v1", "--model", "m")
    for name, options in (("a.jsonl", ()), ("a.JSONL", ()), ("a.conllu", endpoint), ("a.CoNLLU", endpoint)):
        done = run("only_npi_scope", "-o", tmp_path / name, *options)
        assert done.exit_code == 2
        assert "--output" in done.output and ".jsonl" in done.output
        assert not (tmp_path / name).exists()


def test_lemmas_of_a_list(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("gadget\npickle\ncostly\n")
    done = run("-o", tmp_path / "a.conllu", "-n", 2000, "--lemmas", words)
    assert done.exit_code == 0, done.output
    assert {"gadget", "pickle", "costly"} <= set((tmp_path / "a.conllu").read_text().replace("\t", " ").split())
    words.write_text("hour\nuser\nuseful\ninformation\n")
    done = run("-o", tmp_path / "b.conllu", "-n", 3000, "--lemmas", words)
    assert done.exit_code == 0, done.output
    text = " ".join(
        line for line in (tmp_path / "b.conllu").read_text().lower().splitlines() if line.startswith("# text")
    )
    assert set(re.findall(r"\b(an? (?:hour|use\w+|information))\b", text)) == {"an hour", "a user", "a useful"}
    assert "information" not in text


def test_a_list_of_counts_is_refused(tmp_path):
    (tmp_path / "words.txt").write_text("23135851162\tthe\n100\thouse\n")
    done = run("-o", tmp_path / "a.conllu", "--lemmas", tmp_path / "words.txt")
    assert done.exit_code == 2
    assert "words.txt has no English noun, verb or adjective that can be used" in done.output
    assert not (tmp_path / "a.conllu").exists()


def test_a_list_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "words.txt").write_bytes("caf\u00e9\n".encode("latin-1"))
    done = run("-o", tmp_path / "a.conllu", "--lemmas", tmp_path / "words.txt")
    assert isinstance(done.exception, InputError) and done.exception.diagnostics[0].code == "FICT701"


def test_options_without_effect_and_filters_with_errors_are_refused_before_anything_is_written(tmp_path):
    (tmp_path / "words.txt").write_text("a\n")
    path = tmp_path / "only.conllu"
    done = run("-o", path, "-n", 100, "--list", f"nouns={tmp_path / 'words.txt'}")
    assert (done.exit_code, "--list requires --check" in done.output) == (2, True)
    done = run("-o", path, "-n", 100, "--model", "gpt-oss-120b")
    assert (done.exit_code, "--model requires --endpoint" in done.output) == (2, True)
    for option in ("--temperature", "--max-tokens", "--parallel", "--attempts", "--timeout", "--pause", "--reasoning"):
        done = run("-o", path, "-n", 100, option, 1)
        assert (done.exit_code, f"{option} requires --endpoint" in done.output) == (2, True)
    done = run("-o", path, "-n", 100, "--timeout", 9, "--model", "gpt-oss-120b", "--temperature", 0.7)
    assert (done.exit_code, "--timeout requires --endpoint" in done.output) == (2, True)
    assert isinstance(run("-o", path, "-n", 100, "--check", tmp_path / "missing.fict").exception, InputError)
    assert not path.exists()
