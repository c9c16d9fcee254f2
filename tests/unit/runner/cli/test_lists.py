"""`--list NAME=FILE` on every command that compiles filters."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from runner.cli import COMMANDS, fictc
from tests.unit.runner.cli.conftest import Fictc

TEXT = """fict 1
list pets = {cats}
list others = {x}
filter pet { about "A pet." source "a test" targets blimp/a match { N[lower(form) in @pets] } }
"""


@pytest.fixture
def pets(tmp_path: Path) -> Path:
    path = tmp_path / "pets.fict"
    path.write_text(TEXT)
    return path


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("Dogs\n")
    return path


def commands() -> list[tuple[str, click.Command]]:
    context = click.Context(fictc)
    found = []
    for name in COMMANDS:
        command = fictc.get_command(context, name)
        assert command is not None
        inner = command.commands if isinstance(command, click.Group) else {"": command}
        found += [(f"{name} {sub}".strip(), one) for sub, one in inner.items()]
    return found


def test_every_command_that_takes_filters_has_it() -> None:
    """FILTER is the metavar of arguments and options that are filters; `diff` calls its two A and B."""
    taking = {
        name: {parameter.name for parameter in command.params}
        for name, command in commands()
        if any("FILTER" in str(parameter.metavar) for parameter in command.params) or name in ("diff", "lint", "test")
    }
    assert len(taking) > 10
    assert [name for name, parameters in taking.items() if "lists" not in parameters and name != "rule"] == []


def sentences(ended_out: str) -> int:
    (entry,) = json.loads(ended_out)["filters"]
    return int(entry["sentences"])


def test_counts_are_those_of_the_list_that_is_given(call: Fictc, pets: Path, words: Path, store: Path) -> None:
    arguments = ["count", pets, "--corpus", store, "--format", "json"]
    assert sentences(call(*arguments).out) == 2
    given = call(*arguments, "--list", f"pets={words}")
    assert sentences(given.out) == 1
    (entry,) = json.loads(given.out)["filters"]
    assert entry["lists"]["pets"]["file"] == str(words)
    words.write_text("Dogs\ncat\ncats\n")  # the file changed: nothing that was remembered is used
    assert sentences(call(*arguments, "--list", f"pets={words}").out) == 3
    words.write_text("")
    assert sentences(call(*arguments, "--list", f"pets={words}").out) == 0
    assert sentences(call(*arguments).out) == 2


def test_other_commands_use_it(call: Fictc, pets: Path, words: Path, store: Path) -> None:
    given = ("--list", f"pets={words}")
    assert call("match", pets, "--corpus", store, *given).out == "one\n"
    assert call("match", pets, "--corpus", store).out != "one\n"
    assert "dogs" not in call("apply", pets, "--corpus", store, *given).out
    assert "dogs" in call("show", pets, "--corpus", store, *given).out
    assert "'dogs'" in call("compile", pets, *given).out
    said = call("explain", pets, *given).out
    assert "the one entry of @pets (dogs)" in said
    assert f"pets: 1 word of {words} in lower case, sha256 " in said
    assert call("diff", pets, pets, *given).code == 0
    assert call("lint", pets, *given).code == 0


def test_examples_are_judged_with_it(call: Fictc, pets: Path, words: Path) -> None:
    (pets.parent / "examples").mkdir()
    tree = "# expect = match\n1\tdogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    (pets.parent / "examples" / "pets.conllu").write_text(tree)
    assert "1 failed" in call("test", pets).out
    assert "none failed" in call("test", pets, "--list", f"pets={words}").out


@pytest.mark.parametrize("command", ["explain", "lint", "compile", "test"])
def test_an_unknown_name_gets_the_nearest(call: Fictc, pets: Path, words: Path, command: str) -> None:
    ended = call(command, pets, "--list", f"pet={words}")
    assert ended.problems == (
        (
            "FICT293",
            "neither the filter files nor the files they use declare a list `pet`",
            "the nearest name is `pets`",
        ),
    )


def test_a_list_that_no_filter_names_is_noted(call: Fictc, pets: Path, words: Path, store: Path) -> None:
    ended = call("count", pets, "--corpus", store, "--list", f"others={words}")
    assert ended.err == "note: none of these filters uses the list others, so --list others=… has no effect\n"


def test_a_row_of_a_table_is_noted_where_single_words_are_compared(
    call: Fictc, tmp_path: Path, words: Path, store: Path
) -> None:
    path = tmp_path / "f.fict"
    words.write_text("cats\t12\ndogs\t7\n")
    path.write_text(TEXT)
    ended = call("count", path, "--corpus", store, "--list", f"pets={words}")
    assert ended.err == (
        "note: --list pets=…: an entry with a tab, such as `cats    12`, matches no word; "
        "leave only the column of the words\n"
    )
    path.write_text("fict 1 list rows = {(cats, 12)} filter pet { match { N  (N.form, N.lemma) in @rows } }")
    assert call("count", path, "--corpus", store, "--list", f"rows={words}").err == ""


def test_a_completion_reads_no_file(pets: Path) -> None:
    command = fictc.get_command(click.Context(fictc), "explain")
    assert command is not None
    context = command.make_context("explain", [str(pets), "--list", "pets=absent.txt"], resilient_parsing=True)
    assert context.params["lists"] == {}


@pytest.mark.parametrize("value", ["pets", "=x", "pets="])
def test_what_is_no_name_and_file(call: Fictc, pets: Path, value: str) -> None:
    ended = call("explain", pets, "--list", value)
    assert (ended.code, "is not NAME=FILE" in ended.err) == (2, True)


def test_a_name_given_twice_and_a_file_that_is_not_there(call: Fictc, pets: Path, words: Path, tmp_path: Path) -> None:
    assert "pets is given twice" in call("explain", pets, *["--list", f"pets={words}"] * 2).err
    ((code, _, hint),) = call("explain", pets, "--list", f"pets={tmp_path / 'word.txt'}").problems
    assert (code, hint) == ("FICT140", "the most similar file name in its folder is `words.txt`")
