"""An endpoint that fails in every way: texts come nonetheless, every attempt is kept, nothing is asked twice."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.errors import InputError
from runner.generate.documents import Constraints, suite_constraints
from runner.generate.endpoint import Endpoint, Journal, prompts, request_texts, without_suite_sentences
from runner.generate.lemmas import Recipe
from runner.generate.targets import TARGETS
from tests.support.chat import TEXT, completion, serving

pytest.importorskip("httpx")

LEMMAS = ["gadget", "fee", "market", "river", "stone"]
WANTED = prompts(Recipe("only_npi_scope", 600, 100, seed=3), LEMMAS)


def endpoint(url, **changes):
    return Endpoint(url, "tiny", {"temperature": 0.7}, **{"retry_delay": 0.0, "max_attempts": 4} | changes)


def test_a_prompt_has_its_genre_its_lemmas_and_the_template_and_the_control_the_same_choices():
    control = prompts(Recipe(None, 600, 100, seed=3), LEMMAS)
    assert [one.number for one in WANTED] == [1, 2, 3, 4, 5, 6]
    for one, other in zip(WANTED, control, strict=True):
        assert (one.genre, one.subgenre, one.lemmas) == (other.genre, other.subgenre, other.lemmas)
        assert all(part in one.text for part in (one.genre, one.subgenre, *one.lemmas, "{relativizer}", "100 words"))
        assert "form" not in other.text.replace("inflected form", "")
    for name in TARGETS:
        assert name in prompts(Recipe(name, 100, 100), LEMMAS)[0].text


@pytest.mark.parametrize(
    "fault",
    ["429", "500", "503", "cut", "drop", "gzip", "malformed", "empty", "shape", "reason", "length", "half"],
)
@pytest.mark.parametrize("parallel", [1, 3])
def test_what_may_be_otherwise_the_next_time_is_asked_again(tmp_path, fault, parallel):
    journal = Journal(tmp_path / "a.answers")
    with serving("ok", fault, fault) as chat:
        texts = request_texts(endpoint(chat.url), WANTED, journal, parallel=parallel)
    assert sorted(texts) == [1, 2, 3, 4, 5, 6]
    assert all(text.startswith(TEXT) for text in texts.values())
    assert len(chat.requests) == 8
    kept = journal.records()
    assert len(kept) == 8
    assert sum(record["problem"] is not None for record in kept) == 2
    assert {record["asked"]["messages"][0]["content"] for record in kept} == {one.text for one in WANTED}
    assert all(body["temperature"] == 0.7 and body["model"] == "tiny" for body in chat.requests)


@pytest.mark.parametrize("fault", ["slow", "drip"])
def test_the_timeout_bounds_the_whole_answer(tmp_path, fault):
    journal = Journal(tmp_path / "a.answers")
    with serving(fault) as chat:
        texts = request_texts(endpoint(chat.url, timeout=0.3), WANTED[:1], journal)
    assert texts[1].startswith(TEXT)
    assert [record["problem"] for record in journal.records()] == ["no complete answer after 0.3 s", None]


def test_a_run_goes_on_where_it_stopped_to_the_same_texts(tmp_path):
    journal = Journal(tmp_path / "a.answers")
    with serving() as chat:
        whole = request_texts(endpoint(chat.url), WANTED, Journal(tmp_path / "b.answers"))
    with serving("ok", "ok", *["500"] * 40) as chat:
        with pytest.raises(InputError) as caught:
            request_texts(endpoint(chat.url), WANTED, journal, parallel=1)
        assert caught.value.diagnostics[0].code == "FICT652"
    with journal.path.open("ab") as file:
        file.write(b'{"number": 3, "att')  # killed while it wrote
    with serving() as chat:
        texts = request_texts(endpoint(chat.url), WANTED, journal)
        assert len(chat.requests) == 4
        assert texts == whole
        assert request_texts(endpoint(chat.url), WANTED, journal) == whole
        assert len(chat.requests) == 4


def test_what_refuses_is_not_asked_again_and_says_why(tmp_path):
    with serving("400") as chat:
        with pytest.raises(InputError) as caught:
            request_texts(endpoint(chat.url), WANTED[:1], Journal(tmp_path / "a.answers"))
        assert len(chat.requests) == 1
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT651"
    assert problem.message.endswith("answers with HTTP 400: no such model")


def test_nobody_there(tmp_path):
    with serving() as chat:
        url = chat.url
    with pytest.raises(InputError) as caught:
        request_texts(endpoint(url, max_attempts=2), WANTED[:2], Journal(tmp_path / "a.answers"))
    assert "2 of 2 documents have no usable answer after 2 attempts" in caught.value.diagnostics[0].message


def test_a_kept_answer_that_is_no_whole_text_is_asked_for_again(tmp_path):
    journal = Journal(tmp_path / "a.answers")
    asked = endpoint("").request(WANTED[0])
    for answer in (completion("A text that was as", "length"), completion("A \ud83d text.")):
        journal.add({"number": 1, "attempt": 1, "asked": asked, "status": 200, "answer": answer, "problem": None})
    with serving() as chat:
        texts = request_texts(endpoint(chat.url), WANTED[:1], journal)
    assert texts[1].startswith(TEXT)


def test_a_token_is_in_no_answer_that_is_kept_or_shown(tmp_path):
    journal = Journal(tmp_path / "a.answers")
    with serving("401") as chat, pytest.raises(InputError) as caught:
        request_texts(endpoint(chat.url, api_key="sk-SECRET"), WANTED[:1], journal)
    assert caught.value.diagnostics[0].message.endswith("answers with HTTP 401: no such key: Bearer …")
    assert "SECRET" not in journal.path.read_text("utf-8") + repr(endpoint(chat.url, api_key="sk-SECRET"))


def test_answers_to_other_prompts_are_not_taken(tmp_path):
    journal = Journal(tmp_path / "a.answers")
    with serving() as chat:
        request_texts(endpoint(chat.url), WANTED, journal)
        with pytest.raises(InputError) as caught:
            request_texts(endpoint(chat.url), prompts(Recipe("only_npi_scope", 600, 100, seed=4), LEMMAS), journal)
    assert caught.value.diagnostics[0].code == "FICT653"


@pytest.mark.parametrize(
    "line", [b"{}", b"[1]", b"text", b"\xff", b'{"number": [], "asked": 1, "answer": 1, "problem": 1}']
)
def test_a_file_of_other_content_is_refused_and_kept(tmp_path, line):
    path = tmp_path / "a.jsonl.answers"
    path.write_bytes(content := line + b"\nhalf a line")
    with serving() as chat, pytest.raises(InputError) as caught:
        request_texts(endpoint(chat.url), WANTED, Journal(path))
    assert caught.value.diagnostics[0].code == "FICT700"
    assert caught.value.diagnostics[0].message.endswith("line 1 is not an answer that `fictc generate` saved")
    assert not chat.requests and path.read_bytes() == content


def test_sentences_of_a_suite_are_left_out_of_a_text():
    known = Constraints({"mary slept."}.__contains__)
    found, dropped = without_suite_sentences(
        "One. mary slept. Two?\n\nmary slept.\nThree.", Constraints(lambda text: known.in_suite(text.strip()))
    )
    assert (found, dropped) == ("One. Two?\n\n\nThree.", 2)


@pytest.mark.parametrize(
    ("text", "remaining"),
    [
        ("One. Mary doesn’t sleep. Two.", "One. Two."),
        ("“Mary doesn’t sleep.” He left.", "He left."),
        ("One. Mary  doesn't\u00a0sleep! (Mary doesn't sleep.) Two.", "One. Two."),
        ("He said “Mary doesn’t sleep.” Two.", "He said “Mary doesn’t sleep.” Two."),
    ],
)
def test_a_sentence_of_a_suite_is_found_in_typographic_text(text, remaining):
    constraints = suite_constraints(["Mary doesn't sleep."], None)
    assert without_suite_sentences(text, constraints)[0] == remaining


def test_the_command_writes_what_annotate_reads(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    output = tmp_path / "only.jsonl"
    with serving("429", "malformed") as chat:
        arguments = ["--endpoint", chat.url, "--model", "tiny", "--pause", "0", "-n", "900", "--every", "300"]
        done = CliRunner().invoke(fictc, ["generate", "only_npi_scope", "-o", str(output), *arguments])
        assert done.exit_code == 0, done.output
        again = CliRunner().invoke(fictc, ["generate", "only_npi_scope", "-o", str(output), *arguments])
        assert again.exit_code == 0
        assert len(chat.requests) == 5
    assert all(headers["Authorization"] == "Bearer secret" for headers in chat.headers)
    assert "secret" not in output.with_name("only.jsonl.answers").read_text()
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["id"] for line in lines] == [f"only_npi_scope-{number:06d}" for number in (1, 2, 3)]
    assert {"genre", "subgenre", "lemmas", "paradigm", "text"} <= set(lines[0])
    assert "3 documents" in done.stderr


def asked(folder, url, *more):
    arguments = ["-o", str(folder / "a.jsonl"), "--model", "tiny", "--pause", "0", "-n", "300", "--every", "300"]
    return CliRunner().invoke(fictc, ["generate", "--endpoint", url, *arguments, *more])


def test_the_white_space_around_a_token_is_not_sent(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", " sk-SECRET\n")
    with serving("length") as chat:
        done = asked(tmp_path, chat.url)
    assert done.exit_code == 0, done.output
    assert {headers["Authorization"] for headers in chat.headers} == {"Bearer sk-SECRET"}
    assert "answers cut off and requested again: 1" in done.stderr


@pytest.mark.parametrize("token", ["sk-“SECRET”", "sk-SEC\nRET"])
def test_a_token_that_no_header_can_hold_is_refused_and_not_shown(tmp_path, monkeypatch, token):
    monkeypatch.setenv("OPENAI_API_KEY", token)
    with serving() as chat:
        done = asked(tmp_path, chat.url)
    assert done.exit_code == 2
    assert "OPENAI_API_KEY has a character that is not printable ASCII" in done.output and "SEC" not in done.output
    assert not chat.requests and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "url",
    ["http://localhost:port/v1", "http://localhost:99999/v1", "localhost:8000/v1", "http:///v1", "https://xn--/v1"],
)
def test_what_is_no_address_is_refused_at_once(tmp_path, url):
    done = asked(tmp_path, url)
    assert done.exit_code == 2 and "--endpoint expects a URL such as http://localhost:8000/v1: " in done.output
    assert not list(tmp_path.iterdir())


def test_a_check_is_for_trees(tmp_path):
    with serving() as chat:
        done = asked(tmp_path, chat.url, "--check", "injection")
    assert done.exit_code == 2 and "--check requires trees, but --endpoint writes text only" in done.output
    assert not chat.requests
