"""An endpoint that fails in every way: texts come nonetheless, every attempt is kept, nothing is asked twice."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.errors import InputError
from runner.generate.answers import without_suite
from runner.generate.documents import Known, Recipe
from runner.generate.endpoint import Endpoint, Journal, ask
from runner.generate.prompts import prompts
from runner.generate.targets import TARGETS
from tests.support.chat import TEXT, serving

pytest.importorskip("httpx")

LEMMAS = ["gadget", "fee", "market", "river", "stone"]
WANTED = prompts(Recipe("only_npi_scope", 600, 100, seed=3), LEMMAS)


def endpoint(url, **changes):
    return Endpoint(url, "tiny", {"temperature": 0.7}, **{"pause": 0.0, "attempts": 4} | changes)


def test_a_prompt_has_its_genre_its_lemmas_and_the_template_and_the_control_the_same_choices():
    control = prompts(Recipe(None, 600, 100, seed=3), LEMMAS)
    assert [one.number for one in WANTED] == [1, 2, 3, 4, 5, 6]
    for one, other in zip(WANTED, control, strict=True):
        assert (one.genre, one.subgenre, one.lemmas) == (other.genre, other.subgenre, other.lemmas)
        assert all(part in one.text for part in (one.genre, one.subgenre, *one.lemmas, "{relativizer}", "100 words"))
        assert "form" not in other.text.replace("inflected form", "")
    for name in TARGETS:
        assert name in prompts(Recipe(name, 100, 100), LEMMAS)[0].text


@pytest.mark.parametrize("fault", ["429", "500", "503", "cut", "drop", "malformed", "empty", "shape"])
@pytest.mark.parametrize("parallel", [1, 3])
def test_what_may_be_otherwise_the_next_time_is_asked_again(tmp_path, fault, parallel):
    journal = Journal(tmp_path / "a.answers")
    with serving("ok", fault, fault) as chat:
        texts = ask(endpoint(chat.url), WANTED, journal, parallel=parallel)
    assert sorted(texts) == [1, 2, 3, 4, 5, 6]
    assert all(text.startswith(TEXT) for text in texts.values())
    assert len(chat.asked) == 8
    kept = journal.records()
    assert len(kept) == 8
    assert sum(record["problem"] is not None for record in kept) == 2
    assert {record["asked"]["messages"][0]["content"] for record in kept} == {one.text for one in WANTED}
    assert all(body["temperature"] == 0.7 and body["model"] == "tiny" for body in chat.asked)


def test_a_run_goes_on_where_it_stopped_to_the_same_texts(tmp_path):
    journal = Journal(tmp_path / "a.answers")
    with serving() as chat:
        whole = ask(endpoint(chat.url), WANTED, Journal(tmp_path / "b.answers"))
    with serving("ok", "ok", *["500"] * 40) as chat:
        with pytest.raises(InputError) as caught:
            ask(endpoint(chat.url), WANTED, journal, parallel=1)
        assert caught.value.diagnostics[0].code == "FICT652"
    with journal.path.open("ab") as file:
        file.write(b'{"number": 3, "att')  # killed while it wrote
    with serving() as chat:
        texts = ask(endpoint(chat.url), WANTED, journal)
        assert len(chat.asked) == 4
        assert texts == whole
        assert ask(endpoint(chat.url), WANTED, journal) == whole
        assert len(chat.asked) == 4


def test_what_refuses_is_not_asked_again_and_says_why(tmp_path):
    with serving("400") as chat:
        with pytest.raises(InputError) as caught:
            ask(endpoint(chat.url), WANTED[:1], Journal(tmp_path / "a.answers"))
        assert len(chat.asked) == 1
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT651"
    assert problem.message.endswith("answers with HTTP 400: no such model")


def test_nobody_there(tmp_path):
    with serving() as chat:
        url = chat.url
    with pytest.raises(InputError) as caught:
        ask(endpoint(url, attempts=2), WANTED[:2], Journal(tmp_path / "a.answers"))
    assert "2 of 2 documents have no usable answer after 2 attempts" in caught.value.diagnostics[0].message


def test_answers_to_other_prompts_are_not_taken(tmp_path):
    journal = Journal(tmp_path / "a.answers")
    with serving() as chat:
        ask(endpoint(chat.url), WANTED, journal)
        with pytest.raises(InputError) as caught:
            ask(endpoint(chat.url), prompts(Recipe("only_npi_scope", 600, 100, seed=4), LEMMAS), journal)
    assert caught.value.diagnostics[0].code == "FICT653"


def test_sentences_of_a_suite_are_left_out_of_a_text():
    known = Known({"mary slept."}.__contains__)
    found, dropped = without_suite(
        "One. mary slept. Two?\n\nmary slept.\nThree.", Known(lambda text: known.in_suite(text.strip()))
    )
    assert (found, dropped) == ("One. Two?\n\n\nThree.", 2)


def test_the_command_writes_what_annotate_reads(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    output = tmp_path / "only.jsonl"
    with serving("429", "malformed") as chat:
        arguments = ["--endpoint", chat.url, "--model", "tiny", "--pause", "0", "-n", "900", "--every", "300"]
        done = CliRunner().invoke(fictc, ["generate", "only_npi_scope", "-o", str(output), *arguments])
        assert done.exit_code == 0, done.output
        again = CliRunner().invoke(fictc, ["generate", "only_npi_scope", "-o", str(output), *arguments])
        assert again.exit_code == 0
        assert len(chat.asked) == 5
    assert all(headers["Authorization"] == "Bearer secret" for headers in chat.headers)
    assert "secret" not in output.with_name("only.jsonl.answers").read_text()
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["id"] for line in lines] == [f"only_npi_scope-{number:06d}" for number in (1, 2, 3)]
    assert {"genre", "subgenre", "lemmas", "paradigm", "text"} <= set(lines[0])
    assert "3 documents" in done.stderr
