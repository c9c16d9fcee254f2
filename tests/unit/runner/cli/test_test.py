"""`fictc test`: examples beside filters are found, judged, counted, and their mistakes shown where they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from runner.cli.test import command
from runner.errors import InputError
from runner.examples import tallies

FILTERS = """fict 1
filter subject { about "s" match { V -[nsubj]-> S } }
filter number for n in {Sing, Plur} { about "n" match { N:NOUN[Number = $n] } }
"""
DOGS = "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
HUSH = "1\thush\x1b[31m\thush\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
GOOD = (
    "# filter = subject\n# expect = match\n# bind = V:2 S:1\n" + DOGS + "# filter = subject\n# expect = pass\n" + HUSH
    + "# filter = number.Plur\n# expect = match\n" + DOGS + "# filter = number\n# expect = pass\n" + HUSH
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "examples").mkdir()
    (tmp_path / "a.fict").write_text(FILTERS)
    return tmp_path


def run(project: Path, examples: str, *arguments: str) -> Result:
    (project / "examples" / "a.conllu").write_text(examples)
    result = CliRunner().invoke(command, [str(project), *arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


def rows(result: Result) -> dict[str, list[str]]:
    lines = [line.split() for line in result.output.splitlines()]
    return {line[0].rpartition("/")[2]: line[1:] for line in lines if len(line) == 5 and "/" in line[0]}


def test_each_filter_has_a_line_with_its_counts(project: Path) -> None:
    result = run(project, GOOD)
    assert result.return_value == 0
    assert rows(result) == {
        "subject": ["1", "1", "–", "1/1"],
        "number.Sing": ["0", "1", "–", "0/1"],
        "number.Plur": ["1", "1", "–", "1/1"],
    }
    assert "3 filters, 5 examples, run by the reference and the SQL: none failed." in result.output


def test_the_reference_names_documents_as_the_store_does(project: Path) -> None:
    (project / "a.fict").write_text('fict 1\nfilter f { match { V:VERB sentence[doc starts "a.conllu"] } }\n')
    example = "# newdoc\n# sent_id = p1\n# expect = match\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    result = run(project, example)
    assert result.return_value == 0, result.output
    assert "1 example, run by the reference and the SQL: none failed." in result.output


def test_the_database_is_not_needed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "find_spec", lambda name: None)
    assert "run by the reference: none failed" in run(project, GOOD).output
    assert "run by the reference: none failed" in run(project, GOOD, "--reference-only").output


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("expect = match\n# bind = V:2 S:1", "expect = pass", "expected no match, found S:1 V:2"),
        ("# expect = pass\n1\thush", "# expect = match\n1\thush", "expected a match, found none"),
        ("V:2 S:1", "V:1", "no match binds V:1; found S:1 V:2"),
    ],
)
def test_a_failure_shows_the_sentence_and_what_was_found(project: Path, before: str, after: str, problem: str) -> None:
    assert before in GOOD
    result = run(project, GOOD.replace(before, after, 1))
    assert result.return_value == 1
    assert problem in result.output
    assert "a.conllu:" in result.output
    assert "\x1b" not in result.output


def test_engines_that_differ_are_a_failure(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.examples.tallies.reference_matches", lambda examples: [set() for _ in examples])
    result = run(project, GOOD.replace("= match", "= pass").replace("# bind = V:2 S:1\n", ""))
    assert result.return_value == 1
    assert "the SQL finds S:1 V:2, the reference none" in result.output


def test_a_minimum_of_each_kind(project: Path) -> None:
    result = run(project, GOOD, "--min", "1")
    assert result.return_value == 1
    assert "number.Sing" in result.output.split("has 0 examples with `# expect = match`")[0]
    everything = GOOD + "# filter = number.Sing\n# expect = match\n" + DOGS.replace("Plur", "Sing")
    assert run(project, everything, "--min", "1").return_value == 0


def test_one_filter_of_a_file_is_tested_by_its_own_examples(project: Path) -> None:
    (project / "examples" / "a.conllu").write_text(GOOD)
    result = CliRunner().invoke(command, [f"{project / 'a.fict'}::number.Plur"], standalone_mode=False)
    assert rows(result) == {"number.Plur": ["1", "1", "–", "1/1"]}
    assert "1 filter, 2 examples, run by the reference and the SQL: none failed." in result.output


def test_what_no_example_exercises_is_counted_and_listed(project: Path) -> None:
    (project / "b.fict").write_text("fict 1 filter b { match { either { A:X } or { B:INTJ[form = hush|boo] } } }")
    (project / "examples" / "b.conllu").write_text("# expect = match\n" + HUSH.replace("\x1b[31m", ""))
    result = run(project, GOOD)
    assert result.return_value == 0
    assert rows(result)["b"] == ["1", "0", "–", "3/5"]
    assert "No example exercises 3 parts of 2 filters; --branches lists them." in result.output
    listed = run(project, GOOD, "--branches").output
    assert re.search(r"b +branch +\S+b\.fict:1:34 +\{ A:X \}\n", listed)
    assert re.search(r"b +value +\S+b\.fict:1:\d+ +form = boo\n", listed)
    assert re.search(r"number\.Sing +member +\S+a\.fict:3:\d+ +n = Sing\n", listed)


def test_json_has_every_part(project: Path) -> None:
    result = json.loads(run(project, GOOD.replace("V:2 S:1", "V:1"), "--format", "json").output)
    assert result["engines"] == ["reference", "sql"]
    first = result["filters"][0]
    assert (first["name"], first["match"], first["pass"]) == ("subject", 1, 1)
    assert first["failures"][0]["problems"] == ["no match binds V:1; found S:1 V:2"]
    assert first["failures"][0]["words"] == ["dogs", "bark"]
    assert [part["examples"] for one in result["filters"] for part in one["parts"]] == [1, 0, 1]


def test_junit_has_a_case_for_each_example(project: Path) -> None:
    result = run(project, GOOD.replace("V:2 S:1", "V:1"), "--format", "junit", "--min", "1")
    suites = ElementTree.fromstring(result.output.strip())
    assert suites.attrib == {"tests": "6", "failures": "2", "errors": "0"}
    messages = [failure.get("message") for failure in suites.iter("failure")]
    assert messages == ["no match binds V:1; found S:1 V:2", "has 0 examples with `# expect = match`; --min requires 1"]


def test_filters_without_examples_pass_unless_some_are_asked_for(project: Path) -> None:
    (project / "b.fict").write_text('fict 1 filter lonely { about "x" match { A:X } }')
    assert run(project, GOOD).return_value == 0
    assert run(project, GOOD, "--min", "1").return_value == 1


@pytest.mark.parametrize(
    ("before", "after", "code", "line"),
    [
        ("# expect = match", "# expected = match", "FICT780", 1),
        ("# filter = subject\n", "", "FICT780", 1),
        ("= subject", "= subjekt", "FICT781", 1),
        ("= number.Plur", "= number.Dual", "FICT781", 11),
        ("expect = pass", "expect = fail", "FICT782", 8),
        ("V:2 S:1", "V:2 S:7", "FICT782", 3),
        ("V:2 S:1", "V=2", "FICT782", 3),
        ("V:2 S:1", "W:2", "FICT782", 3),
        ("expect = match", "expect = pass", "FICT782", 3),
        ("V:2 S:1", "V:2 S:1\n# bind = V:2 S:7", "FICT782", 4),
        ("expect = match", "expect = match\n# expect = maybe", "FICT782", 3),
        ("= subject", "= subject\n# filter = subjekt", "FICT781", 2),
        ("# filter = subject\n# expect = pass", "# expect = rewritten", "FICT782", 7),
    ],
)
def test_mistakes_in_comments_are_shown_in_their_line(
    project: Path, before: str, after: str, code: str, line: int
) -> None:
    assert before in GOOD
    with pytest.raises(InputError) as caught:
        run(project, GOOD.replace(before, after, 1))
    (problem,) = caught.value.diagnostics
    assert problem.code == code
    assert problem.source is not None and problem.span is not None
    assert problem.source.position(problem.span.start)[0] == line


def test_an_example_that_is_no_tree_is_an_input_error(project: Path) -> None:
    with pytest.raises(InputError) as caught:
        run(project, GOOD.replace("\t2\tnsubj", "\t7\tnsubj", 1))
    assert caught.value.diagnostics[0].code.startswith("FICT7")


def test_a_filter_of_the_open_folder_is_named_alone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "examples" / "a.conllu").write_text(GOOD)
    monkeypatch.chdir(project)
    result = CliRunner().invoke(command, ["a.fict"], standalone_mode=False)
    assert [line.split()[0] for line in result.output.splitlines()[1:4]] == ["subject", "number.Sing", "number.Plur"]
